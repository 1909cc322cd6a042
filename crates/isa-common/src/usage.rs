//! How much of a machine a program uses.

/// A resource with its limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Usage {
    /// How many are in use.
    pub used: usize,
    /// How many there are.
    pub limit: usize,
}
