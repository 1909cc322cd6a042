//! Instruction to text in our own language, which determines every bit of the instruction word.
//!
//! One line for each unit that is on; lines of one instruction are joined by `||`. A line is the unit, its
//! operation, what it reads, and behind `->` where the result is stored. Results of other units are
//! `^mul0` (one instruction ago) and `^^mul0` (two), a register that the instruction before has loaded is
//! `^$3.x`. Fields that no line says and that are not as usual follow in a line `fields`.

use super::inst::{Inst, Register, Source, SourceKind, Store, StoreSource};
use super::lima::REGISTERS;
use super::names::{Area, Name, Names};
use super::out::{Out, Piece};
use super::table::{
    AddOp, BESIDE_BRANCH, BESIDE_TEMPORARY, ComplexOp, EMPTY, FIELDS, Field, IDENTITY, MulOp, PassOp, Unit,
    field,
};
use crate::text::{PartKind, Sink};

/// What the lines of an instruction need to know besides the instruction.
#[derive(Debug, Clone, Copy)]
pub struct Context<'a> {
    /// Names of places.
    pub names: &'a Names,
    /// First register load of the instruction before; `None` for the first instruction.
    pub previous: Option<Register>,
    /// The instruction that follows reads the first register load of this one.
    pub shared: bool,
    /// The 32-bit words that the instruction is made of.
    pub first_word: u32,
}

/// What a line starts with: the first of an instruction, and the others.
static UNITS: [[Piece; 2]; 6] = [
    Piece::all(["    add0     ", "||  add0     "]),
    Piece::all(["    add1     ", "||  add1     "]),
    Piece::all(["    mul0     ", "||  mul0     "]),
    Piece::all(["    mul1     ", "||  mul1     "]),
    Piece::all(["    pass     ", "||  pass     "]),
    Piece::all(["    complex  ", "||  complex  "]),
];
static MUL01: [Piece; 2] = Piece::all(["    mul01    ", "||  mul01    "]);
static BRANCH: [Piece; 2] = Piece::all(["    branch   ", "||  branch   "]);
static STORE: [Piece; 2] = Piece::all(["    store    ", "||  store    "]);
static OTHER_FIELDS: [Piece; 2] = Piece::all(["    fields   ", "||  fields   "]);
static NOP: [Piece; 2] = Piece::all(["    nop", "||  nop"]);
static COMMA: Piece = Piece::new(", ");
static ARROW: Piece = Piece::new(" -> ");
static MINUS: Piece = Piece::new("-");
static ZERO: Piece = Piece::new("0");
static ONE: Piece = Piece::new("1");
static MOV: Piece = Piece::new("mov      ");
static UNUSED: Piece = Piece::new("unused");
static TEMPORARY: Piece = Piece::new("t[addr0].");
static CARET: Piece = Piece::new("^");
static MEMORY: Piece = Piece::new("t[");
static DOT: Piece = Piece::new(".");
static DOT_COMPONENTS: [Piece; 4] = Piece::all([".x", ".y", ".z", ".w"]);
static RESULTS: [[Piece; 6]; 3] = [
    Piece::all(["add0", "add1", "mul0", "mul1", "pass", "complex"]),
    Piece::all(["^add0", "^add1", "^mul0", "^mul1", "^pass", "^complex"]),
    Piece::all(["^^add0", "^^add1", "^^mul0", "^^mul1", "^^pass", "^^complex"]),
];
static UNKNOWN: [Piece; 4] = Piece::all(["unknown0", "unknown1", "unknown2", "unknown3"]);
static OFFSETS: [Piece; 8] = Piece::all([
    "+unknown0].",
    "+addr1].",
    "+addr2].",
    "+addr3].",
    "+unknown4].",
    "+unknown5].",
    "+unknown6].",
    "].",
]);
static THROUGH: [Piece; 2] = Piece::all(["@reg0", "@reg1"]);
static PREVIOUS: Piece = Piece::new("reg0.");
static VARYINGS: [Piece; 16] = Piece::all([
    "v0.", "v1.", "v2.", "v3.", "v4.", "v5.", "v6.", "v7.", "v8.", "v9.", "v10.", "v11.", "v12.", "v13.",
    "v14.", "v15.",
]);
/// Component letters by mask, bit 0 = x.
static MASKS: [Piece; 16] = Piece::all([
    "", "x", "y", "xy", "z", "xz", "yz", "xyz", "w", "xw", "yw", "xyw", "zw", "xzw", "yzw", "xyzw",
]);
static ADD: [Piece; 8] = Piece::all([
    "add      ",
    "floor    ",
    "sign     ",
    "op3      ",
    "ge       ",
    "lt       ",
    "min      ",
    "max      ",
]);
static MUL: [Piece; 8] = Piece::all([
    "mul      ",
    "complex1 ",
    "op2      ",
    "complex2 ",
    "select   ",
    "op5      ",
    "op6      ",
    "op7      ",
]);
static COMPLEX: [Piece; 16] = Piece::all([
    "off      ",
    "op1      ",
    "exp2     ",
    "log2     ",
    "rsqrt    ",
    "rcp      ",
    "op6      ",
    "op7      ",
    "op8      ",
    "mov      ",
    "addr01   ",
    "op11     ",
    "addr0    ",
    "addr1    ",
    "addr2    ",
    "addr3    ",
]);
static PASS: [Piece; 8] = Piece::all([
    "op0      ",
    "op1      ",
    "mov      ",
    "op3      ",
    "preexp2  ",
    "postlog2 ",
    "clamp    ",
    "op7      ",
]);

