//! Pictures of programs that nobody wrote: files whose bytes are changed, drawn small, as the fuzz target does it.

use std::time::Instant;
use unshade_tests::corpus::{files, root};
use unshade_tests::mutate::Dice;
use unshade_tests::targets::find;

#[test]
fn changed_files_are_drawn_or_refused() {
    let target = find("draw").unwrap();
    let (mut drawn, mut longest) = (0, 0.0_f64);
    for path in files(&root().join("samples")) {
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or("");
        if !["shbin", "mbs", "gsh", "dksh", "bnsh"].contains(&ending) {
            continue;
        }
        let bytes = std::fs::read(&path).unwrap();
        for seed in 0..12 {
            let mut dice = Dice::new(seed);
            let changed = (0..seed % 4).try_fold(bytes.clone(), |bytes, _| {
                let step = dice.pick(target.steps)?;
                step(&bytes, &mut dice)
            });
            let Some(changed) = changed else { continue };
            let start = Instant::now();
            (target.property)(&changed);
            longest = longest.max(start.elapsed().as_secs_f64());
            drawn += 1;
        }
    }
    println!("{drawn} files, the longest {longest:.2} s");
    assert!(drawn > 60);
}
