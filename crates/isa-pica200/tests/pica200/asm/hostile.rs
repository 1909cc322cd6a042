//! Text of any kind: an answer in time, never a panic. And what random programs decode to.

use crate::asm::generate::{self, Random};
use proptest::prelude::*;
use unshade_bytes::Location;
use unshade_isa_common::assembly::{Place, Places, Source};
use unshade_isa_pica200::asm::{Options, assemble};
use unshade_isa_pica200::{Inst, Operands, decode, encode};

const SAMPLE: &str = "# 1 \"a.h\"\n.gsh fixed c48 c0 4\n.fvec m[4], _h\n.bool b\n.ivec i\n.constf k(1, -2.5e3, 0x1.8p2, inf)\n\
.constfa t[3]\n.constfa (1,2,3,4)\n.end\n.seti i1(1,2,3,4)\n.setb b3 on\n.in v\n.out o position.xyz\n.alias n -m[1].wzyx\n\
.proc f\n mad r1.xy, v, n.yx, v\n.end\n.proc main\nl: mova a0.x, r0\n add r0, m[a0.x+1], -r1.w\n cmp r0, lt, ge, r1\n\
 ifc !cmp.x && cmp.y\n  call f\n .else\n  for i\n   breakc cmp.x\n  .end\n .end\n jmpu !b, l\n setemit 0, prim inv\n emit\n \
end\n.end\n";

/// Assembles and asks for the place of every finding.
fn judge(text: &str) -> bool {
    let sources = [Source { name: "a", text }];
    let places = Places::new(&sources);
    let check = |location: &Location| {
        if let Location::Text { source, span } = location {
            assert!(*source == 0 && span.start <= span.end && span.end <= text.len(), "{span:?}");
            assert!(text.get(span.clone()).is_some(), "{span:?} cuts a character");
            let place: Place<'_> = places.find(location).unwrap();
            assert!(place.column as usize <= place.text.chars().count() + 2, "{place:?}");
        }
    };
    match assemble(&sources, Options::default()) {
        Ok(assembly) => {
            assembly.warnings.iter().for_each(|warning| check(&warning.location));
            assert_eq!(assembly.program.words.len(), assembly.origins.len());
            assembly.origins.iter().for_each(|origin| check(&origin.location()));
            true
        }
        Err(errors) => {
            assert!(!errors.is_empty());
            errors.iter().for_each(|error| check(&error.location));
            false
        }
    }
}

#[test]
fn every_prefix_and_every_damaged_byte_gets_an_answer() {
    assert!(judge(SAMPLE));
    for end in 0..SAMPLE.len() {
        judge(&SAMPLE[..end]);
    }
    let mut good = 0;
    for at in 0..SAMPLE.len() {
        for with in [
            "\0",
            "\n",
            "\r",
            ":",
            ";",
            "[",
            "]",
            "(",
            ")",
            ",",
            ".",
            "-",
            "#",
            "\"",
            "9",
            "\u{e9}",
            "\u{1F980}",
            "",
        ] {
            let text = format!("{}{with}{}", &SAMPLE[..at], &SAMPLE[at + 1..]);
            good += usize::from(judge(&text));
        }
    }
    assert!(good > 0);
}

#[test]
fn random_bytes_get_an_answer() {
    let mut random = Random(1);
    for _ in 0..3000 {
        let mut bytes = SAMPLE.as_bytes().to_vec();
        for _ in 0..=random.below(20) {
            let at = random.below(bytes.len());
            bytes[at] = random.next() as u8;
        }
        judge(&String::from_utf8_lossy(&bytes));
    }
}

/// Cost grows with the text, whatever it says: each of these is a megabyte or so.
#[test]
fn big_hostile_texts_take_no_longer_than_they_are() {
    let many = |part: &str| part.repeat(1_000_000 / part.len());
    let numbered = |make: fn(usize) -> String| (0..40_000).map(make).collect::<String>();
    let texts = [
        many("x\n"),
        many(":"),
        many("a:"),
        many(".proc\n"),
        many(".end\n"),
        many("nop\n"),
        ".proc main\n".to_string() + &many("nop\n") + ".end\n",
        ".proc main\n".to_string() + &many("ifu b0\n"),
        ".proc main\n".to_string() + &many("call main\n") + ".end\n",
        ".proc main\n".to_string() + &many("jmpu b0, nowhere\n"),
        many(".constfa a[]\n"),
        ".constfa a[]\n".to_string() + &many(".constfa (1,2,3,4)\n"),
        many(".setb b0 1\n"),
        ".fvec ".to_string() + &many("a,"),
        ".fvec ".to_string() + &numbered(|n| format!("a{n},")),
        numbered(|n| format!(".alias a{n} r0\n")),
        numbered(|n| format!("l{n}:\n")),
        numbered(|n| format!(".proc p{n}\n.end\n")),
        ".proc main\n".to_string()
            + &numbered(|n| format!("mov r{}.{}, c{}\n", n % 16, ["x", "yz"][n % 2], n % 96)),
        ".constf a(".to_string() + &many("9") + ",1,2,3)",
        ".constf a(0x".to_string() + &many("f") + ",1,2,3)",
        ".constf a(1e".to_string() + &many("9") + ",1,2,3)",
        ".alias a r".to_string() + &many("0"),
        ".alias a r0[".to_string() + &many(" ") + "1]",
        ".proc main\nbreakc ".to_string() + &many("!"),
        many("# 1 \"x\"\n"),
        many("\n"),
        many(";"),
        many("\u{e9}\n"),
    ];
    for text in &texts {
        let started = std::time::Instant::now();
        judge(text);
        let taken = started.elapsed();
        assert!(taken.as_secs() < 5, "{taken:?} for {:?}...", text.get(..30));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
    /// What the assembler makes decodes to what it meant: known operations whose descriptors exist and whose
    /// targets lie in the code.
    #[test]
    fn random_programs_decode(seed in any::<u64>()) {
        let case = generate::case(seed);
        let sources: Vec<_> = case.texts.iter().map(|(name, text)| Source { name, text }).collect();
        let Ok(assembly) = assemble(&sources, Options { no_nop: case.no_nop }) else { return Ok(()) };
        let program = assembly.program;
        let code = program.words.len();
        for &word in &program.words {
            let inst = decode(word);
            prop_assert_eq!(encode(inst), word);
            let Inst::Known { operands, .. } = inst else { panic!("{word:#x} is unknown") };
            match operands {
                Operands::One { desc, .. } | Operands::Two { desc, .. } | Operands::Compare { desc, .. }
                | Operands::Mad { desc, .. } => prop_assert!(usize::from(desc) < program.descriptors.len()),
                Operands::FlowCondition { dst, .. } | Operands::FlowUniform { dst, .. } => {
                    prop_assert!(usize::from(dst) <= code);
                }
                Operands::Bare { unused } => prop_assert_eq!(unused, 0),
                Operands::SetEmit { unused, .. } => prop_assert_eq!(unused, 0),
            }
        }
        for executable in &program.executables {
            prop_assert!(executable.entry <= executable.end && executable.end as usize <= code);
            prop_assert!(executable.uniforms.is_sorted_by_key(|uniform| uniform.register));
        }
    }
}
