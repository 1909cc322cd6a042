//! Generated programs: branches, loops with breaks and continues, subroutines. Four lanes in lockstep come to what each
//! comes to alone, whatever the others do.

use crate::build::{Build, LITERAL, group, inst};
use unshade_ir::exec::Memory;
use unshade_isa_common::cases::{Kind, Random};
use unshade_isa_common::texture::NoTextures;
use unshade_isa_latte::exec::{End, Lane, NoTrace, Resources};
use unshade_isa_latte::fields::{CfNormal, Op2};
use unshade_isa_latte::table::{Effect, Units};
use unshade_isa_latte::{AluOp, CfOp};

/// Control-flow instructions of a program at most.
const LENGTH: u32 = 44;

struct Generator {
    random: Random,
    index: u64,
    build: Build,
    /// Masks pushed since the start of each open loop.
    loops: Vec<u32>,
    calls: Vec<u32>,
}

impl Generator {
    fn below(&mut self, limit: u64) -> u64 {
        (self.random.next() >> 20) % limit
    }

    fn literal(&mut self) -> u32 {
        self.random.float(Kind::Full, self.index).to_bits()
    }

    /// A group of one operation on R0 to R4, or a constant by the loop index.
    fn operation(&mut self) -> Vec<u64> {
        loop {
            let op = AluOp::ALL[self.below(AluOp::ALL.len() as u64) as usize];
            let info = op.info();
            if info.effect != Effect::None || matches!(info.units, Units::All | Units::Pair) {
                continue;
            }
            let mut source = || match self.below(4) {
                0 => (LITERAL, 0),
                _ => (self.below(5) as u32, self.below(4) as u32),
            };
            let sources = [source(), source(), source()];
            let (to, chan) = (1 + self.below(4) as u32, self.below(4) as u32);
            let mut one = inst(op, to, chan, sources);
            let literals = sources[..if op.is_op3() { 3 } else { 2 }].iter().any(|(sel, _)| *sel == LITERAL);
            if self.below(4) == 0 && !literals {
                one = Op2(one).with_src0_sel(256).with_src0_rel(1).with_index_mode(4).0;
            }
            let literal = [self.literal()];
            return group(&[one], if literals { &literal } else { &[] });
        }
    }

    fn operations(&mut self) -> Vec<Vec<u64>> {
        (0..=self.below(3)).map(|_| self.operation()).collect()
    }

    /// A group that switches some lanes off.
    fn predicate(&mut self) -> Vec<u64> {
        let ops =
            [AluOp::PredSetGt, AluOp::PredSetGe, AluOp::PredSetNe, AluOp::PredSetGtInt, AluOp::PredSetNeInt];
        let op = ops[self.below(5) as usize];
        let sources = [(self.below(5) as u32, self.below(4) as u32), (LITERAL, 0), (0, 0)];
        let test = Op2(inst(op, 5, 0, sources)).with_update_execute_mask(1).with_update_pred(1);
        group(&[test.0], &[self.literal()])
    }

    fn statements(&mut self, depth: u32) {
        for _ in 0..=self.below(3) {
            if self.build.here() >= LENGTH {
                return;
            }
            match self.below(8) {
                0..=2 => {
                    let groups = self.operations();
                    self.build.alu(CfOp::Alu, &groups);
                }
                3 | 4 if depth > 0 => self.branch(depth),
                5 if depth > 0 => self.repeat(depth),
                6 if !self.loops.is_empty() => self.leave(),
                7 if self.calls.len() < 3 => {
                    let call = self.build.here();
                    self.build.flow(CfOp::Call, 0, 0);
                    self.calls.push(call);
                }
                _ => {
                    let groups = self.operations();
                    let op = if self.below(6) == 0 { self.kill() } else { groups };
                    self.build.alu(CfOp::Alu, &op);
                }
            }
        }
    }

    fn kill(&mut self) -> Vec<Vec<u64>> {
        let sources = [(self.below(5) as u32, self.below(4) as u32), (LITERAL, 0), (0, 0)];
        let literal = self.literal();
        vec![group(&[inst(AluOp::KillGt, 5, 0, sources)], &[literal])]
    }

    fn pushed(&mut self, change: i32) {
        if let Some(masks) = self.loops.last_mut() {
            *masks = masks.wrapping_add_signed(change);
        }
    }

