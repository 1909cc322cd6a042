//! What the face needs of the format ([`FileFormat`]).

use super::{Vkch, read};
use crate::formats::caches::read_only;
use crate::shared::{
    format::{FileFormat, forward, forward_manifest},
    stages::Stages,
};
use unshade_bytes::{Error, Result};
use unshade_stage::{Code, StageId};

impl FileFormat for Vkch {
    const NAME: &'static str = "vkch";
    const PLATFORM: &'static str = "Nintendo 3DS";

    fn detect(bytes: &[u8]) -> bool {
        read::detect(bytes)
    }

    fn read(bytes: &[u8]) -> Result<Self> {
        read(bytes)
    }

    fn cut(bytes: &[u8]) -> Option<Error> {
        read(bytes).ok()?.rest_error()
    }

    fn stages(&self) -> Stages<'_> {
        self.stages()
    }

    fn locked() -> Option<Error> {
        Some(read_only("Azahar"))
    }

    fn replace(&mut self, _: &StageId, _: &Code<'_>) -> Result<()> {
        Err(read_only("Azahar"))
    }

    forward!(write, describe, check, tree, stage);
    forward_manifest!(
        super::manifest::extract,
        crate::shared::manifest::build,
        crate::shared::manifest::wanted::<Vkch>
    );
}
