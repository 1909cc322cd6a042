//! How registers, masks and swizzles are written, and the names that a file gives to registers.

use super::{Dest, Reg, Swizzle, asm::operand::Class};
use unshade_isa_common::text::{PartKind, Short, Sink};

/// Source registers by their number in a wide field.
#[rustfmt::skip]
static SOURCES: [Short<'static>; 128] = Short::all([
    "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9", "v10", "v11", "v12", "v13", "v14", "v15",
    "r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15",
    "c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8", "c9", "c10", "c11", "c12", "c13", "c14", "c15",
    "c16", "c17", "c18", "c19", "c20", "c21", "c22", "c23", "c24", "c25", "c26", "c27", "c28", "c29", "c30", "c31",
    "c32", "c33", "c34", "c35", "c36", "c37", "c38", "c39", "c40", "c41", "c42", "c43", "c44", "c45", "c46", "c47",
    "c48", "c49", "c50", "c51", "c52", "c53", "c54", "c55", "c56", "c57", "c58", "c59", "c60", "c61", "c62", "c63",
    "c64", "c65", "c66", "c67", "c68", "c69", "c70", "c71", "c72", "c73", "c74", "c75", "c76", "c77", "c78", "c79",
    "c80", "c81", "c82", "c83", "c84", "c85", "c86", "c87", "c88", "c89", "c90", "c91", "c92", "c93", "c94", "c95",
]);

/// Destination registers by their number.
#[rustfmt::skip]
static DESTINATIONS: [Short<'static>; 32] = Short::all([
    "o0", "o1", "o2", "o3", "o4", "o5", "o6", "o7", "o8", "o9", "o10", "o11", "o12", "o13", "o14", "o15",
    "r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15",
]);

/// Integer registers as a four-bit field can name them; the hardware has the first four.
#[rustfmt::skip]
static INTEGERS: [Short<'static>; 16] = Short::all([
    "i0", "i1", "i2", "i3", "i4", "i5", "i6", "i7", "i8", "i9", "i10", "i11", "i12", "i13", "i14", "i15",
]);

/// Bool uniforms.
#[rustfmt::skip]
static BOOLS: [Short<'static>; 16] = Short::all([
    "b0", "b1", "b2", "b3", "b4", "b5", "b6", "b7", "b8", "b9", "b10", "b11", "b12", "b13", "b14", "b15",
]);

/// Destination masks in descriptor order, bit 3 = x. The full mask is not written; `._` writes nothing.
#[rustfmt::skip]
static MASKS: [Short<'static>; 16] = Short::all([
    "._", ".w", ".z", ".zw", ".y", ".yw", ".yz", ".yzw",
    ".x", ".xw", ".xz", ".xzw", ".xy", ".xyw", ".xyz", "",
]);

