//! glslang's own test shaders, which are not part of the project: `UNSHADE_GLSLANG=/path/to/glslang/Test`.

use std::path::{Path, PathBuf};
use std::process::Command;
use unshade_glsl::language::{KNOWN, Profile, Stage, Target, Version};
use unshade_glsl::preprocess::Include;
use unshade_glsl::{Options, read, read_with};

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

/// Whether glslangValidator takes a file; none where it is not there.
fn validator(path: &Path, is_vulkan: bool) -> Option<bool> {
    let mut command = Command::new("glslangValidator");
    match is_vulkan {
        true => command.args(["-V", "--amb", "--aml", "--target-env", "vulkan1.3", "-o", "/dev/null"]),
        false => command.arg("-l"),
    };
    Some(command.arg(path).output().ok()?.status.success())
}

/// Extensions that a text names and that are not there.
fn missing(text: &str) -> Vec<String> {
    let lines = text.lines().filter_map(|line| line.trim_start().strip_prefix('#'));
    let lines = lines.filter_map(|line| line.trim_start().strip_prefix("extension"));
    let names = lines.filter_map(|line| line.split([':', ' ', '\t']).find(|word| !word.is_empty()));
    let unknown = names.filter(|name| *name != "all" && !KNOWN.iter().any(|known| known.name == *name));
    unknown.map(str::to_owned).collect()
}

#[test]
fn taken_and_refused_as_the_validator_does() {
    let Some(mut list) = files() else {
        println!("skipped: UNSHADE_GLSLANG does not say where glslang's tests are");
        return;
    };
    list.sort();
    let (mut all, mut agreed, mut known, mut known_agreed) = (0usize, 0usize, 0usize, 0usize);
    for (path, stage, text) in &list {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name.contains("hlsl.") {
            continue;
        }
        let starts = ["spv.", "vk.", "GL_"];
        let is_vulkan = starts.iter().any(|start| name.starts_with(start)) || name.contains("vulkan");
        let Some(theirs) = validator(path, is_vulkan) else {
            println!("skipped: glslangValidator is not there");
            return;
        };
        let options = Options {
            target: if is_vulkan { Target::Vulkan } else { Target::OpenGl },
            version: Version { number: 100, profile: Profile::Es },
            name: name.clone(),
            ..Options::new(*stage)
        };
        let folder = path.parent().map(Path::to_owned).unwrap_or_default();
        let mut find = |include: Include<'_>| match std::fs::read_to_string(folder.join(include.name)) {
            Ok(text) => Ok((include.name.to_owned(), text)),
            Err(error) => Err(error.to_string()),
        };
        let ours = read_with(text, &options, &mut find).shader.is_some();
        let lacks = missing(text);
        all += 1;
        agreed += usize::from(ours == theirs);
        if lacks.is_empty() {
            known += 1;
            known_agreed += usize::from(ours == theirs);
        }
        if ours != theirs {
            let verb = if ours { "taken" } else { "refused" };
            println!("{verb}: {name} {}", lacks.first().map_or("", String::as_str));
        }
    }
    println!("{agreed} of {all}; without files of extensions that are not there: {known_agreed} of {known}");
    assert!(known_agreed * 100 >= known * 98, "{known_agreed} of {known}");
}
