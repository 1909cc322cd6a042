//! The assembler of the native text: what it computes, what it accepts, what it says about mistakes.

use crate::corpus::{corpus, listed};
use proptest::prelude::*;
use unshade_bytes::Location;
use unshade_isa_common::Remarks;
use unshade_isa_common::text::{Listing, PartKind, PlainText};
use unshade_isa_mali_pp::asm::{Assembled, assemble};
use unshade_isa_mali_pp::listing::{list_code, list_code_with};
use unshade_isa_mali_pp::{Item, decode, lima};
use unshade_stage::{Code, CodeLabel, Space, Symbol, SymbolType};

#[track_caller]
fn assembled(text: &str) -> Assembled {
    match assemble(text, &symbols()) {
        Ok(assembled) => assembled,
        Err(errors) => panic!("{}\n{text}", errors[0]),
    }
}

fn lima_text(words: &[u32]) -> String {
    let mut text = PlainText::default();
    lima::list(words, &mut text);
    text.into_text()
}

fn symbol(name: &str, space: Space, ty: SymbolType, components: u16, elements: u16, offset: u16) -> Symbol {
    Symbol {
        name: name.to_owned(),
        space,
        ty,
        components,
        component_size: 4,
        elements,
        stride: if elements > 0 { 4 } else { 0 },
        precision: None,
        invariant: false,
        offset: Some(offset),
        parent: None,
        initial: None,
    }
}

fn symbols() -> Vec<Symbol> {
    vec![
        symbol("v_color", Space::Input, SymbolType::Float, 4, 0, 0),
        symbol("v_uv", Space::Input, SymbolType::Float, 2, 0, 4),
        symbol("u_image", Space::Float, SymbolType::Sampler2d, 2, 0, 0),
        symbol("u_sky", Space::Float, SymbolType::SamplerCube, 3, 0, 1),
        symbol("u_scale", Space::Float, SymbolType::Float, 1, 0, 2),
        symbol("u_table", Space::Float, SymbolType::Float, 3, 8, 8),
    ]
}

#[test]
fn names_stand_in_the_listing_and_lead_back() {
    let text = "    load.v      ^discard.xy, v_uv.xy
  | texld       u_image
  | load.u      u_table[2] + $1.x
  | mul.v0      $0, ^texture, ^uniform
  | sync
    load.v      $1, v_color
  | load.u      u_scale.x
  | mul.v0      $0.xyz, $0, ^uniform.x
  | stop
";
    let assembled = assembled(text);
    let mut listing = Listing::default();
    let code = Code { words: (&assembled.words).into(), ..Code::default() };
    list_code(&code, &symbols(), &mut listing);
    assert_eq!(listing.text(), text);
    let first = listing.lines().next().unwrap();
    assert_eq!(first.words, Some(0..7));
    let parts: Vec<_> = first.parts().map(|part| (part.kind, part.text)).collect();
    assert!(parts.contains(&(PartKind::Mnemonic, "load.v")) && parts.contains(&(PartKind::Name, "v_uv")));
    // The same without names.
    assert!(
        lima_text(&assembled.words).starts_with("@     0: load.v ^discard.xy 1.xy, texld 0, load.u 4+$1.x, ")
    );
}

#[test]
fn sizes_and_distances_are_computed() {
    let assembled = assembled(
        "top: mov.s1 $1.x, ^const0.x | const0 0.5
         br.lt $1.x, ^const0.y, done | const0 0, 1
         br top
         done: mov.v1 $0, $1 | stop",
    );
    let insts: Vec<_> = decode(&assembled.words)
        .into_iter()
        .map(|(at, item)| match item {
            Item::Inst(inst) => (at, inst.count(), inst.control.next(), inst.control.prefetch(), inst),
            Item::Word(word) => panic!("{word:x}"),
        })
        .collect();
    let sizes: Vec<_> =
        insts.iter().map(|(at, count, next, prefetch, _)| (*at, *count, *next, *prefetch)).collect();
    assert_eq!(sizes, [(0, 4, 6, 1), (4, 6, 4, 1), (10, 4, 3, 1), (14, 3, 0, 0)]);
    let branch = |n: usize| (insts[n].4.branch.distance(), insts[n].4.branch.target_count());
    assert_eq!((branch(1), branch(2)), ((10, 3), (-10, 4)));
    assert!(!assembled.discards && assembled.warnings.is_empty());
    assert_eq!(assembled.origins.iter().map(|(at, _)| *at).collect::<Vec<_>>(), [0, 4, 10, 14]);
}

