//! Puts products with an inverse where sums of products with its elements are.

use super::super::edit::{Forward, insert_before, use_counts};
use super::{ADD, Element, Inverse, MODE, MOST, NEGATE, ONE, plain};
use crate::{Function, InstId, Multiply, Op, Origin, Type, Value, ValueDef};
use smallvec::{SmallVec, smallvec};
use std::collections::{BTreeMap, BTreeSet};

/// Terms of a sum that is looked at.
const TERMS: usize = 32;

/// A factor beside an element: a value or its opposite; none is 1.
type Factor = (bool, Option<Value>);

/// A term of a sum.
#[derive(Debug, Clone, Copy)]
enum Term {
    /// An element with what it is multiplied with; whether the product is taken away.
    Element(Value, Element, Factor),
    /// Something else; whether it is taken away.
    Other(bool, Value),
}

/// A sum, flat.
struct Tree {
    root: InstId,
    position: usize,
    terms: Vec<Term>,
}

/// A component of a product with the inverse.
struct Lane {
    /// The vector stands in front of the inverse.
    vector_first: bool,
    component: usize,
    vector: [Option<Factor>; MOST],
    /// It is the opposite of that.
    opposite: bool,
    /// Terms of the sum that it is.
    terms: Vec<usize>,
}

/// The components that are in a sum: terms of one row, or of one column.
fn lanes(terms: &[Term], size: usize) -> Vec<Lane> {
    let mut best: Vec<Lane> = Vec::new();
    let covered = |lanes: &[Lane]| lanes.iter().map(|lane| lane.terms.len()).sum::<usize>();
    for vector_first in [false, true] {
        let mut found: Vec<Lane> = Vec::new();
        let mut taken = vec![false; terms.len()];
        for component in 0..size {
            let mut vector = [None; MOST];
            let mut own = Vec::new();
            for (at, term) in terms.iter().enumerate().filter(|(at, _)| !taken[*at]) {
                let Term::Element(_, element, (negated, factor)) = *term else { continue };
                let (line, lane) = match vector_first {
                    false => (element.row, element.column),
                    true => (element.column, element.row),
                };
                if line == component && vector[lane].is_none() {
                    vector[lane] = Some((negated != element.opposite, factor));
                    own.push(at);
                }
            }
            if own.len() < 2 {
                continue;
            }
            own.iter().for_each(|at| taken[*at] = true);
            // The opposite as a whole where that is the opposite in each component.
            let opposite = vector.iter().flatten().all(|(negated, _)| *negated);
            if opposite {
                vector.iter_mut().flatten().for_each(|(negated, _)| *negated = false);
            }
            found.push(Lane { vector_first, component, vector, opposite, terms: own });
        }
        if covered(&found) > covered(&best) {
            best = found;
        }
    }
    best
}

/// Puts products with one inverse where its elements are; answers how many.
pub(super) fn put(function: &mut Function, inverse: &Inverse) -> usize {
    Rewrite { function, inverse }.run()
}

struct Rewrite<'a> {
    function: &'a mut Function,
    inverse: &'a Inverse,
}

