//! The lifted form of every R700 program of the corpus against the interpreter. The corpus lies next to the checkout;
//! without it these tests say so and pass.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use unshade::verify::{Standing, verify};
use unshade::{Isa, Stage, StageKind};
use unshade_stage::Latte;
use unshade_stage::latte::{Profile, Uniform};

fn folder() -> Option<PathBuf> {
    let folder = unshade_corpus::shared("corpus/gfd/r700");
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

/// Bit for bit, as lifted, as values, behind the strict passes and as a tree. `UNSHADE_VERIFY_CASES` says how many cases.
#[test]
fn every_program_is_equal_in_strict_mode() {
    let Some(folder) = folder() else { return };
    let cases = std::env::var("UNSHADE_VERIFY_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(48);
    let mut names: Vec<String> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".bin"))
        .collect();
    names.sort();
    let (mut wrong, mut readable, mut weak) = (Vec::new(), 0, Vec::new());
    for name in &names {
        let verdict = verify(&stage(&folder.join(name), name), cases, 1);
        if let Some(failure) = &verdict.strict.failure {
            println!("{name}: strict: {failure}");
            wrong.push(name.clone());
        }
        if let Some(failure) = &verdict.readable.failure {
            println!("{name}: readable: {failure}");
            readable += 1;
        } else if verdict.standing() == Standing::Weak {
            println!("{name}: weak, {:?}", verdict.readable.outside.reasons());
            weak.push(name.clone());
        }
    }
    println!(
        "{} programs, {cases} cases each: {} differ in strict mode, {readable} in readable mode",
        names.len(),
        wrong.len()
    );
    assert!(names.len() >= 99);
    assert_eq!((wrong, weak), Default::default());
}

/// Goes through the distinct programs of GFD files and SHARCFB archives, with where each stands and with the tables
/// that surround it. Says how many there were, `None` without a corpus.
fn programs_of_files(mut each: impl FnMut(&str, &Stage<'_>)) -> Option<usize> {
    let corpus = folder()?.join("../..");
    let mut seen = BTreeSet::new();
    for kind in ["gfd", "sharcfb"] {
        let mut paths: Vec<PathBuf> =
            std::fs::read_dir(corpus.join(kind)).unwrap().map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        paths.retain(|path| path.extension().is_some_and(|ending| ending == "gsh" || ending == "sharcfb"));
        assert!(paths.len() >= 8, "{kind}: {} files", paths.len());
        for path in paths {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            let bytes = std::fs::read(&path).unwrap();
            let opened = unshade::open(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
            for (inner, stage) in opened.stages(None) {
                assert_eq!(stage.isa, Isa::Latte);
                if seen.insert(stage.code.words.to_vec()) {
                    each(&format!("{name}{}", inner.item_name(&stage.id)), &stage);
                }
            }
        }
    }
    Some(seen.len())
}

/// As above, for every program that a file of the corpus holds.
#[test]
fn every_program_of_files_is_equal_in_strict_mode() {
    let cases = std::env::var("UNSHADE_VERIFY_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(24);
    let (mut wrong, mut readable) = (Vec::new(), 0);
    let programs = programs_of_files(|place, stage| {
        let verdict = verify(stage, cases, 1);
        if let Some(failure) = &verdict.strict.failure {
            println!("{place}: strict: {failure}");
            wrong.push(place.to_owned());
        }
        if let Some(failure) = &verdict.readable.failure {
            println!("{place}: readable: {failure}");
            readable += 1;
        }
    });
    let Some(programs) = programs else { return };
    println!(
        "{programs} programs of files, {cases} cases each: {} differ in strict mode, {readable} in readable mode",
        wrong.len()
    );
    assert!(programs >= 40, "{programs}");
    assert_eq!(wrong, Vec::<String>::new());
}

/// The numbers behind each place of `mark` in a text: `t3, t5` with `t` gives 3 and 5.
fn numbers(text: &str, mark: &str) -> BTreeSet<u32> {
    let digits = |rest: &str| rest.chars().take_while(char::is_ascii_digit).collect::<String>();
    text.match_indices(mark).filter_map(|(at, _)| digits(&text[at + mark.len()..]).parse().ok()).collect()
}

/// What the listing says is used has the name in the source that the file's tables give it: textures, registers
/// of uniforms, and attributes that arrive in a register which is read before anything writes it.
#[test]
fn names_of_the_tables_are_the_names_of_the_source() {
    let (mut textures, mut uniforms, mut attributes) = (0, 0, 0);
    let programs = programs_of_files(|place, stage| {
        let tables = stage.interface.latte.as_deref().unwrap();
        if place.starts_with("own_") || place.starts_with("geometry") || place.starts_with("variants") {
            // Compiled by Mesa, whose numbers are not the console's.
            return;
        }
        let listing = unshade::disassemble_stage(stage, &unshade::ListingOptions::default());
        let source = unshade::decompile(stage, &unshade::DecompileOptions::default()).unwrap();
        let declared = |words: &[&str], name: &str| {
            source.text.lines().any(|line| {
                words.iter().all(|word| line.contains(word))
                    && line.split(|c: char| !c.is_alphanumeric() && c != '_').any(|part| part == name)
            })
        };
        for unit in numbers(listing.text(), ", t") {
            let Some(sampler) = tables.samplers.iter().find(|sampler| sampler.location == unit) else {
                continue;
            };
            assert!(
                declared(&["uniform", "sampler"], &sampler.name),
                "{place}: texture {unit}: {}",
                sampler.name
            );
            textures += 1;
        }
        for register in numbers(listing.text(), " C").into_iter().chain(numbers(listing.text(), "-C")) {
            let holds = |uniform: &&Uniform| {
                let rows = uniform.ty.shape().map_or(1, |(_, columns, _)| columns) * uniform.count.max(1);
                uniform.block.is_none() && (0..rows).contains(&register.wrapping_sub(uniform.offset / 4))
            };
            let Some(uniform) = tables.uniforms.iter().find(holds) else { continue };
            assert!(declared(&[";"], &uniform.name), "{place}: C{register}: {}", uniform.name);
            uniforms += 1;
        }
        for (register, location) in (1..).zip(&tables.semantics) {
            let Some(attribute) = tables
                .attributes
                .iter()
                .find(|attribute| Some(attribute.location) == location.map(u32::from))
            else {
                continue;
            };
            // Behind a comma stands a source, in front of it what is written.
            let (source, first) = (format!(", R{register}."), format!(" R{register}."));
            let read = listing.text().find(&source);
            if read.is_some_and(|read| listing.text().find(&first).is_some_and(|place| place > read)) {
                assert!(declared(&["in "], &attribute.name), "{place}: R{register}: {}", attribute.name);
                attributes += 1;
            }
        }
    });
    let Some(_) = programs else { return };
    println!("named: {textures} textures, {uniforms} uniform registers, {attributes} attributes");
    assert!(textures >= 7 && uniforms >= 60 && attributes >= 26);
}
