//! Values put where the machine finds them: constants of the file, uniforms by their names in the source.

use crate::run_json;
use crate::verify::{Inputs, Registers};
use unshade_emit::{Binding, BindingKind};
use unshade_ir::Space;
use unshade_ir::ast::Scalar;
use unshade_isa::latte::exec::Resources;
use unshade_isa::{latte, mali_gp, mali_pp, mali_pp::lift::UNIFORM_BINDING, maxwell, pica200, with_machine};
use unshade_stage::Stage;

/// Words that a register file may have here: a constant bank of 64 KiB.
const MOST_WORDS: usize = 1 << 14;

/// Register files that grow as they are written.
#[derive(Debug, Clone, Default)]
pub(super) struct Files(pub(super) Inputs);

/// A machine whose constants the file may hold.
trait Constants {
    /// Puts what the file itself says is in the constants of a program.
    fn constants(_stage: &Stage<'_>, _files: &mut Files) {}
}

fn bits(vectors: &[[f32; 4]]) -> Vec<u32> {
    vectors.iter().flatten().map(|part| part.to_bits()).collect()
}

impl Constants for pica200::Pica200 {
    fn constants(stage: &Stage<'_>, files: &mut Files) {
        let state = pica200::exec::State::new(stage);
        files.add(Space::Uniform, pica200::lift::FLOAT_BINDING, bits(&state.c));
        let counters = state.i.iter().flatten().map(|byte| u32::from(*byte)).collect();
        files.add(Space::Uniform, pica200::lift::INT_BINDING, counters);
        let truths = state.b.iter().map(|set| u32::from(*set)).collect();
        files.add(Space::Uniform, pica200::lift::BOOL_BINDING, truths);
    }
}

impl Constants for mali_gp::MaliGp {
    fn constants(stage: &Stage<'_>, files: &mut Files) {
        let state = mali_gp::exec::State::new(stage);
        files.add(Space::Uniform, 0, bits(&state.memory));
    }
}

impl Constants for mali_pp::MaliPp {
    fn constants(stage: &Stage<'_>, files: &mut Files) {
        let uniforms = run_json::mali_pp::initial(stage).iter().map(|value| value.to_bits()).collect();
        files.add(Space::Uniform, UNIFORM_BINDING, uniforms);
    }
}

impl Constants for latte::Latte {
    fn constants(stage: &Stage<'_>, files: &mut Files) {
        let mut resources = Resources::default();
        if let Some(latte) = &stage.interface.latte {
            resources.load(latte);
        }
        let Resources { constant_file, constants, loops, .. } = resources;
        files.add(Space::Uniform, latte::bindings::CONSTANT_FILE_BINDING, constant_file);
        files.add(Space::Uniform, latte::bindings::LOOP_BINDING, loops.to_vec());
        for (binding, words) in (latte::bindings::CONSTANT_BUFFER_BINDING..).zip(constants) {
            files.add(Space::Uniform, binding, words);
        }
    }
}

/// Constants of the compiler are in the interpreter's own surroundings.
impl Constants for maxwell::Maxwell {}

impl Files {
    /// What the file itself says is in the constants of a program.
    pub(super) fn of(stage: &Stage<'_>) -> Self {
        let mut files = Self::default();
        with_machine!(stage.isa, M => M::constants(stage, &mut files), _ => {});
        files
    }

    fn add(&mut self, space: Space, binding: u32, words: Vec<u32>) {
        if !words.is_empty() {
            self.0.push(Registers { space, binding, words });
        }
    }

    /// Sets a word; beyond what a machine has nothing happens.
    pub(super) fn set(&mut self, space: Space, binding: u32, word: u32, value: u32) {
        let word = word as usize;
        if word >= MOST_WORDS {
            return;
        }
        let known = self.0.iter().position(|file| (file.space, file.binding) == (space, binding));
        let at = known.unwrap_or_else(|| {
            self.0.push(Registers { space, binding, words: Vec::new() });
            self.0.len() - 1
        });
        let Some(file) = self.0.get_mut(at) else { return };
        if file.words.len() <= word {
            file.words.resize(word + 1, 0);
        }
        if let Some(place) = file.words.get_mut(word) {
            *place = value;
        }
    }

