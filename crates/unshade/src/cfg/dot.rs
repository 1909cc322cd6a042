//! The graph as Graphviz reads it.

use super::{EdgeKind, FlowGraph};
use std::fmt::Write as _;

/// The graph in the language of Graphviz; places are left to it.
pub fn dot(graph: &FlowGraph, name: &str) -> String {
    let lines: Vec<&str> = graph.listing.lines().collect();
    let mut out = format!("digraph \"{}\" {{\n", escaped(name));
    out.push_str("    node [shape=box, fontname=monospace, fontsize=10];\n");
    for (index, block) in graph.blocks.iter().enumerate() {
        let text = lines.get(block.line as usize..block.end_line as usize).unwrap_or_default();
        let _ = write!(out, "    b{index} [label=\"");
        for line in text {
            out.push_str(&escaped(line.trim_end()));
            out.push_str("\\l");
        }
        out.push('"');
        if block.entry {
            out.push_str(", style=bold");
        }
        if block.ends || block.returns {
            out.push_str(", peripheries=2");
        }
        out.push_str("];\n");
    }
    for edge in &graph.edges {
        let look = match edge.kind {
            EdgeKind::Fall | EdgeKind::Jump => "",
            EdgeKind::Taken => "color=darkgreen, label=taken",
            EdgeKind::NotTaken => "color=darkred",
            EdgeKind::Call => "style=dashed, label=call",
        };
        let _ = write!(out, "    b{} -> b{}", edge.from, edge.to);
        let back = if edge.back { "constraint=false" } else { "" };
        let list: Vec<&str> = [look, back].into_iter().filter(|part| !part.is_empty()).collect();
        if !list.is_empty() {
            let _ = write!(out, " [{}]", list.join(", "));
        }
        out.push_str(";\n");
    }
    out.push_str("}\n");
    out
}

fn escaped(text: &str) -> String {
    text.chars()
        .flat_map(|character| match character {
            '"' | '\\' => vec!['\\', character],
            _ if character.is_control() => vec![' '],
            _ => vec![character],
        })
        .collect()
}
