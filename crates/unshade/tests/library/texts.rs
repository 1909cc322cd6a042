//! Programs held against their own sources, and against sources that were changed a little. The corpus lies next to the checkout;
//! without it these tests say so and pass.

use std::path::{Path, PathBuf};
use unshade::glsl;
use unshade::verify::{Section, TextVerdict, verify_text};
use unshade_stage::Stage;

/// A program with its source.
struct Sourced {
    name: String,
    file: Vec<u8>,
    text: String,
}

impl Sourced {
    fn with<T>(&self, ask: impl FnOnce(&Stage<'_>) -> T) -> T {
        let opened = unshade::open(&self.file).unwrap();
        let (_, stage) = opened.stages(None).next().unwrap();
        ask(&stage)
    }

    /// The verdict of a text in the place of the source; the message of one that cannot be read.
    fn against(&self, text: &str, cases: u32) -> Result<TextVerdict, String> {
        self.with(|stage| {
            let read = glsl::read(&self.name, text, stage.kind, &[], &mut |_| Err("there is none".into()));
            let read = read
                .map_err(|wrong| wrong.findings.iter().map(|one| one.message.clone()).collect::<String>())?;
            Ok(verify_text(stage, &read.translation, cases, 1))
        })
    }
}

/// Programs of a folder whose sources have the same name.
fn sourced(compiled: &str, ending: &str, sources: &str) -> Option<Vec<Sourced>> {
    let corpus = unshade_corpus::shared("corpus");
    let folder = corpus.join(sources);
    if !folder.is_dir() {
        println!("skipped: no corpus at {}", folder.display());
        return None;
    }
    let kinds = ["vert", "frag", "geom", "tesc", "tese", "comp"];
    let is_source =
        |path: &Path| path.extension().and_then(|end| end.to_str()).is_some_and(|end| kinds.contains(&end));
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| is_source(path));
    paths.sort();
    let only = std::env::var("UNSHADE_VERIFY_ONLY").unwrap_or_default();
    let found = paths.iter().filter_map(|path| {
        let name = path.file_name()?.to_str()?.to_owned();
        let file = std::fs::read(corpus.join(compiled).join(format!("{name}{ending}"))).ok()?;
        let text = std::fs::read_to_string(path).unwrap();
        name.contains(&only).then_some(Sourced { name, file, text })
    });
    Some(found.collect())
}

fn said(section: &Section) -> String {
    section.failure.as_ref().map_or("equal".to_owned(), ToString::to_string)
}

/// How many programs there are, and which differ from their sources.
fn differing(programs: &[Sourced], cases: u32) -> Vec<String> {
    let mut wrong = Vec::new();
    for program in programs {
        match program.against(&program.text, cases) {
            Ok(verdict) => {
                let section = &verdict.section;
                println!(
                    "{}: {} cases, {} outside: {}",
                    program.name,
                    section.compared,
                    section.outside.total(),
                    said(section)
                );
                if !verdict.passed() {
                    wrong.push(program.name.clone());
                    verdict.alone.iter().for_each(|alone| println!("  {alone:?}"));
                }
            }
            Err(message) => {
                println!("{}: {message}", program.name);
                wrong.push(program.name.clone());
            }
        }
    }
    wrong
}

fn cases() -> u32 {
    std::env::var("UNSHADE_VERIFY_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(64)
}

#[test]
fn programs_of_uam_are_their_sources() {
    let Some(programs) = sourced("maxwell/uam-out", ".dksh", "maxwell/glsl") else { return };
    // Atomic operations on images were left out by the compiler; the machine's offsets have four bits behind the point; a fraction
    // of a large number is decided by its last places.
    let known = ["f09_interp.frag", "f16_image.frag", "v07_noise_loop.vert"];
    let wrong = differing(&programs, cases());
    let unknown: Vec<&String> = wrong.iter().filter(|name| !known.contains(&name.as_str())).collect();
    assert_eq!(unknown, [""; 0]);
    assert!(programs.len() >= 42 || std::env::var_os("UNSHADE_VERIFY_ONLY").is_some());
}

#[test]
fn programs_of_lima_are_their_sources() {
    let Some(programs) = sourced("mbs/lima-out", ".mbs", "mbs/lima-out") else { return };
    assert_eq!(differing(&programs, cases()), [""; 0]);
    assert!(programs.len() >= 67 || std::env::var_os("UNSHADE_VERIFY_ONLY").is_some());
}

/// What a text is with a small change, one after the other: a number, a sign, a swizzle, a statement.
fn plants(text: &str) -> Vec<String> {
    let start = text.find("void main").unwrap_or(0);
    let (head, body) = text.split_at(start);
    let mut planted = Vec::new();
    let mut replace = |at: usize, length: usize, with: &str| {
        planted.push(format!("{head}{}{with}{}", &body[..at], &body[at + length..]));
    };
    for (from, to) in [
        (" + ", " - "),
        (" - ", " + "),
        (" * ", " + "),
        ("+", "-"),
        ("*", "+"),
        (".xyz", ".yxz"),
        (".xy", ".yx"),
        (".x", ".y"),
        (".y", ".x"),
        (".w", ".z"),
        ("0.5", "0.75"),
        ("1.0", "1.25"),
        ("2.0", "2.5"),
        ("<", ">"),
        ("max(", "min("),
        ("sin(", "cos("),
    ] {
        for (at, _) in body.match_indices(from).take(4) {
            replace(at, from.len(), to);
        }
    }
    // Statements that are lost.
    let ends: Vec<usize> = body.match_indices(';').map(|(at, _)| at).collect();
    for pair in ends.windows(2) {
        let statement = &body[pair[0] + 1..=pair[1]];
        let is_plain = statement.contains('=')
            && !statement.contains(['{', '}', '('])
            && !statement.trim_start().starts_with("for");
        if is_plain && statement.split('=').next().is_some_and(|left| left.split_whitespace().count() == 1) {
            replace(pair[0] + 1, statement.len(), "");
        }
    }
    planted
}

/// A change of a source that changes a result is seen: nearly all that a thousand cases see, a quarter of them sees.
#[test]
fn planted_changes_are_seen() {
    let Some(mut programs) = sourced("maxwell/uam-out", ".dksh", "maxwell/glsl") else { return };
    if let Some(others) = sourced("mbs/lima-out", ".mbs", "mbs/lima-out") {
        programs.extend(others);
    }
    let (mut planted, mut seen, mut missed) = (0, 0, Vec::new());
    for program in &programs {
        if !program.against(&program.text, 32).is_ok_and(|verdict| verdict.passed()) {
            continue;
        }
        // Some of each, from all over the text.
        let all = plants(&program.text);
        for text in all.iter().step_by(all.len().div_ceil(4).max(1)) {
            let Ok(verdict) = program.against(text, 256) else { continue };
            planted += 1;
            match verdict.passed() {
                false => seen += 1,
                // Many changes change nothing: `x * 1.0`, a component that nobody reads. More cases tell.
                true if program.against(text, 1024).is_ok_and(|verdict| !verdict.passed()) => {
                    missed.push(program.name.clone());
                }
                true => {}
            }
        }
    }
    println!("{planted} changes, {seen} seen with 256 cases, {} with 1,024 alone", missed.len());
    missed.iter().for_each(|name| println!("  {name}"));
    assert!(seen >= 100 && missed.len() * 10 <= seen);
}
