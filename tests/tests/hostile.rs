//! Files of a megabyte that mean harm, through everything that a command asks of a file: time and memory stay in
//! proportion (docs/promises.md).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use peak_alloc::PeakAlloc;
use std::sync::Mutex;
use std::time::{Duration, Instant};
use unshade::{ListingOptions, report};
use unshade_tests::corpus::{files, root};

#[global_allocator]
static HEAP: PeakAlloc = PeakAlloc;

/// The heap is one for all tests of this file: only one of them measures at a time.
static ALONE: Mutex<()> = Mutex::new(());

const KIB: usize = 1 << 10;
const MIB: usize = 1 << 20;

fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// A SHBIN of so many executables that are one, with half of the file for code: instructions, or a loop without end.
fn executables(count: usize, endless: bool) -> Vec<u8> {
    let code = MIB / 8;
    let front = 8 + 4 * count;
    let mut file = [b"DVLB".to_vec(), words(&[count as u32])].concat();
    file.extend(words(&vec![(front + 8 + 32 + 4 * code) as u32; count]));
    file.extend(b"DVLP");
    file.extend(words(&[0, 0x28, code as u32, 0x28 + 4 * code as u32, 0, 0x28, 0, 0, 0]));
    let jump = 0x9000_0000_u32;
    file.extend((0..code as u32).flat_map(|at| if endless { jump } else { 0x4C00_0000 | at }.to_le_bytes()));
    file.extend(b"DVLE");
    file.extend(words(&[0x1002, 0, 0, 0, 0, 0x40, 0, 0x40, 0, 0x40, 0, 0x40, 0, 0x40, 0]));
    file
}

/// A DKSH of programs that are each all of its code.
fn programs() -> Vec<u8> {
    let count = (MIB as u32 / 2 - 0x100) / 0x40;
    let control = (24 + 0x40 * count).next_multiple_of(0x100);
    let code = MIB as u32 - control;
    let mut file = [b"DKSH".to_vec(), words(&[24, control, code, 24, count])].concat();
    for _ in 0..count {
        file.extend(words(&[0, 0, 8]));
        file.resize(file.len() + 52, 0);
    }
    file.resize(control as usize, 0);
    file.resize(control as usize + 0x50, 0);
    while file.len() < MIB {
        file.extend(
            [0x07E0_u64, 0x4C98_0780_0017_0000, 0x5C68_1000_0017_0000, 0].map(u64::to_le_bytes).concat(),
        );
    }
    file.truncate(MIB);
    file
}

#[test]
fn programs_that_share_code_cost_what_their_file_does() {
    let _alone = ALONE.lock();
    for (name, bytes) in [
        ("executables", executables(1000, false)),
        ("executables without end", executables(1000, true)),
        ("programs", programs()),
    ] {
        let mut longest = (Duration::ZERO, "");
        let mut time = |what, work: &mut dyn FnMut()| {
            let start = Instant::now();
            work();
            longest = longest.max((start.elapsed(), what));
        };
        let opened = unshade::open(&bytes).unwrap();
        let listed = report::items(&opened, None).items.len();
        assert!((1..1000).contains(&listed), "{name}: {listed}");
        time("items", &mut || drop(report::items(&opened, None)));
        time("info", &mut || drop(report::info(&bytes, &opened)));
        time("stats", &mut || drop(report::stats(&opened, None)));
        time("owners", &mut || drop(unshade::owners::owners(&bytes, &opened)));
        time("control flow", &mut || {
            opened.stages(None).take(2).for_each(|(_, stage)| {
                unshade::cfg::cfg(&stage);
            })
        });
        let mut told = false;
        time("check", &mut || {
            let checked = report::check(&bytes, &[], None);
            told = checked.diagnostics.iter().any(|finding| finding.code == "container.shared-code");
        });
        assert!(told, "{name}");
        let container = &opened.containers[0].container;
        time("disassembly", &mut || {
            drop(unshade::disassemble_container(container, &ListingOptions::default()))
        });
        // A listing of programs says that it has not all of them; that of a SHBIN has its code once.
        let listing = unshade::disassemble_container(container, &ListingOptions::default());
        assert_eq!(listing.text().contains("; Not all programs: expected"), name == "programs");
        drop(listing);
        // Those that were left out are found by name.
        let last = format!("{}", 900);
        let last = if name == "programs" { format!("{last}/vertex") } else { last };
        time("one by its name", &mut || assert_eq!(opened.stages(Some(&last)).count(), 1, "{name}"));
        println!("{name}: {listed} are listed; longest {longest:?}");
        assert!(longest.0 < Duration::from_secs(5), "{name}: {longest:?}");
    }
}

/// A listing as text takes at most 64 times the code and 64 KiB.
#[test]
fn disassembly_takes_memory_in_proportion() {
    let _alone = ALONE.lock();
    let mut all: Vec<Vec<u8>> =
        files(&root().join("samples")).iter().map(|p| std::fs::read(p).unwrap()).collect();
    all.extend(
        unshade_tests::corpus::shared("disassembly of the corpus")
            .iter()
            .flat_map(|folder| files(&folder.join("corpus")))
            .filter_map(|path| {
                let small = std::fs::metadata(&path).is_ok_and(|about| about.len() < 4 * MIB as u64);
                small.then(|| std::fs::read(&path).unwrap())
            }),
    );
    all.push(programs());
    // Tables of instruction sets are made once, when the first program of a set comes.
    for bytes in &all {
        let opened = unshade::open(bytes).unwrap_or_default();
        for (_, stage) in opened.stages(None).take(2) {
            let _ = unshade::disassemble_stage_to_text(&stage, &ListingOptions::default());
        }
    }
    let (mut seen, mut worst) = (0, 0.0_f64);
    for bytes in all {
        let Ok(opened) = unshade::open(&bytes) else { continue };
        for inner in &opened.containers {
            for stage in inner.container.stages().take(64) {
                let code = stage.code.words.len() * 4;
                HEAP.reset_peak_usage();
                let before = HEAP.current_usage();
                let listing = unshade::disassemble_stage_to_text(&stage, &ListingOptions::default());
                let taken = HEAP.peak_usage().saturating_sub(before);
                drop(listing);
                assert!(
                    taken <= 64 * code + 64 * KIB,
                    "{}: {taken} for {code} bytes of {}",
                    stage.id,
                    stage.isa
                );
                worst = worst.max(taken.saturating_sub(64 * KIB) as f64 / code.max(1) as f64);
                seen += 1;
            }
        }
    }
    println!("{seen} programs, at worst {worst:.1} times the code and 64 KiB");
    assert!(seen > 30);
}
