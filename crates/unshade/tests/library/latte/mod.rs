//! Programs of the Wii U.

mod constructs;
mod drawn;
mod memory;
mod verify;
