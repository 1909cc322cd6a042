//! Programs of the Wii U.

mod arrays;
mod constructs;
mod drawn;
mod forms;
mod geometry;
mod idioms;
mod indexed;
mod levels;
mod memory;
mod small;
mod vendor;
mod verify;
