//! A server in a process of its own: started with generous limits, paused, stopped, killed, and never left behind.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::process::{self, Child, Command, Stdio};
use std::sync::atomic::{AtomicU16, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};

/// The value of every limit that a measurement must not reach.
const GENEROUS: &str = "1000000";
/// A server that is told to stop has this long before that counts as a failure.
const STOP_PATIENCE: Duration = Duration::from_secs(30);

/// Ports below those that the system hands out by itself, so that no other test is given one that is about to be used.
const FIRST_PORT: u16 = 20_000;
const PORTS: u16 = 10_000;

/// A running server, killed when it is dropped.
#[derive(Debug)]
pub struct ServerProcess {
    /// Where it listens.
    pub address: SocketAddr,
    process: Child,
}

impl ServerProcess {
    /// Starts a server that prints its address on its first line.
    ///
    /// # Errors
    /// If it does not start, or ends before it listens.
    pub fn start(command: &mut Command) -> anyhow::Result<ServerProcess> {
        let mut process = command.stdout(Stdio::piped()).spawn().context("cannot start the server")?;
        let output = process.stdout.take().context("the output is piped")?;
        // From here on the process ends with this value.
        let mut server = ServerProcess { address: SocketAddr::from(([127, 0, 0, 1], 0)), process };
        let mut line = String::new();
        BufReader::new(output).read_line(&mut line)?;
        let address = line.split("http://").nth(1).and_then(|rest| rest.split('/').next());
        server.address = address.context("the server ended before it listened")?.parse()?;
        Ok(server)
    }

    /// The process id.
    pub fn id(&self) -> u32 {
        self.process.id()
    }

    /// Sends a signal: `STOP`, `CONT`, `TERM`.
    ///
    /// # Errors
    /// If the process is gone.
    pub fn signal(&self, name: &str) -> anyhow::Result<()> {
        let status = Command::new("kill").arg(format!("-{name}")).arg(self.id().to_string()).status()?;
        ensure!(status.success(), "cannot send {name} to the server");
        Ok(())
    }

    /// Ends it without warning, as `kill -9` does.
    ///
    /// # Errors
    /// If the process is gone.
    pub fn kill(mut self) -> anyhow::Result<()> {
        self.process.kill()?;
        self.process.wait()?;
        Ok(())
    }

    /// Asks it to stop and waits until it has.
    ///
    /// # Errors
    /// If it does not, or not cleanly.
    pub fn stop(mut self) -> anyhow::Result<()> {
        self.signal("TERM")?;
        let asked = Instant::now();
        while asked.elapsed() < STOP_PATIENCE {
            if let Some(status) = self.process.try_wait()? {
                ensure!(status.success(), "the server ended with {status}");
                return Ok(());
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        bail!("the server did not stop within {STOP_PATIENCE:?}")
    }

    /// The resident memory.
    ///
    /// # Errors
    /// If the system does not report it.
    pub fn memory_kb(&self) -> anyhow::Result<i64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.id()))?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).context("no memory")?;
        Ok(line.trim().trim_end_matches("kB").trim().parse()?)
    }
}

impl Drop for ServerProcess {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The command `PROGRAM serve` on this port (0 picks any free one), not yet started.
pub fn serve(program: impl AsRef<OsStr>, port: u16) -> Command {
    let mut command = Command::new(program);
    command.args(["serve", "--no-open", "--port", &port.to_string()]);
    command
}

/// Options that raise every limit on a number so far that no measurement reaches it. Limits on sizes stay.
///
/// # Errors
/// If the program does not list its options.
pub fn generous_limits(program: impl AsRef<OsStr>) -> anyhow::Result<Vec<String>> {
    let limits = options(program)?.into_iter().filter(|option| {
        option.starts_with("--max-") && !option.contains("-bytes") && !option.contains("-size")
    });
    Ok(limits.flat_map(|option| [option, GENEROUS.to_owned()]).collect())
}

/// The options that `PROGRAM serve --help` lists.
///
/// # Errors
/// If the program does not list its options.
pub fn options(program: impl AsRef<OsStr>) -> anyhow::Result<Vec<String>> {
    let output =
        Command::new(program).args(["serve", "--help"]).output().context("cannot start the server")?;
    let help = String::from_utf8(output.stdout)?;
    // A line that begins otherwise is an explanation, which may mention an option.
    let lists = |line: &&str| line.trim_start().starts_with('-');
    let option = |line: &str| line.split_whitespace().find(|word| word.starts_with("--")).map(str::to_owned);
    let listed = help.lines().filter(lists).filter_map(option);
    Ok(listed.collect())
}

/// A port that was free a moment ago.
///
/// # Errors
/// If there is none.
pub fn free_port() -> anyhow::Result<u16> {
    static NEXT: AtomicU16 = AtomicU16::new(0);
    let first = process::id() as u16 % PORTS;
    let mut candidates = (0..PORTS).map(|_| {
        let step = NEXT.fetch_add(1, Ordering::Relaxed);
        FIRST_PORT + (first + step % PORTS) % PORTS
    });
    let is_free = |port: &u16| TcpListener::bind(("127.0.0.1", *port)).is_ok();
    candidates.find(is_free).context("no port is free")
}

/// Opens a log file of a server for appending.
///
/// # Errors
/// If it cannot be written.
pub fn log_to(file: &Path) -> anyhow::Result<File> {
    File::options().create(true).append(true).open(file).context("cannot write the log")
}

/// Waits for a signal to end this program, so that it can clean up what it started.
///
/// # Errors
/// If the signals cannot be received.
pub async fn interrupted() -> anyhow::Result<()> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut terminate = signal(SignalKind::terminate())?;
    tokio::select! {
        interrupt = tokio::signal::ctrl_c() => Ok(interrupt?),
        _ = terminate.recv() => Ok(()),
    }
}
