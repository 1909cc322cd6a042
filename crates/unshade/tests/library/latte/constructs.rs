//! Constructs that the corpus of compiled programs lacks, and random programs, through the lift: the interpreter and
//! everything that is made of a program agree bit for bit.

use unshade::verify::{Failure, verify};
use unshade::{Isa, Stage, StageKind};
use unshade_isa::latte::fields::{CfAlu, CfExport, CfMemory, CfNormal, Op2, Op3};
use unshade_isa::latte::{AluOp, CfOp, Units};

/// A control-flow instruction, where a clause has no address yet.
#[derive(Clone)]
enum Item {
    Plain(u64),
    Clause(CfAlu, Vec<Vec<u64>>),
}

/// A program in the making.
#[derive(Clone, Default)]
struct Assembly {
    items: Vec<Item>,
}

impl Assembly {
    fn here(&self) -> u32 {
        self.items.len() as u32
    }

    fn flow(&mut self, op: CfOp, to: u32, pops: u32) -> usize {
        self.with(op, to, pops, 0, 0)
    }

    fn with(&mut self, op: CfOp, to: u32, pops: u32, constant: u32, cond: u32) -> usize {
        let cf = CfNormal(0).with_inst(op.number()).with_addr(to).with_pop_count(pops);
        self.items.push(Item::Plain(cf.with_cf_const(constant).with_cond(cond).0));
        self.items.len() - 1
    }

    fn aim(&mut self, at: usize, to: u32) {
        if let Item::Plain(bits) = &mut self.items[at] {
            *bits = CfNormal(*bits).with_addr(to).0;
        }
    }

    /// A clause of groups; constants of buffer 0 are held.
    fn alu(&mut self, op: CfOp, groups: Vec<Vec<u64>>) {
        let cf = CfAlu(0).with_inst(op.number() - 0x40).with_kcache_mode0(1);
        self.items.push(Item::Clause(cf, groups));
    }

    fn export(&mut self, gpr: u32, last: bool) {
        let export = CfExport(0)
            .with_inst(CfOp::ExportDone.number())
            .with_gpr(gpr)
            .with_sel_y(1)
            .with_sel_z(2)
            .with_sel_w(3)
            .with_end_of_program(last.into());
        self.items.push(Item::Plain(export.0));
    }

    fn words(&self) -> Vec<u32> {
        let mut address = self.here();
        let (mut units, mut behind) = (Vec::new(), Vec::new());
        for item in &self.items {
            match item {
                Item::Plain(bits) => units.push(*bits),
                Item::Clause(cf, groups) => {
                    let clause: Vec<u64> = groups.iter().flatten().copied().collect();
                    units.push(cf.with_addr(address).with_count(clause.len() as u32 - 1).0);
                    address += clause.len() as u32;
                    behind.extend(clause);
                }
            }
        }
        units.extend(behind);
        units.iter().flat_map(|unit| [*unit as u32, (unit >> 32) as u32]).collect()
    }

    fn stage(&self) -> Stage<'static> {
        let mut stage = unshade::raw_stage(Isa::Latte, self.words(), Vec::new());
        stage.kind = StageKind::Fragment;
        stage
    }

    #[track_caller]
    fn check(&self, cases: u32) {
        let verdict = verify(&self.stage(), cases, 1);
        assert_eq!(verdict.strict.failure, None);
        assert!(!matches!(verdict.readable.failure, Some(Failure::Differs(_))), "{:?}", verdict.readable);
    }
}

const ZERO: u32 = 248;
const ONE: u32 = 249;
const INT_ONE: u32 = 250;

/// `dst = op(a, b)`, a source being (select, component).
fn op2(op: AluOp, dst: (u32, u32), a: (u32, u32), b: (u32, u32)) -> Op2 {
    Op2(0)
        .with_inst(op.number())
        .with_dst_gpr(dst.0)
        .with_dst_chan(dst.1)
        .with_write_mask(1)
        .with_src0_sel(a.0)
        .with_src0_chan(a.1)
        .with_src1_sel(b.0)
        .with_src1_chan(b.1)
}

