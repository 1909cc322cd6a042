//! Comparisons with a level, a bias or gradients, the level of detail that a sample would take, and numbers of samples:
//! what GLSL and SPIR-V can say of them is said, and what they cannot is refused in plain words.

use super::forms::{agrees, decompiled, is_valid, is_valid_spirv, stage};
use unshade::{DecompileOptions, GlslVersion, Stage, StageKind, Target};
use unshade_stage::Latte;
use unshade_stage::latte::{Dimension, Sampler};

fn program(op: &str, from: &str, dimension: Dimension) -> Stage<'static> {
    let listing = format!(
        "00 TEX:\n  0      SET_GRADIENTS_H R0.____, R2.xyz_, t2, s2\n  1      SET_GRADIENTS_V R0.____, R2.yzx_, t2, s2\n\
           2      SET_CUBEMAP_INDEX R0.____, R2.w___, t2, s2\n  3      {op:<16} R1.xyzw, {from}, t2, s2\n\
         01 EXP_DONE: PIX0, R1.xyzw\nEND_OF_PROGRAM\n"
    );
    let sampler =
        Sampler { name: "picture".to_owned(), dimension: Some(dimension), shadow: false, location: 2 };
    let latte = Latte { samplers: vec![sampler], ..Latte::default() };
    stage(&listing, StageKind::Fragment, latte)
}

fn spirv(stage: &Stage<'_>) -> Result<Vec<u32>, String> {
    let how = DecompileOptions { target: Target::Spirv, ..DecompileOptions::default() };
    unshade::decompile(stage, &how).map(|made| made.words).map_err(|error| error.to_string())
}

fn has(words: &[u32], opcode: u32, mask: u32) -> bool {
    let mut rest = words.get(5..).unwrap_or_default();
    while let Some(first) = rest.first() {
        let (inst, behind) = rest.split_at((first >> 16).max(1) as usize);
        // The mask of operands of a comparison stands behind the reference.
        if first & 0xFFFF == opcode && (mask == 0 || inst.get(6).is_some_and(|found| found & mask != 0)) {
            return true;
        }
        rest = behind;
    }
    false
}

const IMPLICIT: u32 = 89;
const EXPLICIT: u32 = 90;
const QUERY: u32 = 105;

#[test]
fn comparisons_with_levels() {
    let shapes = [Dimension::D2, Dimension::Cube, Dimension::D2Array, Dimension::CubeArray];
    for (op, opcode, mask) in [
        ("SAMPLE_C_L", EXPLICIT, 2),
        ("SAMPLE_C_LB", IMPLICIT, 1),
        ("SAMPLE_C_G", EXPLICIT, 4),
        ("SAMPLE_C_LZ", EXPLICIT, 2),
    ] {
        for dimension in shapes {
            let program = program(op, "R0.xyzw", dimension);
            let words = spirv(&program).unwrap_or_else(|error| panic!("{op} {dimension:?}: {error}"));
            assert!(has(&words, opcode, mask), "{op} {dimension:?}");
            is_valid_spirv(&words);
            for version in [GlslVersion::Core450, GlslVersion::Core330] {
                match decompiled(&program, Target::Glsl(version)) {
                    Ok(text) => is_valid(&text, StageKind::Fragment),
                    // OpenGL has no function for it.
                    Err(error) => {
                        let array = matches!(dimension, Dimension::D2Array | Dimension::CubeArray);
                        let lacks = match op {
                            "SAMPLE_C_L" => array || dimension == Dimension::Cube,
                            "SAMPLE_C_LB" => array,
                            _ => dimension == Dimension::CubeArray,
                        };
                        assert!(lacks, "{op} {dimension:?}: {error}");
                        let said = ["a level of its own of a sampler", "a bias of a sampler"];
                        assert!(said.iter().any(|said| error.contains(said)), "{error}");
                        assert!(error.contains("Shadow in GLSL"), "{error}");
                    }
                }
            }
            agrees(&program, 12);
        }
    }
}

/// The biases that stand for a question on the way to SPIR-V are biases where a program has them itself.
#[test]
fn a_bias_is_no_question() {
    for (op, bits) in
        [("SAMPLE_LB", 0xC980_0005_u32), ("SAMPLE_LB", 0xC980_000D), ("SAMPLE_C_LB", 0xC980_0005)]
    {
        let third = if op == "SAMPLE_LB" { 'w' } else { 'z' };
        let value = f32::from_bits(bits);
        let listing = format!(
            "00 ALU:\n  0   {third}: MOV             R0.{third}, (0x{bits:08X}, {value})\n\
             01 TEX:\n  1      {op:<16} R1.xyzw, R0.xyzw, t2, s2\n02 EXP_DONE: PIX0, R1.xyzw\nEND_OF_PROGRAM\n"
        );
        let dimension = Some(Dimension::D2);
        let sampler = Sampler { name: "picture".to_owned(), dimension, shadow: false, location: 2 };
        let latte = Latte { samplers: vec![sampler], ..Latte::default() };
        let words = spirv(&stage(&listing, StageKind::Fragment, latte)).unwrap();
        assert!(!has(&words, QUERY, 0), "{op} {value}");
        is_valid_spirv(&words);
    }
}

