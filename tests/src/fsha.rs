//! A made-up archive of a shading model of the Wii U. As in the console's files the structures of its programs have no tables
//! of names, so that the shading model's are all there are; each program has a twin in a GFD file whose tables say the same.
#![allow(clippy::unwrap_used, clippy::panic, reason = "an archive that cannot be made must stop the test")]

use std::collections::{BTreeMap, BTreeSet};
use unshade::{Container, gx2::Member, listing::assemble_listing};
use unshade_containers::switch::dictionary::{Family, build};

/// A vertex program with two attributes and a block of matrices.
pub const VERTEX: &str = "\
.container gfd @major=7 @minor=1 @gpu=2 @align=0

.block vertex_header
    .register SQ_PGM_RESOURCES_VS @NUM_GPRS=4 @STACK_SIZE=1
    .word num_spi_vs_out_id 1
    .register SPI_VS_OUT_ID 0xFFFFFF00
    .word num_sq_vtx_semantic 2
    .register SQ_VTX_SEMANTIC 3 1
    .register SQ_VTX_SEMANTIC_CLEAR 0xFFFFFFFC
    .register mode 1
    .uniform_block shape @offset=2 @size=112
    .uniform bones @type=mat4x3 @count=2 @offset=4 @block=0
    .uniform fade @type=float @count=0 @offset=0 @block=0
    .attribute position @type=vec4 @count=1 @location=3
    .attribute uv @type=vec2 @count=1 @location=1

.block vertex_code
    .code
00 CALL_FS NO_BARRIER
01 ALU: KCACHE0(CB2:0-15)
      x: MUL             R1.x, R1.x, KC0[1].x
      y: MUL             R1.y, R1.y, KC0[2].x
-     z: MUL             R1.z, R1.z, KC0[6].x
      w: MUL             R1.w, R1.w, KC0[0].x
02 EXP_DONE: POS0, R1.xyzw
03 EXP_DONE: PARAM0, R2.xyzw NO_BARRIER
END_OF_PROGRAM
    .end_code

.block end
";

/// A pixel program with every type of sampler that the console's files show, and a material.
pub const PIXEL: &str = "\
.container gfd @major=7 @minor=1 @gpu=2 @align=0

.block pixel_header
    .register SQ_PGM_RESOURCES_PS @NUM_GPRS=4 @STACK_SIZE=1
    .register SQ_PGM_EXPORTS_PS 2
    .register SPI_PS_IN_CONTROL_0 @NUM_INTERP=1 @BARYC_SAMPLE_CNTL=1 @PERSP_GRADIENT_ENA=1
    .word num_spi_ps_input_cntl 1
    .register SPI_PS_INPUT_CNTL 0x100
    .register CB_SHADER_MASK @OUTPUT0_ENABLE=15
    .register CB_SHADER_CONTROL @RT0_ENABLE=1
    .register DB_SHADER_CONTROL @Z_ORDER=1
    .register mode 1
    .uniform_block material @offset=5 @size=64
    .uniform_block shape @offset=0 @size=112
    .uniform tint @type=vec4 @count=0 @offset=0 @block=0
    .uniform weights @type=float @count=3 @offset=4 @block=0
    .uniform bones @type=mat4x3 @count=2 @offset=4 @block=1
    .uniform fade @type=float @count=0 @offset=0 @block=1
    .sampler albedo @type=1 @location=0
    .sampler layers @type=10 @location=2
    .sampler shadows @type=12 @location=1

.block pixel_code
    .code
00 TEX: VALID_PIX
         SAMPLE          R1.xyzw, R0.xyzw, t2, s2 DENORM(Z)
         SAMPLE_C        R2.x___, R0.xyzw, t1, s1 DENORM(Z)
         SAMPLE          R3.xyzw, R0.xyxx, t0, s0
01 ALU: KCACHE0(CB5:0-15) KCACHE1(CB0:0-15)
      x: MUL             R0.x, R1.x, KC0[0].x
      y: MUL             R0.y, R2.x, KC0[2].x
-     z: MUL             R0.z, R3.z, KC0[3].x
      w: MUL             R0.w, R1.w, KC1[0].x
02 EXP_DONE: PIX0, R0.xyzw
END_OF_PROGRAM
    .end_code

.block end
";

