//! Making functions: the builder that a lift writes with.
//!
//! It keeps the tables of a [`Function`] consistent: every value knows what makes it, every result has the
//! type its operation gives. What it cannot see alone (that a definition dominates its uses, that a call
//! fits its callee) is checked by [`crate::verify`].

use crate::{
    Block, BlockId, Function, FunctionId, Inst, InstId, Module, Op, Origin, Target, Terminator, Type, Value,
    ValueData, ValueDef, VarId, Variable,
};
use smallvec::{SmallVec, smallvec};

/// Builds one function, block by block.
///
/// ```
/// use unshade_ir::{FloatMode, Op, Terminator, Type, build::FunctionBuilder};
/// let mut builder = FunctionBuilder::new("double");
/// let a = builder.param(builder.current(), Type::B32);
/// let sum = builder.value(Op::FAdd(FloatMode::F32), &[a, a]);
/// builder.returns(&[sum]);
/// assert_eq!(builder.finish().results, [Type::B32]);
/// ```
#[derive(Debug, Clone)]
pub struct FunctionBuilder {
    function: Function,
    current: BlockId,
    origin: Origin,
}

impl FunctionBuilder {
    /// A function with one empty block, which is the current one. Blocks end in
    /// [`Terminator::Unreachable`] until they are given another way out.
    pub fn new(name: impl Into<String>) -> Self {
        let mut function = Function { name: name.into(), ..Function::default() };
        let current = function.push_block();
        Self { function, current, origin: Origin { instruction: u32::MAX, step: 0, lane: 0 } }
    }

    /// A new empty block; the current one stays current.
    pub fn block(&mut self) -> BlockId {
        self.function.push_block()
    }

    /// Which block instructions are added to.
    pub fn current(&self) -> BlockId {
        self.current
    }

    /// Adds instructions to this block from now on.
    pub fn switch_to(&mut self, block: BlockId) {
        self.current = block;
    }

    /// Origin of the instructions added from now on.
    pub fn at(&mut self, origin: Origin) {
        self.origin = origin;
    }

    /// A new parameter of a block. Parameters of block 0 are those of the function.
    pub fn param(&mut self, block: BlockId, ty: Type) -> Value {
        self.function.push_param(block, ty, None)
    }

    /// Type of a value.
    pub fn ty(&self, value: Value) -> Type {
        self.function.ty(value)
    }

    /// Adds an instruction with results of the given types.
    pub fn inst(&mut self, op: Op, args: &[Value], results: &[Type]) -> InstId {
        let inst = self.function.push_inst(op, args, results, self.origin);
        if let Some(block) = self.function.blocks.get_mut(self.current.index()) {
            block.insts.push(inst);
        }
        inst
    }

    /// Adds an instruction with one result, whose type the operation and its operands give. For
    /// [`Op::ReadVar`] and [`Op::Call`], which depend on the module, use [`Self::read`] and [`Self::call`].
    pub fn value(&mut self, op: Op, args: &[Value]) -> Value {
        let types: SmallVec<[Type; 4]> = args.iter().map(|arg| self.ty(*arg)).collect();
        let results = op.results(&types);
        let inst = self.inst(op, args, &results);
        self.function.result(inst, 0)
    }

    /// As [`Self::value`], for operations with several results.
    pub fn values(&mut self, op: Op, args: &[Value]) -> SmallVec<[Value; 4]> {
        let types: SmallVec<[Type; 4]> = args.iter().map(|arg| self.ty(*arg)).collect();
        let results = op.results(&types);
        let inst = self.inst(op, args, &results);
        (0..results.len()).map(|n| self.function.result(inst, n)).collect()
    }

    /// Adds an instruction that has no result: a store, an emitted vertex.
    pub fn effect(&mut self, op: Op, args: &[Value]) {
        self.inst(op, args, &[]);
    }

    /// A `b32` constant.
    pub fn bits(&mut self, bits: u32) -> Value {
        self.value(Op::B32(bits), &[])
    }

    /// A binary32 constant.
    pub fn float(&mut self, value: f32) -> Value {
        self.bits(value.to_bits())
    }

