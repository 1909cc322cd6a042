//! Two programs of the Mali family as one: the vertex program of one file and the fragment program of another,
//! whose varyings meet by name.
//!
//! Each program numbers its varyings by itself, so the numbers need not agree; drivers match names. As the
//! linker of ARM's driver does, the vertex program's numbers are brought into the order in which the fragment
//! program has its varyings, and its attributes to the numbers that were asked for. Only the code of the
//! vertex program has such numbers in it, and only these bits of it change. Uniforms stay where they are: each
//! program has a memory of its own.

mod numbers;

use numbers::Renumbering;
use std::collections::BTreeMap;
use unshade_bytes::{Diagnostic, Location, Severity};
use unshade_containers::mbs::{
    FileChunk, Mbs, Program, ProgramKind, Symbol, Table, TableKind,
    layout::Extents,
    view::{path, type_name},
};

/// What the one who links may decide.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LinkOptions {
    /// Attributes that get a certain number, as `glBindAttribLocation` gives one. The others keep theirs where
    /// they can.
    pub attributes: Vec<(String, u32)>,
}

/// A linked file and how it came about.
#[derive(Debug, Clone, PartialEq)]
pub struct Linked {
    /// The file: the fragment program, the vertex program, then unknown chunks of both files.
    pub file: Mbs,
    /// Varyings of the vertex program, in the order of its table.
    pub varyings: Vec<LinkedVariable>,
    /// Attributes, in the order of their table.
    pub attributes: Vec<LinkedVariable>,
    /// Warnings and notes.
    pub findings: Vec<Diagnostic>,
}

/// A variable of the vertex program and what became of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkedVariable {
    /// Its name.
    pub name: String,
    /// Its type in GLSL's words.
    pub ty: String,
    /// Its number before, in vectors of four; `None`: it has none.
    pub before: Option<u32>,
    /// Its number now.
    pub number: Option<u32>,
    /// First float of the varying of that name in the fragment program; `None` where that reads none.
    pub fragment: Option<u32>,
}

/// Links the vertex program of a file with the fragment program of another; it may be the same file.
///
/// # Errors
/// Why they cannot be linked, with warnings and notes behind: a program is missing, a varying that is read is
/// not written, a name has different types, an attribute cannot have the number that was asked for.
pub fn link(vertex: &Mbs, fragment: &Mbs, options: &LinkOptions) -> Result<Linked, Vec<Diagnostic>> {
    let mut findings = Vec::new();
    let programs = (vertex.program(ProgramKind::Vertex), fragment.program(ProgramKind::Fragment));
    let (Some(vertex_program), Some(fragment_program)) = programs else {
        for (program, kind) in [(programs.0, ProgramKind::Vertex), (programs.1, ProgramKind::Fragment)] {
            if program.is_none() {
                let message = format!("expected a {} program, found none", kind.name());
                findings.push(finding(Severity::Error, "link.program-missing", kind.name(), message));
            }
        }
        return Err(findings);
    };
    let mut program = vertex_program.clone();
    cores(&program, fragment_program, &mut findings);
    let read = read_varyings(fragment_program);
    compare_varyings(&program, &read, &mut findings);
    compare_uniforms(&program, fragment_program, &mut findings);

    let none = Table::default();
    let of = |program: &Program, kind| program.table(kind).unwrap_or(&none).clone();
    let (varyings, attributes) = (of(&program, TableKind::Varyings), of(&program, TableKind::Attributes));
    let varying_rows = order_varyings(&varyings, &read, &mut findings);
    let attribute_rows = bind_attributes(&attributes, &options.attributes, &mut findings);
    if findings.iter().any(|finding| finding.severity == Severity::Error) {
        findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
        return Err(findings);
    }

    for (kind, rows) in [(TableKind::Varyings, &varying_rows), (TableKind::Attributes, &attribute_rows)] {
        for (_, symbol) in program.table_mut(kind).into_iter().flat_map(Table::symbols_mut) {
            // Members count from the start of their struct, which moves with them.
            if let (Some(offset), None) = (&mut symbol.offset, symbol.parent) {
                *offset = 4 * rows.row(*offset / 4) + *offset % 4;
            }
        }
    }
    if let Some(code) = program.code_mut() {
        numbers::renumber(&mut code.words, &attribute_rows, &varying_rows);
    }
    let linked = |before: &Table, kind, fragment: bool| -> Vec<LinkedVariable> {
        let now = program.table(kind).unwrap_or(&none);
        let row = |symbol: &Symbol| symbol.offset.map(|offset| u32::from(offset) / 4);
        let both = outer(before).zip(outer(now));
        both.map(|((_, before), (_, now))| LinkedVariable {
            name: now.name.text(),
            ty: declared(now),
            before: row(before),
            number: row(now),
            fragment: read.get(&now.name.0).filter(|_| fragment).and_then(|(_, s)| s.offset).map(u32::from),
        })
        .collect()
    };
    let varyings = linked(&varyings, TableKind::Varyings, true);
    let attributes = linked(&attributes, TableKind::Attributes, false);
    let mut chunks = vec![FileChunk::Program(fragment_program.clone()), FileChunk::Program(program)];
    let mut files = vec![vertex];
    if !std::ptr::eq(vertex, fragment) {
        files.push(fragment);
    }
    let others = files.iter().flat_map(|file| &file.chunks);
    chunks.extend(others.filter(|chunk| matches!(chunk, FileChunk::Other(_))).cloned());
    findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    Ok(Linked { file: Mbs { chunks, ..Mbs::default() }, varyings, attributes, findings })
}

