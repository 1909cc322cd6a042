//! The spaces of the Switch's GPU. Byte addresses are hexadecimal.
//!
//! | in | |
//! |---|---|
//! | `a` | {address: words} attributes: of a vertex, of a pixel as they are interpolated, of the primitive |
//! | `corners` | {address: words at the places (0,0) (4,0) (0,4) of a quad} where an input is read at an offset |
//! | `av` | {address: words of each input vertex} |
//! | `p` | {address: words} what belongs to the patch |
//! | `c` | {`bank:offset`: words} constants; bank 1 holds those of the program already |
//! | `g` | {address: words} global memory |
//! | `sr` | {name: word} special registers as NVIDIA's listings call them, without `SR_` |
//! | `sys` | `SampleMaskIn`, `SampleID`, `HelperInvocation` as numbers; others have no effect |
//!
//! | out | |
//! |---|---|
//! | `a` | attributes that a vertex or evaluation program wrote |
//! | `av`, `p` | what a control program wrote for each of its vertices, and for the patch |
//! | `r` | a pixel's registers at its end: at the start of each colour, of the sample mask, of the depth (0..1) |
//! | `discard` | one digit for each lane |
//! | `vertices` | geometry: attributes of each vertex, strips split into triangles or lines |
//! | `g`, `img` | global memory and the bytes of images after the run |
//!
//! The header says `invocations` of control and geometry programs, their `order` (`sequential`: one after the other)
//! and `prim_out`, and the `block` of a work group; a case says its `grid`. Textures and images are named by the
//! handles that the constants hold.

mod inputs;
mod outputs;

use super::{Case, CaseRun, Document, RunJsonError};
use crate::verify::Inputs;
pub(crate) use inputs::Start;
use inputs::registers;
pub(crate) use outputs::Results;
use serde_json::{Map, Value};
use unshade_isa::maxwell::Header;
use unshade_isa::maxwell::Maxwell;
use unshade_isa::maxwell::exec::{End, Lane, NoTrace, Outcome, Program, Trace, work_group};
use unshade_stage::{Stage, StageKind};

/// Lanes that a case may have, over all groups.
const LANES: u64 = 1 << 16;

impl super::Run for Maxwell {
    fn run(stage: &Stage<'_>, document: &Document, case: &Case, fuel: u64) -> Result<CaseRun, RunJsonError> {
        run_traced(stage, document, case, fuel, &mut NoTrace)
    }

    fn registers(stage: &Stage<'_>, inputs: &Inputs) -> Map<String, Value> {
        registers(stage, inputs)
    }
}

/// Runs one case and reports each step to `trace`.
pub fn run_traced(
    stage: &Stage<'_>,
    document: &Document,
    case: &Case,
    fuel: u64,
    trace: &mut impl Trace<Program>,
) -> Result<CaseRun, RunJsonError> {
    let header = stage.interface.maxwell.as_deref().and_then(|around| Header::read(&around.header));
    let mut start = Start::read(stage, document, case)?;
    let program = Program::new(stage);
    let mut results = Results { stage: stage.kind, header, ..Results::default() };
    let mut outcome = Outcome { end: End::Ended, steps: 0 };
    for mut lanes in groups(stage, document, case, &start, header.as_ref())? {
        start.resources.shared = Default::default();
        let left = fuel.saturating_sub(outcome.steps);
        let (resources, pictures) = (&mut start.resources, &mut start.pictures);
        let run = program.run_with(&mut lanes, resources, pictures, left, trace);
        outcome = Outcome { end: run.end, steps: outcome.steps + run.steps };
        results.lanes.extend(lanes);
        if run.end != End::Ended {
            break;
        }
    }
    let uncertain = match stage.kind {
        StageKind::Compute | StageKind::Geometry => Vec::new(),
        _ => vec![false; results.lanes.len()],
    };
    Ok(CaseRun {
        id: case.id.clone(),
        steps: outcome.steps,
        unfinished: unfinished(outcome),
        uncertain,
        outputs: results.outputs(&start.resources, &start.pictures, document)?,
    })
}

/// Why a run stopped, if not at the end of the program.
pub(crate) fn unfinished(outcome: Outcome) -> Option<String> {
    match outcome.end {
        End::Ended => None,
        End::OutOfFuel => Some(format!("still running after {} instructions", outcome.steps)),
        End::Fault { address, fault } => Some(format!("stopped at {address:04x}: {}", fault.text())),
    }
}

/// Special registers that say which lane of its group, and which invocation, a lane is.
const LANE_ID: u8 = 0;
const INVOCATION_ID: u8 = 17;

/// The lanes of a case, in the groups that run together, one group after the other.
pub(crate) fn groups(
    stage: &Stage<'_>,
    document: &Document,
    case: &Case,
    start: &Start,
    header: Option<&Header>,
) -> Result<Vec<Vec<Lane>>, RunJsonError> {
    let threads = || header.map_or(1, |header| header.threads().max(1));
    let invocations =
        || inputs::number(&document.header, "invocations", "invocations").map(|n| n.unwrap_or_else(threads));
    let numbered = |n: u32| -> Result<Lane, RunJsonError> {
        let mut lane = start.lane(document, case, n as usize)?;
        lane.special.insert(INVOCATION_ID, n);
        Ok(lane)
    };
    let limited = |count: u64| {
        let message = format!("{count} lanes, at most {LANES}");
        if count > LANES { Err(RunJsonError::new(case.path.clone(), message)) } else { Ok(count) }
    };
    match stage.kind {
        StageKind::Compute => {
            let own = stage.interface.maxwell.as_deref().and_then(|around| around.work_group);
            let block = inputs::three(&document.header, "block", "block")?.or(own).unwrap_or([1; 3]);
            let grid = inputs::three(&case.source, "grid", &format!("{}.grid", case.path))?;
            let grid = match grid {
                Some(grid) => grid,
                None => inputs::three(&document.header, "grid", "grid")?.unwrap_or([1; 3]),
            };
            let product =
                |sides: [u32; 3]| sides.iter().fold(1_u64, |all, side| all.saturating_mul((*side).into()));
            limited(product(block).saturating_mul(product(grid)))?;
            let mut groups = Vec::new();
            for z in 0..grid[2] {
                for y in 0..grid[1] {
                    for x in 0..grid[0] {
                        let mut lanes = work_group(block, [x, y, z]);
                        for lane in &mut lanes {
                            start.prepare(lane, document, case, 0)?;
                        }
                        groups.push(lanes);
                    }
                }
            }
            Ok(groups)
        }
        StageKind::Geometry => {
            let count = limited(invocations()?.into())? as u32;
            (0..count).map(|n| Ok(vec![numbered(n)?])).collect()
        }
        StageKind::TessControl => {
            let count = limited(invocations()?.into())? as u32;
            let lanes: Vec<Lane> = (0..count).map(numbered).collect::<Result<_, _>>()?;
            match document.header.get("order").and_then(Value::as_str) {
                Some("sequential") => Ok((0..)
                    .zip(lanes)
                    .map(|(n, mut lane)| {
                        lane.special.insert(LANE_ID, n);
                        vec![lane]
                    })
                    .collect()),
                _ => Ok(vec![lanes]),
            }
        }
        _ => {
            let count = limited(inputs::lanes(document, case)?.into())? as usize;
            Ok(vec![(0..count).map(|n| start.lane(document, case, n)).collect::<Result<_, _>>()?])
        }
    }
}
