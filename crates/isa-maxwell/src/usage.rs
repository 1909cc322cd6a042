//! What a program uses of the machine, counted from its code.

use super::class::Class;
use super::form::Form;
use super::operand_fields::{constant, is_double, registers};
use super::reachable::Reach;
use super::word::Word;
use std::collections::{BTreeMap, BTreeSet};
use unshade_stage::StageKind;

/// A range of bytes that code names, from the lowest to behind the highest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Extent {
    /// Behind the last byte.
    pub end: u32,
    /// A register is added, so that there may be more.
    pub indexed: bool,
}

impl Extent {
    fn take(&mut self, end: i64, indexed: bool) {
        self.end = self.end.max(u32::try_from(end).unwrap_or(0));
        self.indexed |= indexed;
    }
}

/// What a program uses. Only what control flow reaches is counted.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Uses {
    /// Instructions.
    pub instructions: u32,
    /// Instructions by their names.
    pub operations: BTreeMap<&'static str, u32>,
    /// Instructions by their classes.
    pub classes: BTreeMap<Class, u32>,
    /// Words that no form fits.
    pub unknown: u32,
    /// General registers: the highest named, plus 1.
    pub registers: u32,
    /// Predicates that decide, as the guard of an instruction, a bit for each.
    pub predicates: u8,
    /// Banks that constants are read from, and how far.
    pub banks: BTreeMap<u8, Extent>,
    /// Textures that instructions name: their place in the table of handles, in words.
    pub textures: BTreeSet<u32>,
    /// Images that instructions name, likewise.
    pub images: BTreeSet<u32>,
    /// Accesses to textures and images whose handle is in a register.
    pub bindless: u32,
    /// Bytes of the attribute space that are read.
    pub inputs: BTreeSet<u32>,
    /// Bytes of the attribute space that are written.
    pub outputs: BTreeSet<u32>,
    /// Bytes of the attribute space that are read back as outputs. Where a patch is divided they hold its
    /// coordinates.
    pub read_back: BTreeSet<u32>,
    /// Bytes of the patch that are read.
    pub patch_inputs: BTreeSet<u32>,
    /// Bytes of the patch that are written.
    pub patch_outputs: BTreeSet<u32>,
    /// Operands with a register for their place: constants, attributes, local and shared memory.
    pub relative: u32,
    /// Local memory.
    pub local: Extent,
    /// Shared memory.
    pub shared: Extent,
    /// The most tokens on the branch stack, taking every push as done.
    pub stack: u32,
    /// It can drop pixels.
    pub kills: bool,
    /// It writes global memory or images.
    pub stores: bool,
    /// It uses doubles.
    pub doubles: bool,
    /// It makes vertices.
    pub emits: bool,
    /// Barriers of the work group.
    pub barriers: bool,
    /// A register or constant decides where a branch goes.
    pub indirect: bool,
    /// Cycles that control words let pass, each instruction once.
    pub cycles: u64,
}

/// How the code goes at the attribute space.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Access {
    /// Bytes from the start of the space, where the word says it.
    pub(super) address: Option<u32>,
    /// How many words.
    pub(super) count: u32,
    /// Of the patch and not of a vertex.
    pub(super) patch: bool,
    /// Written, or read as an output.
    pub(super) output: bool,
    /// Written.
    pub(super) written: bool,
}

impl Access {
    /// The access of an instruction.
    pub(super) fn of(form: Form, word: Word) -> Option<Self> {
        let at = |at: u32, len: u32, indexed: bool| (!indexed).then(|| word.bits(at, len) as u32);
        Some(match form {
            // An address register in `ALD` holds a place that `AL2P` made.
            Form::Ald | Form::Ast => Self {
                address: at(20, 10, !word.register(8).is_zero()),
                count: 1 + word.bits(47, 2) as u32,
                patch: word.bit(31),
                output: form == Form::Ast || word.bit(32),
                written: form == Form::Ast,
            },
            Form::Ipa => Self {
                address: at(28, 10, word.bit(38)),
                count: 1,
                patch: false,
                output: false,
                written: false,
            },
            _ => return None,
        })
    }

    /// The addresses of its words.
    pub(super) fn addresses(self) -> impl Iterator<Item = u32> {
        let start = self.address;
        (0..self.count).filter_map(move |word| start.map(|start| start + 4 * word))
    }
}

/// Whether an instruction writes global memory or an image.
pub(super) fn stores(form: Form) -> bool {
    matches!(form.name(), "ST" | "STG" | "ATOM" | "RED" | "SUST" | "SUATOM" | "SURED")
}

