//! Functions that stay functions. As a rule a function is walked where it is called; one that is large and called from several
//! places can become a procedure, which the machine calls.
//!
//! A procedure is walked once, with a parameter for each number that is not the same at all calls: constants, inputs and
//! uniforms that all of them pass are read in it as they are. What is the same is known from a walk before, in which
//! everything was written out ([`Plan`]). Variables of the module go in and out like arguments by reference.

use super::{
    Walk,
    merge::has_product,
    value::{Matrix, Pointer, Root, Step, Value},
};
use crate::vector::{Id, Item, Lane, Lanes, Op, Procedure};
use naga::{Function, Handle};
use smallvec::SmallVec;
use unshade_bytes::problem::Result;

/// What walks have shown of the functions of a module, and which of them become procedures.
#[derive(Debug, Default)]
pub(crate) struct Plan {
    functions: Vec<Known>,
    /// Something that all calls seemed to pass alike was passed otherwise by a later one.
    pub changed: bool,
}

#[derive(Debug, Default)]
struct Known {
    calls: usize,
    /// The most operations that a call became.
    size: usize,
    /// What goes in, once there was a call.
    slots: Option<Vec<Slot>>,
    is_apart: bool,
    is_refused: bool,
}

/// An argument or a variable of the module: for each number what it is at all calls.
#[derive(Debug, Clone, PartialEq)]
struct Slot {
    lanes: Vec<Option<Fixed>>,
    is_product: bool,
}

/// A number that is the same wherever it is read.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Fixed {
    Constant(u32),
    Read { op: Op, width: u8, component: u8, negate: bool },
}

/// A function as a procedure: the one with the same index in the program.
#[derive(Debug)]
pub(super) struct Apart {
    function: usize,
    /// What each slot is in the procedure.
    formals: Vec<Value>,
    /// Each parameter, and the numbers that go into it, by slot and place.
    parameters: Vec<(Id, Vec<(usize, usize)>)>,
    /// Lanes of the procedure with the result and component that they leave it in.
    left: Vec<(Lane, (usize, u8))>,
    /// What is returned, and what slots hold behind the call if that is something else than before.
    returned: Option<Value>,
    after: Vec<Option<Value>>,
}

impl Plan {
    fn of(&mut self, handle: Handle<Function>) -> Option<&mut Known> {
        let index = handle.index();
        if self.functions.len() <= index {
            self.functions.resize_with(index + 1, Known::default);
        }
        self.functions.get_mut(index)
    }

    /// Lets functions become procedures that are called at least twice and became so many operations; whether there is one
    /// that was not one before, and all of them together save at least so much.
    pub fn choose(&mut self, size: usize, saved: usize) -> bool {
        let (mut sum, mut any) = (0usize, false);
        for known in &mut self.functions {
            if known.calls >= 2 && known.size >= size && !known.is_refused {
                sum = sum.saturating_add(known.size.saturating_mul(known.calls - 1));
                any |= !known.is_apart;
                known.is_apart = true;
            }
        }
        any && sum >= saved
    }

    /// A new walk begins.
    pub fn begin(&mut self) {
        self.changed = false;
        self.functions.iter_mut().for_each(|known| known.calls = 0);
    }
}

impl Slot {
    /// What is the same here and there; whether something was and is no longer.
    fn join(&mut self, other: &Self) -> bool {
        let before = self.clone();
        if self.lanes.len() == other.lanes.len() && self.is_product == other.is_product {
            for (lane, other) in self.lanes.iter_mut().zip(&other.lanes) {
                if lane != other {
                    *lane = None;
                }
            }
        } else {
            self.is_product = false;
            self.lanes.iter_mut().for_each(|lane| *lane = None);
        }
        *self != before
    }

    fn all_fixed(&self) -> bool {
        self.lanes.iter().all(Option::is_some)
    }
}

