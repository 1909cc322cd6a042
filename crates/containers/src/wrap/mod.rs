//! Files that hold containers among other bytes.

pub mod scan;
