//! The rows, by their number in the table.

use crate::{
    catalog, debug, maxwell,
    measure::{Row, row, text_of},
    phases, programs, shading_models,
};
use std::{hint::black_box, path::Path, process::Command, time::Duration};
use unshade::{
    Code, Container, DecompileOptions, GlslVersion, ListingOptions, Stage, Syntax, Target,
    pica200::exec::{
        Program, State,
        batch::{Attribute, Batch, Column},
    },
    wrap::yaz0::{self, Level, Yaz0},
};

/// A row by its number.
type Measured = (&'static str, fn() -> Result<(), String>);

/// All rows.
pub const ALL: &[Measured] = &[
    ("B1", read_small),
    ("B2", shading_models::open),
    ("B3", shading_models::check),
    ("B4", maxwell::text),
    ("B5", text),
    ("B6", mali_text),
    ("B7", latte_text),
    ("B8", interpret),
    ("B9", decompile),
    ("B10", wrappers),
    ("B10s", catalog::scanning),
    ("B10q", catalog::questions),
    ("B11", shading_models::pick),
    ("B12", start),
    ("B13", debug::back),
    ("B14", compile),
];

/// Where the time of row B9 goes.
pub fn decompile_phases() -> Result<(), String> {
    decompiled(|subject| phases::print(subject.name, subject.stage, 10_000 / subject.instructions as u32 + 1))
}

/// What row B9 decompiles.
pub struct Subject<'a> {
    /// For the command line: no spaces.
    pub key: &'static str,
    /// For people.
    pub name: &'static str,
    /// The program.
    pub stage: &'a Stage<'a>,
    /// Machine instructions that it has.
    pub instructions: usize,
}