const ATTRIBUTES: [(&str, u8, u8, i8); 3] = [("position", 11, 1, 3), ("normal", 10, 1, 0), ("uv", 9, 1, 1)];
/// Names, types, and units in the vertex, geometry and pixel program.
const SAMPLERS: [(&str, u8, [i32; 3]); 5] = [
    ("albedo", 1, [-1, -1, 0]),
    ("rooms", 13, [-1, -1, -1]),
    ("shadows", 12, [-1, -1, 1]),
    ("layers", 10, [-1, -1, 2]),
    ("sky", 4, [7, -1, -1]),
];
/// Names, kinds, sizes, numbers in the three programs, variables.
type Variable = (&'static str, u8, u16, u16);
type ModelBlock = (&'static str, u8, u16, [i32; 3], &'static [Variable]);
const BLOCKS: [ModelBlock; 3] = [
    ("material", 1, 64, [-1, -1, 5], &[("tint", 11, 0, 0), ("weights", 4, 3, 16)]),
    ("scene", 0, 256, [-1, -1, -1], &[]),
    ("shape", 2, 112, [2, -1, 0], &[("bones", 28, 2, 16), ("fade", 4, 0, 0)]),
];

/// Bytes with places that get to know each other in the end. Pointers count from where they stand.
#[derive(Default)]
struct Writer {
    bytes: Vec<u8>,
    labels: BTreeMap<String, usize>,
    pointers: Vec<(usize, String)>,
}

impl Writer {
    fn u8(&mut self, byte: u8) -> &mut Self {
        self.bytes.push(byte);
        self
    }

    fn u16(&mut self, word: u16) -> &mut Self {
        self.bytes.extend(word.to_be_bytes());
        self
    }

    fn u32(&mut self, word: u32) -> &mut Self {
        self.bytes.extend(word.to_be_bytes());
        self
    }

    fn zeros(&mut self, count: usize) -> &mut Self {
        self.bytes.resize(self.bytes.len() + count, 0);
        self
    }

    fn align(&mut self, to: usize) -> &mut Self {
        self.bytes.resize(self.bytes.len().next_multiple_of(to), 0);
        self
    }

    fn label(&mut self, label: impl Into<String>) -> &mut Self {
        self.labels.insert(label.into(), self.bytes.len());
        self
    }

    /// A pointer to a label; nothing for an empty one.
    fn to(&mut self, label: impl Into<String>) -> &mut Self {
        let label = label.into();
        if !label.is_empty() {
            self.pointers.push((self.bytes.len(), label));
        }
        self.u32(0)
    }

    fn text(&mut self, text: &str) -> &mut Self {
        self.to(format!("\"{text}"))
    }

    /// Names, each of which leads to a label.
    fn dictionary(&mut self, label: &str, names: &[(&str, String)]) {
        let keys: Vec<&[u8]> = names.iter().map(|(name, _)| name.as_bytes()).collect();
        let nodes = build(&keys, Family::WiiU).unwrap();
        self.align(4).label(label).u32(8 + 16 * nodes.len() as u32).u32(names.len() as u32);
        for (index, (bit, [left, right])) in nodes.into_iter().enumerate() {
            self.u32(bit).u16(left).u16(right);
            match index.checked_sub(1) {
                None => self.u32(0).u32(0),
                Some(index) => self.text(names[index].0).to(&names[index].1),
            };
        }
    }

    fn finish(mut self) -> Vec<u8> {
        let size = self.bytes.len() as u32;
        self.bytes[0x0C..0x10].copy_from_slice(&size.to_be_bytes());
        for (at, label) in self.pointers {
            let to = *self.labels.get(&label).unwrap_or_else(|| panic!("{label}"));
            self.bytes[at..at + 4].copy_from_slice(&(to as i32 - at as i32).to_be_bytes());
        }
        self.bytes
    }
}

/// The words of the structure in a GFD file in front of its code's size, and the code.
fn program(listing: &str) -> (Vec<u32>, Vec<u8>, u32) {
    let Container::Gfd(file) = twin(listing) else { panic!("no GFD") };
    let shader = file.blocks[0].shader().unwrap();
    let code_size = shader.kind.row(Member::CodeSize).unwrap().word;
    ((0..code_size).map(|word| shader.word(word)).collect(), file.blocks[1].data.0.clone(), shader.mode())
}

/// A file of such a listing.
pub fn twin(listing: &str) -> Container {
    assemble_listing(listing).unwrap_or_else(|errors| panic!("{}\n{listing}", errors[0]))
}

/// An archive with one shading model and two programs of the same code for the choices of one option. Tables of locations
/// are words as the console's files have them, or bytes.
pub fn archive(wide: bool) -> Vec<u8> {
    let mut out = Writer::default();
    out.bytes.extend(b"FSHA");
    out.u32(0x0304_0002).u16(0xFEFF).u16(0x10).u32(0).u32(0x100).text("demo").u32(0).to("strings");
    out.text("").u16(1).u16(4).u32(0).to("models").zeros(8);
    out.dictionary("models", &[("skin", "model".to_owned())]);
    out.label("model").u8(1).u8(0).u16(1).u16(0).u16(2);
    out.u8(ATTRIBUTES.len() as u8).u8(SAMPLERS.len() as u8).u8(BLOCKS.len() as u8).u8(0);
    let variables: usize = BLOCKS.iter().map(|(.., variables)| variables.len()).sum();
    out.u32(0x000A_000C).u32(0x1001_0000).u32(variables as u32).u32(0x0002_FFFF).u32(u32::MAX).text("skin");
    out.zeros(8).to("options").to("option names").zeros(8);
    out.to("attributes").to("attribute names").to("samplers").to("sampler names").to("blocks");
    out.to("block names").to("variables").to("programs").to("keys");
    let here = out.bytes.len() as u32;
    out.u32(here.wrapping_neg()).zeros(12);
    // One option of two choices in the highest bit of a key.
    out.label("options").u8(2).u8(0).u16(0).u8(2).u8(0).u8(0).u8(31).u32(1 << 31);
    out.text("fog").to("choices").to("values 0").label("values 0").u32(0).label("values 1").u32(1);
    out.label("attributes");
    for (index, (name, kind, count, location)) in ATTRIBUTES.iter().enumerate() {
        out.label(*name).u8(index as u8).u8(*kind).u8(*count).u8(*location as u8);
    }
    out.label("samplers");
    for (index, (name, kind, _)) in SAMPLERS.iter().enumerate() {
        out.label(*name).u8(index as u8).u8(*kind).u8(1).zeros(5);
    }
    out.label("blocks");
    for (index, (name, kind, size, _, variables)) in BLOCKS.iter().enumerate() {
        let names = if variables.is_empty() { String::new() } else { format!("{name} names") };
        let defaults = if *kind == 1 { "defaults" } else { "" };
        out.label(*name).u8(index as u8).u8(*kind).u16(*size).u16(variables.len() as u16).u16(0);
        out.to(names).to(defaults);
    }
    out.label("variables");
    let all =
        BLOCKS.iter().enumerate().flat_map(|(block, (.., list))| list.iter().map(move |one| (block, one)));
    for (index, (block, (name, kind, count, offset))) in all.enumerate() {
        out.label(format!("{block} {name}")).u32(index as u32).u16(*count).u8(*kind).u8(block as u8);
        out.u16(offset + 1).u8(0).zeros(5);
    }
    out.label("programs");
    for number in 0..2 {
        out.u16(0x14).u8(SAMPLERS.len() as u8).u8(BLOCKS.len() as u8).u32(0b101).zeros(20).u32(0);
        out.to(format!("{number} sampler table")).to(format!("{number} block table"));
        out.to(format!("{number} vertex")).u32(0).to(format!("{number} pixel")).to("model");
    }
    out.label("keys").u32(0).u32(1 << 31).label("defaults");
    for value in 0..16 {
        out.u32((value as f32 / 4.0).to_bits());
    }
    out.dictionary("option names", &[("fog", "options".to_owned())]);
    out.dictionary("choices", &[("off", "values 0".to_owned()), ("on", "values 1".to_owned())]);
    out.dictionary("attribute names", &ATTRIBUTES.map(|(name, ..)| (name, name.to_owned())));
    out.dictionary("sampler names", &SAMPLERS.map(|(name, ..)| (name, name.to_owned())));
    out.dictionary("block names", &BLOCKS.map(|(name, ..)| (name, name.to_owned())));
    for (block, (name, .., variables)) in BLOCKS.iter().enumerate().filter(|(_, (.., list))| !list.is_empty())
    {
        let names: Vec<_> = variables.iter().map(|(name, ..)| (*name, format!("{block} {name}"))).collect();
        out.dictionary(&format!("{name} names"), &names);
    }
    for number in 0..2 {
        let tables = [
            ("sampler", SAMPLERS.map(|(.., slots)| slots).concat()),
            ("block", BLOCKS.map(|(_, _, _, slots, _)| slots).concat()),
        ];
        for (name, slots) in tables {
            out.align(4).label(format!("{number} {name} table"));
            for slot in slots {
                if wide {
                    out.u32(slot as u32)
                } else {
                    out.u8(slot as u8)
                };
            }
        }
        for (name, listing, rest) in [("vertex", VERTEX, 22), ("pixel", PIXEL, 14)] {
            let (registers, code, mode) = program(listing);
            out.align(4).label(format!("{number} {name}"));
            registers.iter().for_each(|word| {
                out.u32(*word);
            });
            out.u32(code.len() as u32).to(format!("{name} code")).u32(mode).zeros(4 * rest);
        }
    }
    let texts: BTreeSet<String> =
        out.pointers.iter().filter_map(|(_, label)| Some(label.strip_prefix('"')?.to_owned())).collect();
    out.align(4).label("strings");
    let start = out.bytes.len();
    for text in texts {
        out.u32(text.len() as u32).label(format!("\"{text}"));
        out.bytes.extend(text.bytes());
        out.u8(0).align(4);
    }
    let size = (out.bytes.len() - start) as u32;
    out.bytes[0x18..0x1C].copy_from_slice(&size.to_be_bytes());
    for (name, listing) in [("vertex", VERTEX), ("pixel", PIXEL)] {
        out.align(0x100).label(format!("{name} code"));
        out.bytes.extend(program(listing).1);
    }
    out.finish()
}
