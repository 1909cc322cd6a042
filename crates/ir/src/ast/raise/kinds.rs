//! What bits are: float, signed, unsigned or truth value, from the operations that make and read them.
//!
//! Most operations say it. Those that only move or add bits (block parameters, selects, wrapping integer
//! arithmetic) form classes with what they are joined to, and each class takes what its surroundings want.

use super::calls::{self, Group, Signature};
use super::interface::{Indexed, Interface};
use super::registers::Registers;
use crate::scalar::{Scalar, given, is_open, wanted};
use crate::{Access, CompareInt, Function, InputPlace, Op, Space, Terminator, Type, Value, VarId};

#[derive(Debug, Clone, Copy, Default)]
struct Votes {
    float: u32,
    int: u32,
    uint: u32,
    /// Integer arithmetic happens in the class.
    integer: bool,
}

pub(super) struct Kinds {
    kinds: Vec<Scalar>,
    /// Parameters and results of the function.
    pub params: Vec<Group>,
    pub results: Vec<Group>,
}

impl Kinds {
    pub fn of(&self, value: Value) -> Scalar {
        self.kinds[value.index()]
    }

    pub fn new(
        registers: &Registers,
        function: &Function,
        interface: &mut Interface,
        signatures: &[Option<Signature>],
    ) -> Self {
        let mut solver = Solver::new(function);
        solver.find_fixed(interface, signatures);
        solver.collect(interface, signatures);
        let kinds = solver.solve();
        let mut scalars: Vec<(Option<VarId>, Scalar)> = Vec::new();
        for param in function.params() {
            scalars.push((function.values[param.index()].variable, kinds[param.index()]));
        }
        let params = calls::group(registers, &scalars);
        let results: Vec<(Option<VarId>, Scalar)> = function
            .results
            .iter()
            .enumerate()
            .map(|(position, _)| {
                let kind = solver.kind_of_class(solver.result_node(position));
                (calls::result_variable(function, position), kind)
            })
            .collect();
        let results = calls::group(registers, &results);
        Self { kinds, params, results }
    }
}

/// The kind that a type says by itself.
fn by_type(ty: Type) -> Option<Scalar> {
    match ty {
        Type::Bool => Some(Scalar::Bool),
        Type::B64 => Some(Scalar::Double),
        Type::B16 | Type::B32 => None,
    }
}

/// The kind that a result has by itself.
fn kind_of_result(
    op: Op,
    position: usize,
    interface: &mut Interface,
    signatures: &[Option<Signature>],
) -> Option<Scalar> {
    match op {
        Op::Load(access) if access.space == Space::Local => Some(interface.array(access.binding)),
        Op::Load(access) | Op::Atomic(_, access) if interface.memory(access).is_some() => {
            interface.memory(access).map(|memory| interface.memories[memory as usize].scalar)
        }
        Op::Interpolate(_, access) => {
            interface.lanes(Access { stride: 0, ..access }).first().map(|lane| interface.scalar(lane.global))
        }
        Op::Image(image) => Some(interface.image_scalar(image)),
        Op::Load(access) if access.is_indexed() => {
            let (Indexed::Elements { global, .. } | Indexed::Words { global, .. }) =
                interface.indexed(access)?;
            Some(interface.scalar(global))
        }
        Op::Load(access) => interface.lanes(access).first().map(|lane| interface.scalar(lane.global)),
        Op::Call(callee) => {
            let has = |group: &&Group| group.members.contains(&position);
            signatures[callee.index()].as_ref()?.results.iter().find(has).map(|group| group.kind)
        }
        Op::Texture(texture) => Some(interface.texel(texture)),
        op => given(&op),
    }
}

struct Solver<'a> {
    function: &'a Function,
    /// Class of each value, then of each result of the function.
    parent: Vec<u32>,
    votes: Vec<Votes>,
    fixed: Vec<Option<Scalar>>,
}

impl<'a> Solver<'a> {
    fn new(function: &'a Function) -> Self {
        let count = function.values.len() + function.results.len();
        Self {
            function,
            parent: (0..count as u32).collect(),
            votes: vec![Votes::default(); count],
            fixed: vec![None; count],
        }
    }

    fn result_node(&self, position: usize) -> usize {
        self.function.values.len() + position
    }

    fn find(&mut self, mut at: usize) -> usize {
        while self.parent[at] as usize != at {
            let up = self.parent[at] as usize;
            self.parent[at] = self.parent[up];
            at = up;
        }
        at
    }

