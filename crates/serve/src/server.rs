//! The socket: who comes, how much is read of what they send, and how long it may take.

use crate::answer::{self, Answer, Wanted};
use crate::files::Files;
use crate::guard;
use http_body_util::{BodyExt, Limited};
use hyper::body::{Body, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, header};
use hyper_util::rt::{TokioIo, TokioTimer};
use std::convert::Infallible;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

/// What a request may cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of a file that is given out or taken.
    pub file: u64,
    /// Bytes of the head of a request.
    pub head: usize,
    /// Time for the head of a request, and for a connection on which nothing is asked.
    pub head_time: Duration,
    /// Time for the body of a request.
    pub body_time: Duration,
    /// Time for a connection as a whole: a reader that never takes its answer.
    pub connection_time: Duration,
    /// Connections at once; others wait.
    pub connections: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            file: 1 << 30,
            head: 16 << 10,
            head_time: Duration::from_secs(15),
            body_time: Duration::from_secs(120),
            connection_time: Duration::from_secs(3600),
            connections: 64,
        }
    }
}

/// A server that has its address.
#[derive(Debug)]
pub struct Server {
    listener: std::net::TcpListener,
    address: SocketAddr,
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    files: Files,
    writable: bool,
    limits: Limits,
    port: u16,
}

impl Server {
    /// Takes a port of 127.0.0.1; 0: one that is free. With `writable`, files are taken back.
    ///
    /// # Errors
    /// What the system says: the port is in use, most likely.
    pub fn bind(port: u16, files: Files, writable: bool, limits: Limits) -> io::Result<Self> {
        let listener = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let shared = Arc::new(Shared { files, writable, limits, port: address.port() });
        Ok(Self { listener, address, shared })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// What to type into a browser.
    pub fn url(&self) -> String {
        format!("http://{}/", self.address)
    }

    /// Answers, for as long as the process runs.
    ///
    /// # Errors
    /// Where the system gives no event loop.
    pub fn run(self) -> io::Result<Infallible> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().enable_time().build()?;
        runtime.block_on(async move {
            let listener = TcpListener::from_std(self.listener)?;
            let places = Arc::new(Semaphore::new(self.shared.limits.connections));
            loop {
                let Ok(place) = places.clone().acquire_owned().await else {
                    return Err(io::Error::other("the places for connections are closed"));
                };
                let stream = match listener.accept().await {
                    Ok((stream, _)) => stream,
                    Err(_) => {
                        // One that is gone again, or no more descriptors: neither is better at once.
                        tokio::time::sleep(Duration::from_millis(20)).await;
                        continue;
                    }
                };
                let shared = self.shared.clone();
                tokio::spawn(async move {
                    let limits = shared.limits;
                    let service = service_fn(move |request| {
                        let shared = shared.clone();
                        async move { Ok::<_, Infallible>(shared.answer(request).await) }
                    });
                    let connection = http1::Builder::new()
                        .timer(TokioTimer::new())
                        .header_read_timeout(limits.head_time)
                        .max_buf_size(limits.head)
                        .max_headers(64)
                        // Who has said everything may close that side and still hear the answer.
                        .half_close(true)
                        .serve_connection(TokioIo::new(stream), service);
                    // How a connection ends is nobody's business but its own.
                    let _ = tokio::time::timeout(limits.connection_time, connection).await;
                    drop(place);
                });
            }
        })
    }
}

impl Shared {
    async fn answer(self: Arc<Self>, request: Request<Incoming>) -> Answer {
        if let Err(refused) = guard::check(request.headers(), self.port) {
            return answer::refused(refused);
        }
        // An address with a host in it (as for proxies) is not one of ours.
        let path =
            if request.uri().authority().is_none() { request.uri().path().to_owned() } else { String::new() };
        let wanted = match answer::wanted(request.method(), &path, self.writable) {
            Ok(wanted) => wanted,
            Err(nothing) => return answer::nothing(nothing),
        };
        match wanted {
            Wanted::Put(number) => self.take(number, request).await,
            Wanted::Page(_) | Wanted::List => answer::give(wanted, &self.files, self.limits.file),
            Wanted::File(number) => {
                self.aside(move |shared| {
                    answer::give(Wanted::File(number), &shared.files, shared.limits.file)
                })
                .await
            }
        }
    }

    /// Takes a file. What says that it is too large is refused before any of it is read.
    async fn take(self: Arc<Self>, number: usize, request: Request<Incoming>) -> Answer {
        let most = self.limits.file;
        if self.files.path(number).is_none() {
            return answer::nothing(answer::Nothing::There);
        }
        let stated = request.headers().get(header::CONTENT_LENGTH).is_some();
        if stated && request.body().size_hint().lower() > most {
            return answer::too_large(most);
        }
        let body = Limited::new(request.into_body(), usize::try_from(most).unwrap_or(usize::MAX)).collect();
        let bytes = match tokio::time::timeout(self.limits.body_time, body).await {
            Ok(Ok(body)) => body.to_bytes(),
            Ok(Err(error)) if error.is::<http_body_util::LengthLimitError>() => {
                return answer::too_large(most);
            }
            Ok(Err(_)) => return answer::cut_off(),
            Err(_) => return answer::too_slow(),
        };
        self.aside(move |shared| answer::take(number, &shared.files, &bytes)).await
    }

    /// Does what waits for a disk where nobody else waits for it.
    async fn aside(self: Arc<Self>, work: impl FnOnce(&Self) -> Answer + Send + 'static) -> Answer {
        match tokio::task::spawn_blocking(move || work(&self)).await {
            Ok(answer) => answer,
            Err(_) => answer::nothing(answer::Nothing::There),
        }
    }
}