impl Rewrite<'_> {
    fn run(mut self) -> usize {
        let mut forward = Forward::new(self.function);
        let uses = use_counts(self.function);
        let mut count = 0;
        for block in 0..self.function.blocks.len() {
            let mut inserts: BTreeMap<usize, Vec<InstId>> = BTreeMap::new();
            let trees = self.trees(block, &uses);
            count += self.products(&trees, &mut inserts, &mut forward);
            count += self.columns(block, &mut inserts, &mut forward);
            insert_before(self.function, block, inserts.into_iter().rev().collect());
        }
        forward.apply(self.function);
        count
    }

    /// The sums of a block that elements are in.
    fn trees(&self, block: usize, uses: &[u32]) -> Vec<Tree> {
        let mut taken: BTreeSet<InstId> = BTreeSet::new();
        let mut trees = Vec::new();
        for (position, id) in self.function.blocks[block].insts.iter().enumerate().rev() {
            let inst = &self.function.insts[id.index()];
            if taken.contains(id) || !matches!(inst.op, Op::FAdd(MODE) | Op::Dot(_)) {
                continue;
            }
            let mut terms = Vec::new();
            let mut inner = Vec::new();
            self.flatten(self.function.result(*id, 0), false, uses, &mut terms, &mut inner);
            if terms.iter().any(|term| matches!(term, Term::Element(..))) {
                taken.extend(inner);
                trees.push(Tree { root: *id, position, terms });
            }
        }
        trees
    }

    /// The terms of a sum, with the additions that make it.
    fn flatten(
        &self,
        root: Value,
        negated: bool,
        uses: &[u32],
        terms: &mut Vec<Term>,
        inner: &mut Vec<InstId>,
    ) {
        let mut work: SmallVec<[(Value, bool, bool); 8]> = smallvec![(root, negated, true)];
        while let Some((value, negated, is_root)) = work.pop() {
            let alone = is_root || uses.get(value.index()) == Some(&1);
            let made = match self.function.values[value.index()].def {
                ValueDef::Result(id, _) => Some((id, &self.function.insts[id.index()])),
                ValueDef::Param(..) => None,
            };
            if terms.len() > TERMS {
                terms.push(Term::Other(negated, value));
                continue;
            }
            match made {
                _ if self.element(value).is_some() => terms.extend(self.term(value, negated, None)),
                Some((id, inst)) if inst.op == ADD && alone => {
                    inner.push(id);
                    work.extend(inst.args.iter().rev().map(|arg| (*arg, negated, false)));
                }
                Some((_, inst)) if inst.op == NEGATE => {
                    work.extend(inst.args.iter().map(|arg| (*arg, !negated, false)));
                }
                Some((id, inst)) if matches!(inst.op, Op::Dot(_)) && alone => {
                    let (a, b) = inst.args.split_at(inst.args.len() / 2);
                    let pairs = || a.iter().zip(b).map(|(a, b)| self.factor(*a, *b, negated));
                    if pairs().all(|term| term.is_some()) {
                        inner.push(id);
                        terms.extend(pairs().flatten());
                    } else {
                        terms.push(Term::Other(negated, value));
                    }
                }
                Some((_, inst)) if matches!(inst.op, Op::FMul(MODE, Multiply::Ieee)) => {
                    let [a, b] = [inst.args[0], inst.args[1]];
                    terms.push(self.factor(a, b, negated).unwrap_or(Term::Other(negated, value)));
                }
                _ => terms.push(Term::Other(negated, value)),
            }
        }
    }

    fn element(&self, value: Value) -> Option<Element> {
        self.inverse.elements.get(&value).copied()
    }

    fn term(&self, value: Value, negated: bool, factor: Option<Value>) -> Option<Term> {
        Some(Term::Element(value, self.element(value)?, (negated, factor)))
    }

    /// The product of an element and a factor, if one of two is an element.
    fn factor(&self, a: Value, b: Value, negated: bool) -> Option<Term> {
        let ((x, a), (y, b)) = (plain(self.function, a), plain(self.function, b));
        let negated = negated ^ x ^ y;
        self.term(a, negated, Some(b)).or_else(|| self.term(b, negated, Some(a)))
    }

    fn size(&self) -> usize {
        self.inverse.matrix.size
    }

    /// Puts products where the sums of a block are.
    fn products(
        &mut self,
        trees: &[Tree],
        inserts: &mut BTreeMap<usize, Vec<InstId>>,
        forward: &mut Forward,
    ) -> usize {
        let size = self.size();
        // By vector, in the order of the block: the sums with the component.
        type Key = (bool, [Option<Factor>; MOST]);
        let mut groups: BTreeMap<Key, Vec<(usize, Lane)>> = BTreeMap::new();
        for (at, tree) in trees.iter().enumerate() {
            for lane in lanes(&tree.terms, size) {
                groups.entry((lane.vector_first, lane.vector)).or_default().push((at, lane));
            }
        }
        groups.retain(|_, lanes| {
            let components: BTreeSet<usize> = lanes.iter().map(|(_, lane)| lane.component).collect();
            components.len() > 1 || lanes.iter().all(|(_, lane)| lane.terms.len() > 2)
        });
        // What sums become: the new values, and the terms that are in them.
        type Changed = (Vec<(bool, Value)>, BTreeSet<usize>);
        let mut changed: BTreeMap<usize, Changed> = BTreeMap::new();
        for ((vector_first, vector), lanes) in &groups {
            let places = lanes.iter().filter_map(|(at, _)| trees.get(*at));
            let Some(first) = places.min_by_key(|tree| tree.position) else { continue };
            let (position, root) = (first.position, first.root);
            let product = self.product(root, *vector_first, vector, inserts.entry(position).or_default());
            for (at, lane) in lanes {
                let (values, terms) = changed.entry(*at).or_default();
                values.push((lane.opposite, self.function.result(product, lane.component)));
                terms.extend(&lane.terms);
            }
        }
        for (at, (mut values, used)) in changed {
            let tree = &trees[at];
            let rest = tree.terms.iter().enumerate().filter(|(at, _)| !used.contains(at));
            let list = inserts.entry(tree.position).or_default();
            for (_, term) in rest {
                values.push(match *term {
                    Term::Other(negated, value) => (negated, value),
                    Term::Element(value, _, (negated, factor)) => match factor {
                        None => (negated, value),
                        Some(factor) => {
                            let op = Op::FMul(MODE, Multiply::Ieee);
                            (negated, push(self.function, tree.root, op, &[value, factor], list))
                        }
                    },
                });
            }
            let sum = summed(self.function, tree.root, &values, list);
            let old = self.function.result(tree.root, 0);
            self.function.values[sum.index()].variable = self.function.values[old.index()].variable;
            forward.set(old, sum);
        }
        groups.len()
    }

    /// A product of the inverse and a vector.
    fn product(
        &mut self,
        at: InstId,
        vector_first: bool,
        vector: &[Option<Factor>; MOST],
        list: &mut Vec<InstId>,
    ) -> InstId {
        let size = self.size();
        let mut args: Vec<Value> = self.inverse.matrix.elements.clone();
        for factor in &vector[..size] {
            let value = match factor {
                None => push(self.function, at, Op::B32(0), &[], list),
                Some((negated, None)) => {
                    let bits = if *negated { ONE | 1 << 31 } else { ONE };
                    push(self.function, at, Op::B32(bits), &[], list)
                }
                Some((true, Some(value))) => push(self.function, at, NEGATE, &[*value], list),
                Some((false, Some(value))) => *value,
            };
            args.push(value);
        }
        let op = if vector_first { Op::TimesInverse(size as u8) } else { Op::InverseTimes(size as u8) };
        let origin = self.function.insts[at.index()].origin;
        let id = self.function.push_inst(op, &args, &[Type::B32; MOST][..size], origin);
        list.push(id);
        id
    }

    /// Puts columns of the inverse where its elements stand in a block.
    fn columns(
        &mut self,
        block: usize,
        inserts: &mut BTreeMap<usize, Vec<InstId>>,
        forward: &mut Forward,
    ) -> usize {
        let mut made: BTreeMap<usize, InstId> = BTreeMap::new();
        for position in 0..self.function.blocks[block].insts.len() {
            let id = self.function.blocks[block].insts[position];
            let Some(value) = self.function.insts[id.index()].results.first().copied() else { continue };
            let Some(element) = self.element(value) else { continue };
            let list = inserts.entry(position).or_default();
            let product = match made.get(&element.column) {
                Some(product) => *product,
                None => {
                    let mut vector = [None; MOST];
                    vector[element.column] = Some((false, None));
                    let product = self.product(id, false, &vector, list);
                    made.insert(element.column, product);
                    product
                }
            };
            let mut new = self.function.result(product, element.row);
            if element.opposite {
                new = push(self.function, id, NEGATE, &[new], list);
            }
            self.function.values[new.index()].variable = self.function.values[value.index()].variable;
            forward.set(value, new);
        }
        made.len()
    }
}

/// Makes an instruction of one word where another one is.
fn push(function: &mut Function, at: InstId, op: Op, args: &[Value], list: &mut Vec<InstId>) -> Value {
    let origin: Origin = function.insts[at.index()].origin;
    let id = function.push_inst(op, args, &[Type::B32], origin);
    list.push(id);
    function.result(id, 0)
}

/// The sum of values, some of them taken away.
fn summed(function: &mut Function, at: InstId, values: &[(bool, Value)], list: &mut Vec<InstId>) -> Value {
    let mut sum = None;
    for (negated, value) in values {
        let value = if *negated { push(function, at, NEGATE, &[*value], list) } else { *value };
        sum = Some(match sum {
            None => value,
            Some(before) => push(function, at, ADD, &[before, value], list),
        });
    }
    sum.unwrap_or_else(|| function.result(at, 0))
}
