//! The rules of the tree that every printer relies on: references name something, widths are 1-4, nothing
//! is nested deeper than [`DEPTH_LIMIT`]. Behind this check the printers may index and recurse freely.

use crate::{DEPTH_LIMIT, Error};
use unshade_ir::ast::{
    Action, Builtin, Expr, ExprKind, Function, GlobalRef, Helper, LocalRef, Place, Program, Scalar, Stmt,
    Type,
};
use unshade_ir::{Image, ImageQuery, Shape, TextureLevel};

/// Checks a whole program.
pub(crate) fn check(program: &Program) -> Result<(), Error> {
    if program.functions.is_empty() {
        return Err(Error::invalid("a program without functions"));
    }
    for (index, function) in program.functions.iter().enumerate() {
        let checker = Checker { program, function, index };
        checker.function().map_err(|error| error.within(&function.name))?;
    }
    Ok(())
}

struct Checker<'a> {
    program: &'a Program,
    function: &'a Function,
    index: usize,
}

type Checked = Result<(), Error>;

const FLOAT: Type = Type { scalar: Scalar::Float, components: 1 };

impl Checker<'_> {
    fn function(&self) -> Checked {
        let is_entry = self.index + 1 == self.program.functions.len();
        if is_entry && !(self.function.params.is_empty() && self.function.results.is_empty()) {
            return invalid("an entry function with parameters or results");
        }
        for (position, &param) in self.function.params.iter().enumerate() {
            if param.0 as usize != position {
                return invalid("parameters that are not the first locals");
            }
            self.local(param)?;
        }
        for ty in self.function.locals.iter().map(|local| &local.ty).chain(&self.function.results) {
            width(*ty)?;
        }
        self.block(&self.function.body, 0)
    }

    fn block(&self, block: &[Stmt], depth: usize) -> Checked {
        if depth > DEPTH_LIMIT {
            return invalid(format!("statements nested deeper than {DEPTH_LIMIT}"));
        }
        block.iter().try_for_each(|statement| self.statement(statement, depth + 1))
    }

    fn statement(&self, statement: &Stmt, depth: usize) -> Checked {
        match statement {
            Stmt::Declare(local, value) => {
                self.local(*local)?;
                value.iter().try_for_each(|value| self.expr(value, 0))
            }
            Stmt::Assign(place, value) => {
                self.place(place)?;
                self.expr(value, 0)
            }
            Stmt::Call { function, args, results, .. } => {
                let Some(callee) = self.program.functions.get(function.0 as usize) else {
                    return invalid("a call of a function that does not exist");
                };
                if function.0 as usize >= self.index {
                    return invalid("a call of a function that does not stand before its caller");
                }
                if args.len() != callee.params.len() || results.len() != callee.results.len() {
                    return invalid(format!("a call of {} with the wrong number of values", callee.name));
                }
                args.iter().try_for_each(|arg| self.expr(arg, 0))?;
                results.iter().flatten().try_for_each(|place| self.place(place))
            }
            Stmt::If { condition, then, otherwise } => {
                self.expr(condition, 0)?;
                self.block(then, depth)?;
                self.block(otherwise, depth)
            }
            Stmt::For { counter, start, condition, step, body } => {
                self.local(*counter)?;
                [start, condition, step].into_iter().try_for_each(|part| self.expr(part, 0))?;
                self.block(body, depth)
            }
            Stmt::While { condition, body } | Stmt::DoWhile { body, condition } => {
                self.expr(condition, 0)?;
                self.block(body, depth)
            }
            Stmt::Loop(body) => self.block(body, depth),
            Stmt::Switch { value, cases, default } => {
                self.expr(value, 0)?;
                cases.iter().try_for_each(|(_, body)| self.block(body, depth))?;
                self.block(default, depth)
            }
            Stmt::Return(values) => {
                if values.len() != self.function.results.len() {
                    return invalid("a return with the wrong number of values");
                }
                values.iter().try_for_each(|value| self.expr(value, 0))
            }
            Stmt::Act(act) => {
                match act.action {
                    Action::Atomic(op, memory) => {
                        self.memory(memory)?;
                        if act.operands.len() != 1 + op.operands() {
                            return invalid("an atomic operation with the wrong number of values");
                        }
                    }
                    Action::Image(global, image) => self.image(global, image, &act.operands)?,
                    Action::Barrier(_) | Action::Demote if act.operands.is_empty() => {}
                    Action::Barrier(_) | Action::Demote => return invalid("operands of a barrier"),
                }
                act.operands.iter().try_for_each(|operand| self.expr(operand, 0))?;
                act.result.iter().try_for_each(|place| self.place(place))
            }
            Stmt::Break
            | Stmt::Continue
            | Stmt::Discard(_)
            | Stmt::EmitVertex(..)
            | Stmt::EndPrimitive(..)
            | Stmt::Comment(_) => Ok(()),
        }
    }

    fn place(&self, place: &Place) -> Checked {
        match place {
            Place::Local(local, lanes) => {
                self.local(*local)?;
                self.lanes(lanes)
            }
            Place::Global(global, index, lanes) => {
                self.global(global.0)?;
                index.iter().try_for_each(|index| self.expr(index, 0))?;
                self.lanes(lanes)
            }
            Place::Array(array, index) => {
                self.array(*array)?;
                self.expr(index, 0)
            }
            Place::Word(memory, index, lanes) => {
                self.memory(*memory)?;
                self.expr(index, 0)?;
                self.lanes(lanes)
            }
        }
    }

    fn expr(&self, expr: &Expr, depth: usize) -> Checked {
        if depth > DEPTH_LIMIT {
            return invalid(format!("an expression nested deeper than {DEPTH_LIMIT}"));
        }
        width(expr.ty)?;
        let depth = depth + 1;
        match &expr.kind {
            ExprKind::Literal(bits) => {
                if bits.len() != usize::from(expr.ty.components) {
                    return invalid("a literal with the wrong number of components");
                }
                Ok(())
            }
            ExprKind::Local(local) => self.local(*local),
            ExprKind::Global(global, index) => {
                self.global(global.0)?;
                index.iter().try_for_each(|index| self.expr(index, depth))
            }
            ExprKind::Array(array, index) => {
                self.array(*array)?;
                self.expr(index, depth)
            }
            ExprKind::Elements(memory) => self.memory(*memory),
            ExprKind::Word(memory, index) => {
                self.memory(*memory)?;
                self.expr(index, depth)
            }
            ExprKind::Image(global, image, operands) => {
                self.image(*global, *image, operands)?;
                operands.iter().try_for_each(|operand| self.expr(operand, depth))
            }
            ExprKind::Interpolate(place, global, operands) => {
                self.global(global.0)?;
                let is_array = self.program.globals[global.0 as usize].global.shape.elements() > 0;
                if operands.len() != usize::from(is_array) + usize::from(place.operands() > 0) {
                    return invalid("an input at another place with the wrong number of values");
                }
                operands.iter().try_for_each(|operand| self.expr(operand, depth))
            }
            ExprKind::Swizzle(base, lanes) => {
                if lanes.len() != usize::from(expr.ty.components)
                    || lanes.iter().any(|&lane| lane >= base.ty.components)
                {
                    return invalid("a swizzle of components that do not exist");
                }
                self.expr(base, depth)
            }
            ExprKind::Construct(parts) => {
                let parts_width: usize = parts.iter().map(|part| usize::from(part.ty.components)).sum();
                let repeats = parts.len() == 1 && parts_width == 1;
                if parts_width != usize::from(expr.ty.components) && !repeats {
                    return invalid("a vector from parts that do not add up");
                }
                parts.iter().try_for_each(|part| self.expr(part, depth))
            }
            ExprKind::Unary(_, operand) | ExprKind::Convert(operand) | ExprKind::Bitcast(operand) => {
                self.expr(operand, depth)
            }
            ExprKind::Binary(_, left, right) => {
                self.expr(left, depth)?;
                self.expr(right, depth)
            }
            ExprKind::Select(condition, yes, no) => {
                [condition, yes, no].into_iter().try_for_each(|part| self.expr(part, depth))
            }
            ExprKind::Builtin(builtin, operands) => {
                let size = usize::from(expr.ty.components);
                let wanted = match builtin {
                    Builtin::InverseTimes | Builtin::TimesInverse => {
                        let fits = |operand: &Expr| operand.ty == expr.ty;
                        if size < 2 || expr.ty.scalar != Scalar::Float || !operands.iter().all(fits) {
                            return invalid(format!("{builtin:?} of {size} components"));
                        }
                        size + 1
                    }
                    builtin => crate::signature::builtin_operands(*builtin),
                };
                if operands.len() != wanted {
                    return invalid(format!("{builtin:?} of {} operands", operands.len()));
                }
                operands.iter().try_for_each(|operand| self.expr(operand, depth))
            }
            ExprKind::Helper(helper, operands) => {
                if operands.len() != crate::signature::helper_operands(*helper) {
                    return invalid(format!("{helper:?} of {} operands", operands.len()));
                }
                let of_floats = matches!(helper, Helper::FmaHalf | Helper::FlushHalf);
                if of_floats && operands.iter().any(|operand| operand.ty.scalar == Scalar::Double) {
                    return invalid(format!("{helper:?} of doubles"));
                }
                let of_doubles = matches!(
                    helper,
                    Helper::ToSingle(_)
                        | Helper::SumToSingle(_)
                        | Helper::AddToward(_)
                        | Helper::MulToward(_)
                );
                if of_doubles && operands.iter().any(|operand| operand.ty.scalar != Scalar::Double) {
                    return invalid(format!("{helper:?} of what is no double"));
                }
                operands.iter().try_for_each(|operand| self.expr(operand, depth))
            }
            ExprKind::MatrixVector(global, _, count, vector) => {
                self.global(global.0)?;
                if !(1..=4).contains(count) || *count != expr.ty.components || vector.ty.components < 2 {
                    return invalid("a matrix product of the wrong size");
                }
                self.expr(vector, depth)
            }
            ExprKind::Column(global, element, column) => {
                let (columns, rows) = self.matrix(*global, element.is_some())?;
                if expr.ty.components > rows
                    || matches!(literal(column), Some(column) if column >= columns.into())
                {
                    return invalid("a column that a matrix does not have");
                }
                element.iter().try_for_each(|element| self.expr(element, depth))?;
                self.expr(column, depth)
            }
            ExprKind::Product(product) => {
                let (columns, rows) = self.matrix(product.matrix, product.element.is_some())?;
                let rows = u32::from(rows);
                let (taken, given) = if product.vector_first { (rows, columns) } else { (columns, rows) };
                let width = u32::from(product.vector.ty.components);
                if !(2..=taken).contains(&width) || u32::from(expr.ty.components) > given {
                    return invalid("a matrix product of the wrong size");
                }
                product.element.iter().try_for_each(|element| self.expr(element, depth))?;
                self.expr(&product.vector, depth)
            }
            ExprKind::Texture(fetch) => {
                self.global(fetch.sampler.0)?;
                let global = &self.program.globals[fetch.sampler.0 as usize].global;
                let Shape::Sampler { shape, elements, .. } = global.shape else {
                    return invalid(format!("a fetch from {}, which is no texture", global.name));
                };
                let texture = fetch.texture;
                let width = |expr: &Expr| usize::from(expr.ty.components);
                let kind = if texture.is_integer() { Scalar::Int } else { Scalar::Float };
                let of_levels = if texture.moved { Scalar::Int } else { kind };
                let coordinates = fetch.coordinates.as_ref().map_or(0, width);
                let levels = match texture.level {
                    _ if texture.moved => (1, texture.offset_operands()),
                    TextureLevel::Gradients => (2, texture.shape.axes()),
                    _ => (texture.level_operands(), 1),
                };
                if shape != texture.shape
                    || expr.ty.components != 4
                    || (elements > 0) != fetch.element.is_some()
                    || coordinates != texture.coordinates()
                    || texture.shadow != fetch.reference.is_some()
                    || fetch.levels.len() != levels.0
                    || fetch.levels.iter().any(|level| width(level) != levels.1)
                    || texture.level == TextureLevel::Gradients && texture.has_sample_operand()
                    || fetch.coordinates.iter().any(|part| part.ty.scalar != kind)
                    || fetch.levels.iter().any(|part| part.ty.scalar != of_levels)
                    || texture.moved && texture.level != TextureLevel::Quad
                    || fetch.reference.as_ref().is_some_and(|part| part.ty != FLOAT)
                {
                    return invalid(format!("a fetch that does not fit {}", global.name));
                }
                fetch.operands().try_for_each(|part| self.expr(part, depth))
            }
        }
    }

    /// Columns and rows of a matrix by columns.
    fn matrix(&self, global: GlobalRef, with_element: bool) -> Result<(u32, u8), Error> {
        self.global(global.0)?;
        let global = &self.program.globals[global.0 as usize].global;
        match global.shape {
            Shape::Matrix { columns, rows, elements, .. }
                if (elements > 0) == with_element
                    && (2..=4).contains(&columns)
                    && (2..=4).contains(&rows) =>
            {
                Ok((columns.into(), rows))
            }
            _ => Err(Error::invalid(format!("{} used as another matrix than it is", global.name))),
        }
    }

    fn local(&self, local: LocalRef) -> Checked {
        exists(local.0, self.function.locals.len(), "local")
    }

    fn global(&self, global: u32) -> Checked {
        exists(global, self.program.globals.len(), "global")
    }

    fn array(&self, array: u32) -> Checked {
        exists(array, self.program.arrays.len(), "private array")
    }

    fn memory(&self, memory: u32) -> Checked {
        exists(memory, self.program.memories.len(), "memory")
    }

    fn image(&self, global: GlobalRef, image: Image, operands: &[Expr]) -> Checked {
        self.global(global.0)?;
        let global = &self.program.globals[global.0 as usize].global;
        let Shape::Image { shape, elements, .. } = global.shape else {
            return invalid(format!("an operation on {}, which is no image", global.name));
        };
        let values = match image.query {
            ImageQuery::Store => 1,
            _ => image.values(),
        };
        let coordinates = usize::from(image.coordinates() > 0);
        let count =
            usize::from(elements > 0) + coordinates + usize::from(image.has_sample_operand()) + values;
        let at = usize::from(elements > 0);
        let width = operands.get(at).map_or(0, |operand| usize::from(operand.ty.components));
        if shape != image.shape || operands.len() != count || coordinates > 0 && width != image.coordinates()
        {
            return invalid(format!("an operation that does not fit {}", global.name));
        }
        Ok(())
    }

    fn lanes(&self, lanes: &[u8]) -> Checked {
        if lanes.len() > 4 || lanes.iter().any(|&lane| lane > 3) {
            return invalid("an assignment to components that do not exist");
        }
        Ok(())
    }
}

fn exists(index: u32, count: usize, what: &str) -> Checked {
    if index as usize >= count {
        return invalid(format!("{what} {index} of {count}"));
    }
    Ok(())
}

fn literal(expr: &Expr) -> Option<u64> {
    match &expr.kind {
        ExprKind::Literal(bits) => bits.first().copied(),
        _ => None,
    }
}

fn width(ty: Type) -> Checked {
    if !(1..=4).contains(&ty.components) {
        return invalid(format!("a type of {} components", ty.components));
    }
    Ok(())
}

fn invalid(message: impl Into<String>) -> Checked {
    Err(Error::invalid(message))
}
