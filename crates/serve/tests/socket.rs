//! The server over a real socket: who gets what, and who gets nothing.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use std::fs;
use std::io::{ErrorKind, Read as _, Write as _};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::path::PathBuf;
use std::time::{Duration, Instant};
use unshade_serve::{Files, Limits, Server};

const LIMIT: u64 = 4096;

/// A folder with a file that is served and one that is not, and a server for the first.
struct Served {
    folder: tempfile::TempDir,
    address: SocketAddr,
}

impl Served {
    fn new(writable: bool) -> Self {
        Self::with(writable, Limits { file: LIMIT, head_time: Duration::from_secs(20), ..Limits::default() })
    }

    fn with(writable: bool, limits: Limits) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a.shbin"), b"DVLB file").unwrap();
        fs::write(folder.path().join("secret"), b"secret").unwrap();
        let files = Files::new([folder.path().join("a.shbin")]).unwrap();
        let server = Server::bind(0, files, writable, limits).unwrap();
        let address = server.address();
        assert!(address.ip().is_loopback() && address.is_ipv4());
        assert_eq!(server.url(), format!("http://127.0.0.1:{}/", address.port()));
        std::thread::spawn(move || server.run());
        Self { folder, address }
    }

    fn host(&self) -> String {
        self.address.to_string()
    }

    fn file(&self) -> PathBuf {
        self.folder.path().join("a.shbin")
    }

    /// Sends bytes as they are, and everything that comes back.
    fn raw(&self, bytes: &[u8]) -> String {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        // A server that has seen enough closes before everything is sent.
        let _ = stream.write_all(bytes);
        let _ = stream.shutdown(Shutdown::Write);
        rest(&mut stream)
    }

    /// A request with these headers beside the host; status and body.
    fn ask(&self, line: &str, headers: &[&str]) -> (u16, String) {
        self.ask_as(line, &[&[&*format!("Host: {}", self.host())], headers].concat())
    }

    fn ask_as(&self, line: &str, headers: &[&str]) -> (u16, String) {
        let head: String = headers.iter().map(|header| format!("{header}\r\n")).collect();
        parsed(&self.raw(format!("{line} HTTP/1.1\r\n{head}Connection: close\r\n\r\n").as_bytes()))
    }
}

fn rest(stream: &mut TcpStream) -> String {
    let mut answer = Vec::new();
    match stream.read_to_end(&mut answer) {
        Ok(_) => {}
        Err(error) if matches!(error.kind(), ErrorKind::ConnectionReset | ErrorKind::BrokenPipe) => {}
        Err(error) => panic!("{error}; so far {answer:?}"),
    }
    String::from_utf8_lossy(&answer).into_owned()
}

/// Status and body of an answer; 0 where there is none.
fn parsed(answer: &str) -> (u16, String) {
    let status =
        answer.strip_prefix("HTTP/1.1 ").and_then(|rest| rest.get(..3)).and_then(|code| code.parse().ok());
    let body = answer.split_once("\r\n\r\n").map_or("", |(_, body)| body);
    (status.unwrap_or(0), body.to_owned())
}