    fn class(&self, mut at: usize) -> usize {
        while self.parent[at] as usize != at {
            at = self.parent[at] as usize;
        }
        at
    }

    fn vote(&mut self, at: usize, kind: Scalar) {
        let class = self.find(at);
        let votes = &mut self.votes[class];
        match kind {
            Scalar::Float | Scalar::Double => votes.float += 1,
            Scalar::Int | Scalar::Bool => votes.int += 1,
            Scalar::Uint => votes.uint += 1,
        }
    }

    /// Two values hold the same bits, or the bits of one class.
    fn join(&mut self, a: usize, b: usize) {
        match (self.fixed[a], self.fixed[b]) {
            (Some(_), Some(_)) => {}
            (Some(kind), None) => self.vote(b, kind),
            (None, Some(kind)) => self.vote(a, kind),
            (None, None) => {
                let (a, b) = (self.find(a), self.find(b));
                if a != b {
                    self.parent[b] = a as u32;
                    let other = self.votes[b];
                    let votes = &mut self.votes[a];
                    votes.float += other.float;
                    votes.int += other.int;
                    votes.uint += other.uint;
                    votes.integer |= other.integer;
                }
            }
        }
    }

    fn find_fixed(&mut self, interface: &mut Interface, signatures: &[Option<Signature>]) {
        let function = self.function;
        for (index, data) in function.values.iter().enumerate() {
            self.fixed[index] = by_type(data.ty);
        }
        // Instructions that no block lists may name what is not there any more.
        for id in function.blocks.iter().flat_map(|block| &block.insts) {
            let inst = &function.insts[id.index()];
            for (position, value) in inst.results.iter().enumerate() {
                if self.fixed[value.index()].is_none() {
                    let wide = inst.args.first().is_some_and(|arg| function.ty(*arg) == Type::B64);
                    self.fixed[value.index()] = match inst.op {
                        Op::Low | Op::High if wide => Some(Scalar::Uint),
                        op => kind_of_result(op, position, interface, signatures),
                    };
                }
            }
        }
        for (position, ty) in self.function.results.iter().enumerate() {
            let node = self.result_node(position);
            self.fixed[node] = by_type(*ty);
        }
    }

    /// A constant takes whatever is wanted where it is used.
    fn is_constant(&self, value: Value) -> bool {
        matches!(self.function.definition(value).map(|inst| inst.op), Some(Op::B32(_)))
    }

    fn collect(&mut self, interface: &mut Interface, signatures: &[Option<Signature>]) {
        let function = self.function;
        for block in &function.blocks {
            for inst in &block.insts {
                let inst = &function.insts[inst.index()];
                self.collect_inst(inst, interface, signatures);
            }
            for target in block.terminator.targets() {
                let params = &function.blocks[target.block.index()].params;
                for (arg, param) in target.args.iter().zip(params) {
                    if !self.is_constant(*arg) {
                        self.join(param.index(), arg.index());
                    }
                }
            }
            match &block.terminator {
                Terminator::Return(values) => {
                    for (position, value) in values.iter().enumerate() {
                        if !self.is_constant(*value) && position < function.results.len() {
                            self.join(self.result_node(position), value.index());
                        }
                    }
                }
                Terminator::Switch { value, .. } => {
                    let class = self.find(value.index());
                    self.votes[class].integer = true;
                }
                _ => {}
            }
        }
    }

