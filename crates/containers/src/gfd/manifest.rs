//! Not yet.
use super::Gfd;
use crate::parts::Parts;
use unshade_bytes::{Error, ErrorKind, Result};

fn no<T>() -> Result<T> {
    Err(Error::new(ErrorKind::Unsupported, 0, "", "another format", "gfd").code("manifest"))
}
pub(crate) fn extract(_: &Gfd, _: &mut Parts) -> Result<String> {
    no()
}
pub(crate) fn build(_: &str, _: &Parts) -> Result<Gfd> {
    no()
}
pub(crate) fn wanted(_: &str) -> Result<Vec<String>> {
    no()
}
