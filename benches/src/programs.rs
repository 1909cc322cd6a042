//! What the rows work on: the project's own samples, and a long program made from one of them.

use unshade::assembly::Source;
use unshade::pica200::asm;
use unshade::pica200::asm::Assembly;

/// Small files of several kinds.
pub const SMALL: &[&[u8]] = &[
    include_bytes!("../../samples/passthrough.shbin"),
    include_bytes!("../../samples/loops.shbin"),
    include_bytes!("../../samples/shared_transform.shbin"),
    include_bytes!("../../samples/particles.shbin"),
    include_bytes!("../../samples/lighting.shbin"),
];

/// Assembles one source.
pub fn assemble(text: &str) -> Result<Assembly, String> {
    asm::assemble(&[Source { name: "bench.v.pica", text }], asm::Options::default())
        .map_err(|findings| findings.first().map(ToString::to_string).unwrap_or_default())
}

/// Steps of [`long_source`] that make as many instructions as a vertex program may have (512 words).
pub const PICA_STEPS: usize = 41;
/// Clauses of [`long_latte_source`] for the rows about text.
pub const LATTE_CLAUSES: usize = 24;
/// Steps of [`long_maxwell_source`] for the rows about programs.
pub const MAXWELL_STEPS: usize = 24;

/// A source of so many steps of twelve instructions, of the kinds that real programs are made of.
pub fn long_source(steps: usize) -> String {
    let mut text = String::from(
        ".fvec rows[16], tint\n.in position\n.in normal\n.out out0 position\n.out out1 color\n.proc main\n\tmov r0, position\n\tmov r1, normal\n",
    );
    for step in 0..steps {
        let (a, b) = (step % 6 + 2, (step + 1) % 6 + 2);
        let row = step % 4 * 4;
        text.push_str(&format!(
            "\tdp4 r{a}.x, rows[{row}], r0\n\tdp4 r{a}.y, rows[{}], r0\n\tdp4 r{a}.z, rows[{}], r0\n\tdp4 r{a}.w, rows[{}], r0\n",
            row + 1, row + 2, row + 3
        ));
        text.push_str(&format!(
            "\tdp3 r8.x, r{a}, r1\n\tmax r8.x, r8, r1\n\trsq r8.y, r8.x\n\tmul r{b}.xyz, r{a}, r8.y\n\tmad r0, r{a}, tint, r0\n\tadd r1.xyz, -rows[{row}], r{b}\n\tmin r1, tint, r1\n\tmov r9.xy, r{b}.wzyx\n",
        ));
    }
    text.push_str("\tmov out0, r0\n\tmov out1, r1\n\tend\n.end\n");
    text
}

/// A vertex program of the Wii U as compilers make them: matrices from cached constants, lighting with reciprocals,
/// a texture fetch now and then; clauses of up to 128 units.
pub fn long_latte_source(clauses: usize) -> String {
    let mut text = String::from("00 CALL_FS NO_BARRIER\n");
    for clause in 0..clauses {
        text.push_str("ALU: KCACHE0(CB1:0-15)\n");
        for step in 0..6 {
            let (a, b) = (2 + (clause + step) % 9, 3 + (clause + 2 * step) % 9);
            let row = step % 4 * 4;
            text.push_str(&format!(
                "- x: MUL ____, R{a}.x, KC0[{row}].x\n y: MUL ____, R{a}.x, KC0[{row}].y\n\
                 - x: MULADD R127.x, R{a}.y, KC0[{row}].x, PV.x\n y: MULADD R127.y, R{a}.y, KC0[{row}].y, PV.y\n\
                 - x: MULADD R{b}.x, R{a}.z, KC0[{row}].z, PV.x\n w: MULADD R{b}.w, R{a}.z, KC0[{row}].w, PV.y\n\
                 - x: DOT4 R12.x, R{a}.x, R{b}.x\n y: DOT4 ____, R{a}.y, R{b}.y\n z: DOT4 ____, R{a}.z, R{b}.z\n \
                 w: DOT4 ____, R{a}.w, R{b}.w\n t: RECIP_IEEE R13.z, R{b}.w\n\
                 - x: MAX ____, PV.x, 0.0f\n z: ADD R14.z, -|R{a}.z|, (0x40A00000, 5)\n w: MOV R14.w, R{b}.y\n\
                 - y: MUL R{b}.y, PV.x, R{a}.w CLAMP\n"
            ));
        }
        if clause % 4 == 0 {
            text.push_str(
                "TEX: VALID_PIX\n- SAMPLE R5.xyzw, R4.xy0x, t1, s1\n- SAMPLE_L R6.xyz_, R4.xy0w, t2, s2\n",
            );
        }
    }
    text.push_str(
        "EXP_DONE: POS0, R2.xyzw\nEXP_DONE: PARAM0, R3.xyzw BURSTCNT(3) NO_BARRIER\nEND_OF_PROGRAM\n",
    );
    text
}

/// A fragment program of the Switch of the kinds of instructions that compilers make: interpolated inputs, products and
/// sums with constants, roots, comparisons, integers, a texture now and then, and a branch.
pub fn long_maxwell_source(steps: usize) -> String {
    let mut text = String::from("IPA.PASS R0, a[0x7c], RZ\nMUFU.RCP R0, R0\n");
    for register in 0..6 {
        text.push_str(&format!("IPA R{}, a[{:#x}], R0\n", 4 + register, 0x80 + 4 * register));
    }
    for step in 0..steps {
        let (a, b, c) = (4 + step % 4, 10 + step % 6, 10 + (step + 1) % 6);
        // A bank has 64 KiB.
        let at = 16 * (step % 4096);
        text.push_str(&format!(
            "FMUL R{b}, R{a}, c[0x3][{at:#x}]\nFFMA R{b}, R5, c[0x3][{:#x}], R{b}\n\
             FFMA.FTZ R{b}, R6, c[0x3][{:#x}], R{b}\nFADD R{b}, R{b}, -c[0x3][{:#x}]\n",
            at + 4,
            at + 8,
            at + 12
        ));
        text.push_str(&format!(
            "FMUL R16, R{b}, R{b}\nFMNMX R16, R16, 0.0009765625, !PT\nMUFU.RSQ R17, R16\nFMUL R{c}, R{b}, R17\n\
             FFMA R{a}, R{c}, -0.25, R{a}\nFSETP.GT.AND P0, PT, R{c}, RZ, PT\n@P0 FADD R{a}, R{a}, R{c}\n\
             SEL R18, R{b}, R{c}, P0\nF2I.S32.F32.TRUNC R19, R18\nLOP.AND R19, R19, 0x7\nSHL R19, R19, 0x1\n\
             IADD R19, R19, {}\nI2F.F32.S32 R19, R19\nFFMA R{b}, R19, 0.125, R{b}\n"
        ,
            step % 1024
        ));
        if step % 6 == 5 {
            text.push_str(&format!(
                "TEXS R20, R18, R8, R9, 0x1a4, 2D, RGBA\n@!P0 BRA behind{step}\nFADD R{b}, R{b}, R18\n\
                 FMUL R{b}, R{b}, R21\nbehind{step}:\n"
            ));
        }
    }
    text.push_str("MOV R0, R10\nMOV R1, R11\nMOV R2, R12\nMOV R3, R13\nEXIT\n");
    text
}
