//! Products of matrices that a compiler put together before a vector came: `(P * V) * t` is `P * (V * t)`, as people
//! write `projection * view * world * position` for one vector. What stands in the code are sums over the columns of
//! the second matrix, of a dot product with a row of the first, times a component of the vector.

use super::Changes;
use super::edit::{insert_before, use_counts};
use super::terms::collect;
use crate::{FloatMode, Function, InstId, Module, Op, Origin, Space, Type, Value};
use smallvec::{SmallVec, smallvec};

const ADD: Op = Op::FAdd(FloatMode::F32);

/// What must hold.
const ASSUMPTION: &str = "products of matrices and vectors may be taken in any order";

pub(super) fn run(module: &mut Module) -> Changes {
    if !module.from_shading_language {
        return Changes::default();
    }
    let count = module.functions.iter_mut().map(rewrite).sum();
    Changes { count, ..Changes::default() }.assume(ASSUMPTION)
}

fn rewrite(function: &mut Function) -> usize {
    let uses = use_counts(function);
    let mut taken = vec![false; function.insts.len()];
    let mut count = 0;
    for block in 0..function.blocks.len() {
        // Instructions to put in front of others, the last place first.
        let mut inserts: Vec<(usize, Vec<InstId>)> = Vec::new();
        for position in (0..function.blocks[block].insts.len()).rev() {
            let id = function.blocks[block].insts[position];
            if taken.get(id.index()) != Some(&false) {
                continue;
            }
            let terms = match function.insts[id.index()].op {
                ADD => {
                    let Some(sum) = collect(function, id, &uses) else { continue };
                    for inner in &sum.adds {
                        taken[inner.index()] = true;
                    }
                    sum.terms
                }
                Op::Dot(_) => smallvec![function.result(id, 0)],
                _ => continue,
            };
            if let Some(chain) = find(function, &terms) {
                inserts.push((position, build(function, id, &chain)));
                count += 1;
            }
        }
        insert_before(function, block, inserts);
    }
    count
}

type Values = SmallVec<[Value; 4]>;

/// A row, and the columns that are multiplied with the components of a vector; no component stands for 1.
struct Chain {
    row: Values,
    columns: SmallVec<[(Values, Option<Value>); 4]>,
}

/// Both sides of a dot product of uniforms.
type Sides<'a> = (&'a [Value], &'a [Value]);

/// Columns that a chain has.
const COLUMNS: std::ops::RangeInclusive<usize> = 3..=4;