#[test]
fn sync_is_set_where_it_is_needed() {
    let sync = |text: &str| match &decode(&assembled(text).words)[0].1 {
        Item::Inst(inst) => inst.control.sync(),
        Item::Word(_) => panic!(),
    };
    assert_eq!(sync("load.v ^discard.xy, 0 | texld 0 | mov.v1 $0, ^texture | stop"), 1);
    assert_eq!(sync("dFdx.s1 $0.x, $1.x, -$1.x | stop"), 1);
    assert_eq!(sync("dFdx.s1 $0.x, $1.x, -$1.x | nosync, stop"), 0);
    assert_eq!(sync("mov.v1 $0, $1 | stop"), 0);
    assert_eq!(sync("mov.v1 $0, $1 | sync, stop"), 1);
}

#[test]
fn hints_about_the_program() {
    assert!(assembled("discard | stop").discards);
    let unfinished = assembled("mov.v1 $0, $1");
    assert_eq!(unfinished.warnings[0].code, "mali-pp.asm.no-stop");
}

#[test]
fn labels_of_the_file_are_kept() {
    let words = assembled("a: mov.v1 $0, $1\nbr a").words;
    let label = |name: &str, word| CodeLabel { name: name.to_owned(), word, words: None };
    let labels = vec![
        label("begin", 0),
        label("begin", 3),
        label("inside", 1),
        label("not a name", 3),
        label("L9", 3),
    ];
    let mut text = PlainText::default();
    list_code(&Code { words: (&words).into(), labels, ..Code::default() }, &[], &mut text);
    assert_eq!(text.text(), "begin:\n    mov.v1      $0, $1\n    br          begin\n");
}

#[test]
fn remarks_change_nothing() {
    for (name, words, _) in listed() {
        let mut text = PlainText::default();
        let remarks = Remarks { offsets: Some(0x40), words: true };
        list_code_with(&Code { words: (&words).into(), ..Code::default() }, &[], remarks, &mut text);
        assert!(text.text().contains("; 0x000040"), "{name}");
        assert_eq!(assemble(text.text(), &[]).unwrap().words, words, "{name}");
    }
}

