//! Files as the console's own tools write them: rows of elements beside their arrays, fill in fetches, slots for null
//! pointers. Each has a clean twin that says the same without all that.

use std::path::PathBuf;
use unshade::{
    Change, Container, DecompileOptions, Renaming, Severity,
    listing::{ListingOptions, assemble_listing, disassemble_container_to_text},
    report,
};
use unshade_stage::latte::Profile;

/// What of the vendor's ways a file has.
#[derive(Clone, Copy, PartialEq)]
struct Ways {
    /// Slots for null pointers in the table of pointers, one tag for all.
    slots: bool,
    /// Arrays have rows for their elements, each with the count of the whole.
    rows: bool,
    /// The fourth word of fetches is 0x0DEADFEC.
    fill: bool,
}

const VENDOR: Ways = Ways { slots: true, rows: true, fill: true };
const CLEAN: Ways = Ways { slots: false, rows: false, fill: false };

/// Names, types, lengths and words of uniforms, with those of the elements of arrays.
fn uniforms(ways: Ways, list: &[(&str, &str, u32, u32, u32)], block: i32) -> String {
    let mut text = String::new();
    let mut row = |name: &str, ty: &str, count: u32, word: u32| {
        let block = block as u32;
        text.push_str(&format!(
            "    .uniform \"{name}\" @type={ty} @count={count} @offset={word} @block={block:#x}\n"
        ));
    };
    for (name, ty, count, word, stride) in list {
        row(name, ty, *count, *word);
        for element in (0..*count).filter(|_| ways.rows && *count > 1) {
            row(&format!("{name}[{element}]"), ty, *count, word + element * stride);
        }
    }
    text
}

/// A pixel program with a block of arrays and every type of sampler that the vendor's files show.
fn pixel(ways: Ways) -> String {
    let slots = u32::from(ways.slots);
    let uniforms = uniforms(
        ways,
        &[
            ("colours", "vec3", 2, 8, 4),
            ("tint", "vec4", 1, 16, 0),
            ("turn", "mat4x3", 2, 20, 16),
            ("weights", "float", 2, 0, 4),
        ],
        0,
    );
    let fill = if ways.fill { ".fetch_fill 0x0DEADFEC\n" } else { "" };
    format!(
        "\
.container gfd @major=7 @minor=1 @gpu=2 @align=0

.block pixel_header @slots={slots}
    .register SQ_PGM_RESOURCES_PS @NUM_GPRS=4 @STACK_SIZE=1
    .register SQ_PGM_EXPORTS_PS 2
    .register SPI_PS_IN_CONTROL_0 @NUM_INTERP=1 @BARYC_SAMPLE_CNTL=1 @PERSP_GRADIENT_ENA=1
    .word num_spi_ps_input_cntl 1
    .register SPI_PS_INPUT_CNTL 0x100
    .register CB_SHADER_MASK @OUTPUT0_ENABLE=15
    .register CB_SHADER_CONTROL @RT0_ENABLE=1
    .register DB_SHADER_CONTROL @Z_ORDER=1
    .register mode 1
    .uniform_block Mat @offset=1 @size=208
{uniforms}    .sampler layers @type=10 @location=0
    .sampler shadows @type=12 @location=1
    .sampler rooms @type=13 @location=2
    .sampler sky @type=4 @location=3
    .sampler ground @type=1 @location=4

.block pixel_code
    .code
{fill}00 TEX: VALID_PIX
         SAMPLE          R1.xyzw, R0.xyzw, t0, s0 DENORM(Z)
         SAMPLE_C        R2.x___, R0.xyzw, t1, s1 DENORM(Z)
         SAMPLE          R3.xyzw, R0.xyxx, t4, s4
01 ALU: KCACHE0(CB1:0-15)
      x: MUL             R0.x, R1.x, KC0[1].x
      y: MUL             R0.y, R2.x, KC0[3].y
-     z: MUL             R0.z, R3.z, KC0[4].z
      w: MUL             R0.w, R1.w, KC0[9].x
02 EXP_DONE: PIX0, R0.xyzw
END_OF_PROGRAM
    .end_code

.block end
"
    )
}

