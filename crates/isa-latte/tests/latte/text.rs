//! Programs to text and back.

use crate::corpus::programs;
use proptest::prelude::*;
use unshade_isa_common::Remarks;
use unshade_isa_common::cases::Random;
use unshade_isa_common::text::{Listing, PlainText};
use unshade_isa_latte::{asm::assemble, listing::list_code};
use unshade_stage::Code;

fn list(words: &[u32], remarks: Remarks) -> String {
    let mut text = PlainText::default();
    list_code(&Code { words: words.into(), ..Code::default() }, remarks, &mut text);
    text.into_text()
}

/// The text means the same words, with remarks and without, and is the same in parts.
fn round_trip(words: &[u32]) {
    let text = list(words, Remarks::default());
    let back = assemble(&text).unwrap_or_else(|errors| panic!("{text}\n{errors:#?}"));
    if back.words != words {
        let at = words.iter().zip(&back.words).position(|(a, b)| a != b);
        panic!(
            "{text}\nword {at:?}, {} of {} words\n{words:08x?}\n{:08x?}",
            back.words.len(),
            words.len(),
            back.words
        );
    }
    let mut listing = Listing::default();
    list_code(&Code { words: words.into(), ..Code::default() }, Remarks::default(), &mut listing);
    assert_eq!(listing.text(), text);
    let remarked = list(words, Remarks { offsets: Some(64), words: true });
    assert_eq!(assemble(&remarked).expect("remarks are remarks").words, words);
}

#[test]
fn the_corpus_comes_back() {
    let programs = programs();
    let mut explicit = 0;
    for (name, words) in &programs {
        round_trip(words);
        let text = list(words, Remarks::default());
        explicit += usize::from(text.contains(": ADDR("));
        // Nintendo's compiler leaves a hash behind the code.
        let strays = text.matches(".word").count();
        assert!(strays == usize::from(name.starts_with("rustgfd")), "{name}\n{text}");
    }
    assert!(programs.is_empty() || programs.len() > 110 && explicit == 0, "{explicit} of {}", programs.len());
}

#[test]
fn changed_programs_come_back() {
    let programs = programs();
    for index in 0..4 {
        for (number, (_, words)) in programs.iter().enumerate() {
            let mut random = Random::new(number as u64, index);
            let mut words = words.clone();
            for _ in 0..=random.next() % 6 {
                let bits = random.next();
                let at = (bits >> 32) as usize % words.len();
                match bits & 7 {
                    0 => words[at] = random.next() as u32,
                    1 => words.truncate(at.max(1)),
                    2 => words.insert(at, bits as u32),
                    _ => words[at] ^= 1 << (bits >> 8 & 31),
                }
            }
            round_trip(&words);
        }
    }
}

/// Words of which many are control flow with places inside the program.
fn likely_words(seed: u64, count: usize) -> Vec<u32> {
    let mut random = Random::new(seed, 7);
    let flow = 2 * (1 + random.next() as usize % 12);
    let mut words: Vec<u32> = (0..count).map(|_| random.next() as u32).collect();
    for pair in words.iter_mut().take(flow).collect::<Vec<_>>().chunks_exact_mut(2) {
        let bits = random.next();
        let place = bits as u32 % (count as u32 / 2 + 2);
        let few = (bits >> 32) as u32 & 15;
        if bits >> 48 & 1 != 0 {
            *pair[0] = (*pair[0] & 0xFFC0_0000) | place;
            *pair[1] = (*pair[1] & 0x5E03_FFFF) | 0xA000_0000 | few << 18;
        } else {
            *pair[0] = place;
            *pair[1] =
                (*pair[1] & 0x000F_E3FF) | 0x8000_0000 | ((bits >> 40) as u32 & 31) << 23 | (few & 7) << 10;
        }
    }
    words
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_words_come_back(words in prop::collection::vec(any::<u32>(), 0..64)) {
        round_trip(&words);
    }

    #[test]
    fn likely_words_come_back(seed: u64, count in 2_usize..200) {
        round_trip(&likely_words(seed, count));
    }

    #[test]
    fn any_text_is_answered(text in "([ -~]|\n){0,200}") {
        let _ = assemble(&text);
    }
}