fn finding(severity: Severity, code: &'static str, path: &str, message: String) -> Diagnostic {
    Diagnostic::new(severity, code, Location::Whole, path, message)
}

/// The symbols of a table that are no members.
fn outer(table: &Table) -> impl Iterator<Item = (usize, &Symbol)> {
    table.symbols().filter(|(_, symbol)| symbol.parent.is_none())
}

/// `vec2`, `float[3]`.
fn declared(symbol: &Symbol) -> String {
    let ty = type_name(symbol.kind, symbol.component_count);
    if symbol.entry_count > 0 { format!("{ty}[{}]", symbol.entry_count) } else { ty }
}

fn cores(vertex: &Program, fragment: &Program, findings: &mut Vec<Diagnostic>) {
    if matches!((vertex.core, fragment.core), (2, 7) | (6, 5)) {
        let message = format!(
            "the vertex program is for core {}, the fragment program for core {}: not of the same processor",
            vertex.core, fragment.core
        );
        findings.push(finding(Severity::Warning, "link.core", "fragment.core", message));
    }
}

/// The varyings of the fragment program by name.
fn read_varyings(fragment: &Program) -> BTreeMap<Vec<u8>, (usize, &Symbol)> {
    let table = fragment.table(TableKind::Varyings);
    let symbols = table.into_iter().flat_map(outer);
    symbols.map(|(index, symbol)| (symbol.name.0.clone(), (index, symbol))).collect()
}

fn compare_varyings(
    vertex: &Program,
    read: &BTreeMap<Vec<u8>, (usize, &Symbol)>,
    findings: &mut Vec<Diagnostic>,
) {
    let table = vertex.table(TableKind::Varyings);
    let written: BTreeMap<_, _> =
        table.into_iter().flat_map(outer).map(|(index, symbol)| (&symbol.name.0, (index, symbol))).collect();
    for (name, &(index, symbol)) in read {
        let path = format!("fragment.varyings[{index}]");
        let text = symbol.name.text();
        let Some((_, other)) = written.get(name) else {
            if symbol.offset.is_some() {
                let message = format!(
                    "expected a varying `{text}` in the vertex program, which this one reads, found none"
                );
                findings.push(finding(Severity::Error, "link.varying-missing", &path, message));
            }
            continue;
        };
        let types = [declared(other), declared(symbol)];
        if types[0] != types[1] {
            let message = format!(
                "expected `{text}` of one type, found {} in the vertex program and {} here",
                types[0], types[1]
            );
            findings.push(finding(Severity::Error, "link.varying-type", &path, message));
        }
        if symbol.offset.is_some() && other.offset.is_none() {
            let message =
                format!("expected `{text}` to be written by the vertex program, found it declared only");
            findings.push(finding(Severity::Error, "link.varying-unwritten", &path, message));
        }
        if (symbol.invariant != 0) != (other.invariant != 0) {
            let message =
                format!("expected `{text}` to be invariant in both programs or in none, found it in one");
            findings.push(finding(Severity::Warning, "link.varying-invariant", &path, message));
        }
    }
    for (name, (index, symbol)) in written {
        if !read.contains_key(name) && !symbol.name.starts_with(b"gl_") {
            let message = format!("the fragment program reads no `{}`", symbol.name.text());
            let path = format!("vertex.varyings[{index}]");
            findings.push(finding(Severity::Note, "link.varying-unread", &path, message));
        }
    }
}

/// Uniforms of one name have one type, members included.
fn compare_uniforms(vertex: &Program, fragment: &Program, findings: &mut Vec<Diagnostic>) {
    let Some(table) = vertex.table(TableKind::Uniforms) else { return };
    let known: BTreeMap<_, _> =
        table.symbols().map(|(index, symbol)| (path(table, index), declared(symbol))).collect();
    let Some(table) = fragment.table(TableKind::Uniforms) else { return };
    for (index, symbol) in table.symbols() {
        let (name, ty) = (path(table, index), declared(symbol));
        if let Some(other) = known.get(&name).filter(|other| **other != ty) {
            let message =
                format!("expected `{name}` of one type, found {other} in the vertex program and {ty} here");
            let place = format!("fragment.uniforms[{index}]");
            findings.push(finding(Severity::Error, "link.uniform-type", &place, message));
        }
    }
}

