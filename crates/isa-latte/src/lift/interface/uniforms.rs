//! Constants: blocks with their members, and registers of the constant file.

use super::super::super::bindings::{
    BOOL_BINDING, CONSTANT_BUFFERS, CONSTANT_FILE_BINDING, FETCH_BINDING, LOOP_BINDING,
};
use super::{Used, letters};
use std::collections::BTreeSet;
use unshade_ir::{Global, Shape, Space, UniformBlock};
use unshade_stage::latte::{Profile, Scalar, UniformMode, Variable};
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
    let table = latte.blocks.iter().position(|block| block.buffer == buffer);
    // What is listed and not read has a name that whoever draws knows.
    if last_word.is_none() && bases.is_none() && (table.is_none() || latte.profile == Profile::Cemu) {
        return;
    }
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
        Some(at) if latte.profile != Profile::Cemu => members(latte, Some(at as u32), &name, buffer, used),
        _ => Vec::new(),
    };
    if members.is_empty() {
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
    let named = match (latte.profile, latte.uniform_mode) {
        (Profile::Cemu, _) => Vec::new(),
        (_, UniformMode::Registers) => members(latte, None, "C", CONSTANT_FILE_BINDING, used),
        _ => Vec::new(),
    };
    if !named.is_empty() {
        globals.extend(named);
        return;
    }
    if !used.words.contains_key(&place) && !used.bases.contains_key(&place) {
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

/// Members of a block, or of the constant file, in order of their places: the variables that the rows of the table
/// form, and what the code uses between them. None where the code takes the words in another way than the table has
/// them.
fn members(latte: &Latte, block: Option<u32>, name: &str, binding: u32, used: &Used) -> Vec<Global> {
    let mut laid_out = latte.variables().laid_out(block);
    laid_out.truncate(MOST);
    let bases = used.bases.get(&(Space::Uniform, binding));
    let bases: BTreeSet<u32> = bases.into_iter().flatten().map(|(base, _)| *base).collect();
    let mut members: Vec<Global> = Vec::with_capacity(laid_out.len());
    let mut rest = &laid_out[..];
    while let Some((variable, behind)) = rest.split_first() {
        // Structures that an index reaches into are one array of vectors: how many make a structure, only the code says.
        let of_array = array_of_structures(variable.name).map(|array| {
            let count = rest.iter().take_while(|next| array_of_structures(next.name) == Some(array)).count();
            (array, rest.split_at(count))
        });
        let reached = of_array.filter(|(_, (of, _))| {
            of.iter().any(|member| member.elements == 0 && bases.contains(&member.offset))
        });
        rest = match reached {
            Some((array, (of, behind))) => {
                members.push(vectors(array, variable.offset, of.last().map_or(0, Variable::end), binding));
                behind
            }
            None => {
                members.extend(member(variable, binding));
                behind
            }
        };
    }
    if members.is_empty() || !bases.iter().all(|base| covers(&members, *base)) {
        return Vec::new();
    }
    let words = used.words.get(&(Space::Uniform, binding)).into_iter().flatten();
    let missing: BTreeSet<u32> =
        words.filter(|word| !covers(&members, **word)).map(|word| word / 4).collect();
    for vector in missing {
        unnamed(&mut members, name, vector, binding);
    }
    members.sort_by_key(|member| member.offset);
    members
}

/// `lights` of `lights[2].position`.
fn array_of_structures(name: &str) -> Option<&str> {
    let (array, rest) = name.split_once('[')?;
    let (index, _) = rest.split_once("].")?;
    (!array.is_empty() && index.bytes().all(|digit| digit.is_ascii_digit())).then_some(array)
}

fn covers(members: &[Global], word: u32) -> bool {
    members.iter().any(|member| member.locate(word).is_some())
}

/// An array of vectors that holds the words up to `end`.
fn vectors(name: &str, offset: u32, end: u32, binding: u32) -> Global {
    let elements = end.saturating_sub(offset).div_ceil(4).clamp(1, LONGEST);
    let shape = Shape::Float { components: 4, elements };
    Global { stride: 4, ..Global::new(name, Space::Uniform, binding, offset, shape) }
}

/// Words of a vector that the table does not name: as a vector where it is free, else one by one.
fn unnamed(members: &mut Vec<Global>, block: &str, vector: u32, binding: u32) {
    let words = vector.saturating_mul(4)..vector.saturating_mul(4).saturating_add(4);
    let free: Vec<u32> = words.clone().filter(|word| !covers(members, *word)).collect();
    let mut put = |name: String, word: u32, components: u8| {
        let shape = Shape::Float { components, elements: 0 };
        let global = Global::new(name, Space::Uniform, binding, word, shape);
        members.push(Global { named: false, stride: 4, ..global });
    };
    if free.len() == 4 {
        put(format!("{block}_vector{vector}"), words.start, 4);
    } else {
        for word in free {
            put(format!("{block}_word{word}"), word, 1);
        }
    }
}

fn member(variable: &Variable<'_>, binding: u32) -> Option<Global> {
    let (scalar, columns, rows) = variable.ty.shape()?;
    let components = u8::try_from(rows).ok()?;
    let elements = variable.elements.min(LONGEST);
    let shape = match (scalar, columns) {
        (Scalar::Float, 1) => Shape::Float { components, elements },
        (Scalar::Float, _) => Shape::Matrix {
            columns: u8::try_from(columns).ok()?,
            rows: components,
            elements,
            element_stride: if elements == 0 { 0 } else { variable.ty.stride() },
        },
        (Scalar::Int | Scalar::Uint | Scalar::Bool, 1) => Shape::Int { components, elements },
        _ => return None,
    };
    Some(Global { stride: 4, ..Global::new(variable.name, Space::Uniform, binding, variable.offset, shape) })
}
