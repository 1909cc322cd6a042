//! What is shown of a program from several sides: linked lines, control flow, owners of bytes.

use std::fmt::Write as _;
use std::fs;
use unshade::links::{LinkedText, StageLinks};
use unshade::{DecompileOptions, GlslVersion, Isa, Target};
use unshade_tests::corpus::{self, root};
use unshade_tests::properties::views;

fn options(isa: Isa, strict: bool) -> DecompileOptions {
    let version = match isa {
        Isa::MaliGp | Isa::MaliPp if !strict => GlslVersion::Es100,
        _ => GlslVersion::Core450,
    };
    DecompileOptions { target: Target::Glsl(version), strict, ..DecompileOptions::default() }
}

/// Of each folder as many files, evenly spread.
const FILES: usize = 40;

#[test]
fn views_of_all_families() {
    let mut folders = vec![root().join("samples"), root().join("tests/golden/inputs")];
    if let Some(shared) = corpus::shared("linked lines of the corpus") {
        let corpora =
            ["shbin", "mbs", "gfd", "maxwell/uam-out", "bnsh", "bfsha", "sharcfb", "sharc-versions"];
        folders.extend(corpora.map(|name| shared.join("corpus").join(name)));
    }
    let (mut stages, mut instructions, mut with_source, mut folded) = (0, 0, 0, 0);
    let (mut blocks, mut loops) = (0, 0);
    // Lines of statements with and without control flow: all, and those with instructions.
    let tell = std::env::var_os("UNSHADE_TELL").is_some();
    let (mut plain, mut control) = ([0_usize; 2], [0_usize; 2]);
    for folder in folders {
        let mut files = corpus::files(&folder);
        files.retain(|path| fs::metadata(path).is_ok_and(|data| data.len() < 1 << 20));
        let step = files.len().div_ceil(FILES).max(1);
        for path in files.iter().step_by(step) {
            let bytes = fs::read(path).unwrap();
            let Ok(opened) = unshade::open(&bytes) else { continue };
            views::owned(&bytes, &opened);
            for (_, stage) in opened.stages(None).take(4) {
                if let Some(graph) = views::drawn(&stage) {
                    blocks += graph.blocks.len();
                    loops += graph.edges.iter().filter(|edge| edge.back).count();
                }
                for strict in [false, true] {
                    let Some(found) = views::linked(&stage, &options(stage.isa, strict)) else { continue };
                    stages += 1;
                    instructions += found.instructions.len();
                    with_source += found.instructions.iter().filter(|at| !at.source.is_empty()).count();
                    // What bit-exact text needs functions of its own for comes from no instruction.
                    for (text, is_linked) in statement_lines(&found.source).filter(|_| !strict) {
                        let is_control = CONTROL.iter().any(|word| text.starts_with(word));
                        let [all, linked] = if is_control { &mut control } else { &mut plain };
                        *all += 1;
                        *linked += usize::from(is_linked);
                        if !is_linked && tell {
                            println!("{}: {text}", path.display());
                        }
                    }
                    folded += found.instructions.iter().filter(|at| at.source_folded).count();
                }
            }
        }
    }
    println!(
        "{stages} stages, {instructions} instructions, {with_source} with source, {folded} of them folded"
    );
    println!("{blocks} blocks, {loops} ways back");
    let share = |[all, linked]: [usize; 2]| {
        format!("{linked} of {all} ({}.{:02} %)", 100 * linked / all, 10_000 * linked / all % 100)
    };
    println!(
        "lines of control flow with instructions: {}, other statements: {}",
        share(control),
        share(plain)
    );
    // Without: what returns or asks a constant.
    assert!(20 * control[1] > 19 * control[0], "{control:?}");
    assert!(100 * plain[1] > 85 * plain[0], "{plain:?}");
    assert!(blocks > stages / 2 && loops > 0);
    assert!(stages > 40 && 2 * with_source > instructions, "{stages} {instructions} {with_source}");
}

/// What lines of control flow start with.
const CONTROL: [&str; 13] = [
    "if (",
    "} else",
    "for (",
    "while (",
    "do {",
    "} while",
    "switch (",
    "case ",
    "default:",
    "break;",
    "continue;",
    "discard;",
    "return",
];

