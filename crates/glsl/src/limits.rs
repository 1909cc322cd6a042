//! What a stranger's text may cost. Each limit has a name, which is in the error that says that it was reached.

/// Limits of reading a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of all files together, each counted as often as it is included.
    pub bytes: usize,
    /// Tokens that the preprocessor handles: those of the texts, and those that macros make, each time they are looked at.
    pub tokens: usize,
    /// Files that include each other, one inside the other.
    pub include_depth: usize,
    /// Conditions (`#if`) and arguments of macros, one inside the other.
    pub macro_depth: usize,
    /// Expressions, statements and structures, one inside the other.
    pub nesting: usize,
    /// Operations of one expression in a chain, as in `a + b + c`, and so how high its tree is.
    pub chain: usize,
    /// Scalars in a type.
    pub type_size: u64,
    /// Scalars of one constant that are computed; larger ones stay expressions.
    pub constant_size: u64,
    /// Steps of searching and computing beside the tokens: overloads and members looked at, scalars of constants.
    pub work: u64,
    /// Errors that are reported before reading ends.
    pub errors: usize,
}

impl Limits {
    /// The default limits.
    pub const DEFAULT: Self = Self {
        bytes: 8 << 20,
        tokens: 1 << 20,
        include_depth: 32,
        macro_depth: 64,
        nesting: 200,
        chain: 2000,
        type_size: 1 << 24,
        constant_size: 1 << 12,
        work: 16 << 20,
        errors: 40,
    };
}

impl Default for Limits {
    fn default() -> Self {
        Self::DEFAULT
    }
}
