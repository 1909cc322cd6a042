//! Latte instructions of all kinds through text and back: every operation with every boundary value of each field,
//! and with the boundary values of each pair of fields, over several patterns of the other bits. Uses all cores.
//!
//! `cargo run --release -p unshade-isa-latte --example latte_sweep`
#![allow(clippy::print_stdout, reason = "an example reports on its standard output")]

use std::{process::ExitCode, sync::atomic::AtomicU32, sync::atomic::Ordering, thread, time::Instant};
use unshade_isa_common::cases::Random;
use unshade_isa_common::field::Field;
use unshade_isa_common::text::PlainText;
use unshade_isa_latte::{asm, fields, listing};
use unshade_stage::Code;

/// Units of a clause; it has room for the literals of its last group.
const CLAUSE: usize = 120;
/// Clauses of a program.
const CLAUSES: usize = 32;

/// What kind of instruction a share is about.
#[derive(Clone, Copy)]
enum Kind {
    Arithmetic,
    Fetch,
    Flow,
}

/// A share of the work: one operation.
#[derive(Clone, Copy)]
struct Share {
    kind: Kind,
    parts: &'static [Field],
    /// Where the number of the operation stands, and the number.
    place: (u32, u32),
    number: u32,
    /// Bits that make it this kind.
    fixed: u128,
}

/// Values at which a field may change its ways; all values of a small one.
fn values(part: Field) -> Vec<u32> {
    let most = part.limit();
    if part.width <= 9 {
        return (0..=most).collect();
    }
    boundaries(part)
}

fn boundaries(part: Field) -> Vec<u32> {
    let most = part.limit();
    let mut all = vec![0, 1, most / 2, most / 2 + 1, most.saturating_sub(1), most];
    if part.width == 9 {
        // Selectors: the last of each kind of source and the first of the next.
        all.extend([127, 128, 159, 160, 191, 192, 247, 248, 250, 251, 253, 254, 255, 256]);
    }
    all.sort_unstable();
    all.dedup();
    all
}

/// A program that grows until it is looked at.
struct Batch {
    kind: Kind,
    units: Vec<u64>,
    instructions: u64,
    wrong: Option<Vec<u32>>,
}

impl Batch {
    fn put(&mut self, bits: u128) {
        self.instructions += 1;
        match self.kind {
            Kind::Flow => self.units.push(bits as u64),
            Kind::Fetch => self.units.extend([bits as u64, (bits >> 64) as u64]),
            Kind::Arithmetic => {
                let inst = fields::Op2(bits as u64);
                self.units.push(inst.0);
                let literal = [inst.src0_sel(), inst.src1_sel()].contains(&253)
                    || inst.0 >> 47 & 7 != 0 && fields::Op3(inst.0).src2_sel() == 253;
                if literal {
                    self.units.extend([0x3F80_0000_4120_0000, 0xFFFF_FFFF_0000_0001]);
                }
            }
        }
        if self.units.len() >= CLAUSE * CLAUSES {
            self.look();
        }
    }

    /// Puts clauses under control flow, and compares the words that their text means with them.
    fn look(&mut self) {
        let units = std::mem::take(&mut self.units);
        let mut program = Vec::new();
        match self.kind {
            Kind::Flow => program.extend(units),
            Kind::Arithmetic => {
                let clauses: Vec<&[u64]> = units.chunks(CLAUSE).collect();
                let mut at = clauses.len() as u32 + 1;
                for clause in &clauses {
                    let cf = fields::CfAlu(0).with_inst(8).with_barrier(1).with_addr(at);
                    program.push(cf.with_count(clause.len() as u32 - 1).0);
                    at += clause.len() as u32;
                }
                program.push(fields::CfNormal(0).with_end_of_program(1).0);
                program.extend(units);
            }
            Kind::Fetch => {
                let clauses: Vec<&[u64]> = units.chunks(32).collect();
                let mut at = (clauses.len() as u32 + 2) & !1;
                for clause in &clauses {
                    let cf = fields::CfNormal(0).with_inst(1).with_barrier(1).with_addr(at);
                    program.push(cf.with_clause_length(clause.len() as u32 / 2).0);
                    at += clause.len() as u32;
                }
                program.push(fields::CfNormal(0).with_end_of_program(1).0);
                program.resize((clauses.len() + 2) & !1, 0);
                program.extend(units);
            }
        }
        let words: Vec<u32> = program.iter().flat_map(|unit| [*unit as u32, (*unit >> 32) as u32]).collect();
        let mut text = PlainText::with_capacity(words.len() * 32);
        let code = Code { words: words.as_slice().into(), ..Code::default() };
        listing::list_code(&code, Default::default(), &mut text);
        let back = asm::assemble(text.text()).map(|made| made.words);
        if back.as_ref() != Ok(&words) && self.wrong.is_none() {
            self.wrong = Some(words);
        }
    }
}

