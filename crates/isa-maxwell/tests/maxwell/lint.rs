//! Findings about code and its header, and what code uses.

use crate::stages;
use crate::stages::{kernels, programs, stage};
use unshade_isa_maxwell::{Class, Form, Header, Reach, Uses, header::Field, lint::lint, stats::stats};
use unshade_stage::{Maxwell, Stage, StageKind};

/// uam writes atomic operations on images in a form that is none, in these places.
const REFUSED: &[(&str, usize)] = &[("f16_image.frag", 2), ("k03_image.comp", 3)];

/// Compilers' programs keep the rules.
#[test]
fn the_corpus_is_clean() {
    for (name, stage) in programs() {
        let findings = lint(&stage);
        let refused = REFUSED.iter().find(|(file, _)| *file == name).map_or(0, |(_, count)| *count);
        assert_eq!(findings.len(), refused, "{name}: {findings:#?}");
        assert!(findings.iter().all(|found| found.code == "maxwell.unknown-word"), "{name}: {findings:#?}");
    }
    for (name, words) in kernels() {
        let findings = lint(&stage(words, StageKind::Compute, None));
        assert!(findings.is_empty(), "{name}: {findings:#?}");
    }
}

/// Where uam's header or register count says more than the code uses: it counts what it has optimised away.
const MORE: &[&str] = &["v05_intattr.vert", "f16_image.frag", "f17_bits.frag"];

/// What code reads, writes and needs is what its compiler says in the header, and the other way round.
#[test]
fn headers_and_code_of_the_corpus_agree() {
    for (name, stage) in programs() {
        let uses = Uses::new(&Reach::new(&stage.code));
        let around = stage.interface.maxwell.as_deref().unwrap();
        let claimed = around.registers.unwrap();
        let more = MORE.contains(&name.as_str());
        assert!(if more { uses.registers <= claimed } else { uses.registers == claimed }, "{name}");
        assert_eq!(uses.kind(), stage.kind, "{name}");
        let Some(header) = Header::read(&around.header) else { continue };
        assert_eq!(header.stage(), Some(stage.kind), "{name}");
        assert_eq!(header.kills_pixels(), uses.kills, "{name}");
        assert_eq!(header.uses_doubles(), uses.doubles, "{name}");
        assert!(uses.local.end <= header.local_memory(), "{name}");
        // No header has a bit for the side of a face.
        let read: Vec<u32> = uses.inputs.iter().copied().filter(|address| *address != 0x3FC).collect();
        let announced: Vec<u32> = header
            .inputs()
            .filter(|address| !more || *address != 0x7C || uses.inputs.contains(address))
            .collect();
        assert_eq!(read, announced, "{name}");
        let written: Vec<u32> = uses.outputs.union(&uses.read_back).copied().collect();
        assert_eq!(written, header.outputs().collect::<Vec<_>>(), "{name}");
    }
}

/// A program of uam with its parts apart.
struct Program {
    stage: Stage<'static>,
}

impl Program {
    fn named(name: &str) -> Option<Self> {
        programs().into_iter().find(|(found, _)| found == name).map(|(_, stage)| Self { stage })
    }

    fn around(&mut self) -> &mut Maxwell {
        self.stage.interface.maxwell.as_mut().unwrap()
    }

    /// The same with another value in a field of its header.
    fn with(mut self, path: &str, value: u32) -> Self {
        let mut header = Header::read(&self.around().header).unwrap();
        let field: Field = header.field(path).unwrap();
        assert!(header.set(&field, value), "{path}");
        self.around().header = header.write().to_vec();
        self
    }

    /// The same with another word in place of the first instruction of a form.
    fn replace(mut self, form: Form, change: impl Fn(u64) -> u64) -> Self {
        let words = self.stage.code.words.to_mut();
        let place = words
            .chunks_exact(2)
            .enumerate()
            .position(|(index, pair)| {
                index % 4 != 0 && Form::of(u64::from(pair[0]) | u64::from(pair[1]) << 32) == Some(form)
            })
            .unwrap();
        let word = change(u64::from(words[2 * place]) | u64::from(words[2 * place + 1]) << 32);
        (words[2 * place], words[2 * place + 1]) = (word as u32, (word >> 32) as u32);
        self
    }

    fn codes(&self) -> Vec<String> {
        let mut codes: Vec<String> =
            lint(&self.stage).into_iter().map(|found| found.code.into_owned()).collect();
        codes.dedup();
        codes
    }
}

