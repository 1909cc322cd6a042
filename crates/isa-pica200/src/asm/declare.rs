//! Directives that declare: names, uniforms, constants, inputs, outputs, kind of program.

use super::assembler::{Assembler, Block};
use super::mnemonic::Directive;
use super::operand::{Alias, Class, Register, looks_like_register, swizzle};
use super::program::{Constant, ConstantValue, Output, Semantic, Uniform};
use super::space::Space;
use crate::Swizzle;
use unshade_isa_common::assembly::lexer::{Arguments, Piece};
use unshade_isa_common::assembly::number::Fit;
use unshade_isa_common::assembly::{Problem, Result, number};
use unshade_stage::GeometryMode;

/// Entries of a uniform or constant table.
const TABLE: usize = 96;
/// Entries of an output table.
const OUTPUTS: usize = 16;

impl<'a> Assembler<'a> {
    /// A directive that does not open or close a block of code.
    pub(super) fn declare(
        &mut self,
        directive: Directive,
        head: Piece<'a>,
        mut arguments: Arguments<'a>,
    ) -> Result<()> {
        let arguments = &mut arguments;
        match directive {
            Directive::Alias => self.alias(arguments),
            Directive::FloatUniform => self.uniforms(Class::Float, arguments),
            Directive::IntUniform => self.uniforms(Class::Int, arguments),
            Directive::BoolUniform => self.uniforms(Class::Bool, arguments),
            Directive::FloatConstant => self.constant(Class::Float, arguments),
            Directive::IntConstant => self.constant(Class::Int, arguments),
            Directive::FloatArray if matches!(self.file.blocks.last(), Some(Block::Array { .. })) => {
                self.array_row(arguments)
            }
            Directive::FloatArray => self.open_array(head, arguments),
            Directive::SetFloat => self.set(Class::Float, arguments),
            Directive::SetInt => self.set(Class::Int, arguments),
            Directive::SetBool => self.set_bool(arguments),
            Directive::In => self.input(arguments),
            Directive::Out => self.output(arguments),
            Directive::Entry => {
                self.unit();
                let name = self.word(arguments)?;
                self.done(*arguments)?;
                if !name.is_identifier() {
                    return Err(no_identifier(name));
                }
                self.unit().entry = Some(name);
                Ok(())
            }
            Directive::NoExecutable => {
                self.unit().no_executable = true;
                self.done(*arguments)
            }
            Directive::Geometry => self.geometry(arguments),
            Directive::Proc | Directive::Else | Directive::End => Ok(()),
        }
    }

