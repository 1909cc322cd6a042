//! From reachable instructions to a function: blocks and the ways between them.

use super::super::half::Constants;
use super::super::reach::{Reach, Successors};
use super::super::table::Field;
use super::COLOR_BINDING;
use super::arithmetic::{Links, branch_condition, instruction};
use super::write::{Step, Writer};
use std::collections::BTreeMap;
use unshade_ir::{Access, BlockId, Function, Module, Op, Origin, Space, Terminator};

/// Writes the program.
pub(super) fn write(module: &mut Module, reach: &Reach, constants: Constants) -> Function {
    let mut body = Body { writer: Writer::new(module, reach.temporaries(), constants), reach, exit: None };
    let blocks = body.blocks();
    match blocks.get(&0) {
        Some(first) => body.writer.builder.jump(*first, &[]),
        None if reach.insts.contains_key(&0) => body.run(0, &blocks),
        None => body.end(),
    }
    for (at, block) in &blocks {
        body.writer.builder.switch_to(*block);
        body.run(*at, &blocks);
    }
    body.finish()
}

struct Body<'a> {
    writer: Writer<'a>,
    reach: &'a Reach,
    /// The block that stores the colour and ends the program, once some place needs it.
    exit: Option<BlockId>,
}

impl Body<'_> {
    /// A block for every instruction to which more than one way leads, or a branch.
    fn blocks(&mut self) -> BTreeMap<u32, BlockId> {
        let mut ways = BTreeMap::<u32, u32>::new();
        for (at, inst) in &self.reach.insts {
            let Successors { next, taken, .. } = Successors::of(*at, inst);
            // A place that a branch leads to counts twice, and so does the one behind a branch.
            let weight = if taken.is_some() { 2 } else { 1 };
            if let Some(next) = next {
                *ways.entry(next).or_default() += weight;
            }
            if let Some(taken) = taken.and_then(|taken| u32::try_from(taken).ok()) {
                *ways.entry(taken).or_default() += weight;
            }
        }
        // The program starts at word 0.
        if let Some(first) = ways.get_mut(&0) {
            *first += 1;
        }
        let wanted = ways.into_iter().filter(|(at, count)| *count > 1 && self.reach.insts.contains_key(at));
        wanted.map(|(at, _)| (at, self.writer.builder.block())).collect()
    }

    /// Writes instructions from `at` on up to the end of the block.
    fn run(&mut self, mut at: u32, blocks: &BTreeMap<u32, BlockId>) {
        loop {
            let Some(inst) = self.reach.insts.get(&at) else { return self.end() };
            self.writer.word = at;
            let links: Links = instruction(&mut self.writer, inst);
            let ways = Successors::of(at, inst);
            if ways.discards {
                return self.writer.builder.terminate(Terminator::Discard);
            }
            if ways.stops {
                return self.end();
            }
            let taken = ways.taken.map(|target| self.place(u32::try_from(target).ok(), blocks));
            match (taken, ways.next) {
                (Some(taken), Some(next)) => {
                    self.writer.field = Field::Branch;
                    let condition = branch_condition(&mut self.writer, inst, &links);
                    let next = self.place(Some(next), blocks);
                    return self.writer.builder.branch(condition, taken, next);
                }
                (Some(taken), None) => return self.writer.builder.jump(taken, &[]),
                (None, Some(next)) => match blocks.get(&next) {
                    Some(block) => return self.writer.builder.jump(*block, &[]),
                    None => at = next,
                },
                (None, None) => return self.end(),
            }
        }
    }

    /// The block of an instruction; the exit where there is none.
    fn place(&mut self, at: Option<u32>, blocks: &BTreeMap<u32, BlockId>) -> BlockId {
        match at.and_then(|at| blocks.get(&at)) {
            Some(block) => *block,
            None => self.exit(),
        }
    }

    fn exit(&mut self) -> BlockId {
        *self.exit.get_or_insert_with(|| self.writer.builder.block())
    }

    fn end(&mut self) {
        let exit = self.exit();
        self.writer.builder.jump(exit, &[]);
    }

    fn finish(mut self) -> Function {
        if let Some(exit) = self.exit {
            self.writer.builder.switch_to(exit);
            self.writer.field = Field::Branch;
            for lane in 0..4 {
                self.writer.at(Step::Flow, lane);
                let value = self.writer.read(0, lane);
                let access =
                    Access { space: Space::Output, binding: COLOR_BINDING, offset: lane as u32, stride: 0 };
                // What wrote the register is what stores it.
                self.writer.builder.at(Origin { instruction: u32::MAX, step: 0, lane: lane as u8 });
                self.writer.builder.effect(Op::Store(access), &[value]);
            }
            self.writer.builder.terminate(Terminator::End);
        }
        self.writer.builder.finish()
    }
}
