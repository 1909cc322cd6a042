//! Reading and writing what lies in a place.

use super::super::{Result, Translator, Values, unsupported};
use super::{Kind, Place, Rule, Words, shifted};
use smallvec::SmallVec;
use unshade_glsl::place::Span;
use unshade_glsl::tree::ExpressionId;
use unshade_glsl::types::{Length, Scalar, Type};
use unshade_ir::{Access, CompareInt, Op, Space, Value};

impl Translator<'_> {
    /// The scalars of what lies in words, each with its own word.
    pub(in super::super) fn scalars_in(&self, words: &Words, ty: Type, found: &mut Vec<(Words, Scalar)>) {
        match ty {
            Type::Scalar(scalar) | Type::Vector(scalar, _) => {
                for lane in words.lanes.iter().take(ty.components().unwrap_or(1).into()) {
                    found.push((words.shifted(u32::from(*lane).saturating_mul(words.step)), scalar));
                }
            }
            Type::Matrix(..) | Type::Array(_) => {
                let whole = Place { ty, kind: Kind::Words(*words) };
                for number in 0..self.types().length(ty).unwrap_or(0) {
                    let part = self.element(&whole, number);
                    if let Kind::Words(words) = part.kind {
                        self.scalars_in(&words, part.ty, found);
                    }
                }
            }
            Type::Struct(id) => {
                let whole = Place { ty, kind: Kind::Words(*words) };
                for number in 0..self.types().structure(id).members.len() {
                    let part = self.member(&whole, number as u32);
                    if let Kind::Words(words) = part.kind {
                        self.scalars_in(&words, part.ty, found);
                    }
                }
            }
            Type::Void | Type::Opaque(_) | Type::AtomicCounter => {}
        }
    }

    /// What lies there.
    pub(in super::super) fn load(&mut self, place: &Place, span: Span) -> Result<Values> {
        match &place.kind {
            Kind::Variables(variables) => {
                let mut values = Values::new();
                for (lane, variable) in variables.iter().enumerate() {
                    self.lane(lane);
                    let ty = self
                        .module
                        .variables
                        .get(variable.index())
                        .map_or(unshade_ir::Type::B32, |var| var.ty);
                    self.count += 1;
                    values.push(self.code.read(*variable, ty));
                }
                Ok(values)
            }
            Kind::Words(words) => {
                self.leaves(place.ty, span)?;
                let mut scalars = Vec::new();
                self.scalars_in(words, place.ty, &mut scalars);
                let mut values = Values::new();
                for (lane, (words, scalar)) in scalars.iter().enumerate() {
                    self.lane(lane);
                    values.push(self.load_scalar(words, *scalar, span)?);
                }
                Ok(values)
            }
            Kind::Parts(parts) => {
                let parts = parts.clone();
                let mut values = Values::new();
                for part in parts.iter() {
                    values.extend(self.load(part, span)?);
                }
                Ok(values)
            }
            Kind::PerVertex(members, stride) => {
                let (members, stride) = (members.clone(), *stride);
                let mut values = Values::new();
                for vertex in 0..self.types().length(place.ty).unwrap_or(0) {
                    for member in members.iter() {
                        values.extend(self.load(&shifted(member, stride.saturating_mul(vertex)), span)?);
                    }
                }
                Ok(values)
            }
            Kind::Choice(places, index) => {
                let (places, index) = (places.clone(), *index);
                let mut chosen: Option<Values> = None;
                for (number, place) in places.iter().enumerate().rev() {
                    let values = self.load(place, span)?;
                    chosen = Some(match chosen {
                        None => values,
                        Some(others) => {
                            let is_it = self.is_number(index, number as u32);
                            let both = values.iter().zip(&others);
                            both.map(|(one, other)| self.op(Op::Select, &[is_it, *one, *other])).collect()
                        }
                    });
                }
                Ok(chosen.unwrap_or_default())
            }
            Kind::Handle(_) => Err(unsupported("expected a number or truth value, found a texture", span)),
        }
    }

    fn is_number(&mut self, index: Value, number: u32) -> Value {
        let number = self.bits(number);
        self.op(Op::ICompare(CompareInt::Eq), &[index, number])
    }

    /// Puts a value there.
    pub(in super::super) fn store(&mut self, place: &Place, values: &[Value], span: Span) -> Result<()> {
        match &place.kind {
            Kind::Variables(variables) => {
                for (lane, (variable, value)) in variables.iter().zip(values).enumerate() {
                    self.lane(lane);
                    self.count += 1;
                    self.code.write(*variable, *value);
                }
                Ok(())
            }
            Kind::Words(words) => {
                self.leaves(place.ty, span)?;
                let mut scalars = Vec::new();
                self.scalars_in(words, place.ty, &mut scalars);
                for (lane, ((words, scalar), value)) in scalars.iter().zip(values).enumerate() {
                    self.lane(lane);
                    self.store_scalar(words, *scalar, *value, span)?;
                }
                Ok(())
            }
            Kind::Parts(parts) => {
                let parts = parts.clone();
                let mut rest = values;
                for part in parts.iter() {
                    let count = self.leaves(part.ty, span)?.len();
                    let (own, others) = rest.split_at(count.min(rest.len()));
                    self.store(part, own, span)?;
                    rest = others;
                }
                Ok(())
            }
            Kind::PerVertex(members, stride) => {
                let (members, stride) = (members.clone(), *stride);
                let mut rest = values;
                for vertex in 0..self.types().length(place.ty).unwrap_or(0) {
                    for member in members.iter() {
                        let count = self.leaves(member.ty, span)?.len();
                        let (own, others) = rest.split_at(count.min(rest.len()));
                        self.store(&shifted(member, stride.saturating_mul(vertex)), own, span)?;
                        rest = others;
                    }
                }
                Ok(())
            }
            Kind::Choice(places, index) => {
                let (places, index) = (places.clone(), *index);
                for (number, place) in places.iter().enumerate() {
                    let is_it = self.is_number(index, number as u32);
                    if let Kind::Variables(_) = place.kind {
                        let before = self.load(place, span)?;
                        let both = values.iter().zip(&before);
                        let after: Values =
                            both.map(|(new, old)| self.op(Op::Select, &[is_it, *new, *old])).collect();
                        self.store(place, &after, span)?;
                    } else {
                        let (then, behind) = (self.code.block(), self.code.block());
                        self.branch(is_it, then, behind);
                        self.continue_in(then);
                        self.store(place, values, span)?;
                        self.jump(behind);
                        self.continue_in(behind);
                    }
                }
                Ok(())
            }
            Kind::Handle(_) => Err(unsupported("expected a variable, found a texture", span)),
        }
    }

    pub(in super::super) fn load_word(&mut self, words: &Words, further: u32) -> Value {
        let index: SmallVec<[Value; 1]> = words.index.iter().map(|(index, _)| *index).collect();
        self.op(Op::Load(words.access(further)), &index)
    }

    fn store_word(&mut self, words: &Words, further: u32, value: Value) {
        let mut args: SmallVec<[Value; 2]> = words.index.iter().map(|(index, _)| *index).collect();
        args.push(value);
        self.effect(Op::Store(words.access(further)), &args);
    }

    /// The access to a word, with its operands, for operations that are neither loads nor stores.
    pub(in super::super) fn word_access(words: &Words) -> (Access, SmallVec<[Value; 4]>) {
        (words.access(0), words.index.iter().map(|(index, _)| *index).collect())
    }

    fn load_scalar(&mut self, words: &Words, scalar: Scalar, span: Span) -> Result<Value> {
        has_room(words, scalar, span)?;
        let low = self.load_word(words, 0);
        Ok(match scalar {
            Scalar::Bool => {
                let zero = self.bits(0);
                self.op(Op::ICompare(CompareInt::Ne), &[low, zero])
            }
            Scalar::Float16 => self.op(Op::Low, &[low]),
            Scalar::Int64 | Scalar::Uint64 | Scalar::Double => {
                let high = self.load_word(words, 1);
                self.op(Op::Join, &[low, high])
            }
            _ => low,
        })
    }

    fn store_scalar(&mut self, words: &Words, scalar: Scalar, value: Value, span: Span) -> Result<()> {
        has_room(words, scalar, span)?;
        match scalar {
            Scalar::Bool => {
                let word = self.op(Op::BToI, &[value]);
                self.store_word(words, 0, word);
            }
            Scalar::Float16 => {
                let none = self.op(Op::B16(0), &[]);
                let word = self.op(Op::Join, &[value, none]);
                self.store_word(words, 0, word);
            }
            Scalar::Int64 | Scalar::Uint64 | Scalar::Double => {
                let (low, high) = (self.op(Op::Low, &[value]), self.op(Op::High, &[value]));
                self.store_word(words, 0, low);
                self.store_word(words, 1, high);
            }
            _ => self.store_word(words, 0, value),
        }
        Ok(())
    }

    /// The length of an array that only the machine knows.
    pub(in super::super) fn buffer_length(&mut self, id: ExpressionId) -> Result<Value> {
        let span = self.span(id);
        let place = self.target(id)?;
        let (Kind::Words(words), Type::Array(array)) = (&place.kind, place.ty) else {
            return Err(unsupported("expected the last array of a buffer", span));
        };
        if self.types().get_array(array).length != Length::Runtime || words.space != Space::Storage {
            return Err(unsupported("expected the last array of a buffer", span));
        }
        let (stride, _) = self.strides(place.ty, words.rule);
        let length = unshade_ir::BufferLength {
            binding: words.binding,
            offset: words.offset.saturating_mul(4),
            stride: stride.saturating_mul(4).max(1),
        };
        Ok(self.op(Op::BufferLength(length), &[]))
    }
}

/// Numbers of 8 and 16 bits in blocks lie within words.
fn has_room(words: &Words, scalar: Scalar, span: Span) -> Result<()> {
    let is_block = matches!(words.rule, Rule::Block { .. });
    match is_block && scalar != Scalar::Bool && scalar.size() < 4 {
        true => Err(unsupported(
            format!("expected numbers of 32 or 64 bits in a block, found `{}`", scalar.name()),
            span,
        )),
        false => Ok(()),
    }
}
