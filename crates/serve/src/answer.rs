//! What is asked, and what is answered.

use crate::files::{self, Files};
use crate::guard::Refused;
use crate::page;
use http_body_util::Full;
use hyper::body::Bytes;
use hyper::header::{self, HeaderName, HeaderValue};
use hyper::{Method, Response, StatusCode};

/// An answer.
pub(crate) type Answer = Response<Full<Bytes>>;

/// What a request wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wanted<'a> {
    /// A file of the page.
    Page(&'a str),
    /// The list of the files.
    List,
    /// A file.
    File(usize),
    /// To put something in the place of a file.
    Put(usize),
}

/// Why nothing is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Nothing {
    /// Nothing has that address.
    There,
    /// What has that address takes other methods.
    Done(&'static str),
    /// Files may not be written.
    Written,
}

/// What a request for `path` wants. Addresses are compared as they are: nothing is decoded, so that there is one way to say
/// each, and no dots or escapes lead anywhere.
pub(crate) fn wanted<'a>(method: &Method, path: &'a str, writable: bool) -> Result<Wanted<'a>, Nothing> {
    let reads = matches!(*method, Method::GET | Method::HEAD);
    let address = path.strip_prefix('/').ok_or(Nothing::There)?;
    if address == "files.json" {
        return if reads { Ok(Wanted::List) } else { Err(Nothing::Done("GET, HEAD")) };
    }
    if let Some(number) = address.strip_prefix("files/") {
        let number = number_of(number).ok_or(Nothing::There)?;
        return match *method {
            _ if reads => Ok(Wanted::File(number)),
            Method::PUT if writable => Ok(Wanted::Put(number)),
            Method::PUT => Err(Nothing::Written),
            _ => Err(Nothing::Done(if writable { "GET, HEAD, PUT" } else { "GET, HEAD" })),
        };
    }
    if !page::has(address) {
        return Err(Nothing::There);
    }
    if reads { Ok(Wanted::Page(address)) } else { Err(Nothing::Done("GET, HEAD")) }
}

/// A number in its one spelling.
fn number_of(text: &str) -> Option<usize> {
    let digits = !text.is_empty() && text.len() < 10 && text.bytes().all(|byte| byte.is_ascii_digit());
    (digits && (text == "0" || !text.starts_with('0'))).then(|| text.parse().ok())?
}

/// A page, the list, or a file.
pub(crate) fn give(wanted: Wanted<'_>, files: &Files, most: u64) -> Answer {
    match wanted {
        Wanted::Page(address) => match page::file(address) {
            Some((bytes, media)) => plain(StatusCode::OK, media, Bytes::from_static(bytes)),
            None => nothing(Nothing::There),
        },
        Wanted::List => match serde_json::to_vec(&files.list()) {
            Ok(list) => plain(StatusCode::OK, "application/json", list.into()),
            Err(error) => failed(&error.to_string()),
        },
        Wanted::File(number) | Wanted::Put(number) => {
            let Some(path) = files.path(number) else { return nothing(Nothing::There) };
            match files::read(path, most) {
                Ok(bytes) => plain(StatusCode::OK, "application/octet-stream", bytes.into()),
                Err(error) => failed(&format!("the file cannot be read: {error}")),
            }
        }
    }
}

/// Puts bytes in the place of a file.
pub(crate) fn take(number: usize, files: &Files, bytes: &[u8]) -> Answer {
    let Some(path) = files.path(number) else { return nothing(Nothing::There) };
    match files::write(path, bytes) {
        Ok(()) => plain(StatusCode::NO_CONTENT, "text/plain; charset=utf-8", Bytes::new()),
        Err(error) => failed(&format!("the file cannot be written: {error}")),
    }
}

