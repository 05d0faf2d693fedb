//! `crownhead serve`, and `crownhead` without a command: runs the web server and opens the page in the browser.

use std::env;
use std::io::{self, IsTerminal, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use anyhow::Context;
use clap::{Args, ValueEnum};
use crownhead_server::{Config, DEFAULT_PORT, Server};
use crownhead_tablebase::Tablebase;
use tracing_subscriber::filter::{EnvFilter, LevelFilter};

use crate::cli::online::Online;
use crate::cli::tables::Tables;
use crate::stderr::tell;

/// The limit on open files that most systems set, assumed if the real one cannot be read.
const USUAL_DESCRIPTORS: usize = 1_024;

/// Threads for blocking reads and writes of the database and the tables. Few run at a time, and each costs memory.
const BLOCKING_THREADS: usize = 8;

/// The format of the log.
#[derive(Clone, Copy, ValueEnum)]
enum LogFormat {
    /// Plain text.
    Plain,
    /// One JSON object per line.
    Json,
}

/// Serve the game and open it in the browser.
#[derive(Args)]
pub(crate) struct Serve {
    /// Port to listen on; 0 picks a free one. Browsers store games per address, so another port shows other games.
    #[arg(long, default_value_t = DEFAULT_PORT)]
    port: u16,
    /// Address to listen on; 0.0.0.0 admits other machines on the network.
    #[arg(long, default_value_t = Ipv4Addr::LOCALHOST.into())]
    host: IpAddr,
    /// Do not open the browser.
    #[arg(long)]
    no_open: bool,
    /// Address and port for Prometheus metrics, such as 127.0.0.1:9100 [default: no metrics].
    #[arg(long, value_name = "ADDRESS")]
    metrics: Option<SocketAddr>,
    /// Format of the log on stderr. The environment variable `RUST_LOG` sets the log level.
    #[arg(long, value_name = "FORMAT", default_value = "plain")]
    log: LogFormat,
    #[command(flatten)]
    tables: Tables,
    #[command(flatten)]
    online: Online,
}

impl Serve {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        self.start_log();
        let mut runtime = tokio::runtime::Builder::new_multi_thread();
        let runtime = runtime.enable_all().max_blocking_threads(BLOCKING_THREADS).build();
        runtime.context("cannot start the server")?.block_on(self.serve())
    }

    fn start_log(&self) {
        // Only warnings and errors, unless RUST_LOG sets another level.
        let filter = EnvFilter::builder().with_default_directive(LevelFilter::WARN.into()).from_env_lossy();
        let log = tracing_subscriber::fmt().with_writer(io::stderr).with_env_filter(filter);
        match self.log {
            LogFormat::Plain => log.with_ansi(io::stderr().is_terminal()).init(),
            LogFormat::Json => log.json().init(),
        }
    }

    async fn serve(self) -> anyhow::Result<()> {
        self.tables.check()?;
        let (database, site) = (self.online.database()?, self.online.site());
        let limits = self.online.limits(raised_descriptor_limit());
        // Opened on the first probe: large tables take a while to open, and the page does not need them.
        let tables = crownhead_server::SharedTablebase::new(move || {
            self.tables.open().unwrap_or_else(|error| {
                tell(format_args!("crownhead: {error:#}"));
                Tablebase::embedded()
            })
        });
        let (host, port, metrics, database) = (self.host, self.port, self.metrics, Some(database));
        let config = Config { host, port, metrics, tables, database, site, limits, ..Config::default() };
        let server = Server::bind(config).await?;
        let stop = stop_signal().context("cannot listen for Ctrl-C")?;
        let address = address_to_open(server.address());
        writeln!(io::stdout(), "Crownhead is at {address} (Ctrl-C ends it)")?;
        if !self.no_open
            && has_display()
            && let Err(error) = open::that_detached(&address)
        {
            tell(format_args!("crownhead: the browser does not open ({error}); open {address} yourself"));
        }
        server.run(stop).await;
        Ok(())
    }
}

/// Raises the limit on open files as far as the system allows, and returns it.
fn raised_descriptor_limit() -> usize {
    match rlimit::increase_nofile_limit(u64::MAX) {
        Ok(limit) => usize::try_from(limit).unwrap_or(usize::MAX),
        Err(error) => {
            tell(format_args!("crownhead: the limit on open files stays as it is ({error})"));
            USUAL_DESCRIPTORS
        }
    }
}

/// The URL of the server for a browser on this machine.
fn address_to_open(listening: SocketAddr) -> String {
    let ip: IpAddr = match listening.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    format!("http://{}/", SocketAddr::new(ip, listening.port()))
}

/// On Linux a browser needs a display; other systems always have one.
fn has_display() -> bool {
    let is_set = |name| env::var_os(name).is_some_and(|value| !value.is_empty());
    !cfg!(target_os = "linux") || ["DISPLAY", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME"].into_iter().any(is_set)
}

/// Resolves on SIGINT (Ctrl-C) or SIGTERM.
#[cfg(unix)]
fn stop_signal() -> io::Result<impl Future<Output = ()> + Send + 'static> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    })
}

/// Resolves on Ctrl-C.
#[cfg(not(unix))]
fn stop_signal() -> io::Result<impl Future<Output = ()> + Send + 'static> {
    Ok(async {
        // Without a signal handler, wait for the end of the process.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    })
}
