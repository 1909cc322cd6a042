//! Random sources, and sources that pass over a mistake, through the reference assembler and through ours.
//! Runs where `picasso` is found on the search path.

use crate::asm::{
    generate::{self, Case},
    layout,
};
use std::{path::PathBuf, process::Command};
use unshade_isa_common::assembly::Source;
use unshade_isa_pica200::asm::{Options, assemble, header};

fn picasso() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&path).map(|folder| folder.join("picasso")).find(|file| file.is_file());
    if found.is_none() {
        println!("skipped: no picasso on the search path");
    }
    found
}

/// What picasso makes of it: the file and the header, or what it printed.
fn reference(picasso: &PathBuf, folder: &tempdir::Folder, case: &Case) -> Result<(Vec<u8>, String), String> {
    let mut command = Command::new(picasso);
    command.current_dir(&folder.0).args(["-o", "out", "-h", "header"]);
    if case.no_nop {
        command.arg("-n");
    }
    for (name, text) in &case.texts {
        std::fs::write(folder.0.join(name), text).unwrap();
        command.arg(name);
    }
    let _ = std::fs::remove_file(folder.0.join("out"));
    let output = command.output().unwrap();
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    let read = |name: &str| std::fs::read(folder.0.join(name)).unwrap();
    Ok((read("out"), String::from_utf8(read("header")).unwrap()))
}

mod tempdir {
    /// A folder that goes when the test does.
    pub struct Folder(pub std::path::PathBuf);

    impl Folder {
        pub fn new(name: &str) -> Self {
            let path = std::env::temp_dir().join(format!("unshade-{name}-{}", std::process::id()));
            std::fs::create_dir_all(&path).unwrap();
            Self(path)
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }
}

#[test]
fn random_sources_assemble_as_in_picasso() {
    let Some(picasso) = picasso() else { return };
    let folder = tempdir::Folder::new("differential");
    let cases = std::env::var("UNSHADE_CASES").ok().and_then(|count| count.parse().ok()).unwrap_or(300);
    let first = std::env::var("UNSHADE_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(0u64);
    let (mut same, mut refused) = (0, std::collections::BTreeMap::<String, usize>::new());
    for seed in first..first + cases {
        let case = generate::case(seed);
        let sources: Vec<_> = case.texts.iter().map(|(name, text)| Source { name, text }).collect();
        let ours = assemble(&sources, Options { no_nop: case.no_nop });
        let show =
            || case.texts.iter().map(|(name, text)| format!("---- {name}\n{text}")).collect::<String>();
        match (reference(&picasso, &folder, &case), ours) {
            (Ok((file, text)), Ok(ours)) => {
                assert!(layout::shbin(&ours) == file, "seed {seed}: files differ\n{}", show());
                assert_eq!(header(&ours.program), text, "seed {seed}: headers differ\n{}", show());
                same += 1;
            }
            (Err(_), Err(errors)) => *refused.entry(errors[0].code.to_string()).or_default() += 1,
            (Ok(_), Err(errors)) => panic!("seed {seed}: only picasso takes it: {:?}\n{}", errors[0], show()),
            (Err(error), Ok(_)) => panic!("seed {seed}: only we take it: {error}\n{}", show()),
        }
    }
    println!("{same} of {cases} identical, refused by both: {refused:?}");
    assert!(same * 2 > cases, "the generator is wrong too often");
}

/// Changes a few characters.
fn mutate(random: &mut generate::Random, text: &mut String) {
    const WITH: &[&str] = &[
        ",", ".", "[", "]", "(", ")", "-", "+", "!", ":", "#", "0", "1", "2", "9", "x", "y", "a", "r", "R",
        "c", "v", "o", "b", "i", " ", "\t", "\n", "$", "_", "&", "|", "end", ".end", "a0.x", "v15", "\r",
        "[1]", "r0", "/", "f",
    ];
    for _ in 0..=random.below(2) {
        let at = random.below(text.len());
        match random.below(4) {
            0 => text.replace_range(at..=at, ""),
            1 => text.insert_str(at, WITH[random.below(WITH.len())]),
            2 => text.replace_range(at..=at, WITH[random.below(WITH.len())]),
            _ => {
                // One line twice, or not at all.
                let lines: Vec<&str> = text.lines().collect();
                let line = random.below(lines.len());
                let mut changed = lines.clone();
                if random.once_in(2) {
                    changed.insert(line, lines[line])
                } else {
                    _ = changed.remove(line)
                }
                *text = changed.join("\n") + "\n";
            }
        }
    }
}

/// What we refuse and picasso does not, because it would not mean what was written.
const STRICTER: &[&str] = &[
    "capital-register",
    "destination",
    "duplicate",
    "identifier",
    "index",
    "length",
    "missing",
    "number",
    "outside",
    "register-class",
    "register-range",
    "setemit-flag",
    "size-of-array",
    "source",
    "swizzle",
    "too-many",
    "trailing-text",
    "vertex-size",
];
/// What picasso says of things that we take: line markers with a colon, v15, offsets below zero. (Also white
/// space around what it then prints at the end of its message.)
const WIDER: &[&str] =
    &["invalid label name: #", "invalid input register: v15", "invalid register offset: -"];

#[test]
fn damaged_sources_are_judged_as_in_picasso() {
    let Some(picasso) = picasso() else { return };
    let folder = tempdir::Folder::new("damaged");
    let cases = std::env::var("UNSHADE_CASES").ok().and_then(|count| count.parse().ok()).unwrap_or(300);
    let first = std::env::var("UNSHADE_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(0u64);
    let (mut same, mut both, mut stricter, mut wider) = (0, 0, 0, 0);
    for seed in first..first + cases {
        let mut case = generate::case(seed);
        let mut random = generate::Random(seed ^ 0x5EED);
        let which = random.below(case.texts.len());
        mutate(&mut random, &mut case.texts[which].1);
        let sources: Vec<_> = case.texts.iter().map(|(name, text)| Source { name, text }).collect();
        let ours = assemble(&sources, Options { no_nop: case.no_nop });
        match (reference(&picasso, &folder, &case), ours) {
            (Ok((file, _)), Ok(ours)) => {
                assert!(layout::shbin(&ours) == file, "seed {seed}: files differ");
                same += 1;
            }
            (Err(_), Err(_)) => both += 1,
            (Ok(_), Err(errors)) => {
                let codes: Vec<_> = errors.iter().map(|error| error.code.as_ref()).collect();
                let known = STRICTER.contains(&codes[0].trim_start_matches("pica200.asm."));
                assert!(known, "seed {seed}: only picasso takes it: {:?}", errors[0]);
                stricter += 1;
            }
            (Err(error), Ok(_)) => {
                let text = error.trim_end_matches('\n').rsplit(": ").next().unwrap_or_default();
                let known = WIDER.iter().any(|known| error.contains(known)) || text != text.trim();
                assert!(known, "seed {seed}: only we take it: {error}");
                wider += 1;
            }
        }
    }
    println!(
        "of {cases}: {same} identical, {both} refused by both, {stricter} by us only, {wider} by picasso only"
    );
}
