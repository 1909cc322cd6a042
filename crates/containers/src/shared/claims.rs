//! What a container states of a program because its code needs it: registers, stack, what is fetched ahead. Only an
//! instruction set can tell from code what it needs; this is where the answer goes.

pub use unshade_stage::CodeFacts as Claims;