    /// Sets the uniforms that have values. These are in the order of the language: column by column, element by element.
    pub(super) fn uniforms<'v>(&mut self, interface: &[Binding], value: impl Fn(&str) -> Option<&'v [f32]>) {
        for binding in interface {
            if !matches!(binding.kind, BindingKind::Uniform { .. } | BindingKind::Loose) {
                continue;
            }
            let Some(values) = value(&binding.name) else { continue };
            let place = binding.machine;
            for (number, value) in (0_u32..).zip(values) {
                let (element, component) = of_value(binding, number);
                let word = place.first.saturating_add(place.stride.saturating_mul(element));
                self.set(
                    place.space,
                    place.binding,
                    word.saturating_add(component),
                    word_of(binding, *value),
                );
            }
        }
    }
}

/// Element and component of the number-th value of a uniform. The elements of a matrix by rows are its rows.
fn of_value(binding: &Binding, number: u32) -> (u32, u32) {
    let components = u32::from(binding.components.max(1));
    if binding.matrix && !binding.by_column {
        let rows = binding.elements.max(1);
        (number % rows, number / rows)
    } else {
        (number / components, number % components)
    }
}

/// A value as the machine has it.
fn word_of(binding: &Binding, value: f32) -> u32 {
    match binding.scalar {
        _ if binding.machine.as_float => value.to_bits(),
        Scalar::Float | Scalar::Double => value.to_bits(),
        Scalar::Int => value as i32 as u32,
        Scalar::Uint => value as u32,
        Scalar::Bool => u32::from(value != 0.0),
    }
}

/// The words of an input or output, element by element.
pub(super) fn words(binding: &Binding) -> impl Iterator<Item = u32> {
    let place = binding.machine;
    let components = u32::from(binding.components);
    (0..binding.elements.max(1)).flat_map(move |element| {
        let first = place.first.saturating_add(place.stride.saturating_mul(element));
        (0..components).map(move |component| first.saturating_add(component))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use unshade_emit::MachineWords;

    fn binding(components: u8, elements: u32, matrix: bool, by_column: bool) -> Binding {
        Binding {
            name: "m".to_owned(),
            kind: BindingKind::Loose,
            scalar: Scalar::Float,
            components,
            elements,
            matrix,
            by_column,
            flat: false,
            machine: MachineWords { space: Space::Uniform, binding: 2, first: 8, stride: 4, as_float: false },
        }
    }

    fn placed(binding: &Binding, values: &[f32]) -> Vec<f32> {
        let mut files = Files::default();
        files.uniforms(std::slice::from_ref(binding), |name| (name == "m").then_some(values));
        files.0[0].words[8..].iter().map(|word| f32::from_bits(*word)).collect()
    }

    #[test]
    fn matrices_lie_by_rows_or_by_columns() {
        // Two columns of three rows: 1 2 3, 4 5 6.
        let values = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
        assert_eq!(
            placed(&binding(2, 3, true, false), &values),
            [1.0, 4.0, 0.0, 0.0, 2.0, 5.0, 0.0, 0.0, 3.0, 6.0]
        );
        assert_eq!(placed(&binding(3, 2, true, true), &values), [1.0, 2.0, 3.0, 0.0, 4.0, 5.0, 6.0]);
        assert_eq!(placed(&binding(3, 2, false, false), &values), [1.0, 2.0, 3.0, 0.0, 4.0, 5.0, 6.0]);
    }

    #[test]
    fn what_no_machine_has_is_left_out() {
        let mut files = Files::default();
        files.set(Space::Uniform, 0, u32::MAX, 1);
        assert!(files.0.is_empty());
    }
}
