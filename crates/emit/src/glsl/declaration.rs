//! Declarations in front of the functions: what comes in and goes out, constants, private variables.

use super::Printer;
use super::expression::Printed;
use super::piece::{Group, Passed};
use super::types;
use crate::Error;
use crate::interface::{Form, Role, Slot, is_framebuffer};
use std::fmt::Write as _;
use unshade_ir::ast::{Scalar, Type};
use unshade_stage::StageKind;

impl Printer<'_> {
    /// Prints all declarations, a group for each role. `explicit`: also with all precisions.
    pub(super) fn interface(&mut self, explicit: bool) -> Printed {
        let always = |print: fn(&mut Self)| {
            move |printer: &mut Self| {
                print(printer);
                Ok(())
            }
        };
        self.piece(Group::Precision, always(Self::default_precision))?;
        self.piece(Group::Primitives, always(Self::primitives))?;
        self.uniform_blocks()?;
        self.group(Group::Loose, Role::Loose, explicit, Self::loose_uniform)?;
        self.memories()?;
        self.group(Group::Sampler, Role::Sampler, explicit, Self::sampler)?;
        self.group(Group::Image, Role::Image, explicit, Self::image)?;
        self.group(Group::Input, Role::Input, explicit, Self::input)?;
        if !(self.version.is_old() && self.options.kind == StageKind::Fragment) {
            self.group(Group::Output, Role::Output, explicit, Self::output)?;
        }
        self.piece(Group::BuiltIn, always(Self::distances))?;
        self.piece(Group::BuiltIn, always(Self::precise_position))?;
        self.group(Group::Constant, Role::Constant, false, Self::constant)?;
        self.piece(Group::Private, always(Self::private_variables))?;
        self.piece(Group::Emit, always(Self::emit_function))
    }

    /// Vertices that every implementation takes where the program names no bound: 256 at most, of 1024
    /// components in all.
    pub(super) fn room_for_vertices(&self) -> u32 {
        let components = |slot: &Slot| match slot.role {
            Role::Position => 4,
            Role::Output => u32::from(slot.ty.components) * slot.elements().max(1),
            _ => 0,
        };
        let of_vertex: u32 = self.slots.iter().map(components).sum();
        (1024 / of_vertex.max(4)).clamp(1, 256)
    }

    fn group(
        &mut self,
        group: Group,
        role: Role,
        explicit: bool,
        declare: fn(&mut Self, usize, Slot) -> Printed,
    ) -> Printed {
        for index in 0..self.slots.len() {
            let slot = self.slots[index];
            if slot.role != role {
                continue;
            }
            let before = self.pieces.len();
            self.piece(group, |printer| declare(printer, index, slot))?;
            if explicit && self.pieces.len() > before {
                let passed = self.passed.take();
                self.explicit = true;
                let printed = self.piece(group, |printer| declare(printer, index, slot));
                self.explicit = false;
                printed?;
                let spelled = self.pieces.pop().map(|piece| piece.text);
                if let (Some(piece), Some(spelled)) = (self.pieces.last_mut(), spelled) {
                    piece.explicit = spelled;
                }
                self.passed = passed;
            }
            let passed = self.passed.take();
            if let Some(piece) = self.pieces.last_mut().filter(|_| passed.is_some()) {
                piece.passed = passed;
            }
        }
        Ok(())
    }

    fn input(&mut self, index: usize, slot: Slot) -> Printed {
        let split = self.split_input(index);
        if split > 0 {
            for element in 0..split {
                let (ty, name) = (types::name(slot.ty), &self.split_names[index][element as usize]);
                let _ = if self.version.is_old() {
                    writeln!(self.out, "attribute {}{ty} {name};", self.precision(index))
                } else if self.options.links_by_name() {
                    writeln!(self.out, "in {}{ty} {name};", self.precision(index))
                } else {
                    let place = slot.place.saturating_add(element);
                    writeln!(self.out, "layout(location = {place}) in {ty} {name};")
                };
            }
            return Ok(());
        }
        let patch = self.program.globals[index].global.patch;
        let geometry = match self.options.kind {
            StageKind::Geometry => true,
            StageKind::TessControl | StageKind::TessEval => !patch,
            _ => false,
        };
        let of_vertices = self.program.globals[index].global.vertices > 0;
        if geometry
            && !of_vertices
            && matches!(slot.form, Form::Array(_))
            && !self.version.has_arrays_of_arrays()
        {
            return Err(Error::unsupported(format!(
                "an array among the inputs of a geometry program in GLSL {}",
                self.version.name()
            )));
        }
        if is_framebuffer(&self.program.globals[index].global) {
            self.out.push_str("// What the framebuffer holds at this pixel; the machine reads it there.\n");
        }
        let vertex = self.options.kind == StageKind::Vertex;
        let mut layout = String::new();
        if self.version.is_old() {
            if slot.ty.scalar != Scalar::Float {
                return Err(Error::unsupported(format!(
                    "the input {} of integers in GLSL {}",
                    self.names.globals[index],
                    self.version.name()
                )));
            }
        } else if self.numbers_inputs(vertex) {
            let _ = write!(layout, "layout(location = {}", slot.place);
            if slot.component > 0 {
                let _ = write!(layout, ", component = {}", slot.component);
            }
            layout.push_str(") ");
        }
        let fragment = self.options.kind == StageKind::Fragment;
        let interpolation = if fragment { self.interpolation(index)? } else { String::new() };
        // Registers are the columns of an input matrix: each has a location of its own.
        let ty = match slot.form {
            Form::Matrix(rows) => types::matrix(rows, slot.ty.components),
            _ => self.declared_type(index, &slot),
        };
        let name = self.names.globals[index].clone();
        let mut rest = format!("{}{ty} {name}", self.precision(index));
        if geometry {
            rest.push_str("[]");
        }
        if !of_vertices {
            push_elements(&mut rest, &slot);
        }
        let passed = Passed { index, layout, interpolation, precise: false, patch, rest, name };
        self.out.push_str(&passed.text(match (self.version.is_old(), vertex) {
            (false, _) => "in",
            (true, true) => "attribute",
            (true, false) => "varying",
        }));
        self.passed = (!vertex).then_some(passed);
        Ok(())
    }

    /// Whether inputs have their locations written down.
    fn numbers_inputs(&self, vertex: bool) -> bool {
        !self.options.links_by_name() && (vertex || self.version.has_bindings())
    }

    /// How many outputs of a fragment program have a number.
    fn colors(&self) -> usize {
        self.slots.iter().filter(|slot| slot.role == Role::Output).count()
    }

    fn output(&mut self, index: usize, slot: Slot) -> Printed {
        let fragment = self.options.kind == StageKind::Fragment;
        if self.version.is_old() {
            return self.old_output(index, slot);
        }
        let bindings = self.version.has_bindings();
        // The only color is number 0 by itself.
        let alone = fragment && !bindings && (slot.place, slot.component) == (0, 0) && self.colors() == 1;
        let mut layout = String::new();
        if (fragment || bindings && !self.options.links_by_name()) && !alone {
            let _ = write!(layout, "layout(location = {}", slot.place);
            if slot.component > 0 {
                let _ = write!(layout, ", component = {}", slot.component);
            }
            self.streamed(&mut layout, index);
            layout.push_str(") ");
        }
        let patch = self.program.globals[index].global.patch;
        let flat = !fragment && !patch && slot.ty.scalar != Scalar::Float;
        let interpolation = if flat { "flat ".to_owned() } else { String::new() };
        let kept = self.needs.kept[index];
        let name = if kept { self.kept_names[index].clone() } else { self.names.globals[index].clone() };
        let mut rest = format!("{}{} {name}", self.precision(index), type_of(&slot));
        if slot.of_vertices {
            rest.push_str("[]");
        } else {
            push_elements(&mut rest, &slot);
        }
        let precise = self.precise.globals[index] && !kept;
        let passed = Passed { index, layout, interpolation, precise, patch, rest, name };
        self.out.push_str(&passed.text("out"));
        self.passed = (!fragment).then_some(passed);
        Ok(())
    }

    fn precise_position(&mut self) {
        let is_precise = |(index, slot): (usize, &Slot)| {
            slot.role == Role::Position && self.precise.globals[index] && !self.needs.kept[index]
        };
        if self.slots.iter().enumerate().any(is_precise) {
            self.out.push_str("precise gl_Position;\n");
        }
    }

    /// A constant of the file. One without a literal for each value gets it at the start of `main`.
    fn constant(&mut self, index: usize, slot: Slot) -> Printed {
        let literal = self.is_literal_constant(index);
        let start = self.out.len();
        self.out.push_str(if literal { "const " } else { "" });
        let _ = write!(self.out, "{} {}", type_of(&slot), self.names.globals[index]);
        push_elements(&mut self.out, &slot);
        if literal {
            self.out.push_str(" = ");
            self.indent = 0;
            self.constant_value(index);
            // Bits of a float are a constant by the language, and none to glslang.
            if !self.version.is_es()
                && self.out.get(start..).is_some_and(|text| text.contains("BitsToFloat("))
            {
                self.out.replace_range(start..start + "const ".len(), "");
            }
        }
        self.out.push_str(";\n");
        Ok(())
    }

    /// A literal vector.
    fn vector(&mut self, ty: Type, component: &dyn Fn(usize) -> u32) {
        if ty.components > 1 {
            self.out.push_str(types::name(ty));
            self.out.push('(');
        }
        for lane in 0..usize::from(ty.components) {
            self.out.push_str(if lane > 0 { ", " } else { "" });
            self.one_literal(ty.scalar, component(lane));
        }
        self.close(ty.components > 1);
    }

    /// One element of an array of constants.
    pub(super) fn constant_element(&mut self, index: usize, element: u32, columns: u8) {
        let slot = self.slots[index];
        let program = self.program;
        let global = &program.globals[index].global;
        let Form::Columns(..) = slot.form else {
            return self.vector(slot.ty, &|lane| global.constant_value(element, lane as u8));
        };
        self.out.push_str(type_of(&slot));
        for column in 0..u32::from(columns) {
            self.out.push_str(if column > 0 { ", " } else { "(" });
            let at = element.wrapping_mul(columns.into()).wrapping_add(column);
            self.vector(slot.ty, &|lane| global.constant_value(at, lane as u8));
        }
        self.out.push(')');
    }

    fn constant_words(&self, index: usize) -> &[u32] {
        self.program.globals[index].global.constant.as_deref().unwrap_or_default()
    }

    /// Whether a compiler takes the value as a constant; true for everything else than a constant.
    pub(super) fn is_literal_constant(&self, index: usize) -> bool {
        let slot = self.slots[index];
        let assigned = self.version.is_old() && matches!(slot.form, Form::Array(_) | Form::Columns(_, 1..));
        slot.role != Role::Constant
            || !assigned && slot.ty.scalar != Scalar::Float
            || !assigned && !self.options.strict && !self.version.is_old()
            || !assigned && self.constant_words(index).iter().all(|&bits| f32::from_bits(bits).is_finite())
    }

    /// The value of a constant: elements and columns of a matrix one to a line.
    pub(super) fn constant_value(&mut self, index: usize) {
        let slot = self.slots[index];
        let program = self.program;
        let global = &program.globals[index].global;
        let word = |element: usize, lane: usize| global.constant_value(element as u32, lane as u8);
        let (lines, line_type) = match slot.form {
            Form::Single => return self.vector(slot.ty, &|lane| word(0, lane)),
            Form::Array(elements) => (elements as usize, slot.ty),
            // The constructor takes columns.
            Form::Matrix(rows) => (usize::from(slot.ty.components), Type { components: rows, ..slot.ty }),
            Form::Columns(columns, 0) => (usize::from(columns), slot.ty),
            Form::Columns(_, elements) => (elements as usize, slot.ty),
        };
        self.out.push_str(type_of(&slot));
        let is_array = matches!(slot.form, Form::Array(_) | Form::Columns(_, 1..));
        self.out.push_str(if is_array { "[](" } else { "(" });
        self.indent += 1;
        for line in 0..lines {
            self.out.push_str(if line > 0 { "," } else { "" });
            self.newline();
            match slot.form {
                Form::Matrix(_) => self.vector(line_type, &|row| word(row, line)),
                Form::Columns(columns, 1..) => {
                    self.constant_element(index, line as u32, columns);
                }
                _ => self.vector(line_type, &|lane| word(line, lane)),
            }
        }
        self.indent -= 1;
        self.newline();
        self.out.push(')');
    }

    /// Private arrays, inputs that the version takes only one by one, outputs that keep their value.
    fn private_variables(&mut self) {
        let start = self.out.len();
        for (index, (array, name)) in self.program.arrays.iter().zip(&self.names.arrays).enumerate() {
            if self.is_strict() {
                self.out.push_str("precise ");
            }
            let ty = if self.uses.float_arrays[index] { "float" } else { "uint" };
            let _ = writeln!(self.out, "{ty} {name}[{}];", array.words.max(1));
        }
        for index in 0..self.slots.len() {
            let slot = self.slots[index];
            let split = self.split_input(index);
            if slot.role == Role::Ignored {
                let name = &self.names.globals[index];
                let what = self.program.globals[index].global.semantic.as_deref().unwrap_or_default();
                let _ =
                    write!(self.out, "// The {what}, which GLSL does not have.\n{} {name}", type_of(&slot));
                push_elements(&mut self.out, &slot);
                self.out.push_str(";\n");
            }
            if split > 0 {
                let _ =
                    writeln!(self.out, "{} {}[{split}];", types::name(slot.ty), self.names.globals[index]);
            }
            if self.needs.kept[index] {
                if self.precise.globals[index] {
                    self.out.push_str("precise ");
                }
                let _ = write!(self.out, "{} {}", type_of(&slot), self.names.globals[index]);
                push_elements(&mut self.out, &slot);
                if slot.form == Form::Single {
                    self.out.push_str(" = ");
                    self.zero(slot.ty);
                }
                self.out.push_str(";\n");
            }
        }
        if self.out.len() > start {
            self.out.insert(start, '\n');
        }
    }

    /// The function that emits a vertex with the kept outputs.
    fn emit_function(&mut self) {
        let Some(name) = self.emit_vertex.clone() else { return };
        let what = if self.streams { "Sets the outputs of a vertex" } else { "Emits a vertex" };
        let _ = writeln!(
            self.out,
            "\n// {what}; the outputs keep their values for the next one.\nvoid {name}() {{"
        );
        for index in 0..self.slots.len() {
            if !self.needs.kept[index] {
                continue;
            }
            let slot = self.slots[index];
            let kept = &self.names.globals[index];
            if slot.role == Role::Position {
                let lanes =
                    &"xyzw"[usize::from(slot.component)..usize::from(slot.component + slot.ty.components)];
                let lanes = if lanes.len() == 4 { String::new() } else { format!(".{lanes}") };
                let _ = writeln!(self.out, "    gl_Position{lanes} = {kept};");
            } else {
                let _ = writeln!(self.out, "    {} = {kept};", self.kept_names[index]);
            }
        }
        self.out.push_str(if self.streams { "}\n" } else { "    EmitVertex();\n}\n" });
    }

    /// Elements that an input is declared by one by one; 0: it is declared whole.
    pub(super) fn split_input(&self, index: usize) -> u32 {
        let slot = &self.slots[index];
        match slot.form {
            Form::Array(elements)
                if slot.role == Role::Input
                    && self.options.kind == StageKind::Vertex
                    && !self.version.has_attribute_arrays() =>
            {
                elements
            }
            _ => 0,
        }
    }
}

/// Type of a uniform or output: rows of a matrix are registers.
pub(super) fn type_of(slot: &Slot) -> &'static str {
    match slot.form {
        Form::Matrix(rows) => types::matrix(slot.ty.components, rows),
        Form::Columns(columns, _) => types::matrix(columns, slot.ty.components),
        _ => types::name(slot.ty),
    }
}

pub(super) fn push_elements(out: &mut String, slot: &Slot) {
    if let Form::Array(elements) | Form::Columns(_, elements @ 1..) = slot.form {
        let _ = write!(out, "[{elements}]");
    }
}
