//! Instructions: operands to fields, and which of two encodings an instruction takes.

use super::assembler::{Assembler, Block, Reference};
use super::operand::{Class, Doubt, Operand, compare, condition, mask, mask_is_ordered};
use super::plain::{Plain, plain_arguments};
use super::pool;
use crate::{Dest, Format, Index, Opcode, Operands, Reg};
use std::ops::Range;
use unshade_isa_common::assembly::lexer::{Arguments, Piece};
use unshade_isa_common::assembly::{Problem, Result, number};

/// A source with its fields.
#[derive(Clone, Copy)]
struct Source {
    reg: Reg,
    index: Index,
    class: Class,
    /// Sign and swizzle, nine bits.
    bits: u32,
    /// Where it stands in the text.
    at: usize,
    end: usize,
}

impl Source {
    /// Whether only a wide field can hold it.
    fn is_wide(self) -> bool {
        self.class == Class::Float
    }

    fn span(self) -> Range<usize> {
        self.at..self.end
    }

    #[inline]
    fn of_plain(Plain { register, negate, swizzle, .. }: Plain) -> Option<Self> {
        let bits = u32::from(negate) | u32::from(swizzle.0) << 1;
        Some(Self { reg: register.source()?, index: Index::None, class: register.class, bits, at: 0, end: 0 })
    }
}

/// A plain destination, unless there is something to say about it.
#[inline]
fn plain_dest(Plain { register, negate, swizzle, by_name, .. }: Plain) -> Option<(Dest, u8)> {
    let says_nothing = !negate && mask_is_ordered(swizzle) && (by_name || register.class == Class::Temp);
    register.dest().filter(|_| says_nothing).map(|dest| (dest, mask(swizzle)))
}

/// The plain form of an operation and, where the machine has one, the form whose last source is wide.
fn forms(opcode: Opcode) -> (Opcode, Option<Opcode>) {
    match opcode {
        Opcode::Dph | Opcode::Dphi => (Opcode::Dph, Some(Opcode::Dphi)),
        Opcode::Dst | Opcode::Dsti => (Opcode::Dst, Some(Opcode::Dsti)),
        Opcode::Sge | Opcode::Sgei => (Opcode::Sge, Some(Opcode::Sgei)),
        Opcode::Slt | Opcode::Slti => (Opcode::Slt, Some(Opcode::Slti)),
        Opcode::Mad | Opcode::Madi => (Opcode::Mad, Some(Opcode::Madi)),
        other => (other, None),
    }
}

impl<'a> Assembler<'a> {
    /// Assembles one instruction.
    pub(super) fn instruction(
        &mut self,
        opcode: Opcode,
        head: Piece<'a>,
        mut arguments: Arguments<'a>,
    ) -> Result<()> {
        let arguments = &mut arguments;
        match opcode {
            Opcode::Mova => self.mova(arguments),
            Opcode::Call => self.call(arguments),
            Opcode::Loop => self.repeat(head, arguments),
            _ => match opcode.format() {
                Format::Bare => {
                    self.done(*arguments)?;
                    self.emit(opcode, Operands::Bare { unused: 0 });
                    Ok(())
                }
                Format::One => self.one(opcode, arguments),
                Format::Two | Format::TwoInverted => self.two(opcode, arguments),
                Format::Compare => self.compare(arguments),
                Format::Mad | Format::MadInverted => self.mad(opcode, arguments),
                Format::FlowCondition => self.by_condition(opcode, head, arguments),
                Format::FlowUniform => self.by_uniform(opcode, head, arguments),
                Format::SetEmit => self.set_emit(arguments),
            },
        }
    }

    fn one(&mut self, opcode: Opcode, arguments: &mut Arguments<'a>) -> Result<()> {
        let plain = plain_arguments(*arguments, &self.file.aliases)
            .and_then(|[dest, a]| Some((plain_dest(dest)?, Source::of_plain(a)?)));
        let ((dst, mask), src1) = match plain {
            Some(plain) => plain,
            None => {
                let (dest, a) = (self.argument(arguments)?, self.argument(arguments)?);
                self.done(*arguments)?;
                (self.dest(dest)?, self.wide(a)?)
            }
        };
        let desc = self.descriptor(opcode, u32::from(mask) | src1.bits << 4)?;
        self.emit(opcode, Operands::One { desc, dst, src1: src1.reg, index: src1.index, unused: 0 });
        Ok(())
    }

