//! A program as the SHBIN file that picasso writes. This crate knows no containers, so the layout stands
//! here a second time, as short as the tests need it.

use unshade_isa_common::assembly::Source;
use unshade_isa_pica200::asm::operand::Class;
use unshade_isa_pica200::asm::{Assembly, ConstantValue, Options, Uniform, assemble};
use unshade_stage::{GeometryMode, StageKind};

fn number(uniform: &Uniform) -> u16 {
    u16::from(uniform.register.number)
        + match uniform.register.class {
            Class::Input => 0,
            Class::Float => 0x10,
            Class::Int => 0x70,
            Class::Bool => 0x78,
            class => panic!("{class:?} in a uniform table"),
        }
}

fn words(file: &mut Vec<u8>, words: &[u32]) {
    words.iter().for_each(|word| file.extend(word.to_le_bytes()));
}

/// The file of an assembly.
pub fn shbin(assembly: &Assembly) -> Vec<u8> {
    let program = &assembly.program;
    let code = program.words.len() as u32;
    let descriptors = program.descriptors.len() as u32;
    let mut dvles: Vec<Vec<u8>> = Vec::new();
    for executable in &program.executables {
        let mut dvle = Vec::new();
        let geometry = executable.kind == StageKind::Geometry;
        let (mode, first, full, count) = match executable.geometry {
            None | Some(GeometryMode::Point) => (0, 0, 0, 0),
            Some(GeometryMode::Variable { full_vertices }) => (1, 0, full_vertices, 0),
            Some(GeometryMode::Fixed { first_uniform, vertices }) => (2, first_uniform, 0, vertices),
        };
        dvle.extend(b"DVLE\x02\x10");
        dvle.extend([u8::from(geometry), u8::from(executable.merge)]);
        words(&mut dvle, &[executable.entry, executable.end]);
        dvle.extend(executable.input_mask.to_le_bytes());
        dvle.extend(executable.output_mask.to_le_bytes());
        dvle.extend([mode, first, full, count]);
        let symbols: u32 = executable.uniforms.iter().map(|uniform| uniform.name.len() as u32 + 1).sum();
        let constants = executable.constants.len() as u32;
        let (outputs, uniforms) = (executable.outputs.len() as u32, executable.uniforms.len() as u32);
        let after = 64 + 20 * constants;
        words(&mut dvle, &[64, constants, after, 0, after, outputs]);
        words(&mut dvle, &[after + 8 * outputs, uniforms, after + 8 * (outputs + uniforms), symbols]);
        for constant in &executable.constants {
            let (kind, payload) = match constant.value {
                ConstantValue::Bool(value) => (0u16, [value.into(), 0, 0, 0]),
                ConstantValue::Int(value) => (1, [u32::from_le_bytes(value), 0, 0, 0]),
                ConstantValue::Float(value) => (2, value),
            };
            dvle.extend(kind.to_le_bytes());
            dvle.extend(u16::from(constant.register.number).to_le_bytes());
            words(&mut dvle, &payload);
        }
        for output in &executable.outputs {
            words(
                &mut dvle,
                &[output.semantic as u32 | u32::from(output.register) << 16, output.mask.into()],
            );
        }
        let mut name = 0u32;
        for uniform in &executable.uniforms {
            let first = number(uniform);
            words(&mut dvle, &[name]);
            dvle.extend(first.to_le_bytes());
            dvle.extend((first + u16::from(uniform.count) - 1).to_le_bytes());
            name += uniform.name.len() as u32 + 1;
        }
        for uniform in &executable.uniforms {
            dvle.extend(uniform.name.bytes().chain([0]));
        }
        dvle.resize(dvle.len().next_multiple_of(4), 0);
        dvles.push(dvle);
    }
    let mut file = b"DVLB".to_vec();
    words(&mut file, &[dvles.len() as u32]);
    let mut offset = 8 + 4 * dvles.len() as u32 + 40 + 4 * code + 8 * descriptors;
    for dvle in &dvles {
        words(&mut file, &[offset]);
        offset += dvle.len() as u32;
    }
    file.extend(b"DVLP");
    words(&mut file, &[0, 40, code, 40 + 4 * code, descriptors, 40 + 4 * code + 8 * descriptors, 0, 0, 0]);
    words(&mut file, &program.words);
    program.descriptors.iter().for_each(|&descriptor| words(&mut file, &[descriptor, 0]));
    file.extend(dvles.concat());
    file
}

/// Assembles texts and lays the file out.
pub fn file(texts: &[(String, String)], no_nop: bool) -> Result<Vec<u8>, Vec<unshade_bytes::Diagnostic>> {
    let sources: Vec<_> = texts.iter().map(|(name, text)| Source { name, text }).collect();
    assemble(&sources, Options { no_nop }).map(|assembly| shbin(&assembly))
}
