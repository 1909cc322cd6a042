//! Reading and writing: variables, uniforms, and indices that only the running program knows.

use super::{
    Walk,
    shape::{Kind, Shape},
    value::{Matrix, Pointer, Root, Step, Value},
};
use crate::vector::build::all;
use crate::vector::{Id, Lane, Lanes, Op, Relation, Table};
use smallvec::{SmallVec, smallvec};
use unshade_bytes::problem::Result;

/// Where a uniform lies, or its members if they lie apart.
#[derive(Debug, Clone)]
pub(super) enum Uniform {
    /// Registers of a float uniform.
    Float {
        /// Index in the interface.
        uniform: u16,
        shape: Shape,
    },
    /// Bool registers.
    Truth { uniform: u16, count: u16, width: u8 },
    /// Integer registers.
    Whole { uniform: u16, count: u16, width: u8 },
    /// Members of a struct.
    Members(Vec<Self>),
}

/// A part of a float uniform: what is left of the way to it.
struct Part<'s> {
    uniform: u16,
    /// Fixed rows from the first.
    row: i32,
    /// Rows that the program computes.
    computed: Option<Lane>,
    shape: &'s Shape,
}

/// Elements of variables that are looked at one by one where an index is computed.
const CHAIN: usize = 8;

impl Walk<'_> {
    /// What a pointer leads to.
    pub(super) fn load(&mut self, pointer: &Pointer) -> Result<Value> {
        match pointer.root {
            Root::Variable(variable) => {
                let mut value = self.get(variable).clone();
                for &step in &pointer.path {
                    value = self.within(&value, step)?;
                }
                Ok(value)
            }
            Root::Uniform(index) => {
                let Some(uniform) = self.uniforms.get(index).cloned() else { return self.unexpected() };
                self.load_uniform(&uniform, &pointer.path)
            }
        }
    }

    fn load_uniform(&mut self, uniform: &Uniform, path: &[Step]) -> Result<Value> {
        match uniform {
            Uniform::Members(members) => match path.split_first() {
                Some((Step::Fixed(index), rest)) => match members.get(*index as usize) {
                    Some(member) => self.load_uniform(member, rest),
                    None => self.unexpected(),
                },
                Some((Step::Computed(_), _)) => self.unexpected(),
                None => {
                    let all = members.iter().map(|member| self.load_uniform(member, &[]));
                    Ok(Value::List(all.collect::<Result<_>>()?))
                }
            },
            Uniform::Float { uniform, shape } => {
                self.load_float(Part { uniform: *uniform, row: 0, computed: None, shape }, path)
            }
            Uniform::Truth { uniform, count, width } => {
                self.load_apart(Op::Truth(*uniform), *uniform, (*count, *width), path)
            }
            Uniform::Whole { uniform, count, width } => {
                self.load_apart(Op::Whole(*uniform), *uniform, (*count, *width), path)
            }
        }
    }

    /// Bool and integer registers: each is one of its own.
    fn load_apart(&mut self, op: Op, first: u16, (count, width): (u16, u8), path: &[Step]) -> Result<Value> {
        let of = |number: u16| match op {
            Op::Truth(_) => Op::Truth(first.saturating_add(number)),
            _ => Op::Whole(first.saturating_add(number)),
        };
        if count > 1 {
            return match path.split_first() {
                Some((Step::Fixed(index), rest)) if *index < u32::from(count) => {
                    let number = u16::try_from(*index).unwrap_or(0);
                    let value = Value::Vector(self.builder.read(of(number), width));
                    rest.iter().try_fold(value, |value, step| self.within(&value, *step))
                }
                Some((Step::Fixed(index), _)) => self.outside(*index, usize::from(count)),
                Some((Step::Computed(_), _)) => Err(self
                    .problem(
                        "compile.index",
                        "bool and integer uniforms cannot be indexed by what is computed",
                    )
                    .note("use a float array for it, or write the choice as `if`")),
                None => {
                    let all = (0..count).map(|number| Value::Vector(self.builder.read(of(number), width)));
                    Ok(Value::List(all.collect()))
                }
            };
        }
        let value = Value::Vector(self.builder.read(op, width));
        path.iter().try_fold(value, |value, step| self.within(&value, *step))
    }

    fn load_float(&mut self, mut part: Part<'_>, path: &[Step]) -> Result<Value> {
        let mut path = path.iter().copied();
        loop {
            match part.shape {
                Shape::Array { of, count } => {
                    let stride = i32::try_from(of.registers()).unwrap_or(i32::MAX);
                    match path.next() {
                        Some(Step::Fixed(index)) if index < u32::from(*count) => {
                            part.row += stride * i32::try_from(index).unwrap_or(0);
                        }
                        Some(Step::Fixed(index)) => return self.outside(index, usize::from(*count)),
                        Some(Step::Computed(index)) => self.add_rows(&mut part, index, stride),
                        None => {
                            let mut list = Vec::with_capacity(usize::from(*count));
                            for index in 0..i32::from(*count) {
                                let row = part.row + stride * index;
                                list.push(self.load_float(Part { row, shape: of, ..part }, &[])?);
                            }
                            return Ok(Value::List(list));
                        }
                    }
                    part.shape = of;
                }
                Shape::Struct { members } => match path.next() {
                    Some(Step::Fixed(index)) => {
                        let before = members
                            .iter()
                            .take(index as usize)
                            .map(|(_, shape)| shape.registers())
                            .sum::<u32>();
                        part.row += i32::try_from(before).unwrap_or(i32::MAX);
                        match members.get(index as usize) {
                            Some((_, shape)) => part.shape = shape,
                            None => return self.unexpected(),
                        }
                    }
                    Some(Step::Computed(_)) => return self.unexpected(),
                    None => {
                        let mut list = Vec::with_capacity(members.len());
                        let mut row = part.row;
                        for (_, shape) in members {
                            list.push(self.load_float(Part { row, shape, ..part }, &[])?);
                            row += i32::try_from(shape.registers()).unwrap_or(0);
                        }
                        return Ok(Value::List(list));
                    }
                },
                Shape::Matrix { columns, rows } => {
                    let rows: Vec<Lanes> =
                        (0..i32::from(*rows)).map(|row| self.row(&part, row, *columns)).collect();
                    let value = Value::Matrix(Matrix::Columns(super::value::transposed(&rows)));
                    return path.try_fold(value, |value, step| self.within(&value, step));
                }
                Shape::Vector { width, .. } => {
                    let value = Value::Vector(self.row(&part, 0, *width));
                    return path.try_fold(value, |value, step| self.within(&value, step));
                }
            }
        }
    }

    /// Rows by an index that the program computes. Fixed parts of the index are fixed parts of the register.
    fn add_rows(&mut self, part: &mut Part<'_>, index: Lane, stride: i32) {
        let (index, fixed) = self.without_fixed(index);
        part.row = part.row.saturating_add(fixed.saturating_mul(stride));
        let rows = self.builder.multiply_one(index, Lane::constant(stride as f32));
        part.computed = Some(match part.computed {
            Some(before) => self.builder.add_one(before, rows),
            None => rows,
        });
    }

    /// An index as a lane and a constant that is added to it.
    fn without_fixed(&self, index: Lane) -> (Lane, i32) {
        let none = (index, 0);
        let Lane::Of { node, component, negate: false } = index else { return none };
        let node = self.builder.program.node(node);
        if node.op != Op::Add {
            return none;
        }
        let operand =
            |at: usize| node.arguments.get(at).and_then(|list| list.get(usize::from(component)).copied());
        let (Some(a), Some(b)) = (operand(0), operand(1)) else { return none };
        let small = |value: f32| (value.fract() == 0.0 && value.abs() < 128.0).then_some(value as i32);
        for (lane, fixed) in [(a, b), (b, a)] {
            if let Some(fixed) = fixed.value().and_then(small)
                && self.builder.is_whole(lane)
            {
                return (lane, fixed);
            }
        }
        none
    }

    /// A register of a part.
    fn row(&mut self, part: &Part<'_>, row: i32, width: u8) -> Lanes {
        let row = part.row + row;
        match part.computed {
            Some(index) => self.builder.element(Table::Uniform(part.uniform), row, index, width),
            None => {
                let op = Op::Uniform { uniform: part.uniform, row: u16::try_from(row).unwrap_or(u16::MAX) };
                self.builder.read(op, width)
            }
        }
    }

    fn outside<T>(&self, index: u32, count: usize) -> Result<T> {
        self.refuse("compile.index", format!("{index} is no index of {count} elements"))
    }

    /// One step into a value.
    pub(super) fn within(&mut self, value: &Value, step: Step) -> Result<Value> {
        match (value, step) {
            (Value::Vector(lanes), Step::Fixed(index)) => match lanes.get(index as usize) {
                Some(&lane) => Ok(Value::lane(lane)),
                None => self.outside(index, lanes.len()),
            },
            (Value::Vector(lanes), Step::Computed(index)) => {
                let lanes = lanes.clone();
                Ok(Value::lane(self.component(&lanes, index)))
            }
            (Value::Matrix(matrix), step) => {
                let columns = matrix.columns(&mut self.builder);
                match step {
                    Step::Fixed(index) => match columns.get(index as usize) {
                        Some(column) => Ok(Value::Vector(column.clone())),
                        None => self.outside(index, columns.len()),
                    },
                    Step::Computed(index) => {
                        let rows = super::value::transposed(&columns);
                        let lanes = rows.iter().map(|row| self.component(row, index)).collect();
                        Ok(Value::Vector(lanes))
                    }
                }
            }
            (Value::List(list), Step::Fixed(index)) => match list.get(index as usize) {
                Some(value) => Ok(value.clone()),
                None => self.outside(index, list.len()),
            },
            (Value::List(list), Step::Computed(index)) => self.element(list, index),
            (Value::Pointer(_), _) => self.unexpected(),
        }
    }

    /// A component of a vector by a number that the program computes.
    fn component(&mut self, lanes: &Lanes, index: Lane) -> Lane {
        let width = lanes.len();
        let numbers = (0u8..).take(width).map(|number| Lane::constant(f32::from(number))).collect();
        let chosen = self.builder.lanewise(Op::Compare(Relation::Eq), &[smallvec![index; width], numbers]);
        self.builder.dot(lanes, &chosen)
    }

    /// An element of a list by a number that the program computes: constants become a table of the machine, few others are
    /// chosen from one by one.
    fn element(&mut self, list: &[Value], index: Lane) -> Result<Value> {
        let Some(first) = list.first() else { return self.unexpected() };
        if let Some(rows) = rows_of(list) {
            let stride = rows.len() / list.len();
            let table = self.table(rows);
            let (index, fixed) = self.without_fixed(index);
            let stride = i32::try_from(stride).unwrap_or(i32::MAX);
            let index = self.builder.multiply_one(index, Lane::constant(stride as f32));
            let mut row = fixed.saturating_mul(stride);
            return Ok(self.like(first, &mut |walk, width| {
                row += 1;
                walk.builder.element(Table::Constant(table), row - 1, index, width)
            }));
        }
        if list.len() > CHAIN {
            let message =
                format!("an array of {} computed elements cannot be indexed by what is computed", list.len());
            return Err(self.problem("compile.index", message).note(
                "the machine has relative addressing for uniforms and constants only: make it an array of uniforms or constants",
            ));
        }
        let mut value = first.clone();
        for (number, other) in (0u8..).zip(list).skip(1) {
            let here: Lanes = smallvec![index];
            let number = smallvec![Lane::constant(f32::from(number))];
            let is_it = self.builder.lanewise(Op::Compare(Relation::Ge), &[here, number]);
            value = self.select(&is_it, other.clone(), value)?;
        }
        Ok(value)
    }

    fn table(&mut self, rows: Vec<[u32; 4]>) -> u16 {
        let tables = &mut self.builder.program.tables;
        let known = tables.iter().position(|table| *table == rows);
        let index = known.unwrap_or_else(|| {
            tables.push(rows);
            tables.len() - 1
        });
        u16::try_from(index).unwrap_or(u16::MAX)
    }

    /// A value like another one, out of registers.
    fn like(&mut self, value: &Value, register: &mut impl FnMut(&mut Self, u8) -> Lanes) -> Value {
        match value {
            Value::Vector(lanes) => Value::Vector(register(self, u8::try_from(lanes.len()).unwrap_or(4))),
            Value::Matrix(Matrix::Columns(columns)) => {
                let width = u8::try_from(columns.len()).unwrap_or(4);
                let height = columns.first().map_or(0, SmallVec::len);
                let rows: Vec<Lanes> = (0..height).map(|_| register(self, width)).collect();
                Value::Matrix(Matrix::Columns(super::value::transposed(&rows)))
            }
            Value::List(list) => Value::List(list.iter().map(|value| self.like(value, register)).collect()),
            other => other.clone(),
        }
    }

    /// Writes a value to where a pointer leads.
    pub(super) fn store(&mut self, pointer: &Pointer, value: Value) -> Result<()> {
        let variable = match pointer.root {
            Root::Variable(variable) => variable,
            Root::Uniform(index) => {
                let mut globals = self.globals.iter().zip(self.module.global_variables.iter());
                let name = globals.find_map(|(root, (_, variable))| {
                    (*root == Some(Root::Uniform(index))).then(|| variable.name.clone()).flatten()
                });
                let message = format!("the uniform `{}` cannot be written", name.unwrap_or_default());
                return Err(self.problem("compile.store", message).note("copy it to a variable first"));
            }
        };
        let before = self.get(variable).clone();
        let after = self.stored(&before, &pointer.path, value)?;
        self.set(variable, after);
        Ok(())
    }

    fn stored(&mut self, before: &Value, path: &[Step], value: Value) -> Result<Value> {
        let Some((&step, rest)) = path.split_first() else { return Ok(value) };
        match (before, step) {
            (Value::Vector(lanes), Step::Fixed(index)) => {
                let mut lanes = lanes.clone();
                let (Some(place), Value::Vector(new)) = (lanes.get_mut(index as usize), value) else {
                    return self.unexpected();
                };
                *place = new.first().copied().unwrap_or(Lane::ZERO);
                Ok(Value::Vector(lanes))
            }
            (Value::Matrix(matrix), Step::Fixed(index)) => {
                let mut columns = matrix.columns(&mut self.builder);
                let Some(column) = columns.get(index as usize).cloned() else { return self.unexpected() };
                let Value::Vector(column) = self.stored(&Value::Vector(column), rest, value)? else {
                    return self.unexpected();
                };
                if let Some(place) = columns.get_mut(index as usize) {
                    *place = column;
                }
                Ok(Value::Matrix(Matrix::Columns(columns)))
            }
            (Value::List(list), Step::Fixed(index)) => {
                let Some(element) = list.get(index as usize) else { return self.outside(index, list.len()) };
                let element = self.stored(&element.clone(), rest, value)?;
                let mut list = list.clone();
                if let Some(place) = list.get_mut(index as usize) {
                    *place = element;
                }
                Ok(Value::List(list))
            }
            (_, Step::Computed(index)) => self.stored_anywhere(before, index, rest, value),
            _ => self.unexpected(),
        }
    }

    /// Writes to a place that only the running program knows: each one keeps what it has unless it is the one.
    fn stored_anywhere(&mut self, before: &Value, index: Lane, rest: &[Step], value: Value) -> Result<Value> {
        let count = match before {
            Value::Vector(lanes) => lanes.len(),
            Value::Matrix(matrix) => matrix.columns(&mut self.builder).len(),
            Value::List(list) => list.len(),
            Value::Pointer(_) => return self.unexpected(),
        };
        if count > CHAIN {
            let message =
                format!("an array of {count} elements cannot be written at an index that is computed");
            return Err(self
                .problem("compile.index", message)
                .note("the machine cannot address its registers; write it at constant indices, in a loop of constant length"));
        }
        let mut after = before.clone();
        for number in 0..u32::try_from(count).unwrap_or(0) {
            let old = self.within(before, Step::Fixed(number))?;
            let new = self.stored(&old, rest, value.clone())?;
            let number_lane = Lane::constant(number as f32);
            let is_it =
                self.builder.lanewise(Op::Compare(Relation::Eq), &[smallvec![index], smallvec![number_lane]]);
            let chosen = self.select(&is_it, new, old)?;
            after = self.stored(&after, &[Step::Fixed(number)], chosen)?;
        }
        Ok(after)
    }

    /// A uniform in registers of its kind.
    pub(super) fn declared(
        &mut self,
        name: &str,
        shape: &Shape,
        span: std::ops::Range<usize>,
    ) -> Result<Uniform> {
        use super::interface::Uniform as Declared;
        let (element, count) = match shape {
            Shape::Array { of, count } => (&**of, *count),
            other => (other, 1),
        };
        let index = |list: &[Declared]| u16::try_from(list.len()).unwrap_or(u16::MAX);
        let made = |registers: u32| Declared {
            name: name.to_owned(),
            registers: u16::try_from(registers).unwrap_or(u16::MAX),
            shape: shape.clone(),
            span: span.clone(),
        };
        if self.interface.floats.len() + self.interface.truths.len() + self.interface.wholes.len() > 512 {
            return self.refuse("compile.uniforms", "there are more uniforms than the machine has registers");
        }
        match element {
            Shape::Vector { width, kind } if *kind != Kind::Float => {
                if count > 16 || (*kind == Kind::Bool && *width > 1) {
                    let message =
                        format!("`{name}` does not fit: the machine has 16 bool and 4 integer uniforms");
                    return Err(unshade_bytes::Problem::new("compile.uniforms", span, message)
                        .note("make it floats if it is data"));
                }
                let is_bool = *kind == Kind::Bool;
                let uniform = match is_bool {
                    true => index(&self.interface.truths),
                    false => index(&self.interface.wholes),
                };
                for number in 0..count {
                    let registers = if number == 0 { count } else { 0 };
                    match is_bool {
                        true => self.interface.truths.push(made(registers.into())),
                        false => {
                            self.interface.wholes.push(made(registers.into()));
                            self.wholes.push(super::links::WholeUse::default());
                        }
                    }
                }
                Ok(match is_bool {
                    true => Uniform::Truth { uniform, count, width: 1 },
                    false => Uniform::Whole { uniform, count, width: *width },
                })
            }
            _ => {
                if !is_float(shape) {
                    let message = format!(
                        "`{name}` has integers or truths among its elements, which lie in other registers"
                    );
                    return Err(unshade_bytes::Problem::new("compile.uniforms", span, message)
                        .note("make them floats, or arrays of their own"));
                }
                let uniform = index(&self.interface.floats);
                self.interface.floats.push(made(shape.registers()));
                Ok(Uniform::Float { uniform, shape: shape.clone() })
            }
        }
    }

    /// Whether a lane is read from an integer uniform.
    pub(super) fn whole_uniform(&self, lane: Lane) -> Option<(u16, u8)> {
        let Lane::Of { node, component, negate: false } = lane else { return None };
        match self.builder.program.node(node).op {
            Op::Whole(uniform) => Some((uniform, component)),
            _ => None,
        }
    }

    /// A lane of a value of its own.
    pub(super) fn only(&self, node: Id) -> Lane {
        all(node, 1).first().copied().unwrap_or(Lane::ZERO)
    }
}

