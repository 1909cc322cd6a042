//! Each lint is found where it should be, and only there.

use std::borrow::Cow;
use unshade_isa_pica200::{lint::lint, listing::assemble_code};
use unshade_stage::{
    Code, CodeLabel, Constant, ConstantValue, Interface, Isa, Output, Space, Stage, StageId, StageKind,
};

const DESC: &str = ".desc 0 xyzw, xyzw, xyzw, xyzw\n";

fn stage(text: &str, kind: StageKind) -> Stage<'static> {
    let code = assemble_code(&format!("{DESC}{text}")).unwrap_or_else(|e| panic!("{}\n{text}", e[0]));
    let entry = code.procedure("main").map_or(0, |(start, _)| start);
    Stage {
        id: StageId("0".into()),
        kind,
        isa: Isa::Pica200,
        code: Code {
            words: Cow::Owned(code.words),
            descriptors: Cow::Owned(code.descriptors),
            file_offset: 0x100,
            entry,
            ..Code::default()
        },
        interface: Interface::default(),
    }
}

fn codes(stage: &Stage<'_>) -> Vec<String> {
    lint(stage).into_iter().map(|finding| finding.code.into_owned()).collect()
}

#[test]
fn each_mistake_is_named() {
    for (text, code) in [
        (".word 0x40000000\nend", "unknown-opcode"),
        ("mov r0, v0 @7\nend", "descriptor-outside"),
        ("call 0..9\nend", "call-outside"),
        ("jmpc cmp.x, 7\nend", "jump-outside"),
        ("ifc cmp.x, 5..6\nend", "if-outside"),
        ("for i0, ..9\nend", "loop-outside"),
        ("nop\nifc cmp.x, 1..2\nend", "backward-block"),
        ("add r0, v0, v1\nend", "two-inputs"),
        ("mova a0.x, r0\nmova a0.x, r0\nend", "adjacent-mova"),
        (".proc main\ncall big\nend\n.end\n.proc big\nBIG\n.end", "long-num"),
        ("for i5\nnop\n.end\nend", "int-register"),
        ("mov r0, r1[a0.x]\nend", "index-ignored"),
        ("break\nend", "break-outside-loop"),
        ("add r0, r14, v0\nend", "unwritten-temporary"),
        ("emit\nend", "emit-in-vertex"),
        ("setemit 1\nend", "emit-in-vertex"),
        ("nop", "no-end"),
        ("jmpc cmp.x, x\nend\nx: nop", "runs-off"),
        ("ifc cmp.x\nifc cmp.y\nnop\n.end\n.end\nend", "missing-nop"),
        ("ifc cmp.x\n.else\nnop\n.end\nend", "missing-nop"),
        ("for i0\nnop\nbreakc cmp.x\n.end\nend", "missing-nop"),
        ("a: ifc cmp.x\nnop\njmpc cmp.y, a\n.end\nend", "jump-at-block-end"),
        (".proc main\ncall main\nend\n.end", "recursive-call"),
        (
            ".proc a\nfor i0\nnop\n.end\nnop\n.end\n.proc main\nfor i1\ncall a\nnop\n.end\nend\n.end",
            "nested-loop-call",
        ),
        ("mov o0, r0\nmov o0, r1\nend", "output-written-twice"),
    ] {
        let text = text.replace("BIG", &"nop\n".repeat(300));
        let found = codes(&stage(&text, StageKind::Vertex));
        assert!(found.contains(&format!("pica200.{code}")), "{code}: {found:?}\n{text}");
    }
}

