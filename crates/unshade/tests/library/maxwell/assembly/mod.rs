//! Programs of the console's own compiler beside the assembly text that it left in them: the code has the operations of
//! the text one by one, and what the code is decompiled to does what the text says. The text is read and run by
//! `text.rs`, which knows nothing of the machine. The corpus lies next to the checkout; without it the tests say so and
//! pass.
#![allow(clippy::indexing_slicing)]

mod text;

use std::collections::BTreeMap;
use text::{Source, Statement, World};
use unshade::{Container, Isa, ListingOptions, Stage, StageKind};
use unshade_ir::exec::{Limits, Memory, Outcome, Textured};
use unshade_ir::{Space, Texture, ast, passes};
use unshade_isa::cases::Random;
use unshade_isa::maxwell::lift::lift;

/// Buffer of the text in which handles lie.
const HANDLES: usize = 14;
/// Bank of the machine in which its buffer 0 lies.
const FIRST_BANK: usize = 3;
/// Word of the table of handles at which the first lies.
const FIRST_HANDLE: usize = 8;

/// Calls a function with each stage and its text.
fn each(mut visit: impl FnMut(&str, &Stage<'_>, &str)) {
    let folder = unshade_corpus::shared("corpus/bnsh/nvnbin");
    let Ok(entries) = std::fs::read_dir(&folder) else {
        return println!("skipped: no corpus at {}", folder.display());
    };
    let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let mut stages = 0;
    for path in paths {
        let opened = unshade::open(&std::fs::read(&path).unwrap()).unwrap();
        let file = path.file_stem().unwrap().to_str().unwrap();
        for (inner, stage) in opened.stages(None) {
            let Container::Nvn(pair) = &inner.container else { panic!("{file} is no raw pair") };
            let texts = pair.stages.iter().filter_map(|part| {
                let control = part.control.0.clone();
                let start = control.windows(4).position(|bytes| bytes == b"!!NV")?;
                let len = control[start..].iter().position(|byte| *byte == 0)?;
                Some(String::from_utf8(control[start..start + len].to_vec()).unwrap())
            });
            let wanted = if stage.kind == StageKind::Fragment { "!!NVfp" } else { "!!NVvp" };
            let text = texts.into_iter().find(|text| text.starts_with(wanted)).unwrap();
            visit(&format!("{file}#{}", stage.id), &stage, &text);
            stages += 1;
        }
    }
    assert!(stages >= 4);
}

/// What operations a text needs of the machine: one for each component, without those that only move.
fn operations_of(statements: &[Statement]) -> BTreeMap<String, usize> {
    let mut operations = BTreeMap::new();
    let mut count = |name: &str, number: usize| *operations.entry(name.to_owned()).or_insert(0) += number;
    for statement in statements {
        match statement {
            Statement::Texture(..) => count("TEX", 1),
            Statement::Do { operation, target, .. } => match (&operation[..], target.components()) {
                ("MUL", number) => count("FMUL", number),
                ("ADD", number) => count("FADD", number),
                ("MAD", number) => count("FFMA", number),
                ("SLT", number) => count("FSETP", number),
                ("SEQ", number) => count("ISET", number),
                // A logarithm, a product and a power of two.
                ("POW", number) => {
                    count("MUFU.LG2", number);
                    count("FMUL", number);
                    count("MUFU.EX2", number);
                }
                _ => {}
            },
            _ => {}
        }
    }
    operations
}

/// The lines of the code's listing up to the branch to itself behind it, without guards and labels.
fn listing(stage: &Stage<'_>) -> Vec<String> {
    let options = ListingOptions { no_control: true, ..ListingOptions::default() };
    let text = unshade::disassemble_stage_to_text(stage, &options);
    let lines = text.lines().map(str::trim);
    let last = lines.clone().filter(|line| *line == "EXIT").count();
    let mut seen = 0;
    let mut instructions = Vec::new();
    for line in lines {
        let line = match line.strip_prefix('@') {
            Some(rest) => rest.split_once(' ').unwrap().1.trim(),
            None => line,
        };
        if line.starts_with(|letter: char| letter.is_ascii_uppercase()) && !line.ends_with(':') {
            instructions.push(line.to_owned());
        }
        seen += usize::from(line == "EXIT");
        if seen == last {
            break;
        }
    }
    instructions
}

#[test]
fn the_code_has_the_operations_of_its_text() {
    each(|name, stage, assembly| {
        let statements = text::parse(assembly);
        let lines = listing(stage);
        let wanted = operations_of(&statements);
        let mut found = BTreeMap::new();
        for line in &lines {
            let word = line.split(' ').next().unwrap();
            // An attribute times w, as the compiler interpolates texture coordinates.
            if word == "FMUL.FTZ.RZ" {
                continue;
            }
            let plain = word.split('.').next().unwrap().trim_end_matches("32I");
            let plain = match plain {
                "TEXS" => "TEX",
                "MUFU" => word,
                _ => plain,
            };
            if wanted.contains_key(plain) {
                *found.entry(plain.to_owned()).or_insert(0) += 1;
            }
        }
        println!("{name}: {} statements, {} instructions: {found:?}", statements.len(), lines.len());
        assert_eq!(found, wanted, "{name}:\n{}", lines.join("\n"));

        // Every operand of the text is one of the code: numbers as they are or in the compiler's constants, attributes,
        // words of buffers, handles.
        let code = lines.join("\n").replace("] [", "][");
        let constants = &stage.interface.maxwell.as_deref().unwrap().constants;
        let has = |what: &str| assert!(code.contains(what), "{name}: no {what}");
        let mut handles = BTreeMap::new();
        for statement in &statements {
            match statement {
                Statement::Texture(_, coordinates, handle) => {
                    let byte: usize = handles[handle];
                    let word = format!(", {:#x}, 2D", FIRST_HANDLE + byte / 4);
                    has(&word);
                    let Source::Attribute(number) = coordinates.source else { panic!("{coordinates:?}") };
                    has(&format!("a[{:#x}]", 0x80 + 16 * number));
                    has(&format!("a[{:#x}]", 0x84 + 16 * number));
                }
                Statement::Do { modifiers, target, operands, .. } => {
                    for operand in operands {
                        match &operand.source {
                            Source::Buffer(HANDLES, byte) => {
                                handles.insert(format!("{}.x", target.name), *byte);
                            }
                            Source::Buffer(buffer, byte) => {
                                let count = if modifiers.iter().any(|kind| kind == "F32X4") { 4 } else { 1 };
                                for word in 0..count {
                                    let bank = FIRST_BANK + buffer;
                                    has(&format!("c[{bank:#x}][{:#x}]", byte + 4 * word));
                                }
                            }
                            Source::Attribute(number) => {
                                for component in 0..4 {
                                    let read = operand.swizzle.iter().zip(target.mask);
                                    if read.clone().any(|(from, written)| written && *from == component) {
                                        has(&format!("a[{:#x}]", 0x80 + 16 * number + 4 * component));
                                    }
                                }
                            }
                            Source::Literal(floats, _) if modifiers.iter().any(|kind| kind == "F32") => {
                                let number = floats[operand.swizzle[0]];
                                let bytes = number.to_le_bytes();
                                let kept = constants.chunks_exact(4).any(|word| word == bytes);
                                let digits = format!("{number:.12}");
                                let said = code.contains(&digits[..digits.len() - 4]);
                                assert!(kept || said || number == 0.0, "{name}: no {number}");
                            }
                            _ => {}
                        }
                    }
                    if let Some(place) = target.name.strip_prefix("result.") {
                        let first = match place.strip_prefix("attrib[") {
                            Some(number) => {
                                0x80 + 16 * number.trim_end_matches(']').parse::<usize>().unwrap()
                            }
                            None => 0x70,
                        };
                        for (component, written) in target.mask.iter().enumerate() {
                            assert!(
                                !written || code.contains(&format!("AST a[{:#x}]", first + 4 * component))
                            );
                        }
                    }
                }
                _ => {}
            }
        }
    });
}

/// Texels that depend on texture and place alone.
fn texel(unit: usize, [x, y]: [u32; 2]) -> [u32; 4] {
    let [x, y] = [x, y].map(f32::from_bits);
    [0.0, 1.0, 2.0, 3.0].map(|channel| {
        let place = x * (3.7 + channel) + y * (5.3 - channel) + unit as f32 * 0.31;
        (0.05 + 0.9 * (place - place.floor())).to_bits()
    })
}

fn near(got: u32, wanted: u32) -> bool {
    let [got, wanted] = [got, wanted].map(f32::from_bits);
    got.is_nan() && wanted.is_nan() || (got - wanted).abs() <= 1e-5 * wanted.abs().max(1.0)
}

#[test]
fn what_it_is_decompiled_to_does_what_the_text_says() {
    let cases: u64 = std::env::var("CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(500);
    each(|name, stage, assembly| {
        let statements = text::parse(assembly);
        let mut compared = 0;
        for (mode, list, build) in [
            ("strict", passes::strict().to_vec(), ast::raise::Mode::Strict),
            ("readable", unshade::readable_passes(Isa::Maxwell), ast::raise::Mode::Readable),
        ] {
            let mut module = lift(stage).unwrap();
            passes::run(&mut module, &list, None);
            let tree = ast::raise::raise(&module, build);
            let tree = tree.unwrap_or_else(|error| panic!("{name} {mode}: {error}")).program;
            for case in 0..cases {
                let mut random = Random::new(7, case);
                // Around the place where the curve changes, and beyond what a colour may be.
                let mut number = |scale: f32| {
                    let part = (random.next() & 0xFFFF) as f32 / 65536.0;
                    (scale * (part * 1.2 - 0.1)).to_bits()
                };
                let mut attributes = Vec::new();
                for scale in [1.5, if case % 2 == 0 { 1.0 } else { 0.08 }, 1.0] {
                    attributes.push([0; 4].map(|_| number(scale)));
                }
                let mut buffer: Vec<u32> = (0..32).map(|_| number(3.0)).collect();
                // What `SEQ.S` asks.
                buffer[16] = (case % 3) as u32;
                let world = World {
                    attributes: attributes.clone(),
                    buffers: BTreeMap::from([(0, buffer.clone())]),
                    texture: &texel,
                };
                let wanted = text::run(&statements, &world);

                let mut memory = Memory::default();
                let mut inputs = vec![0; 256];
                for (number, words) in attributes.iter().enumerate() {
                    inputs[32 + 4 * number..36 + 4 * number].copy_from_slice(words);
                }
                inputs[0x7C / 4] = 1.0_f32.to_bits();
                memory.set(Space::Input, 0, inputs);
                memory.set(Space::Uniform, 0, buffer);
                memory.set(Space::Output, 0, vec![0; 256]);
                let answer = |texture: Texture, unit: u32, operands: &[u32]| {
                    assert!(!texture.shadow && operands.len() >= 2);
                    texel(unit as usize, [operands[0], operands[1]])
                };
                let mut textured = Textured { memory, answer };
                let run = ast::exec::run(&tree, &mut textured, Limits::fuel(1 << 20));
                assert_eq!(run.outcome, Outcome::Ended);
                let given = textured.memory.words(Space::Output, 0);
                for (output, words) in wanted.iter().filter(|(name, _)| name.starts_with("result")) {
                    let first = match &output[..] {
                        "result_color0" => 0,
                        "result.position" => 28,
                        "result.attrib[0]" => 32,
                        "result.attrib[1]" => 36,
                        other => panic!("{other}"),
                    };
                    let written = statements.iter().filter_map(|statement| match statement {
                        Statement::Do { target, .. } if target.name == *output => Some(target.mask),
                        _ => None,
                    });
                    let written =
                        written.fold([false; 4], |all, mask| [0, 1, 2, 3].map(|n| all[n] || mask[n]));
                    for component in (0..4).filter(|component| written[*component]) {
                        let (got, wanted) = (given[first + component], words[component]);
                        let shown = [got, wanted].map(f32::from_bits);
                        assert!(
                            near(got, wanted),
                            "{name} {mode}: case {case}: {output}.{component}: {shown:?}"
                        );
                        compared += 1;
                    }
                }
            }
        }
        println!("{name}: {compared} values");
        assert!(compared > 0);
    });
}

/// Interpolation in these programs rounds products toward zero. `CASES` sets the number of cases.
#[test]
fn what_it_is_decompiled_to_does_what_the_machine_does() {
    let cases = std::env::var("CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(256);
    each(|name, stage, _| {
        let verdict = unshade::verify(stage, cases, 1);
        for (mode, section) in [("strict", &verdict.strict), ("readable", &verdict.readable)] {
            let said = section.failure.as_ref().map_or("equal".to_owned(), ToString::to_string);
            println!(
                "{name} {mode}: {} cases, {} outside, {} unfinished: {said}",
                section.compared,
                section.outside.total(),
                section.unfinished
            );
            assert!(section.failure.is_none() && section.compared > 0, "{name} {mode}: {said}");
        }
    });
}