/// A vertex program with attributes, and with uniforms in registers that start with values.
fn vertex(ways: Ways) -> String {
    let slots = u32::from(ways.slots);
    let uniforms = uniforms(ways, &[("bones", "vec4", 3, 0, 4), ("camera", "mat4", 1, 12, 0)], -1);
    let fill = if ways.fill { ".fetch_fill 0x0DEADFEC\n" } else { "" };
    format!(
        "\
.container gfd @major=7 @minor=1 @gpu=2 @align=0

.block vertex_header @slots={slots}
    .register SQ_PGM_RESOURCES_VS @NUM_GPRS=4 @STACK_SIZE=1
    .word num_spi_vs_out_id 1
    .register SPI_VS_OUT_ID 0xFFFFFF00
    .word num_sq_vtx_semantic 2
    .register SQ_VTX_SEMANTIC 0 1
    .register SQ_VTX_SEMANTIC_CLEAR 0xFFFFFFFC
{uniforms}    .initial_value @x=0x3F800000 @y=0x3F000000 @z=0x3E800000 @w=0 @offset=4
    .sampler heights @type=1 @location=0
    .attribute position @type=vec4 @count=0 @location=0
    .attribute colour @type=vec4 @count=0 @location=1

.block vertex_code
    .code
{fill}00 CALL_FS NO_BARRIER
01 TEX:
         SAMPLE_LZ       R3.x___, R2.xyxx, t0, s0
02 ALU:
      x: ADD             R1.x, R1.x, C1.x
      y: ADD             R1.y, R1.y, C3.x
      z: ADD             R1.z, R1.z, R3.x
03 EXP_DONE: POS0, R1.xyzw
04 EXP_DONE: PARAM0, R2.xyzw NO_BARRIER
END_OF_PROGRAM
    .end_code

.block end
"
    )
}

const PROGRAMS: [fn(Ways) -> String; 2] = [pixel, vertex];

fn made(listing: &str) -> Container {
    assemble_listing(listing).unwrap_or_else(|errors| panic!("{}\n{listing}", errors[0]))
}

fn bytes(listing: &str) -> Vec<u8> {
    made(listing).write().unwrap()
}

fn findings(bytes: &[u8]) -> Vec<String> {
    report::check(bytes, &[], None).diagnostics.iter().map(ToString::to_string).collect()
}

/// The readable source of the only program.
fn source(container: &Container) -> String {
    let stage = container.stages().next().unwrap();
    unshade::decompile(&stage, &DecompileOptions::default()).unwrap().text
}

fn each_way() -> impl Iterator<Item = Ways> {
    (0..8_u32).map(|bits| Ways { slots: bits & 1 != 0, rows: bits & 2 != 0, fill: bits & 4 != 0 })
}

#[test]
fn what_the_vendor_writes_is_sound() {
    for program in PROGRAMS {
        for ways in each_way() {
            let listing = program(ways);
            assert_eq!(findings(&bytes(&listing)), [""; 0], "{listing}");
        }
    }
}

