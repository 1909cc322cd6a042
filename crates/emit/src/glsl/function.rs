//! Functions: signatures, the way results leave, what the entry does before everything else.

use super::Printer;
use super::expression::Printed;
use super::{filled, types};
use crate::interface::Form;
use std::fmt::Write as _;
use unshade_ir::ast::{Expr, ExprKind, Function, LocalRef, Stmt};

/// How a function gives its results.
#[derive(Debug, Clone)]
pub(super) enum Results {
    /// It has none.
    None,
    /// The only one is the return value.
    Value,
    /// Each is an `out` parameter of this name, assigned where the function returns.
    Parameters(Vec<String>),
    /// Each is an `out` parameter in place of the local that every return names.
    Locals(Vec<LocalRef>),
}

impl Results {
    /// Whether the local is declared in the signature.
    pub fn declares(&self, local: LocalRef) -> bool {
        matches!(self, Self::Locals(locals) if locals.contains(&local))
    }
}

impl Printer<'_> {
    /// Prints one function.
    pub(super) fn function(&mut self, index: usize) -> Printed {
        self.function = index;
        let function = &self.program.functions[index];
        self.results = self.results_of(function);
        self.out.push('\n');
        self.signature(function);
        self.indent = 1;
        if self.is_entry() {
            self.prologue();
        }
        // The end of the function returns by itself.
        match function.body.split_last() {
            Some((Stmt::Return(values), body)) if !matches!(self.results, Results::Value) => {
                self.block(body)?;
                self.assign_results(values)?;
            }
            _ => self.block(&function.body)?,
        }
        self.indent = 0;
        self.newline();
        self.out.push_str("}\n");
        Ok(())
    }

    fn results_of(&mut self, function: &Function) -> Results {
        match function.results.len() {
            0 => return Results::None,
            1 => return Results::Value,
            _ => {}
        }
        let mut returns = Vec::new();
        collect_returns(&function.body, &mut returns);
        if let Some(locals) = common_locals(function, &returns) {
            return Results::Locals(locals);
        }
        Results::Parameters(
            (0..function.results.len()).map(|n| self.names.add(&format!("result{n}"))).collect(),
        )
    }

    fn signature(&mut self, function: &Function) {
        let results = self.results.clone();
        self.out.push_str(match results {
            Results::Value => types::name(function.results[0]),
            _ => "void",
        });
        self.out.push(' ');
        self.out.push_str(&self.names.functions[self.function]);
        let open = self.out.len();
        self.out.push('(');
        let mut comma = "";
        for &param in &function.params {
            self.out.push_str(comma);
            comma = ", ";
            self.out.push_str(types::name(function.locals[param.0 as usize].ty));
            self.out.push(' ');
            self.local_name(param);
        }
        for (place, &ty) in function.results.iter().enumerate() {
            let (name, precise) = match &results {
                Results::None | Results::Value => break,
                Results::Parameters(names) => (names[place].as_str(), self.is_strict()),
                Results::Locals(locals) => {
                    let local = locals[place].0 as usize;
                    let name = self.names.locals[self.function][local].as_str();
                    (name, self.precise.locals[self.function][local])
                }
            };
            self.out.push_str(comma);
            comma = ", ";
            self.out.push_str(if precise { "precise out " } else { "out " });
            self.out.push_str(types::name(ty));
            self.out.push(' ');
            self.out.push_str(name);
        }
        self.out.push_str(") {");
        if self.column() > super::WIDTH {
            // One parameter to a line.
            let broken = self.out[open + 1..].replace(", ", ",\n    ");
            self.out.truncate(open + 1);
            let parameters = broken.trim_end_matches(") {");
            let _ = write!(self.out, "\n    {parameters}\n) {{");
        }
    }

    /// What the entry does first: outputs and private arrays that the machine finds at 0.
    fn prologue(&mut self) {
        for index in 0..self.slots.len() {
            let slot = self.slots[index];
            if self.needs.zero[index] && slot.role.is_written() {
                let global = unshade_ir::ast::GlobalRef(u32::try_from(index).unwrap_or(u32::MAX));
                for element in 0..slot.elements().max(1) {
                    self.newline();
                    self.output_name(global);
                    match slot.form {
                        Form::Single => {}
                        Form::Columns(columns, 1..) => {
                            let columns = u32::from(columns.max(1));
                            let _ = write!(self.out, "[{}][{}]", element / columns, element % columns);
                        }
                        _ => {
                            let _ = write!(self.out, "[{element}]");
                        }
                    }
                    self.out.push_str(" = ");
                    self.zero(slot.ty);
                    self.out.push(';');
                }
            }
        }
        let entry = self.program.functions.last().map_or(&[][..], |entry| &entry.body);
        for index in 0..self.program.arrays.len() {
            if filled::is_filled(entry, index as u32, self.program.arrays[index].words) {
                continue;
            }
            let counter = self.names.add("i");
            let words = self.program.arrays[index].words;
            let zero = if self.uses.float_arrays[index] { "0.0" } else { "0u" };
            self.newline();
            let array = &self.names.arrays[index];
            let _ = write!(
                self.out,
                "for (int {counter} = 0; {counter} < {words}; {counter}++) {{\n        {array}[{counter}] = {zero};\n    }}"
            );
        }
        for index in 0..self.slots.len() {
            let slot = self.slots[index];
            if let (false, true, Form::Array(elements) | Form::Columns(_, elements @ 1..)) =
                (self.is_literal_constant(index), self.version.is_old(), slot.form)
            {
                let columns = if let Form::Columns(columns, _) = slot.form { columns } else { 1 };
                for element in 0..elements {
                    self.newline();
                    let _ = write!(self.out, "{}[{element}] = ", self.names.globals[index]);
                    self.constant_element(index, element, columns);
                    self.out.push(';');
                }
            } else if !self.is_literal_constant(index) {
                self.newline();
                self.out.push_str(&self.names.globals[index]);
                self.out.push_str(" = ");
                self.constant_value(index);
                self.out.push(';');
            }
            for element in 0..self.split_input(index) {
                self.newline();
                let name = &self.names.globals[index];
                let _ =
                    write!(self.out, "{name}[{element}] = {};", self.split_names[index][element as usize]);
            }
        }
    }
}

