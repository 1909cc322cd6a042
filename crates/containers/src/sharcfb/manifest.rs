//! Not yet.
use super::Sharcfb;
use crate::parts::Parts;
use unshade_bytes::{Error, ErrorKind, Result};

fn no<T>() -> Result<T> {
    Err(Error::new(ErrorKind::Unsupported, 0, "", "another format", "sharcfb").code("manifest"))
}
pub(crate) fn extract(_: &Sharcfb, _: &mut Parts) -> Result<String> {
    no()
}
pub(crate) fn build(_: &str, _: &Parts) -> Result<Sharcfb> {
    no()
}
pub(crate) fn wanted(_: &str) -> Result<Vec<String>> {
    no()
}
