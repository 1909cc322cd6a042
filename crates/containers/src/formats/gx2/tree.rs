//! The data of a structure by name, value and place.

use super::check::row_name;
use super::pieces::{Piece, PieceKind, Pieces};
use super::registers::SQ_LOOP_CONST;
use super::samplers::SamplerType;
use super::shader::{Entry, Shader};
use super::structure::{Member, TableKind};
use crate::shared::{FieldEncoding, opaque::escape, tree::Node};
use std::collections::BTreeSet;
use unshade_bytes::Endian;
use unshade_stage::latte::VarType;

/// Code words in one row of the tree.
const WORDS_IN_A_ROW: usize = 8;

/// Fills `node`, which starts or goes on at `base`, with everything in the data of `shader`, and with `more` nodes
/// that lie in it too. What nothing covers becomes padding or opaque bytes.
pub(crate) fn fill(node: &mut Node, shader: &Shader<'_>, base: u64, more: Vec<Node>) {
    let mut names = 0_usize;
    let mut nodes: Vec<Node> = Pieces::of(shader)
        .0
        .iter()
        .map(|piece| {
            let at = base.saturating_add(piece.at as u64);
            match piece.kind {
                PieceKind::Structure => structure(shader, at),
                PieceKind::Table(table) => table_node(shader, table, base, at),
                PieceKind::Name => {
                    let name = name(shader, piece, names, at);
                    names = names.saturating_add(1);
                    name
                }
                PieceKind::Code => code("code", at, bytes(shader, piece)),
                PieceKind::Copy => code("copy_code", at, bytes(shader, piece)),
            }
        })
        .collect();
    nodes.extend(more);
    cover(node, shader.data, base, nodes);
}

/// Puts `nodes` into `node` in their order, and what lies between them in the `data` at `base`.
pub(crate) fn cover(node: &mut Node, data: &[u8], base: u64, mut nodes: Vec<Node>) {
    nodes.sort_by_key(|child| (child.offset, child.end()));
    let end = base.saturating_add(data.len() as u64);
    let mut reached = base;
    let mut children = Vec::with_capacity(nodes.len());
    for child in nodes {
        gap(&mut children, data, base, reached, child.offset);
        reached = reached.max(child.end());
        children.push(child);
    }
    gap(&mut children, data, base, reached, end);
    node.children.append(&mut children);
    node.size = end.saturating_sub(node.offset);
}

fn gap(children: &mut Vec<Node>, data: &[u8], base: u64, from: u64, to: u64) {
    let range = from.saturating_sub(base) as usize..to.saturating_sub(base) as usize;
    if let Some(bytes) = data.get(range).filter(|bytes| !bytes.is_empty()) {
        let mut parent = Node::new("", from);
        parent.unused("padding", bytes);
        children.append(&mut parent.children);
    }
}

fn bytes<'a>(shader: &Shader<'a>, piece: &Piece) -> &'a [u8] {
    shader.data.get(piece.at..piece.end()).unwrap_or_default()
}

fn structure(shader: &Shader<'_>, at: u64) -> Node {
    let mut node = Node::new("structure", at);
    for row in shader.kind.rows() {
        for index in 0..row.count {
            let word = shader.word(row.word.saturating_add(index));
            let name = row_name(row, index);
            match row.member {
                Member::Register(register) => {
                    node.coded(name, 4, register.describe(word), FieldEncoding::Spelled(register))
                }
                Member::CodePointer | Member::CopyPointer | Member::Pointer(_) => {
                    node.number(name, 4, format_args!("{word:#x}"));
                }
                Member::Word | Member::CodeSize | Member::CopySize | Member::Count(_) => {
                    node.number(name, 4, word);
                }
            }
        }
    }
    node
}

fn table_node(shader: &Shader<'_>, table: TableKind, base: u64, at: u64) -> Node {
    let mut node = Node::new(table.name(), at);
    let count = shader.stated(table).count;
    let elements = if table == TableKind::Uniforms { elements(shader) } else { BTreeSet::new() };
    for (index, entry) in shader.entries(table).enumerate() {
        let at = base.saturating_add(entry.offset as u64);
        let summary = summary(shader, table, &entry, elements.contains(&index));
        let mut child = Node::new(format!("[{index}]"), at).value(summary);
        for (field, word) in table.fields().iter().zip(entry.words()) {
            let value = field_value(shader, table, field, word);
            child.coded(*field, 4, value, coding(table, field));
        }
        node.push(child);
    }
    node.value(if count == 1 { "1 entry".to_owned() } else { format!("{count} entries") })
}

/// How a word says what a loop does.
static LOOP: FieldEncoding = FieldEncoding::Spelled(&SQ_LOOP_CONST);

