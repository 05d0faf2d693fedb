//! `crownhead serve` from its start to its end.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::process::{Child, Command, ExitStatus, Stdio};

use crate::failure;

/// A server on a free port, and where it said that it is.
pub(crate) fn served(place: &[&str]) -> (Child, SocketAddr) {
    let mut server = Command::new(env!("CARGO_BIN_EXE_crownhead"))
        .args(["serve", "--port", "0", "--no-open"])
        .args(place)
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
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
    assert_eq!(message.matches("is no database").count(), 1, "{message}");
}

#[test]
fn a_database_that_cannot_be_opened_is_complained_of_once() {
    let file = "sqlite:///proc/nowhere/games.db";
    let (code, message) = failure(&["serve", "--no-open", "--port", "0", "--database", file]);
    assert_eq!(code, Some(1));
    for words in ["the database failed", "unable to open database file"] {
        assert_eq!(message.matches(words).count(), 1, "{message}");
    }
}

#[test]
fn an_address_that_is_none_is_a_wrong_usage() {
    assert_eq!(failure(&["serve", "--host", "here"]).0, Some(2));
    assert_eq!(failure(&["--port", "70000"]).0, Some(2));
}