#[test]
fn the_page_and_the_files() {
    let served = Served::new(false);
    let (status, page) = served.ask("GET /", &[]);
    assert_eq!(status, 200);
    assert!(page.contains("Unshade"), "{page}");
    assert_eq!(served.ask("GET /files.json", &[]), (200, r#"[{"name":"a.shbin","size":9}]"#.to_owned()));
    assert_eq!(served.ask("GET /files/0", &[]), (200, "DVLB file".to_owned()));
    assert_eq!(served.ask("HEAD /files/0", &[]), (200, String::new()));
    assert_eq!(served.ask("GET /files/1", &[]).0, 404);
    assert_eq!(served.ask("GET /files/0?x=1", &[]).0, 200);
    let localhost = format!("Host: localhost:{}", served.address.port());
    assert_eq!(served.ask_as("GET /files/0", &[&localhost]).0, 200);
    // A file that has gone, and one that has grown too large to be given out.
    fs::write(served.file(), vec![0; LIMIT as usize + 1]).unwrap();
    assert_eq!(served.ask("GET /files/0", &[]).0, 500);
    fs::remove_file(served.file()).unwrap();
    assert_eq!(served.ask("GET /files/0", &[]).0, 500);
}

#[test]
fn nobody_else_gets_anything() {
    let served = Served::new(true);
    let port = served.address.port();
    let own = format!("Host: 127.0.0.1:{port}");
    for path in ["/", "/files.json", "/files/0", "/nothing"] {
        // A name of somebody else that leads here: the way of DNS rebinding.
        for host in [
            format!("evil.example:{port}"),
            "127.0.0.1".to_owned(),
            format!("127.0.0.1.evil.example:{port}"),
            format!("0.0.0.0:{port}"),
            format!("127.0.0.1:{}", port ^ 1),
        ] {
            let (status, body) = served.ask_as(&format!("GET {path}"), &[&format!("Host: {host}")]);
            assert_eq!(status, 403, "{host} {path}");
            assert!(!body.contains("DVLB") && !body.contains("a.shbin"), "{body}");
        }
        for origin in
            ["http://evil.example".to_owned(), "null".to_owned(), format!("https://127.0.0.1:{port}")]
        {
            assert_eq!(served.ask(&format!("GET {path}"), &[&format!("Origin: {origin}")]).0, 403);
        }
        assert_eq!(served.ask(&format!("GET {path}"), &["Sec-Fetch-Site: cross-site"]).0, 403);
        assert_eq!(served.ask_as(&format!("GET {path}"), &[]).0, 403);
        assert_eq!(served.ask_as(&format!("GET {path}"), &[&own, &own]).0, 403);
    }
    let put = ["Origin: http://evil.example", "Content-Length: 0"];
    assert_eq!(served.ask("PUT /files/0", &put).0, 403);
    let preflight = ["Origin: http://evil.example", "Access-Control-Request-Method: PUT"];
    assert_eq!(served.ask("OPTIONS /files/0", &preflight).0, 403);
    assert_eq!(served.ask("GET /files/0", &[&format!("Origin: http://127.0.0.1:{port}")]).0, 200);
    assert_eq!(fs::read(served.file()).unwrap(), b"DVLB file");
}

#[test]
fn what_every_answer_says() {
    let served = Served::new(false);
    for line in ["GET /", "GET /files/0", "GET /nothing", "DELETE /"] {
        let answer = served.raw(
            format!("{line} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", served.host()).as_bytes(),
        );
        let head = answer.split("\r\n\r\n").next().unwrap().to_ascii_lowercase();
        assert!(head.contains("script-src 'self' 'wasm-unsafe-eval'"), "{head}");
        assert!(head.contains("frame-ancestors 'none'") && head.contains("default-src 'none'"), "{head}");
        assert!(head.contains("x-content-type-options: nosniff"), "{head}");
        assert!(head.contains("cross-origin-resource-policy: same-origin"), "{head}");
        assert!(!head.contains("access-control-"), "{head}");
    }
}

#[test]
fn no_path_leads_out() {
    let served = Served::new(false);
    let secret = served.folder.path().join("secret").display().to_string();
    let encoded: String = secret.bytes().map(|byte| format!("%{byte:02x}")).collect();
    for path in [
        "/../secret".to_owned(),
        "/files/../secret".to_owned(),
        "/files/0/../../secret".to_owned(),
        "/%2e%2e/secret".to_owned(),
        "/files/%2e%2e%2fsecret".to_owned(),
        "/files/..%5csecret".to_owned(),
        "/files/%252e%252e%252fsecret".to_owned(),
        format!("/{secret}"),
        format!("/files/{secret}"),
        format!("/{encoded}"),
        "/files/%30".to_owned(),
        "/files/00".to_owned(),
        "/files/0%00".to_owned(),
        "/files/".to_owned(),
        "/assets/..%2f..%2fsecret".to_owned(),
        "//127.0.0.1/files/0".to_owned(),
        "/index.html/../files/0".to_owned(),
    ] {
        let (status, body) = served.ask(&format!("GET {path}"), &[]);
        assert!(matches!(status, 400 | 404), "{path}: {status}");
        assert!(!body.contains("secret"), "{path}: {body}");
    }
    // As for a proxy: another host in the address, and a file.
    assert_eq!(served.ask("GET http://evil.example/files/0", &[]).0, 404);
    assert!(matches!(served.ask("GET file:///etc/passwd", &[]).0, 400 | 404));
}

#[test]
fn methods() {
    let served = Served::new(false);
    for method in ["POST", "DELETE", "PATCH", "OPTIONS", "TRACE", "BREW"] {
        for path in ["/", "/files.json", "/files/0"] {
            assert_eq!(served.ask(&format!("{method} {path}"), &[]).0, 405, "{method} {path}");
        }
    }
    assert_eq!(served.ask("PUT /files/0", &["Content-Length: 3"]).0, 403);
    assert_eq!(served.ask("PUT /files.json", &[]).0, 405);
    assert!(matches!(served.ask("CONNECT 127.0.0.1:22", &[]).0, 400 | 404 | 405));
    assert_eq!(fs::read(served.file()).unwrap(), b"DVLB file");
}

#[test]
fn files_are_taken_back_where_that_was_allowed() {
    let served = Served::new(true);
    let put = |body: &str, headers: &str| {
        let head = format!("PUT /files/0 HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n", served.host());
        parsed(&served.raw(format!("{head}{headers}\r\n{body}").as_bytes())).0
    };
    assert_eq!(put("new bytes", "Content-Length: 9\r\n"), 204);
    assert_eq!(fs::read(served.file()).unwrap(), b"new bytes");
    assert_eq!(put("3\r\nabc\r\n1\r\nd\r\n0\r\n\r\n", "Transfer-Encoding: chunked\r\n"), 204);
    assert_eq!(fs::read(served.file()).unwrap(), b"abcd");
    // A body that ends early changes nothing.
    assert_eq!(put("half", "Content-Length: 9\r\n"), 400);
    assert_eq!(fs::read(served.file()).unwrap(), b"abcd");
    assert_eq!(served.ask("PUT /files/7", &["Content-Length: 0"]).0, 404);
    let names: Vec<_> =
        fs::read_dir(served.folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names.len(), 2, "nothing is left beside the file: {names:?}");
}

#[test]
fn too_large_is_refused_before_it_is_read() {
    let served = Served::new(true);
    let mut stream = TcpStream::connect(served.address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    let head =
        format!("PUT /files/0 HTTP/1.1\r\nHost: {}\r\nContent-Length: 99999999999\r\n\r\n", served.host());
    // No byte of the body is sent, and the answer is there.
    stream.write_all(head.as_bytes()).unwrap();
    let (status, body) = parsed(&rest(&mut stream));
    assert_eq!((status, body.contains("4096")), (413, true), "{body}");
    // What does not say how long it is, is read up to the limit.
    let chunk = format!("{:x}\r\n{}\r\n", 3000, "x".repeat(3000));
    let head =
        format!("PUT /files/0 HTTP/1.1\r\nHost: {}\r\nTransfer-Encoding: chunked\r\n\r\n", served.host());
    let mut stream = TcpStream::connect(served.address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    stream.write_all(format!("{head}{chunk}{chunk}").as_bytes()).unwrap();
    let mut start = [0; 12];
    stream.read_exact(&mut start).unwrap();
    assert_eq!(&start, b"HTTP/1.1 413");
    assert_eq!(fs::read(served.file()).unwrap(), b"DVLB file");
}

#[test]
fn who_is_slow_is_left() {
    let second = Duration::from_secs(1);
    let limits = Limits {
        file: LIMIT,
        head_time: second,
        body_time: second,
        connection_time: 4 * second,
        ..Limits::default()
    };
    let served = Served::with(true, limits);
    let start = Instant::now();
    let connect = || {
        let stream = TcpStream::connect(served.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
        stream
    };
    // A head that never ends, a body that never comes, a connection on which nothing is asked.
    let mut head = connect();
    head.write_all(b"GET / HTTP/1.1\r\nHost: ").unwrap();
    let mut body = connect();
    let put = format!("PUT /files/0 HTTP/1.1\r\nHost: {}\r\nContent-Length: 9\r\n\r\nnew", served.host());
    body.write_all(put.as_bytes()).unwrap();
    let mut silent = connect();
    assert_eq!(parsed(&rest(&mut body)).0, 408);
    assert!(matches!(parsed(&rest(&mut head)).0, 0 | 408));
    assert!(matches!(parsed(&rest(&mut silent)).0, 0 | 408));
    assert!(start.elapsed() < Duration::from_secs(8), "{:?}", start.elapsed());
    assert_eq!(fs::read(served.file()).unwrap(), b"DVLB file");
    // It answers others all the same.
    assert_eq!(served.ask("GET /files/0", &[]).0, 200);
}

#[test]
fn what_is_no_http() {
    let served = Served::new(true);
    let host = served.host();
    let long = format!("GET / HTTP/1.1\r\nHost: {host}\r\nX: {}\r\n\r\n", "y".repeat(1 << 20));
    let many = format!("GET / HTTP/1.1\r\nHost: {host}\r\n{}\r\n", "X: y\r\n".repeat(5000));
    let path = format!("GET /{} HTTP/1.1\r\nHost: {host}\r\n\r\n", "a".repeat(1 << 20));
    for request in [
        &b"\0\x01\x02\xff\xfe"[..],
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"GET\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost\r\n\r\n",
        b"GET / HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.0\r\n\r\n",
        b"GET  /  HTTP/1.1\r\n\r\n",
        long.as_bytes(),
        many.as_bytes(),
        path.as_bytes(),
    ] {
        let status = parsed(&served.raw(request)).0;
        assert!(matches!(status, 0 | 400 | 403 | 404 | 414 | 431 | 505), "{status}: {:?}", request.get(..40));
    }
    // Two lengths, a length with chunks, a length that is no number: nobody can say where the body ends.
    for headers in [
        "Content-Length: 3\r\nContent-Length: 4\r\n",
        "Content-Length: -1\r\n",
        "Content-Length: 0x3\r\n",
        "Transfer-Encoding: chunked, identity\r\n",
        "Host: evil.example\r\nContent-Length: 3\r\n",
    ] {
        let request = format!("PUT /files/0 HTTP/1.1\r\nHost: {host}\r\n{headers}\r\nabc");
        let status = parsed(&served.raw(request.as_bytes())).0;
        assert!(matches!(status, 0 | 400 | 403), "{status}: {headers}");
    }
    // A header in lines, and a second request hidden in what would be a body.
    let hidden = format!(
        "GET / HTTP/1.1\r\nHost: {host}\r\n\r\nPUT /files/0 HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 3\r\n\r\nabc"
    );
    served.raw(hidden.as_bytes());
    assert_eq!(fs::read(served.file()).unwrap(), b"DVLB file");
    assert_eq!(served.ask("GET /files/0", &[]).0, 200);
}

#[test]
fn many_at_once() {
    let served = Served::with(false, Limits { file: LIMIT, connections: 4, ..Limits::default() });
    std::thread::scope(|scope| {
        for _ in 0..32 {
            scope.spawn(|| assert_eq!(served.ask("GET /files/0", &[]), (200, "DVLB file".to_owned())));
        }
    });
}

#[test]
fn what_cannot_be_served() {
    let folder = tempfile::tempdir().unwrap();
    assert!(Files::new([folder.path().to_owned()]).is_err());
    assert!(Files::new([folder.path().join("nothing")]).is_err());
    let first = Server::bind(0, Files::default(), false, Limits::default()).unwrap();
    let again = Server::bind(first.address().port(), Files::default(), false, Limits::default());
    assert_eq!(again.err().map(|error| error.kind()), Some(ErrorKind::AddrInUse));
}
