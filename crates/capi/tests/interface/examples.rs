//! Builds the C example with a C compiler, runs it and the Python example on the samples, and compares what they print with
//! `examples.txt`: lines that start with `$ ` are commands, what follows is what they print, then `[exit N]` unless it is
//! 0. `BLESS=1` writes it anew from what the C example prints. Where valgrind is there, the C example runs under it too.

use std::{
    fmt::Write,
    fs,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

fn home() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn root() -> PathBuf {
    home().join("../..")
}

/// Where cargo puts the library that the tests are built with, static and shared.
fn libraries() -> PathBuf {
    std::env::current_exe().unwrap().parent().unwrap().to_owned()
}

fn shared_library() -> PathBuf {
    libraries().join(if cfg!(target_os = "macos") { "libunshade_capi.dylib" } else { "libunshade_capi.so" })
}

/// A folder for programs of a hundred megabytes, beside what cargo builds: where systems keep small files may be no room.
fn folder() -> tempfile::TempDir {
    tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap()
}

/// Whether a program can be started. Says in one line what is skipped if not.
fn present(program: &str, what: &str) -> bool {
    let found = Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    if found.is_ok() {
        return true;
    }
    assert!(std::env::var_os("UNSHADE_REQUIRE_TOOLS").is_none(), "{program} is required here: {what}");
    eprintln!("skipped: {what}: {program} is not installed");
    false
}

/// Runs a command that has to work.
fn work(command: &mut Command) {
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {said}");
    assert!(said.trim().is_empty(), "{command:?}: {said}");
}

const STRICT: [&str; 4] = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"];

/// What the Rust standard library needs of the system (`rustc --print native-static-libs`).
const SYSTEM: &[&str] =
    if cfg!(target_os = "macos") { &["-liconv", "-lm"] } else { &["-lpthread", "-ldl", "-lm"] };

/// The C example, linked with the library.
fn build(folder: &Path, shared: bool) -> PathBuf {
    let program = folder.join("inspect");
    let mut command = Command::new("cc");
    command.args(["-std=c99", "-O1", "-g"]).args(STRICT).arg("-I").arg(home().join("include"));
    command.arg(home().join("examples/c/inspect.c"));
    if shared {
        let rpath = format!("-Wl,-rpath,{}", libraries().display());
        command.arg("-L").arg(libraries()).args(["-lunshade_capi", &rpath]);
    } else {
        command.arg(libraries().join("libunshade_capi.a")).args(SYSTEM);
        if cfg!(target_os = "linux") {
            // Valgrind reads all of it each time it starts; the names of functions stay.
            command.arg("-Wl,--strip-debug");
        }
    }
    work(command.arg("-o").arg(&program));
    program
}

/// Makes the files that the transcript expects.
fn prepare(tmp: &Path) {
    let sample = |name: &str| fs::read(root().join("samples").join(name)).unwrap();
    let cut = |name: &str, ending: &str, len: usize| {
        fs::write(tmp.join(ending), &sample(name)[..len]).unwrap();
    };
    cut("shared_transform.shbin", "cut.shbin", 0x1f0);
    cut("lambert.vert.mbs", "cut.mbs", 0x100);
    cut("nested.szs", "cut.szs", 900);
    cut("nested.szs", "empty", 0);
    let opened = sample("passthrough.shbin");
    let opened = unshade::open(&opened[..]).unwrap();
    let (_, stage) = opened.stages(None).next().unwrap();
    let code: Vec<u8> = stage.code.words.iter().flat_map(|word| word.to_le_bytes()).collect();
    fs::write(tmp.join("code"), &code).unwrap();
    fs::write(tmp.join("odd"), &code[..code.len() - 1]).unwrap();
}

/// The transcript with what the commands print now.
fn transcript(tmp: &Path, run: impl Fn(&[String]) -> Output) -> String {
    let path = tmp.display().to_string();
    let expected = fs::read_to_string(home().join("tests/examples.txt")).unwrap().replace("\r\n", "\n");
    let mut actual = String::new();
    for line in expected.lines().filter(|line| line.starts_with("$ ") || line.starts_with("# ")) {
        if line.starts_with('#') && !actual.is_empty() {
            actual.push('\n');
        }
        writeln!(actual, "{line}").unwrap();
        let Some(command) = line.strip_prefix("$ inspect ") else { continue };
        let words: Vec<String> = command.split(' ').map(|word| word.replace("$TMP", &path)).collect();
        let output = run(&words);
        actual.push_str(&String::from_utf8(output.stdout).unwrap());
        match output.status.code() {
            Some(0) => {}
            code => writeln!(actual, "[exit {}]", code.unwrap_or(-1)).unwrap(),
        }
    }
    actual
}

fn compare(who: &str, actual: &str) {
    let path = home().join("tests/examples.txt");
    if std::env::var_os("BLESS").is_some() {
        // The C example writes it; others are held against it the next time.
        return;
    }
    let expected = fs::read_to_string(&path).unwrap().replace("\r\n", "\n");
    let at = actual.lines().zip(expected.lines()).position(|(a, b)| a != b);
    let at = at.unwrap_or_else(|| actual.lines().count().min(expected.lines().count()));
    assert!(
        actual == expected,
        "{}:{}: {who} prints something else; BLESS=1 writes it anew\n  expected: {}\n  printed:  {}",
        path.display(),
        at + 1,
        expected.lines().nth(at).unwrap_or("(nothing)"),
        actual.lines().nth(at).unwrap_or("(nothing)"),
    );
}

#[test]
fn the_header_is_c_and_cpp() {
    for (program, language, standard) in
        [("cc", "c", "-std=c99"), ("cc", "c", "-std=c11"), ("c++", "c++", "-std=c++11")]
    {
        if present(program, "the header is compiled") {
            let mut command = Command::new(program);
            command.args(["-x", language, standard, "-fsyntax-only"]).args(STRICT);
            work(command.arg("-include").arg(home().join("include/unshade.h")).arg("/dev/null"));
        }
    }
}

#[test]
fn the_c_example_prints_what_it_should() {
    if !present("cc", "the C example") {
        return;
    }
    let tmp = folder();
    prepare(tmp.path());
    for shared in [false, true] {
        let program = build(tmp.path(), shared);
        let run = |words: &[String]| {
            let output = Command::new(&program).args(words).current_dir(root()).output().unwrap();
            assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
            output
        };
        let actual = transcript(tmp.path(), run);
        if std::env::var_os("BLESS").is_some() && !shared {
            fs::write(home().join("tests/examples.txt"), &actual).unwrap();
        }
        compare("the C example", &actual);
    }
}

/// Every command of the transcript, those that fail included: nothing is read or written that should not be, and nothing
/// is left behind.
#[test]
fn the_c_example_is_clean_under_valgrind() {
    if !present("cc", "the C example under valgrind") || !present("valgrind", "the C example under valgrind")
    {
        return;
    }
    let tmp = folder();
    prepare(tmp.path());
    let program = build(tmp.path(), false);
    let run = |words: &[String]| {
        let mut command = Command::new("valgrind");
        command.args(["--leak-check=full", "--show-leak-kinds=all", "--errors-for-leak-kinds=all"]);
        command.args(["--error-exitcode=9", "--track-origins=no"]).arg(&program).args(words);
        let output = command.current_dir(root()).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains("ERROR SUMMARY: 0 errors from 0 contexts"), "{words:?}: {said}");
        if std::env::var_os("UNSHADE_SHOW_VALGRIND").is_some() {
            let kept =
                |line: &&str| line.contains("SUMMARY") || line.contains("in use") || line.contains("freed");
            eprintln!("{words:?}\n{}", said.lines().filter(kept).collect::<Vec<_>>().join("\n"));
        }
        output
    };
    compare("the C example under valgrind", &transcript(tmp.path(), run));
}

#[test]
fn the_python_example_prints_the_same() {
    if !present("python3", "the Python example") {
        return;
    }
    let tmp = folder();
    prepare(tmp.path());
    let run = |words: &[String]| {
        let script = home().join("examples/python/unshade_inspect.py");
        let mut command = Command::new("python3");
        command.arg("-B").arg(script).arg(shared_library()).args(words);
        let output = command.current_dir(root()).output().unwrap();
        assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
        output
    };
    compare("the Python example", &transcript(tmp.path(), run));
}