    fn mova(&mut self, arguments: &mut Arguments<'a>) -> Result<()> {
        let (dest, src1) = (self.argument(arguments)?, self.argument(arguments)?);
        self.done(*arguments)?;
        let mask = match dest {
            _ if dest.is("a0.x") || dest.is("a0") => 0b1000,
            _ if dest.is("a0.y") || dest.is("a1") => 0b0100,
            _ if dest.is("a0.xy") || dest.is("a01") => 0b1100,
            _ => {
                let message = format!("mova writes a0.x, a0.y or a0.xy, not `{}`", dest.text);
                return Err(Problem::new("pica200.asm.destination", dest.span(), message));
            }
        };
        let src1 = self.wide(src1)?;
        let desc = self.descriptor(Opcode::Mova, mask | src1.bits << 4)?;
        let operands = Operands::One { desc, dst: Dest(0), src1: src1.reg, index: src1.index, unused: 0 };
        self.emit(Opcode::Mova, operands);
        Ok(())
    }

    fn two(&mut self, opcode: Opcode, arguments: &mut Arguments<'a>) -> Result<()> {
        let plain = plain_arguments(*arguments, &self.file.aliases)
            .and_then(|[dest, a, b]| Some((plain_dest(dest)?, Source::of_plain(a)?, Source::of_plain(b)?)));
        if let Some((dest, src1, src2)) = plain
            && self.encode_two(opcode, dest, src1, src2).is_ok()
        {
            return Ok(());
        }
        // Once more, for the sake of the rest of the language and of what is to be said about it.
        let (dest, a, b) = (self.argument(arguments)?, self.argument(arguments)?, self.argument(arguments)?);
        self.done(*arguments)?;
        let (dest, src1, src2) = (self.dest(dest)?, self.wide(a)?, self.wide(b)?);
        self.encode_two(opcode, dest, src1, src2)
    }

    fn encode_two(
        &mut self,
        opcode: Opcode,
        (dst, mask): (Dest, u8),
        src1: Source,
        src2: Source,
    ) -> Result<()> {
        let (plain, inverted) = forms(opcode);
        let opcode = inverted.filter(|_| !src1.is_wide() && src2.is_wide()).unwrap_or(plain);
        if opcode == plain && src2.is_wide() {
            return Err(not_narrow(src2, "second", !src1.is_wide() && commutes(plain)));
        }
        one_input(&[src1, src2])?;
        let desc = self.descriptor(plain, u32::from(mask) | src1.bits << 4 | src2.bits << 13)?;
        let index = if opcode == plain { src1.index } else { src2.index };
        self.emit(opcode, Operands::Two { desc, dst, src1: src1.reg, src2: src2.reg, index });
        Ok(())
    }

    fn mad(&mut self, opcode: Opcode, arguments: &mut Arguments<'a>) -> Result<()> {
        let plain = plain_arguments(*arguments, &self.file.aliases).and_then(|[dest, a, b, c]| {
            Some((plain_dest(dest)?, [Source::of_plain(a)?, Source::of_plain(b)?, Source::of_plain(c)?]))
        });
        if let Some((dest, sources)) = plain
            && self.encode_mad(opcode, dest, sources).is_ok()
        {
            return Ok(());
        }
        let (dest, a) = (self.argument(arguments)?, self.argument(arguments)?);
        let (b, c) = (self.argument(arguments)?, self.argument(arguments)?);
        self.done(*arguments)?;
        let (dest, sources) = (self.dest(dest)?, [self.wide(a)?, self.wide(b)?, self.wide(c)?]);
        self.encode_mad(opcode, dest, sources)
    }

