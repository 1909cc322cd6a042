//! Statements.

use super::expression::{Printed, operator, precedence};
use super::function::Results;
use super::literal::literal;
use super::{Printer, precise, types};
use crate::Error;
use crate::interface::{Form, Role};
use crate::visit::gives_first_value;
use std::fmt::Write as _;
use unshade_ir::ast::{Binary, Expr, ExprKind, GlobalRef, LocalRef, Place, Scalar, Stmt, Type};
use unshade_stage::StageKind;

use precedence::ANY;

impl Printer<'_> {
    pub(super) fn block(&mut self, block: &[Stmt]) -> Printed {
        let mut rest = block;
        while let [first, tail @ ..] = rest {
            rest = tail;
            let start = self.out.len();
            let mut printed = first;
            // A declaration takes its value from the statement behind it.
            if let (Stmt::Declare(local, None), [second, behind @ ..]) = (first, tail)
                && !self.results.declares(*local)
                && gives_first_value(second, *local)
            {
                (rest, printed) = (behind, second);
                match second {
                    Stmt::Assign(_, value) => self.declare(*local, Some(value))?,
                    Stmt::Act(act) => self.act(act, Some(*local))?,
                    Stmt::Call { function, args, .. } => {
                        self.call_statement(function.0 as usize, args, &[], Some(*local))?;
                    }
                    _ => {}
                }
            } else {
                self.statement(first)?;
            }
            self.mark_statement(start, printed);
        }
        Ok(())
    }

    /// ` {`, a block one level deeper, `}`.
    pub(super) fn braces(&mut self, block: &[Stmt]) -> Printed {
        self.out.push_str(" {");
        self.indent += 1;
        self.block(block)?;
        self.indent -= 1;
        self.newline();
        self.out.push('}');
        Ok(())
    }

    fn statement(&mut self, statement: &Stmt) -> Printed {
        match statement {
            Stmt::Declare(local, value) => self.declare(*local, value.as_ref()),
            Stmt::Assign(place, value) => self.assign(place, value),
            Stmt::Call { function, args, results, .. } => {
                self.call_statement(function.0 as usize, args, results, None)
            }
            Stmt::If { condition, then, otherwise } => self.if_chain(condition, then, otherwise),
            Stmt::For { counter, start, condition, step, body } => {
                self.for_loop(*counter, [start, condition, step], body)
            }
            Stmt::While { condition, body } => {
                self.newline();
                self.out.push_str("while (");
                self.expression(condition, ANY)?;
                self.out.push(')');
                self.decided_braces(condition, body)
            }
            Stmt::DoWhile { body, condition } => {
                self.newline();
                self.mark_expression(condition);
                self.out.push_str("do");
                self.decided_braces(condition, body)?;
                self.out.push_str(" while (");
                self.mark_expression(condition);
                self.expression(condition, ANY)?;
                self.out.push_str(");");
                Ok(())
            }
            Stmt::Loop(body) => {
                self.newline();
                self.mark_exits(body);
                self.out.push_str("while (true)");
                // What stands in it directly is done whenever the loop is.
                self.deciding.push(Vec::new());
                let printed = self.braces(body);
                self.decided();
                printed
            }
            Stmt::Switch { value, cases, default } if self.version.is_old() => {
                self.switch_chain(value, cases, default)
            }
            Stmt::Switch { value, cases, default } => self.switch(value, cases, default),
            Stmt::Return(values) => self.return_statement(values),
            Stmt::Break => self.say_decided("break;"),
            Stmt::Continue => self.say_decided("continue;"),
            Stmt::Discard(_) => {
                if self.options.kind != StageKind::Fragment {
                    return Err(Error::unsupported(format!("discard in a {} program", self.options.kind)));
                }
                self.say_decided("discard;")
            }
            Stmt::Act(act) => self.act(act, None),
            Stmt::EmitVertex(stream, _) => {
                self.geometry_only("EmitVertex")?;
                self.newline();
                let copies = self.emit_vertex.as_deref().unwrap_or("EmitVertex");
                match self.streams {
                    false => {
                        let _ = write!(self.out, "{copies}();");
                    }
                    true => {
                        if self.emit_vertex.is_some() {
                            let _ = write!(self.out, "{copies}();");
                            self.newline();
                        }
                        let _ = write!(self.out, "EmitStreamVertex({stream});");
                    }
                }
                Ok(())
            }
            Stmt::EndPrimitive(stream, _) => {
                self.geometry_only("EndPrimitive")?;
                match self.streams {
                    false => self.say("EndPrimitive();"),
                    true => self.say(&format!("EndStreamPrimitive({stream});")),
                }
            }
            Stmt::Comment(text) => {
                for line in text.lines() {
                    self.newline();
                    crate::comment::push(&mut self.out, line);
                }
                Ok(())
            }
        }
    }

    pub(super) fn say(&mut self, word: &str) -> Printed {
        self.newline();
        self.out.push_str(word);
        Ok(())
    }

    /// The same of what a condition decides.
    pub(super) fn say_decided(&mut self, word: &str) -> Printed {
        self.newline();
        self.mark_decision();
        self.out.push_str(word);
        Ok(())
    }

    fn geometry_only(&self, what: &str) -> Printed {
        if self.options.kind == StageKind::Geometry {
            return Ok(());
        }
        Err(Error::unsupported(format!("{what} in a {} program", self.options.kind)))
    }

    fn declare(&mut self, local: LocalRef, value: Option<&Expr>) -> Printed {
        let in_signature = self.results.declares(local);
        if in_signature && value.is_none() {
            return Ok(());
        }
        self.newline();
        if in_signature {
            self.local_name(local);
        } else {
            self.typed_name(local);
        }
        if let Some(value) = value {
            self.out.push_str(" = ");
            self.expression(value, ANY)?;
        }
        self.out.push(';');
        Ok(())
    }

    /// The name of a local with its type, as its declaration begins.
    pub(super) fn typed_name(&mut self, local: LocalRef) {
        if self.precise.locals[self.function][local.0 as usize] {
            self.out.push_str("precise ");
        }
        let ty = self.program.functions[self.function].locals[local.0 as usize].ty;
        self.out.push_str(types::name(ty));
        self.out.push(' ');
        self.local_name(local);
    }

    fn assign(&mut self, place: &Place, value: &Expr) -> Printed {
        self.newline();
        if self.store_doubles(place, value)? {
            return Ok(());
        }
        self.place(place)?;
        if let Place::Array(array, _) = place
            && self.uses.float_arrays[*array as usize]
            && value.ty.scalar != Scalar::Float
        {
            self.out.push_str(" = ");
            self.float_word(value)?;
            self.out.push(';');
            return Ok(());
        }
        match compound(place, value) {
            Some((binary @ (Binary::Add | Binary::Sub), by)) if is_one(by) => {
                self.out.push_str(if binary == Binary::Add { "++" } else { "--" });
            }
            Some((Binary::Add, by)) if is_minus_one(by) => self.out.push_str("--"),
            Some((binary, by)) => {
                self.out.push(' ');
                self.out.push_str(operator(binary).0);
                self.out.push_str("= ");
                self.operand(binary, by, ANY)?;
            }
            None => {
                self.out.push_str(" = ");
                self.expression(value, ANY)?;
            }
        }
        self.out.push(';');
        Ok(())
    }

    /// A place to assign to.
    pub(super) fn place(&mut self, place: &Place) -> Printed {
        match place {
            Place::Local(local, lanes) => {
                self.local_name(*local);
                let ty = self.program.functions[self.function].locals[local.0 as usize].ty;
                self.some_lanes(ty, lanes);
            }
            Place::Global(global, index, lanes) => {
                let slot = self.slots[global.0 as usize];
                if !slot.role.is_written() {
                    return Err(Error::invalid("an assignment to something that is no output"));
                }
                if slot.role == Role::Position && !self.needs.kept[global.0 as usize] {
                    // The components of the register, named on the built-in variable itself.
                    self.out.push_str("gl_Position");
                    let own: Vec<u8> = (0..slot.ty.components).collect();
                    let lanes = if lanes.is_empty() { &own } else { lanes };
                    let lanes: Vec<u8> = lanes.iter().map(|lane| lane + slot.component).collect();
                    self.some_lanes(Type { components: 4, ..slot.ty }, &lanes);
                    return Ok(());
                }
                self.global_name(*global, index.as_deref())?;
                self.some_lanes(slot.ty, lanes);
            }
            Place::Array(array, index) => self.array_element(*array, index)?,
            Place::Word(memory, index, lanes) => {
                self.word(*memory, index)?;
                self.some_lanes(self.program.memories[*memory as usize].ty(), lanes);
            }
        }
        Ok(())
    }

    /// The name under which an output is written.
    pub(super) fn output_name(&mut self, global: GlobalRef) {
        let slot = self.slots[global.0 as usize];
        if slot.form == Form::Single {
            // Without an index nothing can fail.
            let _ = self.place(&Place::Global(global, None, Vec::new()));
        } else {
            let name = match super::built_in(slot.role, self.options) {
                Some(name) if !self.needs.kept[global.0 as usize] => name,
                _ => &self.names.globals[global.0 as usize],
            };
            self.out.push_str(name);
        }
    }

    /// `.xy`, unless these are all components.
    fn some_lanes(&mut self, ty: Type, lanes: &[u8]) {
        let all = lanes.len() == usize::from(ty.components)
            && lanes.iter().enumerate().all(|(place, &lane)| usize::from(lane) == place);
        if !lanes.is_empty() && !all {
            self.lanes(lanes);
        }
    }

    /// A call; its only result may be the first value of a local, which is declared here then.
    fn call_statement(
        &mut self,
        function: usize,
        args: &[Expr],
        results: &[Option<Place>],
        declared: Option<LocalRef>,
    ) -> Printed {
        let callee = &self.program.functions[function];
        // In strict text an argument with arithmetic is computed by itself, as `precise` as a local.
        let args = args.iter().map(|arg| self.steady(arg)).collect::<Result<Vec<_>, _>>()?;
        let as_value = results.len() == 1;
        // `out` parameters need somewhere to go.
        let mut unused = Vec::new();
        if !as_value {
            for (result, &ty) in results.iter().zip(&callee.results) {
                if result.is_none() {
                    let name = self.names.add("unused");
                    self.newline();
                    self.out.push_str(types::name(ty));
                    self.out.push(' ');
                    self.out.push_str(&name);
                    self.out.push(';');
                    unused.push(name);
                }
            }
        }
        self.newline();
        if let Some(local) = declared {
            self.typed_name(local);
            self.out.push_str(" = ");
        } else if let [Some(place)] = results {
            self.place(place)?;
            self.out.push_str(" = ");
        }
        self.out.push_str(&self.names.functions[function]);
        let (open, marks) = (self.out.len(), self.marks.len());
        for broken in [false, true] {
            self.out.truncate(open);
            self.marks.truncate(marks);
            self.flat = !broken;
            self.call_values(&args, results, &unused, broken)?;
            self.flat = false;
            if !std::mem::take(&mut self.too_long) && self.column() <= super::WIDTH {
                break;
            }
        }
        Ok(())
    }

    /// `(arguments, places of the results);`
    fn call_values(
        &mut self,
        args: &[Steady<'_>],
        results: &[Option<Place>],
        unused: &[String],
        broken: bool,
    ) -> Printed {
        let begin = |printer: &mut Self, first: bool| {
            if !first {
                printer.out.push_str(if broken { "," } else { ", " });
            }
            if broken {
                printer.newline();
            }
        };
        self.out.push('(');
        self.indent += 1;
        for (place, arg) in args.iter().enumerate() {
            begin(self, place == 0);
            match arg {
                Steady::Expr(arg) => self.expression(arg, ANY)?,
                Steady::Name(name) => self.out.push_str(name),
            }
        }
        let mut unused = unused.iter();
        let by_parameter = if results.len() == 1 { &[] } else { results };
        for (place, result) in by_parameter.iter().enumerate() {
            begin(self, place == 0 && args.is_empty());
            match result {
                Some(result) => self.place(result)?,
                None => self.out.push_str(unused.next().map_or("", String::as_str)),
            }
        }
        self.indent -= 1;
        if broken {
            self.newline();
        }
        self.out.push_str(");");
        Ok(())
    }

    fn return_statement(&mut self, values: &[Expr]) -> Printed {
        match (self.results.clone(), values) {
            (Results::Value, [value]) => {
                let value = self.steady(value)?;
                self.newline();
                self.out.push_str("return ");
                match value {
                    Steady::Name(name) => self.out.push_str(&name),
                    Steady::Expr(value) => self.expression(value, ANY)?,
                }
                self.out.push(';');
                Ok(())
            }
            (Results::Parameters(_), values) => {
                self.assign_results(values)?;
                self.say_decided("return;")
            }
            _ => self.say_decided("return;"),
        }
    }

    /// Assigns the values of a return to the parameters that carry them.
    pub(super) fn assign_results(&mut self, values: &[Expr]) -> Printed {
        let Results::Parameters(names) = self.results.clone() else { return Ok(()) };
        for (name, value) in names.iter().zip(values) {
            self.newline();
            self.out.push_str(name);
            self.out.push_str(" = ");
            self.expression(value, ANY)?;
            self.out.push(';');
        }
        Ok(())
    }

    /// Strict text: declares a `precise` local for a value with arithmetic that no declared variable holds.
    pub(super) fn steady<'e>(&mut self, value: &'e Expr) -> Result<Steady<'e>, Error> {
        if !self.needs_local(value) {
            return Ok(Steady::Expr(value));
        }
        let name = self.names.add("value");
        self.newline();
        self.out.push_str("precise ");
        self.out.push_str(types::name(value.ty));
        self.out.push(' ');
        self.out.push_str(&name);
        self.out.push_str(" = ");
        self.expression(value, ANY)?;
        self.out.push(';');
        Ok(Steady::Name(name))
    }

    pub(super) fn needs_local(&self, value: &Expr) -> bool {
        self.is_strict() && precise::is_arithmetic(value)
    }

    /// A zero of the type.
    pub(super) fn zero(&mut self, ty: Type) {
        if ty.components > 1 {
            self.out.push_str(types::name(ty));
            self.out.push('(');
        }
        literal(&mut self.out, ty.scalar, 0);
        self.close(ty.components > 1);
    }
}

