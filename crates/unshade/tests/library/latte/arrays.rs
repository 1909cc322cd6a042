//! Textures whose shape only the code shows: arrays by a third coordinate that counts layers, cubes by the number of a face.

use super::forms::{agrees, case, is_valid, stage, stages, text};
use unshade::StageKind;
use unshade_stage::Latte;
use unshade_stage::latte::{Dimension, Profile, Sampler};

fn sample(op: &str, from: &str, flags: &str) -> String {
    format!(
        "00 ALU:\n  0   z: RNDNE           R0.z, R1.x\n01 TEX: VALID_PIX\n  1      {op:<16}R2.xyzw, {from}, t2, s2 {flags}\n\
         02 EXP_DONE: PIX0, R2.xyzw\nEND_OF_PROGRAM\n"
    )
}

fn named(dimension: Option<Dimension>) -> Latte {
    let sampler = Sampler { name: "layers".to_owned(), dimension, shadow: false, location: 2 };
    Latte { samplers: vec![sampler], ..Latte::default() }
}

/// Every combination of normalised and counted coordinates, of every operation that samples, with the type that it is.
#[test]
fn coordinates_say_what_is_an_array() {
    let ops =
        ["SAMPLE", "SAMPLE_L", "SAMPLE_LB", "SAMPLE_LZ", "SAMPLE_C", "SAMPLE_C_L", "SAMPLE_C_LZ", "FETCH4"];
    let mut seen = 0;
    for op in ops {
        let shadow = if op.starts_with("SAMPLE_C") { "Shadow" } else { "" };
        for letters in ["", "Z", "X", "XY", "XYZ"] {
            let flags = if letters.is_empty() { String::new() } else { format!("DENORM({letters})") };
            let shape = match letters {
                "Z" => "2DArray",
                "" => "2D",
                // One that counts texels has one level, no layers.
                _ => "2DRect",
            };
            let program = stage(&sample(op, "R0.xyzw", &flags), StageKind::Fragment, Latte::default());
            let text = match unshade::decompile(&program, &unshade::DecompileOptions::default()) {
                Ok(made) => made.text,
                Err(error) => {
                    // GLSL has no level for comparisons in arrays but the first.
                    assert!(op == "SAMPLE_C_L" && letters == "Z", "{op} {flags}: {error}");
                    continue;
                }
            };
            let declared = format!("sampler{shape}{shadow} ");
            assert!(text.contains(&declared), "{op} {flags}: {declared}\n{text}");
            is_valid(&text, StageKind::Fragment);
            agrees(&program, 20);
            seen += 1;
        }
    }
    assert!(seen >= 38, "{seen}");
}

/// The layer is a coordinate of the source, rounded or not.
#[test]
fn the_layer_is_kept() {
    for (layer, listing) in [
        ("roundEven(", sample("SAMPLE", "R0.xyzw", "DENORM(Z)")),
        ("param0.xyw", sample("SAMPLE", "R0.xyww", "DENORM(Z)")),
        ("1.0", sample("SAMPLE", "R0.xy1w", "DENORM(Z)")),
    ] {
        let program = stage(&listing, StageKind::Fragment, Latte::default());
        let text = text(&program);
        assert!(text.contains("sampler2DArray ") && text.contains(layer), "{layer}\n{text}");
        agrees(&program, 20);
    }
}

/// Where y and z are one component, the second coordinate is the layer: that is how Mesa asks an array of lines.
#[test]
fn arrays_of_lines() {
    for op in ["SAMPLE", "SAMPLE_L", "SAMPLE_C"] {
        let program = stage(&sample(op, "R0.xyyw", "DENORM(Z)"), StageKind::Fragment, Latte::default());
        let text = text(&program);
        assert!(text.contains("sampler1DArray"), "{text}");
        is_valid(&text, StageKind::Fragment);
        agrees(&program, 20);
    }
}