    fn encode_mad(&mut self, opcode: Opcode, (dst, mask): (Dest, u8), sources: [Source; 3]) -> Result<()> {
        let [src1, src2, src3] = sources;
        if src1.is_wide() {
            return Err(not_narrow(src1, "first", !src2.is_wide()));
        }
        let (plain, inverted) = forms(opcode);
        let opcode = inverted.filter(|_| !src2.is_wide() && src3.is_wide()).unwrap_or(plain);
        if opcode == plain && src3.is_wide() {
            return Err(not_narrow(src3, "third", false));
        }
        one_input(&sources)?;
        let bits = u32::from(mask) | src1.bits << 4 | src2.bits << 13 | src3.bits << 22;
        let Some((desc, swap)) = self.pool.find_for_mad(bits) else {
            let message = "no operand descriptor is left for this mad, which reaches the first 32 only";
            return Err(Problem::new("pica200.asm.descriptors", self.statement.span(), message));
        };
        if let Some(swap) = swap {
            self.renumber(swap);
        }
        let index = if opcode == plain { src2.index } else { src3.index };
        let operands = Operands::Mad { desc, dst, src1: src1.reg, src2: src2.reg, src3: src3.reg, index };
        self.emit(opcode, operands);
        Ok(())
    }

    fn compare(&mut self, arguments: &mut Arguments<'a>) -> Result<()> {
        let (a, x) = (self.argument(arguments)?, self.argument(arguments)?);
        let (y, b) = (self.argument(arguments)?, self.argument(arguments)?);
        self.done(*arguments)?;
        let src1 = self.wide(a)?;
        let (x, y) = (compare(x)?, compare(y)?);
        let src2 = self.wide(b)?;
        if src2.is_wide() {
            return Err(
                not_narrow(src2, "second", !src1.is_wide()).note("swapping them swaps lt and gt, le and ge")
            );
        }
        if let Err(problem) = one_input(&[src1, src2]) {
            // The reference assembler forgets this check for cmp.
            self.findings.warn(problem.code, problem.span, problem.message);
        }
        let desc = self.descriptor(Opcode::Cmp, src1.bits << 4 | src2.bits << 13)?;
        let operands = Operands::Compare { desc, src1: src1.reg, src2: src2.reg, index: src1.index, x, y };
        self.emit(Opcode::Cmp, operands);
        Ok(())
    }

    fn call(&mut self, arguments: &mut Arguments<'a>) -> Result<()> {
        let name = self.argument(arguments)?;
        self.done(*arguments)?;
        self.refer(name, true)?;
        let condition = crate::Condition { op: 0, ref_x: false, ref_y: false };
        self.emit(Opcode::Call, Operands::FlowCondition { num: 0, unused: 0, dst: 0, condition });
        Ok(())
    }

    fn by_condition(&mut self, opcode: Opcode, head: Piece<'a>, arguments: &mut Arguments<'a>) -> Result<()> {
        let text = self.argument(arguments)?;
        let name = match opcode {
            Opcode::Callc | Opcode::Jmpc => Some(self.argument(arguments)?),
            _ => None,
        };
        self.done(*arguments)?;
        let condition = condition(text)?;
        self.flow(opcode, head, name)?;
        self.emit(opcode, Operands::FlowCondition { num: 0, unused: 0, dst: 0, condition });
        Ok(())
    }

    fn by_uniform(&mut self, opcode: Opcode, head: Piece<'a>, arguments: &mut Arguments<'a>) -> Result<()> {
        let mut text = self.argument(arguments)?;
        let name = match opcode {
            Opcode::Callu | Opcode::Jmpu => Some(self.argument(arguments)?),
            _ => None,
        };
        self.done(*arguments)?;
        let negated = text.first() == Some(b'!');
        if negated {
            if opcode != Opcode::Jmpu {
                let message = format!("{} cannot invert its condition, only jmpu can", opcode.name());
                return Err(Problem::new("pica200.asm.condition", text.span(), message));
            }
            text = text.skip(1).trim_start();
        }
        let uniform = self.register(text, Class::Bool)?;
        self.flow(opcode, head, name)?;
        self.emit(opcode, Operands::FlowUniform { num: negated.into(), unused: 0, dst: 0, uniform });
        Ok(())
    }