fn alone(inst: Op2) -> Vec<u64> {
    vec![inst.with_last(1).0]
}

/// A predicate that becomes the mask.
fn mask(op: AluOp, a: (u32, u32), b: (u32, u32)) -> Vec<u64> {
    alone(op2(op, (9, 0), a, b).with_write_mask(0).with_update_execute_mask(1).with_update_pred(1))
}

fn add(register: u32, a: (u32, u32), b: (u32, u32)) -> Vec<u64> {
    alone(op2(AluOp::Add, (register, 0), a, b))
}

#[test]
fn counted_loops_with_an_index() {
    for op in [CfOp::LoopStart, CfOp::LoopStartNoAl] {
        let mut program = Assembly::default();
        let start = program.with(op, 0, 0, 3, 0);
        let indexed = op2(AluOp::Add, (1, 0), (128, 0), (1, 0)).with_src0_rel(1).with_index_mode(4);
        program.alu(CfOp::Alu, vec![alone(indexed)]);
        program.flow(CfOp::LoopEnd, 1, 0);
        let behind = program.here();
        program.aim(start, behind);
        program.export(1, true);
        program.check(200);
    }
}

#[test]
fn clauses_that_break_and_continue() {
    for op in [CfOp::AluBreak, CfOp::AluContinue] {
        let mut program = Assembly::default();
        let start = program.with(CfOp::LoopStart, 0, 0, 5, 0);
        program.alu(CfOp::Alu, vec![add(0, (0, 0), (ONE, 0))]);
        program.alu(op, vec![mask(AluOp::PredSetGt, (2, 1), (0, 0))]);
        program.alu(CfOp::Alu, vec![add(1, (1, 0), (0, 0))]);
        program.flow(CfOp::LoopEnd, start as u32 + 1, 0);
        let behind = program.here();
        program.aim(start, behind);
        program.export(1, true);
        program.check(200);
    }
}

#[test]
fn the_other_part_behind_a_clause() {
    let mut program = Assembly::default();
    program.alu(CfOp::AluPushBefore, vec![mask(AluOp::PredSetGe, (0, 0), (1, 0))]);
    program.alu(CfOp::AluElseAfter, vec![add(2, (0, 0), (0, 1))]);
    program.alu(CfOp::AluPopAfter, vec![add(2, (1, 0), (1, 1))]);
    program.export(2, true);
    program.check(100);
}

#[test]
fn calls_in_conditions() {
    let mut program = Assembly::default();
    program.alu(CfOp::AluPushBefore, vec![mask(AluOp::PredSetGt, (0, 0), (1, 0))]);
    let call = program.flow(CfOp::Call, 0, 0);
    program.flow(CfOp::Pop, 3, 1);
    let second = program.flow(CfOp::Call, 0, 0);
    program.export(2, true);
    let routine = program.here();
    program.aim(call, routine);
    program.aim(second, routine);
    program.alu(CfOp::AluPushBefore, vec![add(2, (2, 0), (0, 1)), mask(AluOp::PredSetNe, (0, 2), (1, 2))]);
    program.flow(CfOp::Return, 0, 0);
    program.flow(CfOp::Pop, routine + 3, 1);
    program.alu(CfOp::Alu, vec![add(2, (2, 0), (1, 1))]);
    program.flow(CfOp::Return, 0, 0);
    program.check(200);
}

#[test]
fn instructions_under_a_predicate() {
    for select in [2, 3] {
        let mut program = Assembly::default();
        let test = op2(AluOp::PredSetGe, (3, 0), (0, 0), (1, 0)).with_update_pred(1);
        let under = op2(AluOp::Mul, (2, 0), (0, 1), (1, 1)).with_pred_sel(select);
        program.alu(CfOp::Alu, vec![alone(test), alone(under)]);
        let kept = op2(AluOp::Add, (2, 1), (254, 0), (2, 0)).with_pred_sel(select);
        program.alu(CfOp::Alu, vec![alone(kept)]);
        program.export(2, true);
        program.check(100);
    }
}

