//! Programs of the Wii U.

mod constructs;
mod drawn;
mod fsha;
mod memory;
mod vendor;
mod verify;
