//! What an instruction does, without what its encoding looks like.
//!
//! Forms that differ only in where a source comes from, or in how operands are packed, are one operation here.
//! [`Instruction::decode`] makes it from a word; the interpreter and the lift go by it alone.

mod arithmetic;
pub mod atomic;
mod decode;
mod flow;
mod memory;
mod operand;
mod stops;

pub use arithmetic::*;
pub use flow::*;
pub use memory::*;
pub use operand::*;
pub use stops::stops;

use super::{Predicate, Register};

/// An instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Instruction {
    /// It does something only where this holds.
    pub guard: Predicate,
    /// What it does.
    pub operation: Operation,
}

/// What an instruction does. `d` is what is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "each variant says what its fields are for")]
pub enum Operation {
    // ---- floats
    /// `d = a + b`, rounded, clamped to 0..1 where it saturates.
    FloatAdd { d: Destination, a: Float, b: Float, flush: bool, rounding: Rounding, saturate: bool },
    /// `d = a * b * scale`.
    FloatMultiply {
        d: Destination,
        a: Float,
        b: Float,
        scale: Scale,
        denormals: Denormals,
        rounding: Rounding,
        saturate: bool,
    },
    /// `d = a * b + c`, rounded once.
    FloatFusedMultiplyAdd {
        d: Destination,
        a: Float,
        b: Float,
        c: Float,
        denormals: Denormals,
        rounding: Rounding,
        saturate: bool,
    },
    /// `d = least ? min(a, b) : max(a, b)`: a NaN loses against a number.
    FloatMinMax { d: Destination, a: Float, b: Float, least: Predicate, flush: bool },
    /// `d = c compared with 0 ? a : b`.
    FloatSelect { d: Destination, a: Float, b: Float, c: Float, compare: CompareFloat, flush: bool },
    /// `d = (a compared with b) combined`.
    FloatSet {
        d: Destination,
        a: Float,
        b: Float,
        compare: CompareFloat,
        combined: Combined,
        flush: bool,
        truth: Truth,
    },
    /// The same into predicates.
    FloatSetPredicate {
        p: Predicates,
        a: Float,
        b: Float,
        compare: CompareFloat,
        combined: Combined,
        flush: bool,
    },
    /// `p = a / b needs the slow path` (`FCHK.DIVIDE`).
    FloatCheckDivide { p: u8, a: Float, b: Float },
    /// Each lane of a quad adds its own sign of `a` and `b`: `pattern` has two bits for each lane, those of lane 0
    /// highest: 0 `a + b`, 1 `b - a`, 2 `a - b`, 3 `b`.
    FloatSwizzleAdd {
        d: Destination,
        a: Register,
        b: Register,
        pattern: u8,
        flush: bool,
        rounding: Rounding,
        no_derivatives: bool,
    },
    /// `d = function(a)`.
    FloatFunction { d: Register, function: Function, a: Float, saturate: bool },
    /// `d = a` prepared for sine and cosine or (`exponent`) for the power of two.
    RangeReduce { d: Register, a: Float, exponent: bool },

    // ---- doubles
    /// `d = a + b`.
    DoubleAdd { d: Destination, a: Double, b: Double, rounding: Rounding },
    /// `d = a * b`.
    DoubleMultiply { d: Destination, a: Double, b: Double, rounding: Rounding },
    /// `d = a * b + c`.
    DoubleFusedMultiplyAdd { d: Destination, a: Double, b: Double, c: Double, rounding: Rounding },
    /// As [`Operation::FloatMinMax`].
    DoubleMinMax { d: Destination, a: Double, b: Double, least: Predicate },
    /// As [`Operation::FloatSet`]; `d` has 32 bits.
    DoubleSet {
        d: Destination,
        a: Double,
        b: Double,
        compare: CompareFloat,
        combined: Combined,
        truth: Truth,
    },
    /// The same into predicates.
    DoubleSetPredicate { p: Predicates, a: Double, b: Double, compare: CompareFloat, combined: Combined },

    // ---- halves, two at a time
    /// `d = a + b`.
    HalfAdd { d: Register, a: Halves, b: Halves, output: HalfOutput, flush: bool, saturate: bool },
    /// `d = a * b`.
    HalfMultiply {
        d: Register,
        a: Halves,
        b: Halves,
        output: HalfOutput,
        denormals: Denormals,
        saturate: bool,
    },
    /// `d = a * b + c`.
    HalfFusedMultiplyAdd {
        d: Register,
        a: Halves,
        b: Halves,
        c: Halves,
        output: HalfOutput,
        denormals: Denormals,
        saturate: bool,
    },
    /// Each half of `d` is the truth of its own comparison, combined.
    HalfSet {
        d: Register,
        a: Halves,
        b: Halves,
        compare: CompareFloat,
        combined: Combined,
        flush: bool,
        truth: Truth,
    },
    /// Into predicates: the lower half's result and the upper's; with `both` the first is both and the second
    /// its opposite.
    HalfSetPredicate {
        p: Predicates,
        a: Halves,
        b: Halves,
        compare: CompareFloat,
        combined: Combined,
        flush: bool,
        both: bool,
    },

