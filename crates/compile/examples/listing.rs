//! Prints the listings of programs, and how many words each has.
#![allow(clippy::print_stdout, clippy::print_stderr, clippy::expect_used)]
use unshade_compile::{Language, Options, Source, compile};
fn main() {
    let quiet = std::env::var_os("QUIET").is_some();
    for name in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&name).expect("read");
        let language = Language::of_name(&name).unwrap_or(Language::Glsl);
        match compile(&[Source { name: &name, text: &text, language }], &Options::default()) {
            Ok(made) => {
                let words = made.assembly.program.words.len();
                println!("== {name}: {words} words, {} registers", made.registers[0]);
                if !quiet { println!("{}", made.listings[0]); }
                for found in &made.warnings { println!("warning: {}", found.message); }
            }
            Err(findings) => {
                for found in findings {
                    let at = match &found.location { unshade_bytes::Location::Text { span, .. } => span.clone(), _ => 0..0 };
                    let line = text.get(..at.start).unwrap_or("").matches('\n').count() + 1;
                    println!("== {name}:{line}: ERROR [{}] {} `{}` {:?}", found.code, found.message, text.get(at).unwrap_or(""), found.notes);
                }
            }
        }
    }
}
