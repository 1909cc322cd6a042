//! Rounding toward zero, down and up, and sums that are shifted, in programs of the Switch: the machine, the lifted
//! program and the source tree give the same bits, and the reference compiler takes the source.

use std::process::Command;
use unshade::verify::{Failure, verify};
use unshade::{DecompileOptions, Isa};
use unshade_isa::maxwell::asm::assemble;

/// R0-R7 are four doubles, R8-R11 floats, R12 a pair of halves, R14-R17 integers.
struct Drawn(u64);

/// Upper words of doubles that are at some end, of which the lower word is drawn.
const EDGES: [&str; 10] = [
    "0x7fefffff",
    "0xffefffff",
    "0x00000000",
    "0x80000000",
    "0x00100000",
    "0x20000000",
    "0x9ff00000",
    "0x3ff00000",
    "0x5ff00001",
    "0x7ff00000",
];

/// Floats at some end.
const ENDS: [&str; 8] = [
    "0x7f7fffff",
    "0xff7fffff",
    "0x00000001",
    "0x80000001",
    "0x00800000",
    "0x1fffffff",
    "0x3f800001",
    "0x80000000",
];

impl Drawn {
    fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    fn below(&mut self, limit: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as u32 % limit
    }

    fn pick<'t>(&mut self, from: &[&'t str]) -> &'t str {
        from[self.below(from.len() as u32) as usize]
    }

    fn double(&mut self) -> String {
        format!("{}R{}", self.pick(&["", "-"]), 2 * self.below(4))
    }

    fn float(&mut self) -> String {
        format!("{}R{}", self.pick(&["", "-"]), 8 + self.below(4))
    }

    fn line(&mut self) -> String {
        let round = self.pick(&[".RM", ".RP", ".RZ"]);
        let flush = self.pick(&["", ".FTZ"]);
        let wins = self.pick(&["", ".FTZ", ".FMZ"]);
        let limit = self.pick(&["", "", ".SAT"]);
        let (to, x) = (format!("R{}", 2 * self.below(4)), format!("R{}", 8 + self.below(4)));
        let i = format!("R{}", 14 + self.below(4));
        match self.below(13) {
            0 | 1 => format!("FADD{flush}{round}{limit} {x}, {}, {}", self.float(), self.float()),
            2 => format!("FMUL{wins}{round}{limit} {x}, R{}, {}", 8 + self.below(4), self.float()),
            3 => {
                let scale = self.pick(&[".D2", ".M2", ".M8"]);
                format!("FMUL{wins}{scale}{round} {x}, R{}, {}", 8 + self.below(4), self.float())
            }
            4 | 5 => {
                let a = 8 + self.below(4);
                format!("FFMA{wins}{round}{limit} {x}, R{a}, {}, {}", self.float(), self.float())
            }
            6 => format!("DADD{round} {to}, {}, {}", self.double(), self.double()),
            7 => format!("DMUL{round} {to}, R{}, {}", 2 * self.below(4), self.double()),
            8 => format!("F2F.F32.F64{round} {x}, {}", self.double()),
            9 => format!("F2F{flush}.F16.F32{round} R12, {}", self.float()),
            10 => format!("F2F.F32.F64{round}.SAT {x}, {}", self.double()),
            11 => format!("I2F.F32.{}{round} {x}, {i}", self.pick(&["S32", "U32"])),
            _ => {
                let wide = 14 + 2 * self.below(2);
                match self.below(3) {
                    0 => format!("I2F.F32.{}{round} {x}, R{wide}", self.pick(&["S64", "U64"])),
                    1 => format!("I2F.F64.{}{round} {to}, R{wide}", self.pick(&["S64", "U64"])),
                    _ => format!("I2F.F16.{}{round} R12, {i}", self.pick(&["S32", "U32"])),
                }
            }
        }
    }

    fn program(&mut self) -> String {
        let mut lines: Vec<String> =
            (0..18).map(|register| format!("MOV R{register}, c[0x3][{:#x}]", 4 * register)).collect();
        for _ in 0..self.below(4) {
            lines.push(format!("MOV32I R{}, {}", 1 + 2 * self.below(4), self.pick(&EDGES)));
        }
        for _ in 0..self.below(4) {
            lines.push(format!("MOV32I R{}, {}", 8 + self.below(4), self.pick(&ENDS)));
        }
        for _ in 0..3 + self.below(10) {
            lines.push(self.line());
        }
        // What NaN looks like is no concern: of doubles it becomes zero, results of floats are seen as floats.
        for double in [0, 2, 4, 6] {
            lines.push(format!("DSETP.NAN.AND P0, PT, R{double}, R{double}, PT"));
            for word in [double, double + 1] {
                lines.push(format!("@P0 MOV R{word}, RZ"));
                lines.push(format!("STS [{:#x}], R{word}", 4 * word));
            }
        }
        lines.push("F2F.F32.F16 R20, R12".to_owned());
        lines.push("STS [0x20], R20".to_owned());
        for register in 8..12 {
            lines.push(format!("FADD R20, R{register}, -RZ"));
            lines.push(format!("STS [{:#x}], R20", 0x40 + 4 * register));
        }
        lines.push("EXIT".to_owned());
        lines.join("\n")
    }
}

