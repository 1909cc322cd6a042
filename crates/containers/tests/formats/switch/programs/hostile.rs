//! Damaged files: whatever reads can be asked for stages and programs, and given others, without a panic and in bounded
//! time; what is refused changes nothing.

use crate::switch::programs::{Random, ids};
use std::time::{Duration, Instant};
use unshade_containers::{Container, NewProgram};

fn sample(name: &str) -> Vec<u8> {
    std::fs::read(format!("{}/../../samples/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

/// Everything that can be asked of a file that was read.
fn exercise(file: &Container, good: &Container, random: &mut Random) -> usize {
    let mut done = 0;
    let mut stages = ids(file);
    stages.truncate(3);
    let others = ids(good);
    for id in &stages {
        let mut edited = file.clone();
        if let Ok(stage) = file.take(id) {
            let _ = stage.stage();
            done += usize::from(edited.put(id, &stage).is_ok());
            // A damaged stage in a sound file.
            let mut other = good.clone();
            for target in &others {
                done += usize::from(other.put(target, &stage).is_ok());
            }
        }
        for other in &others {
            let stage = good.take(other).unwrap();
            let before = edited.clone();
            match edited.put(id, &stage) {
                Ok(()) => done += 1,
                Err(error) => {
                    assert!(!error.to_string().is_empty());
                    assert!(edited == before);
                }
            }
        }
        for item in
            [id.0.split('/').next().unwrap().to_owned(), id.0.rsplit_once('/').map_or("0", |(a, _)| a).into()]
        {
            if let Ok(mut what) = file.copy_of(&item) {
                let at = (random.below(2) == 0).then(|| random.below(3));
                what = NewProgram { at, ..what };
                let mut edited = file.clone();
                done += usize::from(edited.add(&what).is_ok());
                let mut edited = good.clone();
                done += usize::from(edited.add(&what).is_ok());
            }
            let mut edited = file.clone();
            if let Ok(removed) = edited.remove(&item) {
                done += 1 + usize::from(edited.add(&removed.again).is_ok());
            }
        }
    }
    done
}

#[test]
fn damaged_files() {
    let start = Instant::now();
    let mut random = Random(0xBAD);
    for name in ["two_stages.bnsh", "options.bfsha", "options_v5.bfsha", "texture.frag.dksh", "source.bnsh"] {
        let bytes = sample(name);
        let good = Container::read(&bytes).unwrap();
        let (mut read, mut done) = (0, 0);
        let cases = if name.ends_with("dksh") { 300 } else { 120 };
        for _ in 0..cases {
            let mut damaged = bytes.clone();
            for _ in 0..=random.below(3) {
                let at = random.below(damaged.len());
                match random.below(3) {
                    0 => damaged[at] ^= 1 << random.below(8),
                    1 => damaged[at] = [0, 1, 0x7F, 0xFF][random.below(4)],
                    _ => {
                        // A pointer or a count of another place.
                        let from = random.below(damaged.len() / 8 - 1) * 8;
                        let to = at / 8 * 8;
                        if to + 8 <= damaged.len() {
                            damaged.copy_within(from..from + 8, to);
                        }
                    }
                }
            }
            if let Ok(file) = Container::read(&damaged) {
                read += 1;
                done += exercise(&file, &good, &mut random);
            }
        }
        println!("{name}: {read} of {cases} read, {done} edits done");
        assert!(read > 0);
    }
    assert!(start.elapsed() < Duration::from_secs(300), "{:?}", start.elapsed());
}
