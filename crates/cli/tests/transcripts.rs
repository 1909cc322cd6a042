//! Runs the transcripts in `tests/cli`: lines that start with `$ ` are commands, what follows is what they
//! print (standard output, then standard error behind `! `, then `[exit N]` unless it is 0).
//!
//! Commands run in the root of the checkout. `$TMP` is a folder that lives as long as the transcript.
//! `BLESS=1` writes the transcripts anew; review the difference.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::{fmt::Write, fs, path::Path, process::Command};

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// Splits a command line at blanks; single quotes keep blanks.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = None::<String>;
    let mut quoted = false;
    for c in line.chars() {
        match c {
            '\'' => {
                quoted = !quoted;
                word.get_or_insert_default();
            }
            ' ' if !quoted => words.extend(word.take()),
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

fn run(line: &str, tmp: &Path) -> String {
    let tmp_text = tmp.display().to_string();
    let mut words = words(line).into_iter().map(|word| word.replace("$TMP", &tmp_text));
    let program = words.next().unwrap();
    assert_eq!(program, "unshade", "a transcript runs only unshade");
    let output = Command::new(env!("CARGO_BIN_EXE_unshade"))
        .args(words)
        .current_dir(root())
        .env_remove("CLICOLOR_FORCE")
        .env("NO_COLOR", "1")
        .env("COLUMNS", "100")
        .output()
        .unwrap();
    let clean = |bytes: &[u8]| {
        String::from_utf8_lossy(bytes).replace(&tmp_text, "$TMP").replace("unshade.exe", "unshade")
    };
    let mut text = clean(&output.stdout);
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    for line in clean(&output.stderr).lines() {
        writeln!(text, "! {line}").unwrap();
    }
    match output.status.code() {
        Some(0) => {}
        Some(code) => writeln!(text, "[exit {code}]").unwrap(),
        None => writeln!(text, "[ended by a signal]").unwrap(),
    }
    text
}

#[test]
fn transcripts() {
    let folder = root().join("tests/cli");
    let mut files: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "txt"));
    // A build with a server goes on serving (tests/serve.rs).
    files.retain(|path| !cfg!(feature = "serve") || !path.ends_with("serve.txt"));
    files.sort();
    assert!(!files.is_empty(), "no transcripts in {}", folder.display());
    let bless = std::env::var_os("BLESS").is_some();
    let mut wrong = Vec::new();
    for path in files {
        let tmp = tempfile::tempdir().unwrap();
        let expected = fs::read_to_string(&path).unwrap().replace("\r\n", "\n");
        let mut actual = String::new();
        for line in expected.lines().filter(|line| line.starts_with("$ ") || line.starts_with("# ")) {
            if !actual.is_empty() {
                actual.push('\n');
            }
            writeln!(actual, "{line}").unwrap();
            if let Some(command) = line.strip_prefix("$ ") {
                actual.push_str(&run(command, tmp.path()));
            }
        }
        if bless {
            fs::write(&path, &actual).unwrap();
        } else if actual != expected {
            let at = actual.lines().zip(expected.lines()).position(|(a, b)| a != b);
            let at = at.unwrap_or_else(|| actual.lines().count().min(expected.lines().count()));
            wrong.push(format!(
                "{}:{}:\n  expected: {}\n  printed:  {}",
                path.display(),
                at + 1,
                expected.lines().nth(at).unwrap_or("(nothing)"),
                actual.lines().nth(at).unwrap_or("(nothing)"),
            ));
        }
    }
    assert!(wrong.is_empty(), "BLESS=1 writes them anew\n{}", wrong.join("\n"));
}
