//! Allocation of uniform registers: uniforms grow upward and stay for all sources, constants grow downward
//! and are forgotten after each source.

use super::operand::Class;

/// Free registers of one class.
#[derive(Debug, Clone, Copy)]
struct Range {
    /// Next register for a uniform.
    start: u8,
    /// Constants of this source reach down to here.
    end: u8,
    /// Constants of any source so far reach down to here: a uniform must not meet them.
    bound: u8,
    /// Where constants begin.
    top: u8,
}

impl Range {
    const fn new(start: u8, top: u8) -> Self {
        Self { start, end: top, bound: top, top }
    }

    fn uniform(&mut self, count: u8) -> Option<u8> {
        let next = self.start.checked_add(count).filter(|&next| next <= self.bound)?;
        Some(std::mem::replace(&mut self.start, next))
    }

    fn constant(&mut self, count: u8) -> Option<u8> {
        let first = self.end.checked_sub(count).filter(|&first| first >= self.start)?;
        self.bound = self.bound.min(first);
        self.end = first;
        Some(first)
    }
}

/// Free uniform registers of all classes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Space {
    float: Range,
    int: Range,
    boolean: Range,
}

impl Space {
    /// The space of vertex programs.
    pub(super) const fn vertex() -> Self {
        Self { float: Range::new(0, 96), int: Range::new(0, 4), boolean: Range::new(0, 16) }
    }

    /// The space of a geometry program, whose float uniforms start at `first`. b15 belongs to the machine.
    pub(super) const fn geometry(first: u8) -> Self {
        Self { float: Range::new(first, 96), int: Range::new(0, 4), boolean: Range::new(0, 15) }
    }

    /// Forgets the constants of the source before.
    pub(super) fn next_source(&mut self) {
        for range in [&mut self.float, &mut self.int, &mut self.boolean] {
            range.end = range.top;
        }
    }

    /// First of `count` registers for a uniform.
    pub(super) fn uniform(&mut self, class: Class, count: u8) -> Option<u8> {
        self.range(class)?.uniform(count)
    }

    /// First of `count` registers for constants.
    pub(super) fn constant(&mut self, class: Class, count: u8) -> Option<u8> {
        self.range(class)?.constant(count)
    }

    fn range(&mut self, class: Class) -> Option<&mut Range> {
        match class {
            Class::Float => Some(&mut self.float),
            Class::Int => Some(&mut self.int),
            Class::Bool => Some(&mut self.boolean),
            Class::Input | Class::Output | Class::Temp => None,
        }
    }
}