fn find(function: &Function, sum: &[Value]) -> Option<Chain> {
    let mut terms: SmallVec<[(Sides<'_>, Option<Value>); 4]> = SmallVec::new();
    for value in sum {
        products(function, *value, &mut terms)?;
        if terms.len() > *COLUMNS.end() {
            return None;
        }
    }
    if !COLUMNS.contains(&terms.len()) {
        return None;
    }
    let ((first, second), _) = *terms.first()?;
    [first, second].into_iter().find_map(|row| {
        let columns = terms.iter().map(|((a, b), factor)| {
            let column = if *a == row { b } else { (*b == row).then_some(a)? };
            Some((Values::from_slice(column), *factor))
        });
        let columns: SmallVec<[_; 4]> = columns.collect::<Option<_>>()?;
        let bare = columns.iter().filter(|(_, factor)| factor.is_none()).count();
        (bare < 2).then(|| ordered(function, Chain { row: Values::from_slice(row), columns }))
    })
}

/// The same in the order in which the matrices lie, so that what all rows need is the same to all.
fn ordered(function: &Function, chain: Chain) -> Chain {
    let place = |value: &Value| match function.definition(*value).map(|inst| inst.op) {
        Some(Op::Load(access)) => (access.binding, access.offset),
        _ => (u32::MAX, 0),
    };
    let mut lanes: SmallVec<[usize; 4]> = (0..chain.row.len()).collect();
    lanes.sort_by_key(|lane| chain.row.get(*lane).map(place));
    let turned = |values: &Values| lanes.iter().filter_map(|lane| values.get(*lane).copied()).collect();
    let mut columns: SmallVec<[(Values, Option<Value>); 4]> =
        chain.columns.iter().map(|(column, factor)| (turned(column), *factor)).collect();
    columns.sort_by_key(|(column, _)| column.first().map(place));
    Chain { row: turned(&chain.row), columns }
}

/// The dot products that a term is made of, with what they are multiplied with.
fn products<'a>(
    function: &'a Function,
    term: Value,
    found: &mut SmallVec<[(Sides<'a>, Option<Value>); 4]>,
) -> Option<()> {
    let inst = function.definition(term)?;
    let sides = |value: Value| {
        let inst = function.definition(value)?;
        match inst.op {
            Op::Dot(lanes @ 3..) if inst.args.iter().all(|arg| is_uniform(function, *arg)) => {
                Some(inst.args.split_at(lanes.into()))
            }
            _ => None,
        }
    };
    let either = |x: Value, y: Value| match sides(x) {
        Some(found) => Some((found, Some(y))),
        None => Some((sides(y)?, Some(x))),
    };
    match (inst.op, &inst.args[..]) {
        (Op::FMul(FloatMode::F32, _), &[x, y]) => found.push(either(x, y)?),
        (Op::Dot(lanes), args) => match sides(term) {
            Some(sides) => found.push((sides, None)),
            None => {
                let (a, b) = args.split_at(lanes.into());
                for (x, y) in a.iter().zip(b) {
                    found.push(either(*x, *y)?);
                }
            }
        },
        _ => return None,
    }
    Some(())
}

fn is_uniform(function: &Function, value: Value) -> bool {
    matches!(
        function.definition(value).map(|inst| inst.op),
        Some(Op::Load(access)) if access.space == Space::Uniform
    )
}

/// Makes the root the dot product of the row with the columns times the vector. Gives what goes in front.
fn build(function: &mut Function, root: InstId, chain: &Chain) -> Vec<InstId> {
    let origin = function.insts[root.index()].origin;
    let mut new = Vec::new();
    let vector: Values = chain
        .columns
        .iter()
        .map(|(_, factor)| match factor {
            Some(factor) => *factor,
            None => {
                let nowhere = Origin { instruction: u32::MAX, step: 0, lane: 0 };
                let one = function.push_inst(Op::B32(1.0f32.to_bits()), &[], &[Type::B32], nowhere);
                new.push(one);
                function.result(one, 0)
            }
        })
        .collect();
    let mut args: SmallVec<[Value; 3]> = chain.row.iter().copied().collect();
    for lane in 0..chain.row.len() {
        let across = chain.columns.iter().filter_map(|(column, _)| column.get(lane).copied());
        let operands: SmallVec<[Value; 8]> = across.chain(vector.iter().copied()).collect();
        let made = function.push_inst(Op::Dot(vector.len() as u8), &operands, &[Type::B32], origin);
        new.push(made);
        args.push(function.result(made, 0));
    }
    let inst = &mut function.insts[root.index()];
    (inst.op, inst.args) = (Op::Dot(chain.row.len() as u8), args);
    new
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::FunctionBuilder;
    use crate::exec::{Limits, Machine, Memory, Outcome, Program};
    use crate::{Access, Multiply};

    /// Stores a component of `(P * V) * t`, the second column bare.
    fn product() -> Module {
        let mut builder = FunctionBuilder::new("main");
        let access = |space, offset| Access { space, binding: 0, offset, stride: 0 };
        let uniform =
            |builder: &mut FunctionBuilder, word| builder.value(Op::Load(access(Space::Uniform, word)), &[]);
        let row: Vec<Value> = (0..3).map(|word| uniform(&mut builder, word)).collect();
        let mut terms = Vec::new();
        for column in 0..3 {
            let args: Vec<Value> = (0..3).map(|lane| uniform(&mut builder, 3 + 3 * column + lane)).collect();
            let dot = builder.value(Op::Dot(3), &[&row[..], &args[..]].concat());
            terms.push(if column == 1 {
                dot
            } else {
                let factor = builder.value(Op::Load(access(Space::Input, column)), &[]);
                builder.value(Op::FMul(FloatMode::F32, Multiply::Ieee), &[factor, dot])
            });
        }
        let sum = builder.value(ADD, &[terms[0], terms[1]]);
        let sum = builder.value(ADD, &[terms[2], sum]);
        builder.effect(Op::Store(access(Space::Output, 0)), &[sum]);
        builder.returns(&[]);
        let mut module = Module { from_shading_language: true, ..Module::default() };
        module.push_function(builder.finish());
        module
    }

    fn stored(module: &Module) -> f32 {
        let mut memory = Memory::default();
        let numbers = |count: u32| (0..count).map(|n| (1.0 + n as f32 / 4.0).to_bits()).collect();
        memory.set(Space::Uniform, 0, numbers(12));
        memory.set(Space::Input, 0, numbers(3));
        memory.set(Space::Output, 0, vec![0]);
        let run = Machine::new(&Program::new(module).unwrap()).run(&mut memory, Limits::fuel(1000));
        assert_eq!(run.outcome, Outcome::Ended);
        f32::from_bits(memory.words(Space::Output, 0)[0])
    }

    #[test]
    fn the_vector_is_multiplied_first() {
        let mut module = product();
        let before = stored(&module);
        assert_eq!(run(&mut module).count, 1, "{module}");
        assert!(crate::verify::check(&module).is_empty(), "{module}");
        // Quarters are exact.
        assert_eq!(stored(&module), before, "{module}");
        assert_eq!(run(&mut module).count, 0, "{module}");
    }
}