    /// A `bool` constant.
    pub fn truth(&mut self, value: bool) -> Value {
        self.value(Op::Bool(value), &[])
    }

    /// Reads a variable of the given type.
    pub fn read(&mut self, variable: VarId, ty: Type) -> Value {
        let inst = self.inst(Op::ReadVar(variable), &[], &[ty]);
        self.function.result(inst, 0)
    }

    /// Writes a variable.
    pub fn write(&mut self, variable: VarId, value: Value) {
        self.effect(Op::WriteVar(variable), &[value]);
    }

    /// Calls a function that gives results of the given types.
    pub fn call(&mut self, function: FunctionId, args: &[Value], results: &[Type]) -> SmallVec<[Value; 1]> {
        let inst = self.inst(Op::Call(function), args, results);
        self.function.insts.get(inst.index()).map(|inst| inst.results.clone()).unwrap_or_default()
    }

    /// Ends the current block, where the instructions come from that are added now.
    pub fn terminate(&mut self, terminator: Terminator) {
        if let Some(block) = self.function.blocks.get_mut(self.current.index()) {
            block.terminator = terminator;
            block.exit = self.origin.instruction;
        }
    }

    /// Ends the current block with a jump.
    pub fn jump(&mut self, block: BlockId, args: &[Value]) {
        self.terminate(Terminator::Jump(Target { block, args: args.to_vec() }));
    }

    /// Ends the current block with a branch to blocks without parameters.
    pub fn branch(&mut self, condition: Value, then: BlockId, otherwise: BlockId) {
        let to = |block| Target { block, args: Vec::new() };
        self.terminate(Terminator::Branch { condition, then: to(then), otherwise: to(otherwise) });
    }

    /// Ends the current block with a return; the types of the values become the function's results.
    pub fn returns(&mut self, values: &[Value]) {
        self.function.results = values.iter().map(|value| self.ty(*value)).collect();
        self.terminate(Terminator::Return(values.to_vec()));
    }

    /// The finished function.
    pub fn finish(self) -> Function {
        self.function
    }
}

impl Target {
    /// A target without arguments.
    pub fn plain(block: BlockId) -> Self {
        Self { block, args: Vec::new() }
    }
}

impl Terminator {
    /// All places it may go to, in order.
    pub fn targets(&self) -> impl Iterator<Item = &Target> {
        let (first, second, cases): (_, _, &[(u32, Target)]) = match self {
            Self::Jump(target) => (Some(target), None, &[]),
            Self::Branch { then, otherwise, .. } => (Some(then), Some(otherwise), &[]),
            Self::Switch { cases, default, .. } => (None, Some(default), cases),
            Self::Return(_) | Self::End | Self::Discard | Self::Unreachable => (None, None, &[]),
        };
        first.into_iter().chain(cases.iter().map(|(_, target)| target)).chain(second)
    }

    /// The same, to be changed.
    pub fn targets_mut(&mut self) -> impl Iterator<Item = &mut Target> {
        let (first, second, cases): (_, _, &mut [(u32, Target)]) = match self {
            Self::Jump(target) => (Some(target), None, &mut []),
            Self::Branch { then, otherwise, .. } => (Some(then), Some(otherwise), &mut []),
            Self::Switch { cases, default, .. } => (None, Some(default), cases),
            Self::Return(_) | Self::End | Self::Discard | Self::Unreachable => (None, None, &mut []),
        };
        first.into_iter().chain(cases.iter_mut().map(|(_, target)| target)).chain(second)
    }

    /// The value that says where it goes, if one does.
    pub fn asked(&self) -> Option<Value> {
        match self {
            Self::Branch { condition: value, .. } | Self::Switch { value, .. } => Some(*value),
            Self::Jump(_) | Self::Return(_) | Self::End | Self::Discard | Self::Unreachable => None,
        }
    }