#[test]
fn counters_of_conditions() {
    let counters = AluOp::ALL
        .iter()
        .copied()
        .filter(|op| op.name().starts_with("PRED_SET_") || op.name().contains("_PUSH"));
    let mut count = 0;
    for op in counters {
        count += 1;
        let mut program = Assembly::default();
        let test = op2(op, (2, 0), (0, 0), (1, 0)).with_update_pred(1);
        let small = op2(AluOp::SetGe, (0, 1), (0, 0), (1, 0));
        let of_small = op2(op, (2, 1), (0, 1), (1, 1));
        program.alu(CfOp::Alu, vec![alone(test), alone(small), alone(of_small)]);
        program.export(2, true);
        program.check(60);
    }
    assert_eq!(count, 14);
}

#[test]
fn registers_by_an_index() {
    let mut program = Assembly::default();
    let index = op2(AluOp::MovaFloor, (9, 1), (0, 0), (ZERO, 0)).with_write_mask(0);
    let write = op2(AluOp::Mov, (4, 2), (0, 3), (ZERO, 0)).with_dst_rel(1).with_index_mode(1);
    let read = op2(AluOp::Mov, (2, 0), (4, 2), (ZERO, 0)).with_src0_rel(1).with_index_mode(1);
    program.alu(CfOp::Alu, vec![alone(index), alone(write), alone(read)]);
    program.export(2, true);
    program.check(200);
}

#[test]
fn scratch_memory() {
    let memory = |kind: u32, gpr: u32| {
        CfMemory(0)
            .with_inst(CfOp::MemScratch.number())
            .with_kind(kind)
            .with_gpr(gpr)
            .with_array_base(2)
            .with_comp_mask(15)
            .with_elem_size(3)
    };
    let mut program = Assembly::default();
    program.items.push(Item::Plain(memory(0, 0).0));
    program.items.push(Item::Plain(memory(2, 2).0));
    program.export(2, true);
    program.check(50);
}

/// `dst = op(a, b, c)`.
fn op3(op: AluOp, dst: u32, a: (u32, u32), b: (u32, u32), c: (u32, u32)) -> Vec<u64> {
    let inst = Op3(0).with_inst(op.number() - 0x100).with_dst_gpr(dst).with_last(1);
    let inst = inst.with_src0_sel(a.0).with_src0_chan(a.1).with_src1_sel(b.0).with_src1_chan(b.1);
    vec![inst.with_src2_sel(c.0).with_src2_chan(c.1).0]
}

/// Division as compilers of this machine spell it, from the integer reciprocal, of R0.x by R1.x.
fn quotient(remainder: bool) -> Assembly {
    let [n, d, rcp] = [(0, 0), (1, 0), (2, 0)];
    let two = |op, dst: u32, a, b| alone(op2(op, (dst, 0), a, b));
    let at = |register: u32| (register, 0);
    let mut groups = vec![
        two(AluOp::RecipUint, 2, d, (ZERO, 0)),
        two(AluOp::MulLoUint, 3, rcp, d),
        two(AluOp::SubInt, 4, (ZERO, 0), at(3)),
        two(AluOp::MulHiUint, 5, rcp, d),
        op3(AluOp::CndEInt, 3, at(5), at(4), at(3)),
        two(AluOp::MulHiUint, 4, at(3), rcp),
        two(AluOp::SubInt, 6, rcp, at(4)),
        two(AluOp::AddInt, 7, rcp, at(4)),
        op3(AluOp::CndEInt, 2, at(5), at(7), at(6)),
        two(AluOp::MulHiUint, 3, rcp, n),
        two(AluOp::MulLoUint, 5, at(3), d),
        two(AluOp::SubInt, 4, n, at(5)),
        two(AluOp::SetGeUint, 6, at(4), d),
        two(AluOp::SetGeUint, 7, n, at(5)),
    ];
    let (value, step, up, down) = match remainder {
        true => (at(4), d, AluOp::SubInt, AluOp::AddInt),
        false => (at(3), (INT_ONE, 0), AluOp::AddInt, AluOp::SubInt),
    };
    groups.extend([
        two(up, 8, value, step),
        two(down, 9, value, step),
        two(AluOp::AndInt, 6, at(6), at(7)),
        op3(AluOp::CndEInt, 3, at(6), value, at(8)),
        op3(AluOp::CndEInt, 2, at(7), at(9), at(3)),
        two(AluOp::UintToFlt, 2, at(2), (ZERO, 0)),
    ]);
    let mut program = Assembly::default();
    program.alu(CfOp::Alu, groups);
    program.export(2, true);
    program
}

