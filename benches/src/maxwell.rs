//! The rows about the Switch's instruction set, and NVIDIA's disassembler beside them.

use crate::{
    measure::{Row, peer, row, text_of},
    programs,
    rows::Subject,
};
use std::{hint::black_box, process::Command};
use unshade::{Code, Container, Isa, ListingOptions, Stage, Syntax, maxwell::Instruction, maxwell::layout};

/// How often the long program stands in the code of B4: about 100,000 instructions.
const LONG_CODE: usize = 270;
/// Environment variable with the path of NVIDIA's disassembler; without it the one in `PATH` is taken.
const PEER: &str = "UNSHADE_NVDISASM";

fn assemble(text: &str) -> Result<Vec<u32>, String> {
    let code = unshade::assemble_code(Isa::Maxwell, text)
        .map_err(|findings| findings.first().map(ToString::to_string).unwrap_or_default())?;
    unshade::words_from_bytes(&code).map_err(text_of)
}

/// A long program again and again, as the figures are about words, not about programs of a few hundred; and how many
/// instructions that is.
///
/// # Errors
/// Where the program does not assemble.
pub fn long_code(times: usize) -> Result<(Vec<u32>, usize), String> {
    let once = assemble(&programs::long_maxwell_source(programs::MAXWELL_STEPS))?;
    let instructions = layout::instructions(&once).count();
    Ok((once.repeat(times), times * instructions))
}

/// A long fragment program between the inputs and outputs of a small one.
///
/// # Errors
/// Where the program does not assemble.
pub fn long_program(steps: usize) -> Result<Stage<'static>, String> {
    let file = Container::read(include_bytes!("../../samples/texture.frag.dksh")).map_err(text_of)?;
    let sample = file.stages().next().ok_or("no program")?.into_owned();
    let words = assemble(&programs::long_maxwell_source(steps))?;
    Ok(Stage { code: Code { words: words.into(), ..Code::default() }, ..sample })
}

/// B4: Maxwell code to text, in our own language and in NVIDIA's; decoding alone; and text to code, for which B5 says
/// what to reach.
pub fn text() -> Result<(), String> {
    let (words, count) = long_code(LONG_CODE)?;
    let instructions = count as f64 / 1e6;
    let code = Code { words: words.clone().into(), ..Code::default() };
    let stage = Stage { code, ..unshade::raw_stage(Isa::Maxwell, Vec::new(), Vec::new()) };
    let listing = Row {
        id: "B4",
        task: "Maxwell code to a listing".into(),
        unit: "M instr/s",
        target: 10.0,
        stretch: 25.0,
    };
    let own = unshade::disassemble_stage_to_text(&stage, &ListingOptions::default());
    row(&listing, || {
        let text = unshade::disassemble_stage_to_text(black_box(&stage), &ListingOptions::default());
        if text == own { Ok(instructions) } else { Err("the listing differs".into()) }
    })?;
    let foreign = unshade::foreign_text(&stage, Syntax::Nvdisasm).map_err(text_of)?.0;
    row(&Row { task: "Maxwell code to NVIDIA's text".into(), ..listing.clone() }, || {
        let text = unshade::foreign_text_plain(black_box(&stage), Syntax::Nvdisasm).map_err(text_of)?;
        if text == foreign.text() { Ok(instructions) } else { Err("the text differs".into()) }
    })?;
    let decoding =
        Row { task: "Maxwell code decoded".into(), target: 50.0, stretch: 150.0, ..listing.clone() };
    row(&decoding, || {
        let known = layout::instructions(black_box(&words))
            .filter(|placed| Instruction::decode(placed.word).is_some());
        if known.count() == count { Ok(instructions) } else { Err("a word has no meaning".into()) }
    })?;
    row(
        &Row { task: "Maxwell listing to code".into(), target: 10.0, stretch: 25.0, ..listing.clone() },
        || {
            if assemble(black_box(&own))? == words {
                Ok(instructions)
            } else {
                Err("the code differs".into())
            }
        },
    )?;
    nvdisasm(&words, &listing)
}

/// NVIDIA's disassembler as a process on a part of the same code.
#[allow(clippy::print_stdout, reason = "the table is what this program is for")]
fn nvdisasm(words: &[u32], like: &Row) -> Result<(), String> {
    const INSTRUCTIONS: usize = 3 << 12;
    let tool = std::env::var_os(PEER).unwrap_or_else(|| "nvdisasm".into());
    if Command::new(&tool).arg("--version").output().is_err() {
        println!("B4   nvdisasm: not here ({PEER} says where it is)");
        return Ok(());
    }
    let part = words.get(..INSTRUCTIONS / 3 * 8).ok_or("too few words")?;
    let file = std::env::temp_dir().join(format!("unshade-bench-{}.bin", std::process::id()));
    let bytes: Vec<u8> = part.iter().flat_map(|word| word.to_le_bytes()).collect();
    std::fs::write(&file, bytes).map_err(text_of)?;
    let code = Code { words: part.to_vec().into(), ..Code::default() };
    let stage = Stage { code, ..unshade::raw_stage(Isa::Maxwell, Vec::new(), Vec::new()) };
    let ours = squeezed(&unshade::foreign_text_plain(&stage, Syntax::Nvdisasm).map_err(text_of)?);
    let task = "the same with nvdisasm, whole process".into();
    let measured = peer(&Row { task, ..like.clone() }, || {
        let run = Command::new(&tool).args(["-b", "SM53", "-hex"]).arg(&file).output().map_err(text_of)?;
        if squeezed(&String::from_utf8_lossy(&run.stdout)) == ours {
            Ok(INSTRUCTIONS as f64 / 1e6)
        } else {
            Err("its text is not ours".into())
        }
    });
    let removed = std::fs::remove_file(&file).map_err(text_of);
    measured.and(removed)
}

/// A text without what aligns it.
fn squeezed(text: &str) -> String {
    let mut out = String::new();
    for word in text.split_whitespace() {
        if !word.starts_with(';') {
            out.push(' ');
        }
        out.push_str(word);
    }
    out
}

/// B9: the programs of the Switch that are decompiled.
pub fn decompiled(mut work: impl FnMut(&Subject<'_>) -> Result<(), String>) -> Result<(), String> {
    let vertex = assemble(include_str!("../../samples/transform.maxwell"))?;
    let instructions = layout::instructions(&vertex).count();
    let stage = &unshade::raw_stage(Isa::Maxwell, vertex, Vec::new());
    work(&Subject { key: "maxwell-transform", name: "Maxwell transform", stage, instructions })?;
    let stage = &long_program(programs::MAXWELL_STEPS)?;
    let instructions = layout::instructions(&stage.code.words).count();
    work(&Subject { key: "maxwell-long", name: "Maxwell, long program", stage, instructions })
}
