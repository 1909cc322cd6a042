//! What a header says about its program as a whole.

use crate::header::{Header, Layout, Topology};
use crate::usage::Uses;
use unshade_bytes::Severity::Warning;
use unshade_isa_common::findings::Findings;
use unshade_stage::StageKind;

pub(super) fn check(findings: &mut Findings<'_>, header: &Header, uses: &Uses, kind: StageKind) {
    let layout = if kind == StageKind::Fragment { Layout::Pixels } else { Layout::Vertices };
    if header.stage() != Some(kind) || header.layout() != layout {
        let found = header.stage().map_or("none", StageKind::name);
        let message = format!("the program header is not one of a {kind} stage: it names {found}");
        findings.whole(Warning, "maxwell.header-stage", message);
    }
    if matches!(kind, StageKind::TessControl | StageKind::Geometry) && header.threads() == 0 {
        let message = "the program header asks for no thread for a primitive: the program never runs";
        findings.whole(Warning, "maxwell.threads", message);
    }
    if kind == StageKind::Geometry {
        geometry(findings, header, uses);
    }
}

fn geometry(findings: &mut Findings<'_>, header: &Header, uses: &Uses) {
    if uses.emits && header.most_vertices() == 0 {
        let message = "the program header allows no vertex, but the code makes some";
        findings.whole(Warning, "maxwell.vertices", message);
    }
    if let Topology::Other(number) = header.topology() {
        let message = format!("the program header names {number} as what vertices make, which is nothing");
        findings.whole(Warning, "maxwell.topology", message);
    }
    if uses.emits && header.streams() == 0 {
        let message = "the program header writes no stream, but the code makes vertices";
        findings.whole(Warning, "maxwell.streams", message);
    }
}
