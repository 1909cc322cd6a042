//! Words to listing text and back, for any words and any descriptor table.

use unshade_isa_common::text::{Listing, PlainText};
use unshade_isa_pica200::asm::operand::Class;
use unshade_isa_pica200::listing::{CodeText, Named, Remarks, Root, assemble_code, list_code};
use unshade_isa_pica200::table::TABLE;
use unshade_isa_pica200::{Opcode, decode, encode};

/// Reproducible numbers (xorshift).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as u32
    }
    fn below(&mut self, bound: u32) -> u32 {
        self.next() % bound
    }
}

fn text_of(code: &CodeText<'_>, remarks: Remarks) -> String {
    let mut text = PlainText::default();
    list_code(&mut text, code, remarks);
    text.into_text()
}

#[track_caller]
fn comes_back(words: &[u32], descriptors: &[u32], high: &[u32]) {
    let code = CodeText { words, descriptors, high, ..CodeText::default() };
    let text = text_of(&code, Remarks::default());
    let back = assemble_code(&text).unwrap_or_else(|e| panic!("{}\n{text}", e[0]));
    for (at, (a, b)) in words.iter().zip(&back.words).enumerate() {
        assert_eq!(a, b, "word {at}: {a:#010x} came back as {b:#010x}\n{text}");
    }
    assert_eq!((&*back.words, &*back.descriptors), (words, descriptors), "{text}");
    assert!(high.is_empty() || back.high == high);
}

/// Words whose flow fields stay near, so that blocks nest now and then.
fn near(random: &mut Random, length: u32) -> u32 {
    let opcode = TABLE[random.below(TABLE.len() as u32) as usize].opcode;
    let row = opcode.row();
    let head = u32::from(row.first) + random.below(u32::from(row.last - row.first) + 1);
    let mut word = head << 26 | random.next() & 0x03FF_FFFF;
    if matches!(opcode, Opcode::Call | Opcode::Ifu | Opcode::Ifc | Opcode::Loop | Opcode::Jmpc | Opcode::Jmpu)
    {
        word = word & !(0xFFF << 10) | random.below(length + 2) << 10;
        if random.below(8) != 0 {
            word = word & !0x3FF | random.below(6);
        }
    }
    word
}

#[test]
fn every_operation_with_random_fields_comes_back() {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    for round in 0..400 {
        let count = random.below(129) as usize;
        let descriptors: Vec<u32> = (0..count).map(|_| random.next()).collect();
        let high: Vec<u32> =
            descriptors.iter().map(|_| if round & 1 == 0 { 0 } else { random.next() }).collect();
        let length = 1 + random.below(200);
        let words: Vec<u32> = (0..length)
            .map(|_| if random.below(4) == 0 { random.next() } else { near(&mut random, length) })
            .collect();
        comes_back(&words, &descriptors, &high);
    }
}

#[test]
fn nested_blocks_come_back() {
    let mut random = Random(77);
    for _ in 0..3000 {
        let length = 1 + random.below(24);
        let flow = [0x24, 0x25, 0x26, 0x27, 0x28, 0x29, 0x2C, 0x2D, 0x21, 0x22];
        let words: Vec<u32> = (0..length)
            .map(|_| {
                let head = flow[random.below(10) as usize];
                head << 26 | random.below(length + 2) << 10 | random.below(5)
            })
            .collect();
        comes_back(&words, &[], &[]);
    }
}

#[test]
fn all_values_of_the_upper_half_come_back() {
    // With the lower half drawn by chance, every opcode meets every upper field.
    let mut random = Random(5);
    let descriptors: Vec<u32> = (0..128).map(|_| random.next()).collect();
    for chunk in 0..64u32 {
        let words: Vec<u32> = (0..1024).map(|n| (chunk * 1024 + n) << 16 | random.next() & 0xFFFF).collect();
        comes_back(&words, &descriptors, &[]);
    }
}

#[test]
fn sampled_words_decode_and_encode_to_themselves() {
    // `cargo run --release -p unshade-isa-pica200 --example sweep` looks at all of them.
    for high in 0..=0xFFFFu32 {
        for low in [0, 0x1F, 0xFFFF, high.wrapping_mul(0x9E37) & 0xFFFF, high ^ 0x5A5A] {
            let word = high << 16 | low;
            assert_eq!(encode(decode(word)), word);
        }
    }
}

#[test]
fn code_without_descriptors_comes_back() {
    let mut random = Random(3);
    let words: Vec<u32> = (0..5000).map(|_| random.next()).collect();
    comes_back(&words, &[], &[]);
    comes_back(&[], &[], &[]);
}

#[test]
fn sinks_agree_and_remarks_are_skipped() {
    let mut random = Random(11);
    let descriptors: Vec<u32> = (0..40).map(|_| random.next()).collect();
    let words: Vec<u32> = (0..600).map(|_| near(&mut random, 600)).collect();
    let code = CodeText { words: &words, descriptors: &descriptors, ..CodeText::default() };
    let remarks = Remarks { offsets: Some(0x34), words: true };
    let text = text_of(&code, remarks);
    let mut listing = Listing::default();
    list_code(&mut listing, &code, remarks);
    assert_eq!(listing.text(), text);
    let shown: u32 = listing.lines().filter_map(|line| line.words).map(|words| words.end - words.start).sum();
    assert_eq!(shown, 600);
    assert_eq!(assemble_code(&text).unwrap().words, words);
    assert!(text.contains("0x0034"));
}

