//! What versions differ in beside names: extensions, precision, uniforms outside of blocks, and everything
//! that ES 1.00 says in another way or not at all.

use super::declaration::{push_elements, type_of};
use super::expression::{Printed, precedence};
use super::literal::{Binds, infinite, literal, old_literal};
use super::piece::{Group, Passed, Piece};
use super::statement::Steady;
use super::{GlslVersion, Printer, Set, sampler};
use crate::interface::{Form, Role, Slot};
use crate::visit::{self, Node};
use crate::{Error, Layout, Options};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use unshade_ir::ast::{Binary, Builtin, Expr, ExprKind, Helper, Place, Program, Scalar, Stmt, Type, Unary};
use unshade_ir::{Global, Precision, Shape, Texel, Texture, TextureLevel, TextureShape};
use unshade_stage::StageKind;

/// What a program uses that not every version has.
#[derive(Debug, Clone, Default)]
pub(super) struct Uses {
    derivatives: bool,
    external: bool,
    /// Extensions that functions of textures need.
    extensions: BTreeSet<&'static str>,
    /// Private arrays that hold floats alone, as [`Program::arrays`]; only ES 1.00 cares.
    pub float_arrays: Vec<bool>,
}

impl Uses {
    pub fn of(program: &Program) -> Self {
        let is_external = |shape| matches!(shape, Shape::Sampler { external: true, .. });
        let mut uses = Self {
            external: program.globals.iter().any(|variable| is_external(variable.global.shape)),
            float_arrays: vec![false; program.arrays.len()],
            ..Self::default()
        };
        for function in &program.functions {
            visit::block(&function.body, &mut |node| {
                let Node::Expr(expr) = node else { return };
                uses.derivatives |= matches!(
                    expr.kind,
                    ExprKind::Builtin(
                        Builtin::DerivativeX | Builtin::DerivativeY | Builtin::DerivativeWidth,
                        _
                    )
                );
            });
        }
        uses
    }

    /// Notes the use of an extension.
    pub fn extension(&mut self, name: &'static str) {
        self.extensions.insert(name);
    }
}

/// Private arrays of whose words every access makes floats.
fn float_arrays(program: &Program) -> Vec<bool> {
    // Accesses in all, and those that are floats.
    let mut counts = vec![(0u32, 0u32); program.arrays.len()];
    for function in &program.functions {
        visit::block(&function.body, &mut |node| match node {
            Node::Expr(Expr { kind: ExprKind::Array(array, _), ty, .. }) => {
                let count = &mut counts[*array as usize];
                count.0 += 1;
                count.1 += u32::from(ty.scalar == Scalar::Float);
            }
            Node::Expr(Expr { kind: ExprKind::Bitcast(inner), ty, .. }) if ty.scalar == Scalar::Float => {
                if let (ExprKind::Array(array, _), Scalar::Uint) = (&inner.kind, inner.ty.scalar) {
                    let array = *array;
                    counts[array as usize].1 += 1;
                }
            }
            _ => {}
        });
        visit::statements(&function.body, &mut |statement| {
            if let Stmt::Assign(Place::Array(array, _), value) = statement {
                let count = &mut counts[*array as usize];
                count.0 += 1;
                count.1 += u32::from(as_float(value).is_some());
            }
        });
    }
    counts.into_iter().map(|(all, floats)| all == floats).collect()
}

/// A value of bits that are those of a float.
fn as_float(value: &Expr) -> Option<&Expr> {
    match &value.kind {
        ExprKind::Bitcast(inner) if inner.ty.scalar == Scalar::Float => Some(inner),
        ExprKind::Literal(_) => Some(value),
        _ => (value.ty.scalar == Scalar::Float).then_some(value),
    }
}

