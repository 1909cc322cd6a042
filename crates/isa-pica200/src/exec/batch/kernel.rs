//! Arithmetic on rows: the loops that become vector code.
//!
//! Products are made by the plain multiplication first. Only 0 * inf differs from IEEE, and it gives NaN
//! there, so a row without NaN is right as it stands and any other is made again with the exact rule.

use super::super::super::{Compare, Condition, Index};
use super::super::alu::{self, Arithmetic, LITP_LIMIT, Single};
use super::super::program::Alu;
use super::super::run::{indexed, uniform};
use super::super::state::{State, Vector};
use super::compile::{Fetch, From, Kernel};
use unshade_ir::math;

/// Vertices that are processed together: a row is a cache line.
pub(super) const LANES: usize = 16;
/// One bit for each lane.
pub(super) const LANE_MASK: u32 = u32::MAX >> (32 - LANES);

/// One component of a register, for all lanes.
pub(super) type Row = [f32; LANES];

/// Rows of v, r and o, four for each register.
const REGISTERS: usize = 3 * 16 * 4;
/// Rows that hold fetched operands: three sources of four components.
pub(super) const SCRATCH: u16 = REGISTERS as u16;

pub(super) fn first_constant() -> usize {
    REGISTERS + 12
}

pub(super) fn vector_row(n: u8) -> u16 {
    u16::from(n & 15) * 4
}

pub(super) fn temp_row(n: u8) -> u16 {
    64 + u16::from(n & 15) * 4
}

pub(super) fn output_row(n: u8) -> u16 {
    128 + u16::from(n & 15) * 4
}

/// Registers of one block of vertices.
#[derive(Debug, Clone)]
pub(super) struct Work {
    pub(super) rows: Vec<Row>,
    pub(super) a0: [[i32; LANES]; 2],
    /// cmp.x and cmp.y, one bit for each lane.
    pub(super) cmp: [u32; 2],
    /// Instructions that each lane has done, as far as they are counted.
    pub(super) steps: [u64; LANES],
    /// Lanes that instructions write, one bit for each, where that is not all of them.
    pub(super) mask: Option<u32>,
}

impl Work {
    pub(super) fn new(rows: &[Row]) -> Self {
        Self { rows: rows.to_vec(), a0: [[0; LANES]; 2], cmp: [0; 2], steps: [0; LANES], mask: None }
    }

    /// The lanes behind the end of `values` get the default.
    pub(super) fn load_input(&mut self, register: u8, values: &[Vector], default: Vector) {
        let first = usize::from(vector_row(register));
        if let Some(vectors) = values.first_chunk() {
            return self.load(first, vectors);
        }
        let mut vectors = [default; LANES];
        for (vector, value) in vectors.iter_mut().zip(values) {
            *vector = *value;
        }
        self.load(first, &vectors);
    }

    fn load(&mut self, first: usize, vectors: &[Vector; LANES]) {
        let Some([x, y, z, w]) = self.rows[first..].first_chunk_mut() else { return };
        // Four vectors at a time: that is a few shuffles.
        for group in (0..LANES).step_by(4) {
            for lane in group..group + 4 {
                [x[lane], y[lane], z[lane], w[lane]] = vectors[lane];
            }
        }
    }

    pub(super) fn store_output(&self, register: u8, values: &mut [Vector], lanes: u32) {
        let first = usize::from(output_row(register));
        let Some([x, y, z, w]) = self.rows[first..].first_chunk() else { return };
        match values.first_chunk_mut::<LANES>() {
            Some(values) if lanes == LANE_MASK => {
                for group in (0..LANES).step_by(4) {
                    for lane in group..group + 4 {
                        values[lane] = [x[lane], y[lane], z[lane], w[lane]];
                    }
                }
            }
            _ => {
                for (lane, value) in values.iter_mut().enumerate().take(LANES) {
                    if lanes >> lane & 1 != 0 {
                        *value = [x[lane], y[lane], z[lane], w[lane]];
                    }
                }
            }
        }
    }