#[test]
fn names_stand_for_registers_where_they_are_meant() {
    // main: mov r0, c5[a0.x]   call 3..4   end   sub: add r0, v1, c5
    let words = [
        0x4C00_0000 | 16 << 21 | 1 << 19 | 0x25 << 12,
        0x9000_0000 | 3 << 10 | 1,
        0x8800_0000,
        16 << 21 | 0x25 << 12 | 1 << 7,
    ];
    let descriptors = [0x0D86_C36F & 0x7FFF_FFFF];
    let names = vec![Named { class: Class::Float, first: 4, last: 7, name: "light".into() }];
    let root = Root { entry: 0, end: Some(3), name: "main".into(), names };
    let code =
        CodeText { words: &words, descriptors: &descriptors, roots: vec![root], ..CodeText::default() };
    let text = text_of(&code, Remarks::default());
    assert!(
        text.contains(".proc main\n    mov     r0, light[a0.x+1]\n    call    proc_003\n    end\n.end\n"),
        "{text}"
    );
    assert!(text.contains("add     r0, light[1], v1\n"), "{text}");
}

#[test]
fn edits_carry_their_consequences() {
    let listing = ".desc 0 xyzw, xyzw, xyzw, xyzw @31\n.proc main\nifu b0\nmov r0, v0\n.else\nnop\n.end\nadd r0.x, -r1.y, r2\njmpc cmp.x, out\nend\n.end\nout: end";
    let code = assemble_code(listing).unwrap();
    // The IF ends behind the NOP, the jump goes to the last word, and the ADD has a descriptor of its own.
    assert_eq!(code.words[0] >> 10 & 0xFFF, 2);
    assert_eq!(code.words[0] & 0xFF, 1);
    assert_eq!(code.words[4] >> 10 & 0xFFF, 6);
    assert_eq!(code.descriptors.len(), 2);
    assert_eq!(code.descriptors[1] >> 31, 1);
    assert_eq!(code.words[3] & 0x7F, 1);
    assert_eq!(code.procedure("main"), Some((0, 6)));
}

#[test]
fn a_mad_finds_room_below_32() {
    let mut listing: String = (0..40)
        .map(|n| {
            format!(
                ".desc {n} xyzw, {}{}ww, xyzw, xyzw\n",
                "xyzw".as_bytes()[n & 3] as char,
                "xyzw".as_bytes()[n >> 2 & 3] as char
            )
        })
        .collect();
    listing += "mov r0, v0.xxww\nmad r0.xy, v0.yx, r1, r2\n";
    let code = assemble_code(&listing).unwrap();
    assert_eq!(code.words[1] & 31, 0, "the MAD took the place of descriptor 0");
    assert_eq!(code.words[0] & 127, 40, "whose user went to the end of the table");
    assert_eq!(code.descriptors.len(), 41);
}

#[test]
fn what_is_wrong_is_said_at_its_place() {
    for (text, code) in [
        ("foo r0", "pica200.listing.unknown-instruction"),
        (".foo", "pica200.listing.unknown-directive"),
        ("add r0, c0, c1", "pica200.listing.narrow-source"),
        ("mov v0, r0", "pica200.listing.destination"),
        ("mov r0, o0", "pica200.listing.source"),
        ("jmpc cmp.x, nowhere", "pica200.listing.unknown-label"),
        ("a: nop\ncall a", "pica200.listing.unknown-procedure"),
        ("a:\na: nop", "pica200.listing.duplicate-label"),
        (".proc x\nnop", "pica200.listing.syntax"),
        (".end", "pica200.listing.syntax"),
        ("nop @unused=0x4000000", "pica200.listing.syntax"),
        ("nop @5", "pica200.listing.syntax"),
        ("call 5..4", "pica200.listing.backwards"),
        ("call 0..256", "pica200.listing.too-long"),
        ("jmpc cmp.x, 4096", "pica200.listing.far"),
        ("mov r0.x, v0 @3", "pica200.listing.descriptor"),
        (".desc 1 x, xyzw, xyzw, xyzw", "pica200.listing.syntax"),
        (".isa mali", "pica200.listing.isa"),
        ("mov r0", "pica200.listing.syntax"),
        ("mov r0, v0, v1", "pica200.listing.syntax"),
    ] {
        let found = assemble_code(text).unwrap_err();
        assert_eq!(found[0].code, code, "{text}: {}", found[0].message);
    }
}

#[test]
fn damaged_listings_are_refused_or_read_but_never_crash() {
    let mut random = Random(21);
    let descriptors: Vec<u32> = (0..8).map(|_| random.next()).collect();
    let words: Vec<u32> = (0..40).map(|_| near(&mut random, 40)).collect();
    let code = CodeText { words: &words, descriptors: &descriptors, ..CodeText::default() };
    let text = text_of(&code, Remarks::default());
    for end in 0..text.len() {
        let _ = assemble_code(&text[..end]);
    }
    const SPICE: &[u8] = b"@.[]-,:;=_!&|#0x9(\n \"abv";
    for _ in 0..20_000 {
        let mut bytes = text.clone().into_bytes();
        for _ in 0..=random.below(3) {
            let at = random.below(bytes.len() as u32) as usize;
            match random.below(3) {
                0 => bytes[at] = SPICE[random.below(SPICE.len() as u32) as usize],
                1 => {
                    bytes.remove(at);
                }
                _ => bytes.insert(at, SPICE[random.below(SPICE.len() as u32) as usize]),
            }
        }
        let _ = assemble_code(&String::from_utf8(bytes).unwrap());
    }
}