/// The lines of statements in the functions of a source, without those that only declare, and whether they have instructions.
fn statement_lines(source: &LinkedText) -> impl Iterator<Item = (&str, bool)> {
    let mut inside = false;
    source.text.lines().zip(&source.lines).filter_map(move |(line, instructions)| {
        // Functions start and end at the margin.
        inside = line.starts_with(' ') && inside
            || line.ends_with(") {") && !line.starts_with(' ')
            || inside && line.is_empty();
        let text = line.trim();
        let declares = text.split(' ').count() == 2 && text.ends_with(';') && !text.starts_with("return");
        let counts = inside && line.starts_with(' ') && text != "}" && !text.starts_with("//") && !declares;
        counts.then_some((text, !instructions.is_empty()))
    })
}

/// Each line of the listing with the lines of the source beside it.
fn beside(links: &StageLinks) -> String {
    let mut out = String::new();
    for (line, text) in links.source.text.lines().enumerate() {
        let _ = writeln!(out, "{:3} {text}", line + 1);
    }
    out.push('\n');
    for (line, text) in links.listing.text.lines().enumerate() {
        let mut marks = String::new();
        for at in &links.listing.lines[line] {
            let instruction = &links.instructions[*at as usize];
            let lines: Vec<String> = instruction.source.iter().map(|line| (line + 1).to_string()).collect();
            marks = lines.join(" ") + if instruction.source_folded { " folded" } else { "" };
        }
        let _ = writeln!(out, "{}", format!("{text:70} | {marks}").trim_end());
    }
    out
}

/// Samples of each family, whose links were checked by reading; `BLESS=1` writes them anew.
#[test]
fn links_that_were_read() {
    let bless = std::env::var_os("BLESS").is_some();
    let golden = root().join("tests/golden/links");
    for (file, item) in [
        ("lighting.shbin", 0),
        ("lambert.vert.mbs", 0),
        ("phong.frag.mbs", 0),
        ("blur.gsh", 1),
        ("texture.frag.dksh", 0),
    ] {
        let bytes = fs::read(root().join("samples").join(file)).unwrap();
        let opened = unshade::open(&bytes).unwrap();
        let (_, stage) = opened.stages(None).nth(item).unwrap();
        let text = beside(&views::linked(&stage, &options(stage.isa, false)).unwrap());
        let path = golden.join(format!("{file}.txt"));
        if bless {
            fs::create_dir_all(&golden).unwrap();
            fs::write(&path, &text).unwrap();
        }
        let expected = fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
        assert_eq!(text, expected, "{}: BLESS=1 writes it anew", path.display());
    }
}

/// The graph of a sample as lines: `0 -> 3 taken back`.
fn graph(file: &str) -> (Vec<String>, Vec<String>) {
    let bytes = fs::read(root().join("samples").join(file)).unwrap();
    let opened = unshade::open(&bytes).unwrap();
    let (_, stage) = opened.stages(None).next().unwrap();
    let graph = views::drawn(&stage).unwrap();
    let listing: Vec<&str> = graph.listing.lines().collect();
    let blocks = graph.blocks.iter().map(|block| listing[block.line as usize].trim().to_owned()).collect();
    let edge = |edge: &unshade::cfg::FlowEdge| {
        let back = if edge.back { " back" } else { "" };
        format!("{} -> {} {}{back}", edge.from, edge.to, edge.kind.name())
    };
    (blocks, graph.edges.iter().map(edge).collect())
}

#[test]
fn graphs_that_were_read() {
    let (blocks, edges) = graph("lighting.shbin");
    assert_eq!(blocks.len(), 7, "{blocks:?}");
    assert!(blocks[0].starts_with("dp3"), "the procedure: {blocks:?}");
    // The program up to its call, up to the loop, the loop, behind it, the part of the IF, the end.
    assert_eq!(
        edges,
        [
            "1 -> 2 fall",
            "1 -> 0 call",
            "2 -> 3 fall",
            "3 -> 3 taken back",
            "3 -> 4 not-taken",
            "4 -> 6 taken",
            "4 -> 5 not-taken",
            "5 -> 6 fall",
        ]
    );
    let (blocks, edges) = graph("texture.frag.dksh");
    assert_eq!((blocks.len(), edges), (2, vec!["0 -> 1 not-taken".to_owned()]));
    let (blocks, edges) = graph("phong.frag.mbs");
    assert_eq!((blocks.len(), edges.len()), (1, 0));
}
