//! `cargo run --release -p unshade-glsl --example read -- [--vulkan] [--time] [--quiet] FILE...`: reads texts and prints what is wrong with them.

#![allow(clippy::print_stdout)]

use std::path::Path;
use std::time::Instant;
use unshade_glsl::language::{Stage, Target};
use unshade_glsl::{Options, read};

fn main() {
    let (mut target, mut time, mut quiet) = (Target::OpenGl, false, false);
    for argument in std::env::args().skip(1) {
        match argument.as_str() {
            "--vulkan" => target = Target::Vulkan,
            "--time" => time = true,
            "--quiet" => quiet = true,
            file => {
                let path = Path::new(file);
                let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or("");
                let Some(stage) = Stage::by_ending(ending) else { continue };
                let Ok(bytes) = std::fs::read(path) else { continue };
                let text = String::from_utf8_lossy(&bytes);
                let options = Options { target, name: file.to_owned(), ..Options::new(stage) };
                let start = Instant::now();
                let reading = read(&text, &options);
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
