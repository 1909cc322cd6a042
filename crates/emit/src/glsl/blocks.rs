//! Uniform blocks: the one of the loose uniforms, and those of the machine with members at their offsets.

use super::declaration::{push_elements, type_of};
use super::expression::Printed;
use super::piece::Group;
use super::{GlslVersion, Printer, Set};
use crate::Error;
use crate::interface::{Form, Role, Slot, free_buffer, std140, structures};
use std::fmt::Write as _;

impl Printer<'_> {
    pub(super) fn uniform_blocks(&mut self) -> Printed {
        self.piece(Group::Block, |printer| {
            printer.loose_block();
            Ok(())
        })?;
        (0..self.program.blocks.len())
            .try_for_each(|block| self.piece(Group::Block, |printer| printer.uniform_block(block)))
    }

    fn loose_block(&mut self) {
        let is_member = |slot: &Slot| slot.role == Role::Uniform && slot.block.is_none();
        if !self.slots.iter().any(is_member) {
            return;
        }
        self.out.push_str("layout(std140");
        if self.version.has_bindings() {
            let set = self.set(Set::Blocks);
            let _ = write!(self.out, ", {set}binding = {}", free_buffer(self.program));
        }
        // It says something only of matrices, and of those by columns the opposite.
        let rows = |slot: &Slot| is_member(slot) && matches!(slot.form, Form::Matrix(_));
        let by_row = self.slots.iter().any(rows);
        self.out.push_str(if by_row { ", row_major" } else { "" });
        let block = self.names.add("Uniforms");
        let _ = writeln!(self.out, ") uniform {block} {{");
        for (slot, name) in self.slots.iter().zip(&self.names.globals) {
            if is_member(slot) {
                let by_column = by_row && matches!(slot.form, Form::Columns(..));
                self.out.push_str(if by_column { "    layout(column_major) " } else { "    " });
                let _ = write!(self.out, "{} {name}", type_of(slot));
                push_elements(&mut self.out, slot);
                self.out.push_str(";\n");
            }
        }
        self.out.push_str("};\n");
    }

    /// A block whose members have places of their own. Only 4.50 can name a place; elsewhere members that are
    /// nobody's fill the gaps.
    fn uniform_block(&mut self, block: usize) -> Printed {
        let mut members: Vec<usize> = (0..self.slots.len())
            .filter(|index| {
                self.slots[*index].role == Role::Uniform && self.slots[*index].block == Some(block)
            })
            .collect();
        if members.is_empty() {
            return Ok(());
        }
        members.sort_by_key(|index| self.slots[*index].place);
        let arrays = structures::of_block(self.program, &self.slots, block)?;
        for array in &arrays {
            self.block_struct(array);
            self.out.push('\n');
        }
        let declared = &self.program.blocks[block];
        self.out.push_str("layout(std140");
        if self.version.has_bindings() {
            let set = self.set(Set::Blocks);
            let _ = write!(self.out, ", {set}binding = {}", declared.binding);
        }
        let _ = writeln!(self.out, ") uniform {} {{", self.names.blocks[block]);
        let mut end = 0u32;
        for index in members {
            let slot = self.slots[index];
            let array = arrays.iter().find(|array| array.members.contains(&index));
            if array.is_some_and(|array| array.members.first() != Some(&index)) {
                continue;
            }
            let (natural, after, place) = match array {
                Some(array) => {
                    let natural = end.next_multiple_of(16);
                    (natural, natural.saturating_add(array.end() - array.start), array.start)
                }
                None => {
                    let Some((natural, after)) = std140(&slot, end) else {
                        return Err(Error::unsupported("a uniform buffer past 4 GiB"));
                    };
                    (natural, after, slot.place)
                }
            };
            let mut qualifiers = Vec::new();
            if natural != place {
                if self.version == GlslVersion::Core450 {
                    qualifiers.push(format!("offset = {place}"));
                } else {
                    self.padding(end, place);
                }
            }
            end = after + (place - natural);
            if matches!(slot.form, Form::Matrix(_)) {
                qualifiers.push("row_major".to_owned());
            }
            self.out.push_str("    ");
            if !qualifiers.is_empty() {
                let _ = write!(self.out, "layout({}) ", qualifiers.join(", "));
            }
            match array {
                Some(array) => self.struct_member(array),
                None => {
                    let ty = self.declared_type(index, &slot);
                    let _ = write!(self.out, "{ty} {}", self.names.globals[index]);
                    push_elements(&mut self.out, &slot);
                }
            }
            self.out.push_str(";\n");
        }
        self.out.push_str("};\n");
        Ok(())
    }

    /// Members that fill a gap.
    pub(super) fn padding(&mut self, mut from: u32, to: u32) {
        while from < to {
            let name = self.names.add("padding");
            let whole = (to - from) / 16;
            if from.is_multiple_of(16) && whole > 0 {
                let _ = writeln!(self.out, "    vec4 {name}[{whole}];");
                from += 16 * whole;
            } else {
                let _ = writeln!(self.out, "    float {name};");
                from += 4;
            }
        }
    }
}