/// The rows of four that a symbol covers; `None` without a place, or behind the sixteenth row.
fn rows(table: &Table, extents: &Extents, index: usize) -> Option<std::ops::Range<u8>> {
    let start = u32::from(table.symbol(index)?.offset?);
    let end = extents.end(table, index)?.max(start + 1);
    let (first, last) = (start / 4, end.div_ceil(4));
    (last <= u32::from(numbers::COUNT)).then_some(first as u8..last as u8)
}

/// New numbers for varyings: the position, those that the fragment program reads in its order, then the
/// others. Nothing changes where those that are read are in that order already.
fn order_varyings(
    table: &Table,
    read: &BTreeMap<Vec<u8>, (usize, &Symbol)>,
    findings: &mut Vec<Diagnostic>,
) -> Renumbering {
    let extents = Extents::of(table);
    let mut blocks = Vec::new();
    for (index, symbol) in outer(table).filter(|(_, symbol)| symbol.offset.is_some()) {
        let fragment = read.get(&symbol.name.0).and_then(|(_, symbol)| symbol.offset);
        let rank = match fragment {
            _ if symbol.name.0 == b"gl_Position" => (0, 0),
            Some(offset) => (1, offset),
            None => (2, 0),
        };
        let Some(rows) = rows(table, &extents, index) else {
            let message = format!(
                "`{}` lies behind the sixteenth varying; the numbers stay as they are",
                symbol.name.text()
            );
            let path = format!("vertex.varyings[{index}]");
            findings.push(finding(Severity::Warning, "link.varying-limit", &path, message));
            return Renumbering::default();
        };
        blocks.push((rank, rows));
    }
    blocks.sort_by_key(|(rank, rows)| (*rank, rows.start));
    let in_order = blocks.iter().filter(|(rank, _)| rank.0 < 2).map(|(_, rows)| rows.start).is_sorted();
    if in_order {
        return Renumbering::default();
    }
    let mut next = 0;
    let moves = blocks.into_iter().map(|(_, rows)| {
        let to = next;
        next += rows.end - rows.start;
        (rows, to)
    });
    Renumbering::of(moves).unwrap_or_else(|| {
        let message = "two varyings share a vector; the numbers stay as they are".to_owned();
        findings.push(finding(Severity::Warning, "link.varying-shared", "vertex.varyings", message));
        Renumbering::default()
    })
}

/// New numbers for attributes.
fn bind_attributes(table: &Table, wanted: &[(String, u32)], findings: &mut Vec<Diagnostic>) -> Renumbering {
    let extents = Extents::of(table);
    let mut taken = [false; numbers::COUNT as usize];
    let mut moves = Vec::new();
    let mut error =
        |code, message| findings.push(finding(Severity::Error, code, "vertex.attributes", message));
    for (name, number) in wanted {
        let found = outer(table).find(|(_, symbol)| symbol.name.0 == name.as_bytes());
        let Some(rows) = found.and_then(|(index, _)| rows(table, &extents, index)) else {
            let known: Vec<_> = outer(table).map(|(_, symbol)| symbol.name.text()).collect();
            error("link.attribute-missing", format!("expected one of {}, found `{name}`", known.join(", ")));
            continue;
        };
        let end = number.saturating_add(u32::from(rows.end - rows.start));
        let places = taken.get_mut(*number as usize..end as usize);
        let Some(places) = places.filter(|places| places.iter().all(|taken| !*taken)) else {
            let message = format!("expected a free number up to 15 for `{name}`, found {number}");
            error("link.attribute-number", message);
            continue;
        };
        places.fill(true);
        moves.push((rows, *number as u8));
    }
    if moves.is_empty() {
        return Renumbering::default();
    }
    // The others stay where they are, and go to the first place with room where that was taken.
    for (index, symbol) in outer(table) {
        let Some(rows) = rows(table, &extents, index) else { continue };
        if moves.iter().any(|(moved, _)| *moved == rows) {
            continue;
        }
        let free = |to: usize| {
            let places = taken.get(to..to + rows.len());
            places.is_some_and(|places| places.iter().all(|taken| !*taken))
        };
        let here = usize::from(rows.start);
        let Some(to) = std::iter::once(here).chain(0..taken.len()).find(|&to| free(to)) else {
            let name = symbol.name.text();
            error(
                "link.attribute-number",
                format!("expected room for `{name}` among 16 attributes, found none"),
            );
            continue;
        };
        taken.iter_mut().skip(to).take(rows.len()).for_each(|taken| *taken = true);
        moves.push((rows, to as u8));
    }
    Renumbering::of(moves).unwrap_or_else(|| {
        error("link.attribute-shared", "two attributes share a vector and cannot be moved".to_owned());
        Renumbering::default()
    })
}

#[cfg(test)]
mod tests;