fn coding(table: TableKind, field: &str) -> FieldEncoding {
    match (table, field) {
        // The place of a name, which the text in front of it says too.
        (_, "name") => FieldEncoding::Follows,
        (TableKind::InitialValues, "x" | "y" | "z" | "w") => FieldEncoding::Float,
        // Loops stand in the order of the GPU in archives of either order.
        (TableKind::Loops, "value") => FieldEncoding::BigEndian(&LOOP),
        (TableKind::Loops, _) => FieldEncoding::BigEndian(&FieldEncoding::Number),
        _ => FieldEncoding::Number,
    }
}

fn field_value(shader: &Shader<'_>, table: TableKind, field: &str, word: u32) -> String {
    match (table, field) {
        (_, "name") => match shader.short_text(word) {
            Some(text) => format!("\"{}\" at {word:#x}", escape(text)),
            None => format!("nothing at {word:#x}"),
        },
        (TableKind::Samplers, "type") => match SamplerType::of(word) {
            Some(kind) => format!("{word} ({})", kind.name),
            None => format!("{word} (unknown)"),
        },
        (_, "type") => match VarType(word).shape() {
            Some(_) => format!("{word} ({})", VarType(word).name()),
            None => format!("{word} (unknown)"),
        },
        (_, "block") => i32::from_ne_bytes(word.to_ne_bytes()).to_string(),
        (TableKind::InitialValues, "x" | "y" | "z" | "w") => {
            format!("{word:#010x} ({:?})", f32::from_bits(word))
        }
        (TableKind::Loops, "value") => SQ_LOOP_CONST.describe(word),
        _ => word.to_string(),
    }
}

/// Rows of uniforms that are an element of an array, though they have the count of the whole.
fn elements(shader: &Shader<'_>) -> BTreeSet<usize> {
    let latte = shader.latte();
    let parts = latte.variables().rows;
    let elements = parts.iter().enumerate().filter(|(_, part)| part.element.is_some());
    elements.map(|(row, _)| row).collect()
}

/// An entry in a few words.
fn summary(shader: &Shader<'_>, table: TableKind, entry: &Entry<'_>, is_element: bool) -> String {
    let name = || shader.short_text(entry.word(0)).map_or("?".to_owned(), escape);
    let array = |count: u32| if count > 1 && !is_element { format!("[{count}]") } else { String::new() };
    match table {
        TableKind::Blocks => {
            format!("{}: buffer {}, {} bytes", name(), entry.word(1), entry.word(2))
        }
        TableKind::Uniforms => {
            let place = match i32::try_from(entry.word(4)) {
                Ok(block) if shader.mode() != 0 => format!(" of block {block}"),
                _ => String::new(),
            };
            let (ty, count) = (VarType(entry.word(1)).name(), entry.word(2));
            format!("{ty} {}{} at word {}{place}", name(), array(count), entry.word(3))
        }
        TableKind::InitialValues => {
            let value = [0, 1, 2, 3].map(|word| f32::from_bits(entry.word(word)));
            format!("word {} = {value:?}", entry.word(4))
        }
        TableKind::Loops => format!("loop {}", entry.word(0)),
        TableKind::Samplers => {
            let kind = SamplerType::of(entry.word(1)).map_or(String::new(), |kind| format!("{} ", kind.name));
            format!("{kind}{}: unit {}", name(), entry.word(2))
        }
        TableKind::Attributes => {
            let (ty, count) = (VarType(entry.word(1)).name(), entry.word(2));
            format!("{ty} {}{} at location {}", name(), array(count), entry.word(3))
        }
    }
}

fn name(shader: &Shader<'_>, piece: &Piece, index: usize, at: u64) -> Node {
    let text = bytes(shader, piece);
    let near = text.get(..unshade_bytes::Limits::DEFAULT.name).unwrap_or(text);
    let near = near.split(|&byte| byte == 0).next().unwrap_or_default();
    let mut node = Node::new(format!("name[{index}]"), at).value(format_args!("\"{}\"", escape(near)));
    node.size = text.len() as u64;
    node.coding = FieldEncoding::Text;
    node
}

/// Code as rows of words; what is no whole word at its end is kept as it is.
pub(crate) fn code(name: &str, at: u64, bytes: &[u8]) -> Node {
    let mut node = Node::new(name, at);
    let (words, rest) = bytes.as_chunks::<4>();
    for (row, words) in words.chunks(WORDS_IN_A_ROW).enumerate() {
        let text: Vec<_> = words.iter().map(|word| format!("{:08x}", u32::from_le_bytes(*word))).collect();
        let index = row.saturating_mul(WORDS_IN_A_ROW);
        let (size, coding) = (words.as_flattened().len() as u64, FieldEncoding::Words(Endian::Little));
        node.coded(format!("[{index:#05x}]"), size, text.join(" "), coding);
    }
    if !rest.is_empty() {
        node.unknown("stray", rest, format_args!("{} bytes", rest.len()));
    }
    let count = words.len();
    node.value(if count == 1 { "1 word".to_owned() } else { format!("{count} words") })
}
