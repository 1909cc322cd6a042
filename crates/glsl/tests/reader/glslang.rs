//! glslang's own test shaders, which are not part of the project: `UNSHADE_GLSLANG=/path/to/glslang/Test`.

use std::path::PathBuf;
use unshade_glsl::language::{Profile, Stage, Target, Version};
use unshade_glsl::{Options, read};

fn files() -> Option<Vec<(PathBuf, Stage, String)>> {
    let folder = std::env::var_os("UNSHADE_GLSLANG")?;
    let mut list = Vec::new();
    for entry in std::fs::read_dir(folder).ok()?.flatten() {
        let path = entry.path();
        let stage = path.extension().and_then(|ending| ending.to_str()).and_then(Stage::by_ending);
        if let (Some(stage), Ok(bytes)) = (stage, std::fs::read(&path)) {
            list.push((path, stage, String::from_utf8_lossy(&bytes).into_owned()));
        }
    }
    Some(list)
}

#[test]
fn cut_at_every_line() {
    let Some(list) = files() else {
        println!("skipped: UNSHADE_GLSLANG does not say where glslang's tests are");
        return;
    };
    let mut cuts = 0usize;
    for (path, stage, text) in &list {
        let name = path.to_string_lossy().into_owned();
        let target =
            if name.contains("spv.") || name.contains("vulkan") { Target::Vulkan } else { Target::OpenGl };
        // As glslangValidator does for a text that says no version.
        let version = Version { number: 100, profile: Profile::Es };
        let options = Options { target, version, name, ..Options::new(*stage) };
        let ends: Vec<usize> = text.match_indices('\n').map(|(at, _)| at + 1).collect();
        // Long files are cut at some lines only.
        let step = (ends.len() / 60).max(1);
        for end in ends.iter().step_by(step).chain([&text.len()]) {
            let _ = read(text.get(..*end).unwrap_or(text), &options).render();
            cuts += 1;
        }
    }
    println!("{} files, {cuts} cuts", list.len());
    assert!(list.len() > 500);
}
