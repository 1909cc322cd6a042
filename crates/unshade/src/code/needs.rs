//! What a container has to state of a program, from its code.

use unshade_isa::{Machine, with_machine};
use unshade_stage::CodeFacts;
use unshade_stage::Stage;

/// What the code of a stage needs.
pub(crate) fn needs(stage: &Stage<'_>) -> CodeFacts {
    with_machine!(stage.isa, M => M::facts(&stage.code), _ => CodeFacts::default())
}

/// What to state of new code, where `stated` was stated of the old: what agreed with the old code agrees with the new;
/// what was more generous stays, unless it is too little now.
pub(crate) fn follow(stated: &CodeFacts, old: &CodeFacts, new: &CodeFacts) -> CodeFacts {
    let number = |stated: Option<u32>, old: Option<u32>, new: Option<u32>| match stated {
        Some(stated) if Some(stated) != old => new.map(|new| new.max(stated)),
        Some(_) => new,
        None => None,
    };
    let discards = match (stated.discards, new.discards) {
        (Some(stated), Some(new)) if Some(stated) != old.discards => Some(stated || new),
        (Some(_), new) => new,
        (None, _) => None,
    };
    CodeFacts {
        registers: number(stated.registers, old.registers, new.registers),
        stack: number(stated.stack, old.stack, new.stack),
        attribute_prefetch: number(stated.attribute_prefetch, old.attribute_prefetch, new.attribute_prefetch),
        discards,
    }
}

#[cfg(test)]
mod tests {
    use super::follow;
    use unshade_stage::CodeFacts;

    #[test]
    fn generous_claims_stay_and_exact_ones_follow() {
        let claims = |registers| CodeFacts { registers: Some(registers), ..CodeFacts::default() };
        for (stated, old, new, expected) in [(5, 5, 3, 3), (5, 5, 9, 9), (16, 5, 9, 16), (16, 5, 20, 20)] {
            assert_eq!(follow(&claims(stated), &claims(old), &claims(new)), claims(expected));
        }
        assert_eq!(follow(&CodeFacts::default(), &claims(1), &claims(2)), CodeFacts::default());
    }
}
