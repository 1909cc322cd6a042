//! What the rows cost at growing sizes: time, and memory of the heap; and how many programs a second so many threads
//! decompile. `tools/plots` draws both. Heap is counted by an allocator that all threads share, so threads are measured in
//! the other program, with the allocator of the command.

use crate::{
    maxwell,
    measure::text_of,
    programs,
    rows::yaz0_data,
    shading_models::{archive_of, picking},
};
use std::hint::black_box;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use unshade::{
    Code, Container, DecompileOptions, Isa, ListingOptions, Stage, bfsha,
    pica200::exec::{
        Program, State,
        batch::{Attribute, Batch, Column},
    },
    wrap::yaz0::{self, Level, Yaz0},
};

/// Sizes, in steps of a row's own.
const SIZES: [usize; 7] = [1, 2, 4, 8, 16, 32, 64];
/// Runs of which the median is taken.
const RUNS: usize = 7;
/// Most time that one size takes; then there are fewer runs.
const LONGEST: Duration = Duration::from_secs(4);

/// Bytes of the heap that are in use, and the most since the last call of the second function.
#[derive(Debug, Clone, Copy)]
pub struct Heap {
    /// In use now.
    pub now: fn() -> usize,
    /// Starts a new peak.
    pub reset: fn(),
    /// The peak.
    pub peak: fn() -> usize,
}

/// Work of one size: how much it is, and how to do it. What it makes is kept until it is done.
type Work = (f64, Box<dyn FnMut() -> Result<(), String>>);

/// A row that grows.
struct Series {
    row: &'static str,
    task: &'static str,
    unit: &'static str,
    of: fn(usize) -> Result<Option<Work>, String>,
}

const ALL: [Series; 17] = [
    Series { row: "B1", task: "read SHBIN files", unit: "MB", of: read },
    Series { row: "B2", task: "open a BFSHA and list its programs", unit: "programs", of: open },
    Series { row: "B3", task: "check a BFSHA", unit: "MB", of: check },
    Series { row: "B3", task: "write a BFSHA", unit: "MB", of: write },
    Series {
        row: "B4",
        task: "Maxwell code to a listing",
        unit: "instructions",
        of: |n| listing(Isa::Maxwell, n),
    },
    Series {
        row: "B4",
        task: "Maxwell listing to code",
        unit: "instructions",
        of: |n| assembling(Isa::Maxwell, n),
    },
    Series {
        row: "B5",
        task: "PICA200 code to a listing",
        unit: "instructions",
        of: |n| listing(Isa::Pica200, n),
    },
    Series {
        row: "B5",
        task: "PICA200 listing to code",
        unit: "instructions",
        of: |n| assembling(Isa::Pica200, n),
    },
    Series {
        row: "B6",
        task: "Mali PP code to a listing",
        unit: "instructions",
        of: |n| listing(Isa::MaliPp, n),
    },
    Series { row: "B7", task: "Latte code to a listing", unit: "bytes", of: |n| listing(Isa::Latte, n) },
    Series { row: "B8", task: "PICA200 interpreter", unit: "vertices", of: interpret },
    Series {
        row: "B9",
        task: "decompile a PICA200 program",
        unit: "instructions",
        of: |n| decompile(Isa::Pica200, n),
    },
    Series {
        row: "B9",
        task: "decompile a Maxwell program",
        unit: "instructions",
        of: |n| decompile(Isa::Maxwell, n),
    },
    Series { row: "B10", task: "unpack Yaz0", unit: "MB", of: unpack },
    Series { row: "B10", task: "pack Yaz0", unit: "MB", of: pack },
    Series { row: "B11", task: "100 questions to pick", unit: "programs", of: pick },
    Series { row: "B19", task: "verify a Maxwell program on 64 cases", unit: "instructions", of: verify },
];

/// Prints all as a table with tabs: row, task, size, unit, milliseconds, bytes of the heap.
///
/// # Errors
/// Where a result is wrong.
#[allow(clippy::print_stdout, reason = "the table is what this is for")]
pub fn print(heap: Heap) -> Result<(), String> {
    for series in &ALL {
        for size in SIZES {
            let Some((amount, mut work)) = (series.of)(size)? else { break };
            (heap.reset)();
            let before = (heap.now)();
            work()?;
            let bytes = (heap.peak)().saturating_sub(before);
            let mut times = Vec::new();
            let all = Instant::now();
            while times.len() < RUNS && (times.len() < 3 || all.elapsed() < LONGEST) {
                let start = Instant::now();
                work()?;
                times.push(start.elapsed());
            }
            times.sort_unstable();
            let milliseconds = times[times.len() / 2].as_secs_f64() * 1e3;
            let Series { row, task, unit, .. } = series;
            println!("{row}\t{task}\t{amount}\t{unit}\t{milliseconds:.6}\t{bytes}");
        }
    }
    Ok(())
}