/// What is wrong, and the part of the text that the finding points at.
#[test]
fn mistakes_are_named_and_pointed_at() {
    let cases = [
        ("frobnicate $0, $1", "operation", "frobnicate"),
        ("mul.x3.v0 $0, $1, $2", "operation", "mul.x3.v0"),
        ("sum3.s1 $0.x, $1.x, $2.x", "operation", "sum3.s1"),
        ("mov.v1 $0", "syntax", ""),
        ("mov.v1 $0, $16", "register", "$16"),
        ("mov.v1 $0, ^konst", "register", "^konst"),
        ("mov.v1 $0, ^v1", "register", "^v1"),
        ("mul.v0 $0, ^v0, $1", "syntax", "^v0"),
        ("mov.v1 ^const0, $1", "syntax", "^const0"),
        ("mov.v1 $0.yx, $1", "components", ".yx"),
        ("mov.v1 $0, $1.xyzwx", "components", ".xyzwx"),
        ("mov.s1 $0, $1.x", "components", ""),
        ("mov.s1 $0.x, $1.xy", "components", ".xy"),
        ("mov.v1 $0, abs($1", "syntax", ""),
        ("sel.v1 $0, $1, $2", "syntax", "$1"),
        ("load.v $0, v_nothing", "name", "v_nothing"),
        ("load.u u_table[8]", "name", "8"),
        ("load.u u_table", "name", ""),
        ("load.u u_scale", "alignment", "u_scale"),
        ("load.v $0.xy, v_uv.x + ^uniform.x", "register", "+ ^uniform.x"),
        ("load.v $0, 64", "range", "64"),
        ("load.u 40000", "range", "40000"),
        ("load.u 1.xyz", "components", ".xyz"),
        ("load.t u_scale.x", "syntax", "u_scale.x"),
        ("texld 5000", "range", "5000"),
        ("texld u_nothing", "name", "u_nothing"),
        ("texld.t32 0", "operation", "texld.t32"),
        ("const0 1e6", "range", "1e6"),
        ("const0 1.0.0", "number", "1.0.0"),
        ("store.t 0.x, $0", "components", ""),
        ("store.t 0, -$0", "syntax", "-$0"),
        ("br nowhere", "unknown-label", "nowhere"),
        ("br.eq $0.x, $0.y", "syntax", ""),
        ("br 100000000", "range", "100000000"),
        ("a: mov.v1 $0, $1\na: discard", "label-twice", "a"),
        ("1a: discard", "label", "1a"),
        ("| discard", "syntax", "|"),
        ("discard\nb: | stop", "syntax", "|"),
        ("mov.v1 $0, $1 | mov.v1 $2, $3", "field-twice", "mov.v1"),
        ("mov.v1 $0, $1 @arg9=1", "bits", "arg9"),
        ("mov.v1 $0, $1 @op=32", "range", "32"),
        ("mov.v1 $0, $1 | stop, start", "syntax", "start"),
        ("mov.v1 $0, $1 | control @count=1", "count", "mov.v1 $0, $1 | control @count=1"),
        ("mov.v1 $0, $1 $2", "syntax", "$2"),
        (".word 0x1FFFFFFFF", "range", "0x1FFFFFFFF"),
        (".word hello", "number", "hello"),
        (".isa pica200", "isa", "pica200"),
        (".fragment", "directive", ".fragment"),
        ("mov.v1 $0, \u{e4}", "syntax", "\u{e4}"),
    ];
    for (text, code, pointed) in cases {
        let Err(errors) = assemble(text, &symbols()) else { panic!("no error: {text}") };
        let Location::Text { source: 0, span } = errors[0].location.clone() else { panic!("{text}") };
        let got = (errors[0].code.strip_prefix("mali-pp.asm.").unwrap(), &text[span]);
        assert_eq!(got, (code, pointed), "{text}: {}", errors[0].message);
    }
}

#[test]
fn all_mistakes_are_told_at_once() {
    let errors = assemble("mov.v1 $0, $99\n  | stop\nfrob\ndiscard | stop\nbr x", &[]).unwrap_err();
    let codes: Vec<_> = errors.iter().map(|error| &*error.code).collect();
    assert_eq!(codes, ["mali-pp.asm.register", "mali-pp.asm.operation", "mali-pp.asm.unknown-label"]);
    assert_eq!(assemble(&"x\n".repeat(5000), &[]).unwrap_err().len(), 1000);
}

/// The text of the corpus with a letter changed, cut or doubled: no panic, and findings inside the text.
#[test]
fn damaged_texts_are_survived() {
    if corpus().is_none() {
        return;
    }
    let (_, words, _) = listed().swap_remove(20);
    let mut text = PlainText::default();
    list_code(&Code { words: (&words).into(), ..Code::default() }, &[], &mut text);
    let text = text.into_text();
    for at in 0..text.len().min(600) {
        for new in ["", "$", ".", "@", "|", "9", "x", "\n", "-", ":", "\u{20ac}"] {
            let damaged = format!("{}{new}{}", &text[..at], &text[at + 1..]);
            survives(&damaged);
        }
    }
}

#[track_caller]
fn survives(text: &str) {
    let Err(errors) = assemble(text, &symbols()) else { return };
    for error in errors {
        let Location::Text { span, .. } = error.location else { panic!() };
        assert!(text.get(span.clone()).is_some(), "{span:?} in {text:?}: {}", error.message);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_survived(text in "([a-z$^.@|:,+0-9_=\u{e9}\\n -]|load\\.v|texld|mul\\.v0|const0|br|\\$0|v_uv|u_table\\[|@tail=|control){0,40}") {
        survives(&text);
    }
}
