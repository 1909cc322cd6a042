//! The debugger over the samples and the execution vectors of every machine: at the end the outputs of `run`, behind
//! every command what was there when the place was passed first, breakpoints in loops, and how long going back takes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;
use unshade::debug::{Command, Ended, Options, Session, Stop, Stopped, View, parse};
use unshade::run_json::{self, Document};
use unshade::{Isa, Source, Stage};

fn samples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples")
}

/// A program of a sample.
fn sample(file: &str, item: &str) -> Stage<'static> {
    let bytes = std::fs::read(samples().join(file)).unwrap();
    let source = Source { bytes: &bytes, dictionaries: None };
    let mut programs = unshade::programs(source, &[], Some(item)).unwrap().stages;
    programs.remove(0).1
}

fn document(json: &str) -> Document {
    Document::inputs(json).unwrap()
}

fn session(stage: &Stage<'_>, document: &Document) -> Session {
    Session::new(stage, document, Options::default()).unwrap()
}

fn go(session: &mut Session, line: &str) -> View {
    session.run(&parse(line).unwrap().unwrap()).unwrap()
}

/// A program and its inputs of every document of the corpus, and the samples.
fn subjects() -> Vec<(String, Stage<'static>, Document)> {
    let mut subjects = Vec::new();
    for (file, item) in [
        ("loops.shbin", "dvle:0"),
        ("lighting.shbin", "dvle:0"),
        ("particles.shbin", "dvle:0"),
        ("lambert.vert.mbs", "cver"),
        ("phong.frag.mbs", "cfra"),
        ("varying.frag.mbs", "cfra"),
        ("texture.frag.dksh", "program:0"),
    ] {
        let lanes = if file.contains("frag") { r#"{"lanes":4,"in":{}}"# } else { "" };
        subjects.push((file.to_owned(), sample(file, item), document(lanes)));
    }
    let corpus = unshade_corpus::shared("corpus");
    if !corpus.join("run").is_dir() {
        println!("skipped: no corpus at {}", corpus.display());
        return subjects;
    }
    for isa in ["pica200", "mali-gp", "mali-pp", "latte", "maxwell"] {
        let mut paths: Vec<PathBuf> =
            std::fs::read_dir(corpus.join("run").join(isa)).unwrap().map(|e| e.unwrap().path()).collect();
        paths.sort();
        for path in paths {
            let document = Document::parse(&std::fs::read_to_string(&path).unwrap()).unwrap();
            let Some(file) = &document.file else { continue };
            let bytes = std::fs::read(corpus.join(file)).unwrap();
            let stage = if document.item.as_deref() == Some("raw") {
                run_json::bare_stage(&document, unshade::words_from_bytes(&bytes).unwrap()).unwrap().unwrap()
            } else {
                let source = Source { bytes: &bytes, dictionaries: None };
                let item = document.item.as_deref().unwrap_or("dvle:0");
                unshade::programs(source, &[], Some(item)).unwrap().stages.remove(0).1
            };
            subjects.push((path.display().to_string(), stage, document));
        }
    }
    subjects
}

#[test]
fn the_end_has_the_outputs_of_run() {
    let (mut cases, mut steps) = (BTreeMap::new(), 0);
    for (name, stage, document) in subjects() {
        let some = document.cases.len().div_ceil(3);
        for case in (0..document.cases.len()).step_by(some) {
            let alone = Document { cases: vec![document.cases[case].clone()], ..document.clone() };
            let run = run_json::run(&stage, &alone, run_json::DEFAULT_FUEL).unwrap().remove(0);
            let mut session =
                Session::new(&stage, &document, Options { case, ..Options::default() }).unwrap();
            let view = session.run(&Command::End).unwrap();
            assert_eq!(view.outputs, run.outputs.to_json(), "{name} case {case}");
            let ended = Ended { finished: run.unfinished.is_none(), why: run.unfinished.clone() };
            assert_eq!(view.ended, Some(ended), "{name} case {case}");
            // Bursts of writes count more than once there.
            let same = if stage.isa == Isa::Latte { view.step <= run.steps } else { view.step == run.steps };
            assert!(same, "{name} case {case}: {} and {} steps", view.step, run.steps);
            *cases.entry(stage.isa.name()).or_insert(0) += 1;
            steps += view.step;
        }
    }
    println!("{cases:?}, {steps} steps");
    assert!(cases.len() >= 4);
}

/// What a view says of the place alone.
fn place(mut view: View) -> View {
    view.stop = Stop { reason: Stopped::Done, breakpoint: None };
    view.printed = None;
    view.breakpoints.clear();
    view
}

#[test]
fn behind_every_command_is_what_was_passed() {
    let mut seed = 0x9E37_79B9_7F4A_7C15_u64;
    let mut dice = move |below: u64| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        seed % below
    };
    let (mut compared, mut count) = (0, 0);
    for (n, (name, stage, document)) in subjects().into_iter().enumerate() {
        if n > 7 && n % 5 != 0 {
            continue;
        }
        // Few states are kept, so that they are thinned out.
        let options = Options { states: 1 << 17, fuel: 20_000, ..Options::default() };
        let mut session = Session::new(&stage, &document, options).unwrap();
        let mut passed: BTreeMap<u64, View> = BTreeMap::new();
        loop {
            let step = session.step();
            if step < 300 || step.is_multiple_of(97) {
                passed.insert(step, place(session.view()));
            }
            session.go(&Command::Step { count: 1 }).unwrap();
            if session.step() == step {
                passed.insert(step, place(session.view()));
                break;
            }
        }
        let last = session.step();
        let words: Vec<u32> = passed.values().filter_map(|view| view.next.as_ref()?.word).collect();
        for _ in 0..60 {
            let at = format!("0x{:x}", words[dice(words.len() as u64) as usize]);
            let command = match dice(16) {
                0 | 1 => Command::Step { count: 1 + dice(40) },
                2 => Command::Next { count: 1 + dice(4) },
                3 => Command::Out,
                4..=6 => Command::Back { count: 1 + dice(60) },
                7 => Command::BackOver { count: 1 + dice(4) },
                8 => Command::BackOut,
                9 => Command::Continue,
                10 | 11 => Command::Reverse,
                12 => Command::Until { at },
                13 => Command::Goto { step: dice(last.max(1)) },
                14 => Command::Break { at, condition: None },
                _ => Command::Delete { id: None },
            };
            session.go(&command).unwrap();
            count += 1;
            if let Some(known) = passed.get(&session.step()) {
                compared += 1;
                assert_eq!(&place(session.view()), known, "{name} behind {command:?} at {}", session.step());
            }
        }
    }
    println!("{count} commands, {compared} places compared");
    assert!(compared > 300);
}