#[test]
fn stacks_have_depths() {
    let chain = |count: usize| {
        let mut text = String::from(".proc p0\nnop\n.end\n");
        for n in 1..count {
            text += &format!(".proc p{n}\ncall p{}\nnop\n.end\n", n - 1);
        }
        text + &format!(".proc main\ncall p{}\nend\n.end", count - 1)
    };
    let nest = |head: &str, count: usize| {
        format!("{}nop\n{}end", format!("{head}\n").repeat(count), "nop\n.end\n".repeat(count))
    };
    for (text, code, wrong) in [
        (chain(4), "call-depth", false),
        (chain(5), "call-depth", true),
        (nest("ifu b0", 8), "if-depth", false),
        (nest("ifu b0", 9), "if-depth", true),
        (nest("for i0", 4), "loop-depth", false),
        (nest("for i0", 5), "loop-depth", true),
    ] {
        let found = codes(&stage(&text, StageKind::Vertex));
        assert_eq!(found.contains(&format!("pica200.{code}")), wrong, "{found:?}\n{text}");
    }
}

#[test]
fn good_code_has_no_findings() {
    let text = ".proc main\nmov r0, v0\nifu b0\nadd r0, r0, v0\nnop\n.else\nmul r0, r0, v0\nnop\n.end\n\
        for i0\nadd r0, c4[lcnt], r0\nnop\nbreakc cmp.x\nnop\n.end\ncall sub\nmova a0.x, r0\nmov o0, c0[a0.x]\nend\n.end\n\
        .proc sub\nmul r0, r0, r0\n.end\n";
    assert_eq!(codes(&stage(text, StageKind::Vertex)), [""; 0]);
    assert_eq!(codes(&stage("mov o0, v0\nemit\nmov o0, v1\nemit\nend", StageKind::Geometry)), [""; 0]);
    // Unreached words are nobody's mistake.
    assert_eq!(codes(&stage("end\n.word 0x40000000\ncall 0..99", StageKind::Vertex)), [""; 0]);
}

#[test]
fn the_file_has_its_say() {
    let mut program = stage("mov o1, v2\nend", StageKind::Geometry);
    program.interface.input_mask = 1;
    program.interface.output_mask = 1;
    program.interface.outputs.push(Output { semantic: "color".into(), register: 1, mask: 0xF });
    program.interface.outputs.push(Output { semantic: "view".into(), register: 2, mask: 3 });
    program.code.constants.push(Constant {
        space: Space::Bool,
        register: 15,
        value: ConstantValue::Bool(true),
    });
    program.code.labels.push(CodeLabel { name: "main".into(), word: 1, words: None });
    assert_eq!(
        codes(&program),
        [
            "pica200.entry-not-main",
            "pica200.b15-constant",
            "pica200.output-never-written",
            "pica200.input-mask",
            "pica200.output-mask",
        ]
    );
    let findings = lint(&program);
    assert_eq!(
        findings[0].to_string(),
        "warning[pica200.entry-not-main] at 0x100 (code[0x0]): execution starts at word 0x0, but the label `main` is at 0x1"
    );
    assert!(findings[2].message.contains("o2.xy (view)"), "{}", findings[2]);
    program.code.entry = 2;
    assert_eq!(codes(&program), ["pica200.entry-outside"]);
}

#[test]
fn sizes() {
    let code = "nop\n".repeat(600) + "end";
    assert_eq!(codes(&stage(&code, StageKind::Vertex)), ["pica200.vertex-code-size"]);
    assert_eq!(codes(&stage(&code, StageKind::Geometry)), [""; 0]);
}

#[test]
fn any_code_is_looked_at_in_time() {
    let mut state = 0x1234_5678_9ABC_DEF1u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 16) as u32
    };
    let mut program = stage("end", StageKind::Vertex);
    // Calls from everywhere to everywhere are the worst case; then anything.
    for round in 0..40 {
        let length = if round == 0 { 4096 } else { 1 + next() % 2000 };
        let words = (0..length).map(|_| {
            let call = 0x9000_0000 | next() & 0x003F_FFFF;
            if round < 4 { call } else { next() }
        });
        program.code.words = Cow::Owned(words.collect());
        let start = std::time::Instant::now();
        let count = lint(&program).len();
        // Of each kind as many are listed as of a file in all.
        let most = 8 * unshade_bytes::Limits::DEFAULT.diagnostics;
        assert!(count < most && start.elapsed().as_secs() < 20, "{count}");
    }
}
