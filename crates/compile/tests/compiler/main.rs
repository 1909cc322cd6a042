//! The compiler against programs whose results are known, programs made by chance, and text that means harm.

mod hostile;
mod programs;
mod random;
mod support;
