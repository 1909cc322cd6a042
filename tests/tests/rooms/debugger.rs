//! The debugger on code that nobody wrote: any words, cut and changed programs, any commands.

use unshade_tests::corpus::{files, root};
use unshade_tests::properties::debug::debug;

/// Numbers that look random and are the same each time.
fn dice() -> impl FnMut() -> u64 {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    }
}

#[test]
fn random_words() {
    let mut dice = dice();
    for round in 0..240_u64 {
        let mut data = vec![40, (dice() >> 3) as u8];
        for _ in 0..40 + 8 * (round % 40) {
            data.push((dice() >> 5) as u8);
        }
        debug(&data);
    }
    debug(&[]);
    debug(&[0, 0]);
    debug(&[255; 300]);
}

/// The samples' bytes as code of every machine: what lies in files is nearer to programs than dice are.
#[test]
fn samples_as_code() {
    let mut dice = dice();
    for path in files(&root().join("samples")) {
        let bytes = std::fs::read(&path).unwrap();
        let binary = path.extension().is_some_and(|extension| {
            ["shbin", "mbs", "gsh", "dksh", "bnsh"].iter().any(|known| *known == extension)
        });
        if !binary {
            continue;
        }
        for which in 0..5 {
            for kind in [0, 16, 32] {
                let skip = (dice() % 16 * 4) as usize;
                let mut data = vec![24, which + kind];
                data.extend((0..24).map(|_| (dice() >> 7) as u8));
                data.extend(bytes.iter().skip(skip).take(1200));
                debug(&data);
            }
        }
    }
}