/// What the assembler makes of places that the text leaves open.
#[test]
fn places_are_computed() {
    let text = "\
CALL_FS
LOOP_START_DX10
ALU_PUSH_BEFORE:
- x: PRED_SETE ____, R1.x, 0.0f UPDATE_EXEC_MASK
JUMP
LOOP_BREAK
ELSE POP_CNT(1)
ALU:
- x: MOV R2.x, R1.x
POP POP_CNT(1)
LOOP_END
ALU_PUSH_BEFORE:
- x: PRED_SETE ____, R1.x, 0.0f UPDATE_EXEC_MASK
JUMP POP_CNT(1)
ALU_POP_AFTER:
- x: MOV R1.x, 2.0
TEX:
- SAMPLE R1.xyzw, R1.xyzw, t0, s0
EXP_DONE: PIX0, R1.xyzw";
    let words = assemble(text).unwrap().words;
    let listed = list(&words, Remarks::default());
    for line in [
        "01 LOOP_START_DX10 FAIL_JUMP_ADDR(9)",
        "  03 JUMP ADDR(5)",
        "  04 LOOP_BREAK ADDR(8)",
        "  05 ELSE POP_CNT(1) ADDR(8)",
        "  07 POP POP_CNT(1)\n",
        "\n08 LOOP_END CF_CONST(0) PASS_JUMP_ADDR(2)",
        "10 JUMP POP_CNT(1) ADDR(12)",
        "13 EXP_DONE: PIX0, R1.xyzw\nEND_OF_PROGRAM\n",
    ] {
        assert!(listed.contains(line), "{line}\n{listed}");
    }
    // Arithmetic from 32 on, the fetch from the next multiple of 16.
    assert!(!listed.contains("ALU: ADDR") && !listed.contains("TEX: ADDR"), "{listed}");
    assert_eq!(words.len(), 2 * (48 + 2));
}

/// A line in the middle moves what stands behind it, and the jumps with it.
#[test]
fn lines_can_be_put_in() {
    for (name, words) in programs() {
        let text = list(&words, Remarks::default());
        let Some((front, back)) = text.split_once("\n01 ") else { continue };
        let more = format!("{front}\n    WAIT_ACK\n    KILL\n01 {back}");
        let longer = assemble(&more).unwrap_or_else(|errors| panic!("{name}\n{more}\n{errors:#?}")).words;
        let text = list(&longer, Remarks::default());
        assert_eq!(text.matches("WAIT_ACK").count(), 1, "{name}");
        // Without them the text is the old one, moved.
        let less = text.replace("01 WAIT_ACK\n", "").replace("02 KILL\n", "");
        // Where both layouts give the same places, the listing has the usual one.
        let packed = more.starts_with(".layout packed") && !less.starts_with(".layout");
        let less = if packed { format!(".layout packed\n{less}") } else { less };
        let back = assemble(&less).unwrap().words;
        let size = back.len().min(words.len());
        let differs = back.iter().zip(&words).position(|(a, b)| a != b);
        assert_eq!(differs, None, "{name}, {size} words\n{more}\n----\n{text}");
    }
}

