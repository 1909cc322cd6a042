//! The lifted form of every R700 program of the corpus against the interpreter. The corpus lies next to the checkout;
//! without it these tests say so and pass.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

use std::path::{Path, PathBuf};
use unshade::verify::verify;
use unshade::{Isa, Stage, StageKind};
use unshade_stage::Latte;
use unshade_stage::latte::Profile;

fn folder() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus/gfd/r700");
    if folder.is_dir() {
        return Some(folder);
    }
    println!("skipped: no corpus at {}", folder.display());
    None
}

fn stage(path: &Path, name: &str) -> Stage<'static> {
    let words = unshade::words_from_bytes(&std::fs::read(path).unwrap()).unwrap();
    let mut stage = unshade::raw_stage(Isa::Latte, words, Vec::new());
    stage.kind = match name.split('.').nth(1).unwrap() {
        kind if kind.starts_with("ps") => StageKind::Fragment,
        kind if kind.starts_with("gs") => StageKind::Geometry,
        _ => StageKind::Vertex,
    };
    stage.interface.latte = Some(Box::new(Latte { profile: Profile::Mesa, ..Latte::default() }));
    stage
}

/// Bit for bit, as lifted, as values, behind the strict passes and as a tree. `LATTE_CASES` says how many cases.
#[test]
fn every_program_is_equal_in_strict_mode() {
    let Some(folder) = folder() else { return };
    let cases = std::env::var("LATTE_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(48);
    let mut names: Vec<String> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".bin"))
        .collect();
    names.sort();
    let (mut wrong, mut readable) = (Vec::new(), 0);
    for name in &names {
        let verdict = verify(&stage(&folder.join(name), name), cases, 1);
        if let Some(failure) = &verdict.strict.failure {
            println!("{name}: strict: {failure}");
            wrong.push(name.clone());
        }
        if let Some(failure) = &verdict.readable.failure {
            println!("{name}: readable: {failure}");
            readable += 1;
        }
    }
    println!(
        "{} programs, {cases} cases each: {} differ in strict mode, {readable} in readable mode",
        names.len(),
        wrong.len()
    );
    assert!(names.len() >= 99);
    assert_eq!(wrong, Vec::<String>::new());
}
