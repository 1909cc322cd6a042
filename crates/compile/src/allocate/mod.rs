//! Registers of four components for values of one to four.
//!
//! This half knows no machine: code is trees of [`Step`]s that read and write components of values, some of them plain
//! copies. First, copies go away where source and destination can be the same components of one register
//! ([`coalesce`]); what is then left are cells, sets of values that lie together, and each cell gets a register
//! ([`assign`]), with its components in any order.

mod assign;
mod coalesce;
mod interference;

pub use assign::{Assigned, assign};
pub use coalesce::coalesce;
pub use interference::{Interference, interference};

use smallvec::SmallVec;

/// A component of a value: four times the value's number, plus the component.
pub type Component = usize;

/// Where results may lie beside ordinary registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Home {
    /// Any register that can be read and written.
    Any,
    /// An output: written once on every path, never read, components in their own places.
    Output(u8),
}

/// What the allocator sees of an instruction.
#[derive(Debug, Clone, Default)]
pub struct Access {
    /// Components that it writes.
    pub writes: SmallVec<[Component; 4]>,
    /// Components that it reads.
    pub reads: SmallVec<[Component; 8]>,
    /// For a plain copy: for each written component the one that it takes.
    pub copies: SmallVec<[(Component, Component); 4]>,
}

/// Code as a tree.
#[derive(Debug, Clone)]
pub enum Step<I> {
    /// An instruction.
    Do(I),
    /// A condition: what it reads, then one of two parts.
    If(I, Vec<Self>, Vec<Self>),
    /// A loop: the body, then what decides whether it is left.
    Loop(I, Vec<Self>, Option<I>),
    /// A procedure runs, by its index.
    Call(usize),
}

/// A program: what runs, and procedures that it calls. A procedure calls only those in front of it.
#[derive(Debug, Clone, Default)]
pub struct Text<I> {
    /// What runs.
    pub main: Vec<Step<I>>,
    /// The procedures.
    pub procedures: Vec<Vec<Step<I>>>,
}

/// What reads and writes.
pub trait Accesses {
    /// Components that are read and written.
    fn access(&self) -> Access;
}