/// What the reference compiler says of a source; nothing where it is missing.
fn complaint(name: &str, text: &str) -> Option<String> {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.comp"));
    std::fs::write(&path, text).unwrap();
    let output = Command::new("glslangValidator").arg(&path).output().ok()?;
    (!output.status.success()).then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn drawn_programs_keep_every_bit() {
    for seed in 0..160 {
        let text = Drawn::new(seed).program();
        let words = assemble(&text).unwrap_or_else(|errors| panic!("{text}\n{errors:#?}")).words;
        let stage = unshade::raw_stage(Isa::Maxwell, words, Vec::new());
        let made = unshade::decompile(&stage, &DecompileOptions { strict: true, ..Default::default() });
        let made = made.map_or_else(|error| error.to_string(), |made| made.text);
        let verdict = verify(&stage, 32, seed);
        if let Some(failure) = &verdict.strict.failure {
            panic!("{seed}: {failure}\n{text}\n{made}");
        }
        assert!(verdict.strict.compared > 0);
        if seed < 24
            && let Some(why) = complaint(&format!("directed{seed}"), &made)
        {
            panic!("{seed}: {why}\n{made}");
        }
        // Readable mode rounds to nearest, which may differ more than is allowed; but all has a form.
        let readable = verdict.readable.failure;
        assert!(!matches!(readable, Some(Failure::Refused { .. })), "{seed}: {readable:?}\n{text}");
    }
}

/// A sum of doubles has no exact step to a fused product in that direction; the words name it.
#[test]
fn fused_products_of_doubles_are_refused_by_name() {
    let text = "MOV R0, c[0x3][0x0]\nMOV R1, c[0x3][0x4]\nDFMA.RM R0, R0, R0, R0\nSTS [0x0], R0\nSTS [0x4], R1\nEXIT";
    let stage = unshade::raw_stage(Isa::Maxwell, assemble(text).unwrap().words, Vec::new());
    let error =
        unshade::decompile(&stage, &DecompileOptions { strict: true, ..Default::default() }).unwrap_err();
    let error = error.to_string();
    assert!(error.contains("FFma") && error.contains("F64") && error.contains("Down"), "{error}");
    assert!(unshade::decompile(&stage, &DecompileOptions::default()).is_ok());
}

/// Sums with a scale are shifted as a whole, not what of them is left in 32 bits.
#[test]
fn scaled_sums_are_shifted_as_a_whole() {
    let mut seed = 0;
    for types in ["U16.U16", "S16.S16", "U16.S16", "S16.U16", "U8.U8", "S8.U16"] {
        for scale in ["", ".SHR_7", ".SHR_15"] {
            for (plus, minus, less) in [("", "", ""), (".PO", "", ""), ("", "-", ""), ("", "", "-")] {
                let part = |of: &str| if of.ends_with('8') { "B2" } else { "H1" };
                let (first, second) = types.split_once('.').unwrap();
                let text = format!(
                    "MOV R0, c[0x3][0x0]\nMOV R1, c[0x3][0x4]\nMOV R2, c[0x3][0x8]\n\
                     VMAD.{types}{plus}{scale} R3, {minus}R0.{}, R1.{}, {less}R2\nSTS [0x0], R3\nEXIT",
                    part(first),
                    part(second),
                );
                let words = assemble(&text).unwrap_or_else(|errors| panic!("{text}\n{errors:#?}")).words;
                let stage = unshade::raw_stage(Isa::Maxwell, words, Vec::new());
                let verdict = verify(&stage, 64, seed);
                seed += 1;
                for section in [verdict.strict, verdict.readable] {
                    assert!(
                        section.failure.is_none() && section.compared == 64,
                        "{:?}\n{text}",
                        section.failure
                    );
                }
            }
        }
    }
}