    fn collect_inst(
        &mut self,
        inst: &crate::Inst,
        interface: &mut Interface,
        signatures: &[Option<Signature>],
    ) {
        let wish = |solver: &mut Self, value: Value, kind: Scalar| {
            if solver.fixed[value.index()].is_none() {
                solver.vote(value.index(), kind);
            }
        };
        match inst.op {
            Op::Call(callee) => {
                if let Some(signature) = &signatures[callee.index()] {
                    for group in &signature.params {
                        for member in &group.members {
                            if let Some(arg) = inst.args.get(*member) {
                                wish(self, *arg, group.kind);
                            }
                        }
                    }
                }
            }
            Op::Load(access) | Op::Store(access) | Op::Atomic(_, access)
                if interface.memory(access).is_some() =>
            {
                let (index, values) = inst.args.split_at(access.address_operands());
                let memory = interface.memory(access).unwrap_or(0);
                let kind = interface.memories[memory as usize].scalar;
                index.iter().for_each(|index| wish(self, *index, Scalar::Int));
                values.iter().for_each(|value| wish(self, *value, kind));
            }
            Op::Image(image) => {
                let texel = interface.image_global(image).map(|global| interface.texel_of(global));
                let first_value = inst.args.len() - image.values();
                for (position, arg) in inst.args.iter().enumerate() {
                    let kind =
                        if position < first_value { Scalar::Int } else { texel.unwrap_or(Scalar::Float) };
                    wish(self, *arg, kind);
                }
            }
            Op::Interpolate(place, access) => {
                let (index, at) = inst.args.split_at(access.address_operands());
                let kind = if place == InputPlace::Sample { Scalar::Int } else { Scalar::Float };
                index.iter().for_each(|index| wish(self, *index, Scalar::Int));
                at.iter().for_each(|value| wish(self, *value, kind));
            }
            Op::Load(access) | Op::Store(access) => {
                if access.is_indexed()
                    && let Some(index) = inst.args.first()
                {
                    wish(self, *index, Scalar::Int);
                }
                if matches!(inst.op, Op::Store(_))
                    && let Some(value) = inst.args.last()
                {
                    let memory = interface.memory(access).map(|at| interface.memories[at as usize].scalar);
                    let wanted = match access.space {
                        Space::Local => Some(interface.array(access.binding)),
                        Space::Shared | Space::Storage => memory,
                        _ if access.is_indexed() => match interface.indexed(access) {
                            Some(Indexed::Elements { global, .. } | Indexed::Words { global, .. }) => {
                                Some(interface.scalar(global))
                            }
                            None => None,
                        },
                        _ => interface.lanes(access).first().map(|lane| interface.scalar(lane.global)),
                    };
                    if let Some(wanted) = wanted {
                        wish(self, *value, wanted);
                    }
                }
            }
            op if is_open(&op) => {
                // By how much is shifted, and which lane is asked, is an integer of either sign.
                if let (Op::Shl | Op::Shuffle, Some(number)) = (op, inst.args.get(1))
                    && self.fixed[number.index()].is_none()
                    && !self.is_constant(*number)
                {
                    let class = self.find(number.index());
                    self.votes[class].integer = true;
                }
                let Some(result) = inst.results.first() else { return };
                if self.fixed[result.index()].is_some() {
                    return;
                }
                let same = match op {
                    Op::Select => inst.args.get(1..).unwrap_or_default(),
                    Op::Shl | Op::Shuffle => inst.args.get(..1).unwrap_or_default(),
                    _ => &inst.args[..],
                };
                for arg in same {
                    if !self.is_constant(*arg) {
                        self.join(result.index(), arg.index());
                    }
                }
                if !matches!(op, Op::Select | Op::Shuffle | Op::B32(_)) {
                    let class = self.find(result.index());
                    self.votes[class].integer = true;
                }
            }
            Op::ICompare(CompareInt::Eq | CompareInt::Ne) => {
                if let [a, b] = inst.args[..] {
                    match (self.is_constant(a), self.is_constant(b)) {
                        (false, false) => self.join(a.index(), b.index()),
                        (false, true) => wish(self, a, Scalar::Int),
                        (true, false) => wish(self, b, Scalar::Int),
                        (true, true) => {}
                    }
                }
            }
            // An integer of either sign.
            Op::FindLsb => wish(self, inst.args[0], Scalar::Int),
            Op::Join if inst.args.first().is_some_and(|arg| self.function.ty(*arg) == Type::B32) => {
                inst.args.iter().for_each(|arg| wish(self, *arg, Scalar::Uint));
            }
            op => {
                for (position, arg) in inst.args.iter().enumerate() {
                    if let Some(kind) = wanted(&op, position) {
                        wish(self, *arg, kind);
                    }
                }
            }
        }
    }

    fn kind_of_class(&self, at: usize) -> Scalar {
        if let Some(kind) = self.fixed[at] {
            return kind;
        }
        let votes = self.votes[self.class(at)];
        if votes.integer || votes.float < votes.int + votes.uint {
            if votes.uint > votes.int { Scalar::Uint } else { Scalar::Int }
        } else {
            Scalar::Float
        }
    }

    fn solve(&mut self) -> Vec<Scalar> {
        let kinds = (0..self.function.values.len()).map(|at| self.kind_of_class(at));
        // One more value stands for a literal zero.
        kinds.chain([Scalar::Float]).collect()
    }
}
