//! Row B13: the debugger goes back.

use crate::measure::{Row, row, text_of};
use std::hint::black_box;
use unshade::debug::{Command, Options, Session};
use unshade::run_json::Document;
use unshade::{Isa, Stage, StageKind};

/// Steps of a run.
const STEPS: u64 = 200_000;
/// Steps that are gone back.
const BACK: u64 = 10_000;

/// A program of each machine that never ends, and its lanes.
fn endless() -> Result<Vec<(&'static str, Stage<'static>, u32)>, String> {
    let assembled = |isa, text: &str| {
        let bytes = unshade::assemble_code(isa, text).map_err(|errors| format!("{errors:?}"))?;
        let words = unshade::words_from_bytes(&bytes).map_err(text_of)?;
        let mut stage = unshade::raw_stage(isa, words, Vec::new());
        if isa != Isa::MaliGp {
            stage.kind = StageKind::Fragment;
        }
        Ok::<_, String>(stage)
    };
    // An addition, and a jump back to it where b0 is false.
    let pica = unshade::raw_stage(Isa::Pica200, vec![0, 0x2D << 26 | 1], vec![0xAF]);
    Ok(vec![
        ("PICA200", pica, 1),
        (
            "Mali GP",
            assembled(Isa::MaliGp, include_str!("../../crates/unshade/tests/library/debug/endless.gp"))?,
            1,
        ),
        (
            "Mali PP, a quad",
            assembled(Isa::MaliPp, include_str!("../../crates/unshade/tests/library/debug/endless.pp"))?,
            4,
        ),
        (
            "Latte, a quad",
            assembled(Isa::Latte, include_str!("../../crates/unshade/tests/library/debug/endless.latte"))?,
            4,
        ),
        (
            "Maxwell, a quad",
            assembled(
                Isa::Maxwell,
                include_str!("../../crates/unshade/tests/library/debug/endless.maxwell"),
            )?,
            4,
        ),
    ])
}

/// Ten thousand steps back, one by one, and a look at each hundredth; each run goes on back from where the one before
/// stopped.
pub fn back() -> Result<(), String> {
    for (name, stage, lanes) in endless()? {
        let document = Document::inputs(&format!(r#"{{"lanes":{lanes},"in":{{}}}}"#)).map_err(text_of)?;
        let options = Options { fuel: STEPS, ..Options::default() };
        let mut session = Session::new(&stage, &document, options).map_err(text_of)?;
        session.go(&Command::End).map_err(text_of)?;
        let end = session.view();
        let measured = Row {
            id: "B13",
            task: format!("debugger, 10,000 steps back: {name}"),
            unit: "ms",
            target: 100.0,
            stretch: 20.0,
        };
        row(&measured, || {
            let from = session.step();
            for n in 0..BACK {
                session.go(&Command::Back { count: 1 }).map_err(text_of)?;
                if n % 100 == 0 {
                    black_box(session.view());
                }
            }
            if session.step() == from - BACK { Ok(1.0) } else { Err("another place".into()) }
        })?;
        session.go(&Command::End).map_err(text_of)?;
        if session.view() != end {
            return Err(format!("{name}: the end is another one"));
        }
    }
    Ok(())
}