impl<'m> Walk<'m> {
    /// Calls a function; what it returns, if it returns something.
    pub(super) fn call(&mut self, handle: Handle<Function>, arguments: Vec<Value>) -> Result<Option<Value>> {
        let is_apart = self.note(handle, &arguments);
        if is_apart && let Some(done) = self.call_apart(handle, &arguments)? {
            return Ok(done);
        }
        let mark = self.builder.mark();
        let value = self.inlined(handle, arguments)?;
        let made = self.builder.made_since(mark);
        if let Some(known) = self.plan.of(handle) {
            known.size = known.size.max(made);
        }
        Ok(value)
    }

    /// Notes what a call passes; whether the function is a procedure.
    fn note(&mut self, handle: Handle<Function>, arguments: &[Value]) -> bool {
        let slots: Option<Vec<Slot>> =
            self.slots(arguments).map(|values| values.iter().map(|value| self.slot(value)).collect());
        let Some(known) = self.plan.of(handle) else { return false };
        known.calls = known.calls.saturating_add(1);
        let Some(slots) = slots else { return false };
        let mut changed = false;
        match &mut known.slots {
            Some(before) if before.len() == slots.len() => {
                for (before, slot) in before.iter_mut().zip(&slots) {
                    changed |= before.join(slot);
                }
            }
            Some(_) => known.is_refused = true,
            None => known.slots = Some(slots),
        }
        let is_apart = known.is_apart && !known.is_refused;
        self.plan.changed |= changed && is_apart;
        is_apart
    }

    /// What goes into a call: arguments, with what pointers lead to, and variables of the module. `None` for what only
    /// can be walked in place.
    fn slots(&self, arguments: &[Value]) -> Option<Vec<Value>> {
        let mut values = Vec::new();
        for argument in arguments {
            values.push(match argument {
                Value::Pointer(pointer) => self.pointed_value(pointer)?,
                value => value.clone(),
            });
        }
        values.extend(self.module_variables().map(|variable| self.get(variable).clone()));
        Some(values)
    }

