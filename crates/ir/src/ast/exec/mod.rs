//! Runs a tree, so that everything up to the printed text is checked against the machine.
//!
//! It works on the same [`Environment`] as [`crate::exec`], with fuel; depth is that of the tree and of the
//! calls, both bounded.

mod double;
mod evaluate;
mod memory;

use super::walk::written;
use super::{
    Binary, Builtin, Expr, ExprKind, Fetch, Function, GlobalVar, LocalRef, Place, Product, Program, Stmt,
};
use crate::exec::{self, ARRAY_WORDS, Environment, Limits, Outcome, Run};
use crate::{Axis, FloatMode, Shape, Space, Texture};
use evaluate::Vector;
use smallvec::SmallVec;

/// Deepest nesting of statements and expressions that is run.
const DEEPEST: u32 = 600;

/// Sees what a run gives to the locals.
pub trait Watch {
    /// A statement has given a local its value, as [`super::walk::written`] lists it; a loop its counter, at first or
    /// `after` a pass. The value is that of all components, those included that were not assigned.
    fn assigned(&mut self, by: &Stmt, after: bool, local: LocalRef, value: [u64; 4]);
}

/// Runs a program once. Reads outside of what exists give 0; writes there vanish.
pub fn run<E: Environment>(program: &Program, environment: &mut E, limits: Limits) -> Run {
    run_watched(program, environment, limits, None)
}

/// As [`run`], and lets someone see what the locals get.
pub fn run_watched<'a, E: Environment>(
    program: &Program,
    environment: &'a mut E,
    limits: Limits,
    watch: Option<&'a mut dyn Watch>,
) -> Run {
    let words: u64 = program.arrays.iter().map(|array| u64::from(array.words)).sum();
    if words > ARRAY_WORDS.into() {
        return Run { outcome: Outcome::TooDeep, steps: 0 };
    }
    let mut machine = Machine {
        program,
        environment,
        watch,
        fuel: limits.fuel,
        call_depth: limits.call_depth,
        depth: 0,
        demoted: false,
        arrays: program.arrays.iter().map(|array| vec![0; array.words as usize]).collect(),
    };
    let outcome = match program.functions.last() {
        Some(entry) => {
            let mut frame = vec![Vector::default(); entry.locals.len()];
            match machine.body(entry, &entry.body, &mut frame) {
                Ok(_) if machine.demoted => Outcome::Discarded,
                Ok(_) => Outcome::Ended,
                Err(outcome) => outcome,
            }
        }
        None => Outcome::Ended,
    };
    Run { outcome, steps: limits.fuel - machine.fuel }
}

/// How a list of statements was left.
enum Flow {
    Falls,
    Breaks,
    Continues,
    Returns(Vec<Vector>),
}

struct Machine<'p, 'e, E> {
    program: &'p Program,
    environment: &'e mut E,
    watch: Option<&'e mut dyn Watch>,
    fuel: u64,
    call_depth: u32,
    depth: u32,
    /// The pixel is dropped.
    demoted: bool,
    arrays: Vec<Vec<u32>>,
}

