//! What the console vendor's compiler spells out, in every spelling, is source as a person writes it, and does the same.

use super::forms::{agrees, case, stage, stages, text};
use unshade::{Stage, StageKind};
use unshade_stage::Latte;
use unshade_stage::latte::{Uniform, VarType};

fn pixel(listing: &str) -> Stage<'static> {
    stage(listing, StageKind::Fragment, Latte::default())
}

const TO_TURNS: &str = "0x3E22F983";
const TAU: &str = "0x40C90FDB";
const LESS_PI: &str = "0xC0490FDB";

/// A sine or cosine of R0.x with these instructions in front.
fn angle(op: &str, steps: &[String]) -> String {
    let groups: String = steps.iter().enumerate().map(|(n, step)| format!("  {n}   x: {step}\n")).collect();
    let last = steps.len();
    format!(
        "00 ALU:\n{groups}  {last}   t: {op:<16}R1.x, R1.x SCL_210\n  {}   x: MOV             R0.x, R1.x\n\
         01 EXP_DONE: PIX0, R0.xyzw\nEND_OF_PROGRAM\n",
        last + 1
    )
}

#[test]
fn sines_of_every_spelling() {
    let step = |text: &str| text.to_owned();
    let turns = format!("MULADD          R1.x, R0.x, {TO_TURNS}, 0.5f");
    let apart = [format!("MUL             R1.x, R0.x, {TO_TURNS}"), step("ADD             R1.x, R1.x, 0.5f")];
    let back = [
        format!("MULADD          R1.x, R1.x, {TAU}, {LESS_PI}"),
        format!("MUL             R1.x, R1.x, {TO_TURNS}"),
    ];
    let fract = step("FRACT           R1.x, R1.x");
    let spellings: Vec<Vec<String>> = vec![
        // The vendor's, with the multiply-add whole and apart.
        [&[turns.clone(), fract.clone()][..], &back].concat(),
        [&apart[..], std::slice::from_ref(&fract), &back].concat(),
        // Mesa's, and those that take whole turns off or trust the angle.
        vec![turns.clone(), fract.clone(), step("ADD             R1.x, R1.x, -0.5")],
        vec![format!("MUL             R1.x, R0.x, {TO_TURNS}"), fract.clone()],
        vec![format!("MUL             R1.x, R0.x, {TO_TURNS}")],
    ];
    for (op, function) in [("SIN", "sin("), ("COS", "cos(")] {
        for steps in &spellings {
            let program = pixel(&angle(op, steps));
            let source = text(&program);
            assert!(source.contains(&format!("{function}param0.x)")), "{steps:?}\n{source}");
            agrees(&program, 60);
        }
        // Half a turn off is no sine of the angle itself.
        let shifted =
            [turns.clone(), fract.clone(), format!("MUL             R1.x, R1.x, {TAU}"), back[1].clone()];
        let program = pixel(&angle(op, &shifted));
        assert!(!text(&program).contains(&format!("{function}param0.x)")), "{}", text(&program));
        agrees(&program, 60);
    }
}

/// A dot product of R0.xyz and R1.xyz; the lanes of `first` are multiplied before.
fn product(first: &[usize], swapped: bool, own_place: bool) -> String {
    let letters = ["x", "y", "z"];
    let pair = |n: usize| {
        let [a, b] = [format!("R0.{}", letters[n]), format!("R1.{}", letters[n])];
        if swapped { [b, a] } else { [a, b] }
    };
    let muls: String = first
        .iter()
        .map(|n| {
            format!(
                "      {}: MUL             R2.{}, {}, {}\n",
                letters[*n],
                letters[*n],
                pair(*n)[0],
                pair(*n)[1]
            )
        })
        .collect();
    let mut lanes: Vec<String> = Vec::new();
    for (n, letter) in letters.iter().enumerate().take(3) {
        let [a, b] = pair(n);
        lanes.push(match first.contains(&n) {
            true => format!("R2.{letter}, 1.0f"),
            false => format!("{a}, {b}"),
        });
    }
    // The compiler puts the product into whichever lane is free.
    if !own_place {
        lanes.rotate_left(1);
    }
    lanes.push("0.0f, 0.0f".to_owned());
    let dots: String = ["x", "y", "z", "w"]
        .iter()
        .zip(&lanes)
        .map(|(unit, lane)| {
            let to = if *unit == "x" { "R3.x" } else { "____" };
            format!("      {unit}: DOT4            {to}, {lane}\n")
        })
        .collect();
    let muls = muls.replacen("      ", "  0   ", 1);
    let dots = dots.replacen("      ", "  1   ", 1);
    format!("00 ALU:\n{muls}{dots}01 EXP_DONE: PIX0, R3.xxxx\nEND_OF_PROGRAM\n")
}

