//! From assembly sources to a file.

use unshade_bytes::Diagnostic;
use unshade_containers::{
    Strings,
    shbin::{
        Code, Constant, ConstantValue, Descriptor, Dvlb, Dvle, Dvlp, Executable, GeometryWord, Output, Shbin,
        Uniform, register::Unified,
    },
};
use unshade_isa::assembly::Source;
use unshade_isa::pica200::asm;
use unshade_isa::pica200::asm::operand::Class;
use unshade_isa::pica200::asm::{Assembly, Options, Program};
use unshade_stage::{GeometryMode, Space, StageKind};

/// A 3DS shader file and how it came about.
#[derive(Debug, Clone, PartialEq)]
pub struct AssembledShbin {
    /// The file, laid out as the reference assembler does.
    pub shbin: Shbin,
    /// The program with warnings, procedures and the origin of each word.
    pub assembly: Assembly,
}

/// Assembles PICA200 sources into one 3DS shader file, byte for byte as picasso makes it. Each source gives
/// an executable, in their order, unless it says otherwise.
///
/// # Errors
/// All errors in the sources, with the warnings behind them.
pub fn assemble_shbin(sources: &[Source<'_>], options: Options) -> Result<AssembledShbin, Vec<Diagnostic>> {
    let assembly = asm::assemble(sources, options)?;
    Ok(AssembledShbin { shbin: shbin(&assembly.program), assembly })
}

/// The file of an assembled program, in picasso's order and with its version numbers.
pub fn shbin(program: &Program) -> Shbin {
    let descriptors = program.descriptors.iter().map(|&bits| Descriptor { bits, high: 0 }).collect();
    let code = Code { words: program.words.clone(), descriptors, lines: Vec::new() };
    let executables = program.executables.iter().map(dvle).collect();
    Shbin::Linked(Dvlb { program: Dvlp { code, ..Dvlp::default() }, executables, ..Dvlb::default() })
}

/// picasso's version number of executables.
const VERSION: u16 = 0x1002;

fn dvle(program: &asm::Executable) -> Dvle {
    let mut symbols = Strings::default();
    let uniforms = program
        .uniforms
        .iter()
        .map(|uniform| {
            // Names are not shared, even where two registers have the same one.
            let name = symbols.0.len() as u32;
            symbols.0.extend(uniform.name.bytes().chain([0]));
            let first = unified(uniform.register);
            Uniform { name, first, last: first.saturating_add(u16::from(uniform.count).saturating_sub(1)) }
        })
        .collect();
    let constants = program.constants.iter().map(|constant| Constant {
        register: constant.register.number,
        byte_03: 0,
        value: match constant.value {
            asm::ConstantValue::Float(words) => ConstantValue::Float(words),
            asm::ConstantValue::Int(xyzw) => ConstantValue::Int { xyzw, tail: [0; 12] },
            asm::ConstantValue::Bool(value) => ConstantValue::Bool { word: value.into(), tail: [0; 12] },
        },
    });
    let outputs = program.outputs.iter().map(|output| Output {
        semantic: output.semantic as u16,
        register: output.register.into(),
        mask: output.mask.into(),
        unknown_06: 0,
    });
    let geometry = match program.geometry {
        None | Some(GeometryMode::Point) => GeometryWord::default(),
        Some(GeometryMode::Variable { full_vertices }) => {
            GeometryWord { mode: 1, full_vertices, ..GeometryWord::default() }
        }
        Some(GeometryMode::Fixed { first_uniform, vertices }) => {
            GeometryWord { mode: 2, first_uniform, vertices, ..GeometryWord::default() }
        }
    };
    Dvle {
        entry: program.entry,
        end: program.end,
        executable: Executable {
            version: VERSION,
            kind: (program.kind == StageKind::Geometry).into(),
            flags: program.merge.into(),
            input_mask: program.input_mask,
            output_mask: program.output_mask,
            geometry,
            constants: constants.collect(),
            labels: Vec::new(),
            outputs: outputs.collect(),
            uniforms,
            symbols,
        },
    }
}

/// The number of a register in uniform tables.
fn unified(register: asm::operand::Register) -> u16 {
    let space = match register.class {
        Class::Input => Space::Input,
        Class::Int => Space::Int,
        Class::Bool => Space::Bool,
        Class::Float | Class::Output | Class::Temp => Space::Float,
    };
    Unified::of(space, register.number.into()).map_or(0, |unified| unified.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corpus_files_come_out_byte_for_byte() {
        let corpus = unshade_corpus::shared("corpus/shbin");
        let cases: [(&str, &[&str], bool); 5] = [
            ("t10_tables", &["t10_tables.v"], false),
            ("t16_fixed", &["t16_fixed.g"], false),
            ("t17_merge", &["t17_merge.v", "t17_merge.g"], false),
            ("t18_multi", &["t18_lib.v", "t18_a.v", "t18_b.v", "t18_c.g"], false),
            ("t22_padding.nonop", &["t22_padding.v"], true),
        ];
        for (name, parts, no_nop) in cases {
            let Ok(expected) = std::fs::read(corpus.join(format!("picasso-out/{name}.shbin"))) else {
                println!("skipped: no corpus at {}", corpus.display());
                return;
            };
            let texts: Vec<_> = parts
                .iter()
                .map(|part| std::fs::read_to_string(corpus.join(format!("src/{part}.pica"))).unwrap())
                .collect();
            let sources: Vec<_> =
                parts.iter().zip(&texts).map(|(name, text)| Source { name, text }).collect();
            let assembled = assemble_shbin(&sources, Options { no_nop }).unwrap();
            assert!(assembled.shbin.write().unwrap() == expected, "{name}");
        }
    }

    #[test]
    fn geometry_constants_and_names_reach_the_tables() {
        let text = ".gsh variable c4 3\n.setb b2 on\n.consti n(1,2,3,4)\n.fvec m$x[2]\n.out o dummy\n.proc main\nend\n.end";
        let made = assemble_shbin(&[Source { name: "a", text }], Options::default()).unwrap();
        let bytes = made.shbin.write().unwrap();
        assert_eq!(unshade_containers::shbin::read(&bytes).unwrap(), made.shbin);
        let Shbin::Linked(file) = made.shbin else { panic!("{:?}", made.shbin) };
        let executable = &file.executables[0].executable;
        assert_eq!((executable.kind, executable.flags), (1, 1));
        let geometry = GeometryWord { mode: 1, full_vertices: 3, ..GeometryWord::default() };
        assert_eq!(executable.geometry, geometry);
        assert_eq!(executable.symbols.0, b"m.x\0");
        assert_eq!((executable.uniforms[0].first, executable.uniforms[0].last), (0x14, 0x15));
        assert_eq!(executable.constants.iter().map(|c| c.register).collect::<Vec<_>>(), [2, 3]);
    }
}