#[test]
fn integer_division() {
    for (remainder, sign) in [(false, " / "), (true, " % ")] {
        let program = quotient(remainder);
        program.check(300);
        let text = unshade::decompile(&program.stage(), &unshade::DecompileOptions::default()).unwrap();
        assert!(text.text.contains(sign), "{}", text.text);
        assert!(text.assumptions.iter().any(|said| said == "integers are not divided by zero"));
    }
}

/// A subroutine that calls another twice, called in a loop and behind it.
#[test]
fn calls_in_calls_and_loops() {
    let mut program = Assembly::default();
    let start = program.with(CfOp::LoopStart, 0, 0, 2, 0);
    let in_loop = program.flow(CfOp::Call, 0, 0);
    program.flow(CfOp::LoopEnd, start as u32 + 1, 0);
    program.aim(start, in_loop as u32 + 2);
    let behind = program.flow(CfOp::Call, 0, 0);
    program.export(2, true);
    let outer = program.here();
    program.aim(in_loop, outer);
    program.aim(behind, outer);
    let calls = [program.flow(CfOp::Call, 0, 0), program.flow(CfOp::Call, 0, 0)];
    program.alu(CfOp::Alu, vec![add(2, (2, 0), (0, 1))]);
    program.flow(CfOp::Return, 0, 0);
    let inner = program.here();
    calls.into_iter().for_each(|call| program.aim(call, inner));
    // Leaves early where a test fails, for which there is a loop of its own.
    let start = program.with(CfOp::LoopStart, 0, 0, 3, 0);
    program.alu(CfOp::AluBreak, vec![mask(AluOp::PredSetGt, (2, 0), (1, 3))]);
    program.alu(CfOp::Alu, vec![add(2, (2, 0), (1, 1))]);
    program.flow(CfOp::LoopEnd, start as u32 + 1, 0);
    let end = program.here();
    program.aim(start, end);
    program.flow(CfOp::Return, 0, 0);
    program.check(300);
}

/// A subroutine that calls itself ends where the machine has no room for another call.
#[test]
fn calls_of_itself() {
    let mut program = Assembly::default();
    program.flow(CfOp::Call, 2, 0);
    program.export(2, true);
    program.alu(CfOp::Alu, vec![add(2, (2, 0), (0, 1))]);
    program.flow(CfOp::Call, 2, 0);
    program.flow(CfOp::Return, 0, 0);
    program.check(50);
}

/// Subroutines are written out where they are called; what would grow beyond all measure is refused by name, and
/// quickly.
#[test]
fn trees_of_calls() {
    let tree = |depth: u32| {
        let mut program = Assembly::default();
        program.flow(CfOp::Call, 2, 0);
        program.export(2, true);
        for _ in 0..depth {
            let below = program.here() + 3;
            for _ in 0..2 {
                program.flow(CfOp::Call, below, 0);
            }
            program.flow(CfOp::Return, 0, 0);
        }
        program.alu(CfOp::Alu, vec![add(2, (2, 0), (0, 1))]);
        program.flow(CfOp::Return, 0, 0);
        program
    };
    tree(6).check(20);
    let start = std::time::Instant::now();
    let error = unshade::decompile(&tree(24).stage(), &unshade::DecompileOptions::default()).unwrap_err();
    assert!(error.to_string().contains("control flow with at most 4096 places"), "{error}");
    assert!(start.elapsed().as_secs() < 10);
}