#[test]
fn breakpoints_stop_in_each_pass_of_a_loop() {
    let stage = sample("loops.shbin", "dvle:0");
    let mut session =
        session(&stage, &document(r#"{"in":{"v":{"0":"3f800000 3f800000 3f800000 3f800000"}}}"#));
    // The body of the innermost loop of the first pair.
    let listing = session.listing();
    let mad =
        listing.lines.iter().find(|line| line.text().contains("mad")).and_then(|line| line.word).unwrap();
    go(&mut session, &format!("break 0x{mad:x}"));
    let mut stops = Vec::new();
    loop {
        let view = go(&mut session, "continue");
        if view.stop.reason != Stopped::Breakpoint {
            assert_eq!(view.stop.reason, Stopped::End);
            break;
        }
        assert_eq!((view.stop.breakpoint, view.next.unwrap().word), (Some(1), Some(mad)));
        stops.push(view.step);
    }
    assert!(stops.len() > 2, "{stops:?}");
    let mut back = Vec::new();
    loop {
        let view = go(&mut session, "reverse");
        if view.stop.reason != Stopped::Breakpoint {
            assert_eq!((view.stop.reason, view.step), (Stopped::Start, 0));
            break;
        }
        back.push(view.step);
    }
    back.reverse();
    assert_eq!(back, stops);
    // With a condition on the loop counter only some passes count.
    go(&mut session, "delete 1");
    let all = stops.len();
    go(&mut session, &format!("break 0x{mad:x} if aL > 4"));
    let mut some = 0;
    while go(&mut session, "continue").stop.reason == Stopped::Breakpoint {
        some += 1;
    }
    assert!(some > 0 && some < all, "{some} of {all}");
}

#[test]
fn calls_are_stepped_over_and_out_of() {
    let stage = sample("loops.shbin", "dvle:0");
    let mut session = session(
        &stage,
        &document(r#"{"in":{"i":{"2":"00000001"},"v":{"0":"3f800000 3f800000 3f800000 3f800000"}}}"#),
    );
    let calls = |view: &View| view.stack.iter().filter(|entry| entry.kind == "call").count();
    let mut at = None;
    for _ in 0..10_000 {
        let view = go(&mut session, "step");
        if view.next.as_ref().is_some_and(|next| next.text.starts_with("call")) {
            at = Some(view);
            break;
        }
    }
    let before = at.unwrap();
    let inside = go(&mut session, "step");
    assert_eq!(calls(&inside), 1);
    let out = go(&mut session, "out");
    assert_eq!(calls(&out), 0);
    assert_eq!(place(go(&mut session, "back-over")), place(before.clone()));
    assert_eq!(place(go(&mut session, "next")), place(out));
    go(&mut session, "back");
    assert_eq!(place(go(&mut session, "back-out")), place(before));
}

#[test]
fn refusals_change_nothing() {
    let stage = sample("loops.shbin", "dvle:0");
    let mut session = session(&stage, &document(""));
    go(&mut session, "step 5");
    let before = session.view();
    for line in [
        "break nowhere",
        "break 0xffff",
        "break :9999",
        "break 0x0 if r0",
        "break 0x0 if r77 == 1",
        "break 0x0 if r0.x == x",
        "break 0x0 if a0.w == 1",
        "until zzz",
        "delete 3",
        "enable 1",
        "lane 1",
        "print nothing",
        "print r0@4",
    ] {
        assert!(session.run(&parse(line).unwrap().unwrap()).is_err(), "{line}");
        assert_eq!(session.view(), before, "{line}");
    }
    for line in ["stepp", "step x", "step 0", "goto", "goto -1", "start 3", "break", "lane", "delete x"] {
        assert!(parse(line).is_err(), "{line}");
    }
    assert_eq!(parse("  # nothing").unwrap(), None);
    assert_eq!(parse("stepp").unwrap_err().message, "there is no command `stepp`; did you mean `step`?");
    let beyond = Options { case: 3, ..Options::default() };
    assert!(Session::new(&stage, &document(""), beyond).is_err());
}

#[test]
fn commands_are_json_too() {
    let command: Command =
        serde_json::from_str(r#"{"command":"break","at":":12","condition":"r0.x > 1"}"#).unwrap();
    assert_eq!(parse("break :12 if r0.x > 1").unwrap(), Some(command));
    let command: Command = serde_json::from_str(r#"{"command":"back"}"#).unwrap();
    assert_eq!(parse("back").unwrap(), Some(command));
    assert!(serde_json::from_str::<Command>(r#"{"command":"fly"}"#).is_err());
}

/// Programs of each machine that run for ever, or for long: how long it takes to go 10,000 steps back, at once and one
/// by one.
#[test]
fn ten_thousand_steps_back() {
    for (isa, lanes, words) in endless() {
        let mut stage = unshade::raw_stage(isa, words, vec![0xAF]);
        if lanes == 4 {
            stage.kind = unshade::StageKind::Fragment;
        }
        let document = document(&format!(r#"{{"lanes":{lanes},"in":{{}}}}"#));
        let mut session =
            Session::new(&stage, &document, Options { fuel: 60_000, ..Options::default() }).unwrap();
        session.go(&Command::End).unwrap();
        assert_eq!(session.step(), 60_000, "{isa}");
        let start = Instant::now();
        session.go(&Command::Back { count: 10_000 }).unwrap();
        let at_once = start.elapsed();
        let start = Instant::now();
        for _ in 0..10_000 {
            session.go(&Command::Back { count: 1 }).unwrap();
        }
        let one_by_one = start.elapsed();
        assert_eq!(session.step(), 40_000);
        println!("{isa}: 10,000 steps back {at_once:.1?}, one by one {one_by_one:.1?}");
        // What is promised, 100 ms, is row B13 of the benchmarks; here may be no optimisation, and a busy machine.
        assert!(one_by_one.as_secs() < 20 && at_once.as_secs() < 5, "{isa}");
    }
}

/// What the variables are in is looked for with programs that never end too: not for long.
#[test]
fn variables_of_endless_programs_are_soon_given_up() {
    for (isa, lanes, words) in endless() {
        let mut stage = unshade::raw_stage(isa, words, vec![0xAF]);
        if lanes == 4 {
            stage.kind = unshade::StageKind::Fragment;
        }
        let start = Instant::now();
        unshade::debug::Variables::of(&stage);
        unshade::verify::drawn(&stage, 0);
        let spent = start.elapsed();
        println!("{isa}: {spent:.1?}");
        assert!(spent.as_secs() < 2, "{isa}: {spent:?}");
    }
}

/// Endless programs.
fn endless() -> Vec<(Isa, u32, Vec<u32>)> {
    let assembled = |isa, text: &str| {
        let bytes = unshade::assemble_code(isa, text).unwrap_or_else(|errors| panic!("{isa}: {errors:?}"));
        unshade::words_from_bytes(&bytes).unwrap()
    };
    vec![
        (Isa::Pica200, 1, vec![0, 0x2D << 26 | 1]),
        (Isa::MaliGp, 1, assembled(Isa::MaliGp, ENDLESS_GP)),
        (Isa::MaliPp, 4, assembled(Isa::MaliPp, ENDLESS_PP)),
        (Isa::Latte, 4, assembled(Isa::Latte, ENDLESS_LATTE)),
        (Isa::Maxwell, 4, assembled(Isa::Maxwell, ENDLESS_MAXWELL)),
    ]
}

const ENDLESS_GP: &str = include_str!("debug/endless.gp");
const ENDLESS_PP: &str = include_str!("debug/endless.pp");
const ENDLESS_LATTE: &str = include_str!("debug/endless.latte");
const ENDLESS_MAXWELL: &str = include_str!("debug/endless.maxwell");
