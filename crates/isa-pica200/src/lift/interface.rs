//! Names of inputs, outputs and uniforms: what the loads and stores of the module mean to a person.
//!
//! Names come from the file where it has any. Registers that the code uses and the file does not name are
//! called after themselves: `v3`, `c20`, `o7`. A named uniform has no constant value even where the file
//! sets one: an application may set it too, and then its value counts.

use super::operand::{BOOL_BINDING, FLOAT_BINDING, INT_BINDING};
use std::collections::{BTreeMap, BTreeSet};
use unshade_ir::{Global, Module, Op, Shape, Space};
use unshade_stage::{ConstantValue, GeometryMode, Space as Registers, Stage};

/// Float uniforms of the machine.
const FLOATS: u32 = 96;

/// Words that the code reads at fixed addresses, by space and binding.
type Used = BTreeSet<(Space, u32, u32)>;

/// Globals of a lifted program. `outputs` are the components it stores, `bases` the float uniforms that
/// relative addressing starts from.
pub(super) fn globals(
    stage: &Stage<'_>,
    module: &Module,
    outputs: &[u8; 16],
    bases: &BTreeSet<u8>,
) -> Vec<Global> {
    let mut used = Used::new();
    for inst in module.functions.iter().flat_map(|function| &function.insts) {
        if let Op::Load(access) = inst.op
            && access.stride == 0
        {
            // Vectors count whole.
            let word = if access.binding == BOOL_BINDING { access.offset } else { access.offset / 4 };
            used.insert((access.space, access.binding, word));
        }
    }
    let mut globals = Vec::new();
    inputs(stage, &used, &mut globals);
    floats(stage, &used, bases, &mut globals);
    integers(stage, &used, &mut globals);
    bools(stage, &used, &mut globals);
    output_globals(stage, outputs, &mut globals);
    globals
}

/// Registers of one class with the names the file gives them. A register belongs to the first name.
fn named(stage: &Stage<'_>, space: Registers, count: u32) -> (Vec<(String, u32, u32)>, Vec<bool>) {
    let mut taken = vec![false; count as usize];
    let mut names = Vec::new();
    let variables = stage.interface.inputs.iter().chain(&stage.interface.uniforms);
    for variable in variables.filter(|variable| variable.space == space) {
        let (first, last) = (variable.range.first, variable.range.last.min(count.saturating_sub(1)));
        let Some(range) = taken.get_mut(first as usize..last as usize + 1) else { continue };
        if range.is_empty() || range.contains(&true) {
            continue;
        }
        range.fill(true);
        names.push((variable.name.clone(), first, last - first + 1));
    }
    names.sort_by_key(|(_, first, _)| *first);
    (names, taken)
}

fn elements(count: u32) -> u32 {
    if count == 1 { 0 } else { count }
}

fn vector(count: u32) -> Shape {
    Shape::Float { components: 4, elements: elements(count) }
}

fn inputs(stage: &Stage<'_>, used: &Used, globals: &mut Vec<Global>) {
    let (names, taken) = named(stage, Registers::Input, 16);
    let unnamed = (0..16)
        .filter(|n| !taken[*n as usize] && used.contains(&(Space::Input, 0, *n)))
        .map(|n| (format!("v{n}"), n, 1, false));
    let all = names.into_iter().map(|(name, first, count)| (name, first, count, true)).chain(unnamed);
    globals.extend(all.map(|(name, first, count, named)| Global {
        named,
        location: first,
        ..Global::new(name, Space::Input, 0, 4 * first, vector(count))
    }));
}

fn uniform(name: String, named: bool, binding: u32, first: u32, shape: Shape) -> Global {
    let words = if binding == BOOL_BINDING { 1 } else { 4 };
    let global = Global::new(name, Space::Uniform, binding, words * first, shape);
    Global { named, location: first, ..global }
}

fn floats(stage: &Stage<'_>, used: &Used, bases: &BTreeSet<u8>, globals: &mut Vec<Global>) {
    let (names, mut taken) = named(stage, Registers::Float, FLOATS);
    for (name, first, count) in names {
        globals.push(uniform(name, true, FLOAT_BINDING, first, vector(count)));
    }
    let mut constants: BTreeMap<u32, [u32; 4]> = BTreeMap::new();
    for constant in &stage.code.constants {
        if let (Registers::Float, ConstantValue::Float(value)) = (constant.space, constant.value)
            && taken.get(constant.register as usize) == Some(&false)
        {
            constants.insert(constant.register, value.map(f32::to_bits));
        }
    }
    // A base that the file does not name: constants next to each other are one array, and so are
    // registers up to the next one that is something else.
    for base in bases.iter().map(|base| u32::from(*base)) {
        if taken.get(base as usize) != Some(&false) {
            continue;
        }
        let same = |n: u32| {
            taken[n as usize] == taken[base as usize]
                && constants.contains_key(&n) == constants.contains_key(&base)
        };
        let last = (base..FLOATS).take_while(|n| same(*n)).last().unwrap_or(base);
        let first = if constants.contains_key(&base) {
            (0..=base).rev().take_while(|n| same(*n)).last().unwrap_or(base)
        } else {
            base
        };
        let values: Option<Vec<u32>> = (first..=last)
            .map(|n| constants.get(&n))
            .collect::<Option<Vec<_>>>()
            .map(|rows| rows.into_iter().flatten().copied().collect());
        let name = match &values {
            None if (first, last) == (0, FLOATS - 1) => continue,
            None if Some(first) == vertex_data(stage) => "vertex_data".to_owned(),
            None => format!("uniforms_{first}"),
            Some(_) => format!("constants_{first}"),
        };
        let shape = vector(last - first + 1);
        globals.push(Global { constant: values, ..uniform(name, false, FLOAT_BINDING, first, shape) });
        taken[first as usize..=last as usize].fill(true);
    }
    for n in (0..FLOATS).filter(|n| !taken[*n as usize]) {
        if used.contains(&(Space::Uniform, FLOAT_BINDING, n)) {
            let constant = constants.get(&n).map(|value| value.to_vec());
            let global = uniform(format!("c{n}"), false, FLOAT_BINDING, n, vector(1));
            globals.push(Global { constant, ..global });
        }
    }
    // Exact relative addressing may find any register.
    if !bases.is_empty() {
        globals.push(uniform("float_uniforms".to_owned(), false, FLOAT_BINDING, 0, vector(FLOATS)));
    }
}