/// What the tables say holds over what the code shows, and fetches of one texture are of one shape.
#[test]
fn tables_come_first() {
    for (dimension, shape) in [
        (Some(Dimension::D2), "sampler2D "),
        (Some(Dimension::D2Array), "sampler2DArray "),
        (Some(Dimension::D3), "sampler3D "),
        (None, "sampler2DArray "),
    ] {
        let program = stage(&sample("SAMPLE", "R0.xyzw", "DENORM(Z)"), StageKind::Fragment, named(dimension));
        let text = text(&program);
        assert!(text.contains(&format!("{shape}layers;")), "{shape}\n{text}");
        is_valid(&text, StageKind::Fragment);
        agrees(&program, 20);
    }
    // A type of the tables is enough where the coordinates are all normalised.
    let program =
        stage(&sample("SAMPLE", "R0.xyzw", ""), StageKind::Fragment, named(Some(Dimension::D2Array)));
    assert!(text(&program).contains("sampler2DArray layers;"));
    // The size of what is sampled elsewhere as an array has layers.
    let both = "00 TEX: VALID_PIX\n  0      GET_TEXTURE_INFO R3.xyzw, R0.xyzw, t2, s2\n\
                1      SAMPLE          R2.xyzw, R0.xyzw, t2, s2 DENORM(Z)\n01 ALU:\n  2   t: INT_TO_FLT      R2.x, R3.z\n\
                02 EXP_DONE: PIX0, R2.xyzw\nEND_OF_PROGRAM\n";
    let program = stage(both, StageKind::Fragment, Latte::default());
    let text = text(&program);
    assert!(text.contains("sampler2DArray ") && text.contains("textureSize("), "{text}");
    is_valid(&text, StageKind::Fragment);
    agrees(&program, 20);
}

fn cube(index: &str) -> String {
    format!(
        "00 ALU:\n  0   x: CUBE            R1.x, R0.z, R0.y\n      y: CUBE            R1.y, R0.z, R0.x\n\
               z: CUBE            R1.z, R0.x, R0.z\n      w: CUBE            R1.w, R0.y, R0.z\n\
           1   z: RNDNE           R2.z, PV0.w\n      t: RECIP_IEEE      R1.z, |PV0.z| SCL_210\n\
           2   x: MULADD_IEEE     R2.x, R1.y, PS1, (0x3FC00000, 1.5)\n      y: MULADD_IEEE     R2.y, R1.x, PS1, (0x3FC00000, 1.5)\n\
         01 TEX:\n{index}  4      SAMPLE          R0.xyzw, R2.xyz_, t18, s0 DENORM(Z)\n\
         02 EXP_DONE: PIX0, R0.xyzw\nEND_OF_PROGRAM\n"
    )
}

/// A face is no layer; a cube that SET_CUBEMAP_INDEX names is one of an array, and which one is kept.
#[test]
fn cubes_and_arrays_of_cubes() {
    for profile in [Profile::Mesa, Profile::Gx2] {
        let around = || Latte { profile, ..Latte::default() };
        let program = stage(&cube(""), StageKind::Fragment, around());
        let alone = text(&program);
        assert!(alone.contains("samplerCube "), "{alone}");
        agrees(&program, 20);
        let index = "  3      SET_CUBEMAP_INDEX R0.____, R0.w___, t18, s0\n";
        let program = stage(&cube(index), StageKind::Fragment, around());
        let many = text(&program);
        assert!(many.contains("samplerCubeArray ") && many.contains(", param0)"), "{many}");
        is_valid(&many, StageKind::Fragment);
        agrees(&program, 20);
    }
}

#[test]
fn the_case_that_was_wrong() {
    let Some(bytes) = case("r12.gsh") else { return };
    let stages = stages(&bytes);
    let text = text(&stages[0]);
    assert!(text.contains("sampler2DArrayShadow ") && text.contains("sampler2DArray "), "{text}");
    assert!(text.contains("roundEven(v_param_1.x)"), "{text}");
    is_valid(&text, StageKind::Fragment);
    agrees(&stages[0], 60);
}