    /// Notes the name that a call or jump leads to, or opens the block of an if.
    fn flow(&mut self, opcode: Opcode, head: Piece<'a>, name: Option<Piece<'a>>) -> Result<()> {
        match name {
            Some(name) => self.refer(name, matches!(opcode, Opcode::Callc | Opcode::Callu)),
            None if matches!(opcode, Opcode::Ifc | Opcode::Ifu) => {
                self.open(Block::If { head, start: self.words.len(), other: None })
            }
            None => Ok(()),
        }
    }

    fn repeat(&mut self, head: Piece<'a>, arguments: &mut Arguments<'a>) -> Result<()> {
        let text = self.argument(arguments)?;
        self.done(*arguments)?;
        let uniform = self.register(text, Class::Int)?;
        self.open(Block::Loop { head, start: self.words.len() })?;
        self.emit(Opcode::Loop, Operands::FlowUniform { num: 0, unused: 0, dst: 0, uniform });
        Ok(())
    }

    fn set_emit(&mut self, arguments: &mut Arguments<'a>) -> Result<()> {
        let slot = self.argument(arguments)?;
        let mut flags = Arguments { rest: arguments.comma().unwrap_or(slot.skip(slot.text.len())) };
        self.done(*arguments)?;
        let vertex = self.small_number(slot, 0..=2)?;
        let (mut primitive, mut invert) = (false, false);
        while let Some(flag) = flags.blank() {
            match flag {
                _ if flag.is("prim") || flag.is("primitive") => primitive = true,
                _ if flag.is("inv") || flag.is("invert") => invert = true,
                _ => {
                    let message = format!("`{}` is no flag of setemit: prim and inv are", flag.text);
                    return Err(Problem::new("pica200.asm.setemit-flag", flag.span(), message));
                }
            }
        }
        let unit = self.unit();
        if !unit.geometry {
            (unit.geometry, unit.legacy) = (true, true);
        }
        self.emit(Opcode::Setemit, Operands::SetEmit { vertex, primitive, invert, unused: 0 });
        Ok(())
    }

    /// Notes a use of a procedure or a label.
    fn refer(&mut self, name: Piece<'a>, procedure: bool) -> Result<()> {
        if !name.is_identifier() {
            let message = format!("`{}` is no name to go to", name.text);
            return Err(Problem::new("pica200.asm.identifier", name.span(), message));
        }
        let reference = Reference { word: self.words.len(), source: self.file.index, name };
        if procedure { &mut self.calls } else { &mut self.file.jumps }.push(reference);
        Ok(())
    }

    /// A number in a small range, in C notation.
    pub(super) fn small_number(&self, piece: Piece<'a>, range: std::ops::RangeInclusive<u8>) -> Result<u8> {
        match number::c_integer(piece) {
            Some((value, rest)) if rest.is_empty() => {
                if let Some(value) = u8::try_from(value).ok().filter(|value| range.contains(value)) {
                    return Ok(value);
                }
                let message = format!("{value} is not in the range {} to {}", range.start(), range.end());
                Err(Problem::new("pica200.asm.number-range", piece.span(), message))
            }
            _ => {
                let message = format!("`{}` is no number", piece.text);
                Err(Problem::new("pica200.asm.number", piece.span(), message))
            }
        }
    }

    fn descriptor(&mut self, opcode: Opcode, bits: u32) -> Result<u8> {
        self.pool.find(opcode, bits).ok_or_else(|| {
            let message =
                format!("the machine holds {} operand descriptors, and all are in use", pool::LIMIT);
            Problem::new("pica200.asm.descriptors", self.statement.span(), message)
        })
    }

    /// A register of one class, whose sign and swizzle mean nothing.
    pub(super) fn register(&mut self, piece: Piece<'a>, class: Class) -> Result<u8> {
        let operand = self.operand(piece)?;
        if operand.register.class != class {
            let message = format!(
                "{} is wanted here, and {} is {}",
                class.article(),
                operand.register,
                operand.register.class.article()
            );
            return Err(Problem::new("pica200.asm.register-class", piece.span(), message));
        }
        self.no_index(&operand)?;
        if piece.first() == Some(b'-') || operand.has_letters {
            self.findings.warn("pica200.asm.no-effect", piece.span(), "sign and swizzle have no effect here");
        }
        Ok(operand.register.number)
    }

