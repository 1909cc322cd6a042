//! The graph as a picture that a browser shows.

use super::FlowGraph;
use std::fmt::Write as _;

/// Size of a character and of a line, in pixels.
const CHARACTER: u32 = 8;
const LINE: u32 = 16;
/// Pixels around the picture.
const MARGIN: u32 = 12;

/// Colours by the reader's preference, for the picture alone.
const STYLE: &str = "text{font:13px monospace;fill:#1f2328;white-space:pre}rect{fill:#f6f8fa;stroke:#59636e}\
.entry{stroke-width:2}.end{stroke-dasharray:4 2}polyline{fill:none;stroke:#59636e;stroke-width:1.3}\
.taken{stroke:#1a7f37}.not-taken{stroke:#cf222e}.call{stroke-dasharray:5 3}.back{stroke-width:2}\
@media(prefers-color-scheme:dark){text{fill:#f0f6fc}rect{fill:#151b23;stroke:#9198a1}polyline{stroke:#9198a1}\
.taken{stroke:#3fb950}.not-taken{stroke:#f85149}}";

/// The graph as an SVG picture of its own.
pub fn svg(graph: &FlowGraph, name: &str) -> String {
    let lines: Vec<&str> = graph.listing.lines().collect();
    let place = |x: u32, y: u32| (x.saturating_mul(CHARACTER) + MARGIN, y.saturating_mul(LINE) + MARGIN);
    let (width, height) = place(graph.width, graph.height);
    let (width, height) = (width + MARGIN, height + MARGIN);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" role=\"img\">\n\
         <title>{}</title>\n<style>{STYLE}</style>\n\
         <marker id=\"arrow\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" \
         orient=\"auto\"><path d=\"M0 0 8 4 0 8z\" fill=\"#59636e\"/></marker>\n",
        escaped(name)
    );
    for edge in &graph.edges {
        let back = if edge.back { " back" } else { "" };
        let _ = write!(
            out,
            "<polyline class=\"{}{back}\" marker-end=\"url(#arrow)\" points=\"",
            edge.kind.name()
        );
        for (at, point) in edge.points.iter().enumerate() {
            let (x, y) = place(point.x, point.y);
            let _ = write!(out, "{}{x},{y}", if at > 0 { " " } else { "" });
        }
        out.push_str("\"/>\n");
    }
    for block in &graph.blocks {
        let (x, y) = place(block.x, block.y);
        let (width, height) = (block.width * CHARACTER, block.height * LINE);
        let entry = if block.entry { "entry" } else { "" };
        let end = if block.ends || block.returns { " end" } else { "" };
        let _ = writeln!(
            out,
            "<rect class=\"{}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"4\"/>",
            format!("{entry}{end}").trim()
        );
        let text = lines.get(block.line as usize..block.end_line as usize).unwrap_or_default();
        for (at, line) in (1_u32..).zip(text) {
            let (x, y) = (x + CHARACTER, y + at * LINE + LINE * 3 / 4);
            let _ = writeln!(out, "<text x=\"{x}\" y=\"{y}\">{}</text>", escaped(line.trim_end()));
        }
    }
    out.push_str("</svg>\n");
    out
}

fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            _ if character.is_control() => out.push(' '),
            _ => out.push(character),
        }
    }
    out
}
