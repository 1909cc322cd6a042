//! Compiled programs on the machine's interpreter.

use super::programs::Table;
use std::borrow::Cow;
use unshade_bytes::float::F24;
use unshade_compile::Compiled;
use unshade_isa::pica200::{
    asm::{ConstantValue as Assembled, operand::Class},
    exec::{End, Float, NoTrace, Program, State},
};
use unshade_stage::{
    Code, Constant, ConstantValue, Interface, Isa, Output, Space, Stage, StageId, StageKind,
};

/// A compiled program as a stage, without a file around it.
pub fn stage(compiled: &Compiled) -> Stage<'_> {
    let program = &compiled.assembly.program;
    let executable = &program.executables[0];
    let constants = executable.constants.iter().map(|constant| {
        let (space, value) = match constant.value {
            Assembled::Float(words) => {
                (Space::Float, ConstantValue::Float(words.map(|word| F24::from_bits(word).to_f32())))
            }
            Assembled::Int(values) => (Space::Int, ConstantValue::Int(values)),
            Assembled::Bool(value) => (Space::Bool, ConstantValue::Bool(value)),
        };
        Constant { space, register: constant.register.number.into(), value }
    });
    let code = Code {
        words: Cow::Borrowed(&program.words),
        descriptors: Cow::Borrowed(&program.descriptors),
        file_offset: 0,
        entry: executable.entry,
        end: Some(executable.end),
        constants: constants.collect(),
        labels: Vec::new(),
        lines: Vec::new(),
        missing: None,
    };
    let outputs = executable.outputs.iter().map(|output| Output {
        semantic: format!("{:?}", output.semantic),
        register: output.register.into(),
        mask: output.mask,
    });
    let interface = Interface {
        outputs: outputs.collect(),
        input_mask: executable.input_mask.into(),
        output_mask: executable.output_mask.into(),
        ..Interface::default()
    };
    Stage { id: StageId("0".to_owned()), kind: StageKind::Vertex, isa: Isa::Pica200, code, interface }
}

/// The names of a program's table with their registers.
pub fn table(compiled: &Compiled) -> Table {
    let space = |class| match class {
        Class::Input => 'v',
        Class::Int => 'i',
        Class::Bool => 'b',
        _ => 'c',
    };
    let uniforms = compiled.assembly.program.executables[0].uniforms.iter();
    let place = |uniform: &unshade_isa::pica200::asm::Uniform| {
        (space(uniform.register.class), usize::from(uniform.register.number))
    };
    uniforms.map(|uniform| (uniform.name.clone(), place(uniform))).collect()
}

/// What a run leaves, by output name, with as many components as the source has.
pub fn run(
    compiled: &Compiled,
    program: &Program,
    mut state: State,
    float: Float,
) -> Vec<(String, Vec<f32>)> {
    let outcome = program.run_with(&mut state, 100_000, float, &mut NoTrace);
    assert_eq!(outcome.end, End::Ended);
    let outputs = compiled.interfaces[0].outputs.iter();
    let values = outputs.map(|output| {
        let first = usize::from(output.first);
        let values = &state.o[usize::from(output.register)][first..first + usize::from(output.width)];
        let name = if output.name == "gl_Position" { "position".to_owned() } else { output.name.clone() };
        (name, values.to_vec())
    });
    values.collect()
}