impl<'p, E: Environment> Machine<'p, '_, E> {
    /// Shows what a statement gave to locals.
    fn show(&mut self, by: &Stmt, after: bool, frame: &[Vector]) {
        let Some(watch) = &mut self.watch else { return };
        for (local, _) in written(by) {
            if let Some(value) = frame.get(local.0 as usize) {
                watch.assigned(by, after, local, *value);
            }
        }
    }

    fn pay(&mut self, cost: u64) -> Result<(), Outcome> {
        self.fuel = self.fuel.checked_sub(cost).ok_or(Outcome::OutOfFuel)?;
        Ok(())
    }

    fn body(
        &mut self,
        function: &'p Function,
        body: &'p [Stmt],
        frame: &mut Vec<Vector>,
    ) -> Result<Flow, Outcome> {
        if self.depth > DEEPEST {
            return Err(Outcome::TooDeep);
        }
        self.depth += 1;
        for stmt in body {
            self.pay(1)?;
            let flow = self.stmt(function, stmt, frame)?;
            if !matches!(flow, Flow::Falls) {
                self.depth -= 1;
                return Ok(flow);
            }
        }
        self.depth -= 1;
        Ok(Flow::Falls)
    }

    fn stmt(
        &mut self,
        function: &'p Function,
        stmt: &'p Stmt,
        frame: &mut Vec<Vector>,
    ) -> Result<Flow, Outcome> {
        match stmt {
            Stmt::Declare(local, value) => {
                let value = match value {
                    Some(value) => self.expr(value, frame)?,
                    None => Vector::default(),
                };
                self.assign_local(frame, *local, &[], value);
                self.show(stmt, false, frame);
            }
            Stmt::Assign(place, value) => {
                let value = self.expr(value, frame)?;
                self.assign(place, value, frame)?;
                self.show(stmt, false, frame);
            }
            Stmt::Call { function, args, results, .. } => {
                let args = args.iter().map(|arg| self.expr(arg, frame)).collect::<Result<Vec<_>, _>>()?;
                let values = self.call(function.0 as usize, &args)?;
                for (place, value) in results.iter().zip(values) {
                    if let Some(place) = place {
                        self.assign(place, value, frame)?;
                    }
                }
                self.show(stmt, false, frame);
            }
            Stmt::If { condition, then, otherwise } => {
                let taken = if self.truth(condition, frame)? { then } else { otherwise };
                return self.body(function, taken, frame);
            }
            Stmt::For { counter, start, condition, step, body } => {
                let value = self.expr(start, frame)?;
                self.assign_local(frame, *counter, &[], value);
                self.show(stmt, false, frame);
                while self.truth(condition, frame)? {
                    self.pay(1)?;
                    match self.body(function, body, frame)? {
                        Flow::Falls | Flow::Continues => {}
                        Flow::Breaks => break,
                        returns => return Ok(returns),
                    }
                    let scalar = step.ty.scalar;
                    let step = self.expr(step, frame)?;
                    let counter = &mut frame[counter.0 as usize];
                    *counter = evaluate::binary(Binary::Add, scalar, counter, &step);
                    self.show(stmt, true, frame);
                }
            }
            Stmt::While { condition, body } => {
                while self.truth(condition, frame)? {
                    self.pay(1)?;
                    match self.body(function, body, frame)? {
                        Flow::Falls | Flow::Continues => {}
                        Flow::Breaks => break,
                        returns => return Ok(returns),
                    }
                }
            }
            Stmt::DoWhile { body, condition } => loop {
                self.pay(1)?;
                match self.body(function, body, frame)? {
                    Flow::Falls | Flow::Continues => {}
                    Flow::Breaks => break,
                    returns => return Ok(returns),
                }
                if !self.truth(condition, frame)? {
                    break;
                }
            },
            Stmt::Loop(body) => loop {
                self.pay(1)?;
                match self.body(function, body, frame)? {
                    Flow::Falls | Flow::Continues => {}
                    Flow::Breaks => break,
                    returns => return Ok(returns),
                }
            },
            Stmt::Switch { value, cases, default } => {
                let value = self.expr(value, frame)?[0] as u32;
                let taken = cases.iter().find(|(values, _)| values.contains(&value));
                return Ok(match self.body(function, taken.map_or(default, |(_, body)| body), frame)? {
                    Flow::Breaks => Flow::Falls,
                    flow => flow,
                });
            }
            Stmt::Break => return Ok(Flow::Breaks),
            Stmt::Continue => return Ok(Flow::Continues),
            Stmt::Return(values) => {
                let values = values.iter().map(|value| self.expr(value, frame)).collect::<Result<_, _>>()?;
                return Ok(Flow::Returns(values));
            }
            Stmt::Discard(_) => return Err(Outcome::Discarded),
            Stmt::Act(act) => {
                self.act(act, frame)?;
                self.show(stmt, false, frame);
            }
            Stmt::EmitVertex(stream, _) => {
                let cost = self.environment.emit_vertex(*stream);
                self.pay(cost)?;
            }
            Stmt::EndPrimitive(stream, _) => {
                let cost = self.environment.end_primitive(*stream);
                self.pay(cost)?;
            }
            Stmt::Comment(_) => {}
        }
        Ok(Flow::Falls)
    }

    fn call(&mut self, function: usize, args: &[Vector]) -> Result<Vec<Vector>, Outcome> {
        let Some(function) = self.program.functions.get(function) else { return Ok(Vec::new()) };
        if self.call_depth == 0 {
            return Err(Outcome::TooDeep);
        }
        self.call_depth -= 1;
        let mut frame = vec![Vector::default(); function.locals.len()];
        for (param, arg) in function.params.iter().zip(args) {
            frame[param.0 as usize] = *arg;
        }
        let flow = self.body(function, &function.body, &mut frame)?;
        self.call_depth += 1;
        Ok(match flow {
            Flow::Returns(values) => values,
            _ => vec![Vector::default(); function.results.len()],
        })
    }

    fn truth(&mut self, condition: &Expr, frame: &[Vector]) -> Result<bool, Outcome> {
        Ok(self.expr(condition, frame)?[0] != 0)
    }

    fn assign_local(&self, frame: &mut [Vector], local: LocalRef, components: &[u8], value: Vector) {
        let to = &mut frame[local.0 as usize];
        if components.is_empty() {
            *to = value;
        } else {
            for (component, value) in components.iter().zip(value) {
                to[usize::from(*component & 3)] = value;
            }
        }
    }

    fn assign(&mut self, place: &Place, value: Vector, frame: &mut [Vector]) -> Result<(), Outcome> {
        match place {
            Place::Local(local, components) => self.assign_local(frame, *local, components, value),
            Place::Global(global, index, components) => {
                let index = match index {
                    Some(index) => Some(signed(self.expr(index, frame)?[0])),
                    None => None,
                };
                let Some(GlobalVar { global, .. }) = self.program.globals.get(global.0 as usize) else {
                    return Ok(());
                };
                let width = global.shape.components();
                let whole: Vec<u8> = (0..width).collect();
                let components = if components.is_empty() { &whole } else { components };
                for (component, value) in components.iter().zip(value) {
                    if let Some(word) = global.word(index, *component) {
                        self.environment.store(global.space, global.binding, word, value as u32);
                    }
                }
            }
            Place::Word(memory, index, components) => {
                let index = self.expr(index, frame)?[0] as u32 as i32;
                if let Some(memory) = self.program.memories.get(*memory as usize)
                    && !(self.demoted && memory.space == Space::Storage)
                {
                    const ALL: [u8; 4] = [0, 1, 2, 3];
                    let all = &ALL[..usize::from(memory.components.min(4))];
                    let components = if components.is_empty() { all } else { components };
                    for (component, value) in components.iter().zip(value) {
                        if let Some(word) = memory.word(index, *component) {
                            self.environment.store(memory.space, memory.binding, word, value as u32);
                        }
                    }
                }
            }
            Place::Array(array, index) => {
                let index = self.expr(index, frame)?[0];
                let array = self.arrays.get_mut(*array as usize);
                if let Some(word) = array.and_then(|array| array.get_mut(index as usize)) {
                    *word = value[0] as u32;
                }
            }
        }
        Ok(())
    }

    fn global(&mut self, global: usize, index: Option<i64>) -> Vector {
        let mut value = Vector::default();
        if let Some(GlobalVar { global, .. }) = self.program.globals.get(global) {
            for component in 0..global.shape.components() {
                if let Some(word) = global.word(index, component) {
                    let bits = self.environment.load(global.space, global.binding, word);
                    value[usize::from(component)] = global.declared(bits).into();
                }
            }
        }
        value
    }

    /// Depth of expressions is bounded by the builder; a deeper one ends the run.
    fn expr(&mut self, expr: &Expr, frame: &[Vector]) -> Result<Vector, Outcome> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(Outcome::TooDeep);
        }
        let value = self.expr_inner(expr, frame)?;
        self.depth -= 1;
        Ok(value)
    }

    fn expr_inner(&mut self, expr: &Expr, frame: &[Vector]) -> Result<Vector, Outcome> {
        let width = usize::from(expr.ty.components.min(4));
        let mut value = Vector::default();
        match &expr.kind {
            ExprKind::Literal(bits) => {
                for (to, bits) in value.iter_mut().zip(bits) {
                    *to = *bits;
                }
            }
            ExprKind::Local(local) => value = frame[local.0 as usize],
            ExprKind::Global(global, index) => {
                let index = match index {
                    Some(index) => Some(signed(self.expr(index, frame)?[0])),
                    None => None,
                };
                value = self.global(global.0 as usize, index);
            }
            ExprKind::Word(memory, index) => {
                let index = self.expr(index, frame)?[0] as u32 as i32;
                if let Some(memory) = self.program.memories.get(*memory as usize) {
                    for (component, value) in (0..memory.components.min(4)).zip(&mut value) {
                        if let Some(word) = memory.word(index, component) {
                            *value = self.environment.load(memory.space, memory.binding, word).into();
                        }
                    }
                }
            }
            ExprKind::Elements(memory) => {
                if let Some(memory) = self.program.memories.get(*memory as usize) {
                    let words = self.environment.buffer_size(memory.binding) / 4;
                    let count = words.saturating_sub(memory.offset) / memory.stride.max(1);
                    value[0] = count.into();
                }
            }
            ExprKind::Image(global, image, operands) => {
                value = self.image(*global, *image, operands, frame)?;
            }
            ExprKind::Interpolate(place, global, operands) => {
                value = self.interpolate(*place, *global, operands, frame)?;
            }
            ExprKind::Builtin(
                function @ (Builtin::VoteAll
                | Builtin::VoteAny
                | Builtin::VoteEqual
                | Builtin::Ballot
                | Builtin::Shuffle),
                args,
            ) => value[0] = self.lanes(*function, args, frame)?.into(),
            ExprKind::Array(array, index) => {
                let index = self.expr(index, frame)?[0] as usize;
                let array = self.arrays.get(*array as usize);
                value[0] = array.and_then(|array| array.get(index)).copied().unwrap_or(0).into();
            }
            ExprKind::Swizzle(inner, components) => {
                let inner = self.expr(inner, frame)?;
                for (to, component) in value.iter_mut().zip(components) {
                    *to = inner[usize::from(*component & 3)];
                }
            }
            ExprKind::Construct(parts) => {
                if let [part] = &parts[..]
                    && part.ty.components == 1
                {
                    value = [self.expr(part, frame)?[0]; 4];
                } else {
                    let mut at = 0;
                    for part in parts {
                        let inner = self.expr(part, frame)?;
                        for bits in inner.iter().take(part.ty.components.into()) {
                            if at < 4 {
                                value[at] = *bits;
                            }
                            at += 1;
                        }
                    }
                }
            }
            ExprKind::Select(condition, a, b) => {
                let taken = if self.truth(condition, frame)? { a } else { b };
                value = self.expr(taken, frame)?;
            }
            ExprKind::MatrixVector(global, first, rows, vector) => {
                let lanes = usize::from(vector.ty.components);
                let vector = self.expr(vector, frame)?;
                for (row, word) in (u32::from(*first)..).zip(value.iter_mut().take(usize::from(*rows))) {
                    *word = evaluate::dot(&self.global(global.0 as usize, Some(row.into())), &vector, lanes);
                }
            }
            ExprKind::Column(global, element, column) => {
                let element = match element {
                    Some(element) => signed(self.expr(element, frame)?[0]),
                    None => 0,
                };
                let column = signed(self.expr(column, frame)?[0]);
                value = self.column(global.0 as usize, element, column);
            }
            ExprKind::Product(product) => value = self.product(product, width, frame)?,
            ExprKind::Texture(fetch) => value = self.fetch(fetch, frame)?,
            ExprKind::Builtin(
                function @ (Builtin::DerivativeX | Builtin::DerivativeY | Builtin::DerivativeWidth),
                args,
            ) => {
                if let Some(arg) = args.first() {
                    value = self.expr(arg, frame)?;
                    value[width..].fill(0);
                    for bits in &mut value[..width] {
                        *bits = self.derivative(*function, *bits);
                    }
                }
            }
            ExprKind::Unary(op, a) => {
                let a = self.expr(a, frame)?;
                value = evaluate::unary(*op, expr.ty.scalar, &a);
            }
            ExprKind::Binary(op, a, b) => {
                let scalar = a.ty.scalar;
                let left = self.widened(a, width, frame)?;
                let right = self.widened(b, width, frame)?;
                value = evaluate::binary(*op, scalar, &left, &right);
            }
            ExprKind::Builtin(function @ (Builtin::InverseTimes | Builtin::TimesInverse), args) => {
                let mut vectors = [[0.0; 4]; 5];
                for (vector, arg) in vectors.iter_mut().zip(args) {
                    *vector = self.widened(arg, width, frame)?.map(|word| f32::from_bits(word as u32));
                }
                let [a, b, c, d, _] = vectors;
                let vector = vectors[width.min(4)];
                let first = *function == Builtin::TimesInverse;
                value = crate::inverse::product(&[a, b, c, d], width, vector, first)
                    .map(|lane| crate::math::bits(lane).into());
            }
            ExprKind::Builtin(function, args) => {
                let scalar = args.first().map_or(expr.ty.scalar, |arg| arg.ty.scalar);
                let lanes = args.first().map_or(1, |arg| usize::from(arg.ty.components));
                let mut values = [Vector::default(); 4];
                for (value, arg) in values.iter_mut().zip(args) {
                    *value = self.widened(arg, 4, frame)?;
                }
                value = evaluate::builtin(*function, scalar, lanes, &values);
            }
            ExprKind::Helper(function, args) => {
                let mut values = [Vector::default(); 4];
                for (value, arg) in values.iter_mut().zip(args) {
                    *value = self.widened(arg, 4, frame)?;
                }
                let scalar = args.first().map_or(expr.ty.scalar, |arg| arg.ty.scalar);
                value = evaluate::helper(*function, scalar, &values);
            }
            ExprKind::Convert(a) => {
                let from = a.ty.scalar;
                value = evaluate::convert(from, expr.ty.scalar, &self.expr(a, frame)?);
            }
            ExprKind::Bitcast(a) => value = self.expr(a, frame)?,
        }
        // What a wider operand left behind is not part of the value.
        value[width..].fill(0);
        Ok(value)
    }

    /// A column of a matrix by columns; the elements of an array of matrices are columns in a row.
    fn column(&mut self, global: usize, element: i64, column: i64) -> Vector {
        let columns = match self.program.globals.get(global).map(|variable| variable.global.shape) {
            Some(Shape::Matrix { columns, .. }) => i64::from(columns),
            _ => 1,
        };
        self.global(global, Some(element * columns + column))
    }

    fn product(&mut self, product: &Product, width: usize, frame: &[Vector]) -> Result<Vector, Outcome> {
        let element = match &product.element {
            Some(element) => signed(self.expr(element, frame)?[0]),
            None => 0,
        };
        let lanes = usize::from(product.vector.ty.components.min(4));
        let vector = self.expr(&product.vector, frame)?;
        let count = if product.vector_first { width } else { lanes };
        let mut columns = [Vector::default(); 4];
        for (at, column) in columns.iter_mut().enumerate().take(count) {
            *column = self.column(product.matrix.0 as usize, element, at as i64);
        }
        let mut value = Vector::default();
        for (at, word) in value.iter_mut().enumerate().take(width) {
            *word = if product.vector_first {
                evaluate::dot(&columns[at], &vector, lanes)
            } else {
                evaluate::dot(&columns.map(|column| column[at]), &vector, lanes)
            };
        }
        Ok(value)
    }

    fn fetch(&mut self, fetch: &Fetch, frame: &[Vector]) -> Result<Vector, Outcome> {
        let element = match &fetch.element {
            Some(element) => self.expr(element, frame)?[0] as u32,
            None => 0,
        };
        let mut operands: SmallVec<[u32; 12]> = SmallVec::new();
        for part in fetch.coordinates.iter().chain(&fetch.reference).chain(&fetch.levels) {
            let value = self.expr(part, frame)?;
            operands.extend(value.into_iter().take(part.ty.components.into()).map(|bits| bits as u32));
        }
        let Some(GlobalVar { global, .. }) = self.program.globals.get(fetch.sampler.0 as usize) else {
            return Ok(Vector::default());
        };
        let indexed = fetch.element.is_some();
        let texture = Texture { unit: global.offset, indexed, ..fetch.texture };
        let unit = global.offset.wrapping_add(element.wrapping_mul(global.stride));
        debug_assert_eq!(global.space, Space::Texture);
        let (texture, count) = texture.placed(&operands);
        operands.truncate(count);
        Ok(self.environment.texture(texture, unit, &operands).map(u64::from))
    }

    fn derivative(&mut self, function: Builtin, bits: u64) -> u64 {
        let mut along = |axis| exec::derivative(axis, FloatMode::F32, bits, self.environment);
        match function {
            Builtin::DerivativeX => along(Axis::X),
            Builtin::DerivativeY => along(Axis::Y),
            _ => {
                let (x, y) = (f32::from_bits(along(Axis::X) as u32), f32::from_bits(along(Axis::Y) as u32));
                (x.abs() + y.abs()).to_bits().into()
            }
        }
    }

    /// An operand; a scalar stands for all lanes.
    fn widened(&mut self, expr: &Expr, width: usize, frame: &[Vector]) -> Result<Vector, Outcome> {
        let value = self.expr(expr, frame)?;
        Ok(if expr.ty.components == 1 && width > 1 { [value[0]; 4] } else { value })
    }
}

/// An index, as a program means it.
fn signed(bits: u64) -> i64 {
    (bits as i32).into()
}

#[cfg(test)]
mod tests;
