//! Outside programs that judge our output: `glslangValidator`, `spirv-val`. A test that needs one skips when
//! it is not installed, unless `UNSHADE_REQUIRE_TOOLS` is set.

use std::{
    io::Write,
    path::Path,
    process::{Command, Stdio},
};

/// Whether a program can be started. Says in one line what is skipped if not.
///
/// # Panics
///
/// When it is missing although `UNSHADE_REQUIRE_TOOLS` is set.
#[allow(clippy::print_stderr, clippy::panic)]
pub fn present(program: &str, what: &str) -> bool {
    let found = Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    if found.is_ok() {
        return true;
    }
    if std::env::var_os("UNSHADE_REQUIRE_TOOLS").is_some() {
        panic!("{program} is required here: {what}");
    }
    eprintln!("skipped: {what}: {program} is not installed");
    false
}

/// Runs a program on a file that holds `content`; the error is what it printed.
///
/// # Errors
///
/// The program's output where it does not accept the file, or why it could not be run.
pub fn accepts(program: &str, arguments: &[&str], extension: &str, content: &[u8]) -> Result<(), String> {
    let file = tempfile::Builder::new().suffix(extension).tempfile().map_err(|error| error.to_string())?;
    file.as_file().write_all(content).map_err(|error| error.to_string())?;
    accepts_file(program, arguments, file.path())
}

fn accepts_file(program: &str, arguments: &[&str], path: &Path) -> Result<(), String> {
    let output = Command::new(program)
        .args(arguments)
        .arg(path)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("{program}: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    Err(format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr)))
}
