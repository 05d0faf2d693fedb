//! A throwaway PostgreSQL server: in a temporary folder, on a socket in that folder and on an encrypted port of this
//! machine. It ends with this process.

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use anyhow::{Context, bail};
use tempfile::TempDir;

/// PostgreSQL refuses to run as root; its package creates this user.
const USER: &str = "postgres";
/// The number of connection attempts until the server must be up, ten per second.
const TRIES: usize = 1_200;

/// Small segments of the write-ahead log on the caller's disk, so that a full disk is noticed soon.
const SMALL_LOG: [&str; 2] = ["--wal-segsize", "1"];

const PROGRAMS: [&str; 4] = ["createdb", "initdb", "pg_isready", "postgres"];

/// A running server.
pub struct Postgres {
    programs: PathBuf,
    /// Holds the socket, the log and the data.
    folder: PathBuf,
    /// Removed at the end, unless the folder was given.
    _temporary: Option<TempDir>,
    port: u16,
    /// A shell that ends the server when its input is closed, however this process ends.
    keeper: Child,
}

impl Postgres {
    /// The shared server of this process, started when it is first needed.
    ///
    /// # Panics
    /// If it cannot be started: the tests need it.
    pub fn shared() -> &'static Postgres {
        static SERVER: OnceLock<Postgres> = OnceLock::new();
        SERVER.get_or_init(|| Postgres::start().expect("PostgreSQL runs"))
    }

    /// Starts a server.
    ///
    /// # Errors
    /// If it is not installed or does not start.
    pub fn start() -> anyhow::Result<Postgres> {
        let folder = tempfile::Builder::new().prefix("crownhead-postgres").tempdir()?;
        Postgres::create(folder.path().to_owned(), Some(folder))
    }

    /// Starts a server that keeps all its files in the caller's folder, which may be on a small disk.
    ///
    /// # Errors
    /// If it is not installed or does not start.
    pub fn start_in(folder: &Path) -> anyhow::Result<Postgres> {
        Postgres::create(folder.to_owned(), None)
    }

    fn create(folder: PathBuf, temporary: Option<TempDir>) -> anyhow::Result<Postgres> {
        let programs = programs()?;
        if is_root() {
            run(Command::new("chown").arg(USER).arg(&folder))?;
        }
        let data = folder.join("data");
        let mut make = as_user(&programs.join("initdb"));
        make.args(["-U", USER, "-A", "trust", "-E", "UTF8", "--no-sync"]);
        if temporary.is_none() {
            make.args(SMALL_LOG);
        }
        run(make.arg("-D").arg(&data))?;
        certify(&data)?;
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let keeper = keep(&programs, &folder, port)?;
        let postgres = Postgres { programs, folder, _temporary: temporary, port, keeper };
        postgres.wait()?;
        Ok(postgres)
    }

    /// Does it answer?
    pub fn is_up(&self) -> bool {
        let mut ask = Command::new(self.programs.join("pg_isready"));
        self.connect_with(&mut ask).arg("-q").status().is_ok_and(|status| status.success())
    }

    /// Starts it again, whether it stopped by itself or not, and waits until it answers.
    ///
    /// # Errors
    /// If it does not.
    pub fn restart(&mut self) -> anyhow::Result<()> {
        self.halt();
        self.keeper = keep(&self.programs, &self.folder, self.port)?;
        self.wait()
    }

    /// Makes the keeper end the server and waits until it has.
    fn halt(&mut self) {
        drop(self.keeper.stdin.take());
        // The exit status of the keeper does not matter.
        let _ = self.keeper.wait();
    }

    /// The socket on which it listens.
    pub fn socket(&self) -> PathBuf {
        self.folder.join(format!(".s.PGSQL.{}", self.port))
    }

    /// `psql` on a database that [`Postgres::database`] returned.
    pub fn psql(&self, database: &str) -> Command {
        let mut psql = Command::new("psql");
        psql.args(["--no-psqlrc", "--quiet", "--tuples-only", "--no-align", database]);
        psql
    }

    /// The address of a new, empty database, over the socket.
    ///
    /// # Panics
    /// If it cannot be made: the tests need it.
    pub fn database(&self) -> String {
        let (name, folder) = (self.new_database(), self.folder.display());
        format!("postgres://{USER}@localhost:{}/{name}?host={folder}", self.port)
    }

    /// The address of a new, empty database over the network, which accepts encrypted connections only.
    ///
    /// # Panics
    /// If it cannot be made: the tests need it.
    pub fn encrypted_database(&self) -> String {
        format!("postgres://{USER}@127.0.0.1:{}/{}?sslmode=require", self.port, self.new_database())
    }

    fn new_database(&self) -> String {
        static NUMBERS: AtomicUsize = AtomicUsize::new(0);
        let name = format!("games{}", NUMBERS.fetch_add(1, Ordering::Relaxed));
        let mut make = Command::new(self.programs.join("createdb"));
        run(self.connect_with(&mut make).arg(&name)).expect("a database");
        name
    }

    /// Sets the address of the server for a program of PostgreSQL.
    fn connect_with<'a>(&self, program: &'a mut Command) -> &'a mut Command {
        program.arg("-h").arg(&self.folder).args(["-p", &self.port.to_string(), "-U", USER])
    }

    fn wait(&self) -> anyhow::Result<()> {
        for _ in 0..TRIES {
            if self.is_up() {
                return Ok(());
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        let log = std::fs::read_to_string(self.folder.join("log")).unwrap_or_default();
        bail!("PostgreSQL does not start: {log}")
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        self.halt();
    }
}

/// Starts the server under a shell that ends it when its input, which this process holds open, is closed.
fn keep(programs: &Path, folder: &Path, port: u16) -> anyhow::Result<Child> {
    let script = "\"$0\" -D \"$1\" -p \"$3\" -c listen_addresses=127.0.0.1 -c ssl=on \
                  -c unix_socket_directories=\"$2\" -c fsync=off -c max_connections=300 \
                  >>\"$2/log\" 2>&1 & pid=$!; cat >/dev/null; kill -INT $pid; wait $pid";
    let mut server = as_user(Path::new("sh"));
    server.args(["-c", script]).arg(programs.join("postgres")).arg(folder.join("data")).arg(folder);
    server.arg(port.to_string()).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    Ok(server.spawn()?)
}

/// Makes a self-signed certificate, and requires encryption on network connections.
fn certify(data: &Path) -> anyhow::Result<()> {
    let mut make = as_user(Path::new("openssl"));
    make.args([
        "req",
        "-x509",
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:prime256v1",
        "-nodes",
        "-batch",
    ])
    .args(["-subj", "/CN=localhost", "-days", "2"]);
    run(make.arg("-keyout").arg(data.join("server.key")).arg("-out").arg(data.join("server.crt")))?;
    let rules = "local all all trust\nhostssl all all 127.0.0.1/32 trust\n";
    std::fs::write(data.join("pg_hba.conf"), rules).context("cannot say who may come in")
}

/// Debian does not put the server's programs on the path.
fn programs() -> anyhow::Result<PathBuf> {
    let mut found: Vec<PathBuf> = std::fs::read_dir("/usr/lib/postgresql")
        .into_iter()
        .flatten()
        .filter_map(|version| Some(version.ok()?.path().join("bin")))
        .collect();
    found.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()));
    found.sort();
    let has_all = |folder: &PathBuf| PROGRAMS.iter().all(|name| folder.join(name).is_file());
    found.into_iter().rfind(has_all).context(
        "PostgreSQL is missing: run `cargo xtask test`, which installs it, or install Debian's package postgresql",
    )
}

fn is_root() -> bool {
    // Only root may read this file, so no library is needed to find out.
    std::fs::File::open("/etc/shadow").is_ok()
}

fn as_user(program: &Path) -> Command {
    if !is_root() {
        return Command::new(program);
    }
    let mut command = Command::new("runuser");
    command.args(["-u", USER, "--"]).arg(program).current_dir("/");
    command
}

fn run(command: &mut Command) -> anyhow::Result<()> {
    let output = command.output().with_context(|| format!("cannot start {command:?}"))?;
    if !output.status.success() {
        bail!("{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    }
    Ok(())
}
