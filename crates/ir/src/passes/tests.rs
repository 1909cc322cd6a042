use super::*;
use crate::random;

/// Every pass, on what the passes before it made of random modules, keeps what runs show.
#[test]
fn strict_passes_keep_every_bit() {
    for seed in 0..800 {
        let mut module = random::module(seed);
        let original = module.clone();
        for (n, pass) in strict().iter().enumerate() {
            let before = module.clone();
            (pass.run)(&mut module);
            random::assert_equal(&before, &module, seed, &format!("pass {n} ({})", pass.name));
        }
        random::assert_equal(&original, &module, seed, "all passes");
    }
}

/// Each pass that works before the variables are gone, there.
#[test]
fn passes_work_on_variables() {
    for seed in 0..300 {
        for pass in [BRANCHES, VALUES, DEAD, INLINE, SELECT] {
            let before = random::module(seed);
            let mut after = before.clone();
            (pass.run)(&mut after);
            random::assert_equal(&before, &after, seed, pass.name);
        }
    }
}

#[test]
fn a_run_can_stop_and_reports() {
    let mut module = random::module(3);
    let report = run(&mut module, strict(), Some(2));
    assert_eq!(report.passes.iter().map(|(name, _)| *name).collect::<Vec<_>>(), ["ssa", "branches"]);
    assert!(report.assumptions.is_empty());
}