/// Refuses what a version cannot say, ES 1.00 most of all.
pub(super) fn check(program: &Program, version: GlslVersion) -> Result<(), Error> {
    if !version.has_doubles() && visit::has_doubles(program) {
        return Err(Error::unsupported(format!("doubles, floats of 64 bits, in GLSL {}", version.name())));
    }
    if !version.is_old() {
        return Ok(());
    }
    let floats = float_arrays(program);
    for function in &program.functions {
        let mut refused: Option<&'static str> = None;
        visit::block(&function.body, &mut |node| {
            let Node::Expr(expr) = node else { return };
            let what = unsayable(expr, &floats);
            refused = refused.or(what);
        });
        let unsigned = function.locals.iter().map(|local| local.ty).chain(function.results.iter().copied());
        if unsigned.into_iter().any(|ty| ty.scalar == Scalar::Uint) {
            refused = refused.or(Some("unsigned integers"));
        }
        if let Some(what) = refused {
            let error = Error::unsupported(format!("{what} in GLSL {}", version.name()));
            return Err(error.within(&function.name));
        }
    }
    Ok(())
}

fn unsayable(expr: &Expr, floats: &[bool]) -> Option<&'static str> {
    let is_float_word = |operand: &Expr| match operand.kind {
        ExprKind::Array(array, _) => floats[array as usize],
        _ => false,
    };
    match &expr.kind {
        ExprKind::Binary(
            Binary::BitAnd | Binary::BitOr | Binary::BitXor | Binary::ShiftLeft | Binary::ShiftRight,
            ..,
        )
        | ExprKind::Unary(Unary::BitNot, _) => Some("operations on bits"),
        ExprKind::Bitcast(inner) => {
            let (from, to) = (inner.ty.scalar, expr.ty.scalar);
            let integers = from != Scalar::Float && to != Scalar::Float;
            let word = is_float_word(inner) || to == Scalar::Uint && from == Scalar::Float;
            (!integers && !word).then_some("the bits of a float read as an integer")
        }
        ExprKind::Builtin(Builtin::RoundEven, _) => Some("rounding to the nearest even number"),
        ExprKind::Builtin(Builtin::Fma, _) => None,
        ExprKind::Helper(Helper::ToUintSaturate, _) => Some("unsigned integers"),
        ExprKind::Helper(Helper::MulInfTimesZero, _) => Some("the product of zero and infinity"),
        ExprKind::Array(array, _) => {
            (!floats[*array as usize]).then_some("words of memory that are no floats")
        }
        ExprKind::Local(_) | ExprKind::Literal(_) => None,
        _ if expr.ty.scalar == Scalar::Uint => Some("unsigned integers"),
        _ => None,
    }
}

/// Rows of a matrix are single registers in ES 1.00, which has no `row_major`.
pub(super) fn registers_for_rows(slots: &mut [Slot]) {
    for slot in slots {
        if let Form::Matrix(rows) = slot.form {
            slot.form = Form::Array(u32::from(rows));
        }
    }
}

/// ES 1.00 has one colour.
pub(super) fn one_colour(slots: &[Slot], kind: StageKind) -> Result<(), Error> {
    if kind != StageKind::Fragment {
        return Ok(());
    }
    let mut outputs = slots.iter().filter(|slot| slot.role == Role::Output);
    let fits =
        |slot: &Slot| slot.form == Form::Single && slot.ty == Type { scalar: Scalar::Float, components: 4 };
    let first = outputs.next();
    if outputs.next().is_some() || first.is_some_and(|slot| !fits(slot)) {
        return Err(Error::unsupported("outputs beside one colour of four components in GLSL es100"));
    }
    Ok(())
}

fn precision_word(precision: Precision) -> &'static str {
    match precision {
        Precision::Low => "lowp ",
        Precision::Medium => "mediump ",
        Precision::High => "highp ",
    }
}

/// Units that a language has at least; a number beyond is not written down.
const UNITS: u32 = 80;

/// Whether samplers have their units written down.
pub(super) fn numbers_samplers(program: &Program, options: &Options) -> bool {
    let fits = |global: &Global| match global.shape {
        Shape::Sampler { elements, .. } => global.offset.saturating_add(elements.max(1)) <= UNITS,
        _ => true,
    };
    let fit = program.globals.iter().all(|variable| fits(&variable.global));
    options.glsl.has_bindings() && !options.links_by_name() && (fit || options.layout == Layout::Vulkan)
}