    // ---- integers
    /// `d = a + b (+ carry)`; `plus_one`: + 1 (`.PO`).
    IntAdd { d: Destination, a: Integer, b: Integer, carry: bool, plus_one: bool, saturate: bool },
    /// `d = shift(part(a) + part(b)) + part(c) (+ carry)`.
    IntAdd3 {
        d: Destination,
        a: Integer,
        b: Integer,
        c: Integer,
        parts: [AddPart; 3],
        shift: AddShift,
        carry: bool,
    },
    /// `d = a * b`, the lower or (`high`) the upper half.
    IntMultiply { d: Destination, a: Source, b: Source, signed: [bool; 2], high: bool },
    /// `d = a * b + c (+ carry)`; `negate_product`, `c.negate`, `plus_one` as `.PO`.
    IntMultiplyAdd {
        d: Destination,
        a: Source,
        b: Source,
        c: Integer,
        signed: [bool; 2],
        high: bool,
        carry: bool,
        saturate: bool,
        negate_product: bool,
        plus_one: bool,
    },
    /// `d = part(a) * part(b) + part(c)`, its lower 32 bits (`IMADSP`).
    IntMultiplyAddParts { d: Destination, a: PartOf, b: PartOf, c: PartOf },
    /// `d = half(a) * half(b) [<< 16] + addend`, then (`merge`) the upper half replaced by the lower half of b.
    MultiplyAdd16 {
        d: Destination,
        a: PartOf,
        b: PartOf,
        b_word: Source,
        c: Source,
        addend: MultiplyAddend,
        shift_product: bool,
        merge: bool,
        carry: bool,
    },
    /// `d = (a << shift) + b`.
    ShiftAdd { d: Destination, a: Integer, b: Integer, shift: u8, plus_one: bool },
    /// `d = (a << shift) + b (+ carry)`; `p`: whether the sum is not zero.
    LoadEffectiveAddress { d: Destination, p: u8, a: Integer, b: Source, shift: u8, carry: bool },
    /// `d = (upper half of {c:a} << shift) + b (+ carry)`: the part of `a` (low) and `c` (high) that lies above.
    LoadEffectiveAddressHigh {
        d: Destination,
        p: u8,
        a: Integer,
        b: Source,
        c: Register,
        shift: u8,
        carry: bool,
    },
    /// `d = least ? min(a, b) : max(a, b)`; `extended`: 0 plain; 3 `.XHI`, 2 `.XMED`, 1 `.XLO`: a word of wider
    /// numbers, the higher words first, which leave in the condition code what they found.
    IntMinMax { d: Destination, a: Source, b: Source, signed: bool, least: Predicate, extended: u8 },
    /// `d = c compared with 0 ? a : b`.
    IntSelect { d: Register, a: Source, b: Source, c: Source, compare: CompareInt, signed: bool },
    /// `d = (a compared with b) combined`; `extended`: with the condition code of the lower halves.
    IntSet {
        d: Destination,
        a: Source,
        b: Source,
        compare: CompareInt,
        signed: bool,
        combined: Combined,
        extended: bool,
        truth: Truth,
    },
    /// The same into predicates.
    IntSetPredicate {
        p: Predicates,
        a: Source,
        b: Source,
        compare: CompareInt,
        signed: bool,
        combined: Combined,
        extended: bool,
    },

