//! The assembler of the Mali vertex processor: what it encodes, what it refuses and where, what it warns of; the
//! lints and counts over stages.

use crate::corpus::{corpus, stages};
use unshade_bytes::{Diagnostic, Location, Severity};
use unshade_isa_common::assembly::{Places, Source};
use unshade_isa_mali_gp::asm::assemble;
use unshade_isa_mali_gp::table::EMPTY;
use unshade_isa_mali_gp::{decode, instructions, lint, lint::lint, stats::stats, words};
use unshade_stage::{Code, Declared, Interface, Isa, Space, Stage, StageId, StageKind, Symbol, SymbolType};

/// A finding as `line:column: marked text, severity code: message`.
fn show(text: &str, finding: &Diagnostic) -> String {
    let places = Places::new(&[Source { name: "a", text }]);
    let place = places.find(&finding.location).expect("a finding points into the text");
    let (skip, take) = (place.column as usize - 1, place.width as usize);
    let marked: String = place.text.chars().skip(skip).take(take).collect();
    let code = finding.code.strip_prefix("mali-gp.").unwrap();
    format!("{}:{}: `{marked}` {code}", place.line, place.column)
}

fn symbol(name: &str, space: Space, components: u16, offset: u16) -> Symbol {
    Symbol {
        name: name.into(),
        space,
        ty: SymbolType::Float,
        components,
        component_size: 4,
        elements: 0,
        stride: 4,
        precision: None,
        invariant: false,
        offset: Some(offset),
        parent: None,
        initial: None,
    }
}

fn symbols() -> Vec<Symbol> {
    vec![
        symbol("a_pos", Space::Input, 4, 0),
        symbol("a_uv", Space::Input, 2, 4),
        symbol("u_scale", Space::Float, 1, 7),
        symbol("u_color", Space::Float, 3, 8),
        symbol("v_uv", Space::Output, 2, 4),
        symbol("v_fog", Space::Output, 1, 6),
    ]
}