    pub(super) fn no_index(&self, operand: &Operand<'a>) -> Result<()> {
        if operand.index == Index::None {
            return Ok(());
        }
        let message = "an index register cannot be used here";
        Err(Problem::new("pica200.asm.index", operand.piece.span(), message))
    }

    fn dest(&mut self, piece: Piece<'a>) -> Result<(Dest, u8)> {
        let operand = self.operand(piece)?;
        let Some(dest) = operand.register.dest() else {
            let message = format!(
                "{} is {}, which cannot be written",
                operand.register,
                operand.register.class.article()
            );
            return Err(Problem::new("pica200.asm.destination", piece.span(), message));
        };
        self.no_index(&operand)?;
        if operand.negate {
            self.findings.warn(
                "pica200.asm.no-effect",
                piece.span(),
                "a sign has no effect on a destination",
            );
        }
        self.check_mask(&operand);
        Ok((dest, mask(operand.swizzle)))
    }

    pub(super) fn check_mask(&mut self, operand: &Operand<'a>) {
        if !mask_is_ordered(operand.swizzle) {
            let message = "the order of letters has no effect in a mask";
            self.findings.warn("pica200.asm.mask-order", operand.piece.span(), message);
        }
    }

    fn wide(&mut self, piece: Piece<'a>) -> Result<Source> {
        let Operand { register, index, negate, swizzle, .. } = self.operand(piece)?;
        let class = register.class;
        let Some(reg) = register.source() else {
            let message = format!("{register} is {}, which cannot be read here", class.article());
            return Err(Problem::new("pica200.asm.source", piece.span(), message));
        };
        if index != Index::None && class != Class::Float {
            let message =
                format!("{register} is {}: only float uniforms take an index register", class.article());
            return Err(Problem::new("pica200.asm.index", piece.span(), message));
        }
        let bits = u32::from(negate) | u32::from(swizzle.0) << 1;
        let Range { start: at, end } = piece.span();
        Ok(Source { reg, index, class, bits, at, end })
    }

    /// Warns about what is doubtful in an operand, and refuses outputs that the program does not have.
    pub(super) fn examine(&mut self, operand: &Operand<'a>) -> Result<()> {
        let span = operand.piece.span();
        let register = operand.register;
        match operand.doubt {
            Some(Doubt::Octal) => {
                let message = format!("a number that starts with 0 is octal: this is {register}");
                self.findings.warn("pica200.asm.octal", span.clone(), message);
            }
            Some(Doubt::PastArray) => {
                let message = format!("the offset leads past the end of the array, to {register}");
                self.findings.warn("pica200.asm.past-array", span.clone(), message);
            }
            None => {}
        }
        if register.class == Class::Output && !operand.by_name {
            let last = self.unit().output_registers() - 1;
            if register.number > last {
                let message = format!("there is no {register}: geometry programs have o0 to o{last}");
                return Err(Problem::new("pica200.asm.register-range", span, message));
            }
        }
        Ok(())
    }
}

/// Whether the sources can be swapped without changing the result.
fn commutes(opcode: Opcode) -> bool {
    matches!(opcode, Opcode::Add | Opcode::Mul | Opcode::Dp3 | Opcode::Dp4)
}

fn not_narrow(source: Source, place: &str, swap_helps: bool) -> Box<Problem> {
    let message = format!("a float uniform cannot be the {place} source here");
    Problem::new("pica200.asm.source", source.span(), message).note(if swap_helps {
        "swap the sources, or copy it to a temporary register first"
    } else {
        "copy it to a temporary register first"
    })
}

/// The machine reads one input register in an instruction, as often as you like.
fn one_input(sources: &[Source]) -> Result<()> {
    let mut first = None;
    for source in sources.iter().filter(|source| source.class == Class::Input) {
        match first {
            None => first = Some(source.reg),
            Some(reg) if reg == source.reg => {}
            Some(reg) => {
                let message = format!(
                    "an instruction can read one input register only, and this reads v{} and v{}",
                    reg.0, source.reg.0
                );
                return Err(Problem::new("pica200.asm.two-inputs", source.span(), message)
                    .note("copy one of them to a temporary register first"));
            }
        }
    }
    Ok(())
}
