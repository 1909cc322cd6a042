//! The assembler against the corpus, against the reference assembler where it is installed, against random
//! programs and hostile text, and its messages.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

#[path = "pica200_asm/corpus.rs"]
mod corpus;
#[path = "pica200_asm/diagnostics.rs"]
mod diagnostics;
#[path = "pica200_asm/differential.rs"]
mod differential;
#[path = "pica200_asm/generate.rs"]
mod generate;
#[path = "pica200_asm/hostile.rs"]
mod hostile;
#[path = "pica200_asm/layout.rs"]
mod layout;
