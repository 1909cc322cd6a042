//! Lints and counts: nothing to say about compilers' programs, something about each mistake.

use crate::corpus::{chunk, corpus, listed, random_code, stage};
use proptest::prelude::*;
use std::collections::BTreeSet;
use unshade_isa_mali_pp::asm::assemble;
use unshade_isa_mali_pp::{lint::lint, stats::stats};
use unshade_stage::{Declared, Stage};

fn program(text: &str) -> Stage<'static> {
    match assemble(text, &[]) {
        Ok(assembled) => stage(assembled.words),
        Err(errors) => panic!("{}", errors[0]),
    }
}

fn codes(stage: &Stage<'_>) -> Vec<String> {
    let codes: BTreeSet<String> =
        lint(stage).iter().map(|finding| finding.code.trim_start_matches("mali-pp.").to_owned()).collect();
    codes.into_iter().collect()
}

fn declared(stack_size: u32, discards: bool, framebuffer: [bool; 6]) -> Option<Declared> {
    Some(Declared::MaliFragment { stack_size, stack_offset: stack_size, discards, framebuffer })
}

const COLOR: [bool; 6] = [false, true, false, false, false, false];

#[test]
fn compilers_make_no_mistakes() {
    for (name, words, _) in listed() {
        if name.starts_with("fuzz") {
            continue;
        }
        let findings = lint(&stage(words));
        assert!(findings.is_empty(), "{name}: {}", findings[0]);
    }
}

#[test]
fn files_agree_with_their_code() {
    let Some(corpus) = corpus() else { return };
    for (name, words, _) in listed() {
        if name.starts_with("fuzz") {
            continue;
        }
        let folder = if name.contains('_') && !name.starts_with('f') { "mbs/real" } else { "mbs/lima-out" };
        let file = std::fs::read(corpus.join(folder).join(format!("{name}.mbs"))).unwrap();
        let fragment = &chunk(chunk(&file, b"MBS1").unwrap(), b"CFRA").unwrap()[4..];
        let number =
            |tag: &[u8; 4]| u32::from_le_bytes(chunk(fragment, tag).unwrap()[..4].try_into().unwrap());
        let bytes = chunk(fragment, b"FBUU").unwrap();
        let framebuffer = std::array::from_fn(|n| bytes[n] != 0);
        let mut stage = stage(words);
        stage.interface.declared = declared(number(b"FSTA"), number(b"FDIS") != 0, framebuffer);
        assert_eq!(codes(&stage), [""; 0], "{name}");
    }
}