    /// All registers of one lane; what a program cannot write comes from `common`.
    pub(super) fn state(&self, lane: usize, common: &State) -> State {
        let vector =
            |first: u16| [0, 1, 2, 3].map(|component: u16| self.rows[usize::from(first + component)][lane]);
        let mut state = common.clone();
        for n in 0..16 {
            let register = usize::from(n);
            state.v[register] = vector(vector_row(n));
            state.r[register] = vector(temp_row(n));
            state.o[register] = vector(output_row(n));
        }
        state.a0 = self.a0.map(|a| a[lane]);
        state.cmp = self.cmp.map(|flags| flags >> lane & 1 != 0);
        state
    }

    /// Lanes in which a condition holds.
    pub(super) fn holds(&self, condition: Condition) -> u32 {
        let equal = |flags: u32, reference: bool| if reference { flags } else { !flags };
        let (x, y) = (equal(self.cmp[0], condition.ref_x), equal(self.cmp[1], condition.ref_y));
        match condition.op & 3 {
            0 => x | y,
            1 => x & y,
            2 => x,
            _ => y,
        }
    }

    /// Does an instruction that is no flow instruction.
    #[inline]
    pub(super) fn execute(&mut self, kernel: &Kernel, c: &[Vector; 96], al: i32) {
        match kernel {
            Kernel::Alu { alu, dst, mask, src, fetch } => {
                if !fetch.is_empty() {
                    self.fetch(fetch, c, al);
                }
                match self.mask {
                    None => self.arithmetic(*alu, *dst, *mask, src),
                    Some(lanes) => self.arithmetic_in(lanes, *alu, *dst, *mask, src),
                }
            }
            Kernel::Cmp { src: [a, b], by, fetch } => {
                self.fetch(fetch, c, al);
                self.compare(a, b, *by);
            }
            Kernel::Mova { src, mask, fetch } => {
                self.fetch(fetch, c, al);
                self.move_address(src, *mask);
            }
            Kernel::Flow { .. } | Kernel::Nop | Kernel::End => {}
        }
    }

    #[inline(never)]
    fn compare(&mut self, a: &[u16; 4], b: &[u16; 4], by: [Compare; 2]) {
        let lanes = self.mask.unwrap_or(LANE_MASK);
        for component in 0..2 {
            let flags = compare(by[component], self.row(a[component]), self.row(b[component]));
            self.cmp[component] = flags & lanes | self.cmp[component] & !lanes;
        }
    }

    #[inline(never)]
    fn move_address(&mut self, src: &[u16; 4], mask: u8) {
        let lanes = self.mask.unwrap_or(LANE_MASK);
        for component in (0..2).filter(|component| mask >> component & 1 != 0) {
            let address = self.row(src[component]).map(math::to_int);
            for lane in (0..LANES).filter(|lane| lanes >> lane & 1 != 0) {
                self.a0[component][lane] = address[lane];
            }
        }
    }

    /// As [`Work::arithmetic`], but only some lanes are written: the others get their old values back.
    #[inline(never)]
    fn arithmetic_in(&mut self, lanes: u32, alu: Alu, dst: u16, mask: u8, src: &[[u16; 4]; 3]) {
        let rows = [0, 1, 2, 3].map(|component| *self.row(dst + component));
        let cmp = self.cmp;
        self.arithmetic(alu, dst, mask, src);
        let mut keep = [0; LANES];
        for (lane, keep) in keep.iter_mut().enumerate() {
            *keep = if lanes & 1 << lane != 0 { 0 } else { u32::MAX };
        }
        for component in (0..4).filter(|component| mask >> component & 1 != 0) {
            let (old, new) = (&rows[component], &mut self.rows[usize::from(dst) + component]);
            *new = row(|lane| {
                f32::from_bits(old[lane].to_bits() & keep[lane] | new[lane].to_bits() & !keep[lane])
            });
        }
        for (flag, old) in self.cmp.iter_mut().zip(cmp) {
            *flag = *flag & lanes | old & !lanes;
        }
    }

    fn row(&self, n: u16) -> &Row {
        &self.rows[usize::from(n)]
    }