#[test]
fn mistakes_are_told() {
    for (code, text) in [
        ("latte.asm.operation", "ALU:\n0 x: MOVE R1.x, R2.x"),
        ("latte.asm.operation", "EXPORTS: PIX0, R1.xyzw"),
        ("latte.asm.number", "ALU:\n0 x: MUL R1.x, R2.x, 3"),
        ("latte.asm.literal", "ALU:\n0 x: MUL R1.x, R2.x, (0x3F800000, 2)"),
        ("latte.asm.literal", "ALU:\n0 x: MULADD R1.x, 2.0, 3.0, 4.0\n y: MUL R1.y, 5.0, 6.0"),
        ("latte.asm.unit", "ALU:\n0 x: MOV R1.x, R2.x\n x: MOV R3.x, R2.x"),
        ("latte.asm.unit", "ALU:\n0 t: MOV R1.x, R2.x"),
        ("latte.asm.unit", "ALU:\n0 x: RECIP_IEEE R1.x, R2.x"),
        ("latte.asm.destination", "ALU:\n0 x: MOV R1.y, R2.x"),
        ("latte.asm.destination", "ALU:\n0 x: MULADD ____, R1.x, R1.y, R1.z"),
        ("latte.asm.range", "ALU:\n0 x: MOV R128.x, R2.x"),
        ("latte.asm.range", "ALU: KCACHE0(CB16:0-15)\n0 x: MOV R1.x, R2.x"),
        ("latte.asm.lock", "ALU: KCACHE0(CB1:8-23)\n0 x: MOV R1.x, R2.x"),
        ("latte.asm.index", "ALU:\n0 x: MOV R1[AR.x].x, R2[AR.y].x"),
        ("latte.asm.count", "ALU: CNT(2)\n0 x: MOV R1.x, R2.x"),
        ("latte.asm.clause", "ALU:\nEND_OF_PROGRAM"),
        ("latte.asm.overlap", "ALU: ADDR(0)\n0 x: MOV R1.x, R2.x"),
        ("latte.asm.outside", "0 x: MOV R1.x, R2.x"),
        ("latte.asm.outside", "ALU:\n0 SAMPLE R1.xyzw, R1.xyzw, t0, s0"),
        ("latte.asm.label", "JUMP ADDR(nowhere)"),
        ("latte.asm.label", "1 NOP\n1 NOP\nJUMP ADDR(1)"),
        ("latte.asm.target", "JUMP"),
        ("latte.asm.target", "EXP: COLOR0, R1.xyzw"),
        ("latte.asm.select", "EXP: PIX0, R1.xyzq"),
        ("latte.asm.bits", "NOP @nothing=1"),
        ("latte.asm.end", "END_OF_PROGRAM"),
        ("latte.asm.size", ".at 4194304\n1 NOP"),
        (
            "latte.asm.read-ports",
            "ALU:\n0 x: MULADD R1.x, R1.x, R2.x, R3.x\n y: MULADD R1.y, R4.x, R5.x, R6.x",
        ),
    ] {
        let errors = assemble(text).expect_err(text);
        assert_eq!(
            errors.iter().map(|error| &*error.code).collect::<Vec<_>>(),
            [code],
            "{text}\n{errors:#?}"
        );
    }
    for (code, text) in [
        ("latte.asm.previous", "ALU:\n0 x: MOV R1.x, R2.x\n1 x: MOV R1.x, PV7.x"),
        ("latte.asm.previous", "ALU:\n0 x: MOV R1.x, PS.x"),
        ("latte.asm.read-ports", "ALU:\n0 x: ADD R1.x, R1.x, R2.x VEC_012\n y: ADD R1.y, R3.x, R4.x VEC_012"),
        // Three pairs of constants: the R600 could.
        ("latte.asm.read-ports", "ALU:\n0 x: ADD R1.x, C1.x, C2.x\n y: MOV R1.y, C3.x"),
        ("latte.asm.whole-vector", "ALU:\n0 x: DOT4 R1.x, R1.x, R2.x"),
        ("latte.asm.written-twice", "ALU:\n0 x: MOV R1.x, R2.x\n t: MOV R1.x, R3.x"),
    ] {
        let warnings = assemble(&format!("{text}\nEXP_DONE: PIX0, R1.xyzw")).unwrap().warnings;
        assert_eq!(
            warnings.iter().map(|warning| &*warning.code).collect::<Vec<_>>(),
            [code],
            "{text}\n{warnings:#?}"
        );
    }
    // A second clause of 128 units and one more.
    let long: String = (0..129).map(|n| format!("{n} x: MOV R1.x, R2.x\n")).collect();
    assert_eq!(assemble(&format!("ALU:\n{long}")).unwrap_err()[0].code, "latte.asm.clause");
}

#[test]
fn many_open_jumps_take_linear_time() {
    let text = format!("LOOP_START_DX10\n{}LOOP_END\n", "LOOP_BREAK\n".repeat(100_000));
    assert_eq!(assemble(&text).unwrap().words.len(), 2 * 100_002);
    let text = format!("PUSH\n{}POP POP_CNT(1)\n", "JUMP\n".repeat(100_000));
    assert_eq!(assemble(&text).unwrap().words.len(), 2 * 100_002);
}