/// Writes one instruction with its line ends. `label` is the name of the place that its branch goes to;
/// `remark` writes what stands behind the first line.
pub(super) fn instruction<S: Sink>(
    out: &mut Out<'_, S>,
    inst: &Inst,
    word: u128,
    context: Context<'_>,
    label: Option<&str>,
    remark: impl FnOnce(&mut Out<'_, S>),
) {
    let mut printer = Printer {
        out,
        inst,
        context,
        said: 0,
        remark: Some(remark),
        tagged: !allocates_alike(inst),
        first: true,
        stored: 0,
    };
    printer.adders();
    printer.multipliers();
    printer.complex();
    printer.pass();
    printer.stores();
    if inst.branch {
        printer.start(&BRANCH);
        printer.put(PartKind::Register, &RESULTS[0][Unit::Pass as usize]);
        printer.put(PartKind::Punctuation, &COMMA);
        match label {
            Some(name) => printer.out.text(PartKind::Label, name),
            None => printer.out.number(PartKind::Immediate, inst.target.into()),
        }
        printer.say(&[field::BRANCH, field::BRANCH_LOW, field::BRANCH_TARGET]);
        printer.end();
    }
    printer.rest(word);
    if printer.first {
        printer.start(&NOP);
        printer.end();
    }
}

/// What compilers write into [`field::UNKNOWN_1`] beside such an instruction.
pub(super) fn usual_unknown(branch: bool, stores_temporary: bool) -> u8 {
    match (branch, stores_temporary) {
        (true, _) => BESIDE_BRANCH,
        (false, true) => BESIDE_TEMPORARY,
        (false, false) => 0,
    }
}

/// Whether an assembler that takes the second register load for the first register that it meets, and the
/// first load for another one, comes to the loads of this instruction.
fn allocates_alike(inst: &Inst) -> bool {
    let mut uses = inst.in_order().filter_map(|source| match source.kind() {
        SourceKind::Reg0(_) if !inst.reg0.attribute => Some((0, inst.reg0.number & 15)),
        SourceKind::Reg1(_) => Some((1, inst.reg1 & 15)),
        _ => None,
    });
    let Some((load, first)) = uses.next() else { return true };
    load == 1 && uses.all(|(load, number)| (load == 1) == (number == first))
}

impl Inst {
    /// The sources of all units that are on, in the order in which their lines name them.
    pub(super) fn in_order(&self) -> impl Iterator<Item = Source> + '_ {
        let [first, second] = self.mul;
        let selects = self.mul_op == MulOp::Select;
        let condition = if selects { first.sources[1] } else { first.sources[0] };
        let other = match (selects, self.mul_op.is_wide()) {
            (true, _) => [condition, second.sources[0], first.sources[0], Source::UNUSED],
            _ => [first.sources[0], first.sources[1], second.sources[0], second.sources[1]],
        };
        let adders = self.add.iter().filter(|add| add.sources[0] != Source::UNUSED).flat_map(|add| {
            let moves = self.add_op == AddOp::Add && add.sources[1] == Source::IDENTITY && add.negate[1];
            add.sources.into_iter().take(if moves { 1 } else { self.add_op.sources() })
        });
        let complex = (self.complex_op != ComplexOp::Off).then_some(self.complex);
        adders.chain(other).chain(complex).chain([self.pass])
    }
}

