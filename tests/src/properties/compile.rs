//! Any text compiles or is refused, and what compiles is a sound file that its listing gives again.

use unshade::assembly;
use unshade::compile::{Language, Options, Source, compile_shbin};
use unshade::{pica200::asm, report};

/// The first byte says the language.
pub fn compile(data: &[u8]) {
    let Some((&first, rest)) = data.split_first() else { return };
    let language = if first & 1 == 0 { Language::Glsl } else { Language::Wgsl };
    let text = String::from_utf8_lossy(rest);
    let source = Source { name: "text", text: &text, language };
    match compile_shbin(&[source], &Options::default()) {
        Err(findings) => assert!(!findings.is_empty(), "a text is refused without a reason"),
        Ok(compiled) => {
            let bytes = compiled.write().unwrap_or_default();
            assert!(!bytes.is_empty(), "a program is no file");
            let found = report::check(bytes.as_slice(), &[], None);
            assert!(found.diagnostics.is_empty(), "{:?}", found.diagnostics);
            let listing = compiled.program.listings.first().map(String::as_str).unwrap_or_default();
            let again = asm::assemble(
                &[assembly::Source { name: "listing", text: listing }],
                asm::Options::default(),
            );
            let words = again.map(|again| again.program.words).unwrap_or_default();
            assert!(words == compiled.program.assembly.program.words, "the listing is another program");
        }
    }
}
