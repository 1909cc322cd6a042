//! Findings about code, and what it uses.

use crate::corpus::{folder, made_by_mesa, programs};
use unshade_bytes::Severity;
use unshade_isa_latte::{Layout, Program, Uses, asm::assemble, lint::lint, stats::stats};
use unshade_stage::latte::{Block, Latte, Sampler};
use unshade_stage::{Code, Interface, Isa, Stage, StageId, StageKind};

fn stage(words: &[u32], kind: StageKind, latte: Option<Latte>) -> Stage<'_> {
    Stage {
        id: StageId("0".into()),
        kind,
        isa: Isa::Latte,
        code: Code { words: words.into(), ..Code::default() },
        interface: Interface { latte: latte.map(Box::new), ..Interface::default() },
    }
}

fn codes(text: &str, kind: StageKind, latte: Option<Latte>) -> Vec<String> {
    let made = assemble(text).unwrap_or_else(|errors| panic!("{text}\n{errors:#?}"));
    let mut codes: Vec<String> =
        lint(&stage(&made.words, kind, latte)).into_iter().map(|found| found.code.into_owned()).collect();
    codes.dedup();
    codes
}

/// Compilers' programs keep the rules; some written by hand do not.
#[test]
fn the_corpus_is_clean() {
    for (name, words) in programs() {
        let kind = Uses::new(&Program::new(&words), &Layout::new(&Program::new(&words))).kind();
        let findings = lint(&stage(&words, kind, None));
        let expected: &[&str] = match name.as_str() {
            // Its only parameter does not say that it is the last.
            "libultraship_conv.vertex" => &["latte.export-done"],
            "librw_default.vertex" | "librw_matfx_env.vertex" | "librw_skin.vertex" => &["latte.read-ports"],
            _ => &[],
        };
        let mut codes: Vec<&str> = findings.iter().map(|found| &*found.code).collect();
        codes.dedup();
        assert_eq!(codes, expected, "{name}: {findings:#?}");
    }
}

/// Mesa says how many registers and entries of the stack its programs need.
#[test]
fn registers_and_stack_are_those_of_mesa() {
    let Some(folder) = folder() else { return };
    for (name, words) in made_by_mesa() {
        let path = folder.join("r700").join(format!("{name}.mesa.txt"));
        let Ok(text) = std::fs::read_to_string(path) else { continue };
        let head: Vec<&str> = text.lines().next().unwrap().split_whitespace().collect();
        // `bytecode N dw -- N gprs -- N nstack`, `N dw N gprs N stack`
        let before = |words: [&str; 2]| {
            let place = head.iter().position(|word| words.contains(word)).unwrap();
            head[place - 1].parse::<u32>().unwrap()
        };
        let (registers, stack) = (before(["gprs"; 2]), before(["nstack", "stack"]));
        let program = Program::new(&words);
        let uses = Uses::new(&program, &Layout::new(&program));
        assert!(uses.registers <= registers, "{name}: {} of {registers} registers", uses.registers);
        assert!(uses.stack_entries() <= stack, "{name}: {} of {stack} entries", uses.stack_entries());
    }
}

