//! Denial-of-service test: one address floods a local server with sockets that never read, rematches, or requests for
//! games that do not exist. Other clients must not notice, and memory must be released.
//!
//! `flood PROGRAM [sockets|rematches|unknown]`: all three if none is named. Each starts a server with the limits that
//! it ships with and 1,024 descriptors, and is bounded in number and time. Fails if a target is missed.

mod rematches;
mod sockets;
mod unknown;

use std::ffi::OsStr;
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, bail};
use crownhead_testkit::{Browser, ServerProcess, free_port, interrupted, options};
use tempfile::TempDir;

/// What `ulimit -n` says on most systems.
const DESCRIPTORS: &str = "--nofile=1024:1024";

/// A server under attack.
struct Target {
    server: ServerProcess,
    /// Where it serves its metrics.
    metrics: SocketAddr,
    _data: TempDir,
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let mut arguments = std::env::args_os().skip(1);
    let program = arguments.next().context("give the program")?;
    let chosen = arguments.next();
    let is_chosen = |name: &str| chosen.as_deref().is_none_or(|chosen| chosen == OsStr::new(name));
    let attack = async {
        let mut failures = Vec::new();
        if is_chosen("sockets") {
            failures.extend(sockets::attack(&Target::start(Path::new(&program))?).await?);
        }
        if is_chosen("rematches") {
            failures.extend(rematches::attack(&Target::start(Path::new(&program))?).await?);
        }
        if is_chosen("unknown") {
            failures.extend(unknown::attack(&Target::start(Path::new(&program))?).await?);
        }
        anyhow::Ok(failures)
    };
    let failures = tokio::select! {
        failures = attack => failures?,
        _ = interrupted() => bail!("interrupted"),
    };
    if failures.is_empty() { Ok(()) } else { bail!("{}", failures.join("; ")) }
}

impl Target {
    fn start(program: &Path) -> anyhow::Result<Target> {
        let data = tempfile::tempdir()?;
        let mut command = Command::new("prlimit");
        command.arg(DESCRIPTORS).arg(program).args(["serve", "--no-open", "--port", "0", "--data"]);
        command.arg(data.path()).stderr(Stdio::null());
        // Newer servers serve metrics on a listener of their own.
        let mut metrics = None;
        if options(program)?.iter().any(|option| option == "--metrics") {
            let address = SocketAddr::from(([127, 0, 0, 1], free_port()?));
            command.args(["--metrics", &address.to_string()]);
            metrics = Some(address);
        }
        let server = ServerProcess::start(&mut command)?;
        let metrics = metrics.unwrap_or(server.address);
        Ok(Target { server, metrics, _data: data })
    }

    fn address(&self) -> SocketAddr {
        self.server.address
    }

    /// A number from the metrics.
    async fn metric(&self, name: &str) -> anyhow::Result<f64> {
        let answer = Browser::new(self.metrics).get("/metrics").await?;
        let line = answer.text.lines().find_map(|line| line.strip_prefix(&format!("crownhead_{name} ")));
        Ok(line.with_context(|| format!("no metric {name}"))?.trim().parse()?)
    }
}