#[test]
fn mistakes_are_named_where_they_stand() {
    let mut wrong = String::new();
    for (text, expected) in [
        ("alu0 mov a0.x", "1:1: `alu0` asm.unknown-unit"),
        ("add0 mul a0.x, a0.y", "1:6: `mul` asm.unknown-operation"),
        ("mul0 select a0.x, a0.y, a0.z", "1:6: `select` asm.unknown-operation"),
        ("add0 add a0.x", "1:10: `a0.x` asm.operand-count"),
        ("add0 add a0.x, a0.y, a0.z", "1:22: `a0.z` asm.operand-count"),
        ("add0 add a0.x, a1.x", "1:16: `a1.x` asm.load"),
        ("add0 add t[1].x, t[2].x", "1:18: `t[2].x` asm.load"),
        ("add0 add $1.x, $2.x\n|| add1 add $3.x, a0.x", "1:16: `$2.x` asm.load"),
        ("add0 add $1.x, $2.x\n|| add1 add $3.x, $2.x", "2:13: `$3.x` asm.load"),
        ("add0 max a0.x, a0.y\n|| add1 min a0.x, a0.y", "2:9: `min` asm.shared-operation"),
        ("mul01 select a0.x, a0.y, a0.z\n|| mul1 mul a0.x, a0.y", "2:9: `mul` asm.shared-operation"),
        ("add0 mov a0.x\n|| add0 mov a0.y", "2:13: `a0.y` asm.unit-twice"),
        ("mul0 mul a0.x, ^complex", "1:16: `^complex` asm.complex-second"),
        ("add0 add ^complex, ^complex", "1:20: `^complex` asm.complex-second"),
        ("add0 add a0.x, 1", "1:16: `1` asm.immediate"),
        ("mul0 mul 1, a0.x", "1:10: `1` asm.immediate"),
        ("complex rcp -a0.x", "1:13: `-a0.x` asm.negate"),
        ("pass mov ^^complex", "1:10: `^^complex` asm.distance"),
        ("pass clamp a0.x, t[1].x, t[1].z", "1:26: `t[1].z` asm.clamp-bounds"),
        ("pass clamp a0.x, t[1].x, t[2].y", "1:26: `t[2].y` asm.load"),
        ("pass mov v0.x", "1:10: `v0.x` asm.write-only"),
        ("pass mov v_fog", "1:10: `v_fog` asm.write-only"),
        ("pass mov a0.x -> a_pos.x", "1:18: `a_pos.x` asm.read-only"),
        ("pass mov a0.x -> v0.x, v1.y", "1:24: `v1.y` asm.store"),
        ("pass mov a0.x -> v0.x\n|| add0 mov a0.x -> v0.x", "2:21: `v0.x` asm.store"),
        ("pass mov a0.x -> t[3].x", "1:20: `3` asm.temporary"),
        ("pass mov a0.x -> v0.yx", "1:21: `yx` asm.syntax"),
        ("pass mov a16.x", "1:11: `16` asm.syntax"),
        ("pass mov t[512].x", "1:12: `512` asm.syntax"),
        ("pass mov t[1+addr0].x", "1:14: `addr0` asm.syntax"),
        ("pass mov u_color", "1:10: `u_color` asm.component"),
        ("pass mov u_color.w", "1:10: `u_color.w` asm.component"),
        ("pass mov a0.x -> v_uv.z", "1:18: `v_uv.z` asm.component"),
        ("pass mov u_nothing", "1:10: `u_nothing` asm.unknown-name"),
        ("pass mov a0.x\n|| branch pass, nowhere", "2:17: `nowhere` asm.unknown-label"),
        ("pass mov a0.x\n|| branch pass, 512", "2:17: `512` asm.syntax"),
        ("pass mov a0.x\n|| branch add0, 0", "2:11: `add0` asm.syntax"),
        ("a: nop\na: nop", "2:1: `a` asm.label-twice"),
        ("|| nop", "1:1: `||` asm.syntax"),
        ("nop\nb: || pass mov a0.x", "2:4: `||` asm.syntax"),
        ("fields nothing=1", "1:8: `nothing` asm.unknown-field"),
        ("fields add.op=8", "1:15: `8` asm.syntax"),
        ("mul0 mov ^$1.x", "1:10: `^$1.x` asm.load"),
        ("mul0 mov a0.x\nmul0 mov ^a1.x", "2:10: `^a1.x` asm.load"),
        (".word 1\nnop", "2:1: `nop` asm.syntax"),
        (".isa pica200", "1:6: `pica200` asm.isa"),
        (".alias add0 a1.x", "1:8: `add0` asm.syntax"),
        (".alias u_scale t[2].x", "1:8: `u_scale` asm.name-twice"),
        (".proc main", "1:1: `.proc` asm.syntax"),
    ] {
        let findings = assemble(text, &symbols()).expect_err(text);
        assert_eq!(findings[0].severity, Severity::Error);
        let found = show(text, &findings[0]);
        if found != expected {
            wrong += &format!("{text}\n  {found}\n  {expected}\n  {}\n", findings[0].message);
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn branches_reach_the_first_512() {
    let text = format!("pass mov a0.x\n|| branch pass, end\n{}end: nop", "nop\n".repeat(511));
    let findings = assemble(&text, &[]).unwrap_err();
    assert_eq!(findings[0].code, "mali-gp.asm.branch-range");
    let text = format!("pass mov a0.x\n|| branch pass, end\n{}end: nop", "nop\n".repeat(510));
    let code = assemble(&text, &[]).unwrap().words;
    assert_eq!(decode(instructions(&code).0.next().unwrap()).target, 511);
}

#[test]
fn names_and_registers_are_the_same() {
    let named = "mul0 mul a_pos.x, u_scale -> v_uv.y\n|| mul1 mov ^a_uv.y -> v_fog\n|| pass mov $3.x";
    let plain = "mul0 mul a0.x, t[1].w -> v1.y\n|| mul1 mov ^a1.y -> v1.z\n|| pass mov $3.x@reg1";
    let before = "nop\n";
    let [named, plain] =
        [named, plain].map(|text| assemble(&format!("{before}{text}"), &symbols()).unwrap().words);
    assert_eq!(named, plain);
    // The instruction in front loads what the second one reads.
    let first = decode(instructions(&named).0.next().unwrap());
    assert_eq!((first.reg0.number, first.reg0.attribute), (1, true));
    assert_eq!(assemble("nop", &[]).unwrap().words, words(EMPTY));
}

#[test]
fn what_the_file_declares_is_counted() {
    let text = "mul0 mov t[0].x\nmul0 mov a3.x\nnop\nmul0 mov ^$1.x\nnop";
    let assembled = assemble(text, &[]).unwrap();
    assert_eq!((assembled.instructions, assembled.attribute_prefetch), (5, 2));
    let assembled = assemble("nop", &[]).unwrap();
    assert_eq!((assembled.instructions, assembled.attribute_prefetch), (1, 0));
}

#[test]
fn what_would_not_work_is_a_warning() {
    for (text, expected) in [
        ("mul0 mov a0.x -> $1.x\nmul0 mov $1.x", "2:1: `mul0 mov $1.x` lint.latency"),
        (
            "mul0 mov a0.x -> $1.x\nnop\nmul0 mov ^^mul0\n|| add0 mov $1.x",
            "3:1: `mul0 mov ^^mul0` lint.latency",
        ),
        ("complex addr1 a0.x\nnop\nnop\npass mov t[1+addr1].x", "4:1: `pass mov t[1+addr1].x` lint.latency"),
        (
            "complex addr0 a0.x\n|| mul0 mov a0.x -> t[addr0].x\npass mov t[100].x",
            "3:1: `pass mov t[100].x` lint.latency",
        ),
        ("nop\nmul0 mov ^add0", "2:1: `mul0 mov ^add0` lint.unit-off"),
        ("nop\nmul0 mov ^^add0", "2:1: `mul0 mov ^^add0` lint.before-start"),
        ("mul0 mov ^reg0.x", "1:1: `mul0 mov ^reg0.x` lint.before-start"),
        ("pass mov a0.x\n|| branch pass, 2\nnop\nmul0 mov ^pass", "4:1: `mul0 mov ^pass` lint.across-branch"),
        ("pass mov a0.x\n|| branch pass, 9", "2:4: `branch pass, 9` lint.branch-target"),
        ("nop\n|| branch pass, 0", "2:4: `branch pass, 0` lint.unit-off"),
        ("mul01 complex1 a0.x, a0.x, a0.x, a0.x\nmul0 mov ^mul0", "2:1: `mul0 mov ^mul0` lint.complex1"),
        (
            "mul01 complex1 a0.x, a0.x, a0.x, a0.x -> v0.x",
            "1:1: `mul01 complex1 a0.x, a0.x, a0.x, a0.x -> v0.x` lint.complex1",
        ),
        ("store add0 -> v0.x", "1:1: `store add0 -> v0.x` lint.unit-off"),
        ("store unknown5 -> v0.x", "1:1: `store unknown5 -> v0.x` lint.unknown"),
        ("pass mov unknown2", "1:1: `pass mov unknown2` lint.unknown"),
        ("pass op1 a0.x", "1:1: `pass op1 a0.x` lint.unknown"),
        ("pass mov t[1+unknown4].x", "1:1: `pass mov t[1+unknown4].x` lint.unknown"),
        ("pass mov t[304].x", "1:1: `pass mov t[304].x` lint.memory"),
        ("fields unknown_1=3", "1:1: `fields unknown_1=3` lint.unknown"),
        ("mul0 mul a0.x, unused", "1:1: `mul0 mul a0.x, unused` lint.missing-source"),
    ] {
        let assembled =
            assemble(text, &symbols()).unwrap_or_else(|findings| panic!("{text}: {}", findings[0]));
        let found: Vec<String> = assembled.warnings.iter().map(|finding| show(text, finding)).collect();
        assert_eq!(found, [expected], "{text}");
    }
    let long = "nop\n".repeat(513);
    assert_eq!(assemble(&long, &[]).unwrap().warnings[0].code, "mali-gp.lint.length");
    for text in [
        "mul0 mov a0.x -> $1.x\nnop\nnop\nmul0 mov $1.x -> v0.x",
        "mul0 mov a0.x -> $1.x\nmul0 mov $1.y -> v0.x",
        "mul01 complex1 a0.x, a0.x, a0.x, a0.x\nnop\nmul0 mov ^^mul0 -> v0.x",
        "complex addr0 a0.x\n|| mul0 mov a0.x -> t[addr0].x\npass mov u_scale -> v0.x",
    ] {
        assert_eq!(assemble(text, &symbols()).unwrap().warnings, [], "{text}");
    }
}

fn stage(words: Vec<u32>, declared: (u32, u32)) -> Stage<'static> {
    let declared = Declared::MaliVertex { instructions: declared.0, attribute_prefetch: declared.1 };
    Stage {
        id: StageId("vertex".into()),
        kind: StageKind::Vertex,
        isa: Isa::MaliGp,
        code: Code { words: words.into(), ..Code::default() },
        interface: Interface { declared: Some(declared), ..Interface::default() },
    }
}

#[test]
fn stages_are_compared_with_what_they_declare() {
    let code = assemble("mul0 mov a0.x -> v0.x\nnop", &[]).unwrap().words;
    let codes = |stage: &Stage<'_>| -> Vec<String> {
        lint(stage).into_iter().map(|finding| finding.code.into_owned()).collect()
    };
    assert_eq!(codes(&stage(code.clone(), (2, 1))), [""; 0]);
    assert_eq!(codes(&stage(code.clone(), (3, 1))), ["mali-gp.lint.instruction-count"]);
    assert_eq!(codes(&stage(code.clone(), (2, 2))), ["mali-gp.lint.attribute-prefetch"]);
    let mut cut = code;
    cut.push(0);
    let findings = lint(&stage(cut, (2, 1)));
    assert_eq!(findings[0].code, "mali-gp.lint.partial");
    assert_eq!(findings[0].location, Location::Word(8));
}

#[test]
fn code_of_compilers_has_no_findings() {
    let Some(corpus) = corpus() else { return };
    for (path, stage) in stages(&corpus) {
        if !path.ends_with("fuzz_gp.mbs") {
            assert_eq!(lint(&stage), [], "{}", path.display());
        }
    }
}

#[test]
fn findings_are_bounded() {
    let words: Vec<u32> = (0..40_000_u32).map(|n| n.wrapping_mul(0x9E37_79B1)).collect();
    let insts: Vec<_> = instructions(&words).0.map(decode).collect();
    assert!(lint::code(&insts, &Default::default()).len() <= 1000);
}

#[test]
fn counts() {
    let text = "mul0 mul a0.x, t[3].y -> $1.x, v0.z\n|| mul1 mov a0.y\n|| add0 max ^mul0, $2.x\n\
                again: nop\ncomplex rcp $1.x -> v1.x\n|| pass mov t[7+addr1].x\n|| branch pass, again";
    let code = assemble(text, &[]).unwrap().words;
    let stats = stats(&stage(code, (3, 1)));
    assert_eq!((stats.instructions, stats.nops, stats.moves, stats.relative, stats.loops), (3, 1, 2, 1, 1));
    let slot = |name: &str| stats.slots.iter().find(|slot| slot.0 == name).unwrap().1.used;
    let names =
        ["mul0", "mul1", "add0", "add1", "load", "attribute", "register", "store-xy", "store-zw", "branch"];
    assert_eq!(names.map(slot), [1, 1, 1, 0, 2, 1, 2, 2, 1, 1]);
    let used = |name: &str| stats.resources.iter().find(|resource| resource.0 == name).unwrap().1;
    assert_eq!(["attributes", "varyings", "registers", "memory"].map(|name| used(name).used), [1, 2, 2, 1]);
    assert_eq!(used("instructions").limit, 512);
    let operations: Vec<(&str, usize)> =
        stats.operations.iter().map(|(name, count)| (&**name, *count)).collect();
    assert_eq!(
        operations,
        [("add.max", 1), ("complex.rcp", 1), ("mul.mov", 1), ("mul.mul", 1), ("pass.mov", 1)]
    );
}
