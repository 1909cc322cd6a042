//! Operands become row numbers once, so that running an instruction is arithmetic on rows and nothing else.

use super::super::super::{Compare, Index, inst::RegKind};
use super::super::flow::{Test, Transfer};
use super::super::program::{Alu, Op, Program, Source};
use super::super::state::State;
use super::kernel::{LANES, Row, SCRATCH, first_constant, output_row, temp_row, vector_row};
use std::collections::{BTreeMap, BTreeSet};

/// An instruction over rows.
#[derive(Debug, Clone)]
pub(super) enum Kernel {
    Alu { alu: Alu, dst: u16, mask: u8, src: [[u16; 4]; 3], fetch: Vec<Fetch> },
    Cmp { src: [[u16; 4]; 2], by: [Compare; 2], fetch: Vec<Fetch> },
    Mova { src: [u16; 4], mask: u8, fetch: Vec<Fetch> },
    Flow { transfer: Transfer, test: Test },
    Nop,
    End,
}

/// Fills scratch rows before an instruction reads them.
#[derive(Debug, Clone)]
pub(super) struct Fetch {
    /// First of the four rows to fill.
    pub(super) to: u16,
    /// Which of the four the instruction reads, bit 0 = x.
    pub(super) needed: u8,
    pub(super) negate: bool,
    pub(super) from: From,
}

/// What scratch rows are filled with.
#[derive(Debug, Clone)]
pub(super) enum From {
    Rows([u16; 4]),
    Uniform { n: u8, index: Index, swizzle: [u8; 4] },
}

/// A program over rows.
#[derive(Debug, Clone)]
pub(super) struct Compiled {
    pub(super) kernels: Vec<Kernel>,
    /// Registers as they are before the run, then the constants of the program.
    pub(super) rows: Vec<Row>,
    /// Rows that the program writes: their old values must not be seen by the next block.
    pub(super) written: Vec<u16>,
    /// Those of them that are not surely written before anything reads them.
    pub(super) exposed: Vec<u16>,
    /// How many instructions each run does before `exposed` is all that has to be set.
    pub(super) prefix: u64,
}

pub(super) fn compile(program: &Program, common: &State) -> Compiled {
    let mut compiler = Compiler { common, constants: BTreeMap::new(), rows: initial_rows(common) };
    let kernels: Vec<Kernel> = program.ops.iter().map(|op| compiler.kernel(op)).collect();
    let mut written: Vec<u16> = kernels.iter().flat_map(Kernel::writes).collect();
    written.sort_unstable();
    written.dedup();
    // Every run goes through the instructions up to the first that may branch.
    let entry = kernels.get(program.entry as usize..).unwrap_or(&[]);
    let straight = entry.iter().take_while(|kernel| !matches!(kernel, Kernel::Flow { .. } | Kernel::End));
    let (mut seen, mut covered) = (BTreeSet::new(), BTreeSet::new());
    let mut prefix = 0;
    for kernel in straight {
        seen.extend(kernel.reads());
        covered.extend(kernel.writes().filter(|row| !seen.contains(row)));
        prefix += 1;
    }
    let exposed = written.iter().copied().filter(|row| !covered.contains(row)).collect();
    Compiled { kernels, rows: compiler.rows, written, exposed, prefix }
}

impl Kernel {
    /// Rows of registers that it reads.
    fn reads(&self) -> impl Iterator<Item = u16> {
        let (operands, fetch): (&[[u16; 4]], &[Fetch]) = match self {
            Self::Alu { src, fetch, .. } => (src, fetch),
            Self::Cmp { src, fetch, .. } => (src, fetch),
            Self::Mova { src, fetch, .. } => (std::slice::from_ref(src), fetch),
            Self::Flow { .. } | Self::Nop | Self::End => (&[], &[]),
        };
        let fetched = fetch.iter().filter_map(|fetch| match &fetch.from {
            From::Rows(rows) => Some(rows),
            From::Uniform { .. } => None,
        });
        operands.iter().chain(fetched).flatten().copied()
    }

    /// Rows of registers that it writes.
    fn writes(&self) -> impl Iterator<Item = u16> + use<> {
        let (dst, mask) = match self {
            Self::Alu { dst, mask, .. } => (*dst, *mask),
            _ => (0, 0),
        };
        (0..4).filter(move |lane| mask >> lane & 1 != 0).map(move |lane| dst + lane)
    }
}

fn initial_rows(common: &State) -> Vec<Row> {
    let registers = common.v.iter().chain(&common.r).chain(&common.o);
    let mut rows: Vec<Row> = registers.flatten().map(|&value| [value; LANES]).collect();
    rows.resize(first_constant(), [0.0; LANES]);
    rows
}

struct Compiler<'a> {
    common: &'a State,
    /// Row of each constant by its bits.
    constants: BTreeMap<u32, u16>,
    rows: Vec<Row>,
}