    #[inline(never)]
    fn fetch(&mut self, fetches: &[Fetch], c: &[Vector; 96], al: i32) {
        for Fetch { to, needed, negate, from } in fetches {
            for lane in (0..4).filter(|lane| needed >> lane & 1 != 0) {
                let row: Row = match from {
                    From::Rows(rows) => *self.row(rows[lane]),
                    From::Uniform { n, index, swizzle } => {
                        let component = usize::from(swizzle[lane] & 3);
                        let value = |offset: i32| uniform(c, indexed(*n, offset))[component];
                        match index {
                            Index::A0X => self.a0[0].map(value),
                            Index::A0Y => self.a0[1].map(value),
                            Index::AL | Index::None => [value(al); LANES],
                        }
                    }
                };
                self.rows[usize::from(*to) + lane] = if *negate { self::row(|lane| -row[lane]) } else { row };
            }
        }
    }

    fn arithmetic(&mut self, alu: Alu, dst: u16, mask: u8, src: &[[u16; 4]; 3]) {
        match alu {
            Alu::Mov => self.lanes(dst, mask, src, |[a, ..]| *a),
            Alu::Flr => self.lanes(dst, mask, src, |[a, ..]| row(|lane| math::floor(a[lane]))),
            Alu::Add => self.lanes(dst, mask, src, |[a, b, _]| zip(a, b, |x, y| x + y)),
            Alu::Mul => self.lanes(dst, mask, src, |[a, b, _]| {
                let product = zip(a, b, |x, y| x * y);
                if any_nan(&product) { zip(a, b, |x, y| Single.mul(x, y)) } else { product }
            }),
            Alu::Mad => self.lanes(dst, mask, src, |[a, b, c]| {
                let sum = row(|lane| a[lane] * b[lane] + c[lane]);
                if any_nan(&sum) { row(|lane| Single.mul(a[lane], b[lane]) + c[lane]) } else { sum }
            }),
            Alu::Max => self.lanes(dst, mask, src, |[a, b, _]| zip(a, b, alu::max)),
            Alu::Min => self.lanes(dst, mask, src, |[a, b, _]| zip(a, b, alu::min)),
            Alu::Sge => {
                self.lanes(dst, mask, src, |[a, b, _]| zip(a, b, |x, y| if x >= y { 1.0 } else { 0.0 }))
            }
            Alu::Slt => {
                self.lanes(dst, mask, src, |[a, b, _]| zip(a, b, |x, y| if x < y { 1.0 } else { 0.0 }))
            }
            Alu::Rcp => self.scalar(dst, mask, src, |a| row(|lane| math::rcp(a[lane]))),
            Alu::Rsq => self.scalar(dst, mask, src, |a| row(|lane| math::rsq(a[lane]))),
            Alu::Ex2 => self.scalar(dst, mask, src, |a| a.map(math::exp2)),
            Alu::Lg2 => self.scalar(dst, mask, src, |a| a.map(math::log2)),
            Alu::Dp3 => self.dot::<3>(dst, mask, src, false),
            Alu::Dp4 => self.dot::<4>(dst, mask, src, false),
            Alu::Dph => self.dot::<4>(dst, mask, src, true),
            Alu::Dst => self.by_lane(dst, mask, src, |lane, [a, b, _]| match lane {
                0 => [1.0; LANES],
                1 => zip(a, b, |x, y| Single.mul(x, y)),
                2 => *a,
                _ => *b,
            }),
            Alu::Litp => {
                // Before a lane of the source may be overwritten.
                self.cmp = [0, 3].map(|lane| compare(Compare::Ge, self.row(src[0][lane]), &[0.0; LANES]));
                self.by_lane(dst, mask, src, |lane, [a, ..]| match lane {
                    1 => row(|lane| alu::min(alu::max(a[lane], -LITP_LIMIT), LITP_LIMIT)),
                    2 => [0.0; LANES],
                    _ => row(|lane| alu::max(a[lane], 0.0)),
                });
            }
        }
    }

