//! The registers and tables around a program against its code.

use crate::usage::Uses;
use unshade_bytes::Severity::{Error, Note, Warning};
use unshade_isa_common::findings::Findings;
use unshade_stage::StageKind;
use unshade_stage::latte::{Latte, UniformMode};

/// Place of the depth among pixel exports.
const DEPTH: u32 = 61;
/// Place of the position.
const POSITION: u32 = 60;

pub(super) fn check(findings: &mut Findings<'_>, latte: &Latte, uses: &Uses, kind: StageKind) {
    if let Some(claimed) = latte.registers.map(u32::from)
        && uses.registers > claimed
    {
        let message =
            format!("the code uses R{}, but the program claims {claimed} registers", uses.registers - 1);
        findings.whole(Error, "latte.registers", message);
    }
    let entries = uses.stack_entries();
    if let Some(claimed) = latte.stack.map(u32::from)
        && entries > claimed
    {
        let message =
            format!("pushes and loops need {entries} entries of the stack, but the program claims {claimed}");
        findings.whole(Warning, "latte.stack", message);
    }
    match kind {
        StageKind::Fragment => pixels(findings, latte, uses),
        StageKind::Vertex if !latte.export_stage => vertices(findings, latte, uses),
        _ => {}
    }
    resources(findings, latte, uses);
}

fn vertices(findings: &mut Findings<'_>, latte: &Latte, uses: &Uses) {
    if !uses.positions.contains(&POSITION) && !uses.memory {
        findings.whole(Warning, "latte.no-position", "the program exports no position");
    }
    if let Some(count) = latte.parameter_count.map(u32::from)
        && let Some(highest) = uses.parameters.last()
        && *highest >= count
    {
        let message =
            format!("the code exports parameter {highest}, but SPI_VS_OUT_CONFIG has {count} of them");
        findings.whole(Warning, "latte.parameters", message);
    }
    // Of bare code nobody says how many positions there are; what says it says the number of parameters too.
    if latte.parameter_count.is_none() {
        return;
    }
    let places =
        1 + u32::from(latte.position.misc) + latte.position.distances.map(u32::from).iter().sum::<u32>();
    if let Some(last) = uses.positions.last().filter(|last| **last >= POSITION + places) {
        let message = format!(
            "the code exports position {}, but PA_CL_VS_OUT_CNTL has {places} of them",
            last - POSITION
        );
        findings.whole(Warning, "latte.positions", message);
    }
}

fn pixels(findings: &mut Findings<'_>, latte: &Latte, uses: &Uses) {
    let depth = uses.pixels.contains_key(&DEPTH);
    if depth != latte.exports_depth && latte.colours.is_some() {
        let message = if depth {
            "the code exports a depth, but the registers say that it does not"
        } else {
            "the registers say that the code exports a depth, but it does not"
        };
        findings.whole(Warning, "latte.depth", message);
    }
    let colours = uses.pixels.keys().filter(|place| **place < 8).count() as u32;
    if let Some(claimed) = latte.colours.map(u32::from)
        && colours != claimed
    {
        let message = format!("the code exports {colours} colours, but SQ_PGM_EXPORTS_PS says {claimed}");
        findings.whole(Warning, "latte.colours", message);
    }
    if let Some(mask) = latte.colour_mask {
        for (place, written) in uses.pixels.iter().filter(|(place, _)| **place < 8) {
            let held = mask >> (4 * place) & 15;
            if held & !written != 0 {
                let message = format!(
                    "CB_SHADER_MASK has components {held:#x} of colour {place}, but the code writes {written:#x}"
                );
                findings.whole(Warning, "latte.colour-mask", message);
            }
        }
    }
    if latte.kills == Some(false) && uses.kills {
        let message = "the code drops pixels, but KILL_ENABLE of DB_SHADER_CONTROL is not set";
        findings.whole(Warning, "latte.kill", message);
    }
    if latte.kills == Some(true) && !uses.kills {
        let message = "KILL_ENABLE of DB_SHADER_CONTROL is set, but the code drops no pixels";
        findings.whole(Note, "latte.kill", message);
    }
}

/// Textures and buffers against the tables, where there are tables.
fn resources(findings: &mut Findings<'_>, latte: &Latte, uses: &Uses) {
    // Shapes without names are what was bound at one time, no table.
    let named = latte.samplers.iter().any(|sampler| !sampler.name.is_empty())
        || !latte.blocks.is_empty()
        || !latte.uniforms.is_empty();
    if !named {
        return;
    }
    for texture in &uses.textures {
        let unit = latte.texture_unit(*texture);
        if unit.is_none_or(|unit| latte.samplers.iter().all(|sampler| sampler.location != unit)) {
            let message = format!("the code samples texture {texture}, which no sampler of the tables names");
            findings.whole(Warning, "latte.texture", message);
        }
    }
    if latte.uniform_mode == UniformMode::Blocks {
        let fetched = uses.buffers.iter().filter_map(|buffer| latte.constant_buffer(*buffer));
        let all: std::collections::BTreeSet<u32> = uses.banks.iter().copied().chain(fetched).collect();
        for buffer in all {
            if latte.blocks.iter().all(|block| block.buffer != buffer) {
                let message =
                    format!("the code reads constant buffer {buffer}, which no block of the tables names");
                findings.whole(Warning, "latte.block", message);
            }
        }
        if uses.constants > 0 {
            let message = "the code reads the constant file, but its constants are in blocks";
            findings.whole(Warning, "latte.uniform-mode", message);
        }
    } else if !uses.banks.is_empty() {
        let message = "the code reads constant buffers, but its constants are in the constant file";
        findings.whole(Warning, "latte.uniform-mode", message);
    }
}
