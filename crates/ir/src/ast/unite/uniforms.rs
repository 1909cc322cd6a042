//! Uniforms that several stages have: one declaration with the members that any of them has seen.

use super::super::{GlobalRef, GlobalVar, Program};
use super::names;
use super::replace::{Home, reorder, replace};
use crate::{Global, Precision, Shape, Space, UniformBlock};
use std::collections::{BTreeMap, BTreeSet};

/// Blocks with members that are looked at; a program that is no attack has a handful.
const MOST_MEMBERS: usize = 4096;

/// Unites blocks and what lies outside of them. `loose`: that is declared one by one.
pub(super) fn unite(stages: &mut [&mut Program], loose: bool) {
    let mut blocks: Vec<UniformBlock> = Vec::new();
    for block in stages.iter().flat_map(|program| &program.blocks) {
        if !blocks.iter().any(|other| (&other.name, other.binding) == (&block.name, block.binding)) {
            blocks.push(block.clone());
        }
    }
    for block in blocks {
        let has = |program: &Program| {
            program.blocks.iter().any(|own| (&own.name, own.binding) == (&block.name, block.binding))
        };
        // Another block of that number is another block.
        let other = |program: &Program| {
            !has(program) && program.blocks.iter().any(|own| own.binding == block.binding)
        };
        if stages.iter().filter(|program| has(program)).count() > 1 {
            let words = stages.iter().flat_map(|program| &program.blocks);
            let words = words.filter(|own| own.name == block.name).map(|own| own.words).max().unwrap_or(0);
            let (has, other): (Vec<bool>, Vec<bool>) =
                stages.iter().map(|program| (has(program), other(program))).unzip();
            let is_member = |program: &Program, global: &Global| {
                has_block(program, &block)
                    && global.space == Space::Uniform
                    && global.binding == block.binding
            };
            if members(stages, &is_member, &other, true) {
                for ((program, has), other) in stages.iter_mut().zip(has).zip(other) {
                    match program.blocks.iter_mut().find(|own| own.binding == block.binding) {
                        Some(own) if has => own.words = words,
                        None if !other => program.blocks.push(UniformBlock { words, ..block.clone() }),
                        _ => {}
                    }
                }
            }
        }
    }
    let is_loose = |program: &Program, global: &Global| {
        let of_block = program.blocks.iter().any(|block| block.binding == global.binding);
        global.space == Space::Uniform && global.constant.is_none() && !of_block
    };
    if loose {
        unite_structures(stages, &is_loose);
    } else {
        let none = vec![false; stages.len()];
        members(stages, &is_loose, &none, false);
    }
    part(stages);
}

fn has_block(program: &Program, block: &UniformBlock) -> bool {
    program.blocks.iter().any(|own| (&own.name, own.binding) == (&block.name, block.binding))
}

/// Words that a member takes with what lies between its elements.
fn extent(variable: &GlobalVar) -> u32 {
    let global = &variable.global;
    match (global.shape, global.shape.elements()) {
        (Shape::Matrix { columns, .. }, elements) => {
            u32::from(columns).saturating_mul(elements.max(1)).saturating_mul(4)
        }
        (_, 0) => match variable.matrix_rows {
            Some(rows) => u32::from(rows).saturating_mul(4),
            None => global.shape.components().into(),
        },
        (_, elements) => elements.saturating_mul(4),
    }
}

/// Whether two are one: at one place, of one type.
fn same(a: &GlobalVar, b: &GlobalVar, by_place: bool) -> bool {
    let (one, other) = (&a.global, &b.global);
    let kind = (one.shape, a.matrix_rows, one.stride, one.as_float, one.precision);
    let place = if by_place {
        one.offset == other.offset
    } else {
        one.named && other.named && one.name == other.name
    };
    place && kind == (other.shape, b.matrix_rows, other.stride, other.as_float, other.precision)
}

/// Where a member lies in a longer one.
fn inside(inner: &GlobalVar, outer: &GlobalVar, to: GlobalRef) -> Option<Home> {
    let (small, large) = (&inner.global, &outer.global);
    let start = small.offset.checked_sub(large.offset)?;
    let end = start.checked_add(extent(inner))?;
    if end > extent(outer) || small.as_float != large.as_float || small.precision != large.precision {
        return None;
    }
    let alike = std::mem::discriminant(&small.shape) == std::mem::discriminant(&large.shape)
        && !matches!(small.shape, Shape::Matrix { .. });
    let float_in_matrix = matches!((small.shape, large.shape), (Shape::Float { .. }, Shape::Matrix { .. }));
    let is_vector = small.shape.elements() == 0
        && inner.matrix_rows.is_none()
        && !matches!(small.shape, Shape::Matrix { .. } | Shape::Bool { .. });
    let width = large.shape.components();
    let single = large.shape.elements() == 0 && outer.matrix_rows.is_none();
    if !is_vector {
        // The first elements of a longer array.
        let array = alike && start == 0 && small.shape.elements() > 0 && large.shape.elements() > 0;
        let same_elements = small.shape.components() == width
            && (small.stride, inner.matrix_rows, outer.matrix_rows) == (large.stride, None, None);
        return (array && same_elements).then_some(Home::Whole(to));
    }
    let lane = if single && alike { start } else { start % 4 };
    let first = u8::try_from(lane).ok()?;
    if first.checked_add(small.shape.components())? > width {
        return None;
    }
    let (element, column) = match large.shape {
        _ if alike && single => (None, None),
        _ if alike => (Some(start / 4), None),
        Shape::Matrix { columns, elements: 0, element_stride: 0, .. } if float_in_matrix => {
            (start / 4 < u32::from(columns)).then_some((None, Some(start / 4)))?
        }
        _ => return None,
    };
    let strides = single || large.stride == 4;
    strides.then_some(Home::Lanes { to, element, column, first, width })
}

