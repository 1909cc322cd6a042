//! Uniform blocks: which globals can be members as the languages lay them out, and what stands for words that
//! none of them covers.

use super::super::Program;
use super::interface::Interface;
use super::names::identifier;
use crate::{Global, Module, Shape, Space, UniformBlock};

/// Whether a global can be a member of a block at its own offset by the rules of std140: vectors aligned to
/// their size, elements and columns 16 bytes apart; in a structure as alone.
pub(super) fn is_laid_out(global: &Global) -> bool {
    let apart = global.stride == 4;
    let alone = |components: u8| match components {
        1 => true,
        2 => global.offset.is_multiple_of(2),
        _ => global.offset.is_multiple_of(4),
    };
    if array(global).is_some() {
        return global.stride.is_multiple_of(4) && alone(global.shape.components());
    }
    match global.shape {
        Shape::Sampler { .. } => false,
        Shape::Matrix { columns, elements, element_stride, .. } => {
            let close = element_stride == 0 || element_stride == 4 * u32::from(columns);
            global.offset.is_multiple_of(4) && apart && (elements == 0 || close)
        }
        shape if shape.elements() > 0 => global.offset.is_multiple_of(4) && apart,
        shape => alone(shape.components()),
    }
}

/// The array of structures that a global is a member of.
fn array(global: &Global) -> Option<&str> {
    let (name, _) = global.name.split_once(Global::EACH)?;
    (global.shape.elements() > 0 && !matches!(global.shape, Shape::Matrix { .. })).then_some(name)
}

/// One past the last word that a member takes: those behind the last element belong to it.
fn end(global: &Global) -> u32 {
    match global.shape {
        Shape::Matrix { .. } => global.end().next_multiple_of(4),
        shape if array(global).is_some() => {
            let last = (shape.elements() - 1).saturating_mul(global.stride);
            global.offset.saturating_add(last).saturating_add(shape.components().into())
        }
        _ => global.end(),
    }
}

/// Of the globals of a block those that can be members, none over another; the first ones win.
pub(super) fn members(globals: &[Global], list: &[u32]) -> Vec<u32> {
    let mut taken: Vec<(u32, u32, u32)> = Vec::new();
    let mut members = Vec::new();
    for at in list {
        let global = &globals[*at as usize];
        let (first, end) = (global.offset, end(global));
        let is_free = taken.iter().all(|(other, other_end, other_at)| {
            let other_global = &globals[*other_at as usize];
            end <= *other || first >= *other_end || lie_beside(global, other_global)
        });
        if global.constant.is_some() {
            members.push(*at);
        } else if is_laid_out(global) && is_free && !global.as_float {
            taken.push((first, end, *at));
            members.push(*at);
        }
    }
    members
}

/// Whether two globals are members of one array of structures, and have words of their own there.
fn lie_beside(a: &Global, b: &Global) -> bool {
    let is_one = array(a).is_some() && array(a) == array(b);
    let alike = (a.stride, a.shape.elements()) == (b.stride, b.shape.elements()) && a.stride > 0;
    let (first, last) = if a.offset <= b.offset { (a, b) } else { (b, a) };
    let between = last.offset - first.offset;
    is_one
        && alike
        && between >= first.shape.components().into()
        && between + u32::from(last.shape.components()) <= first.stride
}

/// The words around one that nothing names, cut so that they can be a member.
pub(super) fn piece(word: u32, first: u32, last: u32) -> (u32, u32) {
    match (first % 4, word % 4) {
        (0, _) => (first, last),
        (_, 2..) if first % 4 <= 2 => (word & !1, last),
        _ => (word, word),
    }
}

impl Interface {
    /// The block that a binding is.
    pub(super) fn block(&self, space: Space, binding: u32) -> Option<&UniformBlock> {
        self.blocks.iter().find(|block| space == Space::Uniform && block.binding == binding)
    }

    /// Name of something in a block.
    pub(super) fn name_in(&self, block: &UniformBlock, what: &str) -> String {
        self.free_name(&format!("{}_{what}", identifier(&block.name)))
    }

    /// All members of the blocks that are used, and those blocks.
    pub(super) fn finish_blocks(&mut self, program: &mut Program) {
        let is_used = |interface: &Self, at: &u32| interface.is_used(*at);
        for block in std::mem::take(&mut self.blocks) {
            let members = self.members_of(Space::Uniform, block.binding);
            if members.iter().any(|at| is_used(self, at)) {
                for at in members {
                    self.use_global(at);
                }
                program.blocks.push(block);
            }
        }
    }
}

/// The blocks of a module, each binding once.
pub(super) fn blocks(module: &Module) -> Vec<UniformBlock> {
    let mut list: Vec<UniformBlock> = Vec::new();
    for block in &module.blocks {
        if list.iter().all(|other| other.binding != block.binding) {
            list.push(block.clone());
        }
    }
    list
}