/// Swizzles by their eight bits. The identity is not written, a letter that repeats at the end once.
#[rustfmt::skip]
static SWIZZLES: [Short<'static>; 256] = Short::all([
    ".x", ".xxxy", ".xxxz", ".xxxw", ".xxyx", ".xxy", ".xxyz", ".xxyw", ".xxzx", ".xxzy", ".xxz", ".xxzw", ".xxwx", ".xxwy", ".xxwz", ".xxw",
    ".xyx", ".xyxy", ".xyxz", ".xyxw", ".xyyx", ".xy", ".xyyz", ".xyyw", ".xyzx", ".xyzy", ".xyz", "", ".xywx", ".xywy", ".xywz", ".xyw",
    ".xzx", ".xzxy", ".xzxz", ".xzxw", ".xzyx", ".xzy", ".xzyz", ".xzyw", ".xzzx", ".xzzy", ".xz", ".xzzw", ".xzwx", ".xzwy", ".xzwz", ".xzw",
    ".xwx", ".xwxy", ".xwxz", ".xwxw", ".xwyx", ".xwy", ".xwyz", ".xwyw", ".xwzx", ".xwzy", ".xwz", ".xwzw", ".xwwx", ".xwwy", ".xwwz", ".xw",
    ".yx", ".yxxy", ".yxxz", ".yxxw", ".yxyx", ".yxy", ".yxyz", ".yxyw", ".yxzx", ".yxzy", ".yxz", ".yxzw", ".yxwx", ".yxwy", ".yxwz", ".yxw",
    ".yyx", ".yyxy", ".yyxz", ".yyxw", ".yyyx", ".y", ".yyyz", ".yyyw", ".yyzx", ".yyzy", ".yyz", ".yyzw", ".yywx", ".yywy", ".yywz", ".yyw",
    ".yzx", ".yzxy", ".yzxz", ".yzxw", ".yzyx", ".yzy", ".yzyz", ".yzyw", ".yzzx", ".yzzy", ".yz", ".yzzw", ".yzwx", ".yzwy", ".yzwz", ".yzw",
    ".ywx", ".ywxy", ".ywxz", ".ywxw", ".ywyx", ".ywy", ".ywyz", ".ywyw", ".ywzx", ".ywzy", ".ywz", ".ywzw", ".ywwx", ".ywwy", ".ywwz", ".yw",
    ".zx", ".zxxy", ".zxxz", ".zxxw", ".zxyx", ".zxy", ".zxyz", ".zxyw", ".zxzx", ".zxzy", ".zxz", ".zxzw", ".zxwx", ".zxwy", ".zxwz", ".zxw",
    ".zyx", ".zyxy", ".zyxz", ".zyxw", ".zyyx", ".zy", ".zyyz", ".zyyw", ".zyzx", ".zyzy", ".zyz", ".zyzw", ".zywx", ".zywy", ".zywz", ".zyw",
    ".zzx", ".zzxy", ".zzxz", ".zzxw", ".zzyx", ".zzy", ".zzyz", ".zzyw", ".zzzx", ".zzzy", ".z", ".zzzw", ".zzwx", ".zzwy", ".zzwz", ".zzw",
    ".zwx", ".zwxy", ".zwxz", ".zwxw", ".zwyx", ".zwy", ".zwyz", ".zwyw", ".zwzx", ".zwzy", ".zwz", ".zwzw", ".zwwx", ".zwwy", ".zwwz", ".zw",
    ".wx", ".wxxy", ".wxxz", ".wxxw", ".wxyx", ".wxy", ".wxyz", ".wxyw", ".wxzx", ".wxzy", ".wxz", ".wxzw", ".wxwx", ".wxwy", ".wxwz", ".wxw",
    ".wyx", ".wyxy", ".wyxz", ".wyxw", ".wyyx", ".wy", ".wyyz", ".wyyw", ".wyzx", ".wyzy", ".wyz", ".wyzw", ".wywx", ".wywy", ".wywz", ".wyw",
    ".wzx", ".wzxy", ".wzxz", ".wzxw", ".wzyx", ".wzy", ".wzyz", ".wzyw", ".wzzx", ".wzzy", ".wz", ".wzzw", ".wzwx", ".wzwy", ".wzwz", ".wzw",
    ".wwx", ".wwxy", ".wwxz", ".wwxw", ".wwyx", ".wwy", ".wwyz", ".wwyw", ".wwzx", ".wwzy", ".wwz", ".wwzw", ".wwwx", ".wwwy", ".wwwz", ".w",
]);

/// The suffix of a destination with this mask (descriptor order, bit 3 = x).
#[inline]
pub(crate) fn mask_text(mask: u8) -> &'static Short<'static> {
    &MASKS[usize::from(mask & 0xF)]
}

/// The suffix of a source with this swizzle.
#[inline]
pub(crate) fn swizzle_text(swizzle: Swizzle) -> &'static Short<'static> {
    &SWIZZLES[usize::from(swizzle.0)]
}

/// The name of one register.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RegisterName {
    /// The machine's own name.
    Own(&'static Short<'static>),
    /// A name that the file gives.
    Given {
        /// As it is written without index register: `projection[1]`.
        text: Box<str>,
        /// Length of the name in `text` without its `[n]`.
        base: usize,
        /// Which register of the named range it is.
        offset: u32,
    },
}

impl RegisterName {
    fn named(name: &str, offset: u32) -> Self {
        let text = if offset == 0 { name.to_owned() } else { format!("{name}[{offset}]") };
        Self::Given { text: text.into(), base: name.len(), offset }
    }

    #[inline]
    pub(crate) fn put(&self, sink: &mut impl Sink) {
        match self {
            Self::Own(short) => sink.put_short(PartKind::Register, short),
            Self::Given { text, .. } => sink.put(PartKind::Name, text),
        }
    }

