//! Maxwell assembler text: code that lists and assembles to itself, or findings that point into the text; and the same
//! bytes as code.
#![no_main]

unshade_fuzz::target!(
    |data: &[u8]| {
        unshade_tests::properties::maxwell::text(data);
        unshade_tests::properties::maxwell::code(data);
    },
    unshade_tests::mutate::text,
    |data, dice| unshade_tests::mutate::code(unshade::Isa::Maxwell, 0, data, dice),
);