#[test]
fn lanes_that_were_multiplied_before() {
    for first in [&[0][..], &[1], &[2], &[0, 1], &[1, 2], &[0, 2]] {
        for swapped in [false, true] {
            for own_place in [false, true] {
                let program = pixel(&product(first, swapped, own_place));
                let source = text(&program);
                let whole = source.contains("dot(param0.xyz, param1.xyz)")
                    || source.contains("dot(param1.xyz, param0.xyz)");
                assert!(whole, "{first:?} {swapped} {own_place}\n{source}");
                agrees(&program, 60);
            }
        }
    }
}

/// A vector of length 1, halved: the number goes to the reciprocal root first.
#[test]
fn normal_vectors_times_a_number() {
    let listing = "00 ALU:\n\
        \x20 0   x: MUL             R2.x, R0.z, R0.z\n\
        \x20 1   x: DOT4            R2.x, R0.x, R0.x\n      y: DOT4            ____, R0.y, R0.y\n\
        \x20     z: DOT4            ____, R2.x, 1.0f\n      w: DOT4            ____, 0.0f, 0.0f\n\
        \x20 2   t: RECIPSQRT_IEEE  R2.x, R2.x\n  3   x: MUL_IEEE        R2.x, R2.x, 0.5f\n\
        \x20 4   x: MULADD_IEEE     R3.x, R0.x, R2.x, 0.5f\n      y: MULADD_IEEE     R3.y, R0.y, R2.x, 0.5f\n\
        \x20     z: MULADD_IEEE     R3.z, R0.z, R2.x, 0.5f\n      w: MOV             R3.w, 1.0f\n\
        01 EXP_DONE: PIX0, R3.xyzw\nEND_OF_PROGRAM\n";
    let program = pixel(listing);
    let source = text(&program);
    assert!(source.contains("normalize(param0.xyz) * 0.5 + 0.5"), "{source}");
    agrees(&program, 100);
}

/// Rows of a matrix by columns, each in one instruction, with the last component multiplied before.
#[test]
fn rows_of_matrices() {
    let mut groups = String::new();
    for (n, row) in ["x", "y", "z"].iter().enumerate() {
        groups.push_str(&format!(
            "  {}   w: MUL             R3.w, R0.z, C2.{row}\n  {}   x: DOT4            {}, R0.x, C0.{row}\n\
             \x20     y: DOT4            {}, R0.y, C1.{row}\n      z: DOT4            {}, R3.w, 1.0f\n      w: DOT4            ____, 0.0f, 0.0f\n",
            2 * n,
            2 * n + 1,
            if *row == "x" { "R2.x" } else { "____" },
            if *row == "y" { "R2.y" } else { "____" },
            if *row == "z" { "R2.z" } else { "____" },
        ));
    }
    let listing = format!("00 ALU:\n{groups}01 EXP_DONE: PIX0, R2.xyz1\nEND_OF_PROGRAM\n");
    let latte = Latte {
        uniform_mode: unshade_stage::latte::UniformMode::Registers,
        uniforms: vec![Uniform {
            name: "turn".to_owned(),
            ty: VarType(25),
            count: 1,
            offset: 0,
            block: None,
        }],
        ..Latte::default()
    };
    let program = stage(&listing, StageKind::Fragment, latte);
    let source = text(&program);
    assert!(source.contains("turn * param0.xyz"), "{source}");
    agrees(&program, 60);
}

/// What a source says as `weights[i]` of a vector: four choices by the number, added up.
#[test]
fn components_by_their_numbers() {
    let mut groups = String::from("  0   t: FLT_TO_INT      R2.x, R1.x\n");
    for n in 1..4 {
        groups.push_str(&format!("  {n}   x: SUB_INT         R{}.x, R2.x, 0x{n:08X}\n", 3 + n));
    }
    let letters = ["x", "y", "z", "w"];
    for (n, register) in [2, 4, 5, 6].iter().enumerate() {
        groups.push_str(&format!(
            "  {}   x: CNDE_INT        R{}.x, R{register}.x, R0.{}, 0.0f\n",
            4 + n,
            7 + n,
            letters[n]
        ));
    }
    groups.push_str(
        "  8   x: ADD             R7.x, R7.x, R8.x\n  9   x: ADD             R9.x, R9.x, R10.x\n  10  x: ADD             R7.x, R7.x, R9.x\n",
    );
    let program = pixel(&format!("00 ALU:\n{groups}01 EXP_DONE: PIX0, R7.xxxx\nEND_OF_PROGRAM\n"));
    let source = text(&program);
    assert!(!source.contains(") + ("), "{source}");
    let source = source.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(source.contains("== 0 ? param0.x") && source.contains("== 3 ? param0.w : 0.0"), "{source}");
    agrees(&program, 100);
}

#[test]
fn the_case_that_was_wrong() {
    let Some(bytes) = case("s1.gsh") else { return };
    let stages = stages(&bytes);
    let source = text(&stages[0]);
    assert!(source.contains("sin(v_param_0.x)"), "{source}");
    agrees(&stages[0], 100);
}