/// Goes through one operation.
fn sweep(share: Share) -> Batch {
    let mut batch = Batch { kind: share.kind, units: Vec::new(), instructions: 0, wrong: None };
    let (low, width) = share.place;
    let operation = Field { name: "", low, width };
    let mut random = Random::new(share.number.into(), low.into());
    let mut any = || u128::from(random.next()) << 64 | u128::from(random.next());
    // The pattern of other bits: zeros, ones, anything.
    let patterns: Vec<u128> = [0, u128::MAX].into_iter().chain((0..20).map(|_| any())).collect();
    let finish = |raw: u128| {
        let raw = operation.set(raw, share.number) | share.fixed;
        // Most instructions end their group.
        if matches!(share.kind, Kind::Arithmetic) { raw | 1 << 31 } else { raw }
    };
    for pattern in patterns {
        for part in share.parts {
            for value in values(*part) {
                batch.put(finish(part.set(pattern, value)));
            }
        }
    }
    for (first, one) in share.parts.iter().enumerate() {
        for other in share.parts.iter().skip(first + 1) {
            for a in boundaries(*one) {
                for b in boundaries(*other) {
                    batch.put(finish(other.set(one.put(a), b)));
                }
            }
        }
    }
    batch.look();
    batch
}

fn shares() -> Vec<Share> {
    let two = (0..256).map(|number| Share {
        kind: Kind::Arithmetic,
        parts: fields::Op2::PARTS,
        place: (39, 11),
        number,
        fixed: 0,
    });
    let three = (4..32).map(|number| Share {
        kind: Kind::Arithmetic,
        parts: fields::Op3::PARTS,
        place: (45, 5),
        number,
        fixed: 0,
    });
    let fetch = (0..32).map(|number| Share {
        kind: Kind::Fetch,
        parts: if number < 2 { fields::Vtx::PARTS } else { fields::Tex::PARTS },
        place: (0, 5),
        number,
        fixed: 0,
    });
    // Bit 5 of a normal instruction's number makes it one of arithmetic.
    let flow = (0..64).map(|number| Share {
        kind: Kind::Flow,
        parts: match number {
            39 | 40 => fields::CfExport::PARTS,
            32..=38 | 58 => fields::CfMemory::PARTS,
            _ => fields::CfNormal::PARTS,
        },
        place: (55, 7),
        number,
        fixed: 0,
    });
    let alu = (8..16).map(|number| Share {
        kind: Kind::Flow,
        parts: fields::CfAlu::PARTS,
        place: (58, 4),
        number,
        fixed: 0,
    });
    two.chain(three).chain(fetch).chain(flow).chain(alu).collect()
}

fn main() -> ExitCode {
    let start = Instant::now();
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let shares = shares();
    let next = AtomicU32::new(0);
    let done: Vec<(u64, Option<Vec<u32>>)> = thread::scope(|scope| {
        let work = || {
            let mut total = (0, None);
            while let Some(share) = shares.get(next.fetch_add(1, Ordering::Relaxed) as usize) {
                let batch = sweep(*share);
                total = (total.0 + batch.instructions, total.1.or(batch.wrong));
            }
            total
        };
        let handles: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        handles.into_iter().filter_map(|handle| handle.join().ok()).collect()
    });
    if done.len() != threads {
        println!("a thread stopped");
        return ExitCode::FAILURE;
    }
    if let Some(words) = done.iter().find_map(|(_, wrong)| wrong.as_ref()) {
        println!("these words do not come back: {words:08x?}");
        return ExitCode::FAILURE;
    }
    let count: u64 = done.iter().map(|(count, _)| count).sum();
    println!(
        "{count} instructions come back from their text; {:.1} s on {threads} threads",
        start.elapsed().as_secs_f64()
    );
    ExitCode::SUCCESS
}
