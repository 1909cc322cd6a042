//! Names of attributes, uniforms and varyings: what the loads and stores of the module mean to a person.
//!
//! Names come from the symbol tables, members of structures one by one, each with its path
//! (`u_light.color`, `u_arr[2].color`); where the code reaches into an array of structures with an index, members that are
//! plain vectors are arrays over the structures (`u_arr[].color`).
//! What the code uses and the tables do not name is called after its place: `a3`, `t20`, `v7`.
//! Compiler-made constants have the value that they always have; a uniform of the application has none, even
//! where the file gives it one to start with.

use super::super::table::MEMORY;
use super::memory::constants;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use unshade_ir::{Global, Module, Op, Precision, Shape, Space};
use unshade_stage::{Space as Area, Stage, Symbol, SymbolType};

/// Globals that a table may give; a hostile file must not cost more.
const MOST_GLOBALS: usize = 4096;
/// Structures in structures.
const DEPTH: u32 = 8;
/// The attribute and varying spaces, in words.
const REGISTERS: u32 = 64;

/// Globals of a lifted program. `outputs` are the components of varyings that it stores.
pub(super) fn globals(stage: &Stage<'_>, module: &Module, outputs: &[u8; 16]) -> Vec<Global> {
    let mut relative = false;
    let mut bases: BTreeSet<u32> = BTreeSet::new();
    let mut used: BTreeSet<(Space, u32)> = BTreeSet::new();
    for inst in module.functions.iter().flat_map(|function| &function.insts) {
        if let Op::Load(access) = inst.op {
            if access.is_indexed() && access.space == Space::Uniform {
                relative = true;
                bases.insert(access.offset);
            }
            if !access.is_indexed() {
                used.insert((access.space, access.offset));
            }
        }
    }
    for (n, mask) in (0..16_u32).zip(outputs) {
        used.extend((0..4).filter(|k| mask >> k & 1 != 0).map(|k| (Space::Output, 4 * n + k)));
    }
    let mut globals = Vec::new();
    for (area, space, words) in [
        (Area::Input, Space::Input, REGISTERS),
        (Area::Float, Space::Uniform, 4 * MEMORY as u32),
        (Area::Output, Space::Output, REGISTERS),
    ] {
        let table: Vec<&Symbol> =
            stage.interface.symbols.iter().filter(|symbol| symbol.space == area).collect();
        let first = globals.len();
        let mut walk = Walk::new(&table, space, words, &mut globals);
        if space == Space::Uniform {
            walk.bases = bases.clone();
        }
        walk.all();
        unnamed(&used, space, first, &mut globals);
    }
    let values = constants(stage);
    for global in
        globals.iter_mut().filter(|global| global.space == Space::Uniform && global.constant.is_some())
    {
        let words = global.offset..global.end();
        global.constant = words.map(|word| values.get(&(word as usize)).copied()).collect();
    }
    if relative {
        let shape = Shape::Float { components: 4, elements: MEMORY as u32 };
        let whole = Global::new("uniform_memory", Space::Uniform, 0, 0, shape);
        globals.push(Global { named: false, ..whole });
    }
    globals
}

/// Words that the code uses and no global behind `first` covers.
fn unnamed(used: &BTreeSet<(Space, u32)>, space: Space, first: usize, globals: &mut Vec<Global>) {
    let mut missing: BTreeMap<u32, u8> = BTreeMap::new();
    for &(_, word) in used.range((space, 0)..=(space, u32::MAX)) {
        let covered = globals.iter().skip(first).any(|global| global.locate(word).is_some());
        if !covered {
            *missing.entry(word / 4).or_default() |= 1 << (word % 4);
        }
    }
    let taken: BTreeSet<u32> =
        globals.iter().skip(first).flat_map(|global| global.offset / 4..global.end().div_ceil(4)).collect();
    for (row, mask) in missing {
        let letter = match space {
            Space::Input => "a",
            Space::Output => "v",
            _ => "t",
        };
        // A vector of its own where nothing else is, else its components.
        let whole = !taken.contains(&row) && (space != Space::Output || mask == 15);
        let parts = if whole { vec![(0, 4)] } else { runs(mask) };
        for (component, count) in parts {
            let name = if whole {
                format!("{letter}{row}")
            } else {
                let letters = "xyzw".get(component as usize..(component + count) as usize).unwrap_or("x");
                format!("{letter}{row}_{letters}")
            };
            let shape = Shape::Float { components: count as u8, elements: 0 };
            let global = Global::new(name, space, 0, 4 * row + component, shape);
            globals.push(Global { named: false, location: row, ..global });
        }
    }
}

/// Runs of components in a mask: first component and how many.
fn runs(mask: u8) -> Vec<(u32, u32)> {
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for component in (0..4).filter(|component| mask >> component & 1 != 0) {
        match runs.last_mut() {
            Some((first, count)) if *first + *count == component => *count += 1,
            _ => runs.push((component, 1)),
        }
    }
    runs
}

/// Expansion of one table's symbols.
struct Walk<'a> {
    table: &'a [&'a Symbol],
    members: HashMap<u16, Vec<usize>>,
    space: Space,
    words: u32,
    globals: &'a mut Vec<Global>,
    names: BTreeSet<String>,
    /// Words from which the code reaches on with an index.
    bases: BTreeSet<u32>,
}