    fn module_variables(&self) -> impl Iterator<Item = usize> + '_ {
        self.globals.iter().filter_map(|root| match root {
            Some(Root::Variable(variable)) => Some(*variable),
            _ => None,
        })
    }

    /// What a pointer into a variable leads to, if nothing has to be computed for it.
    fn pointed_value(&self, pointer: &Pointer) -> Option<Value> {
        let Root::Variable(variable) = pointer.root else { return None };
        let mut value = self.get(variable);
        let mut path = pointer.path.iter().peekable();
        while let Some(Step::Fixed(index)) = path.next_if(|step| matches!(step, Step::Fixed(_))) {
            match value {
                Value::List(list) => value = list.get(*index as usize)?,
                Value::Vector(lanes) if path.peek().is_none() => {
                    return lanes.get(*index as usize).map(|lane| Value::lane(*lane));
                }
                Value::Matrix(Matrix::Columns(columns)) if path.peek().is_none() => {
                    return columns.get(*index as usize).cloned().map(Value::Vector);
                }
                _ => return None,
            }
        }
        path.peek().is_none().then(|| value.clone())
    }

    fn slot(&self, value: &Value) -> Slot {
        let mut lanes = Vec::new();
        value.for_each_lane(&mut |lane| lanes.push(self.fixed(lane)));
        Slot { lanes, is_product: has_product(value) }
    }

    fn fixed(&self, lane: Lane) -> Option<Fixed> {
        let (node, component, negate) = match lane {
            Lane::Const(bits) => return Some(Fixed::Constant(bits)),
            Lane::Of { node, component, negate } => (node, component, negate),
        };
        let of = self.builder.program.node(node);
        match of.op {
            Op::Input(_) | Op::Uniform { .. } | Op::Truth(_) | Op::Whole(_) => {
                Some(Fixed::Read { op: of.op, width: of.width, component, negate })
            }
            _ => None,
        }
    }

    /// A fixed number where the walk stands.
    fn fixed_lane(&mut self, fixed: Fixed) -> Lane {
        match fixed {
            Fixed::Constant(bits) => Lane::Const(bits),
            Fixed::Read { op, width, component, negate } => {
                let node = self.builder.node(op, width, SmallVec::new());
                Lane::Of { node, component, negate }
            }
        }
    }

    /// Calls a function as a procedure. `None` if it has to be walked here.
    fn call_apart(&mut self, handle: Handle<Function>, arguments: &[Value]) -> Result<Option<Option<Value>>> {
        let slots = self.plan.of(handle).and_then(|known| known.slots.clone());
        let (Some(mut slots), Some(mut values)) = (slots, self.slots(arguments)) else { return Ok(None) };
        for (value, slot) in values.iter_mut().zip(&mut slots) {
            if has_product(value) && !(slot.is_product && slot.all_fixed()) {
                *value = self.computed(value.clone());
                // Its numbers are others now.
                slot.lanes.clear();
            }
        }
        // What a rewind of the builder has taken away is gone here too.
        self.apart.truncate(self.builder.program.procedures.len());
        let known = self.apart.iter().position(|apart| apart.function == handle.index());
        let index = match known {
            Some(index) => index,
            None => match self.make_apart(handle, arguments, &values, &slots)? {
                Some(index) => index,
                None => return Ok(None),
            },
        };
        let Some(apart) = self.apart.get(index) else { return Ok(None) };
        // All numbers that go in, and whether those that are the same everywhere are what the procedure takes them for.
        let mut actual: Vec<Vec<Lane>> = Vec::new();
        for (value, formal) in values.iter().zip(&apart.formals) {
            let (mut lanes, mut formals) = (Vec::new(), Vec::new());
            value.for_each_lane(&mut |lane| lanes.push(lane));
            formal.for_each_lane(&mut |lane| formals.push(lane));
            let is_like = |(lane, formal): (&Lane, &Lane)| match self.fixed(*formal) {
                Some(fixed) => self.fixed(*lane) == Some(fixed),
                None => true,
            };
            if lanes.len() != formals.len() || !lanes.iter().zip(&formals).all(is_like) {
                return Ok(None);
            }
            actual.push(lanes);
        }
        let number = |(slot, place): &(usize, usize)| {
            actual.get(*slot).and_then(|lanes| lanes.get(*place)).copied().unwrap_or(Lane::ZERO)
        };
        let operands: Vec<Lanes> =
            apart.parameters.iter().map(|(_, places)| places.iter().map(number).collect()).collect();
        let (returned, after) = (apart.returned.clone(), apart.after.clone());
        let (left, parameters) = (apart.left.clone(), apart.parameters.clone());
        let results = self.builder.call(u32::try_from(index).unwrap_or(u32::MAX), operands);
        let mut behind = |walk: &mut Self, lane: Lane| -> Lane {
            if let Some((_, (result, component))) = left.iter().find(|(known, _)| *known == lane)
                && let Some(node) = results.get(*result)
            {
                return Lane::Of { node: *node, component: *component, negate: false };
            }
            let Lane::Of { node, component, negate } = lane else { return lane };
            let given = parameters.iter().find(|(id, _)| *id == node);
            if let Some(place) = given.and_then(|(_, places)| places.get(usize::from(component))) {
                let lane = number(place);
                return if negate { lane.negated() } else { lane };
            }
            match walk.fixed(lane) {
                Some(fixed) => walk.fixed_lane(fixed),
                None => lane,
            }
        };
        let returned = returned.map(|value| mapped(self, &value, &mut behind));
        let mut changed = Vec::new();
        for value in after {
            changed.push(value.map(|value| mapped(self, &value, &mut behind)));
        }
        let variables: Vec<usize> = self.module_variables().collect();
        let mut changed = changed.into_iter();
        for argument in arguments {
            if let (Some(Some(value)), Value::Pointer(pointer)) = (changed.next(), argument) {
                self.store(pointer, value)?;
            }
        }
        for (variable, value) in variables.into_iter().zip(changed) {
            if let Some(value) = value {
                self.set(variable, value);
            }
        }
        Ok(Some(returned))
    }

    /// Walks a function as a procedure; its index. `None` if it cannot be one.
    fn make_apart(
        &mut self,
        handle: Handle<Function>,
        arguments: &[Value],
        values: &[Value],
        slots: &[Slot],
    ) -> Result<Option<usize>> {
        let mark = self.builder.mark();
        let variables = self.variables.clone();
        let kept =
            (self.depth, self.builder.span, self.probed.take(), std::mem::take(&mut self.loops_probed));
        let aside = self.builder.put_aside();
        let made = self.walk_apart(handle, arguments, values, slots);
        let body = self.builder.take_back(aside);
        self.variables = variables;
        (self.depth, self.builder.span, self.probed, self.loops_probed) = kept;
        match made {
            Ok((apart, results)) if !has_loop(&body) => {
                let name = self.module.functions[handle].name.clone().unwrap_or_default();
                let parameters = apart.parameters.iter().map(|(id, _)| *id).collect();
                let index =
                    self.builder.add_procedure(Procedure { name, body, parameters, results, calls: 0 });
                self.apart.truncate(index as usize);
                self.apart.push(apart);
                Ok(Some(index as usize))
            }
            _ => {
                self.builder.rewind(mark);
                if let Some(known) = self.plan.of(handle) {
                    known.is_refused = true;
                }
                Ok(None)
            }
        }
    }

    fn walk_apart(
        &mut self,
        handle: Handle<Function>,
        arguments: &[Value],
        values: &[Value],
        slots: &[Slot],
    ) -> Result<(Apart, Vec<Id>)> {
        let mut parameters: Vec<(Id, Vec<(usize, usize)>)> = Vec::new();
        let mut formals = Vec::new();
        for (index, (value, slot)) in values.iter().zip(slots).enumerate() {
            let mut place = 0;
            formals.push(self.formal(value, slot, index, &mut place, &mut parameters));
        }
        let mut inner = Vec::new();
        let mut pointers = Vec::new();
        for (argument, formal) in arguments.iter().zip(&formals) {
            let is_pointer = matches!(argument, Value::Pointer(_));
            let variable = is_pointer.then(|| self.variable(formal.clone()));
            inner.push(match variable {
                Some(variable) => {
                    Value::Pointer(Pointer { root: Root::Variable(variable), path: SmallVec::new() })
                }
                None => formal.clone(),
            });
            pointers.push(variable);
        }
        let globals: Vec<usize> = self.module_variables().collect();
        for (variable, formal) in globals.iter().zip(formals.iter().skip(arguments.len())) {
            self.set(*variable, formal.clone());
        }
        let returned = self.inlined(handle, inner)?;
        let returned = returned.map(|value| self.computed(value));
        let mut after = Vec::new();
        for (variable, formal) in pointers.into_iter().chain(globals.into_iter().map(Some)).zip(&formals) {
            let value = variable.map(|variable| self.get(variable).clone()).filter(|value| value != formal);
            after.push(value.map(|value| self.computed(value)));
        }
        let (mut left, mut results) = (Vec::new(), Vec::new());
        for value in returned.iter().chain(after.iter().flatten()) {
            self.leave(value, &parameters, &mut left, &mut results);
        }
        Ok((Apart { function: handle.index(), formals, parameters, left, returned, after }, results))
    }

    /// What goes in, as the procedure has it.
    fn formal(
        &mut self,
        value: &Value,
        slot: &Slot,
        index: usize,
        place: &mut usize,
        parameters: &mut Vec<(Id, Vec<(usize, usize)>)>,
    ) -> Value {
        let mut vector = |walk: &mut Self, lanes: &Lanes| -> Lanes {
            let first = *place;
            *place += lanes.len();
            let fixed = |at: usize| slot.lanes.get(first + at).copied().flatten();
            let open: Vec<(usize, usize)> =
                (0..lanes.len()).filter(|at| fixed(*at).is_none()).map(|at| (index, first + at)).collect();
            let width = u8::try_from(open.len()).unwrap_or(4);
            let node = (width > 0).then(|| walk.builder.append(Op::Parameter, width, SmallVec::new()));
            let mut component = 0u8;
            let mut made = Lanes::new();
            for at in 0..lanes.len() {
                made.push(match (fixed(at), node) {
                    (Some(fixed), _) => walk.fixed_lane(fixed),
                    (None, Some(node)) => {
                        component += 1;
                        Lane::Of { node, component: component - 1, negate: false }
                    }
                    (None, None) => Lane::ZERO,
                });
            }
            parameters.extend(node.map(|node| (node, open)));
            made
        };
        mapped_vectors(self, value, &mut vector)
    }

    /// Brings what a value has been given in a procedure into registers that are read behind the call.
    fn leave(
        &mut self,
        value: &Value,
        parameters: &[(Id, Vec<(usize, usize)>)],
        left: &mut Vec<(Lane, (usize, u8))>,
        results: &mut Vec<Id>,
    ) {
        let mut vector = |walk: &mut Self, lanes: &Lanes| -> Lanes {
            let mut open = Lanes::new();
            for &lane in lanes {
                let is_given = parameters.iter().any(|(id, _)| Some(*id) == lane.node());
                let is_known = left.iter().any(|(known, _)| *known == lane);
                if walk.fixed(lane).is_none() && !is_given && !is_known && !open.contains(&lane) {
                    open.push(lane);
                }
            }
            if !open.is_empty() {
                let width = u8::try_from(open.len()).unwrap_or(4);
                left.extend((0u8..).zip(&open).map(|(component, lane)| (*lane, (results.len(), component))));
                let mut arguments = SmallVec::new();
                arguments.push(open);
                results.push(walk.builder.node(Op::Pack, width, arguments));
            }
            lanes.clone()
        };
        mapped_vectors(self, value, &mut vector);
    }
}

