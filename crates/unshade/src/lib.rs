//! unshade
pub mod run_json;
