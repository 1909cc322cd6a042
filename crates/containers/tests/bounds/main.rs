//! What reading and questions may cost, of any bytes: heap, work and time are counted. All tests share one counted heap,
//! so that only one of them measures at a time.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, clippy::print_stderr)]

#[path = "../common/mod.rs"]
mod common;
mod cost;

mod agl;
mod caches;
mod flat;
mod gx2;
mod hostile;
mod in_bytes;
mod mbs;
mod sharcfb_lazy;
mod shbin;
mod switch;
mod switch_lazy;
mod wrappers;