/// Gives another name to what a stage calls like something else of a stage before it: uniforms, textures and images
/// share one space of names in a program.
fn part(stages: &mut [&mut Program]) {
    let is_uniform = |global: &Global| {
        matches!(global.space, Space::Uniform | Space::Texture | Space::Image) && global.constant.is_none()
    };
    let alike = |a: &GlobalVar, b: &GlobalVar| {
        let (one, other) = (&a.global, &b.global);
        (one.space, one.shape, a.matrix_rows) == (other.space, other.shape, b.matrix_rows)
    };
    let mut known: BTreeMap<String, GlobalVar> = BTreeMap::new();
    let mut taken: BTreeSet<String> = stages.iter().flat_map(|program| names::of(program)).collect();
    for program in stages.iter_mut() {
        for variable in program.globals.iter_mut().filter(|variable| is_uniform(&variable.global)) {
            match known.get(&variable.global.name) {
                Some(other) if alike(other, variable) => continue,
                Some(_) => {
                    let name = names::free(&variable.global.name, |name| taken.contains(name));
                    taken.insert(name.clone());
                    variable.global.name = name;
                }
                None => {}
            }
            known.insert(variable.global.name.clone(), variable.clone());
        }
    }
    // One uniform has one precision in all stages; the higher one holds what each of them computes with.
    let mut highest: BTreeMap<String, Precision> = BTreeMap::new();
    let uniforms = stages.iter().flat_map(|program| &program.globals);
    for global in uniforms.map(|variable| &variable.global).filter(|global| is_uniform(global)) {
        if let Some(precision) = global.precision {
            let known = highest.entry(global.name.clone()).or_insert(precision);
            *known = precision.max(*known);
        }
    }
    let uniforms = stages.iter_mut().flat_map(|program| &mut program.globals);
    for global in uniforms.map(|variable| &mut variable.global).filter(|global| is_uniform(global)) {
        if let Some(precision) = &mut global.precision {
            *precision = highest.get(&global.name).copied().unwrap_or(*precision);
        }
    }
}

/// Gives all stages, but those of `apart`, the members that any of them has; false if these do not fit together.
/// `by_place`: members lie at places of a block; else each has its name.
fn members(
    stages: &mut [&mut Program],
    is_member: &dyn Fn(&Program, &Global) -> bool,
    apart: &[bool],
    by_place: bool,
) -> bool {
    // All members: stage, index.
    let mut all: Vec<(usize, u32, GlobalVar)> = Vec::new();
    for (stage, program) in stages.iter().enumerate() {
        for (index, variable) in program.globals.iter().enumerate() {
            if is_member(program, &variable.global) {
                all.push((stage, index as u32, variable.clone()));
            }
        }
    }
    let owners: BTreeSet<usize> = all.iter().map(|(stage, ..)| *stage).collect();
    if owners.len() < 2 || all.len() > MOST_MEMBERS {
        return false;
    }
    let Some((union, homes)) = united(&all, by_place) else { return false };
    let named = renamed(stages, &all, union);
    for (stage, program) in stages.iter_mut().enumerate() {
        if apart.get(stage) == Some(&true) {
            continue;
        }
        let base = program.globals.len() as u32;
        let at = |home: &Home| match *home {
            Home::Whole(to) => Home::Whole(GlobalRef(to.0 + base)),
            Home::Lanes { to, element, column, first, width } => {
                Home::Lanes { to: GlobalRef(to.0 + base), element, column, first, width }
            }
        };
        let mut own = BTreeMap::new();
        for ((owner, index, _), home) in all.iter().zip(&homes) {
            if *owner == stage {
                own.insert(*index, at(home));
            }
        }
        program.globals.extend(named.iter().cloned());
        replace(program, &own);
        let order: Vec<u32> =
            (0..program.globals.len() as u32).filter(|index| !own.contains_key(index)).collect();
        reorder(program, &order);
    }
    true
}

