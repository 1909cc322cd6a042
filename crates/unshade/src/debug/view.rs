//! What a session shows: plain data, the same for every machine.

use serde::Serialize;
use serde_json::{Map, Value};

/// Name and version of the format.
pub const SCHEMA: &str = "unshade-debug-1";

/// Where a run is and what is there. It depends on the number of steps, the breakpoints and the lane that is looked at,
/// not on the way there; only [`View::stop`] and [`View::printed`] say something of the last command.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct View {
    /// `unshade-debug-1`.
    pub schema: String,
    /// Steps done since the start.
    pub step: u64,
    /// Why the last command stopped here.
    pub stop: Stop,
    /// The step that comes next; none at the end.
    pub next: Option<Position>,
    /// The step that was done last; none at the start.
    pub last: Option<Position>,
    /// How the run ended, if it has.
    pub ended: Option<Ended>,
    /// Number of the first of the invocations that are shown; they stand side by side in each list of lanes.
    pub first_lane: u32,
    /// How many are shown: one, or the pixels of a quad.
    pub lanes: u32,
    /// How many there are in all.
    pub all_lanes: u32,
    /// Calls, loops and masks that are open, outermost first.
    pub stack: Vec<StackEntry>,
    /// The registers that the code names, in the order of their files.
    pub registers: Vec<RegisterView>,
    /// The variables of the decompiled source, in the order of its functions and declarations; none where they were not
    /// asked for or there is no source.
    pub variables: Vec<VariableView>,
    /// What the next step reads.
    pub reads: Vec<Read>,
    /// What would leave the program if it ended here, by space, as `run` has it in `out`.
    pub outputs: Map<String, Value>,
    /// Places in [`Self::outputs`] that the last step changed, as `space` or `space.key`.
    pub outputs_changed: Vec<String>,
    /// The breakpoints, in the order in which they were set.
    pub breakpoints: Vec<BreakpointView>,
    /// What `print` asked for.
    pub printed: Option<RegisterView>,
}

/// A place in the code.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Position {
    /// Index of its first code word, as breakpoints count; none for code that the file does not hold (the fetch program
    /// of the Wii U).
    pub word: Option<u32>,
    /// Line of the listing that `disasm` prints, from 1; none for code that does not stand there.
    pub line: Option<u32>,
    /// The instruction as one line of text.
    pub text: String,
    /// Lanes of those shown that are at work there.
    pub active: Vec<bool>,
    /// The warp whose turn it is, where there are several.
    pub warp: Option<u32>,
    /// The work group or invocation whose turn it is, where there are several.
    pub group: Option<u32>,
}

/// Why a command stopped where it did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Stop {
    /// The reason.
    pub reason: Stopped,
    /// The breakpoint, where it was one.
    pub breakpoint: Option<u32>,
}

/// The reasons.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Stopped {
    /// The command was done.
    Done,
    /// It came to a breakpoint.
    Breakpoint,
    /// It came to the start of the run.
    Start,
    /// It came to the end of the run.
    End,
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Ended {
    /// It came to the end of the program.
    pub finished: bool,
    /// What stopped it, if not that.
    pub why: Option<String>,
}

/// A call, block, loop or mask that is open.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StackEntry {
    /// `call`, `if`, `loop`, `mask`, or what the machine calls its token.
    pub kind: String,
    /// Where it goes on, as index of a code word.
    pub word: Option<u32>,
    /// More about it, in words.
    pub text: String,
}

/// What registers are for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum RegisterFile {
    /// What comes in: attributes, varyings.
    Input,
    /// Registers to compute with.
    Temporary,
    /// Results on their way from unit to unit.
    Result,
    /// Address registers and loop counters.
    Address,
    /// Predicates and flags.
    Flag,
    /// What goes out.
    Output,
    /// Constants and uniforms.
    Uniform,
    /// Memory of the program's own.
    Memory,
}

/// How the words of a register are meant, where the machine says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum RegisterKind {
    /// Floats.
    Float,
    /// Integers.
    Int,
    /// 0 or 1.
    Flag,
    /// Bits that each instruction takes as it likes.
    Bits,
}

/// How numbers are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum NumberFormat {
    /// As the register is meant; where the machine does not say, as a float if it looks like one, or else as bits.
    #[default]
    Auto,
    /// Floats.
    Float,
    /// Signed integers.
    Int,
    /// Bits in hexadecimal.
    Hex,
}