/// Numbers from a seed.
struct Dice(u64);

impl Dice {
    fn below(&mut self, count: u32) -> u32 {
        self.0 = self.0.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
        ((self.0 >> 33) % u64::from(count)) as u32
    }

    fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len() as u32) as usize]
    }

    fn source(&mut self) -> (u32, u32) {
        let select = match self.below(8) {
            0 => 128 + self.below(4),
            1 => self.pick(&[ZERO, ONE, INT_ONE, 251, 252]),
            2 => 254,
            3 => 255,
            _ => self.below(4),
        };
        (select, self.below(4))
    }

    /// An instruction for a vector unit, or the fifth.
    fn inst(&mut self, chan: u32) -> u64 {
        loop {
            let op = self.pick(AluOp::ALL);
            let units = op.info().units;
            if !matches!(units, Units::Any | Units::Vector | Units::Trans) {
                continue;
            }
            let (a, b, c) = (self.source(), self.source(), self.source());
            if op.is_op3() {
                let inst = Op3(0).with_inst(op.number() - 0x100).with_dst_gpr(self.below(4));
                let inst = inst.with_dst_chan(chan).with_src0_sel(a.0).with_src0_chan(a.1);
                let inst = inst.with_src1_sel(b.0).with_src1_chan(b.1).with_src2_sel(c.0);
                return inst.with_src2_chan(c.1).with_src0_neg(self.below(2)).with_clamp(self.below(2)).0;
            }
            let inst = op2(op, (self.below(4), chan), a, b);
            let inst = inst.with_src0_neg(self.below(2)).with_src1_abs(self.below(2));
            let inst = inst.with_omod(self.below(8) / 5).with_clamp(self.below(4) / 3);
            let inst = inst.with_update_pred(self.below(2)).with_update_execute_mask(self.below(16) / 15);
            return inst.with_pred_sel(self.pick(&[0, 0, 0, 0, 2, 3])).0;
        }
    }

    fn groups(&mut self) -> Vec<Vec<u64>> {
        let count = 1 + self.below(3);
        (0..count)
            .map(|_| {
                let chan = self.below(4);
                let mut group = vec![self.inst(chan)];
                if self.below(2) == 0 {
                    group.push(self.inst((chan + 1) % 4));
                }
                if let Some(last) = group.last_mut() {
                    *last = Op2(*last).with_last(1).0;
                }
                group
            })
            .collect()
    }

    fn test(&mut self) -> Vec<Vec<u64>> {
        let op = self.pick(&[AluOp::PredSetGt, AluOp::PredSetGe, AluOp::PredSetNe, AluOp::PredSetE]);
        let (a, b) = (self.below(4), self.below(4));
        vec![mask(op, (a, self.below(4)), (b, self.below(4)))]
    }

    /// Statements of a structured program.
    fn statements(&mut self, program: &mut Assembly, depth: u32, in_loop: bool) {
        for _ in 0..1 + self.below(3) {
            match if depth == 0 { 0 } else { self.below(6) } {
                1 | 2 => {
                    let test = self.test();
                    program.alu(CfOp::AluPushBefore, test);
                    let jump = program.flow(CfOp::Jump, 0, 0);
                    self.statements(program, depth - 1, in_loop);
                    let at = program.here();
                    program.aim(jump, at);
                    let other = program.flow(CfOp::Else, 0, 1);
                    self.statements(program, depth - 1, in_loop);
                    let end = program.here() + 1;
                    program.flow(CfOp::Pop, end, 1);
                    program.aim(other, end);
                }
                3 => {
                    let constant = self.below(8);
                    let op = self.pick(&[CfOp::LoopStart, CfOp::LoopStartNoAl]);
                    let start = program.with(op, 0, 0, constant, 0);
                    self.statements(program, depth - 1, true);
                    program.flow(CfOp::LoopEnd, start as u32 + 1, 0);
                    let behind = program.here();
                    program.aim(start, behind);
                }
                4 if in_loop => {
                    let test = self.test();
                    let op = self.pick(&[CfOp::AluBreak, CfOp::AluContinue]);
                    program.alu(op, test);
                }
                _ => {
                    // Masks are changed by conditions only.
                    let mut groups = self.groups();
                    for inst in groups.iter_mut().flatten() {
                        if !unshade_isa::latte::Alu(*inst).is_op3() {
                            *inst = Op2(*inst).with_update_execute_mask(0).0;
                        }
                    }
                    program.alu(CfOp::Alu, groups);
                }
            }
        }
    }
}