struct Printer<'a, 'b, S: Sink, R> {
    out: &'a mut Out<'b, S>,
    inst: &'a Inst,
    context: Context<'a>,
    /// Bits that the lines so far determine.
    said: u128,
    remark: Option<R>,
    /// Registers name the load that they come through.
    tagged: bool,
    /// No line has been started.
    first: bool,
    /// Units whose stores have been written, bit by [`StoreSource`] number.
    stored: u8,
}

impl<S: Sink, R: FnOnce(&mut Out<'_, S>)> Printer<'_, '_, S, R> {
    #[inline(always)]
    fn put(&mut self, kind: PartKind, text: &Piece) {
        self.out.put(kind, text);
    }

    #[inline(always)]
    fn say(&mut self, fields: &[Field]) {
        for field in fields {
            self.said |= field.mask();
        }
    }

    #[inline]
    fn start(&mut self, unit: &[Piece; 2]) {
        let later = !std::mem::replace(&mut self.first, false);
        self.out.put_two(PartKind::Punctuation, 4, PartKind::Directive, &unit[usize::from(later)]);
    }

    #[inline]
    fn start_unit(&mut self, unit: Unit) {
        self.start(&UNITS[unit as usize]);
    }

    #[inline]
    fn end(&mut self) {
        if let Some(remark) = self.remark.take() {
            remark(self.out);
        }
        let first = self.context.first_word;
        self.out.words(first..first.wrapping_add(4));
        self.out.end_line();
    }

    fn adders(&mut self) {
        const FIELDS: [[Field; 4]; 2] = [
            [field::ADD0_SRC0, field::ADD0_SRC1, field::ADD0_NEGATE0, field::ADD0_NEGATE1],
            [field::ADD1_SRC0, field::ADD1_SRC1, field::ADD1_NEGATE0, field::ADD1_NEGATE1],
        ];
        let op = self.inst.add_op;
        for (n, unit) in [Unit::Add0, Unit::Add1].into_iter().enumerate() {
            let add = self.inst.add[n];
            let [first, second] = add.sources;
            if first == Source::UNUSED {
                continue;
            }
            let moves = op == AddOp::Add && second.0 == IDENTITY && add.negate[1];
            self.start_unit(unit);
            self.put(PartKind::Mnemonic, if moves { &MOV } else { &ADD[op as usize] });
            self.source(first, None, add.negate[0]);
            self.say(&[FIELDS[n][0], FIELDS[n][2], field::ADD_OP]);
            if op.sources() > 1 {
                self.say(&[FIELDS[n][1], FIELDS[n][3]]);
                if !moves {
                    self.put(PartKind::Punctuation, &COMMA);
                    self.source(second, Some(&ZERO), add.negate[1]);
                }
            }
            self.destination(unit);
            self.values(&[first, second][..if moves { 1 } else { op.sources() }]);
            self.end();
        }
    }

    fn multipliers(&mut self) {
        const FIELDS: [[Field; 3]; 2] = [
            [field::MUL0_SRC0, field::MUL0_SRC1, field::MUL0_NEGATE],
            [field::MUL1_SRC0, field::MUL1_SRC1, field::MUL1_NEGATE],
        ];
        let op = self.inst.mul_op;
        let [first, second] = self.inst.mul;
        if op.is_wide() {
            self.start(&MUL01);
            self.put(PartKind::Mnemonic, &MUL[op as usize]);
            self.say(&[FIELDS[0][0], FIELDS[0][1], FIELDS[1][0], field::MUL_OP]);
            if op == MulOp::Select {
                self.source(first.sources[1], Some(&ONE), false);
                for source in [second.sources[0], first.sources[0]] {
                    self.put(PartKind::Punctuation, &COMMA);
                    self.source(source, None, false);
                }
            } else {
                self.say(&[FIELDS[1][1]]);
                for (n, source) in first.sources.into_iter().chain(second.sources).enumerate() {
                    if n > 0 {
                        self.put(PartKind::Punctuation, &COMMA);
                    }
                    self.source(source, (n & 1 == 1).then_some(&ONE), false);
                }
            }
            self.destination(Unit::Mul0);
            self.values(&[first.sources[0], first.sources[1], second.sources[0], second.sources[1]]);
            self.end();
            return;
        }
        for (n, unit) in [Unit::Mul0, Unit::Mul1].into_iter().enumerate() {
            let mul = self.inst.mul[n];
            if mul.sources == [Source::UNUSED; 2] {
                continue;
            }
            // The operation is that of the first multiplier where that one is on.
            let joins = n == 0 && op == MulOp::Complex2;
            let moves = !joins && mul.sources[1] == Source::IDENTITY && !mul.negate;
            self.start_unit(unit);
            self.put(
                PartKind::Mnemonic,
                match (moves, joins) {
                    (true, _) => &MOV,
                    (_, true) => &MUL[MulOp::Complex2 as usize],
                    _ => &MUL[MulOp::Mul as usize],
                },
            );
            self.source(mul.sources[0], None, false);
            if !moves {
                self.put(PartKind::Punctuation, &COMMA);
                self.source(mul.sources[1], Some(&ONE), mul.negate);
            }
            self.say(&FIELDS[n]);
            if joins || op == MulOp::Mul {
                self.say(&[field::MUL_OP]);
            }
            self.destination(unit);
            self.values(&mul.sources);
            self.end();
        }
    }

    fn complex(&mut self) {
        let Inst { complex, complex_op, .. } = *self.inst;
        if complex_op == ComplexOp::Off {
            return;
        }
        self.start_unit(Unit::Complex);
        self.put(PartKind::Mnemonic, &COMPLEX[complex_op as usize]);
        self.source(complex, None, false);
        self.say(&[field::COMPLEX_OP, field::COMPLEX_SRC]);
        self.destination(Unit::Complex);
        self.values(&[complex]);
        self.end();
    }

    fn pass(&mut self) {
        let Inst { pass, pass_op, .. } = *self.inst;
        if pass == Source::UNUSED {
            return;
        }
        self.start_unit(Unit::Pass);
        self.put(PartKind::Mnemonic, &PASS[pass_op as usize]);
        self.source(pass, None, false);
        self.say(&[field::PASS_OP, field::PASS_SRC]);
        let clamps = pass_op == PassOp::Clamp;
        if clamps {
            for bound in 0..2 {
                self.put(PartKind::Punctuation, &COMMA);
                self.load(bound);
            }
        }
        self.destination(Unit::Pass);
        self.values(&[pass, Source(12), Source(13)][..if clamps { 3 } else { 1 }]);
        self.end();
    }

    /// Stores of units that have no line.
    fn stores(&mut self) {
        for number in 0..7 {
            let source = StoreSource(number);
            let used = self.inst.store.iter().any(|store| store.sources.contains(&source));
            if !used || self.stored >> number & 1 != 0 {
                continue;
            }
            self.start(&STORE);
            match source.unit() {
                Some(unit) => self.put(PartKind::Register, &RESULTS[0][unit as usize]),
                None => self.out.text(PartKind::Register, "unknown5"),
            }
            self.targets(source);
            self.end();
        }
    }

    #[inline]
    fn destination(&mut self, unit: Unit) {
        self.targets(StoreSource::of(unit));
    }

    /// Where the store slots put a result.
    fn targets(&mut self, source: StoreSource) {
        const SLOTS: [[Field; 5]; 2] = [
            [
                field::STORE0_X,
                field::STORE0_Y,
                field::STORE0_TEMPORARY,
                field::STORE0_ADDRESS,
                field::STORE0_VARYING,
            ],
            [
                field::STORE1_Z,
                field::STORE1_W,
                field::STORE1_TEMPORARY,
                field::STORE1_ADDRESS,
                field::STORE1_VARYING,
            ],
        ];
        let mut masks = [0; 2];
        for (slot, store) in self.inst.store.iter().enumerate() {
            for (n, &stored) in store.sources.iter().enumerate() {
                if stored == source {
                    masks[slot] |= 1 << (2 * slot + n);
                    self.said |= SLOTS[slot][n].mask();
                }
            }
            if masks[slot] != 0 {
                self.say(&SLOTS[slot][2..if store.temporary { 3 } else { 5 }]);
            }
        }
        self.stored |= 1 << source.0;
        if masks == [0; 2] {
            return;
        }
        let [low, high] = self.inst.store;
        let alike = low.temporary == high.temporary
            && (low.temporary || (low.varying, low.number) == (high.varying, high.number));
        self.put(PartKind::Punctuation, &ARROW);
        if alike {
            return self.target(&low, masks[0] | masks[1]);
        }
        if masks[0] != 0 {
            self.target(&low, masks[0]);
        }
        if masks[1] != 0 {
            if masks[0] != 0 {
                self.put(PartKind::Punctuation, &COMMA);
            }
            self.target(&high, masks[1]);
        }
    }

    fn target(&mut self, store: &Store, mask: u8) {
        if store.temporary {
            self.put(PartKind::Register, &TEMPORARY);
        } else if store.varying {
            let word = u32::from(store.number) * 4 + mask.trailing_zeros();
            // All components have to belong to one name.
            if let Some((name, component)) = self.context.names.at(Area::Varying, word) {
                let shift = name.word & 3;
                let room = ((1u8 << name.components) - 1) << shift;
                if mask & !room == 0 && u16::from(component) + name.word == word as u16 {
                    let text = &name.text;
                    self.out.text(PartKind::Name, text);
                    if name.components > 1 {
                        self.put(PartKind::Name, &DOT);
                        self.put(PartKind::Name, &MASKS[usize::from(mask >> shift)]);
                    }
                    return;
                }
            }
            self.put(PartKind::Register, &VARYINGS[usize::from(store.number & 15)]);
        } else {
            self.put(PartKind::Register, &REGISTERS[0][usize::from(store.number & 15)]);
        }
        self.put(PartKind::Register, &MASKS[usize::from(mask & 15)]);
    }

    /// A named component, or `false`.
    #[inline]
    fn named(&mut self, area: Area, word: u32) -> bool {
        let names = self.context.names;
        let Some((name, component)) = names.at(area, word) else { return false };
        self.out.text(PartKind::Name, &name.text);
        if name.components > 1 {
            self.put(PartKind::Name, &DOT_COMPONENTS[usize::from(component & 3)]);
        }
        true
    }

    fn load(&mut self, component: u8) {
        self.say(&[field::LOAD_ADDRESS, field::LOAD_OFFSET]);
        let load = self.inst.load;
        let address = u32::from(load.address);
        let direct = load.offset == super::table::NO_OFFSET;
        if direct && self.named(Area::Memory, address * 4 + u32::from(component)) {
            return;
        }
        let names = self.context.names;
        let starts = |name: &&Name| !direct && name.word == load.address * 4;
        match names.at(Area::Memory, address * 4).map(|(name, _)| name).filter(starts) {
            Some(name) => {
                self.put(PartKind::Register, &MEMORY);
                self.out.text(PartKind::Name, &name.text);
            }
            None => {
                self.put(PartKind::Register, &MEMORY);
                self.out.number(PartKind::Register, address);
            }
        }
        self.put(PartKind::Register, &OFFSETS[usize::from(load.offset & 7)]);
        self.out.component(PartKind::Register, component);
    }

    #[inline]
    fn register(&mut self, register: Register, component: u8) {
        let word = u32::from(register.number) * 4 + u32::from(component);
        if register.attribute && self.named(Area::Attribute, word) {
            return;
        }
        let names = &REGISTERS[usize::from(register.attribute)];
        self.put(PartKind::Register, &names[usize::from(register.number & 15)]);
        self.out.component(PartKind::Register, component);
    }

    /// A source; `neutral` is how the neutral element is written where there is one.
    #[inline]
    fn source(&mut self, source: Source, neutral: Option<&'static Piece>, negate: bool) {
        if negate {
            self.put(PartKind::Punctuation, &MINUS);
        }
        match source.kind() {
            SourceKind::Reg0(component) => {
                let register = self.inst.reg0;
                self.say(&[field::REG0_ADDRESS, field::REG0_ATTRIBUTE]);
                self.register(register, component);
                if self.tagged && !register.attribute {
                    self.put(PartKind::Directive, &THROUGH[0]);
                }
            }
            SourceKind::Reg1(component) => {
                self.say(&[field::REG1_ADDRESS]);
                self.register(Register { number: self.inst.reg1, attribute: false }, component);
                if self.tagged {
                    self.put(PartKind::Directive, &THROUGH[1]);
                }
            }
            SourceKind::PreviousReg0(component) => {
                self.put(PartKind::Punctuation, &CARET);
                match self.context.previous {
                    Some(register) => self.register(register, component),
                    None => {
                        self.put(PartKind::Register, &PREVIOUS);
                        self.out.component(PartKind::Register, component);
                    }
                }
            }
            SourceKind::Unknown(n) => self.put(PartKind::Register, &UNKNOWN[usize::from(n & 3)]),
            SourceKind::Load(component) => self.load(component),
            SourceKind::Result(unit, back) => self.result(unit, back),
            SourceKind::Unused => self.put(PartKind::Plain, &UNUSED),
            SourceKind::Identity => match neutral {
                Some(text) => self.put(PartKind::Immediate, text),
                None => self.result(Unit::Complex, 1),
            },
        }
    }

    #[inline]
    fn result(&mut self, unit: Unit, back: u8) {
        let back = usize::from(back % 3);
        self.out.put_two(PartKind::Punctuation, back, PartKind::Register, &RESULTS[back][unit as usize]);
    }

    /// A remark with the values of the constants among these sources.
    #[inline]
    fn values(&mut self, sources: &[Source]) {
        let load = self.inst.load;
        if load.offset != super::table::NO_OFFSET {
            return;
        }
        let mut first = true;
        for source in sources {
            let SourceKind::Load(component) = source.kind() else { continue };
            let names = self.context.names;
            let Some(value) = names.value(u32::from(load.address) * 4 + u32::from(component)) else {
                continue;
            };
            if first {
                self.out.pad_to(56);
            }
            self.out.text(PartKind::Comment, if first { "; " } else { ", " });
            self.out.text(PartKind::Comment, value);
            first = false;
        }
    }

    /// The fields that the lines so far do not determine and that are not as usual.
    fn rest(&mut self, word: u128) {
        if self.context.shared {
            self.say(&[field::REG0_ADDRESS, field::REG0_ATTRIBUTE]);
        }
        let usual = usual_unknown(self.inst.branch, self.inst.stores_temporary());
        let expected = EMPTY & !field::UNKNOWN_1.mask() | field::UNKNOWN_1.put(usual.into());
        let mut different = (word ^ expected) & !self.said;
        if different == 0 {
            return;
        }
        self.start(&OTHER_FIELDS);
        for field in FIELDS {
            if different & field.mask() == 0 {
                continue;
            }
            different &= !field.mask();
            self.out.text(PartKind::Directive, field.name);
            self.out.text(PartKind::Punctuation, "=");
            self.out.number(PartKind::Immediate, field.get(word));
            if different == 0 {
                break;
            }
            self.put(PartKind::Punctuation, &COMMA);
        }
        self.end();
    }
}