#[test]
fn names_and_shapes_are_those_of_the_clean_twin() {
    for program in PROGRAMS {
        let clean = made(&program(CLEAN));
        for ways in each_way() {
            let container = made(&program(ways));
            assert_eq!(source(&container), source(&clean));
            assert_eq!(container.names(), clean.names());
        }
    }
    let text = source(&made(&pixel(VENDOR)));
    for line in [
        "float weights[2];",
        "vec3 colours[2];",
        "mat4x3 turn[2];",
        "uniform sampler2DArray layers;",
        "uniform sampler2DArrayShadow shadows;",
        "uniform sampler2D ground;",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
    let text = source(&made(&vertex(VENDOR)));
    assert!(text.contains("vec4 bones[3];") && text.contains("in vec4 position;"), "{text}");
}

#[test]
fn nothing_is_lost() {
    for program in PROGRAMS {
        for ways in each_way() {
            let container = made(&program(ways));
            let bytes = container.write().unwrap();
            let listing = disassemble_container_to_text(&container, &ListingOptions::default());
            assert_eq!(made(&listing).write().unwrap(), bytes);
            // One directive for all; tables by name and not as bytes.
            assert_eq!(listing.matches("0x0DEADFEC").count(), usize::from(ways.fill), "{listing}");
            assert!(!listing.contains(".data") && !listing.contains("reserved"), "{listing}");
            let parts = unshade::extract(&container).unwrap();
            assert!(parts.manifest().contains("layers") || parts.manifest().contains("bones"));
            assert_eq!(unshade::build(&parts).unwrap().write().unwrap(), bytes);
        }
    }
    // A fetch that is filled otherwise says so.
    let other = pixel(VENDOR).replace("t4, s4", "t4, s4 @reserved_96=0x12345678");
    let container = made(&other);
    let listing = disassemble_container_to_text(&container, &ListingOptions::default());
    assert!(listing.contains(".fetch_fill 0x0DEADFEC"), "{listing}");
    assert!(listing.contains("t4, s4 @reserved_96=0x12345678"), "{listing}");
    assert_eq!(made(&listing), container);
    assert_eq!(findings(&container.write().unwrap()).len(), 1);
}

#[test]
fn an_array_gets_one_name() {
    for (program, old) in PROGRAMS.into_iter().zip(["weights", "bones"]) {
        for ways in [VENDOR, CLEAN] {
            let renaming = Renaming { name: format!("uniforms.{old}"), new: "parts_of_it".to_owned() };
            let (renamed, changed) = made(&program(ways)).edit(&[Change::Rename(renaming)]).unwrap();
            let expected = program(ways).replace(old, "parts_of_it");
            assert_eq!(renamed, made(&expected));
            assert_eq!(changed.len() > 1, ways.rows);
        }
    }
    // A value comes in where the table of pointers has slots for tables that are not there.
    let without = vertex(VENDOR)
        .replace("    .initial_value @x=0x3F800000 @y=0x3F000000 @z=0x3E800000 @w=0 @offset=4\n", "");
    let set = |path: &str, value: &str| {
        Change::Set(unshade::Setting { path: path.to_owned(), value: value.to_owned() })
    };
    let (with, _) = made(&without).edit(&[set("uniforms.bones[1]", "1, 0.5, 0.25, 0")]).unwrap();
    assert_eq!(with, made(&vertex(VENDOR)));
}

/// A table lists what the source declares; that a program does not read it is no reason to lose its name.
#[test]
fn what_nobody_reads_is_declared() {
    let text = vertex(VENDOR)
        .replace(
            "    .sampler heights",
            "    .uniform_block Rest @offset=3 @size=48\n    .sampler unused @type=12 @location=5\n    .sampler heights",
        )
        .replace(
            "    .attribute position",
            "    .attribute basis @type=mat3 @count=0 @location=5\n    .attribute position",
        );
    let container = made(&text);
    assert_eq!(findings(&container.write().unwrap()), [""; 0]);
    let found = source(&container);
    for declared in [
        "in vec3 basis_0;",
        "in vec3 basis_1;",
        "in vec3 basis_2;",
        "uniform sampler2DArrayShadow unused;",
        "uniform Rest {",
        "mat4 camera;",
    ] {
        assert!(found.contains(declared), "{declared}\n{found}");
    }
    // The words of the emulator are registers and units, and say nothing of tables.
    let mut stage = container.stages().next().unwrap();
    stage.interface.latte.as_mut().unwrap().profile = Profile::Cemu;
    let found = unshade::decompile(&stage, &DecompileOptions::default()).unwrap().text;
    assert!(!found.contains("basis") && !found.contains("unused") && !found.contains("Rest"), "{found}");
}

#[test]
fn what_is_wrong_is_still_told() {
    let codes = |listing: &str| {
        let report = report::check(&bytes(listing)[..], &[], None);
        report.diagnostics.iter().map(|finding| finding.code.clone().into_owned()).collect::<Vec<_>>()
    };
    // An element that lies elsewhere, is of another type, or beyond its array.
    for (from, to) in [
        ("\"weights[1]\" @type=float @count=2 @offset=4", "\"weights[1]\" @type=float @count=2 @offset=3"),
        ("\"weights[1]\" @type=float", "\"weights[1]\" @type=int"),
        ("\"weights[1]\"", "\"weights[2]\""),
    ] {
        let listing = pixel(VENDOR);
        assert!(listing.contains(from), "{listing}");
        assert_eq!(codes(&listing.replace(from, to)), ["gx2.element"], "{to}");
    }
    // An array and an element that end behind their block.
    let short = pixel(VENDOR).replace("@size=208", "@size=192");
    assert_eq!(codes(&short), ["gx2.range"; 2]);
    let number = pixel(VENDOR).replace("@type=13", "@type=16");
    assert_eq!(codes(&number), ["gx2.type"]);
    // Zeros among the names, and a table that lacks one.
    let container = made(&pixel(VENDOR));
    let (Container::Gfd(file), bytes) = (&container, container.write().unwrap()) else { unreachable!() };
    let data = &file.blocks[0].data;
    let relocation = unshade::gfd::Relocation::of(data).unwrap();
    let first = 0x20 + 0x20 + relocation.patches_at.unwrap();
    let count = relocation.patches().len();
    // Of the pixel structure: program, blocks, uniforms, initial values, loops, samplers; then the names.
    for (slot, expected) in [
        (1, ["gfd.unpatched", "gfd.patch"].as_slice()),
        (8, &["gfd.unpatched", "gfd.patch"]),
        (count - 3, &["gfd.unpatched", "gfd.patch"]),
    ] {
        let mut changed = bytes.clone();
        changed[first + 4 * slot..][..4].fill(0);
        let report = report::check(&changed[..], &[], None);
        let mut codes: Vec<_> = report.diagnostics.iter().map(|finding| &*finding.code).collect();
        codes.dedup();
        assert_eq!(codes, expected, "{slot}");
    }
    // A place in a slot that should be empty, and a tag of something else.
    for (slot, word) in [(0, 0xD060_0004_u32), (6, 0x1230_00E8)] {
        let mut changed = bytes.clone();
        changed[first + 4 * slot..][..4].copy_from_slice(&word.to_be_bytes());
        assert!(!report::check(&changed[..], &[], None).diagnostics.is_empty(), "{slot}");
    }
}

/// The examples beside the project say the same.
#[test]
fn the_cases_are_right() {
    let folder: PathBuf = unshade_corpus::shared("cases/wiiu");
    let Ok(vendor) = std::fs::read(folder.join("names_vendor.gsh")) else {
        println!("skipped: no {}", folder.display());
        return;
    };
    let read = |name: &str| std::fs::read(folder.join(name)).unwrap();
    let whole = read("names_whole.gsh");
    let containers = [&vendor, &whole].map(|bytes| Container::read(bytes).unwrap());
    assert_eq!(source(&containers[0]), source(&containers[1]));
    assert_eq!(containers[0].names(), containers[1].names());
    // Both lack a table of pointers, and read more constants at once than the machine can; nothing else is found.
    let codes = |bytes: &[u8]| {
        let report = report::check(bytes, &[], None);
        report.diagnostics.iter().map(|finding| finding.code.clone().into_owned()).collect::<Vec<_>>()
    };
    assert_eq!(codes(&vendor), ["gfd.unpatched", "latte.read-ports"]);
    assert_eq!(codes(&whole), codes(&vendor));
    assert_eq!(codes(&read("vendor_fetch.gsh")), [""; 0]);
    assert_eq!(codes(&read("vendor_patch.gsh")), ["latte.read-ports"]);
    for name in ["vendor_fetch.gsh", "vendor_patch.gsh", "names_vendor.gsh", "names_whole.gsh"] {
        let container = Container::read(&read(name)).unwrap();
        let listing = disassemble_container_to_text(&container, &ListingOptions::default());
        assert!(!listing.contains("reserved"), "{listing}");
        assert_eq!(made(&listing), container);
    }
}

/// Findings of a kind are told together, and all are there.
#[test]
fn findings_of_a_kind_stand_together() {
    let mut listing = pixel(VENDOR);
    for element in 2..20 {
        let row = format!("    .uniform \"weights[{element}]\" @type=float @count=2 @offset=8 @block=0\n");
        listing = listing.replace("    .sampler layers", &format!("{row}    .sampler layers"));
    }
    let report = report::check(&bytes(&listing)[..], &[], None);
    let kinds = report.kinds();
    assert_eq!(kinds.len(), 1);
    assert_eq!((kinds[0].severity, kinds[0].code), (Severity::Warning, "gx2.element"));
    assert_eq!((kinds[0].told().len(), kinds[0].others().len()), (3, 15));
    assert_eq!(report.count(Severity::Warning), 18);
}
