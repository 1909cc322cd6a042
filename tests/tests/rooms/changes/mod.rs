//! Two files and what is between them: differences, and patches.

mod diff;
mod patch;
mod related;