#[test]
fn each_mistake_is_found() {
    let cases = [
        ("mov.v1 $0, $1", "no-stop runs-off"),
        ("mov.v1 $0, $1 | stop, control @next=3 @prefetch=1", "next-too-large"),
        ("mov.v1 $0, $1 | control @next=2\nmov.v1 $0, $1 | const0 1 | stop", "next-too-small"),
        ("mov.v1 $0, $1 | control @prefetch=0\nmov.v1 $0, $1 | stop", "next-unused"),
        ("mov.v1 $0, $1 | stop, control @count=5", "count"),
        ("load.v ^discard.xy, 0 | texld 0 | mov.v1 $0, ^texture | nosync, stop", "sync-missing"),
        ("dFdx.v1 $0, $1, -$1 | nosync, stop", "sync-missing"),
        ("br 1\nmov.v1 $0, $1 | stop", "branch-inside no-stop runs-off"),
        ("br 100\nmov.v1 $0, $1 | stop", "branch-outside no-stop"),
        ("br.never $0.x, $0.x, L\nL: mov.v1 $0, $1 | stop", "branch-never"),
        ("br L @target_count=9\nL: mov.v1 $0, $1 | stop", "branch-count"),
        ("discard", "discard-without-stop"),
        ("sel.v1 $0, ^s0 ? $1 : $2 | stop", "missing-link"),
        ("add.v1 $0, ^v0, $2 | stop", "missing-link"),
        ("add.s1 $0.x, ^s0, $2.x | stop", "missing-link"),
        ("mov.v1 $0, ^const1 | stop", "missing-link"),
        ("texld 0 | mov.v1 $0, ^texture | stop", "missing-link"),
        ("load.v ^discard.xy, 0 | stop", "unused-coordinates"),
        ("op18.v0 $0, $1, $2 | stop", "unknown-operation"),
        ("op12.s2 $0.x, $1.x | stop", "unknown-operation"),
        ("load.v ^discard, 0 | texld.t7 0 | mov.v1 $0, ^texture | stop", "unknown-texture"),
        ("mov.v1 $0, $7 | stop", "register"),
        ("load.v ^discard, 0 | texld 16 | mov.v1 $0, ^texture | stop", "sampler"),
        ("load.v $0, 0 @reserved_7=1 | stop", "reserved-bits"),
        ("load.v ^discard, 0 | texld 1 @constant=1 | mov.v1 $0, ^texture | stop", "sampler-constant"),
        ("load.u 0 @source=1 | mov.v1 $0, ^uniform | stop", "unknown-memory"),
        ("store.t 0, $0 @target=1 | stop", "unknown-memory"),
        ("fb.color $0 @unknown_10=3 | stop", "framebuffer-constant"),
        ("mov.v1 $0, $1 | stop\n.word 0", "stray-words"),
        ("", "empty"),
    ];
    for (text, expected) in cases {
        assert_eq!(codes(&program(text)).join(" "), expected, "{text}");
    }
}

#[test]
fn the_file_must_say_what_the_code_does() {
    let cases = [
        ("discard | stop", declared(1, false, COLOR), "declared-discard"),
        ("mov.v1 $0, $1 | stop", declared(1, true, COLOR), "declared-discard"),
        ("fb.color $0 | stop", declared(1, false, COLOR), "declared-framebuffer"),
        ("fb.depth $0 | stop", declared(1, false, [false, true, true, false, false, false]), ""),
        ("mov.v1 $0, $1 | stop", declared(1, false, [false; 6]), "declared-framebuffer"),
        (
            "mov.v1 $0, $1 | stop",
            declared(1, false, [false, true, false, false, true, false]),
            "declared-framebuffer",
        ),
        ("store.t -3, $0 | stop", declared(2, false, COLOR), "declared-stack"),
        ("store.t -3, $0 | stop", declared(3, false, COLOR), ""),
    ];
    for (text, declared, expected) in cases {
        let mut stage = program(text);
        stage.interface.declared = declared;
        assert_eq!(codes(&stage).join(" "), expected, "{text}");
    }
}

#[test]
fn counts() {
    let stage = program(
        "load.v ^discard.xy, 1.zw | texld 3 | mul.v0 $0, $1, ^texture | mul.x2.s0 $5.x, $0.x, $0.y
         load.u 7.x + $0.x | mov.v1 $2, ^uniform
         store.t -2, $2
         rcp.s2 $0.x, $0.y
         discard | stop\n.word 0",
    );
    let stats = stats(&stage);
    assert_eq!((stats.instructions, stats.strays, stats.fetches, stats.discards), (5, 1, 1, 1));
    assert_eq!((stats.temporaries, stats.temporary_accesses, stats.relative), (2, 1, 1));
    assert_eq!(stats.fields, [1, 1, 1, 1, 1, 1, 0, 1, 1, 1, 0, 0]);
    let used: Vec<usize> = stats.resources.iter().map(|(_, usage)| usage.used).collect();
    assert_eq!(used, [4, 1, 29, 1]);
    assert_eq!(stats.operations["mul.s0"], 1);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn anything_can_be_checked(words in prop_oneof![random_code(), prop::collection::vec(any::<u32>(), 0..64)]) {
        let stage = stage(words);
        for finding in lint(&stage) {
            prop_assert!(!finding.message.is_empty());
        }
        stats(&stage);
    }
}
