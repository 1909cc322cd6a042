//! SHARC, the archive of shader sources of the graphics framework AGL: versions 10 to 13, in both byte orders.
//!
//! ```text
//! header             "SHAA" as a number, 0x14 bytes, name
//! programs           size, count, records: name, a source for each stage, macros that each stage is compiled with, macros
//!                    with their values, macros with their defaults, symbols or blocks
//! sources            size, count, records: name, text
//! information        size, count, records of three words: from version 13 on
//! ```
//! A [`sharcfb`](crate::formats::sharcfb) is made of it, program by program. It holds no code: what stages an archive of binaries
//! has in its variations are texts here, which [`Sharc::program_of`] finds.
//!
//! | version | stages | defaults | behind them |
//! |---|---|---|---|
//! | 10 | 3 | no | uniforms, uniform blocks, samplers, attributes; one reader knows no blocks |
//! | 11, 12 | 3 | yes | the four |
//! | 13 | 4 | yes | blocks with their uniforms |

mod check;
mod format;
#[cfg(feature = "manifest")]
mod manifest;
pub mod model;
mod names;
pub mod programs;
pub mod raw;
pub mod read;
mod tree;
mod write;

pub use model::{Info, Program, Sharc, Source, SourceIndex, Stage, StageMacro};
pub use raw::Rules;
pub use read::read;