#[test]
fn levels_of_detail() {
    for dimension in [
        Dimension::D1,
        Dimension::D2,
        Dimension::D3,
        Dimension::Cube,
        Dimension::D2Array,
        Dimension::CubeArray,
    ] {
        let program = program("GET_COMP_TEX_LOD", "R0.xyzw", dimension);
        match spirv(&program) {
            Ok(words) => {
                assert!(has(&words, QUERY, 0), "{dimension:?}");
                is_valid_spirv(&words);
            }
            // Of a line it is GLSL alone that says it.
            Err(error) => assert_eq!(
                (dimension, error.contains("the level of detail of a texture fetch")),
                (Dimension::D1, true),
                "{error}"
            ),
        }
        for version in [GlslVersion::Core450, GlslVersion::Core330] {
            is_valid(&decompiled(&program, Target::Glsl(version)).unwrap(), StageKind::Fragment);
        }
        let refused = decompiled(&program, Target::Wgsl).unwrap_err();
        assert!(refused.contains("the level of detail of a texture fetch"), "{refused}");
        agrees(&program, 12);
    }
    // Also of a texture that is compared elsewhere.
    let both = "00 TEX:\n  0      GET_COMP_TEX_LOD R1.xy__, R0.xyzw, t2, s2\n  1      SAMPLE_C        R1.__x_, R0.xyzw, t2, s2\n\
                01 EXP_DONE: PIX0, R1.xyz1\nEND_OF_PROGRAM\n";
    let program = stage(both, StageKind::Fragment, Latte::default());
    let words = spirv(&program).unwrap();
    assert!(has(&words, QUERY, 0));
    is_valid_spirv(&words);
    is_valid(&decompiled(&program, Target::Glsl(GlslVersion::Core450)).unwrap(), StageKind::Fragment);
    agrees(&program, 12);
}

#[test]
fn numbers_of_samples() {
    for (dimension, said) in [
        (Dimension::D2, "ivec4(1, 0, 0, 0)"),
        (Dimension::D2Multisample, "textureSamples(picture)"),
        (Dimension::Cube, "1"),
    ] {
        let program = program("GET_SAMPLE_INFO", "R0.xyzw", dimension);
        is_valid_spirv(&spirv(&program).unwrap());
        for version in [GlslVersion::Core450, GlslVersion::Core330] {
            let text = match decompiled(&program, Target::Glsl(version)) {
                Ok(text) => text,
                Err(error) => {
                    assert!(error.contains("the number of samples of a texture in GLSL 330"), "{error}");
                    assert_eq!((version, dimension), (GlslVersion::Core330, Dimension::D2Multisample));
                    continue;
                }
            };
            assert!(text.contains(said) || text.contains("intBitsToFloat(1)"), "{said}\n{text}");
            is_valid(&text, StageKind::Fragment);
        }
        agrees(&program, 12);
    }
}

/// What MEM_EXPORT writes is a buffer, at a constant place or by an index, which the array size bounds.
#[test]
fn memory_at_any_address() {
    let set = "00 ALU:\n  0   t: FLT_TO_INT      R1.x, R1.x\n";
    for (write, store) in [
        ("WRITE(0 + R1), R0.xyzw ARRAY_SIZE(4095) ELEM_SIZE(3)", "memory"),
        ("WRITE(32 + R1), R0.xy__ ARRAY_SIZE(7) ELEM_SIZE(1)", "memory"),
        ("WRITE(64), R0.xyzw ARRAY_SIZE(0) ELEM_SIZE(3)", "memory"),
    ] {
        let listing = format!("{set}01 MEM_EXPORT: {write}\n02 EXP_DONE: PIX0, R0.xyzw\nEND_OF_PROGRAM\n");
        let program = stage(&listing, StageKind::Fragment, Latte::default());
        let text = decompiled(&program, Target::Glsl(GlslVersion::Core450)).unwrap();
        assert!(text.contains("buffer ") && text.contains(store), "{text}");
        is_valid(&text, StageKind::Fragment);
        is_valid_spirv(&spirv(&program).unwrap());
        let refused = decompiled(&program, Target::Glsl(GlslVersion::Core330)).unwrap_err();
        assert!(refused.contains("330"), "{refused}");
        agrees(&program, 60);
    }
}
