//! Stages of one program that say alike what they have in common.
//!
//! Each tree is made alone. Two stages may have seen different members of one uniform block, or read less of a varying
//! than the stage in front writes. [`unite`] gives both the same declarations, and changes nothing of what either
//! computes: a block gets the members that any stage has seen, by their places; what goes from one stage to the next
//! gets one type and one name. What cannot be said alike is left as it was. Where it is asked for, components that only
//! fill up a register and are not read on the other side are left out.

mod names;
mod narrow;
mod passed;
mod replace;
mod uniforms;

use super::Program;
use std::collections::BTreeMap;

/// What the language of the text knows things by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Linking {
    /// What goes from one stage to the next is found by its name, not by its location.
    pub varyings_by_name: bool,
    /// The machine itself finds it by its name, so that its locations say nothing.
    pub machine_by_name: bool,
    /// Uniforms are declared one by one, outside of blocks.
    pub loose_uniforms: bool,
    /// Components that a stage only fills up, and the next one does not read, are left out.
    pub fill_left_out: bool,
}

/// Names of the file that gave way to that of another stage: index in [`Program::globals`], and the name.
pub type Renamed = BTreeMap<u32, String>;

/// Makes the stages of a program, in the order of the pipeline, agree. Gives what each was called otherwise.
pub fn unite(stages: &mut [&mut Program], linking: Linking) -> Vec<Renamed> {
    uniforms::unite(stages, linking.loose_uniforms);
    let mut renamed = vec![Renamed::new(); stages.len()];
    for back in 1..stages.len() {
        let Some([front, back_program]) = stages.get_mut(back - 1..=back) else { continue };
        let names = passed::unite(front, back_program, linking);
        if let Some(list) = renamed.get_mut(back) {
            list.extend(names);
        }
    }
    stages.iter_mut().for_each(|program| names::give_way(program));
    renamed
}

#[cfg(test)]
mod tests;
