//! Where the time of decompiling goes: `unshade-benches phases`.

use crate::measure::text_of;
use std::collections::BTreeMap;
use std::hint::black_box;
use std::time::{Duration, Instant};
use unshade::Stage;
use unshade_emit::{Options, glsl, naga};
use unshade_ir::ast;

/// Prints the mean time of each step, in microseconds and in nanoseconds per machine word.
#[allow(clippy::print_stdout, reason = "the table is what this program is for")]
pub fn print(name: &str, stage: &Stage<'_>, times: u32) -> Result<(), String> {
    let mut total = BTreeMap::<(usize, String), Duration>::new();
    for _ in 0..times {
        let mut step = 0;
        let mut last = Instant::now();
        let mut lap = |name: &str| {
            *total.entry((step, name.to_owned())).or_default() += last.elapsed();
            step += 1;
            last = Instant::now();
        };
        let mut module = unshade::lift(stage).map_err(text_of)?;
        lap("lift");
        for pass in unshade::readable_passes(stage.isa) {
            let changes = (pass.run)(&mut module).count;
            lap(&format!("{} ({changes})", pass.name));
        }
        let built = ast::raise::raise(&module, ast::raise::Mode::Readable).map_err(text_of)?;
        lap("tree");
        let options = Options::new(stage.kind);
        black_box(glsl::print(&built.program, &options).map_err(text_of)?);
        lap("GLSL");
        black_box(naga::spirv(&built.program, &options).map_err(text_of)?);
        lap("SPIR-V");
    }
    println!("{name}: {} words", stage.code.words.len());
    for ((_, name), time) in total {
        let micros = time.as_secs_f64() * 1e6 / f64::from(times);
        println!(
            "  {name:<20} {micros:>9.1} us {:>9.1} ns/word",
            micros * 1e3 / stage.code.words.len() as f64
        );
    }
    Ok(())
}