impl<'a> Walk<'a> {
    fn new(table: &'a [&'a Symbol], space: Space, words: u32, globals: &'a mut Vec<Global>) -> Self {
        let mut members: HashMap<u16, Vec<usize>> = HashMap::new();
        for (index, symbol) in table.iter().enumerate() {
            if let Some(parent) = symbol.parent {
                members.entry(parent).or_default().push(index);
            }
        }
        let names = globals.iter().map(|global| global.name.clone()).collect();
        Self { table, members, space, words, globals, names, bases: BTreeSet::new() }
    }

    fn all(&mut self) {
        for index in 0..self.table.len() {
            let symbol = self.table[index];
            if symbol.parent.is_none() {
                self.symbol(index, &plain(&symbol.name), 0, 0);
            }
        }
    }

    fn symbol(&mut self, index: usize, name: &str, base: u32, depth: u32) {
        let symbol = self.table[index];
        let Some(offset) = symbol.offset else { return };
        let first = base.saturating_add(offset.into());
        if first >= self.words || self.globals.len() >= MOST_GLOBALS {
            return;
        }
        if symbol.ty != SymbolType::Struct {
            return self.variable(symbol, name, first);
        }
        if depth >= DEPTH {
            return;
        }
        let Ok(parent) = u16::try_from(index) else { return };
        let mut members = self.members.get(&parent).cloned().unwrap_or_default();
        let (count, stride) = (u32::from(symbol.elements), u32::from(symbol.stride));
        let end = first.saturating_add(count.saturating_mul(stride));
        if count > 0
            && stride > 0
            && base == 0
            && depth == 0
            && self.bases.range(first..end.max(first)).next().is_some()
        {
            members.retain(|&member| {
                let inner = self.table[member];
                let plain_member = inner.elements == 0
                    && !inner.ty.is_sampler()
                    && !matches!(inner.ty, SymbolType::Matrix | SymbolType::Struct);
                let (true, Some(offset)) = (plain_member, inner.offset) else { return true };
                let all = Symbol { elements: symbol.elements, stride: symbol.stride, ..inner.clone() };
                self.variable(
                    &all,
                    &format!("{name}[].{}", plain(&inner.name)),
                    first.saturating_add(offset.into()),
                );
                false
            });
        }
        for element in 0..u32::from(symbol.elements.max(1)) {
            let at = first.saturating_add(element.saturating_mul(symbol.stride.into()));
            if at >= self.words || element > 0 && symbol.stride == 0 {
                return;
            }
            for &member in &members {
                let inner = plain(&self.table[member].name);
                let path = if symbol.elements > 0 {
                    format!("{name}[{element}].{inner}")
                } else {
                    format!("{name}.{inner}")
                };
                self.symbol(member, &path, at, depth + 1);
            }
        }
    }

    fn variable(&mut self, symbol: &Symbol, name: &str, offset: u32) {
        let count = symbol.components.clamp(1, 4) as u8;
        let room = (self.words - offset).div_ceil(u32::from(symbol.stride.max(1)));
        let elements = u32::from(symbol.elements).min(room);
        let shape = match symbol.ty {
            SymbolType::Matrix => Shape::Matrix {
                columns: count,
                rows: count,
                elements,
                element_stride: if elements > 0 { symbol.stride.into() } else { 0 },
            },
            SymbolType::Int => Shape::Int { components: count, elements },
            SymbolType::Bool => Shape::Bool { components: count, elements },
            ty if ty.is_sampler() => return,
            _ => Shape::Float { components: count, elements },
        };
        let stride = match symbol.ty {
            SymbolType::Matrix => symbol.component_size,
            _ => symbol.stride,
        };
        let made = symbol.name.starts_with('?');
        // What the machine keeps before the viewport transform has no other name in the file.
        let semantic = match (self.space, symbol.name.as_str()) {
            (Space::Output, "gl_Position") => Some("position"),
            (Space::Output, "gl_PointSize") => Some("point-size"),
            _ => None,
        };
        let mut unique = name.to_owned();
        let mut times = 1;
        while !self.names.insert(unique.clone()) {
            times += 1;
            unique = format!("{name}_{times}");
        }
        let global = Global::new(unique, self.space, 0, offset, shape);
        self.globals.push(Global {
            named: !made,
            stride: u32::from(stride).max(1),
            as_float: matches!(symbol.ty, SymbolType::Int | SymbolType::Bool),
            precision: symbol.precision.map(|precision| match precision {
                unshade_stage::Precision::Low => Precision::Low,
                unshade_stage::Precision::Medium => Precision::Medium,
                unshade_stage::Precision::High => Precision::High,
            }),
            semantic: semantic.map(str::to_owned),
            location: offset / 4,
            // Its words are put in by the caller, who knows them all.
            constant: (made && symbol.initial.is_some()).then(Vec::new),
            ..global
        });
    }
}

/// The name of a compiler-made constant, without what no source language takes.
fn plain(name: &str) -> String {
    match name.strip_prefix("?__maligp2_") {
        Some(rest) => rest.to_owned(),
        None => name.trim_start_matches('?').to_owned(),
    }
}
