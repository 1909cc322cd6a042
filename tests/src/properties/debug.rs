//! The debugger: any code, any commands.

use super::words;
use std::collections::BTreeMap;
use unshade::debug::{self, Command, Options, Session, Stop, Stopped, View};
use unshade::run_json::{self, Document};
use unshade::{ISAS, Isa, Stage, StageKind};

/// Steps of a run.
const FUEL: u64 = 600;
/// Commands of a walk.
const COMMANDS: usize = 24;

/// Kinds of programs, by number.
const KINDS: [StageKind; 6] = [
    StageKind::Vertex,
    StageKind::Fragment,
    StageKind::Geometry,
    StageKind::Compute,
    StageKind::TessControl,
    StageKind::TessEval,
];

/// A program of any words under any commands. The first byte says how many bytes are commands, the second which machine
/// and which kind of program.
pub fn debug(data: &[u8]) {
    let [count, which, rest @ ..] = data else { return };
    let (commands, code) = rest.split_at(usize::from(*count).min(rest.len()));
    let isa = ISAS[usize::from(*which) % ISAS.len()];
    let mut stage = unshade::raw_stage(isa, words(code), Vec::new());
    stage.kind = KINDS[usize::from(which >> 4) % KINDS.len()];
    let lanes =
        if stage.kind == StageKind::Fragment && isa != Isa::Pica200 { r#"{"lanes":4,"in":{}}"# } else { "" };
    let document = Document::inputs(lanes).expect("a document");
    walks(&stage, &document, 0, FUEL, commands, COMMANDS);
    for line in String::from_utf8_lossy(commands).lines() {
        let _ = debug::parse(line);
    }
}

/// What a view says of the place alone.
fn place(mut view: View) -> View {
    view.stop = Stop { reason: Stopped::Done, breakpoint: None };
    view.printed = None;
    view.breakpoints.clear();
    view
}

/// A run as `run` does it, and the same under the debugger: forward to the end it has the same outputs, and whatever
/// commands lead to a place, there is what was there when it was passed first. `bytes` choose the commands.
pub fn walks(stage: &Stage<'_>, document: &Document, case: usize, fuel: u64, bytes: &[u8], most: usize) {
    let options = Options { case, fuel, states: 1 << 18, ..Options::default() };
    let alone =
        Document { cases: document.cases.get(case).cloned().into_iter().collect(), ..document.clone() };
    let run = run_json::run(stage, &alone, fuel);
    let mut session = match (Session::new(stage, document, options), &run) {
        (Ok(session), Ok(_)) => session,
        (Err(_), Err(_)) => return,
        // Too much of what a whole document may give.
        (Ok(_), Err(error)) if error.message.contains("vertices") => return,
        (session, run) => panic!("{run:?}, but {session:?}"),
    };
    let mut passed: BTreeMap<u64, View> = BTreeMap::new();
    let remembered = if most > 100 { 4000 } else { 200 };
    loop {
        let view = if session.step() < remembered { Some(place(session.view())) } else { None };
        let step = session.step();
        passed.extend(view.map(|view| (step, view)));
        session.go(&Command::Step { count: 1 }).expect("a step");
        if session.step() == step {
            break;
        }
    }
    let end = session.view();
    let last = end.step;
    assert!(last <= fuel, "{last} steps with {fuel} allowed");
    let run = &run.expect("a run")[0];
    assert_eq!(end.outputs, run.outputs.to_json(), "{last} steps");
    assert_eq!(end.ended.as_ref().map(|ended| ended.why.clone()), Some(run.unfinished.clone()));
    passed.insert(last, place(end));
    let words: Vec<u32> = passed.values().filter_map(|view| view.next.as_ref()?.word).collect();
    for chunk in bytes.chunks(2).take(most) {
        let (what, how) = (chunk[0], u64::from(chunk.get(1).copied().unwrap_or(7)));
        let count = how + 1;
        let at = || format!("0x{:x}", words.get(how as usize % words.len().max(1)).copied().unwrap_or(0));
        let condition = || {
            let view = passed.values().next_back()?;
            let register = view.registers.get(how as usize % view.registers.len().max(1))?;
            Some(format!("{} >= {}", register.name, if how & 1 != 0 { "0.5" } else { "0x1" }))
        };
        let command = match what % 16 {
            0 | 1 => Command::Step { count },
            2 => Command::Next { count: 1 + count % 4 },
            3 => Command::Out,
            4 | 5 => Command::Back { count },
            6 => Command::BackOver { count: 1 + count % 4 },
            7 => Command::BackOut,
            8 => Command::Continue,
            9 => Command::Reverse,
            10 => Command::Until { at: at() },
            11 => Command::Goto { step: how * (last + 1) / 256 },
            12 => Command::Break { at: at(), condition: condition().filter(|_| how & 2 != 0) },
            13 => Command::Delete { id: None },
            14 => Command::Start,
            _ => Command::End,
        };
        let refused = session.go(&command).is_err();
        assert!(!refused || matches!(command, Command::Until { .. } | Command::Break { .. }), "{command:?}");
        if let Some(known) = passed.get(&session.step()) {
            assert_eq!(&place(session.view()), known, "behind {command:?}");
        }
        assert!(session.step() <= last, "{command:?} leads behind the end");
    }
}
