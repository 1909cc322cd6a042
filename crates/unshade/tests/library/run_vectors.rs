//! Recorded runs of other implementations, reproduced by the interpreters. The corpus lies next to the
//! checkout; without it these tests say so and pass.

use std::path::{Path, PathBuf};
use unshade::run_json::{self, Document};
use unshade::{Container, Opened, Stage, StageKind};

fn corpus() -> Option<PathBuf> {
    let folder = unshade_corpus::shared("corpus");
    if folder.is_dir() {
        return Some(folder);
    }
    println!("skipped: no corpus at {}", folder.display());
    None
}

fn documents(corpus: &Path, isa: &str) -> Vec<(PathBuf, Document)> {
    let folder = std::fs::read_dir(corpus.join("run").join(isa)).unwrap();
    let mut paths: Vec<PathBuf> = folder.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let read = |path: PathBuf| {
        let document = Document::parse(&std::fs::read_to_string(&path).unwrap()).unwrap();
        (path, document)
    };
    paths.into_iter().map(read).collect()
}

fn opened(corpus: &Path, document: &Document) -> Opened {
    unshade::open(&std::fs::read(corpus.join(document.file.as_deref().unwrap())).unwrap()).unwrap()
}

fn stage<'a>(opened: &'a Opened, document: &'a Document) -> Stage<'a> {
    let mut stages = opened.require(document.item.as_deref()).unwrap();
    assert_eq!(stages.len(), 1);
    let (_, stage) = stages.remove(0);
    assert_eq!(Some(stage.kind.name()), document.stage.as_deref());
    stage
}

/// Documents of which some cases differ, how many do, and why. `crates/isa-mali-gp/tests/mali_gp/exec.rs` compares the
/// values of vertex programs within the limits that the reasons give.
const DIFFERENT: &[(&str, usize, &str)] = &[
    ("v09_sincos.vert.json", 24, "the code has polynomials of second degree, off by up to 1.1e-3"),
    // The 3DS. Behind a nested loop `aL` is the surrounding loop's value again, which whoever recorded these did not know yet.
    ("t07_loops.e0.json", 2, "aL behind nested loops: recorded as 5, here 3"),
    ("v18_pointsize.vert.json", 19, "the code keeps the point size between 1 and 100, the source does not"),
    (
        "v07_pow_exp_log.vert.eval.json",
        1,
        "a power of a negative number is undefined; recorded as 0, here NaN",
    ),
    ("f35_projbias.frag.json", 6, "the code overwrites the bias before the fetch, the source does not"),
    ("v08_sqrt_rsqrt.vert.eval.json", 2, "a root of a negative number is undefined; recorded as 0, here NaN"),
    // The Switch. `maxwell/reasons.rs` shows each reason.
    (
        "f02_alltex.frag.json",
        1,
        "the code divides directions by their largest coordinate first: another level",
    ),
    ("f03_shadow.frag.json", 1, "as f02"),
    ("f04_lodbias.frag.json", 3, "as f02; a level of 2.52 was recorded as 2.49, by the logarithm of f07"),
    ("f05_grad.frag.json", 13, "the code makes gradients of cubes by moving pixels, and divides as in f02"),
    (
        "f07_fetch_query.frag.json",
        21,
        "unclamped levels of detail, recorded by a logarithm off by up to 0.043",
    ),
    ("f09_interp.frag.json", 11, "the code holds an offset of -0.1 in twelve bits: off by up to 5e-5"),
    (
        "f15_ssbo.frag.json",
        24,
        "recorded from a quad of two triangles, one pixel after the three others; run so, none differs",
    ),
    (
        "f22_earlyret.frag.json",
        2,
        "a level where the other pixels ended is undefined; a level of 2.5 is as near to 2 as to 3",
    ),
    (
        "v02_skin.vert.json",
        1,
        "sums of 81000 that cancel to 372, of which the recorded one is the less exact",
    ),
    (
        "v07_noise_loop.vert.json",
        1,
        "the fraction of a product beside a whole number, from an angle whose terms are larger than it",
    ),
];

