//! Constants: blocks with their members, and registers of the constant file.

use super::super::super::places::{
    BOOL_BINDING, CONSTANT_BUFFERS, CONSTANT_FILE_BINDING, FETCH_BINDING, LOOP_BINDING,
};
use super::{Used, letters};
use std::collections::BTreeMap;
use unshade_ir::{Global, Shape, Space, UniformBlock};
use unshade_stage::latte::{Profile, Scalar, Uniform, UniformMode};
use unshade_stage::{Latte, StageKind};

/// Words of the constant file.
const FILE_WORDS: u32 = 1024;
/// Vectors of a buffer that an index reaches into and nobody says the size of: what every implementation of OpenGL
/// has room for.
const VECTORS: u32 = 1024;
/// Members that are named; more than any program has, so that hostile tables stay small.
const MOST: usize = 4096;
/// Longest array, in elements.
const LONGEST: u32 = 1 << 16;

/// Globals of all constants, and the blocks that they lie in.
pub(super) fn uniforms(kind: StageKind, latte: &Latte, used: &Used) -> (Vec<Global>, Vec<UniformBlock>) {
    let mut globals = Vec::new();
    let mut blocks = Vec::new();
    for buffer in 0..CONSTANT_BUFFERS {
        block(kind, latte, used, buffer, &mut globals, &mut blocks);
    }
    file(kind, latte, used, &mut globals);
    for (binding, name, shape) in [
        (LOOP_BINDING, "loop", Shape::Int { components: 1, elements: 0 }),
        (BOOL_BINDING, "bool", Shape::Bool { components: 1, elements: 0 }),
    ] {
        for &word in used.words.get(&(Space::Uniform, binding)).into_iter().flatten() {
            let global = Global::new(format!("{name}{word}"), Space::Uniform, binding, word, shape);
            globals.push(Global { named: false, ..global });
        }
    }
    let others = used.words.keys().chain(used.bases.keys());
    let mut others: Vec<u32> = others
        .filter(|(space, binding)| *space == Space::Uniform && *binding >= FETCH_BINDING)
        .map(|(_, binding)| *binding)
        .collect();
    others.sort_unstable();
    others.dedup();
    for binding in others {
        let name = format!("buffer{}", binding - FETCH_BINDING);
        plain(&name, binding, VECTORS, &mut globals);
        blocks.push(UniformBlock { name, named: false, binding, words: 4 * VECTORS });
    }
    (globals, blocks)
}

/// A buffer as one array of vectors.
fn plain(name: &str, binding: u32, elements: u32, globals: &mut Vec<Global>) {
    let shape = Shape::Float { components: 4, elements };
    let global = Global::new(format!("{name}_data"), Space::Uniform, binding, 0, shape);
    globals.push(Global { named: false, ..global });
}

fn block(
    kind: StageKind,
    latte: &Latte,
    used: &Used,
    buffer: u32,
    globals: &mut Vec<Global>,
    blocks: &mut Vec<UniformBlock>,
) {
    let place = (Space::Uniform, buffer);
    let last_word = used.words.get(&place).and_then(|words| words.last()).copied();
    let bases = used.bases.get(&place);
    if last_word.is_none() && bases.is_none() {
        return;
    }
    let table = latte.blocks.iter().position(|block| block.buffer == buffer);
    let (name, named, size) = match table.and_then(|at| latte.blocks.get(at)) {
        _ if latte.profile == Profile::Cemu => (format!("uf_block{}{buffer}", letters(kind)), false, 0),
        Some(block) if !block.name.is_empty() => (block.name.clone(), true, block.size / 4),
        Some(block) => (format!("cb{buffer}"), false, block.size / 4),
        None => (format!("cb{buffer}"), false, 0),
    };
    let reached = match (bases, last_word) {
        (Some(_), _) if size == 0 => 4 * VECTORS,
        (_, last) => last.map_or(0, |word| word + 1),
    };
    let words = size.max(reached).div_ceil(4) * 4;
    let members = match table {
        Some(at) if latte.profile != Profile::Cemu => members(latte, Some(at as u32), buffer),
        _ => Vec::new(),
    };
    let covers = |word: u32| members.iter().any(|member| member.locate(word).is_some());
    let all = used.words.get(&place).into_iter().flatten().all(|word| covers(*word));
    let indexed = bases.into_iter().flatten().all(|(base, _)| covers(*base));
    if members.is_empty() || overlap(&members) || !all || !indexed {
        // How the program uses the words of others says more of them.
        if latte.profile == Profile::Cemu {
            plain(&name, buffer, words / 4, globals);
        }
    } else {
        globals.extend(members);
    }
    blocks.push(UniformBlock { name, named, binding: buffer, words });
}

