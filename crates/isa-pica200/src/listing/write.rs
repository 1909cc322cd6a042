//! Code to listing text.

use super::{
    layout::{CodeText, Layout},
    structure::{Block, BlockKind},
};
use crate::{
    Descriptor, decode,
    names::swizzle_letters,
    print::{Form, Printer},
};
use unshade_isa_common::Remarks;
use unshade_isa_common::text::{PartKind, Short, Sink};

/// Column of the remarks.
const REMARKS: usize = 56;

/// Blanks in front of a line in so many blocks; deeper ones do not go further to the right.
static INDENTATION: [Short<'static>; 9] = Short::all([
    "",
    "    ",
    "        ",
    "            ",
    "                ",
    "                    ",
    "                        ",
    "                            ",
    "                                ",
]);

/// Indents a line that stands in so many blocks.
pub fn indent(sink: &mut impl Sink, depth: usize) {
    sink.put_short(PartKind::Plain, &INDENTATION[depth.min(INDENTATION.len() - 1)]);
}

fn directive(sink: &mut impl Sink, depth: usize, name: &str) {
    indent(sink, depth);
    sink.put(PartKind::Directive, name);
    sink.end_line();
}

/// Writes the descriptor table: `.desc N mask, swizzle, swizzle, swizzle`, one line each.
pub fn write_descriptors(sink: &mut impl Sink, low: &[u32], high: &[u32]) {
    for (n, &bits) in low.iter().enumerate() {
        let descriptor = Descriptor(bits);
        sink.put(PartKind::Directive, ".desc");
        sink.put(
            PartKind::Plain,
            if n < 10 {
                "   "
            } else if n < 100 {
                "  "
            } else {
                " "
            },
        );
        sink.decimal(PartKind::Immediate, n as u32);
        sink.put(PartKind::Plain, "  ");
        let mut mask = [b' '; 4];
        let mut length = 0;
        for lane in (0..4).filter(|&lane| descriptor.writes(lane)) {
            mask[length] = b"xyzw"[lane];
            length += 1;
        }
        if length == 0 {
            sink.put(PartKind::Register, "_");
        } else {
            sink.ascii(PartKind::Register, &mask[..length]);
        }
        sink.put(PartKind::Punctuation, ",");
        sink.put(PartKind::Plain, &"     "[length.max(1)..]);
        for source in 0..3 {
            sink.put(PartKind::Punctuation, if descriptor.negates(source) { "-" } else { " " });
            sink.ascii(PartKind::Register, &swizzle_letters(descriptor.swizzle(source)));
            if source < 2 {
                sink.put(PartKind::Punctuation, ", ");
            }
        }
        if bits & Descriptor::UNKNOWN_BIT != 0 {
            sink.put(PartKind::Plain, " ");
            sink.put(PartKind::Directive, "@31");
        }
        if let Some(&high) = high.get(n).filter(|&&high| high != 0) {
            sink.put(PartKind::Plain, " ");
            sink.put(PartKind::Directive, "@high=");
            sink.hex(PartKind::Directive, high, 1);
        }
        sink.end_line();
    }
}

/// Writes the code, blocks and labels included, without the descriptor table. `before` is called for each
/// word where its line is about to start, with the depth of its block, and may write lines of its own.
pub fn write_code<S: Sink>(
    sink: &mut S,
    code: &CodeText<'_>,
    layout: &Layout,
    remarks: Remarks,
    mut before: impl FnMut(&mut S, u32, usize),
) {
    let mut printer = Printer::new(code.descriptors);
    let mut blocks = layout.blocks.iter().copied().peekable();
    let mut procedure_names = layout.procedure_names.iter();
    let mut open: Vec<Block> = Vec::new();
    let end = code.words.len();
    let turns = turns(layout, end);
    for at in 0..=end {
        let place = at as u32;
        if turns.get(at) == Some(&true) {
            while open.last().is_some_and(|block| block.end == place) {
                let block = open.pop();
                directive(sink, open.len(), ".end");
                if open.is_empty() && block.is_some_and(|b| b.kind == BlockKind::Procedure) && at < end {
                    sink.end_line();
                }
            }
            if let Some(Block { kind: BlockKind::If { otherwise }, .. }) = open.last()
                && *otherwise == place
            {
                directive(sink, open.len() - 1, ".else");
            }
            let starts = |block: &Block| block.start == place && block.kind == BlockKind::Procedure;
            // The first procedure of a place carries the label's name, if there is one.
            let named = blocks.peek().is_some_and(starts);
            if !named && let Some(label) = layout.places.label_at(place) {
                sink.put(PartKind::Label, label);
                sink.put(PartKind::Punctuation, ":");
                sink.end_line();
            }
            while let Some(block) = blocks.next_if(starts) {
                indent(sink, open.len());
                sink.put(PartKind::Directive, ".proc ");
                sink.put(PartKind::Label, procedure_names.next().map_or("", |name| name));
                sink.end_line();
                if block.end == block.start {
                    directive(sink, open.len(), ".end");
                } else {
                    open.push(block);
                }
            }
        }
        let Some(&word) = code.words.get(at) else { break };
        before(sink, place, open.len());
        indent(sink, open.len());
        let form = if layout.block_heads.get(at) == Some(&true) { Form::Block } else { Form::Bounds };
        printer.instruction(sink, decode(word), layout.names(at), &layout.places, form);
        if remarks != Remarks::default() {
            sink.pad_to(REMARKS);
            sink.put(PartKind::Comment, ";");
            if let Some(first) = remarks.offsets {
                let offset = first.saturating_add(4 * at as u64);
                sink.put(PartKind::Comment, " ");
                sink.hex(PartKind::Comment, u32::try_from(offset).unwrap_or(u32::MAX), 4);
            }
            if remarks.words {
                sink.put(PartKind::Comment, " ");
                sink.hex(PartKind::Comment, word, 8);
            }
        }
        sink.words(place..place + 1);
        sink.end_line();
        if form == Form::Block
            && let Some(block) = blocks.next_if(|block| block.start == place)
        {
            open.push(block);
        }
    }
}

/// The places where something other than an instruction can stand: a label, a bound of a block.
fn turns(layout: &Layout, end: usize) -> Vec<bool> {
    let mut turns: Vec<bool> = (0..=end).map(|at| layout.places.label_at(at as u32).is_some()).collect();
    let mut mark = |at: u32| {
        if let Some(turn) = turns.get_mut(at as usize) {
            *turn = true;
        }
    };
    for block in &layout.blocks {
        mark(block.start);
        mark(block.end);
        if let BlockKind::If { otherwise } = block.kind {
            mark(otherwise);
        }
    }
    turns
}