/// Runs all vectors of an instruction set and answers how many cases there are.
fn reproduced(isa: &str) -> usize {
    let Some(corpus) = corpus() else { return usize::MAX };
    let (mut cases, mut failed) = (0, 0);
    let mut others = Vec::new();
    let documents = documents(&corpus, isa);
    for (path, document) in &documents {
        let opened = opened(&corpus, document);
        let stage = stage(&opened, document);
        let mut wrong = 0;
        for report in run_json::check(&stage, document, run_json::DEFAULT_FUEL).unwrap() {
            assert!(report.expected);
            cases += 1;
            if !report.passes() {
                wrong += 1;
                println!("{} {}: {:?}", path.display(), report.run.id, report.run.unfinished);
                report.differences.iter().take(3).for_each(|difference| println!("  {difference}"));
            }
        }
        let name = path.file_name().unwrap().to_str().unwrap();
        match DIFFERENT.iter().find(|(known, ..)| *known == name) {
            Some((_, known, reason)) => {
                println!("{name}: {wrong} cases differ: {reason}");
                if wrong != *known {
                    others.push(format!("{name}: {wrong}, not {known}"));
                }
            }
            None => failed += wrong,
        }
    }
    println!("{isa}: {} files, {cases} cases, {failed} failed", documents.len());
    assert_eq!((failed, others), (0, Vec::new()));
    cases
}

#[test]
fn every_maxwell_vector_is_reproduced() {
    assert!(reproduced("maxwell") >= 944);
}

#[test]
fn every_pica200_vector_is_reproduced() {
    assert!(reproduced("pica200") >= 208);
}

#[test]
fn every_mali_gp_vector_is_reproduced() {
    assert!(reproduced("mali-gp") >= 875);
}

#[test]
fn every_mali_pp_vector_is_reproduced() {
    assert!(reproduced("mali-pp") >= 1096);
}

/// The programs that a document of bare Wii U code is for: each with its name.
fn bare_programs(corpus: &Path, document: &Document) -> Vec<(String, Stage<'static>)> {
    let mut programs: Vec<(String, Vec<u32>)> = run_json::bare_files(document)
        .into_iter()
        .map(|name| {
            let bytes = std::fs::read(corpus.join(name)).unwrap();
            (name.to_owned(), unshade::words_from_bytes(&bytes).unwrap())
        })
        .collect();
    programs.extend(run_json::own_code(document).unwrap().map(|words| ("code".to_owned(), words)));
    let stage = |(name, words)| (name, run_json::bare_stage(document, words).unwrap().unwrap());
    programs.into_iter().map(stage).collect()
}

/// Every case of every document, in every program that the document names.
#[test]
fn every_latte_vector_is_reproduced() {
    let Some(corpus) = corpus() else { return };
    let (mut cases, mut runs, mut failed, mut programs) = (0, 0, 0, 0);
    let documents = documents(&corpus, "latte");
    for (path, document) in &documents {
        cases += document.cases.len();
        for (program, stage) in bare_programs(&corpus, document) {
            programs += 1;
            let mut wrong = 0;
            for report in run_json::check(&stage, document, run_json::DEFAULT_FUEL).unwrap() {
                assert!(report.expected);
                runs += 1;
                if !report.passes() {
                    wrong += 1;
                    if wrong <= 2 {
                        println!("  {}: {:?}", report.run.id, report.run.unfinished);
                        report.differences.iter().take(3).for_each(|difference| println!("  {difference}"));
                    }
                }
            }
            if wrong > 0 {
                println!("{} in {program}: {wrong} cases differ", path.display());
                failed += wrong;
            }
        }
    }
    println!(
        "latte: {} files, {cases} cases, {programs} programs, {runs} runs, {failed} failed",
        documents.len()
    );
    assert_eq!(failed, 0);
    assert!(documents.len() >= 67 && cases >= 1616 && programs >= 130);
}

/// What is written as outputs reads back, and passes the same comparison without any tolerance.
#[test]
fn outputs_read_back() {
    let Some(corpus) = corpus() else { return };
    for isa in ["pica200", "mali-gp", "mali-pp"] {
        for (path, mut document) in documents(&corpus, isa) {
            // Comparing is always done in wide arithmetic.
            document.float = document.float.filter(|float| float != "f16");
            document
                .header
                .shift_remove("float")
                .filter(|float| float != "f16")
                .and_then(|float| document.header.insert("float".to_owned(), float));
            let opened = opened(&corpus, &document);
            let stage = stage(&opened, &document);
            let runs = run_json::run(&stage, &document, run_json::DEFAULT_FUEL).unwrap();
            let mut again = Document::parse(&document.with_outputs(&runs)).unwrap();
            assert_eq!(again.cases.len(), document.cases.len());
            assert_eq!(again.cases[0].input, document.cases[0].input);
            again.rules = run_json::Rules::default();
            for report in run_json::check(&stage, &again, run_json::DEFAULT_FUEL).unwrap() {
                assert!(report.expected && report.passes(), "{}: {:?}", path.display(), report.differences);
            }
        }
    }
}

