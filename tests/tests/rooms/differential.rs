//! Small programs that `tools/differential` once found to go wrong: source and compiled bytes beside each other in
//! `tests/differential`, with what the source computes. Each is checked, listed, decompiled, verified, and run against
//! the vectors. What is still open stands in `open.tsv`, a line each: program, check. `BLESS=1` writes it anew; what is new in it
//! is to be explained.

use std::{collections::BTreeSet, fs, path::Path};
use unshade::{DecompileOptions, Severity, Stage};
use unshade_tests::{
    corpus::{files, root},
    tools,
};

/// Cases of `verify`: few, since the vectors are the stronger proof.
const CASES: u32 = 48;
/// Instructions that one case may take.
const FUEL: u64 = 1_000_000;

/// What is wrong with a program: the check, and why.
fn failures(path: &Path) -> Vec<(&'static str, String)> {
    let bytes = fs::read(path).unwrap();
    let source = fs::read_to_string(path.with_extension("")).unwrap();
    let mut out = Vec::new();
    let report = unshade::report::check(&bytes, &[], None);
    if report.count(Severity::Error) + report.count(Severity::Warning) > 0 {
        out.push(("check", format!("{:?}", report.diagnostics)));
    }
    let opened = unshade::open(&bytes).unwrap();
    let stages: Vec<Stage<'_>> = opened.stages(None).map(|(_, stage)| stage).collect();
    assert_eq!(stages.len(), 1, "{}", path.display());
    let stage = &stages[0];
    out.extend(text(stage, &source));
    let verdict = unshade::verify(stage, CASES, 1);
    for (check, section) in [("verify-strict", &verdict.strict), ("verify-readable", &verdict.readable)] {
        if let Some(failure) = &section.failure {
            out.push((check, format!("{failure:?}")));
        }
    }
    out.extend(run(stage, path));
    out
}

/// The readable and the strict text, and what the source says of the former.
fn text(stage: &Stage<'_>, source: &str) -> Vec<(&'static str, String)> {
    let mut out = Vec::new();
    let strict = DecompileOptions { strict: true, ..DecompileOptions::default() };
    if let Err(error) = unshade::decompile(stage, &strict) {
        out.push(("strict", error.to_string()));
    }
    let made = match unshade::decompile(stage, &DecompileOptions::default()) {
        Ok(made) => made,
        Err(error) => {
            out.push(("readable", error.to_string()));
            return out;
        }
    };
    if made.structure.dispatchers > 0 {
        out.push(("dispatcher", made.text.clone()));
    }
    for line in source.lines() {
        let (wanted, what) = match (line.strip_prefix("// has: "), line.strip_prefix("// lacks: ")) {
            (Some(what), _) => (true, what),
            (_, Some(what)) => (false, what),
            _ => continue,
        };
        if made.text.contains(what) != wanted {
            out.push(("text", format!("{line}\n{}", made.text)));
        }
    }
    out
}

/// The interpreter against what the source computes.
fn run(stage: &Stage<'_>, path: &Path) -> Option<(&'static str, String)> {
    let vectors = fs::read_to_string(format!("{}.json", path.with_extension("").display())).unwrap();
    let document = unshade::run_json::Document::parse(&vectors).unwrap();
    let reports = match unshade::run_json::check(stage, &document, FUEL) {
        Ok(reports) => reports,
        Err(error) => return Some(("run", error.to_string())),
    };
    assert!(reports.iter().all(|report| report.expected), "{}", path.display());
    let bad = reports.iter().find(|report| !report.passes())?;
    Some(("run", format!("{:?}", bad.differences.first())))
}

#[test]
fn what_went_wrong_is_right() {
    let folder = root().join("tests/differential");
    let open = fs::read_to_string(folder.join("open.tsv")).unwrap();
    let open: BTreeSet<&str> = open.lines().collect();
    let programs: Vec<_> =
        files(&folder).into_iter().filter(|path| path.extension().is_some_and(|end| end == "dksh")).collect();
    assert!(programs.len() > 10);
    let (mut seen, mut wrong) = (BTreeSet::new(), Vec::new());
    for path in programs {
        let name = path.file_name().unwrap().to_str().unwrap().trim_end_matches(".dksh").to_owned();
        for (check, why) in failures(&path) {
            let line = format!("{name}\t{check}");
            if !open.contains(line.as_str()) {
                wrong.push(format!("{line}: {why}"));
            }
            seen.insert(line);
        }
    }
    if std::env::var_os("BLESS").is_some() {
        let lines: String = seen.iter().flat_map(|line| [line.as_str(), "\n"]).collect();
        fs::write(folder.join("open.tsv"), lines).unwrap();
        return;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let mended: Vec<&str> = open.into_iter().filter(|line| !seen.contains(*line)).collect();
    assert!(mended.is_empty(), "right now, so take them out of tests/differential/open.tsv: {mended:?}");
}

/// The harness that finds such programs holds what it promises, without a compiler.
#[test]
fn the_harness_tests_itself() {
    if !tools::present("python3", "tools/differential") {
        return;
    }
    let script = root().join("tools/differential/selftest.py");
    let output = std::process::Command::new("python3").arg(script).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
