//! Who may ask: the page of this server, in a browser of this machine.

use hyper::header::{HOST, HeaderMap, HeaderValue, ORIGIN};

/// Why a request is refused before it is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Refused {
    /// It names another host, or none, or several.
    Host,
    /// It comes from the page of another site.
    Origin,
}

impl Refused {
    /// In plain words.
    pub fn text(self) -> &'static str {
        match self {
            Self::Host => {
                "the request names another host than this server; use the address that unshade printed"
            }
            Self::Origin => "the request comes from a page of another site",
        }
    }
}

/// Checks who asks a server at this port.
///
/// The host must be 127.0.0.1 or localhost with the port: the name in a browser's address bar goes here, so a name of
/// somebody else that leads to 127.0.0.1 is seen. The origin, where the browser sends one, must be the same; `Sec-Fetch-Site`,
/// which browsers send with what they load without an origin (images, scripts), must not say that another site asks.
pub(crate) fn check(headers: &HeaderMap, port: u16) -> Result<(), Refused> {
    let host = only(headers, HOST.as_str()).ok_or(Refused::Host)?;
    if !is_here(host, port) {
        return Err(Refused::Host);
    }
    match headers.get_all(ORIGIN).iter().count() {
        0 => {}
        _ => {
            let origin = only(headers, ORIGIN.as_str()).and_then(|origin| origin.strip_prefix("http://"));
            if !origin.is_some_and(|origin| is_here(origin, port)) {
                return Err(Refused::Origin);
            }
        }
    }
    let from_here = |site: &HeaderValue| matches!(site.as_bytes(), b"same-origin" | b"none");
    if !headers.get_all("sec-fetch-site").iter().all(from_here) {
        return Err(Refused::Origin);
    }
    Ok(())
}

/// The value of a header that is there once, and is text.
fn only<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?;
    if values.next().is_some() { None } else { value.to_str().ok() }
}

fn is_here(host: &str, port: u16) -> bool {
    let Some((name, given)) = host.rsplit_once(':') else {
        // Browsers leave out the port of the scheme.
        return port == 80 && is_name(host);
    };
    // Digits alone: `parse` would take a sign, too.
    given.bytes().all(|byte| byte.is_ascii_digit()) && given.parse() == Ok(port) && is_name(name)
}

fn is_name(name: &str) -> bool {
    name == "127.0.0.1" || name.eq_ignore_ascii_case("localhost")
}

#[cfg(test)]
mod tests {
    use super::*;
    use hyper::header::HeaderName;

    fn asked(list: &[(&'static str, &'static str)]) -> Result<(), Refused> {
        let mut headers = HeaderMap::new();
        for (name, value) in list {
            headers.append(HeaderName::from_static(name), HeaderValue::from_static(value));
        }
        check(&headers, 8080)
    }

    #[test]
    fn hosts() {
        for good in ["127.0.0.1:8080", "localhost:8080", "LocalHost:8080"] {
            assert_eq!(asked(&[("host", good)]), Ok(()), "{good}");
        }
        for bad in [
            "",
            "127.0.0.1",
            "localhost",
            "127.0.0.1:80",
            "127.0.0.1:8080.evil.example",
            "evil.example:8080",
            "localhost.evil.example:8080",
            "[::1]:8080",
            "127.0.0.1:+8080",
            "127.0.0.1:",
            "user@127.0.0.1:8080",
            "0.0.0.0:8080",
            "127.1:8080",
            "2130706433:8080",
        ] {
            assert_eq!(asked(&[("host", bad)]), Err(Refused::Host), "{bad}");
        }
        assert_eq!(asked(&[]), Err(Refused::Host));
        assert_eq!(asked(&[("host", "127.0.0.1:8080"), ("host", "127.0.0.1:8080")]), Err(Refused::Host));
    }

    #[test]
    fn origins() {
        let from = |origin| asked(&[("host", "127.0.0.1:8080"), ("origin", origin)]);
        assert_eq!(from("http://127.0.0.1:8080"), Ok(()));
        assert_eq!(from("http://localhost:8080"), Ok(()));
        for bad in [
            "null",
            "",
            "https://127.0.0.1:8080",
            "http://127.0.0.1:8081",
            "http://evil.example",
            "http://evil.example:8080",
        ] {
            assert_eq!(from(bad), Err(Refused::Origin), "{bad}");
        }
        let fetched = |site| asked(&[("host", "127.0.0.1:8080"), ("sec-fetch-site", site)]);
        assert_eq!((fetched("same-origin"), fetched("none")), (Ok(()), Ok(())));
        assert_eq!(
            (fetched("cross-site"), fetched("same-site")),
            (Err(Refused::Origin), Err(Refused::Origin))
        );
    }
}