/// The same for bare code.
#[test]
fn latte_outputs_read_back() {
    let Some(corpus) = corpus() else { return };
    for (path, document) in documents(&corpus, "latte") {
        let (_, stage) = bare_programs(&corpus, &document).remove(0);
        let runs = run_json::run(&stage, &document, run_json::DEFAULT_FUEL).unwrap();
        let mut again = Document::parse(&document.with_outputs(&runs)).unwrap();
        again.rules = run_json::Rules::default();
        for report in run_json::check(&stage, &again, run_json::DEFAULT_FUEL).unwrap() {
            assert!(report.expected && report.passes(), "{}: {:?}", path.display(), report.differences);
        }
        // A trace comes to the same results.
        let traces = unshade::trace(&stage, &document, run_json::DEFAULT_FUEL).unwrap();
        for (trace, run) in traces.iter().zip(&runs) {
            assert_eq!((&trace.run, trace.lines.len() as u64 <= run.steps), (run, true));
            assert!(trace.lines.iter().any(|line| !line.change.is_empty()));
        }
    }
}

/// One changed bit in an expected word is seen, in exports and in vertices.
#[test]
fn a_changed_latte_word_is_seen() {
    let Some(corpus) = corpus() else { return };
    for name in ["alu_bits.ps.json", "gs_tri.gs.json", "tex_dims.ps.json"] {
        let text = std::fs::read_to_string(corpus.join("run/latte").join(name)).unwrap();
        let outputs = text.find("\"out\":").unwrap();
        let line = &text[outputs..outputs + text[outputs..].find('\n').unwrap()];
        let mut seen = 0;
        for at in 1..line.len() - 8 {
            let is_word = line[at..].bytes().take_while(u8::is_ascii_hexdigit).count() == 8;
            if !is_word || line.as_bytes()[at - 1].is_ascii_hexdigit() {
                continue;
            }
            // The highest bit of the exponent, so that it matters whatever the number is.
            let place = outputs + at;
            let digit = u8::from_str_radix(&text[place..=place], 16).unwrap() ^ 4;
            let changed = format!("{}{digit:x}{}", &text[..place], &text[place + 1..]);
            let document = Document::parse(&changed).unwrap();
            let (_, stage) = bare_programs(&corpus, &document).remove(0);
            let reports = run_json::check(&stage, &document, run_json::DEFAULT_FUEL).unwrap();
            assert_eq!(reports.iter().filter(|report| !report.passes()).count(), 1, "{name}, column {at}");
            seen += 1;
        }
        assert!(seen >= 4, "{name}");
    }
}

/// A comparison that could not fail would show nothing: one changed bit in any expected word is seen.
#[test]
fn a_changed_word_is_seen() {
    let Some(corpus) = corpus() else { return };
    for name in ["t12_calls.e0.json", "t14_point.e0.json", "t05_cond.e0.json"] {
        let text = std::fs::read_to_string(corpus.join("run/pica200").join(name)).unwrap();
        let outputs = text.find("\"out\":").unwrap();
        let line = &text[outputs..outputs + text[outputs..].find('\n').unwrap()];
        let document = Document::parse(&text).unwrap();
        let opened = opened(&corpus, &document);
        let stage = stage(&opened, &document);
        let is_word = |at: &usize| {
            let word = &line[*at..];
            let digits = word.bytes().take_while(u8::is_ascii_hexdigit).count();
            digits == 8 && !line.as_bytes()[at - 1].is_ascii_hexdigit()
        };
        let words: Vec<usize> = (1..line.len()).filter(is_word).collect();
        assert!(words.len() > 10);
        for at in words {
            let last = outputs + at + 7;
            let digit = u8::from_str_radix(&text[last..=last], 16).unwrap() ^ 1;
            let changed = format!("{}{digit:x}{}", &text[..last], &text[last + 1..]);
            let document = Document::parse(&changed).unwrap();
            let reports = run_json::check(&stage, &document, run_json::DEFAULT_FUEL).unwrap();
            assert_eq!(reports.iter().filter(|report| !report.passes()).count(), 1, "{name}, column {at}");
        }
    }
}

/// The text files from which the vectors were made, read here on their own: every register they list.
#[test]
fn recorded_texts_agree() {
    let Some(corpus) = corpus() else { return };
    let folder = std::fs::read_dir(corpus.join("shbin/run-expected")).unwrap();
    let mut paths: Vec<PathBuf> = folder.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    for path in &paths {
        let name = path.file_name().unwrap().to_str().unwrap();
        let [program, dvle, ..] = name.split('.').collect::<Vec<_>>()[..] else { panic!("{name}") };
        let file =
            ["picasso-out", "real"].map(|f| corpus.join("shbin").join(f).join(format!("{program}.shbin")));
        let file = file.into_iter().find(|file| file.exists()).unwrap();
        let container = Container::read(&std::fs::read(file).unwrap()).unwrap();
        let stage = container.stages().nth(dvle[1..].parse().unwrap()).unwrap();
        recorded::check(&stage, &std::fs::read_to_string(path).unwrap(), name);
    }
    println!("{} recorded runs", paths.len());
    assert!(paths.len() >= 100);
}