    // ---- bits
    /// `d = a op b (and carry)`, `p` by the result.
    LogicTwo { d: Destination, p: u8, test: ResultTest, a: Bits, b: Bits, logic: Logic, carry: bool },
    /// `d` = bit by bit entry `a << 2 | b << 1 | c` of the table; `p` by the result.
    LogicThree {
        d: Destination,
        p: u8,
        test: ResultTest,
        a: Source,
        b: Source,
        c: Source,
        table: u8,
        carry: bool,
    },
    /// `d = a << b`; `wrap`: b modulo 32, else 0 from 32 on.
    ShiftLeft { d: Destination, a: Source, b: Source, wrap: bool, carry: bool },
    /// `d = a >> b`; `reverse` bits of a first; `extended` as in [`Operation::IntMinMax`].
    ShiftRight { d: Destination, a: Source, b: Source, signed: bool, wrap: bool, reverse: bool, extended: u8 },
    /// Part of `{c:a}` shifted by `b`: the upper word of a shift to the left, the lower of one to the right;
    /// `mode` 0 plain, 1 `.HI`, 2 `.X`, 3 `.XHI`.
    FunnelShift {
        d: Destination,
        a: Register,
        b: Source,
        c: Register,
        left: bool,
        wrap: bool,
        width: FunnelWidth,
        mode: u8,
    },
    /// `d` = bits of `a` from `b`'s lowest byte on, as many as its second says; `reverse` first.
    BitFieldExtract { d: Destination, a: Source, b: Source, signed: bool, reverse: bool },
    /// `d = c` with as many low bits of `a` put in as `b`'s second byte says, at its first.
    BitFieldInsert { d: Destination, a: Source, b: Source, c: Source },
    /// `d` = number of the highest bit (signed: that differs from the sign), or all ones; `shift`: 31 less it.
    FindLeadingOne { d: Destination, a: Bits, signed: bool, shift: bool },
    /// `d` = number of ones.
    PopulationCount { d: Register, a: Bits },
    /// `d` = bytes of `{c:a}` chosen by `b`.
    Permute { d: Register, a: Source, b: Source, c: Source, mode: PermuteMode },
    /// `d = p ? a : b`.
    Select { d: Register, a: Source, b: Source, p: Predicate },
    /// `d = a`, in the lanes of each quad whose bit in `mask` (4 bits) is set.
    Move { d: Register, a: Source, mask: u8 },

    // ---- video
    /// Sums and the like of bytes and halves; `clamped` and `unsigned_result` (`.UD`) say how the result ends.
    Video {
        d: Destination,
        video: Video,
        a: PartOf,
        b: PartOf,
        c: Source,
        merge: VideoMerge,
        unsigned_result: bool,
        saturate: bool,
    },
    /// `d = part(a) * part(b) (>> shift) + c`.
    VideoMultiplyAdd {
        d: Destination,
        a: PartOf,
        b: PartOf,
        c: Source,
        negate_product: bool,
        negate_c: bool,
        plus_one: bool,
        shift: u8,
        saturate: bool,
    },
    /// Comparison of parts into predicates.
    VideoSetPredicate { p: Predicates, a: PartOf, b: PartOf, compare: CompareInt, combined: Combined },
    /// Absolute differences of four pairs of bytes of `{b:a}`, put into `c` or added to it.
    VideoAbsoluteDifference4 { d: Destination, a: Register, b: Register, c: Register, bytes: QuadBytes },

    // ---- conversions
    /// Between floats; `integral`: rounded to an integral value (sizes equal).
    FloatToFloat {
        d: Destination,
        a: ConversionSource,
        from: FloatFormat,
        to: FloatFormat,
        negate: bool,
        absolute: bool,
        rounding: Rounding,
        integral: bool,
        flush: bool,
        saturate: bool,
    },
    /// Float to integer.
    FloatToInt {
        d: Destination,
        a: ConversionSource,
        from: FloatFormat,
        to: IntFormat,
        negate: bool,
        absolute: bool,
        rounding: Rounding,
        flush: bool,
    },
    /// Integer to float.
    IntToFloat {
        d: Destination,
        a: ConversionSource,
        from: IntFormat,
        to: FloatFormat,
        negate: bool,
        absolute: bool,
        rounding: Rounding,
    },
    /// Between integers.
    IntToInt {
        d: Destination,
        a: ConversionSource,
        from: IntFormat,
        to: IntFormat,
        negate: bool,
        absolute: bool,
        saturate: bool,
    },

    // ---- predicates and the condition code
    /// `d = (a op b) combined`.
    PredicateSet { d: Destination, a: Predicate, b: Predicate, op: Combine, combined: Combined, truth: Truth },
    /// The same into predicates.
    PredicateSetPredicate { p: Predicates, a: Predicate, b: Predicate, op: Combine, combined: Combined },
    /// `d = condition combined`.
    ConditionSet { d: Destination, condition: ConditionCode, combined: Combined, truth: Truth },
    /// The same into predicates.
    ConditionSetPredicate { p: Predicates, condition: ConditionCode, combined: Combined },
    /// `d = a` with byte `byte` replaced by the predicates (or the condition code) where `mask` has ones.
    PredicatesToRegister { d: Register, a: Register, mask: Source, byte: u8, condition_code: bool },
    /// Predicates (or the condition code) from byte `byte` of `a` where `mask` has ones.
    RegisterToPredicates { a: Register, mask: Source, byte: u8, condition_code: bool },