/// Where an instruction goes at local or shared memory: its first byte, or what a register is added to, how many
/// bytes, and whether a register is.
pub(super) fn memory(form: Form, word: Word) -> Option<(i64, u32, bool)> {
    let size = || match word.bits(48, 3) {
        0 | 1 => 1,
        2 | 3 => 2,
        4 => 4,
        5 => 8,
        _ => 16,
    };
    Some(match form {
        Form::Ldl | Form::Stl | Form::Lds | Form::Sts => {
            (word.signed(20, 24), size(), !word.register(8).is_zero())
        }
        Form::Atoms => (word.signed(30, 22), 4, !word.register(8).is_zero()),
        Form::AtomsCas => (word.signed(30, 22), 4, !word.register(8).is_zero()),
        _ => return None,
    })
}

impl Uses {
    /// Counts what is reached.
    pub fn new(reach: &Reach) -> Self {
        let mut uses = Self { stack: reach.depth, indirect: reach.indirect, ..Self::default() };
        for placed in &reach.placed {
            uses.instructions += 1;
            uses.cycles += u64::from(placed.slot.0 & 15);
            let word = Word(placed.word);
            match Form::of(placed.word) {
                None => uses.unknown += 1,
                Some(form) => uses.take(form, word),
            }
        }
        uses
    }

    fn take(&mut self, form: Form, word: Word) {
        *self.operations.entry(form.name()).or_default() += 1;
        let class = Class::of(form);
        *self.classes.entry(class).or_default() += 1;
        if word.guard().is_never() {
            return;
        }
        self.predicates |= 1 << word.guard().number & 0x7F;
        self.registers = registers(form, word).map(|place| place.end()).fold(self.registers, u32::max);
        if let Some(read) = constant(form, word) {
            let end = i64::from(read.offset) + i64::from(read.size);
            self.relative += u32::from(read.indexed);
            self.banks.entry(read.bank).or_default().take(end, read.indexed);
        }
        self.kills |= form == Form::Kil;
        self.stores |= stores(form);
        self.doubles |= is_double(form);
        self.emits |= form.name() == "OUT";
        self.barriers |= form == Form::Bar;
        if let Some((start, size, indexed)) = memory(form, word) {
            let space =
                if matches!(form, Form::Ldl | Form::Stl) { &mut self.local } else { &mut self.shared };
            self.relative += u32::from(indexed);
            space.take(start + i64::from(size), indexed);
        }
        if let Some(access) = Access::of(form, word) {
            self.relative += u32::from(access.address.is_none());
            let space = match (access.patch, access.written) {
                (false, false) if access.output => &mut self.read_back,
                (false, false) => &mut self.inputs,
                (false, true) => &mut self.outputs,
                (true, false) => &mut self.patch_inputs,
                (true, true) => &mut self.patch_outputs,
            };
            space.extend(access.addresses());
        }
        match (class, handle(form, word)) {
            (Class::Texture, Handle::Place(place)) => {
                self.textures.insert(place);
            }
            (Class::Image, Handle::Place(place)) => {
                self.images.insert(place);
            }
            (_, Handle::Register) => self.bindless += 1,
            _ => {}
        }
    }

    /// Which kind of program it seems to be: one that interpolates or drops is for pixels, one that makes vertices
    /// for primitives, one that writes the attribute space for vertices; any other computes.
    pub fn kind(&self) -> StageKind {
        let has = |name: &str| self.operations.contains_key(name);
        if has("IPA") || has("KIL") || has("PIXLD") {
            StageKind::Fragment
        } else if self.emits {
            StageKind::Geometry
        } else if !self.patch_outputs.is_empty() {
            StageKind::TessControl
        } else if !self.patch_inputs.is_empty() {
            StageKind::TessEval
        } else if has("AST") || has("ALD") {
            StageKind::Vertex
        } else {
            StageKind::Compute
        }
    }

    /// Instructions of a class.
    pub fn of_class(&self, class: Class) -> u32 {
        self.classes.get(&class).copied().unwrap_or(0)
    }
}

/// Where the handle of a texture or an image comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Handle {
    /// The instruction works on none.
    None,
    /// From the table: this word of it.
    Place(u32),
    /// From a register.
    Register,
}

/// The handle of a texture or an image that an instruction works on.
pub fn handle(form: Form, word: Word) -> Handle {
    use Form::*;
    match form {
        TexB | TldB | Tld4B | TxdB | TxqB | TmmlB | CctltReg | SuldB | SuldDB | SustB | SustDB | SuredB
        | SuredPR | SuatomB | SuatomB2 | SuatomCasB | SuatomCasP | SuatomP => Handle::Register,
        Tex | Texs | TexsF16 | Tld | Tld4 | Tld4s | Tld4sF16 | Tlds | TldsF16 | Txd | Txq | Tmml | Txa
        | Suld | SuldD | Sust | SustD | Sured | SuredPI | Suatom | SuatomCas | SuatomCasPI | SuatomPI => {
            Handle::Place(word.bits(36, 13) as u32)
        }
        _ => Handle::None,
    }
}