/// The answer to what is not there or not allowed.
pub(crate) fn nothing(why: Nothing) -> Answer {
    match why {
        Nothing::There => text(StatusCode::NOT_FOUND, "there is nothing at this address"),
        Nothing::Written => {
            text(StatusCode::FORBIDDEN, "files are not written: start unshade serve with --write for that")
        }
        Nothing::Done(allowed) => {
            let mut answer = text(StatusCode::METHOD_NOT_ALLOWED, "this address takes other methods");
            answer.headers_mut().insert(header::ALLOW, HeaderValue::from_static(allowed));
            answer
        }
    }
}

/// The answer to who may not ask.
pub(crate) fn refused(why: Refused) -> Answer {
    text(StatusCode::FORBIDDEN, why.text())
}

/// The answer to a body that is too large.
pub(crate) fn too_large(most: u64) -> Answer {
    closing(text(StatusCode::PAYLOAD_TOO_LARGE, &format!("expected at most {most} bytes")))
}

/// The answer to a body that does not come.
pub(crate) fn too_slow() -> Answer {
    closing(text(StatusCode::REQUEST_TIMEOUT, "the request took too long to come"))
}

/// The answer to a body that ends before it should.
pub(crate) fn cut_off() -> Answer {
    closing(text(StatusCode::BAD_REQUEST, "the request ended before its body did"))
}

fn failed(why: &str) -> Answer {
    text(StatusCode::INTERNAL_SERVER_ERROR, why)
}

/// What is left of the request is not read.
fn closing(mut answer: Answer) -> Answer {
    answer.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    answer
}

fn text(status: StatusCode, text: &str) -> Answer {
    plain(status, "text/plain; charset=utf-8", format!("{text}\n").into())
}

/// An answer with what all have: the browser loads nothing from elsewhere, guesses no types, keeps nothing, shows it in no
/// frame of another page, and lets no other page read it.
fn plain(status: StatusCode, media: &'static str, body: Bytes) -> Answer {
    const ALWAYS: [(HeaderName, &str); 6] = [
        (
            header::CONTENT_SECURITY_POLICY,
            "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; \
             style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self'; base-uri 'none'; \
             form-action 'none'; frame-ancestors 'none'",
        ),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-store"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ];
    let mut answer = Response::new(Full::new(body));
    *answer.status_mut() = status;
    let headers = answer.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(media));
    for (name, value) in ALWAYS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.insert(
        HeaderName::from_static("cross-origin-opener-policy"),
        HeaderValue::from_static("same-origin"),
    );
    answer
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses() {
        let get = |path| wanted(&Method::GET, path, false);
        assert_eq!(get("/"), Ok(Wanted::Page("")));
        assert_eq!(get("/files.json"), Ok(Wanted::List));
        assert_eq!(get("/files/12"), Ok(Wanted::File(12)));
        for path in [
            "",
            "*",
            "files/0",
            "/files/",
            "/files/01",
            "/files/+1",
            "/files/-1",
            "/files/0/",
            "/files/0/../1",
            "/files/1e3",
            "/files/99999999999999999999",
            "/files/%30",
            "/../etc/passwd",
            "/%2e%2e/etc/passwd",
            "//etc/passwd",
            "/etc/passwd",
            "/files/..%2f..%2fetc%2fpasswd",
            "/..\\..\\x",
            "/C:/x",
            "/assets/../index.html",
            "/./",
        ] {
            assert_eq!(get(path), Err(Nothing::There), "{path}");
        }
        assert_eq!(wanted(&Method::PUT, "/files/0", true), Ok(Wanted::Put(0)));
        assert_eq!(wanted(&Method::PUT, "/files/0", false), Err(Nothing::Written));
        assert_eq!(wanted(&Method::DELETE, "/files/0", true), Err(Nothing::Done("GET, HEAD, PUT")));
        assert_eq!(wanted(&Method::POST, "/", true), Err(Nothing::Done("GET, HEAD")));
        assert_eq!(wanted(&Method::HEAD, "/", false), Ok(Wanted::Page("")));
    }
}
