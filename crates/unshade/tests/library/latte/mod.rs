//! Programs of the Wii U.

mod constructs;
mod drawn;
mod memory;
mod vendor;
mod verify;