/// Each rule, with a program that breaks it and no other.
#[test]
fn every_finding() {
    let Some(_) = stages::folder() else { return };
    let of = |name: &str| Program::named(name).unwrap();
    for (code, program) in [
        ("maxwell.input", of("f01_tex2d.frag").with("imap.generic[0]", 2)),
        ("maxwell.input", of("v01_transform.vert").with("imap.generic[1]", 0)),
        ("maxwell.output", of("v04_clip.vert").with("omap.clip_distance", 0x7F)),
        ("maxwell.output", of("e01_tes.tese").with("omap.tess_coord", 1)),
        ("maxwell.interpolation", of("f01_tex2d.frag").with("imap.generic[0]", 0b1110)),
        ("maxwell.interpolation", of("f17_bits.frag").with("imap.generic[1]", 0b0001_0110)),
        ("maxwell.kill", of("f01_tex2d.frag").with("kills_pixels", 0)),
        ("maxwell.global-store", of("f15_ssbo.frag").with("does_global_store", 0)),
        ("maxwell.load-store", of("f19_dynidx.frag").with("does_load_or_store", 0)),
        ("maxwell.double", of("f18_double.frag").with("does_fp64", 0)),
        ("maxwell.threads", of("c01_tcs.tesc").with("threads_per_input_primitive", 0)),
        ("maxwell.threads", of("g01_tri.geom").with("threads_per_input_primitive", 0)),
        ("maxwell.vertices", of("g01_tri.geom").with("max_output_vertex_count", 0)),
        ("maxwell.topology", of("g01_tri.geom").with("output_topology", 2)),
        ("maxwell.streams", of("g01_tri.geom").with("stream_out_mask", 0)),
        ("maxwell.patch-words", of("c01_tcs.tesc").with("per_patch_attribute_count", 12)),
        ("maxwell.header-stage", of("v01_transform.vert").with("shader_type", 4)),
        ("maxwell.unknown-word", of("f01_tex2d.frag").replace(Form::FaddR, |_| 0)),
        ("maxwell.target", of("f13_nested_loops.frag").replace(Form::Bra, |word| word ^ 1 << 22)),
        ("maxwell.target", of("f13_nested_loops.frag").replace(Form::Bra, |word| word | 0x7f_fff0 << 20)),
    ] {
        assert_eq!(program.codes(), [code], "{:#?}", lint(&program.stage));
    }

    let mut program = of("v01_transform.vert");
    program.around().registers = Some(9);
    assert_eq!(program.codes(), ["maxwell.registers"]);
    // The first slot of a group sets write barrier 0 for what takes always the same time.
    let mut program = of("f01_tex2d.frag");
    let words = program.stage.code.words.to_mut();
    let place = (0..words.len() / 8)
        .find(|group| Form::of(u64::from(words[8 * group + 3]) << 32) == Some(Form::FaddR))
        .unwrap();
    words[8 * place] &= !0xE0;
    assert_eq!(program.codes(), ["maxwell.barrier"]);
    assert_eq!(Program { stage: stage(Vec::new(), StageKind::Vertex, None) }.codes(), ["maxwell.empty"]);
    let nop = vec![0xfc0007e0, 0x001f8000, 0x00070f00, 0x50b00000];
    assert_eq!(Program { stage: stage(nop, StageKind::Vertex, None) }.codes(), ["maxwell.no-end"]);
    // The first store is at 0, and 0xc0 bytes are claimed.
    let at = |address: u64| of("f19_dynidx.frag").replace(Form::Stl, |word| word | address << 20);
    assert_eq!(at(0xBC).codes(), [""; 0]);
    assert_eq!(at(0xC0).codes(), ["maxwell.local-memory"]);
}

#[test]
fn counts() {
    let Some(program) = Program::named("f15_ssbo.frag") else { return };
    let found = stats(&program.stage);
    let uses = &found.uses;
    assert!(uses.stores && !uses.kills && uses.of_class(Class::Memory) > 0);
    assert_eq!(uses.classes.values().sum::<u32>() + uses.unknown, uses.instructions);
    assert_eq!(uses.operations.values().sum::<u32>() + uses.unknown, uses.instructions);
    assert!(uses.cycles > 0 && uses.banks.contains_key(&0));
    let registers = found.resources.iter().find(|(name, _)| *name == "registers").unwrap().1;
    assert_eq!((registers.used, registers.limit), (9, 255));
    // Textures of fragment programs start at word 0x1a4 of uam's table.
    let textures = |name: &str| stats(&Program::named(name).unwrap().stage).uses.textures;
    assert_eq!(textures("f01_tex2d.frag").into_iter().collect::<Vec<_>>(), [0x1A4]);
    assert_eq!(textures("v06_vtexfetch.vert").into_iter().collect::<Vec<_>>(), [4, 5]);
}

/// uam leaves 0 where a driver would say which way y goes.
#[test]
fn slopes_that_a_constant_makes_zero() {
    let Some(mut program) = Program::named("f08_deriv.frag") else { return };
    for (constant, found) in [(0.0_f32, 1), (1.0, 0), (-1.0, 0)] {
        program.around().constants = constant.to_le_bytes().to_vec();
        let findings = lint(&program.stage);
        assert_eq!(findings.len(), found, "{constant}: {findings:#?}");
        assert!(findings.iter().all(|found| found.code == "maxwell.slopes"), "{findings:#?}");
    }
    // Without constants nothing is known.
    program.around().constants = Vec::new();
    assert!(lint(&program.stage).is_empty());
}