impl Compiler<'_> {
    fn kernel(&mut self, op: &Op) -> Kernel {
        let mut fetch = Vec::new();
        match *op {
            Op::Alu { alu, dest, mask, src } => {
                let dst = match dest.output() {
                    Some(n) => output_row(n),
                    None => temp_row(dest.0 & 15),
                };
                let mut slot = 0;
                let src = src.map(|source| {
                    let rows = self.operand(source, slot, needed(alu, mask, slot), &mut fetch);
                    slot += 1;
                    rows
                });
                let src = self.separate(alu, dst, mask, src, &mut fetch);
                Kernel::Alu { alu, dst, mask, src, fetch }
            }
            Op::Cmp { src: [a, b], by } => {
                let src = [self.operand(a, 0, 0b0011, &mut fetch), self.operand(b, 1, 0b0011, &mut fetch)];
                Kernel::Cmp { src, by, fetch }
            }
            Op::Mova { src, mask } => {
                let src = self.operand(src, 0, mask & 0b0011, &mut fetch);
                Kernel::Mova { src, mask, fetch }
            }
            Op::Flow { transfer, test } => Kernel::Flow { transfer, test },
            // Vertex programs emit nothing.
            Op::Emit | Op::SetEmit { .. } | Op::Nop => Kernel::Nop,
            Op::End => Kernel::End,
        }
    }

    /// Rows of an operand, after its fetch where it needs one.
    fn operand(&mut self, source: Source, slot: usize, needed: u8, fetch: &mut Vec<Fetch>) -> [u16; 4] {
        if needed == 0 {
            return [0; 4];
        }
        let to = SCRATCH + 4 * slot as u16;
        let from = match (source.reg, source.index) {
            (RegKind::Float(n), Index::None) => {
                let value = self.common.c.get(usize::from(n)).copied().unwrap_or([1.0; 4]);
                return source.swizzle.map(|component| {
                    let value = value[usize::from(component & 3)];
                    self.constant(if source.negate { -value } else { value })
                });
            }
            (RegKind::Float(n), index) => From::Uniform { n, index, swizzle: source.swizzle },
            (RegKind::Input(n), _) => {
                From::Rows(source.swizzle.map(|component| vector_row(n) + u16::from(component)))
            }
            (RegKind::Temp(n), _) => {
                From::Rows(source.swizzle.map(|component| temp_row(n) + u16::from(component)))
            }
        };
        match from {
            From::Rows(rows) if !source.negate => rows,
            from => {
                fetch.push(Fetch { to, needed, negate: source.negate, from });
                [0, 1, 2, 3].map(|lane| to + lane)
            }
        }
    }

    /// An instruction that works lane by lane writes a lane before it reads the next one: operands whose
    /// later lanes lie in earlier lanes of the destination are copied first.
    fn separate(
        &self,
        alu: Alu,
        dst: u16,
        mask: u8,
        src: [[u16; 4]; 3],
        fetch: &mut Vec<Fetch>,
    ) -> [[u16; 4]; 3] {
        let at_once = [Alu::Dp3, Alu::Dp4, Alu::Dph, Alu::Ex2, Alu::Lg2, Alu::Rcp, Alu::Rsq];
        if at_once.contains(&alu) {
            return src;
        }
        let mut slot = 0;
        src.map(|rows| {
            let needed = needed(alu, mask, slot);
            let to = SCRATCH + 4 * slot as u16;
            slot += 1;
            let overwritten = (1..4).any(|lane| {
                let earlier = (0..lane).filter(|earlier| mask >> earlier & 1 != 0);
                needed >> lane & 1 != 0
                    && earlier.into_iter().any(|earlier| rows[lane] == dst + earlier as u16)
            });
            if !overwritten || rows[0] == to {
                return rows;
            }
            fetch.push(Fetch { to, needed, negate: false, from: From::Rows(rows) });
            [0, 1, 2, 3].map(|lane| to + lane)
        })
    }

    fn constant(&mut self, value: f32) -> u16 {
        let rows = &mut self.rows;
        *self.constants.entry(value.to_bits()).or_insert_with(|| {
            rows.push([value; LANES]);
            // At most 4096 instructions with one uniform of four components each.
            (rows.len() - 1) as u16
        })
    }
}

/// Components of a source that an instruction reads, bit 0 = x.
fn needed(alu: Alu, mask: u8, slot: usize) -> u8 {
    let sources = match alu {
        Alu::Ex2 | Alu::Lg2 | Alu::Litp | Alu::Flr | Alu::Rcp | Alu::Rsq | Alu::Mov => 1,
        Alu::Mad => 3,
        _ => 2,
    };
    if slot >= sources {
        return 0;
    }
    match alu {
        Alu::Dp3 => 0b0111,
        Alu::Dp4 => 0b1111,
        Alu::Dph if slot == 0 => 0b0111,
        Alu::Dph => 0b1111,
        Alu::Ex2 | Alu::Lg2 | Alu::Rcp | Alu::Rsq => 0b0001,
        Alu::Dst if slot == 0 => mask & 0b0110,
        Alu::Dst => mask & 0b1010,
        // The flags need x and w whatever the mask says.
        Alu::Litp => mask & 0b0010 | 0b1001,
        _ => mask,
    }
}