/// The members of all, each once, and where each of `all` lies among them.
fn united(all: &[(usize, u32, GlobalVar)], by_place: bool) -> Option<(Vec<GlobalVar>, Vec<Home>)> {
    let mut union: Vec<GlobalVar> = Vec::new();
    if !by_place {
        let mut homes = Vec::with_capacity(all.len());
        for (_, _, variable) in all {
            let at = union.iter().position(|other| same(other, variable, false)).unwrap_or(union.len());
            if at == union.len() {
                union.push(variable.clone());
            }
            homes.push(Home::Whole(GlobalRef(at as u32)));
        }
        return Some((union, homes));
    }
    // The longest first, so that what comes later lies in what is there or beside it.
    let mut order: Vec<usize> = (0..all.len()).collect();
    order.sort_by_key(|at| all.get(*at).map(|(_, _, variable)| (std::cmp::Reverse(extent(variable)), *at)));
    let mut taken: BTreeMap<u32, (u32, usize)> = BTreeMap::new();
    for at in order {
        let (_, _, variable) = all.get(at)?;
        let start = variable.global.offset;
        let end = start.checked_add(extent(variable))?;
        let below = taken.range(..end).next_back().filter(|(_, (other_end, _))| *other_end > start);
        let Some((_, (_, other))) = below else {
            taken.insert(start, (end, union.len()));
            union.push(variable.clone());
            continue;
        };
        let other = union.get_mut(*other)?;
        let fits = same(other, variable, true) || inside(variable, other, GlobalRef(0)).is_some();
        if !fits {
            return None;
        }
        // A name of the file is better than one made from a use.
        if variable.global.named && !other.global.named && same(other, variable, true) {
            other.global.name.clone_from(&variable.global.name);
            other.global.named = true;
        }
    }
    union.sort_by_key(|variable| variable.global.offset);
    let home = |variable: &GlobalVar| {
        let end = variable.global.offset;
        let at = union.partition_point(|other| other.global.offset <= end).checked_sub(1)?;
        let to = GlobalRef(at as u32);
        let other = union.get(at)?;
        if same(other, variable, true) { Some(Home::Whole(to)) } else { inside(variable, other, to) }
    };
    let homes = all.iter().map(|(_, _, variable)| home(variable)).collect::<Option<Vec<Home>>>()?;
    Some((union, homes))
}

/// The members with names that are free in all stages.
fn renamed(
    stages: &[&mut Program],
    all: &[(usize, u32, GlobalVar)],
    mut union: Vec<GlobalVar>,
) -> Vec<GlobalVar> {
    let leaving: BTreeSet<(usize, u32)> = all.iter().map(|(stage, index, _)| (*stage, *index)).collect();
    let mut taken: BTreeSet<String> = BTreeSet::new();
    for (stage, program) in stages.iter().enumerate() {
        let mut own = names::of(program);
        for (index, variable) in program.globals.iter().enumerate() {
            if leaving.contains(&(stage, index as u32)) {
                own.remove(&variable.global.name);
            }
        }
        taken.extend(own);
    }
    // Names of the file choose first.
    let mut order: Vec<usize> = (0..union.len()).collect();
    order.sort_by_key(|at| union.get(*at).is_none_or(|variable| !variable.global.named));
    for at in order {
        if let Some(variable) = union.get_mut(at) {
            let name = names::free(&variable.global.name, |name| taken.contains(name));
            taken.insert(name.clone());
            variable.global.name = name;
        }
    }
    union
}

/// Structures among uniforms that are declared one by one: a stage that has one gets the members that others use.
fn unite_structures(stages: &mut [&mut Program], is_loose: &dyn Fn(&Program, &Global) -> bool) {
    fn root(name: &str) -> Option<&str> {
        let (front, _) = name.split_once('.')?;
        Some(front.split_once('[').map_or(front, |(front, _)| front))
    }
    let mut found: BTreeMap<String, Vec<GlobalVar>> = BTreeMap::new();
    for program in stages.iter() {
        for variable in program.globals.iter().filter(|variable| is_loose(program, &variable.global)) {
            let Some(root) = root(&variable.global.name) else { continue };
            let members = found.entry(root.to_owned()).or_default();
            if members.len() < MOST_MEMBERS
                && !members.iter().any(|member| member.global.name == variable.global.name)
            {
                members.push(variable.clone());
            }
        }
    }
    let has = |program: &Program, name: &str| {
        program.globals.iter().any(|variable| root(&variable.global.name) == Some(name))
    };
    for (name, members) in found {
        if stages.iter().filter(|program| has(program, &name)).count() < 2 {
            continue;
        }
        for program in stages.iter_mut() {
            let own: BTreeMap<&str, u32> =
                (0..).zip(&program.globals).map(|(at, variable)| (&variable.global.name[..], at)).collect();
            if !own.keys().any(|own| root(own) == Some(&name[..])) {
                continue;
            }
            // All of them in one order, at the end.
            let mut added = Vec::new();
            let mut order = Vec::new();
            for member in &members {
                order.push(own.get(&member.global.name[..]).copied().unwrap_or_else(|| {
                    added.push(member.clone());
                    (program.globals.len() + added.len() - 1) as u32
                }));
            }
            let last: BTreeSet<u32> = order.iter().copied().collect();
            let mut rest: Vec<u32> =
                (0..program.globals.len() as u32).filter(|at| !last.contains(at)).collect();
            rest.extend(order);
            program.globals.extend(added);
            reorder(program, &rest);
        }
    }
}