#[test]
fn rules_of_clauses() {
    let vertex = StageKind::Vertex;
    let end = "EXP_DONE: POS0, R1.xyzw\nEND_OF_PROGRAM";
    for (code, body) in [
        ("latte.previous", "ALU:\n0 x: MOV R1.x, PV.x"),
        ("latte.not-locked", "ALU: KCACHE0(CB0:0-15)\n0 x: MOV R1.x, KC0[16].x"),
        ("latte.not-locked", "ALU: KCACHE0(CB0:0-15)\n0 x: MOV R1.x, KC1[0].x"),
        ("latte.temporary", "ALU:\n0 x: MOV R1.x, R127.x"),
        ("latte.temporary", "ALU:\n0 x: MOV R127.x, R1.x\n1 y: MOV R1.y, R127.y"),
        ("latte.address", "ALU:\n0 x: MOV R1.x, R1[AR.x].x"),
        ("latte.whole-vector", "ALU:\n0 x: DOT4 R1.x, R1.x, R2.x\n y: DOT4 ____, R1.y, R2.y"),
        ("latte.written-twice", "ALU:\n0 x: MOV R1.x, R1.x\n t: MOV R1.x, R2.x"),
        (
            "latte.mask-not-last",
            "ALU:\n0 x: PRED_SETE ____, R1.x, 0.0f UPDATE_EXEC_MASK\n1 x: MOV R1.x, R1.x",
        ),
        ("latte.predicate-twice", "ALU:\n0 x: PRED_SETE ____, R1.x, 0.0f\n y: PRED_SETE ____, R1.x, 0.0f"),
        ("latte.unknown-operation", "ALU:\n0 x: OP2_84 R1.x, R1.x, R1.x"),
        ("latte.source", "ALU:\n0 x: MOV R1.x, SRC(227)"),
        ("latte.target", "JUMP ADDR(77)"),
        ("latte.export-done", "EXP: PARAM0, R1.xyzw"),
        ("latte.clause-outside", "ALU: ADDR(100) CNT(5)"),
        ("latte.clause-odd", "TEX: ADDR(33)\n0 SAMPLE R1.xyzw, R1.xyzw, t0, s0"),
        ("latte.reserved-bits", "NOP @reserved_52=1"),
        ("latte.unknown-flow", "7 .word 0, 0x8F000000"),
    ] {
        assert_eq!(codes(&format!("{body}\n{end}"), vertex, None), [code], "{body}");
    }
    assert_eq!(
        codes(&format!("ALU:\n0 x: MOV R127.x, R1.x\n1 x: MOV R1.x, R127.x\n{end}"), vertex, None),
        [""; 0]
    );
    assert_eq!(codes(".unended\nNOP", vertex, None), ["latte.no-end"]);
    // What optimisers leave is no error: the same value twice, groups behind a mask.
    for (severity, body) in [
        (Severity::Warning, "ALU:\n0 y: MOV R1.y, R0.y\n t: MOV R1.y, R0.y"),
        (Severity::Error, "ALU:\n0 y: MOV R1.y, R0.y\n t: MOV R1.y, -R0.y"),
        (Severity::Error, "ALU:\n0 y: MOV R1.y, R0.y\n t: MOV R1.y, R0.y CLAMP"),
        (Severity::Warning, "ALU:\n0 x: PRED_SETE ____, R1.x, 0.0f UPDATE_EXEC_MASK\n1 x: MOV R1.x, R1.x"),
    ] {
        let words = assemble(&format!("{body}\n{end}")).unwrap().words;
        let found = lint(&stage(&words, vertex, None));
        assert_eq!(found.iter().map(|finding| finding.severity).collect::<Vec<_>>(), [severity], "{body}");
    }
    assert_eq!(codes("NOP\nRETURN", vertex, None), [""; 0]);
}

#[test]
fn registers_around_the_code() {
    let text = "CALL_FS\nALU_PUSH_BEFORE:\n0 x: PRED_SETE ____, R5.x, 0.0f UPDATE_EXEC_MASK\nPOP POP_CNT(1)\n\
                EXP_DONE: POS0, R1.xyzw\nEXP_DONE: PARAM1, R2.xyzw\nEND_OF_PROGRAM";
    let vertex = |latte: Latte| codes(text, StageKind::Vertex, Some(latte));
    let fine = Latte { registers: Some(6), stack: Some(1), parameter_count: Some(2), ..Latte::default() };
    assert_eq!(vertex(fine.clone()), [""; 0]);
    assert_eq!(vertex(Latte { registers: Some(5), ..fine.clone() }), ["latte.registers"]);
    assert_eq!(vertex(Latte { stack: Some(0), ..fine.clone() }), ["latte.stack"]);
    assert_eq!(vertex(Latte { parameter_count: Some(1), ..fine.clone() }), ["latte.parameters"]);

    let text = "TEX:\n0 SAMPLE R1.xyzw, R0.xyzw, t1, s1\nALU: KCACHE0(CB2:0-15)\n\
                0 x: KILLE ____, R1.x, KC0[0].x\nEXP_DONE: PIX0, R1.xyz_\nEND_OF_PROGRAM";
    let pixel = |latte: Latte| codes(text, StageKind::Fragment, Some(latte));
    let sampler = Sampler { name: "s".into(), dimension: None, shadow: false, location: 1 };
    let block = Block { name: "b".into(), buffer: 2, size: 64 };
    let fine = Latte {
        colours: Some(1),
        colour_mask: Some(7),
        kills: Some(true),
        samplers: vec![sampler.clone()],
        blocks: vec![block.clone()],
        ..Latte::default()
    };
    assert_eq!(pixel(fine.clone()), [""; 0]);
    assert_eq!(pixel(Latte { kills: Some(false), ..fine.clone() }), ["latte.kill"]);
    assert_eq!(pixel(Latte { colours: Some(2), ..fine.clone() }), ["latte.colours"]);
    assert_eq!(pixel(Latte { colour_mask: Some(15), ..fine.clone() }), ["latte.colour-mask"]);
    assert_eq!(pixel(Latte { exports_depth: true, ..fine.clone() }), ["latte.depth"]);
    let elsewhere = vec![Sampler { location: 0, ..sampler }];
    assert_eq!(pixel(Latte { samplers: elsewhere, ..fine.clone() }), ["latte.texture"]);
    assert_eq!(pixel(Latte { blocks: vec![Block { buffer: 1, ..block }], ..fine }), ["latte.block"]);
}