/// A value with other lanes.
fn mapped<'m>(
    walk: &mut Walk<'m>,
    value: &Value,
    lane: &mut impl FnMut(&mut Walk<'m>, Lane) -> Lane,
) -> Value {
    mapped_vectors(walk, value, &mut |walk, lanes| lanes.iter().map(|of| lane(walk, *of)).collect())
}

/// A value with other vectors.
fn mapped_vectors<'m>(
    walk: &mut Walk<'m>,
    value: &Value,
    vector: &mut dyn FnMut(&mut Walk<'m>, &Lanes) -> Lanes,
) -> Value {
    match value {
        Value::Vector(lanes) => Value::Vector(vector(walk, lanes)),
        Value::Matrix(matrix) => Value::Matrix(mapped_matrix(walk, matrix, vector)),
        Value::List(list) => {
            Value::List(list.iter().map(|value| mapped_vectors(walk, value, vector)).collect())
        }
        Value::Pointer(_) => value.clone(),
    }
}

fn mapped_matrix<'m>(
    walk: &mut Walk<'m>,
    matrix: &Matrix,
    vector: &mut dyn FnMut(&mut Walk<'m>, &Lanes) -> Lanes,
) -> Matrix {
    match matrix {
        Matrix::Columns(columns) => {
            Matrix::Columns(columns.iter().map(|column| vector(walk, column)).collect())
        }
        Matrix::Product(a, b) => {
            let a = mapped_matrix(walk, a, vector);
            Matrix::Product(Box::new(a), Box::new(mapped_matrix(walk, b, vector)))
        }
    }
}

/// Whether a loop of the machine runs in there.
fn has_loop(items: &[Item]) -> bool {
    items.iter().any(|item| match item {
        Item::Loop { .. } => true,
        Item::If { accept, reject, .. } => has_loop(accept) || has_loop(reject),
        Item::Node(_) | Item::Write { .. } | Item::Call { .. } => false,
    })
}
