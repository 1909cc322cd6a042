//! Maxwell assembler text: code that lists and assembles to itself, or findings that point into the text; and the same
//! bytes as code.
#![no_main]

unshade_fuzz::target!("maxwell_text");
