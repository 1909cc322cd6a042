//! Watching a run: each instruction with what it changed.

use super::super::{Dest, Inst};
use super::Program;
use super::state::{Emission, Vector};
use std::fmt;
use unshade_isa_common::trace::Steps;

impl Steps for Program {
    type Step<'a> = Step;
}

/// One instruction of a run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Step {
    /// Its word index.
    pub pc: u32,
    /// The instruction.
    pub inst: Inst,
    /// What it wrote.
    pub write: Write,
    /// aL, if it changed: by LOOP itself, or by an instruction at the end of a loop's body.
    pub counter: Option<i32>,
    /// Where the program goes on; `None` behind END.
    pub next: Option<u32>,
}

/// What an instruction wrote.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Write {
    /// Nothing.
    Nothing,
    /// An output or temporary register.
    Register {
        /// Which.
        dest: Dest,
        /// Components written, bit 0 = x.
        mask: u8,
        /// The whole register afterwards.
        value: Vector,
        /// Flags that LITP sets as well.
        flags: Option<[bool; 2]>,
    },
    /// a0.x and a0.y.
    Address {
        /// Components written, bit 0 = x.
        mask: u8,
        /// Both afterwards.
        value: [i32; 2],
    },
    /// cmp.x and cmp.y.
    Flags([bool; 2]),
    /// What the next EMIT does.
    Emission(Emission),
    /// A vertex.
    Emitted {
        /// Slot it went into.
        slot: u8,
        /// It completed a triangle.
        triangle: bool,
    },
}

/// As in `r3.xz = 1.5 -2`, `a0.y = 7`, `cmp = 1 0`, `vertex 2, triangle`; empty for nothing. Floats are the
/// shortest decimals that read back as the same binary32.
impl fmt::Display for Write {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Nothing => Ok(()),
            Self::Register { mask: 0, flags: None, .. } => Ok(()),
            Self::Register { dest, mask, value, flags } => {
                if mask != 0 {
                    let class = if dest.output().is_some() { 'o' } else { 'r' };
                    write!(f, "{class}{}.{} =", dest.0 & 15, lanes(mask))?;
                    for lane in (0..4).filter(|lane| mask >> lane & 1 != 0) {
                        write!(f, " {}", Number(value[lane]))?;
                    }
                }
                match flags {
                    Some(flags) if mask != 0 => write!(f, ", {}", Self::Flags(flags)),
                    Some(flags) => write!(f, "{}", Self::Flags(flags)),
                    None => Ok(()),
                }
            }
            Self::Address { mask: 0, .. } => Ok(()),
            Self::Address { mask, value } => {
                write!(f, "a0.{} =", lanes(mask))?;
                (0..2).filter(|lane| mask >> lane & 1 != 0).try_for_each(|lane| write!(f, " {}", value[lane]))
            }
            Self::Flags([x, y]) => write!(f, "cmp = {} {}", u8::from(x), u8::from(y)),
            Self::Emission(Emission { vertex, primitive, invert }) => {
                write!(f, "next vertex {vertex}")?;
                f.write_str(if primitive { ", triangle" } else { "" })?;
                f.write_str(if invert { ", inverted" } else { "" })
            }
            Self::Emitted { slot, triangle } => {
                write!(f, "vertex {slot}{}", if triangle { ", triangle" } else { "" })
            }
        }
    }
}

fn lanes(mask: u8) -> String {
    "xyzw".chars().enumerate().filter(|(lane, _)| mask >> lane & 1 != 0).map(|(_, name)| name).collect()
}

/// Very large and very small numbers with an exponent, since the plain form can have forty digits.
struct Number(f32);

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = self.0.abs();
        if size != 0.0 && size.is_finite() && !(1e-5..1e9).contains(&size) {
            write!(f, "{:e}", self.0)
        } else {
            write!(f, "{}", self.0)
        }
    }
}
