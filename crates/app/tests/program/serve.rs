//! `crownhead serve` from its start to its end.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;

use crownhead_server::assets_version;

use crate::failure;

const PROGRAM: &str = env!("CARGO_BIN_EXE_crownhead");

/// A server on a free port, and where it said that it is.
pub(crate) fn served(place: &[&str]) -> (Child, SocketAddr) {
    started(Command::new(PROGRAM).args(["serve", "--port", "0", "--no-open"]).args(place))
}

fn started(command: &mut Command) -> (Child, SocketAddr) {
    let mut server = command.stdout(Stdio::piped()).spawn().expect("the program starts");
    let mut line = String::new();
    BufReader::new(server.stdout.take().expect("a pipe")).read_line(&mut line).expect("a line");
    let address = line.strip_prefix("Crownhead is at http://").and_then(|rest| rest.split('/').next());
    (server, address.expect("an address").parse().expect("a port"))
}

pub(crate) fn ended(mut server: Child, signal: &str) -> ExitStatus {
    let sent = Command::new("kill").args([signal, &server.id().to_string()]).status().expect("kill starts");
    assert!(sent.success());
    server.wait().expect("the program ends")
}

#[test]
fn a_server_says_where_it_is_answers_and_ends_cleanly() {
    let data = tempfile::tempdir().expect("a folder");
    for signal in ["-INT", "-TERM"] {
        let (server, address) = served(&["--data", data.path().to_str().expect("a plain name")]);
        let mut stream = TcpStream::connect(address).expect("a connection");
        stream
            .write_all(b"GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n")
            .expect("a request");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        assert!(answer.starts_with("HTTP/1.1 200 OK") && answer.ends_with("ok"), "{answer}");
        // A connection that says nothing does not hold it up.
        let _idle = TcpStream::connect(address).expect("a connection");
        assert!(ended(server, signal).success());
    }
}

#[test]
fn a_port_in_use_is_one_clear_line() {
    let taken = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = taken.local_addr().expect("an address").port().to_string();
    for command in [&["serve"][..], &[]] {
        let arguments = [command, &["--no-open", "--port", &port]].concat();
        let expected = format!(
            "crownhead: port {port} on 127.0.0.1 is in use, perhaps by another Crownhead; stop it, or choose another \
             port with --port\n"
        );
        assert_eq!(failure(&arguments), (Some(1), expected));
    }
}

#[test]
fn a_folder_that_cannot_be_is_one_clear_line() {
    let (code, message) = failure(&["serve", "--no-open", "--port", "0", "--data", "/proc/nowhere"]);
    assert_eq!(code, Some(1));
    let expected = "crownhead: cannot keep games in /proc/nowhere; give another folder with --data DIR";
    assert!(message.starts_with(expected), "{message}");
    let (code, message) = failure(&["serve", "--no-open", "--port", "0", "--database", "mysql://x"]);
    assert_eq!(code, Some(1));
    assert!(message.contains("give sqlite://FILE or postgres://USER@HOST/NAME"), "{message}");
    assert_eq!(message.matches("is not a database").count(), 1, "{message}");
}

#[test]
fn a_database_that_cannot_be_opened_is_complained_of_once() {
    let file = "sqlite:///proc/nowhere/games.db";
    let (code, message) = failure(&["serve", "--no-open", "--port", "0", "--database", file]);
    assert_eq!(code, Some(1));
    for words in ["/proc/nowhere/games.db cannot be used", "No such file or directory"] {
        assert_eq!(message.matches(words).count(), 1, "{message}");
    }
}

#[test]
fn an_address_that_is_none_is_a_wrong_usage() {
    assert_eq!(failure(&["serve", "--host", "here"]).0, Some(2));
    assert_eq!(failure(&["--port", "70000"]).0, Some(2));
}

/// What a server writes on stderr until it is told to end, and its answer to one request.
fn logged(arguments: &[&str]) -> String {
    let data = tempfile::tempdir().expect("a folder");
    let mut command = Command::new(PROGRAM);
    command.args(["serve", "--port", "0", "--no-open", "--data"]).arg(data.path()).args(arguments);
    let (mut server, _) = started(command.env("RUST_LOG", "info").stderr(Stdio::piped()));
    let mut stderr = server.stderr.take().expect("a pipe");
    assert!(ended(server, "-TERM").success());
    let mut log = String::new();
    stderr.read_to_string(&mut log).expect("text");
    log
}

