//! Symbols in the words of a shader's author: `struct u_light`, its member `vec3 u_light.dir`, where they are.

use super::model::{ProgramKind, Symbol, Table, TableKind};
use unshade_bytes::Limits;

/// Structs in structs that a path goes up. GLSL ES has at most a few; a table of strangers may go in circles.
const DEPTH: usize = 16;

/// Keyword of the precision of that number.
pub fn precision_name(precision: u8) -> Option<&'static str> {
    match precision {
        1 => Some("lowp"),
        2 => Some("mediump"),
        3 => Some("highp"),
        _ => None,
    }
}

/// What the number of a type means.
pub(super) fn kind_name(kind: u8) -> &'static str {
    match kind {
        1 => "float",
        2 => "int",
        3 => "bool",
        4 => "matrix",
        5 => "sampler2D",
        6 => "samplerCube",
        8 => "struct",
        9 => "samplerExternalOES",
        _ => "unknown",
    }
}

/// GLSL's name of a symbol's type, without its array length: `vec3`, `mat4`, `struct`. What GLSL does not
/// have is spelled out: `float of 7`.
pub fn type_name(kind: u8, components: u16) -> String {
    let vector = |scalar: &str, prefix: &str| match components {
        1 => scalar.to_owned(),
        2..=4 => format!("{prefix}vec{components}"),
        _ => format!("{scalar} of {components}"),
    };
    match kind {
        1 => vector("float", ""),
        2 => vector("int", "i"),
        3 => vector("bool", "b"),
        4 if (2..=4).contains(&components) => format!("mat{components}"),
        4 => format!("matrix of {components}"),
        5 | 6 | 8 | 9 => kind_name(kind).to_owned(),
        other => format!("type {other} of {components}"),
    }
}

/// The inverse of [`type_name`] for the names that GLSL has: the number of the type and its components, which
/// are 0 for a struct.
pub fn type_named(name: &str) -> Option<(u8, u16)> {
    [1, 2, 3, 4, 5, 6, 8, 9_u8].into_iter().find_map(|kind| {
        let components = match kind {
            5 | 9 => 2..=2,
            6 => 3..=3,
            4 => 2..=4,
            8 => 0..=0,
            _ => 1..=4_u16,
        };
        let mut known = components.map(|components| (kind, components));
        known.find(|&(kind, components)| type_name(kind, components) == name)
    })
}

/// The symbol from its struct's side out to the outermost one: the chain of its parents, itself first.
fn chain(table: &Table, index: usize) -> impl Iterator<Item = &Symbol> {
    let mut next = Some(index);
    std::iter::from_fn(move || {
        let symbol = table.symbol(next?)?;
        next = symbol.parent.map(usize::from);
        Some(symbol)
    })
    .take(DEPTH)
}

/// The name of a symbol as the author wrote it: `u_light.dir` for a member of a struct, `u_arr[].uv` for one of
/// an array of structs.
pub fn path(table: &Table, index: usize) -> String {
    let mut parts: Vec<String> = Vec::new();
    for (up, symbol) in chain(table, index).enumerate() {
        let array = if up > 0 && symbol.entry_count > 0 { "[]" } else { "" };
        parts.push(format!("{}{array}", symbol.name.text()));
    }
    parts.reverse();
    let mut path = parts.join(".");
    if path.len() > Limits::DEFAULT.name {
        let end = (0..=Limits::DEFAULT.name).rev().find(|&end| path.is_char_boundary(end)).unwrap_or(0);
        path.truncate(end);
        path.push_str("...");
    }
    crate::shared::opaque::escape(path.as_bytes())
}

/// Where a symbol starts, counted from the start of its space; `None` where it, or a struct around it, has no
/// place.
pub(super) fn start(table: &Table, index: usize) -> Option<u32> {
    chain(table, index).try_fold(0_u32, |sum, symbol| Some(sum.saturating_add(symbol.offset?.into())))
}

/// A symbol in a line: `vec3 u_light.dir at 64, highp`.
pub(super) fn summary(program: ProgramKind, kind: TableKind, table: &Table, index: usize) -> String {
    let Some(symbol) = table.symbol(index) else { return String::new() };
    let array = if symbol.entry_count > 0 { format!("[{}]", symbol.entry_count) } else { String::new() };
    let ty = type_name(symbol.kind, symbol.component_count);
    let place = match (start(table, index), kind, program) {
        (None, ..) => "unused".to_owned(),
        (Some(at), TableKind::Attributes, _) => row("attribute", at),
        (Some(at), TableKind::Varyings, ProgramKind::Vertex) => row("varying", at),
        (Some(at), ..) => format!("at {at}"),
    };
    let precision = precision_name(symbol.precision).map(|name| format!(", {name}")).unwrap_or_default();
    let invariant = if symbol.invariant != 0 { ", invariant" } else { "" };
    let initial = match symbol.initial() {
        Some(initial) => format!(" = {}", floats(&initial.words)),
        None => String::new(),
    };
    format!("{ty} {}{array} {place}{precision}{invariant}{initial}", path(table, index))
}

/// A place among vectors of four, one of which is an attribute or a varying.
fn row(what: &str, at: u32) -> String {
    let (row, component) = (at / 4, at % 4);
    if component == 0 { format!("{what} {row}") } else { format!("{what} {row} at component {component}") }
}

/// The first few words as floats.
pub(super) fn floats(words: &[u32]) -> String {
    const SHOWN: usize = 4;
    let shown: Vec<_> = words.iter().take(SHOWN).map(|&word| format!("{:?}", f32::from_bits(word))).collect();
    let more = if words.len() > SHOWN { ", ..." } else { "" };
    if words.len() == 1 { shown.concat() } else { format!("({}{more})", shown.join(", ")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_by_name_both_ways() {
        for (name, number) in [
            ("float", (1, 1)),
            ("ivec3", (2, 3)),
            ("bvec4", (3, 4)),
            ("mat2", (4, 2)),
            ("sampler2D", (5, 2)),
            ("samplerCube", (6, 3)),
            ("struct", (8, 0)),
            ("samplerExternalOES", (9, 2)),
        ] {
            assert_eq!((type_named(name), type_name(number.0, number.1).as_str()), (Some(number), name));
        }
        for name in ["mat1", "vec5", "matrix of 1", "type 7 of 2", ""] {
            assert_eq!(type_named(name), None, "{name}");
        }
        assert_eq!(type_name(7, 2), "type 7 of 2");
    }
}