mod recorded {
    use super::StageKind;
    use unshade::Stage;
    use unshade::pica200::exec::{End, Program, State};

    fn numbers<const N: usize>(words: &[&str]) -> [f32; N] {
        std::array::from_fn(|n| words[n].trim_matches(['(', ')']).parse().unwrap())
    }

    /// EX2 and LG2 are allowed two units in the last place each; where the program chains them, more adds up.
    fn close(want: [f32; 4], got: [f32; 4], chains: bool) -> bool {
        want.into_iter().zip(got).all(|(want, got)| {
            let ulps = (i64::from(want.to_bits()) - i64::from(got.to_bits())).abs();
            let near = (want - got).abs() <= 1e-5 * want.abs().max(1.0);
            want.to_bits() == got.to_bits()
                || (want.is_nan() && got.is_nan())
                || (chains && (ulps <= 2 || near))
        })
    }

    pub fn check(stage: &Stage<'_>, text: &str, name: &str) {
        let chains = stage.code.words.iter().any(|word| matches!(word >> 26, 5 | 6));
        let (mut state, mut mask) = (State::default(), 0);
        let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
        for words in &lines {
            match words[..] {
                ["entry", entry, "geometry", geometry, "outmask", outputs] => {
                    assert_eq!(entry.parse(), Ok(stage.code.entry));
                    assert_eq!(geometry == "1", stage.kind == StageKind::Geometry);
                    mask = outputs.parse().unwrap();
                }
                ["in", "b", ref b @ ..] => state.b = std::array::from_fn(|n| b[n] == "1"),
                ["in", register, ref values @ ..] => {
                    let n: usize = register[1..].parse().unwrap();
                    match &register[..1] {
                        "v" => state.v[n] = numbers(values),
                        "c" => state.c[n] = numbers(values),
                        _ => state.i[n] = std::array::from_fn(|k| values[k].parse().unwrap()),
                    }
                }
                _ => {}
            }
        }
        // The recorded inputs have the constants of the file in place.
        let constants = State::new(stage);
        for constant in &stage.code.constants {
            let n = constant.register as usize;
            match constant.space {
                unshade_stage::Space::Float => {
                    assert!(close(state.c[n], constants.c[n], false), "{name} c{n}")
                }
                unshade_stage::Space::Int => assert_eq!(state.i[n], constants.i[n], "{name} i{n}"),
                _ => assert_eq!(state.b[n], constants.b[n], "{name} b{n}"),
            }
        }
        let outcome = Program::new(stage).run(&mut state, 1_000_000);
        assert_eq!(outcome.end, End::Ended, "{name}");
        let mut emitted = outcome.emitted.iter();
        let (mut inverted, mut left) = (false, 0);
        for words in &lines {
            match words[..] {
                ["winding"] => (inverted, left) = (true, 3),
                ["vertex", ref values @ ..] => {
                    let vertex = emitted.next().unwrap();
                    for (k, got) in vertex.enabled(mask, 3).into_iter().enumerate() {
                        assert!(close(numbers(&values[4 * k..]), got, chains), "{name} vertex");
                    }
                    assert_eq!(vertex.inverted, inverted, "{name}");
                    left -= i32::from(inverted);
                    inverted = left > 0;
                }
                ["out", "a", x, y, al, "cc", cmp_x, cmp_y] => {
                    // See `DIFFERENT`.
                    let al = if name.starts_with("t07_loops") { "3" } else { al };
                    assert_eq!(
                        [x, y, al].map(|n| n.parse::<i32>().unwrap()),
                        [state.a0[0], state.a0[1], state.al],
                        "{name}"
                    );
                    assert_eq!([cmp_x, cmp_y].map(|flag| flag == "1"), state.cmp, "{name}");
                }
                ["out", register, ref values @ ..] => {
                    let n: usize = register[1..].parse().unwrap();
                    let got = if register.starts_with('o') { state.o[n] } else { state.r[n] };
                    assert!(close(numbers(values), got, chains), "{name} {register}: {values:?} {got:?}");
                }
                _ => {}
            }
        }
        assert!(emitted.next().is_none(), "{name}");
    }
}
