//! `unshade serve` as a process: the address that it prints, what that answers, and what the command refuses. In builds without a
//! server tests/cli/serve.txt says what it prints.
#![cfg(feature = "serve")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

fn unshade() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_unshade"));
    command.current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")).env("NO_COLOR", "1");
    command
}

/// Ends the server with the test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A server on a free port, and the address that it printed.
fn serve(arguments: &[&str]) -> (Running, String) {
    let mut child =
        unshade().arg("serve").args(arguments).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let authority = line.trim().strip_prefix("http://").and_then(|rest| rest.strip_suffix('/'));
    let authority = authority.unwrap_or_else(|| panic!("no address: {line:?}")).to_owned();
    assert!(authority.starts_with("127.0.0.1:"), "{authority}");
    (Running(child), authority)
}

/// The status and the body of an answer.
fn ask(authority: &str, method: &str, path: &str, host: &str, body: &[u8]) -> (u16, Vec<u8>) {
    let mut stream = TcpStream::connect(authority).unwrap();
    let length = body.len();
    let head = format!(
        "{method} {path} HTTP/1.1\r\nHost: {host}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).unwrap();
    stream.write_all(body).unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    let end = answer.windows(4).position(|four| four == b"\r\n\r\n").expect("a head") + 4;
    let status = String::from_utf8_lossy(&answer[9..12]).parse().unwrap();
    (status, answer.split_off(end))
}

fn refused(arguments: &[&str]) -> Output {
    let output = unshade().arg("serve").args(arguments).output().unwrap();
    assert_eq!(output.stdout, b"", "{output:?}");
    output
}

#[test]
fn named_files_are_handed_out_and_nothing_else() {
    let sample = "samples/lighting.shbin";
    let (_running, authority) = serve(&["--port", "0", sample]);
    let bytes = std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(sample)).unwrap();
    let get = |path: &str| ask(&authority, "GET", path, &authority, b"");
    let (status, list) = get("/files.json");
    let list: serde_json::Value = serde_json::from_slice(&list).unwrap();
    assert_eq!(
        (status, &list),
        (200, &serde_json::json!([{ "name": "lighting.shbin", "size": bytes.len() }]))
    );
    assert_eq!(get("/files/0"), (200, bytes));
    let (status, page) = get("/");
    assert!(status == 200 && page.starts_with(b"<!doctype html>"), "{status}");
    for path in ["/files/1", "/../Cargo.toml", "/%2e%2e/Cargo.toml", "/samples/lighting.shbin"] {
        assert_eq!(get(path).0, 404, "{path}");
    }
    assert_eq!(ask(&authority, "GET", "/", "evil.example", b"").0, 403);
    assert_eq!(ask(&authority, "PUT", "/files/0", &authority, b"new").0, 403);
}

#[test]
fn files_are_written_where_that_was_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("some.shbin");
    std::fs::write(&path, b"old").unwrap();
    let (_running, authority) = serve(&["--write", path.to_str().unwrap()]);
    let (status, _) = ask(&authority, "PUT", "/files/0", &authority, b"new");
    assert!((200..300).contains(&status), "{status}");
    assert_eq!(std::fs::read(&path).unwrap(), b"new");
    assert_eq!(ask(&authority, "GET", "/files/0", &authority, b""), (200, b"new".to_vec()));
}

#[test]
fn what_cannot_be_served_is_said() {
    let missing = refused(&["samples/missing.shbin"]);
    let said = String::from_utf8_lossy(&missing.stderr);
    assert!(said.starts_with("error: ") && said.contains("samples/missing.shbin"), "{said}");
    assert_ne!(missing.status.code(), Some(0));
    let json = refused(&["--json"]);
    assert!(String::from_utf8_lossy(&json.stderr).contains("has no JSON document"));
    // A port that somebody else has.
    let (_running, authority) = serve(&[]);
    let port = authority.rsplit(':').next().unwrap();
    let taken = refused(&["--port", port]);
    assert!(String::from_utf8_lossy(&taken.stderr).contains("listen on"), "{taken:?}");
}