/// Whether all numbers in a shape are floats.
fn is_float(shape: &Shape) -> bool {
    match shape {
        Shape::Vector { kind, .. } => *kind == Kind::Float,
        Shape::Matrix { .. } => true,
        Shape::Array { of, .. } => is_float(of),
        Shape::Struct { members } => members.iter().all(|(_, shape)| is_float(shape)),
    }
}

/// The registers of constant elements, if they are.
fn rows_of(list: &[Value]) -> Option<Vec<[u32; 4]>> {
    let mut rows = Vec::new();
    list.iter().all(|value| add_rows_of(value, &mut rows)).then_some(rows)
}

fn add_rows_of(value: &Value, rows: &mut Vec<[u32; 4]>) -> bool {
    let mut add = |lanes: &Lanes| {
        let mut row = [0; 4];
        for (place, lane) in row.iter_mut().zip(lanes) {
            match lane {
                Lane::Const(bits) => *place = *bits,
                Lane::Of { .. } => return false,
            }
        }
        rows.push(row);
        true
    };
    match value {
        Value::Vector(lanes) => add(lanes),
        Value::Matrix(Matrix::Columns(columns)) => super::value::transposed(columns).iter().all(add),
        Value::List(list) => list.iter().all(|value| add_rows_of(value, rows)),
        _ => false,
    }
}
