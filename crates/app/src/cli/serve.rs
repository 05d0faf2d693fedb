//! `crownhead serve`, and `crownhead` alone: the page, in the browser of whoever started it.

use std::env;
use std::io::{self, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use anyhow::Context;
use clap::Args;
use crownhead_server::{Config, DEFAULT_PORT, Server};
use crownhead_tablebase::Tablebase;
use tracing_subscriber::filter::{EnvFilter, LevelFilter};

use crate::cli::online::Online;
use crate::cli::tables::Tables;
use crate::talk::tell;

/// Serve the game and open it in the browser.
#[derive(Args)]
pub(crate) struct Serve {
    /// The port to listen on; 0 takes any that is free. Browsers keep games per address, so it is better left alone.
    #[arg(long, default_value_t = DEFAULT_PORT)]
    port: u16,
    /// The address to listen on; 0.0.0.0 lets others on the network in.
    #[arg(long, default_value_t = Ipv4Addr::LOCALHOST.into())]
    host: IpAddr,
    /// Do not open the browser.
    #[arg(long)]
    no_open: bool,
    #[command(flatten)]
    tables: Tables,
    #[command(flatten)]
    online: Online,
}

impl Serve {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        // Problems only, unless RUST_LOG asks for more.
        let filter = EnvFilter::builder().with_default_directive(LevelFilter::WARN.into()).from_env_lossy();
        tracing_subscriber::fmt().with_writer(io::stderr).with_env_filter(filter).init();
        tokio::runtime::Runtime::new().context("cannot start the server")?.block_on(self.serve())
    }

    async fn serve(self) -> anyhow::Result<()> {
        self.tables.check()?;
        let (database, site, limits) = (self.online.database()?, self.online.site(), self.online.limits());
        // Opened when they are first asked for: large ones take a while, and the page does not need them.
        let tables = crownhead_server::Tables::new(move || {
            self.tables.open().unwrap_or_else(|error| {
                tell(format_args!("crownhead: {error:#}"));
                Tablebase::embedded()
            })
        });
        let (host, port, database) = (self.host, self.port, Some(database));
        let config = Config { host, port, tables, database, site, limits, ..Config::default() };
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

/// Where a browser on this machine finds the server.
fn address_to_open(listening: SocketAddr) -> String {
    let ip: IpAddr = match listening.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    format!("http://{}/", SocketAddr::new(ip, listening.port()))
}

/// On Linux a browser needs a display; elsewhere there always is one.
fn has_display() -> bool {
    let is_set = |name| env::var_os(name).is_some_and(|value| !value.is_empty());
    !cfg!(target_os = "linux") || ["DISPLAY", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME"].into_iter().any(is_set)
}

/// Ends with Ctrl-C, or when the system asks the program to go.
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

/// Ends with Ctrl-C.
#[cfg(not(unix))]
fn stop_signal() -> io::Result<impl Future<Output = ()> + Send + 'static> {
    Ok(async {
        // Without the signal there is nothing to wait for but the end of the process.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    })
}
