//! Doubles, halves and the conversions between all formats, in programs of the Switch that are drawn: the machine,
//! the lifted program and the source tree give the same bits.

use unshade::verify::{Failure, verify};
use unshade::{DecompileOptions, Isa};
use unshade_isa::maxwell::asm::assemble;

/// R0-R7 are four doubles, R8-R11 floats, R12 and R13 pairs of halves, R14-R17 integers.
struct Drawn(u64);

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
        format!("R{}", 2 * self.below(4))
    }

    fn float(&mut self) -> String {
        format!("R{}", 8 + self.below(4))
    }

    fn halves(&mut self) -> String {
        format!("R{}", 12 + self.below(2))
    }

    fn integer(&mut self) -> String {
        format!("R{}", 14 + self.below(4))
    }

    /// A source with a sign.
    fn signed(&mut self, register: String) -> String {
        match self.below(5) {
            0 => format!("-{register}"),
            1 => format!("|{register}|"),
            2 => format!("-|{register}|"),
            _ => register,
        }
    }

    fn line(&mut self) -> String {
        let (to, a, b, c) = (self.double(), self.double(), self.double(), self.double());
        let (x, y, h, i) = (self.float(), self.float(), self.halves(), self.integer());
        let round = self.pick(&["", ".FLOOR", ".CEIL", ".TRUNC"]);
        let flush = self.pick(&["", ".FTZ"]);
        match self.below(17) {
            0 => format!("DADD {to}, {}, {}", self.signed(a), self.signed(b)),
            1 => format!("DMUL {to}, {a}, {b}"),
            2 => format!("DFMA {to}, {a}, {b}, {c}"),
            3 => {
                let which = self.pick(&["PT", "!PT"]);
                format!("DMNMX {to}, {}, {}, {which}", self.signed(a), self.signed(b))
            }
            4 => {
                let by = self.pick(&["LT", "GEU", "EQ", "NE", "NAN"]);
                format!("DSETP.{by}.AND P0, PT, {}, {b}, PT\n@P0 DADD {to}, {a}, {c}", self.signed(a.clone()))
            }
            5 => format!("F2F.F32.F64 {x}, {}", self.signed(a)),
            6 => format!("F2F.F64.F32 {to}, {}", self.signed(x)),
            7 => format!("F2F{flush}.F16.F16 {h}, {h}"),
            8 => format!("F2F{flush}.F16.F32 {h}, {}", self.signed(x)),
            9 => format!("F2F.FTZ.F64.F32 {to}, {x}"),
            10 => format!("F2F{flush}.F32.F16 {x}, {h}"),
            11 => format!("F2I.{}.F64{round} {i}, {a}", self.pick(&["S32", "U32"])),
            12 => format!("I2F.F64.{} {to}, {i}", self.pick(&["S32", "U32"])),
            13 => {
                let wide = format!("R{}", 14 + 2 * self.below(2));
                let format = self.pick(&["S64", "U64"]);
                match self.below(3) {
                    0 => format!("F2I.{format}.F64{round} {wide}, {a}"),
                    1 => format!("I2F.F64.{format} {to}, {wide}"),
                    _ => format!("I2F.F32.{format} {x}, {wide}"),
                }
            }
            14 => format!("HADD2{flush} {h}, {h}, {}", self.halves()),
            15 => format!("HFMA2{flush} {h}, {h}, {}, {h}", self.halves()),
            _ => format!("FADD {x}, {}, {}", self.signed(x.clone()), self.signed(y)),
        }
    }

    fn program(&mut self) -> String {
        let mut lines: Vec<String> =
            (0..18).map(|register| format!("MOV R{register}, c[0x3][{:#x}]", 4 * register)).collect();
        for _ in 0..3 + self.below(14) {
            lines.push(self.line());
        }
        // What NaN looks like is no concern: results of floats are seen as floats.
        for (at, double) in [0, 2, 4, 6].into_iter().enumerate() {
            lines.push(format!("F2F.F32.F64 R20, R{double}"));
            lines.push(format!("STS [{:#x}], R20", 4 * at));
        }
        for (at, half) in [12, 13].into_iter().enumerate() {
            lines.push(format!("F2F.F32.F16 R20, R{half}"));
            lines.push(format!("STS [{:#x}], R20", 0x20 + 4 * at));
        }
        for register in (8..12).chain(14..18) {
            lines.push(format!("STS [{:#x}], R{register}", 0x40 + 4 * register));
        }
        lines.push("EXIT".to_owned());
        lines.join("\n")
    }
}

#[test]
fn drawn_programs_keep_every_bit() {
    for seed in 0..120 {
        let text = Drawn::new(seed).program();
        let words = assemble(&text).unwrap_or_else(|errors| panic!("{text}\n{errors:#?}")).words;
        let stage = unshade::raw_stage(Isa::Maxwell, words, Vec::new());
        let verdict = verify(&stage, 24, seed);
        if let Some(failure) = &verdict.strict.failure {
            let tree = unshade::decompile(&stage, &DecompileOptions { strict: true, ..Default::default() });
            panic!(
                "{seed}: {failure}\n{text}\n{}",
                tree.map_or_else(|error| error.to_string(), |made| made.text)
            );
        }
        // Sums that cancel may differ more than is allowed where products are not fused; but all has a form.
        let readable = verdict.readable.failure;
        assert!(!matches!(readable, Some(Failure::Refused { .. })), "{seed}: {readable:?}\n{text}");
    }
}

/// In a file that holds every program of the corpus the one with doubles becomes source in both modes.
#[test]
fn files_with_doubles_become_source() {
    let corpus = unshade_corpus::shared("corpus");
    let Ok(bytes) = std::fs::read(corpus.join("bfsha/generated/real_all_v9.bfsha")) else {
        println!("skipped: no corpus at {}", corpus.display());
        return;
    };
    let opened = unshade::open(&bytes).unwrap();
    let mut doubles = [0, 0];
    for (_, stage) in opened.stages(None) {
        for strict in [true, false] {
            let options = DecompileOptions { strict, ..DecompileOptions::default() };
            // Whether the others have a form is no matter of doubles.
            let made = unshade::decompile(&stage, &options);
            let has = made.is_ok_and(|made| made.text.contains("double "));
            doubles[usize::from(strict)] += u32::from(has);
        }
    }
    assert!(doubles[0] >= 1 && doubles[0] == doubles[1], "{doubles:?}");
}
