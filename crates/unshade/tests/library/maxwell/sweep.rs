//! Programs of growing size: long ones, deep ones, ones with many fetches. Each is decompiled and verified, and what that takes grows as
//! the program does: no step of it is worse than that. Time is not looked at here (benchmark row B19 has it); the length of the text
//! and the work are. `UNSHADE_SWEEP=1` adds programs of ten thousand instructions and prints what each took.

use super::fragment;
use std::fmt::Write;
use std::time::Instant;
use unshade::verify::{Standing, verify_within};
use unshade::{DecompileOptions, maxwell::layout};

/// A kind of program: the text of one of about so many instructions.
type Make = fn(usize) -> String;

const START: &str = "IPA.PASS R0, a[0x7c], RZ\nMUFU.RCP R0, R0\nIPA R4, a[0x80], R0\nIPA R5, a[0x84], R0\n\
                     IPA R6, a[0x88], R0\nIPA R7, a[0x8c], R0\n";
const END: &str = "MOV R0, R4\nMOV R1, R5\nMOV R2, R6\nMOV R3, R7\nEXIT\n";

fn between(body: &str) -> String {
    format!("{START}{body}{END}")
}

/// Arithmetic without a branch.
fn straight(size: usize) -> String {
    let mut body = String::new();
    for step in 0..size.saturating_sub(11) {
        let (a, b, at) = (4 + step % 4, 4 + (step + 1) % 4, 4 * (step % 1024));
        let _ = match step % 4 {
            0 => writeln!(body, "FFMA R{a}, R{b}, c[0x3][{at:#x}], R{a}"),
            1 => writeln!(body, "FMUL R{a}, R{a}, c[0x3][{at:#x}]"),
            2 => writeln!(body, "FADD R{a}, R{a}, -R{b}"),
            _ => writeln!(body, "FMNMX R{a}, R{a}, 4, PT"),
        };
    }
    between(&body)
}

/// Conditions inside of each other, four instructions each; beyond some dozen beside each other, as no source goes deeper.
fn nested(size: usize) -> String {
    let mut body = String::new();
    let depth = 24;
    let count = size.saturating_sub(11) / 4;
    for first in (0..count).step_by(depth) {
        let last = (first + depth).min(count);
        for n in first..last {
            let at = 4 * (n % 1024);
            let _ = writeln!(
                body,
                "FSETP.GT.AND P0, PT, R4, c[0x3][{at:#x}], PT\n@!P0 BRA behind{n}\nFADD R4, R4, c[0x3][{at:#x}]\n\
                 FMUL R{}, R4, 0.5",
                5 + n % 3
            );
        }
        for n in (first..last).rev() {
            let _ = writeln!(body, "behind{n}:");
        }
    }
    between(&body)
}

/// Loops that end, six instructions each.
fn loops(size: usize) -> String {
    let mut body = String::new();
    for n in 0..size.saturating_sub(11) / 6 {
        let _ = writeln!(
            body,
            "MOV R8, RZ\nagain{n}:\nFFMA R4, R5, 0.5, R4\nFMUL R5, R5, c[0x3][{:#x}]\nIADD R8, R8, 0x1\n\
             ISETP.LT.AND P0, PT, R8, 0x3, PT\n@P0 BRA again{n}",
            4 * (n % 1024)
        );
    }
    between(&body)
}

/// Fetches from 24 textures, four instructions each.
fn textures(size: usize) -> String {
    let mut body = String::new();
    for n in 0..size.saturating_sub(11) / 4 {
        let _ = writeln!(
            body,
            "TEXS R8, R6, R4, R5, {:#x}, 2D, RGBA\nFADD R4, R6, R8\nFFMA R5, R7, 0.5, R9\nFMUL R6, R8, 0.5",
            0x1a4 + n % 24
        );
    }
    between(&body)
}

#[test]
fn cost_grows_as_programs_do() {
    let wide = std::env::var_os("UNSHADE_SWEEP").is_some();
    let sizes: &[usize] = if wide { &[10, 100, 1_000, 3_000, 10_000] } else { &[10, 100, 600] };
    let kinds: [(&str, Make); 4] =
        [("straight", straight), ("nested", nested), ("loops", loops), ("textures", textures)];
    for (name, make) in kinds {
        for &size in sizes {
            let stage = fragment(&make(size));
            let count = layout::instructions(&stage.code.words).count();
            assert!(count <= size + 16, "{name}: {count} of {size}");
            let start = Instant::now();
            for strict in [false, true] {
                let options = DecompileOptions { strict, ..DecompileOptions::default() };
                let made = unshade::decompile(&stage, &options);
                let text = made.unwrap_or_else(|error| panic!("{name} {size}: {error}")).text;
                assert!(text.len() <= 4_000 + 400 * count, "{name} {size}: {} bytes", text.len());
            }
            let decompiled = start.elapsed();
            let verdict = verify_within(&stage, 8, 1, 1 << 20);
            if wide {
                println!(
                    "{name} {size}: decompiled twice in {decompiled:?}, verified by {:?}",
                    start.elapsed()
                );
            }
            let failed = [&verdict.strict, &verdict.readable].map(|section| section.failure.clone());
            assert_eq!(failed, [None, None], "{name} {size}");
            // Eight cases are far from what the work is.
            assert_eq!((verdict.strict.left, verdict.readable.left), (0, 0), "{name} {size}");
            assert_ne!(verdict.standing(), Standing::Unfinished, "{name} {size}");
        }
    }
}

/// A loop of which an input says how often it runs, which is a number of any size.
#[test]
fn long_runs_are_unfinished() {
    let body = "MOV R8, RZ\nagain:\nIADD R8, R8, 0x1\nFFMA R5, R5, 0.5, R4\nISETP.LT.U32.AND P0, PT, R8, c[0x3][0x0], PT\n\
                @P0 BRA again\n";
    let verdict = verify_within(&fragment(&between(body)), 4096, 1, 1 << 20);
    assert_eq!(verdict.standing(), Standing::Unfinished, "{verdict:?}");
    for section in [&verdict.strict, &verdict.readable] {
        assert_eq!(section.failure, None);
        assert_eq!(section.compared + section.outside.total() + section.left, 4096);
        assert!(section.left > 0);
    }
}

/// A hash of the input, and what one pixel in a hundred shows behind it: neither side is wrong where they differ.
#[test]
fn chaos_is_not_called_wrong() {
    let mut body = String::new();
    for (register, by) in [(4, 443.897_f32), (5, 441.423), (6, 437.195)] {
        let _ = writeln!(
            body,
            "MOV32I R9, {:#x}\nFMUL R{register}, R{register}, R9\nF2F.F32.F32.FLOOR R8, R{register}\n\
             FADD R{register}, R{register}, -R8",
            by.to_bits()
        );
    }
    let _ = writeln!(
        body,
        "FADD R8, R4, R5\nMOV32I R9, {:#x}\nFFMA R8, R8, R9, R6\nFMUL R8, R8, R8\nF2F.F32.F32.FLOOR R9, R8\n\
         FADD R8, R8, -R9\nMOV32I R9, {:#x}\nFSETP.GT.AND P0, PT, R8, R9, PT\nMOV R4, RZ\n@P0 FMUL R4, R8, R7",
        19.19_f32.to_bits(),
        0.99_f32.to_bits()
    );
    let verdict = verify_within(&fragment(&between(&body)), 4096, 1, 1 << 24);
    assert_eq!(verdict.readable.failure, None);
    assert_eq!(verdict.standing(), Standing::Pass, "{verdict:?}");
}