    // ---- memory
    /// `d = memory[a]`; `p` written with whether it was there.
    Load { d: Register, memory: Memory, a: Address, size: Size, p: u8 },
    /// `memory[a] = value`.
    Store { memory: Memory, a: Address, size: Size, value: Register },
    /// `d = constant`.
    LoadConstant { d: Register, a: IndexedConstant, size: Size },
    /// `d` = old value; the new is `op` of it and `b`.
    Atomic { d: Register, memory: Memory, a: Address, op: Atomic, ty: AtomicType, b: Register, p: u8 },
    /// `d` = old value; where it equals `compare`, `swap` is stored.
    CompareAndSwap {
        d: Register,
        memory: Memory,
        a: Address,
        wide: bool,
        compare: Register,
        swap: Register,
        p: u8,
    },
    /// `op` without the old value.
    Reduce { a: Address, op: Atomic, ty: AtomicType, b: Register },
    /// Cache control: no effect on values.
    CacheControl,
    /// Waits for memory: no effect on one invocation's values.
    MemoryBarrier,
    /// Waits for scoreboards: no effect on values.
    DependencyBarrier,

    // ---- attributes
    /// `d.. = a[..]`: `words` registers, of vertex `vertex`.
    AttributeLoad { d: Register, a: Attribute, vertex: Register, words: u8 },
    /// `a[..] = value..`.
    AttributeStore { a: Attribute, value: Register, vertex: Register, words: u8 },
    /// `d` = physical address of an attribute; `p` whether it exists.
    AttributeAddress { d: Register, p: u8, register: Register, address: u16, output: bool },
    /// `d` = interpolated attribute; times `b` in perspective mode; `offset` in pixels where sampled at one.
    Interpolate {
        d: Register,
        a: Attribute,
        mode: Interpolate,
        sample: Sample,
        b: Register,
        offset: Register,
        saturate: bool,
    },
    /// Emits a vertex and (or) ends the primitive; `d` = handle after, `a` before.
    Out { d: Register, a: Register, stream: Source, emit: bool, cut: bool },
    /// `d` = handle of input vertex `a`.
    VertexHandle { d: Register, a: Register },
    /// `d` = a property of the pixel by mode: 1 coverage mask, 2 covered, 3 offset, 4 centroid's offset, 5 index.
    PixelLoad { d: Register, p: u8, a: Register, mode: u8, offset: u8 },

    // ---- textures and images
    /// Asks a texture.
    Texture(Texture),
    /// `d.. = query(texture)`: 1 dimension (sizes and levels at level `a`), 2 type, 5 sample position, 16 filter,
    /// 18 LOD, 20 wrap, 22 border.
    TextureQuery { d: Register, a: Register, handle: Handle, query: u8, mask: u8 },
    /// `d.. = image[coordinates]`.
    ImageLoad { d: Register, image: Image, data: ImageData, p: u8 },
    /// `image[coordinates] = value..`.
    ImageStore { image: Image, data: ImageData, value: Register },
    /// As [`Operation::Atomic`]; `d` is `RZ` for `SURED`.
    ImageAtomic { d: Register, image: Image, op: Atomic, ty: AtomicType, b: Register, p: u8 },
    /// As [`Operation::CompareAndSwap`]: the value to store is in the register behind `compare`.
    ImageCompareAndSwap { d: Register, image: Image, ty: AtomicType, compare: Register, p: u8 },

    // ---- other lanes
    /// `d` = lanes in which `a` holds; `p` the answer.
    Vote { d: Register, p: u8, a: Predicate, vote: Vote },
    /// `d = a` of the lane that `b` names, within the limits of `c`; `p` whether there is one.
    Shuffle { d: Register, p: u8, a: Register, b: Source, c: Source, shuffle: Shuffle },
    /// Barrier `index` of the work group; `p` and `d` as its kind says.
    Barrier { barrier: Barrier, index: Source, threads: Source },
    /// `d` = result of a barrier's reduction, or its predicate.
    BarrierResult { d: Register, p: u8, mode: u8 },
    /// Sets barrier state.
    RegisterToBarrier,

    // ---- flow
    /// Goes on at the target where the condition holds.
    Branch { condition: ConditionCode, target: Target },
    /// Calls: pushes the place behind it.
    Call { target: Target },
    /// Pushes a place.
    Push { token: Token, target: Target },
    /// Takes the newest place of the kind, and all above it, from the stack and goes there. `EXIT` without a
    /// place ends the invocation.
    Pop { token: Token, condition: ConditionCode },
    /// The pixel will not be written; it goes on as a helper.
    Kill { condition: ConditionCode },

    // ---- system
    /// `d` = special register.
    SpecialRegister { d: Register, register: SpecialRegister, wide: bool },
    /// Nothing.
    Nop,
    /// Debugging, traps, and state that no program for graphics touches; by name.
    System(super::Form),
}