/// The constant file, of which the table names parts.
fn file(kind: StageKind, latte: &Latte, used: &Used, globals: &mut Vec<Global>) {
    let place = (Space::Uniform, CONSTANT_FILE_BINDING);
    if !used.words.contains_key(&place) && !used.bases.contains_key(&place) {
        return;
    }
    let named = match (latte.profile, latte.uniform_mode) {
        (Profile::Cemu, _) => Vec::new(),
        (_, UniformMode::Registers) => members(latte, None, CONSTANT_FILE_BINDING),
        _ => Vec::new(),
    };
    let covers = |word: u32| named.iter().any(|member| member.locate(word).is_some());
    let all = used.words.get(&place).into_iter().flatten().all(|word| covers(*word));
    let indexed = used.bases.get(&place).into_iter().flatten().all(|(base, _)| covers(*base));
    if !named.is_empty() && !overlap(&named) && all && indexed {
        globals.extend(named);
        return;
    }
    let last = used.words.get(&place).and_then(|words| words.last()).map_or(0, |word| word + 1);
    let words = if used.bases.contains_key(&place) { FILE_WORDS } else { last };
    let name = match latte.profile {
        Profile::Cemu => format!("uf_remapped{}", letters(kind)),
        _ => "C".to_owned(),
    };
    let shape = Shape::Float { components: 4, elements: words.div_ceil(4) };
    let global = Global::new(name, Space::Uniform, CONSTANT_FILE_BINDING, 0, shape);
    globals.push(Global { named: false, ..global });
}

/// Members of a block, or of the constant file, in order of their places. Arrays that are listed as a whole and by
/// element are there once.
fn members(latte: &Latte, block: Option<u32>, binding: u32) -> Vec<Global> {
    let mut found: BTreeMap<u32, Global> = BTreeMap::new();
    let here = |uniform: &&Uniform| match block {
        Some(block) => uniform.block == Some(block),
        // One compiler writes block 0 where there are no blocks.
        None => uniform.block.is_none() || latte.blocks.is_empty(),
    };
    for uniform in latte.uniforms.iter().filter(here).take(MOST) {
        let Some(global) = member(uniform, binding) else { return Vec::new() };
        // The one that covers most: the array, not its first element.
        let longer = |known: &Global| {
            let (mine, theirs) = (global.end(), known.end());
            mine > theirs || mine == theirs && global.name.len() < known.name.len()
        };
        if found.get(&uniform.offset).is_none_or(longer) {
            found.insert(uniform.offset, global);
        }
    }
    // Elements by themselves, where the array is there too.
    let all: Vec<Global> = found.into_values().collect();
    let is_element = |global: &Global| {
        let Some((array, _)) = global.name.rsplit_once('[') else { return false };
        all.iter()
            .any(|other| other.name == array && other.offset <= global.offset && global.end() <= other.end())
    };
    all.iter().filter(|global| !is_element(global)).cloned().collect()
}

fn member(uniform: &Uniform, binding: u32) -> Option<Global> {
    let (scalar, columns, rows) = uniform.ty.shape()?;
    let components = u8::try_from(rows).ok()?;
    let elements = if uniform.count > 1 { uniform.count.min(LONGEST) } else { 0 };
    let shape = match (scalar, columns) {
        (Scalar::Float, 1) => Shape::Float { components, elements },
        (Scalar::Float, _) => Shape::Matrix {
            columns: u8::try_from(columns).ok()?,
            rows: components,
            elements,
            element_stride: if elements == 0 { 0 } else { 4 * columns },
        },
        (Scalar::Int | Scalar::Uint | Scalar::Bool, 1) => Shape::Int { components, elements },
        _ => return None,
    };
    // `name[0]` for a whole array.
    let name = match uniform.name.strip_suffix("[0]") {
        Some(array) if uniform.count > 1 => array,
        _ => &uniform.name,
    };
    Some(Global { stride: 4, ..Global::new(name, Space::Uniform, binding, uniform.offset, shape) })
}

/// Whether two members lie in the same words.
fn overlap(members: &[Global]) -> bool {
    members.windows(2).any(|pair| match pair {
        [first, second] => first.end() > second.offset,
        _ => false,
    })
}