    /// The next argument of a directive that divides its arguments by blanks.
    fn word(&self, arguments: &mut Arguments<'a>) -> Result<Piece<'a>> {
        arguments.blank().ok_or_else(|| self.missing())
    }

    /// Gives a name to registers.
    fn define(&mut self, name: Piece<'a>, alias: Alias) -> Result<()> {
        self.new_name(name)?;
        if looks_like_register(name.text) {
            let message = format!("`{}` hides the register of that name", name.text);
            self.findings.warn("pica200.asm.hides-register", name.span(), message);
        }
        self.file.aliases.insert(name.text, alias);
        Ok(())
    }

    fn new_name(&self, name: Piece<'a>) -> Result<()> {
        if self.file.aliases.contains(name.text) {
            let message = format!("`{}` is already the name of something", name.text);
            return Err(Problem::new("pica200.asm.duplicate", name.span(), message));
        }
        Ok(())
    }

    /// Gives a name whose declaration failed something to stand for, so that its uses are not reported too.
    fn define_anyway(&mut self, name: Piece<'a>, class: Class) {
        if !name.is_empty() && !self.file.aliases.contains(name.text) {
            self.file.aliases.insert(name.text, Alias::of(Register { class, number: 0 }));
        }
    }

    fn alias(&mut self, arguments: &mut Arguments<'a>) -> Result<()> {
        let (name, text) = (self.word(arguments)?, self.word(arguments)?);
        self.done(*arguments)?;
        if !name.is_identifier() {
            return Err(no_identifier(name));
        }
        if looks_like_register(name.text) {
            let message = format!("`{}` is the name of a register", name.text);
            return Err(Problem::new("pica200.asm.hides-register", name.span(), message));
        }
        let operand = match self.operand(text) {
            Ok(operand) => operand,
            Err(problem) => {
                self.define_anyway(name, Class::Temp);
                return Err(problem);
            }
        };
        self.no_index(&operand)?;
        let alias =
            Alias { register: operand.register, swizzle: operand.swizzle, negate: operand.negate, size: 1 };
        self.define(name, alias)
    }

    /// The registers that this source takes its uniforms and constants from.
    fn space(&mut self) -> &mut Space {
        if self.unit().own_space() { &mut self.geometry_space } else { &mut self.vertex_space }
    }

    /// `.fvec`, `.ivec`, `.bool`: goes on behind a name that is wrong.
    fn uniforms(&mut self, class: Class, arguments: &mut Arguments<'a>) -> Result<()> {
        self.unit();
        while let Some(text) = arguments.comma() {
            if let Err(problem) = self.uniform(class, text) {
                self.findings.error(problem);
                self.define_anyway(text.split(b'[').map_or(text, |(name, _)| name.trim_end()), class);
            }
        }
        Ok(())
    }

    fn uniform(&mut self, class: Class, text: Piece<'a>) -> Result<()> {
        let (name, count) = match self.array_form(text)? {
            (name, None) => (name, 1),
            (name, Some(size)) => (name, self.array_size(size)?),
        };
        if !name.is_identifier() {
            return Err(no_identifier(name));
        }
        self.new_name(name)?;
        let shares = !self.unit().own_space();
        let known = self.shared_by_name.get(name.text).filter(|_| shares);
        let known = known.and_then(|&index| self.shared.get(index)).map(|(uniform, _)| uniform);
        let first = match known {
            Some(uniform) if uniform.register.class != class => {
                let message = format!(
                    "another source declares `{}` as {}",
                    name.text,
                    uniform.register.class.article()
                );
                return Err(Problem::new("pica200.asm.shared-uniform", name.span(), message));
            }
            Some(uniform) if uniform.count != count => {
                let message =
                    format!("another source declares `{}` with {} registers", name.text, uniform.count);
                return Err(Problem::new("pica200.asm.shared-uniform", name.span(), message));
            }
            Some(uniform) => Some(uniform.register.number),
            None => None,
        };
        if self.shared.len() >= TABLE {
            let message = format!("the sources declare more than {TABLE} uniforms");
            return Err(Problem::new("pica200.asm.too-many-uniforms", name.span(), message));
        }
        let first =
            first.or_else(|| self.space().uniform(class, count)).ok_or_else(|| no_space(text, class))?;
        let register = Register { class, number: first };
        let uniform = |name: String| Uniform { name, register, count };
        if shares {
            self.shared_by_name.entry(name.text).or_insert(self.shared.len());
            self.shared.push((uniform(name.text.to_string()), name.text));
        }
        if name.first() != Some(b'_') {
            self.table_uniform(name, uniform(name.text.replace('$', ".")))?;
        }
        self.define(name, Alias { size: count, ..Alias::of(register) })
    }

    fn table_uniform(&mut self, name: Piece<'a>, uniform: Uniform) -> Result<()> {
        let uniforms = &mut self.unit().uniforms;
        if uniforms.len() >= TABLE {
            let message = format!("a program has at most {TABLE} inputs and uniforms");
            return Err(Problem::new("pica200.asm.too-many-uniforms", name.span(), message));
        }
        uniforms.push(uniform);
        Ok(())
    }

    /// `name` or `name[size]`; the size may be empty.
    fn array_form(&self, text: Piece<'a>) -> Result<(Piece<'a>, Option<Piece<'a>>)> {
        let Some((name, rest)) = text.split(b'[') else { return Ok((text, None)) };
        let Some((size, after)) = rest.split(b']') else {
            return Err(Problem::new("pica200.asm.syntax", text.span(), "`[` without `]`"));
        };
        let after = after.trim();
        if !after.is_empty() {
            let message = format!("unexpected `{}`", after.text);
            return Err(Problem::new("pica200.asm.trailing-text", after.span(), message));
        }
        Ok((name.trim_end(), Some(size.trim())))
    }

    /// A number of registers in brackets, decimal.
    fn array_size(&self, size: Piece<'a>) -> Result<u8> {
        match number::decimal_integer(size) {
            Some((value @ 1..=96, rest)) if rest.is_empty() => Ok(value as u8),
            _ => {
                let message = format!("`{}` is no size: 1 to 96 registers, in decimal", size.text);
                Err(Problem::new("pica200.asm.size-of-array", size.span(), message))
            }
        }
    }

    /// `.constf`, `.consti`.
    fn constant(&mut self, class: Class, arguments: &mut Arguments<'a>) -> Result<()> {
        self.unit();
        let name = arguments.parenthesis().ok_or_else(|| self.missing())?;
        let value = match self.value(class, *arguments) {
            Ok(value) => value,
            Err(problem) => {
                self.define_anyway(name, class);
                return Err(problem);
            }
        };
        if name.is_empty() {
            return Err(Problem::new("pica200.asm.missing", name.span(), "a name is missing"));
        }
        if !name.is_identifier() {
            let message = format!("`{}` is no identifier", name.text);
            self.findings.warn("pica200.asm.identifier", name.span(), message);
        }
        self.new_name(name)?;
        let Some(number) = self.space().constant(class, 1) else { return Err(no_space(name, class)) };
        let register = Register { class, number };
        self.add_constant(name, Constant { register, value })?;
        self.define(name, Alias::of(register))
    }

    fn add_constant(&mut self, at: Piece<'a>, constant: Constant) -> Result<()> {
        let constants = &mut self.unit().constants;
        if constants.len() >= TABLE {
            let message = format!("a program has at most {TABLE} constants");
            return Err(Problem::new("pica200.asm.too-many-constants", at.span(), message));
        }
        let again = constants.iter().any(|known| known.register == constant.register);
        constants.push(constant);
        if again {
            let message = format!("{} is set twice, and the later value wins", constant.register);
            self.findings.warn("pica200.asm.set-twice", at.span(), message);
        }
        Ok(())
    }

    /// `.setf`, `.seti`.
    fn set(&mut self, class: Class, arguments: &mut Arguments<'a>) -> Result<()> {
        self.unit();
        let text = arguments.parenthesis().ok_or_else(|| self.missing())?;
        let value = self.value(class, *arguments)?;
        let register = Register { class, number: self.register(text, class)? };
        self.add_constant(text, Constant { register, value })
    }

    /// `.setb`.
    fn set_bool(&mut self, arguments: &mut Arguments<'a>) -> Result<()> {
        self.unit();
        let (text, value) = (self.word(arguments)?, self.word(arguments)?);
        self.done(*arguments)?;
        let register = Register { class: Class::Bool, number: self.register(text, Class::Bool)? };
        let truth = match value {
            _ if value.is("true") || value.is("on") || value.is("1") => true,
            _ if value.is("false") || value.is("off") || value.is("0") => false,
            _ => {
                let message =
                    format!("`{}` is no truth value: true, false, on, off, 1 and 0 are", value.text);
                return Err(Problem::new("pica200.asm.bool", value.span(), message));
            }
        };
        self.add_constant(text, Constant { register, value: ConstantValue::Bool(truth) })
    }

    /// `.constfa name[size]`.
    fn open_array(&mut self, head: Piece<'a>, arguments: &mut Arguments<'a>) -> Result<()> {
        let text = arguments.comma().unwrap_or(head.skip(head.text.len()));
        let form = self.array_form(text);
        let (name, size) = match &form {
            Ok((name, Some(size))) if !size.is_empty() => (*name, Some(self.array_size(*size))),
            Ok((name, _)) => (*name, None),
            Err(_) => (text.split(b'[').map_or(text, |(name, _)| name.trim_end()), None),
        };
        let (size, wrong_size) = match size {
            Some(Ok(size)) => (Some(size), None),
            Some(Err(problem)) => (None, Some(problem)),
            None => (None, None),
        };
        self.open(Block::Array { name, size, rows: Vec::new() })?;
        self.done(*arguments)?;
        if form?.1.is_none() {
            let message = "an array needs brackets: name[] or name[size]";
            return Err(Problem::new("pica200.asm.syntax", text.span(), message));
        }
        if let Some(problem) = wrong_size {
            return Err(problem);
        }
        if !name.is_identifier() {
            return Err(no_identifier(name));
        }
        Ok(())
    }

    /// `.constfa (x, y, z, w)`.
    fn array_row(&mut self, arguments: &mut Arguments<'a>) -> Result<()> {
        match arguments.parenthesis() {
            Some(before) if before.is_empty() => {}
            before => {
                let span = before.map_or_else(|| self.statement.span(), Piece::span);
                return Err(Problem::new("pica200.asm.syntax", span, "a row is written (x, y, z, w)"));
            }
        }
        let value = self.value(Class::Float, *arguments)?;
        let statement = self.statement.span();
        let Some(Block::Array { size, rows, .. }) = self.file.blocks.last_mut() else { return Ok(()) };
        let limit = size.map_or(TABLE, usize::from);
        if rows.len() >= limit {
            let message = format!("the array has {limit} rows already");
            return Err(Problem::new("pica200.asm.size-of-array", statement, message));
        }
        if let ConstantValue::Float(row) = value {
            rows.push(row);
        }
        Ok(())
    }

    /// The `.end` of an array of constants.
    pub(super) fn constant_array(
        &mut self,
        name: Piece<'a>,
        size: Option<u8>,
        mut rows: Vec<[u32; 4]>,
    ) -> Result<()> {
        self.unit();
        self.new_name(name)?;
        rows.resize(rows.len().max(size.unwrap_or(0).into()), [0; 4]);
        let count = rows.len() as u8;
        if count == 0 {
            self.define_anyway(name, Class::Float);
            let message = format!("the array `{}` has no rows", name.text);
            return Err(Problem::new("pica200.asm.size-of-array", name.span(), message));
        }
        let Some(first) = self.space().constant(Class::Float, count) else {
            self.define_anyway(name, Class::Float);
            return Err(no_space(name, Class::Float));
        };
        for (number, row) in (first..).zip(rows) {
            let register = Register { class: Class::Float, number };
            self.add_constant(name, Constant { register, value: ConstantValue::Float(row) })?;
        }
        let alias = Alias::of(Register { class: Class::Float, number: first });
        self.define(name, Alias { size: count, ..alias })
    }

    /// Four values up to the closing parenthesis, which ends the statement.
    fn value(&mut self, class: Class, mut arguments: Arguments<'a>) -> Result<ConstantValue> {
        let (x, y, z) =
            (self.argument(&mut arguments)?, self.argument(&mut arguments)?, self.argument(&mut arguments)?);
        let Some((w, after)) = arguments.rest.split(b')') else {
            let end = self.statement.span().end;
            return Err(Problem::new("pica200.asm.syntax", end..end, "four values and `)` are needed"));
        };
        if let Some(comma) = w.find(b',') {
            return Err(Problem::new("pica200.asm.too-many", w.skip(comma).span(), "four values are enough"));
        }
        let after = after.trim();
        if !after.is_empty() {
            let message = format!("`{}` has no effect", after.text);
            self.findings.warn("pica200.asm.trailing-text", after.span(), message);
        }
        let pieces = [x, y, z, w.trim()];
        if class == Class::Int {
            let mut bytes = [0; 4];
            for (byte, piece) in bytes.iter_mut().zip(pieces) {
                *byte = self.byte(piece)?;
            }
            Ok(ConstantValue::Int(bytes))
        } else {
            let mut words = [0; 4];
            for (word, piece) in words.iter_mut().zip(pieces) {
                *word = self.float(piece)?;
            }
            Ok(ConstantValue::Float(words))
        }
    }

    fn float(&mut self, piece: Piece<'a>) -> Result<u32> {
        let Some((value, rest)) = number::float(piece) else { return Err(no_number(piece)) };
        self.cut_off(piece, rest);
        let (word, fit) = number::float24(value);
        let message = match fit {
            Fit::Kept => return Ok(word),
            Fit::NotANumber => "nan is written as infinity".to_string(),
            Fit::Infinite => format!("{value:e} is too large for 24 bits and becomes infinity"),
            Fit::Reserved if word & 0xFFFF == 0 => {
                format!("{value:e} is too large for 24 bits and becomes infinity")
            }
            Fit::Reserved => format!("{value:e} is too large for 24 bits and becomes a nan"),
            Fit::Tiny if word & 0x7F_FFFF == 0 => {
                format!("{value:e} is too small for 24 bits and becomes zero")
            }
            Fit::Tiny => format!("{value:e} is too small for 24 bits and becomes another value"),
        };
        self.findings.warn("pica200.asm.float-range", piece.span(), message);
        Ok(word)
    }

    fn byte(&mut self, piece: Piece<'a>) -> Result<u8> {
        let Some((value, rest)) = number::decimal_integer(piece) else { return Err(no_number(piece)) };
        self.cut_off(piece, rest);
        let byte = (value & 0xFF) as u8;
        if i64::from(byte) != value {
            let message = format!("{value} does not fit into a byte and becomes {byte}");
            self.findings.warn("pica200.asm.int-range", piece.span(), message);
        }
        Ok(byte)
    }

    /// Warns of text behind a number, which the reference assembler passes over. An `f` is a habit.
    fn cut_off(&mut self, piece: Piece<'a>, rest: Piece<'a>) {
        if !rest.is_empty() && !rest.is("f") {
            let read = piece.take(piece.text.len() - rest.text.len()).trim();
            let message = format!("`{}` is read as {}: `{}` has no effect", piece.text, read.text, rest.text);
            self.findings.warn("pica200.asm.trailing-text", rest.span(), message);
        }
    }

    fn input(&mut self, arguments: &mut Arguments<'a>) -> Result<()> {
        self.unit();
        let name = self.word(arguments)?;
        let text = arguments.blank();
        self.done(*arguments)?;
        if !name.is_identifier() {
            return Err(no_identifier(name));
        }
        self.new_name(name)?;
        let number = match text {
            Some(text) => match self.register(text, Class::Input) {
                Ok(number) => number,
                Err(problem) => {
                    self.define_anyway(name, Class::Input);
                    return Err(problem);
                }
            },
            None => {
                let free = self.unit().input_mask.trailing_ones() as u8;
                if free >= Class::Input.count() {
                    let message = "all 16 inputs are taken";
                    return Err(Problem::new("pica200.asm.too-many-inputs", name.span(), message));
                }
                free
            }
        };
        let register = Register { class: Class::Input, number };
        self.table_uniform(name, Uniform { name: name.text.replace('$', "."), register, count: 1 })?;
        self.unit().input_mask |= 1 << number;
        self.define(name, Alias::of(register))
    }

    fn output(&mut self, arguments: &mut Arguments<'a>) -> Result<()> {
        self.unit();
        let (name, property) = (self.word(arguments)?, self.word(arguments)?);
        let text = arguments.blank();
        self.done(*arguments)?;
        let name = (name.text != "-").then_some(name);
        if let Some(name) = name.filter(|name| !name.is_identifier()) {
            return Err(no_identifier(name));
        }
        let result = self.wire(name, property, text);
        if let (Err(_), Some(name)) = (&result, name) {
            self.define_anyway(name, Class::Output);
        }
        result
    }

    fn wire(&mut self, name: Option<Piece<'a>>, property: Piece<'a>, text: Option<Piece<'a>>) -> Result<()> {
        let at = text.unwrap_or(property);
        let (number, swizzle, property) = match text {
            Some(text) => {
                let operand = self.operand(text)?;
                self.no_index(&operand)?;
                if operand.register.class != Class::Output {
                    let message = format!(
                        "{} is {}, not an output",
                        operand.register,
                        operand.register.class.article()
                    );
                    return Err(Problem::new("pica200.asm.register-class", text.span(), message));
                }
                self.check_mask(&operand);
                (Some(operand.register.number), operand.swizzle, property)
            }
            None => match property.split(b'.') {
                Some((property, letters)) => (None, swizzle(letters)?, property),
                None => (None, Swizzle::IDENTITY, property),
            },
        };
        let mask = (0..4).fold(0u8, |mask, lane| mask | 1 << swizzle.component(lane));
        let semantic = semantic(property).ok_or_else(|| {
            let message = format!("`{}` is no output property", property.text);
            Problem::new("pica200.asm.output-property", property.span(), message).note(
                "properties are position, normalquat, color, texcoord0, texcoord0w, texcoord1, texcoord2, \
                 view and dummy; a mask stands at the register if there is one",
            )
        })?;
        let unit = self.unit();
        let last = unit.output_registers();
        let number = number.unwrap_or(unit.output_mask.trailing_ones() as u8);
        if number >= last || unit.outputs.len() >= OUTPUTS {
            let message = format!("all {last} outputs are taken");
            return Err(Problem::new("pica200.asm.too-many-outputs", at.span(), message));
        }
        let components = u64::from(mask) << (4 * number);
        if unit.output_components & components != 0 {
            let message = format!("o{number} has a meaning already in one of these components");
            return Err(Problem::new("pica200.asm.output-collision", at.span(), message));
        }
        if number >= 7 && semantic != Semantic::Dummy {
            let message = format!("o{number} can only be a dummy output");
            return Err(Problem::new("pica200.asm.output-property", at.span(), message));
        }
        unit.outputs.push(Output { semantic, register: number, mask });
        unit.output_mask |= 1 << number;
        unit.output_components |= components;
        unit.merge |= semantic == Semantic::Dummy && unit.own_space();
        match name {
            Some(name) => self.define(name, Alias::of(Register { class: Class::Output, number })),
            None => Ok(()),
        }
    }

    fn geometry(&mut self, arguments: &mut Arguments<'a>) -> Result<()> {
        let unit = self.unit();
        let Some(mode) = arguments.blank() else {
            (unit.geometry, unit.legacy) = (true, true);
            return Ok(());
        };
        let problem = |message: &'static str| Err(Problem::new("pica200.asm.gsh", mode.span(), message));
        if unit.geometry {
            return problem("this source is a geometry program already");
        }
        if !unit.constants.is_empty() || !unit.uniforms.is_empty() || unit.output_mask != 0 {
            return problem(".gsh must stand before all inputs, outputs, uniforms and constants");
        }
        let is = |names: [&str; 2]| names.iter().any(|name| mode.is(name));
        let (point, variable, fixed) =
            (mode.is("point"), is(["variable", "subdivision"]), is(["fixed", "particle"]));
        if !point && !variable && !fixed {
            return problem("a geometry program is point, variable or fixed");
        }
        unit.geometry = true;
        let text = self.word(arguments)?;
        let first = self.register(text, Class::Float)?;
        self.geometry_space = Space::geometry(first);
        let mode = if point {
            GeometryMode::Point
        } else if variable {
            let count = self.word(arguments)?;
            GeometryMode::Variable { full_vertices: self.small_number(count, 0..=255)? }
        } else {
            let (start, count) = (self.word(arguments)?, self.word(arguments)?);
            let first_uniform = self.register(start, Class::Float)?;
            if first_uniform >= first {
                let message = format!("the vertices from c{first_uniform} meet the uniforms from c{first}");
                return Err(Problem::new("pica200.asm.gsh", start.span(), message));
            }
            GeometryMode::Fixed { first_uniform, vertices: self.small_number(count, 0..=255)? }
        };
        self.done(*arguments)?;
        self.unit().mode = mode;
        Ok(())
    }
}

fn semantic(property: Piece<'_>) -> Option<Semantic> {
    const NAMES: [(&str, Semantic); 16] = [
        ("position", Semantic::Position),
        ("pos", Semantic::Position),
        ("normalquat", Semantic::NormalQuat),
        ("nquat", Semantic::NormalQuat),
        ("color", Semantic::Color),
        ("clr", Semantic::Color),
        ("texcoord0", Semantic::TexCoord0),
        ("tcoord0", Semantic::TexCoord0),
        ("texcoord0w", Semantic::TexCoord0W),
        ("tcoord0w", Semantic::TexCoord0W),
        ("texcoord1", Semantic::TexCoord1),
        ("tcoord1", Semantic::TexCoord1),
        ("texcoord2", Semantic::TexCoord2),
        ("tcoord2", Semantic::TexCoord2),
        ("view", Semantic::View),
        ("dummy", Semantic::Dummy),
    ];
    NAMES.iter().find(|(name, _)| property.is(name)).map(|&(_, semantic)| semantic)
}

fn no_identifier(name: Piece<'_>) -> Box<Problem> {
    let message = if name.is_empty() {
        "a name is missing".to_string()
    } else {
        format!("`{}` is no identifier: letters, digits, _ and $, no digit in front", name.text)
    };
    Problem::new("pica200.asm.identifier", name.span(), message)
}

fn no_number(piece: Piece<'_>) -> Box<Problem> {
    let message = if piece.is_empty() {
        "a value is missing".to_string()
    } else {
        format!("`{}` is no number", piece.text)
    };
    Problem::new("pica200.asm.number", piece.span(), message)
}

fn no_space(at: Piece<'_>, class: Class) -> Box<Problem> {
    let what = match class {
        Class::Int => "integer",
        Class::Bool => "bool",
        _ => "float",
    };
    let message = format!("not enough {what} registers are left for `{}`", at.text);
    Problem::new("pica200.asm.registers-full", at.span(), message)
}