/// A value to be used in a statement: in place, or through a local.
pub(super) enum Steady<'e> {
    Expr(&'e Expr),
    Name(String),
}

/// The whole number 1.
fn is_one(expr: &Expr) -> bool {
    matches!(expr.ty.scalar, Scalar::Int | Scalar::Uint) && expr.kind == ExprKind::Literal(vec![1])
}

/// The whole number -1.
fn is_minus_one(expr: &Expr) -> bool {
    expr.ty.scalar == Scalar::Int && expr.kind == ExprKind::Literal(vec![u64::from(u32::MAX)])
}

/// Whether an expression is the value of a place before it is assigned.
fn reads_place(place: &Place, ty: Type, expr: &Expr) -> bool {
    match (place, &expr.kind) {
        _ if expr.ty != ty => false,
        (Place::Local(local, lanes), ExprKind::Local(read)) => lanes.is_empty() && local == read,
        (Place::Local(local, lanes), ExprKind::Swizzle(base, read)) => {
            lanes == read && base.kind == ExprKind::Local(*local)
        }
        (Place::Word(memory, index, lanes), ExprKind::Word(read, from)) => {
            lanes.is_empty() && memory == read && index == from
        }
        (Place::Word(memory, index, lanes), ExprKind::Swizzle(base, read)) => {
            lanes == read
                && matches!(&base.kind, ExprKind::Word(other, from) if memory == other && index == from)
        }
        _ => false,
    }
}

/// `x = x + y` is `x += y`, and so is `x = y + x`.
fn compound<'e>(place: &Place, value: &'e Expr) -> Option<(Binary, &'e Expr)> {
    let ExprKind::Binary(binary, left, right) = &value.kind else { return None };
    let commutes = match binary {
        Binary::Add | Binary::Mul | Binary::BitAnd | Binary::BitOr | Binary::BitXor => true,
        Binary::Sub | Binary::Div | Binary::Rem | Binary::ShiftLeft | Binary::ShiftRight => false,
        _ => return None,
    };
    if reads_place(place, value.ty, left) {
        Some((*binary, right))
    } else if commutes && reads_place(place, value.ty, right) {
        Some((*binary, left))
    } else {
        None
    }
}
