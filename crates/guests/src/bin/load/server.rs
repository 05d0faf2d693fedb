//! A server in a process of its own.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};

use anyhow::Context;

/// A running server.
pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    process: Child,
}

impl Server {
    /// Starts a server that prints its address on its first line.
    pub(crate) fn start(command: &mut Command) -> anyhow::Result<Server> {
        let mut process = command.stdout(Stdio::piped()).spawn().context("cannot start the server")?;
        let mut line = String::new();
        BufReader::new(process.stdout.take().context("no output")?).read_line(&mut line)?;
        let address = line.split("http://").nth(1).and_then(|rest| rest.split('/').next());
        Ok(Server { address: address.context("no address")?.parse()?, process })
    }

    pub(crate) fn memory_kb(&self) -> anyhow::Result<i64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.process.id()))?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).context("no memory")?;
        Ok(line.trim().trim_end_matches("kB").trim().parse()?)
    }

    pub(crate) fn end(mut self) -> anyhow::Result<()> {
        self.process.kill()?;
        self.process.wait()?;
        Ok(())
    }
}
