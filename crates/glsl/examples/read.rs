//! `cargo run --release -p unshade-glsl --example read -- [--vulkan] [--time] [--quiet] [--all] FILE...`: reads texts and prints what is wrong with them.

#![allow(clippy::print_stdout)]

use std::path::Path;
use std::time::Instant;
use unshade_glsl::language::{Profile, Stage, Target, Version};
use unshade_glsl::limits::Limits;
use unshade_glsl::preprocess::Include;
use unshade_glsl::{Options, read, read_with};

fn main() {
    let (mut target, mut time, mut quiet) = (Target::OpenGl, false, false);
    let mut limits = Limits::DEFAULT;
    for argument in std::env::args().skip(1) {
        match argument.as_str() {
            "--vulkan" => target = Target::Vulkan,
            "--time" => time = true,
            "--quiet" => quiet = true,
            "--all" => limits.errors = 10_000,
            file => {
                let path = Path::new(file);
                let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or("");
                let Some(stage) = Stage::by_ending(ending) else { continue };
                let Ok(bytes) = std::fs::read(path) else { continue };
                let text = String::from_utf8_lossy(&bytes);
                // As glslangValidator does for a text that says no version.
                let version = Version { number: 100, profile: Profile::Es };
                let options =
                    Options { target, version, limits, name: file.to_owned(), ..Options::new(stage) };
                let start = Instant::now();
                let folder = path.parent().unwrap_or(Path::new("")).to_owned();
                let mut find = |include: Include<'_>| match std::fs::read_to_string(folder.join(include.name))
                {
                    Ok(text) => Ok((include.name.to_owned(), text)),
                    Err(error) => Err(error.to_string()),
                };
                let reading = read_with(&text, &options, &mut find);
                let first = start.elapsed();
                let taken = if reading.shader.is_some() { "taken" } else { "refused" };
                match time {
                    true => {
                        let start = Instant::now();
                        for _ in 0..200 {
                            std::hint::black_box(read(&text, &options));
                        }
                        let each = start.elapsed() / 200;
                        println!(
                            "{taken} {file}: {} lines, first {first:?}, then {each:?}",
                            text.lines().count()
                        );
                    }
                    false => println!("{taken} {file}"),
                }
                if !quiet {
                    print!("{}", reading.render());
                }
            }
        }
    }
}