/// The extension that lets a dropped pixel go on for its neighbours.
pub(super) const DEMOTE: &str = "GL_EXT_demote_to_helper_invocation";

impl Printer<'_> {
    /// What kinds of private arrays there are.
    pub(super) fn find_float_arrays(&mut self) {
        if self.version.is_old() || !self.options.strict {
            self.uses.float_arrays = float_arrays(self.program);
        }
    }

    /// Extensions, which stand in front of everything.
    pub(super) fn extensions(&mut self) {
        let mut lines: Vec<String> = Vec::new();
        if self.version.is_old() && self.uses.derivatives {
            lines.push("#extension GL_OES_standard_derivatives : enable".to_owned());
        }
        for extension in &self.uses.extensions {
            let optional = *extension == "GL_EXT_shader_texture_lod" || *extension == DEMOTE;
            let how = if optional { "enable" } else { "require" };
            lines.push(format!("#extension {extension} : {how}"));
            if *extension == DEMOTE {
                // Who does not have it goes on with a dropped pixel as long as others ask it.
                lines.push(format!("#ifndef {DEMOTE}\n#define demote discard\n#endif"));
            }
        }
        if self.version.is_es() && self.uses.external {
            let name = if self.version.is_old() { "external" } else { "external_essl3" };
            lines.push(format!("#extension GL_OES_EGL_image_{name} : require"));
        }
        for line in lines {
            let text = format!("{line}\n");
            self.pieces.push(Piece { group: Group::Extension, explicit: text.clone(), text, passed: None });
        }
    }

    /// The precision of floats that nothing else is said about.
    fn default_float_precision(&self) -> Option<Precision> {
        if !self.version.is_es() {
            return None;
        }
        let is_declared = self.program.globals.iter().any(|variable| variable.global.precision.is_some());
        let medium = self.options.kind == StageKind::Fragment && is_declared;
        Some(if medium { Precision::Medium } else { Precision::High })
    }

    pub(super) fn default_precision(&mut self) {
        if self.options.kind == StageKind::Fragment {
            self.out.push_str(match self.default_float_precision() {
                None => return,
                Some(Precision::Medium) => "\nprecision mediump float;\n",
                Some(_) => "\nprecision highp float;\nprecision highp int;\n",
            });
        }
    }

    /// The qualifier of a variable whose precision is not the default one, with a blank behind it.
    pub(super) fn precision(&self, index: usize) -> &'static str {
        let Some(default) = self.default_float_precision() else { return "" };
        let global = &self.program.globals[index].global;
        let default = match (self.slots[index].role, self.slots[index].ty.scalar) {
            (Role::Sampler, _) => match global.shape {
                Shape::Sampler { shape, shadow, texel, .. }
                    if !sampler::has_precision(shape, shadow, texel) =>
                {
                    return precision_word(global.precision.unwrap_or(Precision::High));
                }
                _ => Precision::Low,
            },
            (_, Scalar::Bool) => return "",
            (_, Scalar::Float) => default,
            _ if self.options.kind == StageKind::Fragment => default,
            _ => Precision::High,
        };
        match global.precision {
            Some(own) if own != default || self.explicit => precision_word(own),
            _ => "",
        }
    }

    /// A uniform outside of a block; members of structures with the first of them.
    pub(super) fn loose_uniform(&mut self, index: usize, slot: Slot) -> Printed {
        if self.struct_uniform(index) {
            return Ok(());
        }
        let precision = self.precision(index);
        let _ = write!(
            self.out,
            "uniform {precision}{} {}",
            self.uniform_type(&slot)?,
            self.names.globals[index]
        );
        push_elements(&mut self.out, &slot);
        self.out.push_str(";\n");
        Ok(())
    }

    /// Type of a uniform, which ES 1.00 may not have.
    pub(super) fn uniform_type(&self, slot: &Slot) -> Result<&'static str, Error> {
        let ty = type_of(slot);
        match slot.form {
            Form::Columns(columns, _) if self.version.is_old() && columns != slot.ty.components => {
                Err(Error::unsupported(format!("a {ty} in GLSL {}", self.version.name())))
            }
            _ => Ok(ty),
        }
    }

    pub(super) fn sampler(&mut self, index: usize, slot: Slot) -> Printed {
        let Shape::Sampler { shape, external, shadow, texel, .. } = self.program.globals[index].global.shape
        else {
            return Ok(());
        };
        if texel != Texel::Float && self.version.is_old() {
            return Err(Error::unsupported("textures of integers in GLSL es100"));
        }
        let texture = Texture { shadow, ..Texture::sample(0, shape, TextureLevel::Quad) };
        sampler::check(texture, self.version)?;
        // Whoever reads it has asked for the extension; for a name alone nobody has to have it.
        if let Some(extension) = sampler::extension(texture, self.version)
            && !self.uses.extensions.contains(extension)
        {
            return Err(Error::unsupported(format!("{} without {extension}", sampler::description(texture))));
        }
        let name = &self.names.globals[index];
        let ty = match (shape, external && self.version.is_es()) {
            (TextureShape::Plane, true) => "samplerExternalOES".to_owned(),
            _ => sampler::name(shape, shadow, texel),
        };
        if external && !self.version.is_es() {
            let _ = writeln!(self.out, "// In OpenGL ES {name} is an external image (samplerExternalOES).");
        }
        if numbers_samplers(self.program, self.options) {
            let unit = self.program.globals[index].global.offset;
            let set = self.set(Set::Textures);
            let _ = write!(self.out, "layout({set}binding = {unit}) ");
        }
        let _ = write!(self.out, "uniform {}{ty} {name}", self.precision(index));
        push_elements(&mut self.out, &slot);
        self.out.push_str(";\n");
        Ok(())
    }

    /// An output in ES 1.00: a varying. The colour of a fragment program the language declares itself.
    pub(super) fn old_output(&mut self, index: usize, slot: Slot) -> Printed {
        let name = self.names.globals[index].clone();
        if slot.ty.scalar != Scalar::Float {
            return Err(Error::unsupported(format!(
                "the output {name} of integers in GLSL {}",
                self.version.name()
            )));
        }
        let mut rest = format!("{}{} {name}", self.precision(index), type_of(&slot));
        push_elements(&mut rest, &slot);
        let passed = Passed { index, rest, name, ..Passed::default() };
        self.out.push_str(&passed.text("varying"));
        self.passed = Some(passed);
        Ok(())
    }

    /// Functions that ES 1.00 does not have.
    pub(super) fn old_builtin(&mut self, builtin: Builtin, operand: &Expr, least: u8) -> Printed {
        match builtin {
            Builtin::IsNan => {
                self.open(precedence::EQUALITY < least);
                self.expression(operand, precedence::SUM)?;
                self.out.push_str(" != ");
                self.expression(operand, precedence::SUM)?;
                self.close(precedence::EQUALITY < least);
            }
            // Above all numbers that there are.
            Builtin::IsInf => {
                self.open(precedence::RELATION < least);
                self.call("abs", [operand])?;
                self.out.push_str(" > 3.4028235e38");
                self.close(precedence::RELATION < least);
            }
            _ => {
                self.open(precedence::PRODUCT < least);
                self.call("sign", [operand])?;
                self.out.push_str(" * floor(");
                self.call("abs", [operand])?;
                self.out.push(')');
                self.close(precedence::PRODUCT < least);
            }
        }
        Ok(())
    }

    /// A hyperbolic function by the functions that the oldest language has.
    pub(super) fn old_hyperbolic(&mut self, builtin: Builtin, operand: &Expr) -> Printed {
        // What stands around the operand each time.
        let parts: &[&str] = match builtin {
            Builtin::Sinh => &["((exp(", ") - exp(-(", "))) * 0.5)"],
            Builtin::Cosh => &["((exp(", ") + exp(-(", "))) * 0.5)"],
            Builtin::Tanh => &["(1.0 - 2.0 / (exp(2.0 * (", ")) + 1.0))"],
            Builtin::Asinh => &["(sign(", ") * log(abs(", ") + sqrt((", ") * (", ") + 1.0)))"],
            Builtin::Acosh => &["log(", " + sqrt((", ") * (", ") - 1.0))"],
            _ => &["(log((1.0 + (", ")) / (1.0 - (", "))) * 0.5)"],
        };
        for (n, part) in parts.iter().enumerate() {
            if n > 0 {
                self.expression(operand, precedence::SUM)?;
            }
            self.out.push_str(part);
        }
        Ok(())
    }

    /// A literal of one component.
    pub(super) fn one_literal(&mut self, scalar: Scalar, bits: impl Into<u64>) -> Binds {
        let bits = bits.into();
        // A division by zero is what it is on the machines at hand, but no language says so.
        let finite = self.options.strict || scalar != Scalar::Float;
        if let Some(binds) = (!finite).then(|| infinite(&mut self.out, f32::from_bits(bits as u32))).flatten()
        {
            return binds;
        }
        if self.version.is_old() {
            old_literal(&mut self.out, scalar, bits)
        } else {
            literal(&mut self.out, scalar, bits)
        }
    }

    /// A value for a private array that holds floats.
    pub(super) fn float_word(&mut self, value: &Expr) -> Printed {
        match (&value.kind, as_float(value)) {
            (ExprKind::Literal(bits), _) => {
                self.one_literal(Scalar::Float, bits.first().copied().unwrap_or(0));
                Ok(())
            }
            (_, Some(inner)) => self.expression(inner, precedence::ANY),
            (_, None) => Err(Error::invalid("a word that is no float among floats")),
        }
    }

    /// A switch as conditions, for ES 1.00.
    pub(super) fn switch_chain(
        &mut self,
        value: &Expr,
        cases: &[(Vec<u32>, Vec<Stmt>)],
        default: &[Stmt],
    ) -> Printed {
        let bodies = || cases.iter().map(|(_, body)| &body[..]).chain([default]);
        if bodies().any(|body| jumps(body, &Stmt::Break)) {
            return Err(Error::unsupported("a break in the middle of a switch in GLSL es100"));
        }
        let name = match self.steady(value)? {
            Steady::Name(name) => name,
            Steady::Expr(value) => {
                let name = self.names.add("selector");
                self.newline();
                let _ = write!(self.out, "int {name} = ");
                self.expression(value, precedence::ANY)?;
                self.out.push(';');
                name
            }
        };
        let mut is_first = true;
        for (selectors, body) in cases.iter().filter(|(selectors, _)| !selectors.is_empty()) {
            if is_first {
                self.newline();
            } else {
                self.out.push_str(" else ");
            }
            is_first = false;
            self.out.push_str("if (");
            for (place, selector) in selectors.iter().enumerate() {
                self.out.push_str(if place > 0 { " || " } else { "" });
                let _ = write!(self.out, "{name} == ");
                self.one_literal(Scalar::Int, *selector);
            }
            self.out.push(')');
            self.decided_braces(value, without_end(body))?;
        }
        if is_first {
            return self.block(without_end(default));
        }
        if !without_end(default).is_empty() {
            self.mark_expression(value);
            self.out.push_str(" else");
            self.decided_braces(value, without_end(default))?;
        }
        Ok(())
    }
}

/// A case without the `break` at its end.
fn without_end(body: &[Stmt]) -> &[Stmt] {
    match body.split_last() {
        Some((Stmt::Break, front)) => front,
        _ => body,
    }
}

/// Whether a `break` that is not the end of the case leaves the switch.
fn jumps(body: &[Stmt], jump: &Stmt) -> bool {
    fn inside(body: &[Stmt], jump: &Stmt) -> bool {
        body.iter().any(|stmt| match stmt {
            Stmt::If { then, otherwise, .. } => inside(then, jump) || inside(otherwise, jump),
            other => other == jump,
        })
    }
    inside(without_end(body), jump)
}
