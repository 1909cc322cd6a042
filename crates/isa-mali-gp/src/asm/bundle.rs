//! One instruction while its lines are read.

use super::operand::{Operand, Place, Target, What};
use crate::inst::{Inst, Register, Source, StoreSource};
use crate::print::usual_unknown;
use crate::table::{EMPTY, Field, IDENTITY, STORES, field};
use std::ops::Range;
use unshade_isa_common::assembly::lexer::Piece;
use unshade_isa_common::assembly::{Problem, Result};

/// An instruction whose lines are being read.
#[derive(Debug, Clone)]
pub(super) struct Bundle<'a> {
    /// The fields so far; the others are as in an instruction that does nothing.
    pub word: u128,
    /// Fields that a line has set.
    set: u128,
    /// Fields of a `fields` line; they have the last word.
    overridden: u128,
    overrides: u128,
    /// Registers that wait for a load.
    registers: Vec<Pending<'a>>,
    /// What the instruction before has to load through its first register load.
    pub wanted: Option<(Register, Piece<'a>)>,
    /// Where a branch goes.
    pub branch: Option<Piece<'a>>,
    /// Lines by what stands in front of them.
    pub lines: Vec<(Piece<'a>, Range<usize>)>,
}

#[derive(Debug, Clone, Copy)]
struct Pending<'a> {
    field: Field,
    number: u8,
    component: u8,
    through: Option<u8>,
    piece: Piece<'a>,
}

impl<'a> Bundle<'a> {
    pub(super) fn new() -> Self {
        Self {
            word: EMPTY,
            set: 0,
            overridden: 0,
            overrides: 0,
            registers: Vec::new(),
            wanted: None,
            branch: None,
            lines: Vec::new(),
        }
    }

    /// Whether a line has set the field.
    pub(super) fn has(&self, field: Field) -> bool {
        self.set & field.mask() != 0
    }