    /// Every value it reads, those it passes to its targets included.
    pub fn for_each_value(&self, mut visit: impl FnMut(Value)) {
        match self {
            Self::Branch { condition: value, .. } | Self::Switch { value, .. } => visit(*value),
            Self::Return(values) => values.iter().copied().for_each(&mut visit),
            Self::Jump(_) | Self::End | Self::Discard | Self::Unreachable => {}
        }
        for target in self.targets() {
            target.args.iter().copied().for_each(&mut visit);
        }
    }

    /// The same, to be changed.
    pub fn for_each_value_mut(&mut self, mut visit: impl FnMut(&mut Value)) {
        match self {
            Self::Branch { condition: value, .. } | Self::Switch { value, .. } => visit(value),
            Self::Return(values) => values.iter_mut().for_each(&mut visit),
            Self::Jump(_) | Self::End | Self::Discard | Self::Unreachable => {}
        }
        for target in self.targets_mut() {
            target.args.iter_mut().for_each(&mut visit);
        }
    }
}

/// The tables, kept consistent. Ids that the function does not have are a caller's mistake; they are
/// answered with something harmless, and [`crate::verify`] names them.
impl Function {
    /// Adds an empty block that ends in [`Terminator::Unreachable`].
    pub fn push_block(&mut self) -> BlockId {
        let id = BlockId(self.blocks.len() as u32);
        self.blocks.push(Block::default());
        id
    }

    /// Adds a parameter to a block.
    pub fn push_param(&mut self, block: BlockId, ty: Type, variable: Option<VarId>) -> Value {
        let value = Value(self.values.len() as u32);
        let mut position = 0;
        if let Some(block) = self.blocks.get_mut(block.index()) {
            position = block.params.len() as u16;
            block.params.push(value);
        }
        self.values.push(ValueData { ty, def: ValueDef::Param(block, position), variable });
        value
    }

    /// Adds an instruction to the table; no block lists it yet.
    pub fn push_inst(&mut self, op: Op, args: &[Value], results: &[Type], origin: Origin) -> InstId {
        let id = InstId(self.insts.len() as u32);
        let mut values: SmallVec<[Value; 1]> = smallvec![];
        for (position, ty) in results.iter().enumerate() {
            values.push(Value(self.values.len() as u32));
            self.values.push(ValueData {
                ty: *ty,
                def: ValueDef::Result(id, position as u16),
                variable: None,
            });
        }
        self.insts.push(Inst { op, args: SmallVec::from_slice(args), results: values, origin });
        id
    }

    /// Result `n` of an instruction; value 0 where it has none.
    pub fn result(&self, inst: InstId, n: usize) -> Value {
        self.insts.get(inst.index()).and_then(|inst| inst.results.get(n)).copied().unwrap_or_default()
    }

    /// Type of a value; `b32` for one that is not there.
    pub fn ty(&self, value: Value) -> Type {
        self.values.get(value.index()).map_or(Type::B32, |data| data.ty)
    }

    /// The instruction that makes a value; none for a parameter.
    pub fn definition(&self, value: Value) -> Option<&Inst> {
        match self.values.get(value.index())?.def {
            ValueDef::Result(inst, _) => self.insts.get(inst.index()),
            ValueDef::Param(..) => None,
        }
    }

    /// Everyone who used one value uses another from now on.
    pub(crate) fn replace_uses(&mut self, old: Value, new: Value) {
        let change = |value: &mut Value| {
            if *value == old {
                *value = new;
            }
        };
        for inst in &mut self.insts {
            inst.args.iter_mut().for_each(change);
        }
        for block in &mut self.blocks {
            block.terminator.for_each_value_mut(change);
        }
    }

    /// Parameters of the function.
    pub fn params(&self) -> &[Value] {
        self.blocks.first().map_or(&[], |block| &block.params)
    }
}

impl Module {
    /// Adds a function.
    pub fn push_function(&mut self, function: Function) -> FunctionId {
        let id = FunctionId(self.functions.len() as u32);
        self.functions.push(function);
        id
    }

    /// Adds a variable.
    pub fn push_variable(&mut self, register: impl Into<String>, lane: u8, ty: Type, initial: u64) -> VarId {
        let id = VarId(self.variables.len() as u32);
        self.variables.push(Variable { register: register.into(), lane, ty, initial });
        id
    }
}