impl NumberFormat {
    /// All of them, in the order in which one comes after the other.
    pub const ALL: [Self; 4] = [Self::Auto, Self::Float, Self::Int, Self::Hex];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Float => "float",
            Self::Int => "int",
            Self::Hex => "hex",
        }
    }

    /// A word of a register in this way.
    pub fn text(self, number: &Number, kind: RegisterKind) -> String {
        match (self, kind) {
            (Self::Float, _) | (Self::Auto, RegisterKind::Float) => number.float.clone(),
            (Self::Int, _) | (Self::Auto, RegisterKind::Int | RegisterKind::Flag) => number.int.to_string(),
            (Self::Hex, _) => number.bits.clone(),
            (Self::Auto, RegisterKind::Bits) => {
                let value = f32::from_bits(number.int as u32);
                let plain = value.is_normal() && (1e-9..1e12).contains(&value.abs());
                if plain || number.int == 0 { number.float.clone() } else { format!("0x{}", number.bits) }
            }
        }
    }
}

/// A register.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RegisterView {
    /// The machine's name, as in `r0`, `R12`, `$3`, `c[3][0x10]`.
    pub name: String,
    /// What the file calls it.
    pub label: Option<String>,
    /// What it is for.
    pub file: RegisterFile,
    /// How its words are meant.
    pub kind: RegisterKind,
    /// Its words, by lane.
    pub values: Vec<Vec<Number>>,
    /// Components that the last step changed, by lane; bit 0 = x.
    pub changed: Vec<u8>,
    /// Components that the next step reads; bit 0 = x.
    pub read: u8,
}

/// A variable of the decompiled source.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct VariableView {
    /// Its name in the source.
    pub name: String,
    /// The function that it belongs to; none for `main`.
    pub function: Option<String>,
    /// Its type in the source.
    #[serde(rename = "type")]
    pub ty: String,
    /// How its components are meant.
    pub kind: RegisterKind,
    /// Components of which it is known where the code assigns them; bit 0 = x. The others are not available.
    pub available: u8,
    /// What the machine computed for its components, by lane, as they were assigned last; none before that, and for components
    /// that are not available.
    pub values: Vec<Vec<Option<Number>>>,
    /// The registers that still hold them, in the first lane shown, as in `r0.xy`; a component whose register has been
    /// overwritten since is `-`. Empty where nothing is assigned or nothing is left.
    pub place: String,
    /// Components that the last step assigned something else to, by lane; bit 0 = x.
    pub changed: Vec<u8>,
}

/// A word, read in the three ways.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Number {
    /// Eight hexadecimal digits.
    pub bits: String,
    /// As a float of 32 bits: the shortest decimal that reads back as the same, `inf`, `NaN`.
    pub float: String,
    /// As a signed integer.
    pub int: i32,
}

impl Number {
    pub(super) fn new(bits: u32) -> Self {
        Self { bits: format!("{bits:08x}"), float: float_text(f32::from_bits(bits)), int: bits as i32 }
    }
}

/// Very large and very small numbers with an exponent, since the plain form can have forty digits.
fn float_text(value: f32) -> String {
    let size = value.abs();
    if size != 0.0 && size.is_finite() && !(1e-5..1e9).contains(&size) {
        format!("{value:e}")
    } else {
        format!("{value}")
    }
}

/// Something that the next step reads.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Read {
    /// The machine's name.
    pub name: String,
    /// What the file calls it.
    pub label: Option<String>,
    /// Letters of the components, as in `xz`; empty for what has only one.
    pub components: String,
    /// How its words are meant.
    pub kind: RegisterKind,
    /// These components, by lane.
    pub values: Vec<Vec<Number>>,
}

/// A breakpoint.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BreakpointView {
    /// Its number.
    pub id: u32,
    /// Index of the code word where it is.
    pub word: u32,
    /// The line of the listing.
    pub line: Option<u32>,
    /// When it counts, as it was given; always where there is none.
    pub condition: Option<String>,
    /// Whether it counts at all.
    pub enabled: bool,
}

/// The listing that a session's lines count in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Listing {
    /// Lines from the first.
    pub lines: Vec<super::Line>,
}

/// What a session answers to a command.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Reply {
    /// Where the run is now.
    View(Box<View>),
    /// The command was refused; nothing has changed.
    Refused {
        /// `unshade-debug-1`.
        schema: String,
        /// Why.
        error: String,
    },
}

impl Reply {
    /// A refusal.
    pub fn refused(error: &super::CommandError) -> Self {
        Self::Refused { schema: SCHEMA.to_owned(), error: error.message.clone() }
    }
}