/// Where the hardware puts the vertices that a geometry program works on, if into float uniforms.
fn vertex_data(stage: &Stage<'_>) -> Option<u32> {
    match stage.interface.geometry?.mode {
        GeometryMode::Point => None,
        // c0 holds their number.
        GeometryMode::Variable { .. } => Some(1),
        GeometryMode::Fixed { first_uniform, .. } => Some(first_uniform.into()),
    }
}

fn integers(stage: &Stage<'_>, used: &Used, globals: &mut Vec<Global>) {
    let (names, taken) = named(stage, Registers::Int, 4);
    let shape = |count| Shape::Int { components: 4, elements: elements(count) };
    for (name, first, count) in names {
        globals.push(uniform(name, true, INT_BINDING, first, shape(count)));
    }
    for n in (0..4).filter(|n| !taken[*n as usize]) {
        if used.contains(&(Space::Uniform, INT_BINDING, n)) {
            let value = |constant: &unshade_stage::Constant| match (constant.space, constant.value) {
                (Registers::Int, ConstantValue::Int(value)) if constant.register == n => Some(value),
                _ => None,
            };
            let constant = stage.code.constants.iter().rev().find_map(value);
            let constant = constant.map(|value| value.map(u32::from).to_vec());
            let global = uniform(format!("i{n}"), false, INT_BINDING, n, shape(1));
            globals.push(Global { constant, ..global });
        }
    }
}

fn bools(stage: &Stage<'_>, used: &Used, globals: &mut Vec<Global>) {
    let (names, taken) = named(stage, Registers::Bool, 16);
    for (name, first, count) in names {
        globals.push(uniform(
            name,
            true,
            BOOL_BINDING,
            first,
            Shape::Bool { components: 1, elements: elements(count) },
        ));
    }
    for n in (0..16).filter(|n| !taken[*n as usize]) {
        if used.contains(&(Space::Uniform, BOOL_BINDING, n)) {
            let value = |constant: &unshade_stage::Constant| match (constant.space, constant.value) {
                (Registers::Bool, ConstantValue::Bool(value)) if constant.register == n => Some(value),
                _ => None,
            };
            let constant = stage.code.constants.iter().rev().find_map(value);
            let constant = constant.map(|value| vec![u32::from(value)]);
            let global =
                uniform(format!("b{n}"), false, BOOL_BINDING, n, Shape::Bool { components: 1, elements: 0 });
            globals.push(Global { constant, ..global });
        }
    }
}

/// Runs of components in a mask: first component and how many.
fn runs(mask: u8) -> impl Iterator<Item = (u8, u8)> {
    let has = move |lane: u8| lane < 4 && mask >> lane & 1 != 0;
    (0..4_u8)
        .filter(move |lane| has(*lane) && (*lane == 0 || !has(*lane - 1)))
        .map(move |lane| (lane, (lane..4).take_while(|n| has(*n)).count() as u8))
}

/// Outputs by their meaning. What the code writes beside them the pipeline never sees; it is kept under the
/// register's name, so that all that the machine computes is there to compare.
fn output_globals(stage: &Stage<'_>, outputs: &[u8; 16], globals: &mut Vec<Global>) {
    let mut free = *outputs;
    let mut names = BTreeMap::<String, u32>::new();
    let mut push = |name: String, semantic: Option<&str>, n: u8, (lane, count): (u8, u8)| {
        let times = names.entry(name.clone()).or_insert(0);
        *times += 1;
        let name = if *times == 1 { name } else { format!("{name}_{times}") };
        globals.push(Global {
            named: semantic.is_some(),
            semantic: semantic.map(str::to_owned),
            location: n.into(),
            ..Global::new(
                name,
                Space::Output,
                0,
                4 * u32::from(n) + u32::from(lane),
                Shape::Float { components: count, elements: 0 },
            )
        });
    };
    for output in &stage.interface.outputs {
        let Some(left) = free.get_mut(output.register as usize) else { continue };
        // A component has the first meaning that the table gives it.
        let mask = output.mask & *left;
        *left &= !mask;
        for run in runs(mask) {
            push(output.semantic.clone(), Some(&output.semantic), output.register as u8, run);
        }
    }
    for (n, mask) in (0..16_u8).zip(free) {
        for run in runs(mask) {
            push(format!("o{n}"), None, n, run);
        }
    }
}
