//! A proxy that adds a fixed delay in each direction, to simulate a database that is far away.

use std::io::{self, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::{Duration, Instant};

/// The most bytes per read.
const CHUNK: usize = 64 * 1_024;

/// A proxy in front of a Unix socket. It ends with the process.
#[derive(Clone, Copy, Debug)]
pub struct DelayProxy {
    /// Where it listens.
    pub address: SocketAddr,
}

impl DelayProxy {
    /// Starts a proxy. Each direction takes `one_way` longer than without it.
    ///
    /// Threads rather than tasks: tokio's timers have a resolution of one millisecond.
    ///
    /// # Errors
    /// If there is no free port.
    pub fn start(target: PathBuf, one_way: Duration) -> anyhow::Result<DelayProxy> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let address = listener.local_addr()?;
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                // A database that does not answer closes the connection, as it would without a proxy.
                let _ = connect(client, &target, one_way);
            }
        });
        Ok(DelayProxy { address })
    }
}

fn connect(client: TcpStream, target: &PathBuf, one_way: Duration) -> io::Result<()> {
    client.set_nodelay(true)?;
    let server = UnixStream::connect(target)?;
    let (client_in, server_in) = (client.try_clone()?, server.try_clone()?);
    pump(client_in, server, one_way, |server| {
        let _ = server.shutdown(Shutdown::Write);
    });
    pump(server_in, client, one_way, |client| {
        let _ = client.shutdown(Shutdown::Write);
    });
    Ok(())
}

/// Carries one direction: one thread reads and notes when, another writes when it is due.
fn pump<W: Write + Send + 'static>(
    mut from: impl Read + Send + 'static,
    to: W,
    delay: Duration,
    close: fn(&W),
) {
    let (sender, receiver): (Sender<(Instant, Vec<u8>)>, _) = mpsc::channel();
    thread::spawn(move || {
        let mut chunk = vec![0; CHUNK];
        while let Ok(length @ 1..) = from.read(&mut chunk) {
            if sender.send((Instant::now() + delay, chunk[..length].to_vec())).is_err() {
                return;
            }
        }
    });
    thread::spawn(move || deliver(&receiver, to, close));
}

fn deliver<W: Write>(receiver: &Receiver<(Instant, Vec<u8>)>, mut to: W, close: fn(&W)) {
    for (due, bytes) in receiver {
        thread::sleep(due.saturating_duration_since(Instant::now()));
        if to.write_all(&bytes).is_err() {
            break;
        }
    }
    close(&to);
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::net::UnixListener;

    #[test]
    fn bytes_arrive_in_order_and_no_earlier_than_the_delay() {
        let folder = tempfile::tempdir().expect("a folder");
        let socket = folder.path().join("socket");
        let listener = UnixListener::bind(&socket).expect("a socket");
        thread::spawn(move || {
            let (mut stream, _) = listener.accept().expect("a connection");
            let mut bytes = [0; 4];
            while stream.read_exact(&mut bytes).is_ok() {
                stream.write_all(&bytes).expect("it is read");
            }
        });
        let one_way = Duration::from_millis(20);
        let proxy = DelayProxy::start(socket, one_way).expect("a proxy");
        let mut stream = TcpStream::connect(proxy.address).expect("a connection");
        let sent = Instant::now();
        stream.write_all(b"onetwo!!").expect("it is read");
        let mut echoed = [0; 8];
        stream.read_exact(&mut echoed).expect("an echo");
        assert_eq!(&echoed, b"onetwo!!");
        assert!(sent.elapsed() >= 2 * one_way, "too early");
    }
}
