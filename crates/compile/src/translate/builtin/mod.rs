//! Built-in functions.

mod bits;
mod image;
mod lanes;
mod math;
mod matrix;
mod memory;
mod packing;
mod texture;
pub(super) mod variables;
mod vector;

use super::{Result, Translator, Values, unsupported};
use unshade_glsl::tree::{ExpressionId, Operation};
use unshade_glsl::types::{Scalar, Type};
use unshade_ir::{Op, Value};

/// Arguments with their types.
pub(super) struct Arguments {
    types: Vec<Type>,
    values: Vec<Values>,
}

impl Arguments {
    /// The type of an argument.
    fn ty(&self, number: usize) -> Type {
        self.types.get(number).copied().unwrap_or(Type::FLOAT)
    }

    /// The kind of an argument's scalars.
    fn kind(&self, number: usize) -> Scalar {
        self.ty(number).scalar().unwrap_or(Scalar::Float)
    }

    /// All scalars of an argument.
    fn all(&self, number: usize) -> &[Value] {
        self.values.get(number).map_or(&[], |values| values)
    }

    /// A component of an argument; of a scalar, itself.
    fn lane(&self, number: usize, lane: usize) -> Value {
        let values = self.all(number);
        values.get(lane).or(values.first()).copied().unwrap_or_default()
    }

    /// How many components the longest argument has.
    fn lanes(&self) -> usize {
        self.values.iter().map(|values| values.len()).max().unwrap_or(0)
    }
}

impl Translator<'_> {
    pub(super) fn builtin(
        &mut self,
        id: ExpressionId,
        operation: Operation,
        name: &str,
        arguments: &[ExpressionId],
    ) -> Result<Values> {
        let span = self.span(id);
        let ty = self.ty(id);
        let values = match operation {
            // What takes places or textures comes first: its arguments are no values.
            Operation::Sample(sample) => self.sample(sample, ty, name, arguments, span)?,
            Operation::TextureSize
            | Operation::TextureQueryLod
            | Operation::TextureQueryLevels
            | Operation::TextureSamples => self.texture_query(operation, ty, arguments, span)?,
            Operation::ImageLoad
            | Operation::ImageStore
            | Operation::ImageSize
            | Operation::ImageAtomic(_) => self.image(operation, ty, arguments, span)?,
            Operation::Atomic(_)
            | Operation::CounterLoad
            | Operation::CounterIncrement
            | Operation::CounterDecrement
            | Operation::Counter(_) => self.atomic(operation, arguments, span)?,
            Operation::InterpolateAtCentroid
            | Operation::InterpolateAtSample
            | Operation::InterpolateAtOffset => self.interpolate(operation, arguments, span)?,
            Operation::Modf
            | Operation::Frexp
            | Operation::AddCarry
            | Operation::SubtractBorrow
            | Operation::MultiplyExtended => self.with_results(id, operation, arguments)?,
            Operation::Barrier
            | Operation::MemoryBarrier(_)
            | Operation::EmitVertex
            | Operation::EndPrimitive
            | Operation::EmitStreamVertex
            | Operation::EndStreamPrimitive => {
                self.event(operation, arguments);
                Values::new()
            }
            _ => {
                let mut given = Arguments { types: Vec::new(), values: Vec::new() };
                for argument in arguments {
                    given.types.push(self.ty(*argument));
                    given.values.push(self.value(*argument)?);
                }
                self.at(id);
                match self.function(operation, ty, &given) {
                    Some(values) => values,
                    None => {
                        return Err(unsupported(
                            format!("`{name}` has no operation in the common language"),
                            span,
                        ));
                    }
                }
            }
        };
        Ok(values)
    }

    /// A function of values alone.
    fn function(&mut self, operation: Operation, ty: Type, given: &Arguments) -> Option<Values> {
        if let Some(values) = self.matrix_function(operation, ty, given) {
            return Some(values);
        }
        if let Some(values) = self.vector_function(operation, given) {
            return Some(values);
        }
        if let Some(values) = self.packing_function(operation, ty, given) {
            return Some(values);
        }
        if let Some(values) = self.lanes_function(operation, ty, given) {
            return Some(values);
        }
        if given.values.is_empty() {
            return None;
        }
        // By component.
        let mut values = Values::new();
        for lane in 0..given.lanes() {
            self.lane(lane);
            let value = self
                .math_function(operation, given, lane)
                .or_else(|| self.bits_function(operation, given, lane));
            values.push(value?);
        }
        Some(values)
    }

    fn event(&mut self, operation: Operation, arguments: &[ExpressionId]) {
        use unshade_glsl::builtins::Memory;
        use unshade_ir::Barrier;
        let stream = arguments.first().and_then(|id| self.known_index(*id)).unwrap_or(0);
        let op = match operation {
            Operation::EmitVertex | Operation::EmitStreamVertex => Op::EmitVertex(stream),
            Operation::EndPrimitive | Operation::EndStreamPrimitive => Op::EndPrimitive(stream),
            Operation::MemoryBarrier(Memory::Group | Memory::Shared) => Op::Barrier(Barrier::Group),
            Operation::MemoryBarrier(_) => Op::Barrier(Barrier::Memory),
            _ => Op::Barrier(Barrier::Control),
        };
        self.effect(op, &[]);
    }
}
