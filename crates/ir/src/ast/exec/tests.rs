use super::super::build::{BuildError, Mode, build};
use super::*;
use crate::exec::Memory;
use crate::random::{inputs, module, observe, same};
use crate::{Module, passes, ssa};

fn observe_tree(program: &Program, seed: u64, fuel: u64) -> Option<(Outcome, Memory)> {
    let mut memory = inputs(seed);
    let run = run(program, &mut memory, Limits::fuel(fuel));
    matches!(run.outcome, Outcome::Ended | Outcome::Discarded).then_some((run.outcome, memory))
}

/// Checks that the tree of a module shows what the module shows; false if it has no tree.
fn check(before: &Module, module: &Module, seed: u64, what: &str) -> bool {
    let built = match build(module, Mode::Strict) {
        Ok(built) => built,
        Err(BuildError::Recursion { .. }) => return false,
        Err(error) => panic!("{what}, seed {seed}: {error}\n{module}"),
    };
    for case in 0..6 {
        let Some(expected) = observe(before, seed ^ case << 32, 20_000) else { continue };
        let got = observe_tree(&built.program, seed ^ case << 32, 400_000);
        assert!(
            got.as_ref().is_some_and(|got| same(&expected, got)),
            "{what}, seed {seed}, case {case}: {expected:?}\nbecame {got:?}\nmodule:\n{module}\ntree:\n{:#?}",
            built.program
        );
    }
    true
}

#[test]
fn trees_of_random_modules_show_the_same() {
    let mut checked = 0;
    for seed in 0..3000 {
        let before = module(seed);
        let mut after = before.clone();
        ssa::run(&mut after);
        checked += u32::from(check(&before, &after, seed, "ssa"));
        passes::run(&mut after, passes::strict(), None);
        check(&before, &after, seed, "strict passes");
    }
    assert!(checked > 2000, "{checked}");
}
