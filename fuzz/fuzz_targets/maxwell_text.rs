//! Maxwell assembler text: code that lists and assembles to itself, or findings that point into the text; and the same
//! bytes as code.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    unshade_tests::properties::maxwell::text(data);
    unshade_tests::properties::maxwell::code(data);
});
