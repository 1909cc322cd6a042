//! What is wrong with an archive that could be read. The code is not looked at, but for its size and place.

use super::model::Sharcfb;
use crate::gx2::findings::Findings;
use unshade_bytes::Diagnostic;

impl Sharcfb {
    /// All findings, most severe first, then by place.
    pub fn check(&self) -> Vec<Diagnostic> {
        let found = Findings::default();
        found.finish("sharcfb.more")
    }
}
