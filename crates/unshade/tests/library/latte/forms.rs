//! Forms that the console vendor's compiler writes, made by hand in every variation: what is decided by an outside source
//! (docs/latte-hardware.md says which) is held against that here, since `verify` cannot see what both of its sides take the same.

use std::io::Write;
use std::process::{Command, Stdio};
use unshade::verify::{Failure, verify};
use unshade::{DecompileOptions, GlslVersion, Isa, Stage, StageKind, Target};
use unshade_stage::Latte;

/// A stage from a listing.
pub(super) fn stage(listing: &str, kind: StageKind, latte: Latte) -> Stage<'static> {
    let assembled = unshade::latte::asm::assemble(listing);
    let words = assembled.unwrap_or_else(|findings| panic!("{findings:?}\n{listing}")).words;
    let mut stage = unshade::raw_stage(Isa::Latte, words, Vec::new());
    stage.kind = kind;
    stage.interface.latte = Some(Box::new(latte));
    stage
}

/// Both modes agree with the machine.
#[track_caller]
pub(super) fn agrees(stage: &Stage<'_>, cases: u32) {
    let verdict = verify(stage, cases, 1);
    let failures: Vec<&Failure> =
        [&verdict.strict.failure, &verdict.readable.failure].into_iter().flatten().collect();
    assert!(failures.is_empty(), "{failures:?}\n{}", text(stage));
}

/// Readable GLSL 450.
#[track_caller]
pub(super) fn text(stage: &Stage<'_>) -> String {
    decompiled(stage, Target::Glsl(GlslVersion::Core450)).unwrap_or_else(|error| panic!("{error}"))
}

/// The text of a version, or why there is none.
pub(super) fn decompiled(stage: &Stage<'_>, target: Target) -> Result<String, String> {
    let how = DecompileOptions { target, ..DecompileOptions::default() };
    unshade::decompile(stage, &how).map(|made| made.text).map_err(|error| error.to_string())
}

/// A compiler takes it; where there is none this says so and passes.
#[track_caller]
pub(super) fn is_valid(text: &str, kind: StageKind) {
    let step = match kind {
        StageKind::Vertex => "vert",
        StageKind::Geometry => "geom",
        _ => "frag",
    };
    let command = Command::new("glslangValidator")
        .args(["--stdin", "-S", step])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn();
    let Ok(mut child) = command else {
        println!("skipped: glslangValidator is not installed");
        return;
    };
    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}\n{text}", String::from_utf8_lossy(&output.stdout));
}

/// A SPIR-V module that the validator takes; where there is none this says so and passes.
#[track_caller]
pub(super) fn is_valid_spirv(words: &[u32]) {
    let name = format!("module-{:?}.spv", std::thread::current().id());
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    std::fs::write(&path, bytes).unwrap();
    match Command::new("spirv-val").args(["--target-env", "vulkan1.1"]).arg(&path).output() {
        Ok(output) => assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr)),
        Err(_) => println!("skipped: spirv-val is not installed"),
    }
}

/// One of the cases that lie beside the checkout.
pub(super) fn case(name: &str) -> Option<Vec<u8>> {
    let path = unshade_corpus::shared("cases/wiiu").join(name);
    let bytes = std::fs::read(&path).ok();
    if bytes.is_none() {
        println!("skipped: no {}", path.display());
    }
    bytes
}

/// A case's stages, with where they stand in it.
pub(super) fn stages(bytes: &[u8]) -> Vec<Stage<'static>> {
    let opened = unshade::open(bytes).unwrap();
    opened.stages(None).map(|(_, stage)| stage.into_owned()).collect()
}
