//! The assembler: picasso's language to code words, operand descriptors and the tables of executables.

pub mod lexer;
pub mod number;
pub mod operand;