    /// Every lane of the register by the same rule.
    #[inline(always)]
    fn lanes(&mut self, dst: u16, mask: u8, src: &[[u16; 4]; 3], f: impl Fn([&Row; 3]) -> Row) {
        self.by_lane(dst, mask, src, |_, rows| f(rows));
    }

    /// Each lane of the register by its own rule.
    #[inline(always)]
    fn by_lane(&mut self, dst: u16, mask: u8, src: &[[u16; 4]; 3], f: impl Fn(usize, [&Row; 3]) -> Row) {
        for lane in (0..4).filter(|lane| mask >> lane & 1 != 0) {
            let result = f(lane, [self.row(src[0][lane]), self.row(src[1][lane]), self.row(src[2][lane])]);
            self.rows[usize::from(dst) + lane] = result;
        }
    }

    /// From the first component to all.
    #[inline(always)]
    fn scalar(&mut self, dst: u16, mask: u8, src: &[[u16; 4]; 3], f: impl Fn(&Row) -> Row) {
        let result = f(self.row(src[0][0]));
        self.spread(dst, mask, &result);
    }

    #[inline(always)]
    fn dot<const TERMS: usize>(&mut self, dst: u16, mask: u8, src: &[[u16; 4]; 3], homogeneous: bool) {
        let one = [1.0; LANES];
        let a: [&Row; TERMS] =
            std::array::from_fn(|n| if homogeneous && n == 3 { &one } else { self.row(src[0][n]) });
        let b: [&Row; TERMS] = std::array::from_fn(|n| self.row(src[1][n]));
        let mut result = sum_of_products(a, b, |x, y| x * y);
        if any_nan(&result) {
            result = sum_of_products(a, b, |x, y| Single.mul(x, y));
        }
        self.spread(dst, mask, &result);
    }

    fn spread(&mut self, dst: u16, mask: u8, result: &Row) {
        for lane in (0..4).filter(|lane| mask >> lane & 1 != 0) {
            self.rows[usize::from(dst) + lane] = *result;
        }
    }
}

/// A row from each lane's value. A plain loop: it becomes vector code where an iterator may not.
#[inline(always)]
fn row(f: impl Fn(usize) -> f32) -> Row {
    let mut row = [0.0; LANES];
    for (lane, value) in row.iter_mut().enumerate() {
        *value = f(lane);
    }
    row
}

#[inline(always)]
fn zip(a: &Row, b: &Row, f: impl Fn(f32, f32) -> f32) -> Row {
    row(|lane| f(a[lane], b[lane]))
}

/// From left to right, starting from +0.
#[inline(always)]
fn sum_of_products<const TERMS: usize>(
    a: [&Row; TERMS],
    b: [&Row; TERMS],
    mul: impl Fn(f32, f32) -> f32,
) -> Row {
    let mut sum = [0.0; LANES];
    for n in 0..TERMS {
        for lane in 0..LANES {
            sum[lane] += mul(a[n][lane], b[n][lane]);
        }
    }
    sum
}

#[inline(always)]
fn any_nan(row: &Row) -> bool {
    let mut any = false;
    for x in row {
        any |= x.is_nan();
    }
    any
}

/// One bit for each lane in which the comparison holds.
fn compare(by: Compare, a: &Row, b: &Row) -> u32 {
    match by {
        Compare::Eq => bits(a, b, |x, y| x == y),
        Compare::Ne => bits(a, b, |x, y| x != y),
        Compare::Lt => bits(a, b, |x, y| x < y),
        Compare::Le => bits(a, b, |x, y| x <= y),
        Compare::Gt => bits(a, b, |x, y| x > y),
        Compare::Ge => bits(a, b, |x, y| x >= y),
        Compare::True6 | Compare::True7 => LANE_MASK,
    }
}

#[inline(always)]
fn bits(a: &Row, b: &Row, holds: impl Fn(f32, f32) -> bool) -> u32 {
    let mut bits = [0; LANES];
    for (lane, bit) in bits.iter_mut().enumerate() {
        *bit = if holds(a[lane], b[lane]) { 1 << lane } else { 0 };
    }
    bits.iter().fold(0, |all, bit| all | bit)
}
