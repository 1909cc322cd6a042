//! What the face needs of the format ([`FileFormat`]).

use super::{NvnCode, NvnPair, pair, section};
use crate::shared::{
    format::{FileFormat, forward, forward_manifest},
    programs::DetachedStage,
    stages::Stages,
    tree::Node,
};
use unshade_bytes::Result;
use unshade_stage::StageId;

impl FileFormat for NvnPair {
    const NAME: &'static str = "nvn";
    const PLATFORM: &'static str = "Nintendo Switch";

    fn detect(bytes: &[u8]) -> bool {
        pair::detect(bytes)
    }

    fn read(bytes: &[u8]) -> Result<Self> {
        pair::read(bytes)
    }

    fn stages(&self) -> Stages<'_> {
        Stages::all(self.stages())
    }

    fn put(&mut self, id: &StageId, stage: &DetachedStage) -> Result<()> {
        self.put(id, stage.wanted("a stage of the Switch")?)
    }

    forward!(write, describe, check, tree, stage, replace, take);
    forward_manifest!();
}

impl FileFormat for NvnCode {
    const NAME: &'static str = "nvn-code";
    const PLATFORM: &'static str = "Nintendo Switch";

    fn detect(bytes: &[u8]) -> bool {
        section::detect(bytes)
    }

    fn read(bytes: &[u8]) -> Result<Self> {
        section::read(bytes)
    }

    fn write(&self) -> Result<Vec<u8>> {
        Ok(self.write())
    }

    fn tree(&self) -> Result<Node> {
        Ok(self.tree())
    }

    fn stages(&self) -> Stages<'_> {
        Stages::all(self.stages())
    }

    fn put(&mut self, id: &StageId, stage: &DetachedStage) -> Result<()> {
        self.put(id, stage.wanted("a stage of the Switch")?)
    }

    forward!(describe, check, stage, replace, take);
    forward_manifest!();
}
