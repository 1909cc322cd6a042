//! The tables of built-ins: every row means something, and docs/glsl.md says what is there.

use std::fmt::Write as _;
use unshade_glsl::builtins::{self, CONSTANTS, VARIABLES};
use unshade_glsl::language::{KNOWN, Language, Profile, Stage, Target, Version};

fn language(number: u16, profile: Profile, stage: Stage, target: Target) -> Language {
    Language::new(Version { number, profile }, stage, target)
}

#[test]
fn every_row_has_functions() {
    for row in builtins::rows() {
        let function = builtins::function(row.name()).expect("it is found by its name");
        let own = function.signatures().iter().filter(|signature| signature.row.text == row.text).count();
        assert!(own > 0, "{}", row.text);
        let words = row.text.split(['(', ',', '[', ')']).filter(|word| !word.is_empty()).count();
        assert!(words > 0 && !row.name().is_empty(), "{}", row.text);
    }
}

#[test]
fn no_two_functions_are_the_same() {
    for version in [(110, Profile::None), (100, Profile::Es), (320, Profile::Es), (460, Profile::Core)] {
        for stage in Stage::ALL {
            let language = language(version.0, version.1, stage, Target::OpenGl);
            for name in builtins::function_names() {
                let function = builtins::function(name).expect("it is there");
                let here: Vec<_> = function.signatures().iter().filter(|one| one.is_in(&language)).collect();
                for (at, one) in here.iter().enumerate() {
                    let same = here.iter().skip(at + 1).find(|other| other.parameters == one.parameters);
                    assert!(same.is_none(), "{} twice in {:?}", one.row.text, language.version);
                }
            }
        }
    }
}

/// The table of docs/glsl.md.
fn page() -> String {
    let mut out = String::new();
    let number = |language: &Language| {
        builtins::function_names()
            .filter(|name| {
                let function = builtins::function(name).expect("it is there");
                function.signatures().iter().any(|one| one.is_in(language))
            })
            .count()
    };
    out.push_str(
        "| language | functions in vertex | fragment | geometry | compute shaders |\n|---|---|---|---|---|\n",
    );
    let versions = Version::DESKTOP
        .iter()
        .map(|number| (*number, if *number < 150 { Profile::None } else { Profile::Core }));
    for (version, profile) in versions.chain(Version::ES.iter().map(|number| (*number, Profile::Es))) {
        let stages = [Stage::Vertex, Stage::Fragment, Stage::Geometry, Stage::Compute];
        let counts =
            stages.map(|stage| number(&language(version, profile, stage, Target::OpenGl)).to_string());
        let _ = writeln!(out, "| {} | {} |", Version { number: version, profile }, counts.join(" | "));
    }
    let _ = writeln!(
        out,
        "\n{} rows of functions, {} of variables, {} of constants; {} extensions:\n",
        builtins::rows().count(),
        VARIABLES.len(),
        CONSTANTS.len(),
        KNOWN.len()
    );
    let mut group = String::new();
    for known in KNOWN {
        let vendor = known.name.split('_').nth(1).unwrap_or("").to_owned();
        if vendor != group {
            let start = if group.is_empty() { "" } else { "\n" };
            let _ = write!(out, "{start}- {vendor}:");
            group = vendor;
        } else {
            out.push(',');
        }
        let rest = known.name.splitn(3, '_').nth(2).unwrap_or("");
        let _ = write!(out, " `{rest}`");
    }
    out.push('\n');
    out
}

#[test]
fn the_page_says_what_is_there() {
    let path = unshade_corpus::root().join("docs/glsl.md");
    let text = std::fs::read_to_string(&path).expect("docs/glsl.md is there");
    let (start, end) = ("<!-- table -->\n", "<!-- end of the table -->");
    let (head, rest) = text.split_once(start).expect("it has a table");
    let (old, tail) = rest.split_once(end).expect("the table ends");
    let new = page();
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, format!("{head}{start}{new}{end}{tail}")).expect("written");
    } else {
        assert_eq!(old, new, "BLESS=1 writes it anew");
    }
}