#[test]
fn counts() {
    let text = "00 ALU: KCACHE0(CB1:0-15)\n0 x: MUL R1.x, R1.x, KC0[0].x\n  t: RECIP_IEEE R3.w, R1.x\n\
                1 y: MOV R1.y, 2.5\nTEX:\n2 SAMPLE R1.xyzw, R1.xyzw, t2, s3\nEXP_DONE: PIX0, R1.xyzw BURSTCNT(1)\nEND_OF_PROGRAM";
    let words = assemble(text).unwrap().words;
    let stats = stats(&stage(&words, StageKind::Fragment, None));
    let uses = &stats.uses;
    assert_eq!((uses.flow, uses.groups, uses.literals, uses.units), (3, 2, 1, [1, 1, 0, 0, 1]));
    assert_eq!((uses.registers, uses.texture_fetches, uses.kind()), (4, 1, StageKind::Fragment));
    assert_eq!(uses.pixels.clone().into_iter().collect::<Vec<_>>(), [(0, 15), (1, 15)]);
    assert!(uses.banks.contains(&1) && uses.textures.contains(&2) && uses.samplers.contains(&3));
    assert_eq!(uses.operations["MUL"], 1);
    let slots = stats.resources.iter().find(|(name, _)| *name == "slots").unwrap().1;
    assert_eq!((slots.used, slots.limit), (3, 10));
}

/// What stands behind the last instruction is a hash where it has 16 bytes; what the console's compiler fills fetches with
/// means nothing.
#[test]
fn tails_and_fill_are_sound() {
    let code =
        "00 TEX: VALID_PIX\n  SAMPLE R0.xyzw, R0.xyxx, t0, s0\n01 EXP_DONE: PIX0, R0.xyzw\nEND_OF_PROGRAM\n";
    let codes = |text: &str| codes(text, StageKind::Fragment, None);
    let filled = format!(".fetch_fill 0x0DEADFEC\n{code}");
    assert_eq!(codes(&filled), [""; 0]);
    assert_eq!(codes(&format!(".fetch_fill 0x1\n{code}")), ["latte.reserved-bits"]);
    let mut made = assemble(code).unwrap().words;
    for (more, expected) in [(4, [].as_slice()), (6, &["latte.strays"])] {
        made.extend((made.len()..).map(|word| 0x8000_0001 | word as u32).take(more));
        let found = lint(&stage(&made, StageKind::Fragment, None));
        let found: Vec<&str> = found.iter().map(|finding| &*finding.code).collect();
        assert_eq!(found, expected, "{more}");
    }
    // One directive says what all of several have, and the one that differs says so.
    let two = code.replace(
        "t0, s0\n",
        "t0, s0\n  SAMPLE R1.xyzw, R0.xyxx, t1, s1 @reserved_96=7\n  SAMPLE R2.xyzw, R0.xyxx, t2, s2\n",
    );
    let words = assemble(&format!(".fetch_fill 0x0DEADFEC\n{two}")).unwrap().words;
    let mut text = unshade_isa_common::text::PlainText::default();
    let code = Code { words: (&words[..]).into(), ..Code::default() };
    unshade_isa_latte::listing::list_code(&code, unshade_isa_common::Remarks::default(), &mut text);
    assert!(text.text().starts_with(".fetch_fill 0x0DEADFEC\n"), "{}", text.text());
    assert_eq!(text.text().matches("@reserved_96=7").count(), 1);
    assert_eq!(text.text().matches("reserved").count(), 1);
    assert_eq!(assemble(text.text()).unwrap().words, words);
}