/// Prints a table with tabs: `threads`, what they do, their number, the unit, programs a second.
///
/// # Errors
/// Where a sample cannot be read.
#[allow(clippy::print_stdout, reason = "the table is what this is for")]
pub fn print_threads() -> Result<(), String> {
    let stages = samples()?;
    for threads in 1..=2 * std::thread::available_parallelism().map_or(1, usize::from) {
        println!("threads\tdecompile samples\t{threads}\tthreads\t{:.3}\t0", batch(&stages, threads)?);
    }
    Ok(())
}

fn done(amount: f64, work: impl FnMut() -> Result<(), String> + 'static) -> Result<Option<Work>, String> {
    Ok(Some((amount, Box::new(work))))
}

fn read(size: usize) -> Result<Option<Work>, String> {
    let files: Vec<&[u8]> = programs::SMALL.iter().copied().cycle().take(100 * size).collect();
    let megabytes = files.iter().map(|file| file.len()).sum::<usize>() as f64 / 1e6;
    done(megabytes, move || {
        let read: Result<Vec<Container>, _> =
            files.iter().map(|file| Container::read(black_box(file))).collect();
        black_box(read.map_err(text_of)?);
        Ok(())
    })
}

/// An archive of a 64th of 4,000 programs times `size`.
fn model_archive(size: usize) -> Result<Option<Vec<u8>>, String> {
    archive_of(4000 * size / 64)
}

fn open(size: usize) -> Result<Option<Work>, String> {
    let Some(bytes) = model_archive(size)? else { return Ok(None) };
    let programs = bfsha::index::Index::open(&bytes).map_err(text_of)?.program_count();
    done(programs as f64, move || {
        let index = bfsha::index::Index::open(black_box(&bytes)).map_err(text_of)?;
        let mut names = 0;
        for model in &index.models {
            let bfsha::index::ModelRecord::Switch(record) = &model.record else { continue };
            let shaders = index.bnsh(record).map_err(text_of)?;
            for program in 0..model.programs {
                names += index.stage_names(model, Some(&shaders), program).map_err(text_of)?.len();
            }
        }
        if names >= programs { Ok(()) } else { Err("programs are missing".into()) }
    })
}

fn check(size: usize) -> Result<Option<Work>, String> {
    let Some(bytes) = model_archive(size)? else { return Ok(None) };
    let container = Container::read(&bytes).map_err(text_of)?;
    done(bytes.len() as f64 / 1e6, move || {
        black_box(black_box(&container).check());
        Ok(())
    })
}

fn write(size: usize) -> Result<Option<Work>, String> {
    let Some(bytes) = model_archive(size)? else { return Ok(None) };
    let container = Container::read(&bytes).map_err(text_of)?;
    done(bytes.len() as f64 / 1e6, move || {
        if container.write().map_err(text_of)? == bytes { Ok(()) } else { Err("other bytes".into()) }
    })
}

/// Code of an instruction set that grows, and how much it is.
fn code(isa: Isa, size: usize) -> Result<(f64, Stage<'static>), String> {
    let first =
        |findings: Vec<unshade::Diagnostic>| findings.first().map(ToString::to_string).unwrap_or_default();
    match isa {
        Isa::Maxwell => {
            let (words, count) = maxwell::long_code(size)?;
            Ok((count as f64, unshade::raw_stage(isa, words, Vec::new())))
        }
        Isa::Latte => {
            let code = unshade::assemble_code(isa, &programs::long_latte_source(4 * size)).map_err(first)?;
            let words = unshade::words_from_bytes(&code).map_err(text_of)?;
            Ok((code.len() as f64, unshade::raw_stage(isa, words, Vec::new())))
        }
        Isa::MaliPp => {
            let file = Container::read(include_bytes!("../../samples/phong.frag.mbs")).map_err(text_of)?;
            let stage = file.stages().next().ok_or("no program")?.into_owned();
            let once = unshade::item_listing(&stage).instructions.len();
            let code = Code { words: stage.code.words.repeat(10 * size).into(), ..Code::default() };
            Ok(((10 * size * once) as f64, Stage { code, ..stage }))
        }
        _ => {
            let program = programs::assemble(&programs::long_source(41))?.program;
            let words = program.words.repeat(size);
            Ok((words.len() as f64, unshade::raw_stage(isa, words, program.descriptors)))
        }
    }
}

fn listing(isa: Isa, size: usize) -> Result<Option<Work>, String> {
    let (amount, stage) = code(isa, size)?;
    done(amount, move || {
        black_box(unshade::disassemble_stage_to_text(black_box(&stage), &ListingOptions::default()));
        Ok(())
    })
}

