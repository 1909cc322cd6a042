//! From a graph of places to a function of the IR.

use super::super::bindings::{BOOL_BINDING, LOOP_BINDING};
use super::super::ring;
use super::super::semantics::alu::FLOAT;
use super::super::{Cf, CfOp, Program};
use super::copy::Copy;
use super::explore::{
    Action, Destination, Edge, Exit, Place, PlaceId, Test, What, is_emission, is_faulty, is_fetch_outside,
    is_outside,
};
use super::flow::{Loop, bool_test};
use super::group::{self, Links};
use super::memory::{self, Emission};
use super::registers::Register;
use super::start::{Start, start};
use super::write::{Step, Writer};
use super::{export, fetch, geometry};
use std::collections::{BTreeSet, HashMap};
use unshade_ir::{BlockId, CompareFloat, CompareInt, Function, Op, Space, Terminator, Value};
use unshade_stage::{Stage, StageKind};

/// Writes the program.
pub(super) fn write(
    writer: Writer<'_>,
    stage: &Stage<'_>,
    program: Program<'_>,
    start: Destination,
    places: &[Place],
) -> (Function, Option<(u32, String)>) {
    let emission = (stage.kind == StageKind::Geometry).then(|| {
        let item = ring::written_words(program, writer.latte);
        let offsets = geometry::offsets(program, start, places, item);
        Emission { offsets, item, copy: Copy::beside(writer.latte) }
    });
    let item_words = emission.as_ref().map_or_else(BTreeSet::new, |emission| emission.words(program, places));
    let body = Body {
        emission,
        item_words,
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
    /// Geometry programs: how they hand over vertices, and the words of them that they write.
    emission: Option<Emission>,
    item_words: BTreeSet<u16>,
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
    fn write(mut self, start: Destination) -> (Function, Option<(u32, String)>) {
        let entry = self.writer.builder.current();
        let first = self.writer.builder.block();
        self.writer.builder.switch_to(first);
        let blocks = self.blocks(start);
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
        self.writer.builder.switch_to(entry);
        self.initial_values();
        self.writer.builder.jump(first, &[]);
        (self.writer.builder.finish(), self.writer.refused)
    }
}

impl Body<'_> {
    /// Registers at the start, for all that the program names.
    fn initial_values(&mut self) {
        self.writer.address = u32::MAX;
        self.writer.at(Step::Flow, 0);
        let array = self.writer.registers.array.clone();
        let lanes = (0..4).filter(|lane| array.lanes[usize::from(*lane)]);
        let in_array = array.registers.flat_map(|n| lanes.clone().map(move |lane| (n, lane)));
        let registers: Vec<(u8, u8)> = in_array.chain(self.writer.registers.named()).collect();
        for (n, lane) in registers {
            let value = self.start(start(self.kind, self.writer.latte, n, lane));
            self.writer.write(Register::Gpr(n, lane), value);
        }
    }

    /// What a register holds at the start.
    fn start(&mut self, start: Start) -> Value {
        let w = &mut self.writer;
        match start {
            Start::Word(binding, word) => w.load(Space::Input, binding, word),
            Start::Constant(bits) => w.bits(bits),
            Start::Reciprocal(binding, word) => {
                let value = w.load(Space::Input, binding, word);
                w.value(Op::FRcp(FLOAT), &[value])
            }
            Start::Mask(binding, word) => {
                let value = w.load(Space::Input, binding, word);
                let (all, none) = (w.bits(u32::MAX), w.bits(0));
                let holds = w.value(Op::FCompare(CompareFloat::Ne, FLOAT), &[value, none]);
                w.value(Op::Select, &[holds, all, none])
            }
        }
    }

    /// Blocks of the places that begin one: all but those whose only way in is a jump.
    fn blocks(&mut self, start: Destination) -> Vec<Option<BlockId>> {
        let mut ways = vec![0_u32; self.places.len()];
        if let Destination::Place(start) = start {
            ways[start as usize] += 1;
        }
        for place in self.places {
            let (edges, weight): (&[&Edge], u32) = match &place.exit {
                Exit::Jump(edge) => (&[edge], 1),
                Exit::Branch { then, otherwise, .. } => (&[then, otherwise], 2),
            };
            for edge in edges {
                if let Destination::Place(to) = edge.to {
                    ways[to as usize] += weight;
                }
            }
        }
        ways.into_iter().map(|ways| (ways != 1).then(|| self.writer.builder.block())).collect()
    }

    /// Writes places from `at` on up to the end of the block.
    fn run(&mut self, mut at: usize, blocks: &[Option<BlockId>]) {
        loop {
            let place = &self.places[at];
            self.place(at, place);
            match &place.exit {
                Exit::Branch { test, then, otherwise } => {
                    let condition = self.condition(*test);
                    let targets = [then, otherwise].map(|edge| match (edge.to, edge.action) {
                        (Destination::Place(to), None) => blocks[to as usize],
                        _ => None,
                    });
                    let [then_to, otherwise_to] =
                        targets.map(|block| block.unwrap_or_else(|| self.writer.builder.block()));
                    self.writer.builder.branch(condition, then_to, otherwise_to);
                    for (edge, known, block) in
                        [(then, targets[0], then_to), (otherwise, targets[1], otherwise_to)]
                    {
                        if known.is_none() {
                            self.writer.builder.switch_to(block);
                            self.action(edge.action);
                            self.go(edge.to, blocks);
                        }
                    }
                    return;
                }
                Exit::Jump(edge) => {
                    self.action(edge.action);
                    match edge.to {
                        Destination::Place(to) if blocks[to as usize].is_none() => at = to as usize,
                        to => return self.go(to, blocks),
                    }
                }
            }
        }
    }

    fn go(&mut self, to: Destination, blocks: &[Option<BlockId>]) {
        let block = match to {
            Destination::Place(to) => blocks[to as usize],
            Destination::End => Some(self.end()),
            Destination::Killed => Some(self.dropped()),
            Destination::Forever => {
                let builder = &mut self.writer.builder;
                Some(*self.forever.get_or_insert_with(|| builder.block()))
            }
        };
        if let Some(block) = block {
            self.writer.builder.jump(block, &[]);
        }
    }

    fn end(&mut self) -> BlockId {
        let builder = &mut self.writer.builder;
        *self.exit.get_or_insert_with(|| builder.block())
    }

    /// Where a pixel ends that is dropped. Other programs end there with what they have written.
    fn dropped(&mut self) -> BlockId {
        if self.kind != StageKind::Fragment {
            return self.end();
        }
        let builder = &mut self.writer.builder;
        *self.discard.get_or_insert_with(|| builder.block())
    }

    fn place(&mut self, at: usize, place: &Place) {
        match place.what {
            What::Head { .. } => {}
            What::Groups { cf, first } => {
                let links = self.links.remove(&(at as u32)).unwrap_or_default();
                self.groups(cf, first, links, place);
            }
            What::Cf(address) => {
                self.writer.address = address;
                let Some(cf) = self.program.cf(address) else { return };
                let Some(op) = cf.op() else { return };
                if op.is_alu() {
                    self.groups(address, 0, Links::default(), place);
                } else {
                    self.guarded(at as PlaceId, cf, op, place.index);
                }
            }
        }
    }

    /// The groups of a clause from an address on, up to the one that decides about the mask.
    fn groups(&mut self, at: u32, first: u32, mut links: Links, place: &Place) {
        let Some(cf) = self.program.cf(at) else { return };
        if is_outside(self.program, cf.alu()) || cf.op() == Some(CfOp::AluExtended) {
            return;
        }
        for group in self.program.groups(cf.alu()).filter(|group| group.address >= first) {
            if is_faulty(&group) {
                return;
            }
            let decided = group::write(&mut self.writer, cf.alu(), &group, &mut links, place.index);
            if let Some(kill) = decided.kill {
                self.kill(kill);
            }
            if let Exit::Branch { test: Test::Mask { group: last }, then, .. } = &place.exit
                && *last == group.address
            {
                self.mask = decided.mask;
                if let Destination::Place(then) = then.to {
                    self.links.insert(then, links);
                }
                return;
            }
        }
    }

    /// Drops the pixel where the condition holds.
    fn kill(&mut self, condition: Value) {
        let discard = self.dropped();
        let builder = &mut self.writer.builder;
        let on = builder.block();
        builder.branch(condition, discard, on);
        builder.switch_to(on);
    }

    /// The data side of an instruction that is no arithmetic clause, under its condition.
    fn guarded(&mut self, at: PlaceId, cf: Cf, op: CfOp, index: Option<u8>) {
        if !op.is_fetch() && !is_emission(op) {
            return self.instruction(at, cf, op, index);
        }
        let Some(test) = bool_test(cf, op) else {
            if cf.normal().cond() == 0 {
                self.instruction(at, cf, op, index);
            }
            return;
        };
        let condition = self.condition(Test::Bool(test));
        let [inside, on] = [self.writer.builder.block(), self.writer.builder.block()];
        self.writer.builder.branch(condition, inside, on);
        self.writer.builder.switch_to(inside);
        self.instruction(at, cf, op, index);
        self.writer.builder.jump(on, &[]);
        self.writer.builder.switch_to(on);
    }

    fn instruction(&mut self, at: PlaceId, cf: Cf, op: CfOp, index: Option<u8>) {
        if op.is_fetch() {
            if is_fetch_outside(self.program, cf) {
                return;
            }
            for (address, inst) in self.program.fetches(cf.normal()) {
                self.writer.address = address;
                fetch::write(&mut self.writer, self.kind, inst, index);
            }
        } else if op.is_export() {
            export::write(&mut self.writer, cf.export(), index);
        } else if let (CfOp::MemRing, Some(emission)) = (op, &self.emission) {
            emission.write(&mut self.writer, cf.memory(), at, index);
        } else if op.is_memory() {
            memory::instruction(&mut self.writer, op, cf.memory(), index);
        } else if is_emission(op) {
            self.writer.at(Step::Output, 0);
            match &self.emission {
                Some(emission) if op != CfOp::CutVertex => {
                    emission.emit(&mut self.writer, &self.item_words);
                }
                None if op != CfOp::CutVertex => self.writer.builder.effect(Op::EmitVertex(0), &[]),
                _ => {}
            }
            if op != CfOp::EmitVertex {
                self.writer.builder.effect(Op::EndPrimitive(0), &[]);
            }
        }
    }

    fn action(&mut self, action: Option<Action>) {
        let Some(action) = action else { return };
        self.writer.at(Step::Flow, 0);
        let (open, old) = match action {
            Action::Start(open) => (open, None),
            Action::Pass(open) => (open, Some(Register::Passes(open.slot))),
        };
        let passes = match old {
            None => self.writer.bits(0),
            Some(register) => {
                let passes = self.writer.read(register);
                let one = self.writer.bits(1);
                self.writer.value(Op::IAdd, &[passes, one])
            }
        };
        self.writer.write(Register::Passes(open.slot), passes);
        if !open.indexed {
            return;
        }
        let register = Register::Index(open.slot);
        let index = match action {
            Action::Start(open) => self.loop_part(open, 12, 12, true),
            Action::Pass(open) => {
                let index = self.writer.read(register);
                let step = self.loop_part(open, 24, 8, true);
                self.writer.value(Op::IAdd, &[index, step])
            }
        };
        self.writer.write(register, index);
    }

    /// Some bits of a loop constant: a number where the file says it.
    fn loop_part(&mut self, open: Loop, first: u32, width: u32, signed: bool) -> Value {
        let slot = u32::from(open.constant.unwrap_or_default());
        let known = self.writer.latte.loops.iter().rev().find(|constant| constant.slot == slot);
        if let Some(constant) = known {
            let left = constant.value << (32 - first - width);
            let right = 32 - width;
            let bits = if signed { (left as i32 >> right) as u32 } else { left >> right };
            return self.writer.bits(bits);
        }
        let constant = self.writer.load(Space::Uniform, LOOP_BINDING, slot);
        let left = 32 - first - width;
        let constant = match left {
            0 => constant,
            _ => {
                let by = self.writer.bits(left);
                self.writer.value(Op::Shl, &[constant, by])
            }
        };
        let right = self.writer.bits(32 - width);
        self.writer.value(if signed { Op::ShrS } else { Op::ShrU }, &[constant, right])
    }

    fn condition(&mut self, test: Test) -> Value {
        self.writer.at(Step::Flow, 0);
        match test {
            Test::Mask { .. } => match self.mask.take() {
                Some(mask) => mask,
                None => self.writer.builder.truth(true),
            },
            Test::Bool(test) => {
                let value = self.writer.load(Space::Uniform, BOOL_BINDING, test.number.into());
                let zero = self.writer.bits(0);
                let by = if test.is { CompareInt::Ne } else { CompareInt::Eq };
                self.writer.value(Op::ICompare(by), &[value, zero])
            }
            Test::Passes(open) => {
                let passes = self.writer.read(Register::Passes(open.slot));
                let count = self.loop_part(open, 0, 12, false);
                self.writer.value(Op::ICompare(CompareInt::Slt), &[passes, count])
            }
        }
    }
}
