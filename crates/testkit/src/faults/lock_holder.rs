//! Another process that holds a lock on the database, so that the server cannot write.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use anyhow::{Context, ensure};

/// A Python script that takes the write lock, reports it, and releases it at the end of its input.
const PYTHON: &str = "import sqlite3, sys
database = sqlite3.connect(sys.argv[1], timeout=60, isolation_level=None)
database.execute('BEGIN IMMEDIATE')
print('held', flush=True)
sys.stdin.read()
database.execute('ROLLBACK')";
const SQL: &[u8] = b"BEGIN; LOCK TABLE events;\n\\echo held\n";

/// A process that holds a lock and releases it when it ends.
#[derive(Debug)]
pub struct LockHolder {
    process: Child,
}

impl LockHolder {
    /// Takes the write lock of an SQLite file, by way of `python3`.
    ///
    /// # Errors
    /// If it does not get the lock.
    pub fn sqlite(file: &Path) -> anyhow::Result<LockHolder> {
        LockHolder::hold(Command::new("python3").args(["-c", PYTHON]).arg(file), b"")
    }

    /// Locks the table of events, by a `psql` command that has the address of the database.
    ///
    /// # Errors
    /// If it does not get the lock.
    pub fn postgres(psql: &mut Command) -> anyhow::Result<LockHolder> {
        LockHolder::hold(psql, SQL)
    }

    fn hold(command: &mut Command, script: &[u8]) -> anyhow::Result<LockHolder> {
        let process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut holder = LockHolder { process: process.context("cannot start who holds the lock")? };
        let input = holder.process.stdin.as_mut().context("the input is piped")?;
        input.write_all(script)?;
        input.flush()?;
        let mut line = String::new();
        let output = holder.process.stdout.take().context("the output is piped")?;
        BufReader::new(output).read_line(&mut line)?;
        ensure!(line.trim() == "held", "the lock was not taken");
        Ok(holder)
    }

    /// Releases the lock and waits until it is free.
    ///
    /// # Errors
    /// If it could not be released.
    pub fn release(mut self) -> anyhow::Result<()> {
        drop(self.process.stdin.take());
        ensure!(self.process.wait()?.success(), "the lock was not given back");
        Ok(())
    }
}

impl Drop for LockHolder {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
