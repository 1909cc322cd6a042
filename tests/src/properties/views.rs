//! What is shown of a program beside its texts: linked lines.

use std::collections::{BTreeMap, BTreeSet};
use unshade::cfg::{FlowBlock, FlowGraph, Point, cfg};
use unshade::links::{LinkedInstruction, LinkedText, StageLinks, links};
use unshade::owners::{ByteKind, owners};
use unshade::{DecompileOptions, ListingOptions, Opened, Stage, Target};

/// Linked lines of a stage: the texts are those of the commands, every line exists, both directions say the same, and what
/// stores an output that leaves the program has a line of the source.
pub fn linked(stage: &Stage<'_>, how: &DecompileOptions) -> Option<StageLinks> {
    let found = links(stage, how).ok()?;
    let StageLinks { listing, ir, source, instructions } = &found;
    assert_eq!(listing.text, unshade::disassemble_stage_to_text(stage, &ListingOptions::default()));
    let made = |target| unshade::decompile(stage, &DecompileOptions { target, ..how.clone() });
    assert_eq!(made(Target::Ir).ok().as_ref().map(|made| &made.text), Some(&ir.text));
    assert_eq!(made(how.target).ok().as_ref().map(|made| &made.text), Some(&source.text));
    for (text, of) in [
        (listing, (|of| &of.listing) as fn(&LinkedInstruction) -> &Vec<u32>),
        (ir, |of| &of.ir),
        (source, |of| &of.source),
    ] {
        symmetric(text, instructions, of);
    }
    let mut end = 0;
    for instruction in instructions {
        assert!(instruction.word >= end && instruction.words > 0, "{instruction:?}");
        end = instruction.word + instruction.words;
        assert!(end as usize <= stage.code.words.len(), "{instruction:?}");
        assert!(!instruction.listing.is_empty(), "{instruction:?}");
        assert!(!instruction.source_folded || !instruction.source.is_empty(), "{instruction:?}");
    }
    let lines: Vec<&str> = ir.text.lines().collect();
    for (line, text) in lines.iter().enumerate() {
        if text.trim_start().starts_with("store output") && !overwritten(text, &lines[line + 1..]) {
            for at in &ir.lines[line] {
                let instruction = &instructions[*at as usize];
                assert!(!instruction.source.is_empty(), "no line of the source for {text}: {instruction:?}");
            }
        }
    }
    Some(found)
}

/// Whether what a line stores is stored anew before anyone can see it: the source leaves it out.
fn overwritten(store: &str, behind: &[&str]) -> bool {
    let place = |line: &str| line.split_whitespace().nth(2).map(str::to_owned);
    let seen = |line: &str| !line.starts_with("    ") || line.trim_start().starts_with("emit");
    let unseen = behind.iter().take_while(|line| !seen(line));
    unseen
        .filter(|line| line.trim_start().starts_with("store output"))
        .any(|line| place(line) == place(store))
}

fn symmetric(
    text: &LinkedText,
    instructions: &[LinkedInstruction],
    of: impl Fn(&LinkedInstruction) -> &Vec<u32>,
) {
    assert_eq!(text.lines.len(), text.text.lines().count());
    let mut there = BTreeSet::new();
    for (index, instruction) in instructions.iter().enumerate() {
        let lines = of(instruction);
        assert!(lines.is_sorted_by(|a, b| a < b), "{instruction:?}");
        there.extend(lines.iter().map(|line| (*line, index as u32)));
    }
    let back = text.lines.iter().enumerate();
    let back: BTreeSet<_> =
        back.flat_map(|(line, list)| list.iter().map(move |at| (line as u32, *at))).collect();
    assert_eq!(there, back);
}

/// The owners of a file's bytes: runs follow each other from the first byte to the last, say what coverage says, and every
/// field's bytes are found by its path.
pub fn owned(bytes: &[u8], opened: &Opened) {
    for owners in owners(bytes, opened) {
        let mut end = 0;
        for run in owners.window(0..u64::MAX) {
            assert!(run.start == end && run.end > end, "{run:?}");
            end = run.end;
            assert_eq!(run.path.is_empty(), run.kind == ByteKind::Unowned, "{run:?}");
            if run.kind != ByteKind::Unowned && owners.runs() < 2000 {
                let field = owners.bytes_of(&run.path).expect("a field has bytes");
                assert!(field.start <= run.start && run.end <= field.end, "{run:?} {field:?}");
            }
        }
        assert_eq!(end, owners.len);
        for at in [0, owners.len / 2, owners.len.saturating_sub(1)] {
            assert_eq!(owners.at(at).is_some(), at < owners.len);
        }
        assert_eq!(owners.at(owners.len), None);
    }
}

/// The control-flow graph of a stage: blocks with lines of the listing and places that do not lie over each other, ways
/// between blocks that exist, drawn from one to the other.
pub fn drawn(stage: &Stage<'_>) -> Option<FlowGraph> {
    let graph = cfg(stage)?;
    let lines = graph.listing.lines().count() as u32;
    let mut end = 0;
    for block in &graph.blocks {
        assert!(block.word >= end && block.end_word > block.word, "{block:?}");
        // Code of the pixel processor of Mali may go into the middle of an instruction.
        end = block.word + 1;
        assert!(block.line <= block.end_line && block.end_line <= lines, "{block:?} of {lines}");
        assert!(block.x + block.width <= graph.width && block.y + block.height <= graph.height, "{block:?}");
    }
    let mut rows: BTreeMap<u32, Vec<(u32, u32)>> = BTreeMap::new();
    for block in &graph.blocks {
        rows.entry(block.y).or_default().push((block.x, block.x + block.width));
    }
    for row in rows.values_mut() {
        row.sort_unstable();
        assert!(row.windows(2).all(|pair| pair[0].1 <= pair[1].0), "{row:?}");
    }
    for edge in &graph.edges {
        let (from, to) = (&graph.blocks[edge.from as usize], &graph.blocks[edge.to as usize]);
        assert!(edge.back || to.y >= from.y + from.height, "{edge:?}");
        let (first, last) = (edge.points.first().expect("a point"), edge.points.last().expect("a point"));
        let touches = |point: &Point, block: &FlowBlock| {
            (block.x..=block.x + block.width).contains(&point.x)
                && (block.y..=block.y + block.height).contains(&point.y)
        };
        assert!(touches(first, from) && touches(last, to), "{edge:?}");
        assert!(
            edge.points.iter().all(|point| point.x <= graph.width && point.y <= graph.height),
            "{edge:?}"
        );
    }
    assert!(graph.blocks.is_empty() || graph.blocks.iter().any(|block| block.entry));
    assert_eq!(cfg(stage).as_ref(), Some(&graph));
    Some(graph)
}