    /// Sets a field. `conflict` makes the message where it has another value already, from that value.
    pub(super) fn set(
        &mut self,
        field: Field,
        value: u32,
        piece: Piece<'_>,
        conflict: impl FnOnce(u32) -> (&'static str, String),
    ) -> Result<()> {
        let old = field.get(self.word);
        if self.has(field) && old != value {
            let (code, message) = conflict(old);
            return Err(Problem::new(code, piece.span(), message));
        }
        self.word = field.set(self.word, value);
        self.set |= field.mask();
        Ok(())
    }

    /// Sets a field that only one line can set.
    pub(super) fn set_once(&mut self, field: Field, value: u32, piece: Piece<'_>) -> Result<()> {
        self.set(field, value, piece, |_| {
            ("mali-gp.asm.unit-twice", format!("`{}` is set twice in this instruction", field.name))
        })
    }

    /// Sets a field whatever the lines say.
    pub(super) fn override_with(&mut self, field: Field, value: u32) {
        self.overridden |= field.mask();
        self.overrides = field.set(self.overrides, value);
    }

    /// Puts a source into a field, where `neutral` is the number that it can be.
    pub(super) fn source(
        &mut self,
        field: Field,
        neutral: Option<u8>,
        operand: Operand,
        piece: Piece<'a>,
    ) -> Result<()> {
        let code = match operand.what {
            What::Source(Source(code)) => code,
            What::Complex => {
                if neutral.is_some() {
                    let problem = Problem::new(
                        "mali-gp.asm.complex-second",
                        piece.span(),
                        "the result of the complex unit cannot be read here",
                    );
                    return Err(problem
                        .note("it can be the first source of an adder or multiplier: swap the sources"));
                }
                IDENTITY
            }
            What::Neutral(number) => {
                if neutral != Some(number) {
                    let problem = Problem::new(
                        "mali-gp.asm.immediate",
                        piece.span(),
                        format!("`{number}` cannot be read here"),
                    );
                    return Err(problem.note(
                        "there are no numbers but 0 as second source of an adder and 1 as that of a multiplier; \
                         others come from memory",
                    ));
                }
                IDENTITY
            }
            What::Attribute { number, component } => {
                self.register0(Register { number, attribute: true }, piece)?;
                Source::reg0(component).0
            }
            What::Register { number, component, through } => {
                self.registers.push(Pending { field, number, component, through, piece });
                return Ok(());
            }
            What::Previous { register, component } => {
                if let Some(register) = register {
                    if self.wanted.is_some_and(|(wanted, _)| wanted != register) {
                        let message = "the instruction before keeps one register only";
                        return Err(Problem::new("mali-gp.asm.load", piece.span(), message));
                    }
                    self.wanted = Some((register, piece));
                }
                Source::previous(component).0
            }
            What::Memory { load, component } => {
                self.load(load, piece)?;
                Source::load(component).0
            }
        };
        self.set_once(field, code.into(), piece)
    }

    /// Loads a vector of memory.
    pub(super) fn load(&mut self, load: crate::Load, piece: Piece<'_>) -> Result<()> {
        let conflict = |_| {
            let message = "an instruction loads one vector of memory; this is a second one";
            ("mali-gp.asm.load", message.to_owned())
        };
        self.set(field::LOAD_ADDRESS, load.address.into(), piece, conflict)?;
        self.set(field::LOAD_OFFSET, load.offset.into(), piece, conflict)
    }

    fn register0(&mut self, register: Register, piece: Piece<'_>) -> Result<()> {
        let conflict = |_| {
            let message = "an instruction loads one attribute, or one register through the first load; \
                           this is a second one";
            ("mali-gp.asm.load", message.to_owned())
        };
        self.set(field::REG0_ATTRIBUTE, register.attribute.into(), piece, conflict)?;
        self.set(field::REG0_ADDRESS, register.number.into(), piece, conflict)
    }

    /// Stores a result.
    pub(super) fn store(&mut self, source: StoreSource, target: Target, piece: Piece<'_>) -> Result<()> {
        for (slot, fields) in STORES.iter().enumerate() {
            let both = ["x and y", "z and w"][slot & 1];
            if target.mask >> (2 * slot) & 3 == 0 {
                continue;
            }
            let conflict = |_| {
                let message = format!("{both} of an instruction go to one place; this is another one");
                ("mali-gp.asm.store", message)
            };
            let (temporary, varying, number) = match target.place {
                Place::Temporary => (1, None, 0),
                Place::Varying(number) => (0, Some(1), number),
                Place::Register(number) => (0, Some(0), number),
            };
            self.set(fields.temporary, temporary, piece, conflict)?;
            if let Some(varying) = varying {
                self.set(fields.varying, varying, piece, conflict)?;
                self.set(fields.address, number.into(), piece, conflict)?;
            }
            for (n, &field) in fields.components.iter().enumerate() {
                if target.mask >> (2 * slot + n) & 1 != 0 {
                    self.set(field, source.0.into(), piece, |_| {
                        ("mali-gp.asm.store", "this component is written twice".to_owned())
                    })?;
                }
            }
        }
        Ok(())
    }

    /// Gives the registers their loads.
    pub(super) fn allocate(&mut self) -> Result<()> {
        for n in 0..self.registers.len() {
            let Pending { field, number, component, through, piece } = self.registers[n];
            let taken =
                self.has(field::REG1_ADDRESS) && field::REG1_ADDRESS.get(self.word) != u32::from(number);
            let first = through.map_or(taken, |load| load == 0);
            if first {
                if self.has(field::REG0_ATTRIBUTE)
                    && (field::REG0_ATTRIBUTE.get(self.word), field::REG0_ADDRESS.get(self.word))
                        != (0, number.into())
                {
                    let attribute = field::REG0_ATTRIBUTE.get(self.word) != 0;
                    let message = if attribute {
                        "an instruction loads one register beside an attribute; this is a second one"
                    } else {
                        "an instruction loads two registers; this is a third one"
                    };
                    return Err(Problem::new("mali-gp.asm.load", piece.span(), message));
                }
                self.register0(Register { number, attribute: false }, piece)?;
                self.set_once(field, Source::reg0(component).0.into(), piece)?;
            } else {
                self.set(field::REG1_ADDRESS, number.into(), piece, |_| {
                    let message = "the second load brings one register; this is another one";
                    ("mali-gp.asm.load", message.to_owned())
                })?;
                self.set_once(field, Source::reg1(component).0.into(), piece)?;
            }
        }
        Ok(())
    }

    /// Loads a register for the instruction that follows.
    pub(super) fn keep(&mut self, register: Register, piece: Piece<'_>) -> Result<()> {
        let word = self.finished();
        let forced = self.overridden & field::REG0_ADDRESS.mask() != 0;
        let loaded = Register {
            number: field::REG0_ADDRESS.get(word) as u8,
            attribute: field::REG0_ATTRIBUTE.get(word) != 0,
        };
        if (forced || self.has(field::REG0_ADDRESS)) && loaded != register {
            let message = "the first load of the instruction before brings another register";
            let problem = Problem::new("mali-gp.asm.load", piece.span(), message);
            return Err(problem.note("`@reg0` and `@reg1` behind a register say which load brings it"));
        }
        self.register0(register, piece)
    }

    /// The instruction word.
    pub(super) fn finished(&self) -> u128 {
        let mut word = self.word;
        if !self.has(field::UNKNOWN_1) {
            let inst: Inst = crate::decode(word);
            word |= field::UNKNOWN_1.put(usual_unknown(inst.branch, inst.stores_temporary()).into());
        }
        word & !self.overridden | self.overrides
    }
}
