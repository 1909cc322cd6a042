//! Which kinds of names each container can hold, and that decompiled source shows them: a table, a file for each of its
//! cells, and the same table in FORMATS.md.

use std::fs;
use unshade::{CompiledFor, Container, Layout, Manner, Origin, Stage, Target, listing::assemble_listing};
use unshade_tests::{corpus, fsha};

/// Kinds of names, the columns of the table.
const KINDS: [&str; 11] = [
    "block",
    "member",
    "sampler",
    "image",
    "attribute",
    "varying",
    "output",
    "macro",
    "option",
    "symbol",
    "label",
];

/// Containers, the rows of the table.
const CONTAINERS: [&str; 11] = [
    "SHBIN (DVLB)",
    "SHBIN (DVOJ)",
    "MBS1",
    "GFD",
    "SHARCFB",
    "SHARC",
    "BNSH",
    "BFSHA (Switch)",
    "FSHA (Wii U)",
    "NVN, DKSH",
    "shader caches of emulators",
];

/// Where a file comes from.
#[derive(Clone, Copy)]
enum From {
    /// A sample of the project.
    Sample(&'static str),
    /// A sample whose code numbers resources as Mesa's driver does.
    Mesa(&'static str),
    /// A file of the corpus in which the code of an item is replaced by a listing; what it shows is not looked for where
    /// the corpus is not there.
    Changed(&'static str, &'static str, &'static str),
    /// The listing of a whole file.
    Listing(&'static str),
    /// A made-up archive.
    Fsha,
}

/// A name of a kind in a file of a container: which program, what the file calls it, and what the source of the program has
/// of it.
struct Row {
    container: &'static str,
    kind: &'static str,
    from: From,
    item: &'static str,
    name: &'static str,
    shows: &'static str,
}

const fn row(
    container: &'static str,
    kind: &'static str,
    from: From,
    item: &'static str,
    name: &'static str,
    shows: &'static str,
) -> Row {
    Row { container, kind, from, item, name, shows }
}

/// A procedure that is called twice, so that it stays a function.
const PROCEDURE: &str = "\
.container shbin
.program @version=0x0
.layout picasso

.executable vertex @version=0x1002
    .entry      main
    .in         place v0
    .in         colour v1
    .label      darken darken..main
    .uniform    tint c0
    .uniform    shade c1
    .out        out_position position o0.xyzw
    .out        out_color color o1.xyzw

.desc   0  xyzw,  xyzw,  xyzw,  xxxx

.proc darken
    mul     r0, tint, r0
    add     r0, shade, r0
.end

.proc main
    mov     out_position, place
    mov     r0, colour
    call    darken
    mul     r0, r0, r0
    call    darken
    mov     out_color, r0
    end
.end
";

/// Reads and writes the image in slot 0.
const IMAGE: &str = "\
.isa maxwell
MOV R0, RZ
MOV R1, RZ
SULD.D.2D.IGN R0, [R0], 0x8
SUST.D.2D.IGN [R2], R0, 0x8
EXIT
";

const TABLE: &[Row] = &[
    row("SHBIN (DVLB)", "member", From::Sample("lighting.shbin"), "#0", "modelView", "mat4 modelView;"),
    row("SHBIN (DVLB)", "attribute", From::Sample("lighting.shbin"), "#0", "texcoord", "in vec4 texcoord;"),
    row("SHBIN (DVLB)", "label", From::Listing(PROCEDURE), "#0", "darken", "vec4 darken(vec4 "),
    row("SHBIN (DVOJ)", "attribute", From::Sample("object.dvoj"), "#0", "v", "in vec4 v;"),
    row("MBS1", "member", From::Sample("lambert.vert.mbs"), "#vert", "u_ldir", "uniform vec3 u_ldir;"),
    row("MBS1", "sampler", From::Sample("phong.frag.mbs"), "#frag", "u_t", "uniform sampler2D u_t;"),
    row("MBS1", "attribute", From::Sample("lambert.vert.mbs"), "#vert", "a_nrm", "in vec3 a_nrm;"),
    row("MBS1", "varying", From::Sample("lambert.vert.mbs"), "#vert", "v_l", "out float v_l;"),
    row("GFD", "block", From::Listing(fsha::PIXEL), "#pixel0", "material", "uniform material {"),
    row("GFD", "member", From::Listing(fsha::PIXEL), "#pixel0", "weights", "float weights[3];"),
    row("GFD", "sampler", From::Listing(fsha::PIXEL), "#pixel0", "layers", "uniform sampler2DArray layers;"),
    row("GFD", "attribute", From::Listing(fsha::VERTEX), "#vertex0", "uv", "in vec2 uv;"),
    row("SHARCFB", "block", From::Mesa("surface.sharcfb"), "#blocks/0", "B1", "uniform B1 {"),
    row("SHARCFB", "member", From::Mesa("surface.sharcfb"), "#surface/0", "u1", "vec4 u1;"),
    row("SHARCFB", "sampler", From::Mesa("surface.sharcfb"), "#surface/2", "s", "uniform sampler2D s;"),
    row("SHARCFB", "attribute", From::Mesa("surface.sharcfb"), "#surface/0", "aPos", "in vec4 aPos;"),
    row("SHARCFB", "macro", From::Mesa("surface.sharcfb"), "#surface/1", "KILL", "KILL = 1"),
    row("SHARCFB", "symbol", From::Mesa("surface.sharcfb"), "#surface/0", "u0", "vec4 u0;"),
    row("BNSH", "block", From::Sample("two_stages.bnsh"), "#0", "Cam", "uniform Cam {"),
    row("BNSH", "sampler", From::Sample("two_stages.bnsh"), "#0", "t", "uniform sampler2D t;"),
    row(
        "BNSH",
        "image",
        From::Changed("corpus/bnsh/generated/feat_images.bnsh", "#0/compute", IMAGE),
        "#0",
        "u_ImgA",
        "uniform uimage2D u_ImgA;",
    ),
    row("BNSH", "attribute", From::Sample("two_stages.bnsh"), "#0", "a_nrm", "in vec3 a_nrm;"),
    row("BNSH", "varying", From::Sample("two_stages.bnsh"), "#0", "o_uv", "out vec2 o_uv;"),
    row("BNSH", "output", From::Sample("two_stages.bnsh"), "#0", "c", "out vec4 c;"),
    row("BFSHA (Switch)", "block", From::Sample("options.bfsha"), "#options/0", "Cam", "uniform Cam {"),
    row("BFSHA (Switch)", "member", From::Sample("options.bfsha"), "#options/0", "world", "mat4 world;"),
    row(
        "BFSHA (Switch)",
        "sampler",
        From::Sample("options.bfsha"),
        "#options/0",
        "t",
        "uniform sampler2D t;",
    ),
    row("BFSHA (Switch)", "attribute", From::Sample("options.bfsha"), "#options/0", "a_uv", "in vec2 a_uv;"),
    row("BFSHA (Switch)", "varying", From::Sample("options.bfsha"), "#options/0", "o_uv", "out vec2 o_uv;"),
    row("BFSHA (Switch)", "output", From::Sample("options.bfsha"), "#options/0", "c", "out vec4 c;"),
    row(
        "BFSHA (Switch)",
        "option",
        From::Sample("options.bfsha"),
        "#options/0",
        "gsys_weight",
        "gsys_weight = 0",
    ),
    row("FSHA (Wii U)", "block", From::Fsha, "#skin/1", "material", "uniform material {"),
    row("FSHA (Wii U)", "member", From::Fsha, "#skin/1", "tint", "vec4 tint;"),
    row("FSHA (Wii U)", "sampler", From::Fsha, "#skin/1", "shadows", "uniform sampler2DArrayShadow shadows;"),
    row("FSHA (Wii U)", "attribute", From::Fsha, "#skin/1", "position", "in vec4 position;"),
    row("FSHA (Wii U)", "option", From::Fsha, "#skin/1", "fog", "fog = on"),
];

/// What a container can hold names of and no code that would show them, with where they are shown.
const ELSEWHERE: &[(&str, &str, &str)] = &[
    ("BFSHA (Switch)", "image", "as in the BNSH inside"),
    ("SHARC", "macro", "holds the source itself"),
    ("SHARC", "symbol", "holds the source itself"),
    ("SHBIN (DVLB)", "output", "by their meaning"),
    ("SHBIN (DVOJ)", "output", "by their meaning"),
    ("SHBIN (DVOJ)", "label", "as in a DVLB"),
];

/// The bytes of a file; `None` for one of a corpus that is not there.
fn file(from: From) -> Option<Vec<u8>> {
    match from {
        From::Sample(name) | From::Mesa(name) => {
            Some(fs::read(corpus::root().join("samples").join(name)).unwrap())
        }
        From::Changed(path, item, listing) => {
            let mut container = Container::read(&fs::read(unshade_corpus::shared(path)).ok()?).unwrap();
            let words = unshade::maxwell::asm::assemble(listing).unwrap().words;
            let id = unshade::StageId(item.trim_start_matches('#').to_owned());
            let code = unshade::Code { words: words.into(), ..Default::default() };
            container.replace(&id, &code).unwrap();
            Some(container.write().unwrap())
        }
        From::Listing(text) => {
            Some(assemble_listing(text).unwrap_or_else(|e| panic!("{}", e[0])).write().unwrap())
        }
        From::Fsha => Some(fsha::archive(true)),
    }
}

/// The source of a program with its head, as `decompile` prints it.
fn source(from: From, bytes: &[u8], item: &str) -> String {
    let wanted = item.trim_start_matches('#');
    let programs =
        unshade::programs(bytes, &[], Some(wanted)).unwrap_or_else(|error| panic!("{item}: {error:?}"));
    let mut stages: Vec<(String, Stage<'_>)> = programs.stages;
    for (_, stage) in stages.iter_mut().filter(|_| matches!(from, From::Mesa(_))) {
        unshade::apply_profile(stage, unshade::profile_named("mesa").unwrap());
    }
    assert!(!stages.is_empty(), "{item}");
    let compiled_for = CompiledFor::new(bytes, &[]);
    let origin = Origin { name: "file", source: bytes.into(), inner: &[], compiled_for: &compiled_for };
    let how = Manner {
        target: Target::Glsl(unshade::GlslVersion::Core450),
        strict: false,
        layout: Layout::Source,
        beside: true,
        one_text: true,
    };
    let made = origin.decompile_all(&stages, how, |item, made| {
        if let Err(error) = made {
            panic!("{item}: {error}");
        }
    });
    made.into_iter().map(|(_, _, decompiled)| decompiled.text).collect()
}

#[test]
fn every_kind_of_name_is_shown() {
    for Row { container, kind, from, item, name, shows } in TABLE {
        let Some(bytes) = file(*from) else {
            println!("skipped: {container}, {kind}: no corpus");
            continue;
        };
        // The file holds the name.
        let held = bytes.windows(name.len()).any(|window| window == name.as_bytes());
        assert!(held, "{container}, {kind}: no {name} in the file");
        let text = source(*from, &bytes, item);
        assert!(text.contains(shows), "{container}, {kind}: no `{shows}` in\n{text}");
    }
}

/// The table as FORMATS.md has it.
fn table() -> String {
    let mut text = format!("| | {} |\n|{}\n", KINDS.join(" | "), "---|".repeat(KINDS.len() + 1));
    for container in CONTAINERS {
        let cells = KINDS.map(|kind| {
            let row = TABLE.iter().find(|row| row.container == container && row.kind == kind);
            let elsewhere = ELSEWHERE.iter().find(|(other, of, _)| *other == container && *of == kind);
            match (row, elsewhere) {
                (Some(row), _) => format!("`{}`", row.shows.trim_end_matches(['{', ' ', '(', ';'])),
                (None, Some((.., why))) => (*why).to_owned(),
                (None, None) => "–".to_owned(),
            }
        });
        text.push_str(&format!("| {container} | {} |\n", cells.join(" | ")));
    }
    text
}

#[test]
fn formats_md_has_the_table() {
    let known = |container: &str, kind: &str| CONTAINERS.contains(&container) && KINDS.contains(&kind);
    assert!(TABLE.iter().all(|row| known(row.container, row.kind)));
    assert!(ELSEWHERE.iter().all(|(container, kind, _)| known(container, kind)));
    let formats = fs::read_to_string(corpus::root().join("FORMATS.md")).unwrap();
    assert!(formats.contains(&table()), "FORMATS.md has another table; it should be\n{}", table());
}