fn assembling(isa: Isa, size: usize) -> Result<Option<Work>, String> {
    let (amount, stage) = code(isa, size)?;
    let text = unshade::disassemble_stage_to_text(&stage, &ListingOptions::default());
    done(amount, move || match unshade::assemble_code(isa, black_box(&text)) {
        Ok(bytes) if bytes.len() == 4 * stage.code.words.len() => Ok(()),
        _ => Err("the code differs".into()),
    })
}

fn interpret(size: usize) -> Result<Option<Work>, String> {
    let vertices = 1000 * size;
    let container = Container::read(include_bytes!("../../samples/lighting.shbin")).map_err(text_of)?;
    let stage = container.stages().next().ok_or("no program")?.into_owned();
    done(vertices as f64, move || {
        let program = Program::new(&stage);
        let common = State::new(&stage);
        let values: Vec<[f32; 4]> = (0..vertices).map(|n| [n as f32, 1.0, 0.5, 1.0]).collect();
        let mut position = vec![[0.0; 4]; vertices];
        let batch = Batch::new(&program, &common).ok_or("a geometry program")?;
        let attributes: Vec<_> = (0..4).map(|register| Attribute { register, values: &values }).collect();
        let mut results = [Column { register: 0, values: &mut position }];
        let summary = batch.run(vertices, &attributes, &mut results, 10_000);
        if summary.unfinished == 0 { Ok(()) } else { Err("a vertex did not end".into()) }
    })
}

/// One program that grows.
fn decompile(isa: Isa, size: usize) -> Result<Option<Work>, String> {
    // Longer programs than these no machine holds.
    if size > 32 {
        return Ok(None);
    }
    let stage = match isa {
        Isa::Maxwell => maxwell::long_program(3 * size)?,
        _ => {
            let program = programs::assemble(&programs::long_source(size))?.program;
            unshade::raw_stage(isa, program.words, program.descriptors)
        }
    };
    let amount = match isa {
        Isa::Maxwell => unshade::maxwell::layout::instructions(&stage.code.words).count(),
        _ => stage.code.words.len(),
    };
    done(amount as f64, move || {
        let made = unshade::decompile(black_box(&stage), &DecompileOptions::default());
        black_box(made.map_err(text_of)?);
        Ok(())
    })
}

/// Programs of 60 to 4,000 instructions.
fn verify(size: usize) -> Result<Option<Work>, String> {
    let stage = maxwell::long_program(4 * size)?;
    let amount = unshade::maxwell::layout::instructions(&stage.code.words).count();
    done(amount as f64, move || match unshade::verify(black_box(&stage), 64, 1) {
        verdict if verdict.strict.failure.is_none() && verdict.readable.failure.is_none() => Ok(()),
        verdict => Err(format!("verify fails: {verdict:?}")),
    })
}

fn unpack(size: usize) -> Result<Option<Work>, String> {
    let data = yaz0_data((128 << 10) * size)?;
    let stream = yaz0::encode(&data, Level::Normal).into();
    let len = data.len();
    let file = Yaz0 { alignment: 0, reserved: 0, stream, tail: Vec::new().into(), data };
    let packed = file.write().map_err(text_of)?;
    done(len as f64 / 1e6, move || match yaz0::read(black_box(&packed)) {
        Ok(read) if read.data.len() == len => Ok(()),
        _ => Err("the data differs".into()),
    })
}

fn pack(size: usize) -> Result<Option<Work>, String> {
    let data = yaz0_data((32 << 10) * size)?;
    done(data.len() as f64 / 1e6, move || {
        black_box(yaz0::encode(black_box(&data), Level::Normal));
        Ok(())
    })
}

fn pick(size: usize) -> Result<Option<Work>, String> {
    let programs = 100 * size;
    done(programs as f64, picking(programs, 100)?)
}

/// All programs of the samples.
fn samples() -> Result<Vec<Stage<'static>>, String> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../samples");
    let mut stages = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(text_of)? {
        let bytes = std::fs::read(entry.map_err(text_of)?.path()).map_err(text_of)?;
        let Ok(opened) = unshade::open(&bytes) else { continue };
        stages.extend(opened.stages(None).map(|(_, stage)| stage.into_owned()));
    }
    Ok(stages)
}

/// Programs a second that so many threads decompile.
fn batch(stages: &[Stage<'static>], threads: usize) -> Result<f64, String> {
    const TIMES: usize = 40;
    let next = AtomicUsize::new(0);
    let all = stages.len() * TIMES;
    let start = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(stage) = Some(next.fetch_add(1, Ordering::Relaxed))
                    .filter(|at| *at < all)
                    .and_then(|at| stages.get(at % stages.len()))
                {
                    let _ = black_box(unshade::decompile(stage, &DecompileOptions::default()));
                }
            });
        }
    });
    Ok(all as f64 / start.elapsed().as_secs_f64())
}
