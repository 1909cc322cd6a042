//! `schemata MUTANTS SOURCES COPY MAP [DROPPED]`: weaves mutants into a copy of their sources, so that one build holds all of them.
//!
//! MUTANTS is what `cargo mutants --list --json` says of the tree SOURCES. In the tree COPY the files that it names are
//! written anew: where a mutant changes something, both forms stand there, and `crate::mutant(N)` chooses. MAP gets, for each
//! file, which of its new bytes are whose, to tell from a message of the compiler which mutant it is about. DROPPED holds the
//! numbers of mutants to leave out, one a line.

mod list;
mod places;
mod weave;

use std::{collections::BTreeMap, collections::BTreeSet, error::Error, fs, path::Path, process::ExitCode};

/// What goes behind the root of a package: `crate::mutant`.
const CHOICE: &str = include_str!("choice.rs");

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [mutants, sources, copy, map, dropped @ ..] = arguments.as_slice() else {
        eprintln!("usage: schemata MUTANTS SOURCES COPY MAP [DROPPED]");
        return ExitCode::from(2);
    };
    match run(mutants, Path::new(sources), Path::new(copy), map, dropped.first()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("schemata: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(
    mutants: &str,
    sources: &Path,
    copy: &Path,
    map: &str,
    dropped: Option<&String>,
) -> Result<(), Box<dyn Error>> {
    let dropped: BTreeSet<usize> = match dropped {
        Some(path) => fs::read_to_string(path)?.lines().map(str::parse).collect::<Result<_, _>>()?,
        None => BTreeSet::new(),
    };
    let all: Vec<list::Mutant> = serde_json::from_str(&fs::read_to_string(mutants)?)?;
    let mut files: BTreeMap<&str, Vec<(usize, &list::Mutant)>> = BTreeMap::new();
    for (number, mutant) in all.iter().enumerate() {
        files.entry(&mutant.file).or_default().push((number, mutant));
    }
    let (mut owners, mut foreign, mut texts) = (BTreeMap::new(), Vec::new(), BTreeMap::new());
    let mut roots = BTreeSet::new();
    for (file, mutants) in &files {
        let text = fs::read_to_string(sources.join(file))?;
        let places = places::Places::of(&text).map_err(|error| format!("{file}: {error}"))?;
        let mut edits = Vec::new();
        for &(number, mutant) in mutants.iter().filter(|(number, _)| !dropped.contains(number)) {
            match places.edit(&text, number, mutant) {
                Some(edit) => edits.push(edit),
                None => foreign.push(number),
            }
        }
        let (woven, whose) = weave::weave(&text, edits);
        owners.insert((*file).to_owned(), whose);
        texts.insert((*file).to_owned(), woven);
        let (package, _) =
            file.split_once("/src/").ok_or_else(|| format!("{file}: expected a file of a package"))?;
        roots.insert(format!("{package}/src/lib.rs"));
    }
    for root in roots {
        if !texts.contains_key(&root) {
            texts.insert(root.clone(), fs::read_to_string(sources.join(&root))?);
        }
        texts.entry(root).or_default().push_str(CHOICE);
    }
    for (file, text) in texts {
        // What is the same keeps its time, for cargo.
        let path = copy.join(file);
        if !fs::read_to_string(&path).is_ok_and(|before| before == text) {
            fs::write(path, text)?;
        }
    }
    fs::write(map, serde_json::to_string(&serde_json::json!({ "owners": owners, "foreign": foreign }))?)?;
    Ok(())
}
