//! Programs of an open compiler for the Switch that once came out wrong, beside those that came out right: all of them
//! decompile, keep what they compute, and say what a person said.

use std::path::PathBuf;
use unshade::{DecompileOptions, Opened};

/// Inputs of each program.
const CASES: u32 = 24;
const SEED: u64 = 34;

fn programs() -> Vec<PathBuf> {
    let folder = unshade_corpus::shared("cases/maxwell/maxwell/uam-out");
    let Ok(entries) = std::fs::read_dir(folder) else {
        println!("skipped: no cases beside the checkout");
        return Vec::new();
    };
    let mut files: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(files.len() > 160);
    files
}

fn name(path: &std::path::Path) -> String {
    path.file_stem().unwrap().to_string_lossy().into_owned()
}

fn opened(path: &std::path::Path) -> Opened {
    unshade::open(&std::fs::read(path).unwrap()).unwrap()
}

fn text(path: &std::path::Path, strict: bool) -> Result<String, String> {
    let opened = opened(path);
    let (_, stage) = opened.stages(None).next().unwrap();
    let options = DecompileOptions { strict, ..DecompileOptions::default() };
    unshade::decompile(&stage, &options).map(|made| made.text).map_err(|error| error.to_string())
}

/// What the texts of some programs say, and what they do not.
const SAID: &[(&str, &[&str], &[&str])] = &[
    ("fetch_sampler2DArray.frag", &["texelFetch(texture0, ivec3(varying0 & ivec2(3), 1), 0)"], &[]),
    ("const_int_out.frag", &["ivec4(-1, -510, 7, 0x7fffffff)"], &["0.0 / 0.0", "ToFloat"]),
    ("const_uint_out.frag", &["out ivec4"], &["0.0 / 0.0", "ToFloat"]),
    ("const_int_varying.vert", &["ivec4(-1, 5, -510, 0)"], &["0.0 / 0.0"]),
    ("const_lut.frag", &["const float table[5] = float[](", "16.0"], &["uniform"]),
    (
        "const_lut_int.frag",
        &["const int table[4] = int[](", "table[varying0 & 3]"],
        &["uniform", "vec4 bank"],
    ),
    ("fetch_sampler1D.frag", &["uniform sampler1D "], &["samplerBuffer"]),
    ("fetch_samplerBuffer.frag", &["uniform samplerBuffer "], &["sampler1D"]),
    ("cubearr_type.frag", &["uniform samplerCubeArray "], &["isampler"]),
    ("cube_type.frag", &["uniform sampler3D "], &["isampler", "ToFloat"]),
    ("size_sampler1D.frag", &["uniform sampler1D "], &["isampler", "textureQueryLevels"]),
    ("sizetex_sampler2DArray.frag", &["uniform sampler2DArray "], &["isampler"]),
    ("samplepos.frag", &["vec4(gl_SamplePosition, float(gl_SampleID), 1.0)"], &["bitfieldInsert", "uniform"]),
    ("cs_len.comp", &[".length()"], &["bank0"]),
    ("len_struct.comp", &[".length()"], &["bank0"]),
    ("texarr_dyn.frag", &["layout(binding = 0) uniform sampler2D texture0[4];", "[varying1 & 3]"], &["420"]),
    ("texarr_dyn2.frag", &["uniform sampler2DArray texture2[3];"], &[]),
    ("fwidth_const.frag", &["vec4(fwidth(varying0), 0.0)"], &["subgroup"]),
    ("gs_streams.geom", &["stream = 1", "EmitStreamVertex(0);", "EmitStreamVertex(1);"], &[]),
    ("gs_streams2.geom", &["stream = 2", "EndStreamPrimitive(0);", "EmitStreamVertex(2);"], &[]),
    ("gather_dynoff.frag", &["textureGatherOffset(texture0, varying0"], &[]),
    ("discard_then_tex.frag", &["discard;"], &["demote"]),
    ("discard_between.frag", &["discard;"], &["demote"]),
    ("scalar_out2.frag", &[], &["bank0"]),
    ("qlod.frag", &["textureQueryLod(texture0, varying0)"], &["65535", "256.0"]),
    ("half_floor.frag", &["halfDown("], &["roundHalf("]),
];

#[test]
fn texts_say_what_a_person_says() {
    for path in programs() {
        let name = name(&path);
        let Some((_, said, unsaid)) = SAID.iter().find(|(other, ..)| *other == name) else { continue };
        let text = text(&path, false).unwrap_or_else(|error| panic!("{name}: {error}"));
        for part in *said {
            assert!(text.contains(part), "{name} does not say {part}:\n{text}");
        }
        for part in *unsaid {
            assert!(!text.contains(part), "{name} says {part}:\n{text}");
        }
    }
}

/// Programs that are none: what starts itself again.
const RESTART: &[&str] = &["ret_switch.frag"];

#[test]
fn all_have_a_source_in_both_modes() {
    for path in programs() {
        let name = name(&path);
        for strict in [false, true] {
            match text(&path, strict) {
                Ok(text) => assert!(text.contains("void main()"), "{name}"),
                Err(error) => {
                    assert!(RESTART.contains(&&name[..]), "{name}: {error}");
                    assert!(error.contains("it starts again"), "{name}: {error}");
                }
            }
        }
    }
}

/// Programs whose sources still differ from the machine, with the reason.
const DIFFERENT: &[(&str, &str)] = &[("ret_switch.frag", "it starts itself again")];

#[test]
fn sources_keep_what_the_machine_computes() {
    for path in programs() {
        let name = name(&path);
        if DIFFERENT.iter().any(|(other, _)| *other == name) {
            continue;
        }
        let opened = opened(&path);
        let (_, stage) = opened.stages(None).next().unwrap();
        let verdict = unshade::verify(&stage, CASES, SEED);
        let failures = [&verdict.strict, &verdict.readable].map(|section| section.failure.as_ref());
        assert!(
            failures.iter().all(Option::is_none),
            "{name}: {:?}",
            failures.map(|f| f.map(ToString::to_string))
        );
    }
}
