//! What a stage says about its code, in the words of a listing.

use super::{CodeText, Named, Root};
use crate::{asm::operand::Class, names::to_code_name};
use std::collections::BTreeMap;
use unshade_stage::{Space, Stage};

impl<'a> CodeText<'a> {
    /// The code of a stage with the names of its interface and labels.
    pub fn of_stage(stage: &'a Stage<'_>) -> Self {
        let root = Root {
            entry: stage.code.entry,
            end: stage.code.end,
            name: "main".to_owned(),
            names: stage_names(stage),
        };
        Self {
            words: &stage.code.words,
            descriptors: &stage.code.descriptors,
            roots: vec![root],
            labels: stage.code.labels.iter().map(|label| (label.word, label.name.clone())).collect(),
            ..Self::default()
        }
    }
}

/// The class of a space, if instructions can name it.
pub(super) fn class_of(space: Space) -> Option<Class> {
    Some(match space {
        Space::Input => Class::Input,
        Space::Output => Class::Output,
        Space::Float => Class::Float,
        Space::Int => Class::Int,
        Space::Bool => Class::Bool,
        _ => return None,
    })
}

/// Names of the registers of a program, as code can write them.
pub fn stage_names(stage: &Stage<'_>) -> Vec<Named> {
    let interface = &stage.interface;
    let mut names: Vec<Named> = interface
        .inputs
        .iter()
        .chain(&interface.uniforms)
        .filter_map(|variable| {
            let (first, last) = (variable.range.first, variable.range.last);
            let class = class_of(variable.space)?;
            to_code_name(&variable.name).map(|name| Named { class, first, last, name })
        })
        .collect();
    names.extend(output_names(interface.outputs.iter().map(|output| (&*output.semantic, output.register))));
    names
}

/// Outputs have no names in the file: one that has its register for itself is called after its meaning.
pub fn output_names<'m>(outputs: impl Iterator<Item = (&'m str, u32)> + Clone) -> Vec<Named> {
    let mut by_register = [0u8; 16];
    let mut by_name = BTreeMap::new();
    for (name, register) in outputs.clone() {
        if let Some(count) = by_register.get_mut(register as usize) {
            *count = count.saturating_add(1);
        }
        *by_name.entry(name).or_insert(0u32) += 1;
    }
    outputs
        .filter(|&(name, register)| {
            by_register.get(register as usize) == Some(&1) && by_name.get(name) == Some(&1)
        })
        .map(|(name, register)| Named {
            class: Class::Output,
            first: register,
            last: register,
            name: format!("out_{name}"),
        })
        .collect()
}
