//! The assembler against the corpus, against the reference assembler where it is installed, against random
//! programs and hostile text, and its messages.

mod corpus;
mod diagnostics;
mod differential;
mod generate;
mod hostile;
mod layout;
