//! Conditions inside of conditions that ask the same again: only the part that can run stays.

use super::{
    Item, Program,
    condition::{Join, Test},
    live::Replacements,
};

/// Takes away what cannot run.
pub fn nested(program: &mut Program) {
    let mut replacements = Replacements::default();
    let mut body = std::mem::take(&mut program.body);
    block(program, &mut body, &mut Vec::new(), &mut replacements);
    program.body = body;
    for index in 0..program.procedures.len() {
        let Some(procedure) = program.procedures.get_mut(index) else { break };
        let mut body = std::mem::take(&mut procedure.body);
        block(program, &mut body, &mut Vec::new(), &mut replacements);
        if let Some(procedure) = program.procedures.get_mut(index) {
            procedure.body = body;
        }
    }
    replacements.apply(program);
}

/// What is known holds in the whole block: values do not change.
fn block(program: &Program, items: &mut Vec<Item>, known: &mut Vec<Test>, replacements: &mut Replacements) {
    let mut kept = Vec::with_capacity(items.len());
    for item in std::mem::take(items) {
        match item {
            Item::If { condition, mut accept, mut reject, results, span } => {
                let test = Test::of(program, condition);
                let part = match () {
                    () if known.contains(&test) => Some((0, &mut accept)),
                    () if known.contains(&test.not()) => Some((1, &mut reject)),
                    () => None,
                };
                if let Some((part, inner)) = part {
                    block(program, inner, known, replacements);
                    kept.append(inner);
                    for id in results {
                        let lanes = program.node(id).arguments.get(part).cloned().unwrap_or_default();
                        for (component, lane) in (0u8..).zip(lanes) {
                            replacements.add(id, component, lane);
                        }
                    }
                    continue;
                }
                for (test, inner) in [(test, &mut accept), (test.not(), &mut reject)] {
                    let before = known.len();
                    known.push(test);
                    if let Test::Two(a, b, Join::And) = test {
                        known.extend([Test::One(a), Test::One(b)]);
                    }
                    block(program, inner, known, replacements);
                    known.truncate(before);
                }
                kept.push(Item::If { condition, accept, reject, results, span });
            }
            Item::Loop { index, mut body, results, stop, span } => {
                block(program, &mut body, known, replacements);
                kept.push(Item::Loop { index, body, results, stop, span });
            }
            other => kept.push(other),
        }
    }
    *items = kept;
}
