//! Where members of blocks lie: known values, and what glslangValidator says of the same blocks.

use crate::shader;
use std::process::Command;
use unshade_glsl::language::{Stage, Target};
use unshade_glsl::tree::Shader;
use unshade_glsl::{Options, read};

fn offsets(shader: &Shader, name: &str) -> Vec<u32> {
    let (_, block) = shader.blocks.iter().find(|(_, block)| block.name == name).expect("the block");
    block.members.iter().map(|member| member.offset).collect()
}

#[test]
fn known_offsets() {
    let members =
        "float a; vec3 b; float c; float d[2]; mat3 e; vec2 f; struct_s g; double h; dvec3 i; int j;";
    let text = |packing: &str| {
        format!(
            "#version 450\nstruct struct_s {{ vec2 x; float y; }};\nlayout({packing}) buffer B {{ {} }};\nvoid main() {{}}",
            members
        )
    };
    let std140 = shader(Stage::Fragment, &text("std140"));
    assert_eq!(offsets(&std140, "B"), [0, 16, 28, 32, 64, 112, 128, 144, 160, 184]);
    let std430 = shader(Stage::Fragment, &text("std430"));
    assert_eq!(offsets(&std430, "B"), [0, 16, 28, 32, 48, 96, 104, 120, 128, 152]);
}

#[test]
fn said_offsets_and_alignments() {
    let text = "#version 450\nlayout(std140) uniform B { float a; layout(offset = 32) vec2 b; layout(align = 64) float c; float d; };\nvoid main() {}";
    let shader = shader(Stage::Fragment, text);
    assert_eq!(offsets(&shader, "B"), [0, 32, 64, 68]);
}

#[test]
fn locations_of_members() {
    let text = "#version 450\nlayout(location = 2) in B { vec4 a; mat3 b; layout(location = 9) float c; vec2 d[2]; };\n\
                layout(location = 12) in vec4 e;\nvoid main() {}";
    let found = shader(Stage::Fragment, text);
    let (_, block) = found.blocks.iter().next().expect("a block");
    let locations: Vec<Option<u32>> = block.members.iter().map(|member| member.layout.location).collect();
    assert_eq!(locations, [Some(2), Some(3), Some(9), Some(10)]);
    let twice =
        crate::wrong("layout(location = 1) in mat2 a; layout(location = 2) in vec4 b; void main() {}");
    assert_eq!(twice, ["`b` takes location 2, which `a` has"]);
    let parts =
        "layout(location = 1) in vec2 a; layout(location = 1, component = 2) in vec2 b; void main() {}";
    crate::fragment(parts);
}

#[test]
fn scalar_layout() {
    let text = "#version 450\n#extension GL_EXT_scalar_block_layout : enable\n\
                layout(scalar) buffer B { float a; vec3 b; vec3 c[2]; mat3 d; };\nvoid main() {}";
    let shader = shader(Stage::Fragment, text);
    assert_eq!(offsets(&shader, "B"), [0, 4, 16, 40]);
}

/// Offsets that glslangValidator gives the members of the block `B`, or nothing where it is not there.
fn outside(text: &str) -> Option<Vec<u32>> {
    let path =
        std::env::temp_dir().join(format!("unshade-glsl-{}-{:x}.frag", std::process::id(), text.len()));
    std::fs::write(&path, text).ok()?;
    let out = Command::new("glslangValidator")
        .args(["-V", "--amb", "--aml", "-H", "-o", "/dev/null"])
        .arg(&path)
        .output();
    let _ = std::fs::remove_file(&path);
    let out = String::from_utf8(out.ok()?.stdout).ok()?;
    let mut found = Vec::new();
    for line in out.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        if let ["MemberDecorate", of, _, "Offset", offset] = words.as_slice()
            && of.ends_with("(B)")
        {
            found.push(offset.parse().ok()?);
        }
    }
    assert!(!found.is_empty(), "{out}\n{text}");
    Some(found)
}

#[test]
fn as_glslang_lays_them_out() {
    let types = [
        "float", "vec2", "vec3", "vec4", "int", "uvec3", "bool", "bvec2", "mat2", "mat3", "mat4", "mat2x3",
        "mat4x2", "double", "dvec2", "dvec3", "dvec4", "dmat2x3", "S", "T",
    ];
    let packings = ["std140", "std430", "std140, row_major", "std430, row_major"];
    let mut compared = 0;
    for seed in 0..40u32 {
        // Chance that is the same each time.
        let mut state = seed.wrapping_mul(2_654_435_761).wrapping_add(12345);
        let mut next = |below: usize| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as usize % below
        };
        let mut members = String::new();
        for number in 0..8 {
            let ty = types[next(types.len())];
            let array = ["", "", "[3]", "[2][2]"][next(4)];
            let order = ["", "", "layout(row_major) ", "layout(column_major) "][next(4)];
            members.push_str(&format!("{order}{ty} m{number}{array}; "));
        }
        let packing = packings[next(packings.len())];
        let text = format!(
            "#version 450\nstruct T {{ vec3 a; float b[2]; mat3x2 c; }};\nstruct S {{ float a; T b; dvec2 c; }};\n\
             layout({packing}, binding = 0) buffer B {{ {members} }};\nlayout(location = 0) out vec4 o;\n\
             void main() {{ o = vec4(1); }}\n"
        );
        let reading = read(&text, &Options { target: Target::Vulkan, ..Options::new(Stage::Fragment) });
        let shader = reading.shader.as_ref().unwrap_or_else(|| panic!("{}\n{text}", reading.render()));
        let Some(theirs) = outside(&text) else {
            assert!(std::env::var_os("UNSHADE_REQUIRE_TOOLS").is_none(), "glslangValidator is missing");
            println!("skipped: glslangValidator is not there");
            return;
        };
        assert_eq!(offsets(shader, "B"), theirs, "{text}");
        compared += 1;
    }
    assert_eq!(compared, 40);
}