    /// Writes it with an index register.
    pub(crate) fn put_indexed(&self, sink: &mut impl Sink, index: &str) {
        let added = match self {
            Self::Own(short) => {
                sink.put_short(PartKind::Register, short);
                0
            }
            Self::Given { text, base, offset } => {
                sink.put(PartKind::Name, text.get(..*base).unwrap_or_default());
                *offset
            }
        };
        sink.put(PartKind::Punctuation, "[");
        sink.put(PartKind::Register, index);
        if added != 0 {
            sink.put(PartKind::Punctuation, "+");
            sink.decimal(PartKind::Immediate, added);
        }
        sink.put(PartKind::Punctuation, "]");
    }
}

/// What the registers are called while a piece of code is printed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Names {
    sources: Vec<RegisterName>,
    destinations: Vec<RegisterName>,
    integers: Vec<RegisterName>,
    bools: Vec<RegisterName>,
}

impl Default for Names {
    /// The machine's own names.
    fn default() -> Self {
        Self {
            sources: SOURCES.iter().map(RegisterName::Own).collect(),
            destinations: DESTINATIONS.iter().map(RegisterName::Own).collect(),
            integers: INTEGERS.iter().map(RegisterName::Own).collect(),
            bools: BOOLS.iter().map(RegisterName::Own).collect(),
        }
    }
}

impl Names {
    /// Gives the name to the registers `first` to `last` of a class. Registers that do not exist, and
    /// temporaries, keep theirs. The name must be one of [`is_free_name`].
    pub fn set(&mut self, class: Class, first: u32, last: u32, name: &str) {
        for register in first..=last.min(95) {
            if register >= u32::from(class.count()) {
                break;
            }
            let place = match class {
                Class::Input => self.sources.get_mut(register as usize),
                Class::Float => self.sources.get_mut(register as usize + 0x20),
                Class::Output => self.destinations.get_mut(register as usize),
                Class::Int => self.integers.get_mut(register as usize),
                Class::Bool => self.bools.get_mut(register as usize),
                Class::Temp => None,
            };
            if let Some(place) = place {
                *place = RegisterName::named(name, register - first);
            }
        }
    }

    /// A source register.
    #[inline]
    pub fn source(&self, register: Reg) -> &RegisterName {
        &self.sources[usize::from(register.0 & 0x7F)]
    }

    /// A destination register.
    #[inline]
    pub fn destination(&self, register: Dest) -> &RegisterName {
        &self.destinations[usize::from(register.0 & 0x1F)]
    }

    /// An integer register.
    pub fn integer(&self, register: u8) -> &RegisterName {
        &self.integers[usize::from(register & 0xF)]
    }

    /// A bool uniform.
    pub fn boolean(&self, register: u8) -> &RegisterName {
        &self.bools[usize::from(register & 0xF)]
    }
}

/// Whether a name can stand for a register or a place without being mistaken for something else: letters,
/// digits, `_` and `$`, no digit in front, and not of the form of a register (letter and digits), where
/// the reference assembler stops reading at the first other character.
pub fn is_free_name(name: &str) -> bool {
    let mut bytes = name.bytes();
    let Some(first) = bytes.next() else { return false };
    let word = |c: u8| c.is_ascii_alphanumeric() || c == b'_' || c == b'$';
    let register = matches!(first | 0x20, b'a' | b'v' | b'r' | b'o' | b'c' | b'i' | b'b')
        && name.as_bytes().get(1).is_some_and(u8::is_ascii_digit);
    (first.is_ascii_alphabetic() || first == b'_' || first == b'$')
        && bytes.all(word)
        && !register
        && name.len() <= 255
        && !matches!(
            &*name.to_ascii_lowercase(),
            "al" | "lcnt" | "cmp" | "prim" | "primitive" | "inv" | "invert" | "_"
        )
}

/// A file's name in the form that code can use: the reference assembler writes `.` for `$`.
pub fn to_code_name(name: &str) -> Option<String> {
    let name = name.replace('.', "$");
    is_free_name(&name).then_some(name)
}

/// All four letters of a swizzle.
pub(crate) fn swizzle_letters(swizzle: Swizzle) -> [u8; 4] {
    [0, 1, 2, 3].map(|lane| b"xyzw"[swizzle.component(lane) & 3])
}
