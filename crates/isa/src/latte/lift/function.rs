//! From a graph of places to a function of the IR.

use super::super::exec::alu::Arithmetic;
use super::super::places::{BOOL_BINDING, LOOP_BINDING};
use super::super::{Cf, CfOp, Program};
use super::explore::{Action, Destination, Edge, Exit, Place, Test, What};
use super::flow::Loop;
use super::group::{self, Links};
use super::registers::Register;
use super::write::{Step, Writer};
use super::{export, fetch};
use std::collections::HashMap;
use unshade_ir::{BlockId, CompareInt, Function, Op, Space, Terminator, Value};
use unshade_stage::{Stage, StageKind};

/// Writes the program.
pub(super) fn write(
    writer: Writer<'_>,
    stage: &Stage<'_>,
    program: Program<'_>,
    start: Destination,
    places: &[Place],
) -> Function {
    let body = Body {
        writer,
        kind: stage.kind,
        program,
        places,
        exit: None,
        discard: None,
        forever: None,
        links: HashMap::new(),
        mask: None,
    };
    body.write(start)
}

struct Body<'a> {
    writer: Writer<'a>,
    kind: StageKind,
    program: Program<'a>,
    places: &'a [Place],
    /// Blocks that several places may need: the end, the end of a dropped pixel, and an endless loop.
    exit: Option<BlockId>,
    discard: Option<BlockId>,
    forever: Option<BlockId>,
    /// What passes from the first part of a clause to the next, by the unit where that starts.
    links: HashMap<u32, Links>,
    /// The mask that the last group decided.
    mask: Option<Value>,
}

impl Body<'_> {
    fn write(mut self, start: Destination) -> Function {
        let blocks = self.blocks();
        self.initial_values();
        match start {
            Destination::Place(at) => match blocks[at as usize] {
                Some(block) => self.writer.builder.jump(block, &[]),
                None => self.run(at as usize, &blocks),
            },
            to => self.go(to, &blocks),
        }
        for (at, block) in blocks.iter().enumerate() {
            let Some(block) = *block else { continue };
            self.writer.builder.switch_to(block);
            self.run(at, &blocks);
        }
        if let Some(exit) = self.exit {
            self.writer.builder.switch_to(exit);
            self.writer.builder.terminate(Terminator::End);
        }
        if let Some(discard) = self.discard {
            self.writer.builder.switch_to(discard);
            self.writer.builder.terminate(Terminator::Discard);
        }
        if let Some(forever) = self.forever {
            self.writer.builder.switch_to(forever);
            self.writer.builder.jump(forever, &[]);
        }
        self.writer.builder.finish()
    }
}