/// Hands out the programs that row B9 decompiles, one after the other.
pub fn decompiled(mut work: impl FnMut(&Subject<'_>) -> Result<(), String>) -> Result<(), String> {
    let assembly = programs::assemble(&programs::long_source(programs::PICA_STEPS))?;
    let long =
        unshade::raw_stage(unshade::Isa::Pica200, assembly.program.words, assembly.program.descriptors);
    let container = Container::read(include_bytes!("../../samples/lighting.shbin")).map_err(text_of)?;
    let lighting = container.stages().next().ok_or("no program")?;
    let file = unshade::open(include_bytes!("../../samples/blur.gsh")).map_err(text_of)?;
    let blurred =
        unshade::report::items(&file, Some("pixel0")).items.first().map(|item| item.instructions as usize);
    let (_, blur) = file.stages(Some("pixel0")).next().ok_or("no pixel program")?;
    let programs = [
        (&lighting, "pica-lighting", "PICA200 lighting", lighting.code.words.len()),
        (&long, "pica-long", "PICA200, long straight program", long.code.words.len()),
        (&blur, "latte-blur", "Latte blur", blurred.unwrap_or_default()),
    ];
    for (stage, key, name, instructions) in programs {
        work(&Subject { key, name, stage, instructions })?;
    }
    maxwell::decompiled(work)
}

/// Decompiles one of the programs that many times and does nothing else: for counting instructions.
pub fn decompile_only(key: &str, times: usize) -> Result<(), String> {
    let mut found = false;
    decompiled(|subject| {
        if subject.key != key {
            return Ok(());
        }
        found = true;
        for _ in 0..times {
            let made = unshade::decompile(black_box(subject.stage), &DecompileOptions::default());
            black_box(made.map_err(text_of)?);
        }
        Ok(())
    })?;
    if found { Ok(()) } else { Err(format!("no program is called {key}")) }
}

/// B1: many small files in memory.
fn read_small() -> Result<(), String> {
    const FILES: usize = 10_000;
    let files = || programs::SMALL.iter().cycle().take(FILES);
    let megabytes = files().map(|file| file.len()).sum::<usize>() as f64 / 1e6;
    let reading = Row {
        id: "B1",
        task: "10,000 small SHBIN: read".into(),
        unit: "MB/s",
        target: 500.0,
        stretch: 1000.0,
    };
    row(&reading, || {
        for file in files() {
            black_box(Container::read(black_box(file)).map_err(text_of)?);
        }
        Ok(megabytes)
    })?;
    for file in programs::SMALL {
        let container = Container::read(file).map_err(text_of)?;
        if container.write().map_err(text_of)? != *file {
            return Err("a rewrite differs".into());
        }
    }
    let checking =
        Row { task: "10,000 small SHBIN: read and check".into(), target: 150.0, stretch: 400.0, ..reading };
    row(&checking, || {
        let mut findings = 0;
        for file in files() {
            let container = Container::read(black_box(file)).map_err(text_of)?;
            findings +=
                container.check().iter().filter(|found| found.severity == unshade::Severity::Error).count();
        }
        if findings > 0 { Err("a sound file has errors".into()) } else { Ok(megabytes) }
    })
}

/// B5: text to code, code to text.
fn text() -> Result<(), String> {
    const TIMES: usize = 200;
    let source = programs::long_source(programs::PICA_STEPS);
    let assembly = programs::assemble(&source)?;
    let words = assembly.program.words.clone();
    let amount = (words.len() * TIMES) as f64 / 1e6;
    let assembling = Row {
        id: "B5",
        task: format!("PICA200: assemble a source of {} instructions", words.len()),
        unit: "M instr/s",
        target: 10.0,
        stretch: 25.0,
    };
    row(&assembling, || {
        for _ in 0..TIMES {
            if programs::assemble(black_box(&source))?.program.words != words {
                return Err("the code differs".into());
            }
        }
        Ok(amount)
    })?;
    let stage =
        unshade::raw_stage(unshade::Isa::Pica200, words.clone(), assembly.program.descriptors.clone());
    let listing = unshade::disassemble_stage_to_text(&stage, &ListingOptions::default());
    let back = unshade::assemble_code(unshade::Isa::Pica200, &listing)
        .map_err(|findings| findings.first().map(ToString::to_string).unwrap_or_default())?;
    if back != words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<_>>() {
        return Err("the listing gives other code".into());
    }
    let disassembling =
        Row { task: "PICA200: the same code to a listing".into(), target: 12.0, stretch: 30.0, ..assembling };
    row(&disassembling, || {
        for _ in 0..TIMES {
            if unshade::disassemble_stage_to_text(black_box(&stage), &ListingOptions::default()).len()
                != listing.len()
            {
                return Err("the text differs".into());
            }
        }
        Ok(amount)
    })
}

/// B7: Latte code to text, in both dialects.
fn latte_text() -> Result<(), String> {
    const TIMES: usize = 200;
    let first =
        |findings: Vec<unshade::Diagnostic>| findings.first().map(ToString::to_string).unwrap_or_default();
    let code =
        unshade::assemble_code(unshade::Isa::Latte, &programs::long_latte_source(programs::LATTE_CLAUSES))
            .map_err(first)?;
    let words = unshade::words_from_bytes(&code).map_err(text_of)?;
    let stage = unshade::raw_stage(unshade::Isa::Latte, words, Vec::new());
    let listing = unshade::disassemble_stage_to_text(&stage, &ListingOptions::default());
    if unshade::assemble_code(unshade::Isa::Latte, &listing).map_err(first)? != code {
        return Err("the listing gives other code".into());
    }
    let amount = (code.len() * TIMES) as f64 / 1e6;
    let native = Row {
        id: "B7",
        task: format!("Latte: {} bytes of code to a listing", code.len()),
        unit: "MB/s",
        target: 150.0,
        stretch: 300.0,
    };
    row(&native, || {
        for _ in 0..TIMES {
            let text = unshade::disassemble_stage_to_text(black_box(&stage), &ListingOptions::default());
            if text.len() != listing.len() {
                return Err("the text differs".into());
            }
        }
        Ok(amount)
    })
}

/// B8: one vertex program, a million vertices.
fn interpret() -> Result<(), String> {
    const VERTICES: usize = 1_000_000;
    let container = Container::read(include_bytes!("../../samples/lighting.shbin")).map_err(text_of)?;
    let stage = container.stages().next().ok_or("no program")?;
    let program = Program::new(&stage);
    let mut common = State::new(&stage);
    for (n, register) in common.c.iter_mut().enumerate().take(24) {
        *register = std::array::from_fn(|lane| ((n * 4 + lane) % 7) as f32 * 0.25 - 0.5);
    }
    common.i[0] = [3, 0, 1, 0];
    common.b[0] = true;
    let attribute = |scale: f32| -> Vec<[f32; 4]> {
        (0..VERTICES)
            .map(|n| [(n % 97) as f32 * scale, (n % 31) as f32 - 15.0, (n % 13) as f32 * 0.5, 1.0])
            .collect()
    };
    let inputs = [attribute(0.25), attribute(-0.125), attribute(0.01), attribute(0.005)];
    let batch = Batch::new(&program, &common).ok_or("a geometry program")?;
    let mut position = vec![[0.0; 4]; VERTICES];
    let mut color = vec![[0.0; 4]; VERTICES];
    let interpreting = Row {
        id: "B8",
        task: format!("PICA200 interpreter, {} words over 1 M vertices", stage.code.words.len()),
        unit: "M instr/s",
        target: 300.0,
        stretch: 1000.0,
    };
    row(&interpreting, || {
        let attributes: Vec<_> =
            inputs.iter().zip(0..).map(|(values, register)| Attribute { register, values }).collect();
        let mut results =
            [Column { register: 0, values: &mut position }, Column { register: 1, values: &mut color }];
        let summary = batch.run(VERTICES, &attributes, &mut results, 10_000);
        if summary.unfinished > 0 {
            return Err("a vertex did not end".into());
        }
        Ok(summary.steps as f64 / 1e6)
    })?;
    for vertex in (0..VERTICES).step_by(9973) {
        let mut state = common.clone();
        for (register, values) in inputs.iter().enumerate() {
            state.v[register] = values[vertex];
        }
        program.run(&mut state, 10_000);
        let same = |a: [f32; 4], b: [f32; 4]| a.map(f32::to_bits) == b.map(f32::to_bits);
        if !same(state.o[0], position[vertex]) || !same(state.o[1], color[vertex]) {
            return Err(format!("vertex {vertex} differs from the reference interpreter"));
        }
    }
    Ok(())
}

/// B6: Mali code to text, in our own language and in Mesa's.
fn mali_text() -> Result<(), String> {
    const INSTRUCTIONS: usize = 1 << 15;
    let samples: [(&str, &[u8]); 2] = [
        ("GP", include_bytes!("../../samples/lambert.vert.mbs")),
        ("PP", include_bytes!("../../samples/phong.frag.mbs")),
    ];
    for (name, file) in samples {
        let container = Container::read(file).map_err(text_of)?;
        let sample = container.stages().next().ok_or("no program")?;
        let once = unshade::item_listing(&sample).instructions.len();
        // One long code, as the figure is about printing, not about programs of thirty instructions.
        let words = sample.code.words.repeat(INSTRUCTIONS / once);
        let code = Code { words: words.into(), ..Code::default() };
        let stage = Stage { code, ..sample };
        let instructions = (INSTRUCTIONS / once * once) as f64 / 1e6;
        let foreign = unshade::foreign_text(&stage, Syntax::Lima).map_err(text_of)?.0;
        let own = unshade::disassemble_stage_to_text(&stage, &ListingOptions::default());
        let reading = Row {
            id: "B6",
            task: format!("Mali {name} code to a listing"),
            unit: "M instr/s",
            target: 10.0,
            stretch: 25.0,
        };
        row(&reading, || {
            let text = unshade::disassemble_stage_to_text(black_box(&stage), &ListingOptions::default());
            if text == own { Ok(instructions) } else { Err("the listing differs".into()) }
        })?;
        row(&Row { task: format!("Mali {name} code to Mesa's text"), ..reading }, || {
            let text = unshade::foreign_text_plain(black_box(&stage), Syntax::Lima).map_err(text_of)?;
            if text == foreign.text() { Ok(instructions) } else { Err("the text differs".into()) }
        })?;
    }
    Ok(())
}

/// B9: machine code to source.
fn decompile() -> Result<(), String> {
    decompiled(|subject| {
        source(subject, Target::Glsl(GlslVersion::Core450), "GLSL", 1.0, 3.0)?;
        source(subject, Target::Spirv, "SPIR-V", 0.5, 1.0)
    })
}

fn source(
    subject: &Subject<'_>,
    target: Target,
    language: &str,
    goal: f64,
    stretch: f64,
) -> Result<(), String> {
    let &Subject { stage, name, instructions, .. } = subject;
    let times = 20 * 512 / instructions.max(1);
    let options = DecompileOptions { target, ..DecompileOptions::default() };
    let expected = unshade::decompile(stage, &options).map_err(text_of)?.bytes();
    if !unshade::verify(stage, 64, 1).passed() {
        return Err("verify fails".into());
    }
    let task = format!("decompile to {language} ({name}, {instructions} instructions)");
    row(&Row { id: "B9", task, unit: "M instr/s", target: goal, stretch }, || {
        for _ in 0..times {
            if unshade::decompile(black_box(stage), &options).map_err(text_of)?.bytes() != expected {
                return Err("the source differs".into());
            }
        }
        Ok((instructions * times) as f64 / 1e6)
    })
}

/// What Yaz0 packs: one program's words between values that repeat less.
///
/// # Errors
/// Where the program does not assemble.
pub fn yaz0_data(size: usize) -> Result<Vec<u8>, String> {
    let words = programs::assemble(&programs::long_source(programs::PICA_STEPS))?.program.words;
    let mut state = 1_u32;
    let mut data = Vec::with_capacity(size + 4096);
    while data.len() < size {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let start = state as usize >> 8;
        data.extend(
            words
                .iter()
                .cycle()
                .skip(start % words.len())
                .take(start % 61)
                .flat_map(|word| word.to_le_bytes()),
        );
        data.extend((0..start % 23).map(|n| (state >> (n % 24)) as u8));
    }
    Ok(data)
}

/// B10: what is around shaders, unpacked and packed.
fn wrappers() -> Result<(), String> {
    let data = yaz0_data(8 << 20)?;
    let megabytes = data.len() as f64 / 1e6;
    let levels = [(Level::Fast, 10.0, 30.0), (Level::Normal, 5.0, 15.0), (Level::Best, 2.0, 8.0)];
    let stream = yaz0::encode(&data, Level::Normal).into();
    let file = Yaz0 { alignment: 0, reserved: 0, stream, tail: Vec::new().into(), data: data.clone() };
    let packed = file.write().map_err(text_of)?;
    let unpacking = Row {
        id: "B10",
        task: format!("Yaz0: unpack {} MB out of {:.1}", megabytes as u64, packed.len() as f64 / 1e6),
        unit: "MB/s",
        target: 200.0,
        stretch: 500.0,
    };
    row(&unpacking, || match yaz0::read(black_box(&packed)) {
        Ok(read) if read.data.len() == data.len() => Ok(megabytes),
        _ => Err("the data differs".into()),
    })?;
    for (level, target, stretch) in levels {
        let expected = yaz0::encode(&data, level);
        let task = format!("Yaz0: pack at level {} to {:.1} MB", level.name(), expected.len() as f64 / 1e6);
        row(&Row { task, target, stretch, ..unpacking.clone() }, || {
            if yaz0::encode(black_box(&data), level) == expected {
                Ok(megabytes)
            } else {
                Err("not the same twice".into())
            }
        })?;
    }
    Ok(())
}

/// B12: the whole process on a small file.
fn start() -> Result<(), String> {
    const TIMES: usize = 20;
    let folder = std::env::current_exe().map_err(text_of)?;
    let binary = folder.with_file_name(format!("unshade{}", std::env::consts::EXE_SUFFIX));
    if !binary.exists() {
        return Err(format!("{} is not built", binary.display()));
    }
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("../samples/lighting.shbin");
    let starting = Row {
        id: "B12",
        task: "start of the binary: info on a small file".into(),
        unit: "ms",
        target: 5.0,
        stretch: 2.0,
    };
    row(&starting, || {
        let before = std::time::Instant::now();
        for _ in 0..TIMES {
            let output = Command::new(&binary).arg("info").arg(&sample).output().map_err(text_of)?;
            if !output.status.success() || output.stdout.is_empty() {
                return Err("the command failed".into());
            }
        }
        if before.elapsed() > Duration::from_secs(60) { Err("far too slow".into()) } else { Ok(TIMES as f64) }
    })
}

/// B14: vertex programs from GLSL to files.
fn compile() -> Result<(), String> {
    use unshade::compile::{Language, Options, Source, compile_shbin};
    const TIMES: usize = 20;
    let programs = [
        ("mvp.vert.glsl", include_str!("../../tests/compile-programs/programs/mvp.vert.glsl")),
        ("lambert.vert.glsl", include_str!("../../tests/compile-programs/programs/lambert.es300.vert.glsl")),
        ("fog.vert.glsl", include_str!("../../tests/compile-programs/programs/fog.vert.glsl")),
        ("flags.vert.glsl", include_str!("../../tests/compile-programs/programs/flags.vert.glsl")),
        ("lights.vert.glsl", include_str!("../../tests/compile-programs/programs/lights_loop.vert.glsl")),
    ];
    let compiling = Row {
        id: "B14",
        task: "compile GLSL vertex programs, 5 small ones".into(),
        unit: "programs",
        target: 200.0,
        stretch: 2000.0,
    };
    row(&compiling, || {
        let mut bytes = 0;
        for _ in 0..TIMES {
            for (name, text) in programs {
                let source = Source { name, text: black_box(text), language: Language::Glsl };
                let compiled =
                    compile_shbin(&[source], &Options::default()).map_err(|found| format!("{found:?}"))?;
                bytes += compiled.write().map_err(text_of)?.len();
            }
        }
        if bytes > 0 { Ok((TIMES * programs.len()) as f64) } else { Err("nothing was written".into()) }
    })
}