fn collect_returns<'e>(block: &'e [Stmt], returns: &mut Vec<&'e [Expr]>) {
    for statement in block {
        match statement {
            Stmt::Return(values) => returns.push(values),
            Stmt::If { then, otherwise, .. } => {
                collect_returns(then, returns);
                collect_returns(otherwise, returns);
            }
            Stmt::For { body, .. }
            | Stmt::While { body, .. }
            | Stmt::DoWhile { body, .. }
            | Stmt::Loop(body) => collect_returns(body, returns),
            Stmt::Switch { cases, default, .. } => {
                cases.iter().for_each(|(_, body)| collect_returns(body, returns));
                collect_returns(default, returns);
            }
            _ => {}
        }
    }
}

/// The locals that every return names, if these can be parameters: distinct, no parameters already, of the
/// types of the results.
fn common_locals(function: &Function, returns: &[&[Expr]]) -> Option<Vec<LocalRef>> {
    let (first, rest) = returns.split_first()?;
    if rest.iter().any(|other| other != first) {
        return None;
    }
    let mut locals = Vec::with_capacity(first.len());
    for (value, &ty) in first.iter().zip(&function.results) {
        let ExprKind::Local(local) = value.kind else { return None };
        let fits = function.locals.get(local.0 as usize).is_some_and(|local| local.ty == ty);
        if !fits || locals.contains(&local) || function.params.contains(&local) {
            return None;
        }
        locals.push(local);
    }
    Some(locals)
}