/// As many seeds as are usual or LATTE_PROGRAMS says, from LATTE_FIRST on.
fn seeds(usual: u64) -> std::ops::Range<u64> {
    let number = |name| std::env::var(name).ok().and_then(|number| number.parse().ok());
    let first = number("LATTE_FIRST").unwrap_or(0);
    first..first + number("LATTE_PROGRAMS").unwrap_or(usual)
}

#[test]
fn structured_programs() {
    let mut unfinished = 0;
    for seed in seeds(60) {
        let mut dice = Dice(seed * 7919 + 1);
        let mut program = Assembly::default();
        dice.statements(&mut program, 3, false);
        program.export(dice.below(4), true);
        let verdict = verify(&program.stage(), 12, seed);
        match verdict.strict.failure {
            None => unfinished += usize::from(verdict.strict.is_unfinished()),
            Some(failure) => panic!("program {seed}: {failure}\n{:08x?}", program.words()),
        }
    }
    println!("{unfinished} do not end");
}

#[test]
fn wild_programs() {
    const FLOW: &[CfOp] = &[
        CfOp::Jump,
        CfOp::Push,
        CfOp::PushElse,
        CfOp::Else,
        CfOp::Pop,
        CfOp::PopJump,
        CfOp::PopPush,
        CfOp::PopPushElse,
        CfOp::LoopStart,
        CfOp::LoopStartNoAl,
        CfOp::LoopStartDx10,
        CfOp::LoopEnd,
        CfOp::LoopBreak,
        CfOp::LoopContinue,
        CfOp::Call,
        CfOp::Return,
        CfOp::Kill,
        CfOp::Nop,
    ];
    const CLAUSES: &[CfOp] = &[
        CfOp::Alu,
        CfOp::AluPushBefore,
        CfOp::AluPushBefore,
        CfOp::AluPopAfter,
        CfOp::AluPop2After,
        CfOp::AluBreak,
        CfOp::AluContinue,
        CfOp::AluElseAfter,
    ];
    let (mut refused, mut unfinished) = (0, 0);
    let seeds = seeds(40);
    let tried = seeds.end - seeds.start;
    for seed in seeds {
        let mut dice = Dice(seed * 104_729 + 3);
        let mut program = Assembly::default();
        let length = 3 + dice.below(10);
        while program.here() < length {
            if dice.below(3) == 0 {
                let groups = dice.groups();
                program.alu(dice.pick(CLAUSES), groups);
            } else if dice.below(8) == 0 {
                program.export(dice.below(4), false);
            } else {
                let cond = dice.pick(&[0, 0, 0, 0, 1, 2, 3]);
                let (to, pops, constant) = (dice.below(length + 1), dice.below(6) / 3, dice.below(4));
                program.with(dice.pick(FLOW), to, pops, constant, cond);
            }
        }
        program.export(dice.below(4), true);
        let verdict = verify(&program.stage(), 12, seed);
        match verdict.strict.failure {
            None => unfinished += usize::from(verdict.strict.is_unfinished()),
            Some(Failure::Refused { point, .. }) if point == "lift" => refused += 1,
            Some(failure) => panic!("program {seed}: {failure}\n{:08x?}", program.words()),
        }
    }
    println!("{refused} are too wild, {unfinished} do not end");
    assert!(refused * 10 <= tried);
}