    fn branch(&mut self, depth: u32) {
        let groups = vec![self.operation(), self.predicate()];
        self.build.alu(CfOp::AluPushBefore, &groups);
        self.pushed(1);
        let jump = self.build.here();
        self.build.flow(CfOp::Jump, 0, 0);
        self.statements(depth - 1);
        let other = self.build.here();
        self.build.set_target(jump, other);
        self.build.flow(CfOp::Else, 0, 1);
        self.statements(depth - 1);
        if self.below(2) == 0 {
            self.build.flow(CfOp::Pop, 0, 1);
            let behind = self.build.here();
            self.build.set_target(behind - 1, behind);
        } else {
            let groups = self.operations();
            self.build.alu(CfOp::AluPopAfter, &groups);
        }
        self.build.set_target(other, self.build.here());
        self.pushed(-1);
    }

    fn repeat(&mut self, depth: u32) {
        let start = self.build.here();
        let op = if self.below(3) == 0 { CfOp::LoopStartNoAl } else { CfOp::LoopStart };
        let constant = self.below(4) as u32;
        self.build.raw(CfNormal(0).with_inst(op.number()).with_cf_const(constant).0);
        self.loops.push(0);
        self.statements(depth - 1);
        let end = self.build.here();
        self.build.flow(CfOp::LoopEnd, start + 1, 0);
        self.build.set_target(start, end + 1);
        self.loops.pop();
        // Ways out of this loop.
        for at in start + 1..end {
            self.build.aim(at, end);
        }
    }

    /// A way out of the loop or its pass, for some lanes. Its target comes later.
    fn leave(&mut self) {
        let groups = [self.predicate()];
        if self.below(3) == 0 {
            let op = if self.below(2) == 0 { CfOp::AluBreak } else { CfOp::AluContinue };
            self.build.alu(op, &groups);
            return;
        }
        self.build.alu(CfOp::AluPushBefore, &groups);
        let masks = self.loops.last().copied().unwrap_or(0) + 1;
        let op = if self.below(2) == 0 { CfOp::LoopBreak } else { CfOp::LoopContinue };
        self.build.flow(op, Build::OPEN, masks);
        self.build.flow(CfOp::Pop, 0, 1);
        let behind = self.build.here();
        self.build.set_target(behind - 1, behind);
    }
}

fn generated(seed: u64) -> Build {
    let mut generator = Generator {
        random: Random::new(seed, 0),
        index: seed,
        build: Build::default(),
        loops: vec![],
        calls: vec![],
    };
    generator.statements(3);
    generator.build.export(0, 0, 1, [0, 1, 2, 3], 4).end();
    let routine = generator.build.here();
    for call in std::mem::take(&mut generator.calls) {
        generator.build.set_target(call, routine);
    }
    let groups = [generator.operation(), generator.predicate()];
    generator.build.alu(CfOp::AluPushBefore, &groups);
    generator.build.flow(CfOp::Return, 0, 0).flow(CfOp::Else, routine + 3, 0);
    let groups = generator.operations();
    generator.build.alu(CfOp::AluPopAfter, &groups).flow(CfOp::Return, 0, 0);
    generator.build
}

#[test]
fn lanes_do_not_disturb_each_other() {
    let (mut compared, mut parted, mut killed) = (0, 0, 0);
    for seed in 0..1500 {
        let build = generated(seed);
        let program = build.program();
        let mut random = Random::new(seed, 1);
        let resources = Resources {
            constant_file: (0..1024).map(|_| random.float(Kind::Full, seed).to_bits()).collect(),
            loops: std::array::from_fn(|n| n as u32 | 3 << 12 | 2 << 24),
            ..Resources::default()
        };
        let start: Vec<Lane> = (0..4)
            .map(|_| {
                let mut lane = Lane::default();
                lane.registers[..5]
                    .iter_mut()
                    .flatten()
                    .for_each(|place| *place = random.float(Kind::Full, seed).to_bits());
                lane
            })
            .collect();
        let mut quad = start.clone();
        let outcome = program.run(&mut quad, &resources, &mut NoTextures, 20_000);
        assert_eq!(outcome.end, End::Ended, "{seed}");
        let mut steps = Vec::new();
        for (n, (lane, together)) in start.into_iter().zip(&quad).enumerate() {
            let mut alone = lane;
            let mut memory = Memory::default();
            let outcome = program.run_lane(&mut alone, &resources, &mut memory, 20_000, &mut NoTrace);
            assert_eq!(outcome.end, End::Ended, "{seed} lane {n}");
            steps.push(outcome.steps);
            killed += u32::from(alone.killed);
            assert_eq!(&alone, together, "{seed} lane {n}");
            compared += 1;
        }
        parted += u32::from(steps.iter().any(|count| *count != steps[0]));
    }
    println!("{compared} lanes, {killed} dropped, {parted} programs whose lanes went different ways");
    assert!(parted > 300 && killed > 20);
}
