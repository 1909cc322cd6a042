//! What variables hold behind a condition: what one part left, or the other.

use super::{
    Walk,
    value::{Matrix, Value},
};
use crate::vector::build::all;
use crate::vector::{Id, Item, Lane, Lanes, Op};
use smallvec::{SmallVec, smallvec};
use unshade_bytes::problem::Result;

/// A part of a condition: what runs in it, and what variables hold behind it.
type Part = (Vec<Item>, Vec<Value>);

impl Walk<'_> {
    /// Ends a condition.
    pub(super) fn merge(&mut self, condition: Lane, accept: Part, reject: Part) -> Result<()> {
        let ((accept, after_accept), (reject, after_reject)) = (accept, reject);
        let mut results = Vec::new();
        let is_cheap = accept.is_empty() && reject.is_empty();
        let mut merged = Vec::with_capacity(self.variables.len());
        for (a, b) in after_accept.into_iter().zip(after_reject).take(self.variables.len()) {
            merged.push(if a == b { a } else { self.merge_value(condition, a, b, is_cheap, &mut results)? });
        }
        self.variables = merged;
        if !results.is_empty() || !is_cheap {
            self.push_if(condition, accept, reject, results);
        }
        Ok(())
    }

    fn merge_value(
        &mut self,
        condition: Lane,
        a: Value,
        b: Value,
        is_cheap: bool,
        results: &mut Vec<Id>,
    ) -> Result<Value> {
        match (a, b) {
            (Value::Vector(a), Value::Vector(b)) if a.len() == b.len() => {
                Ok(Value::Vector(self.merge_lanes(condition, &a, &b, is_cheap, results)))
            }
            (Value::Matrix(a), Value::Matrix(b)) => {
                // A product that is there was made in front of the condition, and can be computed there.
                let (a, b) = (a.columns(&mut self.builder), b.columns(&mut self.builder));
                let columns =
                    a.iter().zip(&b).map(|(a, b)| self.merge_lanes(condition, a, b, is_cheap, results));
                Ok(Value::Matrix(Matrix::Columns(columns.collect())))
            }
            (Value::List(a), Value::List(b)) if a.len() == b.len() => {
                let list =
                    a.into_iter().zip(b).map(|(a, b)| self.merge_value(condition, a, b, is_cheap, results));
                Ok(Value::List(list.collect::<Result<_>>()?))
            }
            _ => self.unexpected(),
        }
    }

    fn merge_lanes(
        &mut self,
        condition: Lane,
        a: &Lanes,
        b: &Lanes,
        is_cheap: bool,
        results: &mut Vec<Id>,
    ) -> Lanes {
        let mut merged = a.clone();
        let mut open: SmallVec<[usize; 4]> = SmallVec::new();
        for (lane, (&accept, &reject)) in a.iter().zip(b).enumerate() {
            if accept == reject {
                continue;
            }
            // What was made inside of a part is not there outside of it.
            let is_outside = accept.value().is_some() && reject.value().is_some();
            let simple = if is_cheap || is_outside { self.chosen(condition, accept, reject) } else { None };
            match simple {
                Some(found) => set(&mut merged, lane, found),
                None => open.push(lane),
            }
        }
        if open.is_empty() {
            return merged;
        }
        let pick =
            |list: &Lanes| -> Lanes { open.iter().filter_map(|&lane| list.get(lane).copied()).collect() };
        let width = u8::try_from(open.len()).unwrap_or(4);
        let node = self.builder.append(Op::Choose, width, smallvec![pick(a), pick(b)]);
        results.push(node);
        for (lane, value) in open.into_iter().zip(all(node, width)) {
            set(&mut merged, lane, value);
        }
        merged
    }

    /// A choice by a branch around copies.
    pub(super) fn branch(&mut self, condition: Lane, accept: &Lanes, reject: &Lanes) -> Lanes {
        let width = u8::try_from(accept.len()).unwrap_or(4);
        let node = self.builder.append(Op::Choose, width, smallvec![accept.clone(), reject.clone()]);
        self.push_if(condition, Vec::new(), Vec::new(), vec![node]);
        all(node, width)
    }

    /// Computes the products of matrices that variables have got since then: outside of the block nobody can.
    pub(super) fn compute_products(&mut self, before: &[Value]) {
        for index in 0..self.variables.len().min(before.len()) {
            let value = self.get(index);
            if before.get(index) != Some(value) && has_product(value) {
                let computed = self.computed(value.clone());
                self.set(index, computed);
            }
        }
    }

    pub(super) fn computed(&mut self, value: Value) -> Value {
        match value {
            Value::Matrix(matrix) => Value::Matrix(Matrix::Columns(matrix.columns(&mut self.builder))),
            Value::List(list) => Value::List(list.into_iter().map(|value| self.computed(value)).collect()),
            other => other,
        }
    }
}

pub(super) fn has_product(value: &Value) -> bool {
    match value {
        Value::Matrix(Matrix::Product(..)) => true,
        Value::List(list) => list.iter().any(has_product),
        _ => false,
    }
}

fn set(list: &mut Lanes, index: usize, value: Lane) {
    if let Some(place) = list.get_mut(index) {
        *place = value;
    }
}