#[test]
fn a_log_that_is_no_terminal_has_no_colour_codes() {
    let log = logged(&[]);
    assert!(log.contains(" INFO crownhead_server::server: listening address=127.0.0.1:"), "{log:?}");
    assert!(!log.contains('\u{1b}'), "{log:?}");
}

#[test]
fn a_log_in_json_is_one_object_a_line() {
    let log = logged(&["--log", "json"]);
    let lines: Vec<serde_json::Value> =
        log.lines().map(|line| serde_json::from_str(line).expect("an object")).collect();
    let listening = lines.iter().find(|line| line["fields"]["message"] == "listening").expect("a line");
    assert_eq!(
        (&listening["level"], &listening["target"]),
        (&"INFO".into(), &"crownhead_server::server".into())
    );
    assert_eq!(failure(&["serve", "--log", "xml"]).0, Some(2));
}

#[test]
fn the_database_may_be_named_by_the_environment() {
    let folder = tempfile::tempdir().expect("a folder");
    let [file, data] = ["named.sqlite", "data"].map(|name| folder.path().join(name));
    let serve = |arguments: &[&str]| {
        let address = format!("sqlite://{}", file.display());
        let mut command = Command::new(PROGRAM);
        command.args(["serve", "--port", "0", "--no-open"]).args(arguments).env("DATABASE_URL", address);
        ended(started(&mut command).0, "-TERM")
    };
    assert!(serve(&["--data", data.to_str().expect("a plain name")]).success());
    assert!(
        !file.exists() && data.join("games.sqlite").exists(),
        "an option counts more than the environment"
    );
    assert!(serve(&[]).success());
    assert!(file.exists());
    // No other command minds.
    let perft = Command::new(PROGRAM).args(["perft", "1"]).env("DATABASE_URL", "nonsense").status();
    assert!(perft.expect("the program starts").success());
}

#[test]
fn a_metrics_address_in_use_is_one_clear_line() {
    let taken = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = taken.local_addr().expect("an address").to_string();
    let data = tempfile::tempdir().expect("a folder");
    let folder = data.path().to_str().expect("a plain name");
    let (code, message) =
        failure(&["serve", "--no-open", "--port", "0", "--data", folder, "--metrics", &address]);
    assert_eq!(code, Some(1));
    let expected = format!("crownhead: cannot serve metrics on {address}: ");
    assert!(message.starts_with(&expected) && message.contains("with --metrics"), "{message}");
}

/// As `prlimit --nofile` does, in a shell that every system has.
#[cfg(target_os = "linux")]
#[test]
fn one_address_with_more_sockets_than_descriptors_locks_nobody_out() {
    const DESCRIPTORS: usize = 256;
    let data = tempfile::tempdir().expect("a folder");
    let limited = format!("ulimit -n {DESCRIPTORS} && exec \"$0\" \"$@\"");
    let mut command = Command::new("sh");
    command.args(["-c", &limited, PROGRAM, "serve", "--port", "0", "--no-open", "--data"]).arg(data.path());
    let (server, address) = started(&mut command);
    let request = format!("GET /v/{}/engine.wasm HTTP/1.1\r\nhost: x\r\n\r\n", assets_version()).repeat(20);
    let mut held = Vec::new();
    for _ in 0..2 * DESCRIPTORS {
        let mut stream = TcpStream::connect(address).expect("a place in the queue");
        // Most are closed at once.
        let _ = stream.write_all(request.as_bytes());
        held.push(stream);
        if held.len() % DESCRIPTORS == 0 {
            assert!(health_from_elsewhere(address).ends_with("ok"), "with {} sockets", held.len());
        }
    }
    assert!(ended(server, "-TERM").success());
}

/// Gets `/healthz` from another address of this machine.
#[cfg(target_os = "linux")]
#[tokio::main(flavor = "current_thread")]
async fn health_from_elsewhere(server: SocketAddr) -> String {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let socket = tokio::net::TcpSocket::new_v4().expect("a socket");
    socket.bind("127.0.0.2:0".parse().expect("an address")).expect("ours");
    let answered = async {
        let mut stream = socket.connect(server).await?;
        stream.write_all(b"GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").await?;
        let mut text = String::new();
        stream.read_to_string(&mut text).await?;
        Ok::<String, std::io::Error>(text)
    };
    let answered = tokio::time::timeout(Duration::from_secs(60), answered).await;
    answered.map_or_else(|error| error.to_string(), |answer| answer.unwrap_or_else(|error| error.to_string()))
}
