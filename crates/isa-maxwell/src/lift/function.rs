//! Writing the graph as a function.
//!
//! Instructions one after the other under the same guard become one conditional block.

use super::super::{Operation, Predicate};
use super::explore::{Exit, Node, NodeId, Test, Way};
use super::write::Writer;
use super::{condition, operation, outputs};
use unshade_ir::{BlockId, Function, Op, Target, Terminator};

struct Body<'a> {
    writer: Writer<'a>,
    nodes: &'a [Node],
    blocks: Vec<Option<BlockId>>,
    /// The end, where one is reached.
    end: Option<BlockId>,
    /// The guard of the conditional block that is open, and where it goes on behind.
    open: Option<(Predicate, BlockId)>,
}

/// Writes the function. Answers it, and the first thing that it does and the IR cannot say.
pub(super) fn write(writer: Writer<'_>, nodes: &[Node]) -> (Function, Option<(u32, String)>) {
    let mut body = Body { writer, nodes, blocks: Vec::new(), end: None, open: None };
    body.make_blocks();
    match body.blocks.first().copied().flatten() {
        Some(first) => body.writer.builder.jump(first, &[]),
        None => body.run(0),
    }
    for at in 0..nodes.len() {
        let Some(block) = body.blocks.get(at).copied().flatten() else { continue };
        body.writer.builder.switch_to(block);
        body.run(at);
    }
    if let Some(end) = body.end {
        body.writer.builder.switch_to(end);
        outputs::write(&mut body.writer);
        body.writer.builder.terminate(Terminator::End);
    }
    (body.writer.builder.finish(), body.writer.refused)
}

impl Body<'_> {
    /// Blocks of the nodes that begin one: all but those whose only way in is from the node in front of it.
    fn make_blocks(&mut self) {
        let mut ways = vec![0_u32; self.nodes.len()];
        let mut count = |to: NodeId, weight: u32| {
            if let Some(ways) = ways.get_mut(to as usize) {
                *ways += weight;
            }
        };
        for node in self.nodes {
            match &node.exit {
                Exit::To(Way::Node(to)) => count(*to, 1),
                Exit::To(_) => {}
                Exit::Branch { then, otherwise, .. } => {
                    for way in [then, otherwise] {
                        if let Way::Node(to) = way {
                            count(*to, 2);
                        }
                    }
                }
                Exit::Switch { cases, .. } => cases.iter().for_each(|(_, to)| count(*to, 2)),
            }
        }
        // The start is reached from outside too.
        count(0, 1);
        let make = |ways| (ways != 1).then(|| self.writer.builder.block());
        self.blocks = ways.into_iter().map(make).collect();
    }

    /// Writes nodes from `at` on up to the end of the block.
    fn run(&mut self, mut at: usize) {
        loop {
            let Some(node) = self.nodes.get(at) else { return };
            self.writer.address = node.address;
            self.writer.at(0, 0);
            match &node.exit {
                Exit::To(way) => {
                    self.instruction(node);
                    match way {
                        Way::Node(to) if self.blocks.get(*to as usize) == Some(&None) => at = *to as usize,
                        way => return self.go(*way),
                    }
                }
                Exit::Branch { test, then, otherwise } => {
                    self.close();
                    let condition = self.condition(*test);
                    let [then, otherwise] = [*then, *otherwise].map(|way| self.block_of(way));
                    return self.writer.builder.branch(condition, then, otherwise);
                }
                Exit::Switch { register, cases } => {
                    self.close();
                    let value = self.writer.register(*register);
                    let cases: Vec<(u32, Target)> = cases
                        .iter()
                        .map(|(value, to)| (*value, Target::plain(self.block_of(Way::Node(*to)))))
                        .collect();
                    // A table holds nothing else; the last of its targets stands for the rest.
                    let Some((_, default)) = cases.last().cloned() else { return };
                    return self.writer.builder.terminate(Terminator::Switch { value, cases, default });
                }
            }
        }
    }

    fn go(&mut self, way: Way) {
        self.close();
        let block = self.block_of(way);
        self.writer.builder.jump(block, &[]);
    }

    /// The block that a way leads to.
    fn block_of(&mut self, way: Way) -> BlockId {
        let builder = &mut self.writer.builder;
        match way {
            Way::Node(to) => {
                let made = self.blocks.get_mut(to as usize);
                match made {
                    Some(block) => *block.get_or_insert_with(|| builder.block()),
                    None => builder.block(),
                }
            }
            Way::End => *self.end.get_or_insert_with(|| builder.block()),
        }
    }

    fn condition(&mut self, test: Test) -> unshade_ir::Value {
        let guard = (!test.guard.is_true()).then(|| self.writer.predicate(test.guard));
        match (guard, condition::holds(&mut self.writer, test.condition)) {
            (Some(guard), Some(holds)) => self.writer.value(Op::And, &[guard, holds]),
            (Some(one), None) | (None, Some(one)) => one,
            (None, None) => self.writer.truth(true),
        }
    }

    /// Leaves the conditional block that is open.
    fn close(&mut self) {
        if let Some((_, on)) = self.open.take() {
            self.writer.builder.jump(on, &[]);
            self.writer.builder.switch_to(on);
        }
    }

    /// An instruction that does not change the flow, under its guard.
    fn instruction(&mut self, node: &Node) {
        let instruction = node.instruction;
        if !operation::does_something(&instruction.operation) || instruction.guard.is_never() {
            return;
        }
        // What changes the flow is no business of the data side.
        if matches!(
            instruction.operation,
            Operation::Branch { .. }
                | Operation::Call { .. }
                | Operation::Push { .. }
                | Operation::Pop { .. }
        ) {
            return;
        }
        let guard = instruction.guard;
        if self.open.is_none_or(|(open, _)| open != guard) {
            self.close();
            if !guard.is_true() {
                let condition = self.writer.predicate(guard);
                let [inside, on] = [self.writer.builder.block(), self.writer.builder.block()];
                self.writer.builder.branch(condition, inside, on);
                self.writer.builder.switch_to(inside);
                self.open = Some((guard, on));
            }
        }
        operation::write(&mut self.writer, &instruction.operation);
        if operation::writes_predicate(&instruction.operation, guard.number) {
            self.close();
        }
    }
}
