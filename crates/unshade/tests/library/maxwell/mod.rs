//! Programs of the Switch.

mod assembly;
mod directed;
mod drawn;
mod kernels;
mod lift;
mod reasons;
mod stages;
mod vectors;
mod verify;
mod wide;
mod words;
