//! Values as sums of products of others.

use super::{MODE, MOST};
use crate::{Function, Multiply, Op, Value, Width};
use smallvec::{SmallVec, smallvec};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Products of a sum that is looked at: a determinant of four columns has 24.
const TERMS: usize = 32;
/// How deep sums and products are taken apart.
const DEEP: usize = 40;

/// Factors in order.
pub(super) type Product = SmallVec<[Value; MOST]>;

/// A sum of products, each so many times.
pub(super) type Polynomial = BTreeMap<Product, i32>;

/// Sums of products that values are, as far as they were asked for.
pub(super) struct Polynomials<'a> {
    function: &'a Function,
    known: BTreeMap<Value, Option<Rc<Polynomial>>>,
}

impl<'a> Polynomials<'a> {
    /// Nothing is asked for yet.
    pub(super) fn new(function: &'a Function) -> Self {
        Self { function, known: BTreeMap::new() }
    }

    /// What a value is; none if that is too long. `depth`: how many sums and products it is a part of.
    pub(super) fn of(&mut self, value: Value, depth: usize) -> Option<Rc<Polynomial>> {
        if let Some(known) = self.known.get(&value) {
            return known.clone();
        }
        let made = if depth < DEEP { self.make(value, depth + 1).map(Rc::new) } else { None };
        self.known.insert(value, made.clone());
        made
    }

    fn make(&mut self, value: Value, depth: usize) -> Option<Polynomial> {
        let function = self.function;
        let Some(inst) = function.definition(value) else { return Some(variable(value)) };
        match (inst.op, &inst.args[..]) {
            (Op::FAdd(MODE), &[a, b]) => sum(&*self.of(a, depth)?, &*self.of(b, depth)?),
            (Op::FMul(MODE, Multiply::Ieee), &[a, b]) => product(&*self.of(a, depth)?, &*self.of(b, depth)?),
            (Op::FFma(MODE, Multiply::Ieee), &[a, b, c]) => {
                sum(&product(&*self.of(a, depth)?, &*self.of(b, depth)?)?, &*self.of(c, depth)?)
            }
            (Op::FNeg(Width::F32), &[a]) => Some(opposite(&*self.of(a, depth)?)),
            (Op::Dot(_), args) => {
                let (a, b) = args.split_at(args.len() / 2);
                let mut all = Polynomial::new();
                for (a, b) in a.iter().zip(b) {
                    all = sum(&all, &product(&*self.of(*a, depth)?, &*self.of(*b, depth)?)?)?;
                }
                Some(all)
            }
            _ => Some(variable(value)),
        }
    }
}

fn variable(value: Value) -> Polynomial {
    [(smallvec![value], 1)].into_iter().collect()
}

pub(super) fn opposite(a: &Polynomial) -> Polynomial {
    a.iter().map(|(product, times)| (product.clone(), -times)).collect()
}

fn sum(a: &Polynomial, b: &Polynomial) -> Option<Polynomial> {
    let mut all = a.clone();
    for (product, times) in b {
        let held = all.entry(product.clone()).or_insert(0);
        *held = held.checked_add(*times)?;
        if *held == 0 {
            all.remove(product);
        }
    }
    (all.len() <= TERMS).then_some(all)
}

fn product(a: &Polynomial, b: &Polynomial) -> Option<Polynomial> {
    if a.len() * b.len() > TERMS {
        return None;
    }
    let mut all = Polynomial::new();
    for (left, x) in a {
        for (right, y) in b {
            if left.len() + right.len() > MOST {
                return None;
            }
            let mut both: Product = left.iter().chain(right).copied().collect();
            both.sort_unstable();
            *all.entry(both).or_insert(0) += x.checked_mul(*y)?;
        }
    }
    all.retain(|_, times| *times != 0);
    Some(all)
}
