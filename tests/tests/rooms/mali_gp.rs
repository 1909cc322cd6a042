//! The properties of Mali vertex code over code that compilers made, changed bit by bit and cut, and over text.

use unshade::mali_gp::{asm::assemble, instructions, words};
use unshade_tests::properties::{mali_gp_text, mali_gp_words};

/// A program with every kind of line.
const TEXT: &str = "\
.isa mali-gp
.alias u_scale t[3].z
.alias v_uv v1.xy
    mul0     mul      a0.x, t[1].x -> $0.x
||  mul1     mul      a0.y, -$3.y
||  add0     max      ^reg0.x, 0
||  complex  rcp      a0.w
L001:
    mul0     complex2 ^mul0, ^mul0
||  mul1     mov      ^complex
||  complex  exp2     ^mul0
||  pass     preexp2  ^mul1
    mul01    complex1 ^complex, ^mul0, ^complex, ^^mul0
||  add1     ge       ^a0.x, ^^add0
||  complex  addr0    $3.x
||  pass     mov      $3.y -> t[addr0].yw
||  branch   pass, L001
    mul01    select   ^add1, u_scale, t[3].y -> v_uv.y, v1.z
||  complex  addr1    ^add1
||  pass     clamp    ^^mul0, t[3].x, t[3].y -> v_uv.x
||  fields   reg1.address=3, add.op=7
    pass     mov      t[5+addr1].w -> v0.xyzw
    .word 0x12345678
";

fn bytes() -> Vec<u8> {
    let assembled = assemble(TEXT, &[]).unwrap_or_else(|findings| panic!("{findings:?}"));
    assembled.words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

#[test]
fn every_cut_and_every_flipped_bit() {
    let bytes = bytes();
    for end in 0..=bytes.len() {
        mali_gp_words(&bytes[..end]);
    }
    for bit in 0..bytes.len() * 8 {
        let mut changed = bytes.clone();
        changed[bit / 8] ^= 1 << (bit % 8);
        mali_gp_words(&changed);
    }
}

#[test]
fn every_value_of_every_field() {
    let bytes = bytes();
    let code: Vec<u32> = bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect();
    let all: Vec<u128> = instructions(&code).0.collect();
    for (index, &word) in all.iter().enumerate() {
        for field in unshade::mali_gp::table::FIELDS {
            for value in 0..=field.limit() {
                let mut changed = all.clone();
                changed[index] = word & !field.mask() | field.put(value);
                let changed: Vec<u8> =
                    changed.into_iter().flat_map(words).flat_map(u32::to_le_bytes).collect();
                mali_gp_words(&changed);
            }
        }
    }
}

#[test]
fn every_cut_and_every_changed_character_of_a_text() {
    for end in (0..=TEXT.len()).filter(|end| TEXT.is_char_boundary(*end)) {
        mali_gp_text(&TEXT.as_bytes()[..end]);
    }
    for at in 0..TEXT.len() {
        for new in *b"^@-.,[]x0 \n:;\xFF" {
            let mut changed = TEXT.as_bytes().to_vec();
            changed[at] = new;
            mali_gp_text(&changed);
        }
    }
}
