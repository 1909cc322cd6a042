//! Which components must not share a place: one is written while the other is still needed, unless it is a copy of it.

use super::{Access, Accesses, Component, Step, Text};

/// A symmetric relation between components.
#[derive(Debug, Clone)]
pub struct Interference {
    words: usize,
    bits: Vec<u64>,
    /// Components that are needed where they are not written before: nobody wrote them.
    pub undefined: Vec<Component>,
}

impl Interference {
    fn new(components: usize) -> Self {
        let words = components.div_ceil(64);
        Self { words, bits: vec![0; words * components], undefined: Vec::new() }
    }

    /// Whether two components must lie apart.
    pub fn holds(&self, a: Component, b: Component) -> bool {
        self.bits.get(a * self.words + b / 64).is_some_and(|word| word >> (b % 64) & 1 != 0)
    }

    fn add(&mut self, a: Component, b: Component) {
        for (a, b) in [(a, b), (b, a)] {
            if let Some(word) = self.bits.get_mut(a * self.words + b / 64) {
                *word |= 1 << (b % 64);
            }
        }
    }
}

/// Components that are needed later.
#[derive(Debug, Clone, PartialEq)]
struct Live(Vec<u64>);

impl Live {
    fn set(&mut self, component: Component, to: bool) {
        if let Some(word) = self.0.get_mut(component / 64) {
            let bit = 1 << (component % 64);
            *word = if to { *word | bit } else { *word & !bit };
        }
    }

    fn join(&mut self, other: &Self) {
        for (word, other) in self.0.iter_mut().zip(&other.0) {
            *word |= other;
        }
    }

    fn for_each(&self, mut visit: impl FnMut(Component)) {
        for (index, &word) in self.0.iter().enumerate() {
            let mut rest = word;
            while rest != 0 {
                visit(index * 64 + rest.trailing_zeros() as usize);
                rest &= rest - 1;
            }
        }
    }
}

/// The relation for some code with so many components. `at_end` are needed behind it.
pub fn interference<I: Accesses>(text: &Text<I>, components: usize, at_end: &[Component]) -> Interference {
    let mut found = Interference::new(components);
    let mut live = Live(vec![0; components.div_ceil(64)]);
    for &component in at_end {
        live.set(component, true);
    }
    block(text, &text.main, &mut live, &mut found);
    let mut undefined = Vec::new();
    live.for_each(|component| undefined.push(component));
    found.undefined = undefined;
    found
}

fn block<I: Accesses>(text: &Text<I>, code: &[Step<I>], live: &mut Live, found: &mut Interference) {
    for step in code.iter().rev() {
        match step {
            Step::Do(instruction) => one(&instruction.access(), live, found),
            // As if it stood here: what is needed behind this call is needed all the way.
            Step::Call(index) => {
                if let Some(code) = text.procedures.get(*index) {
                    block(text, code, live, found);
                }
            }
            Step::If(test, accept, reject) => {
                let mut other = live.clone();
                block(text, accept, live, found);
                block(text, reject, &mut other, found);
                live.join(&other);
                one(&test.access(), live, found);
            }
            Step::Loop(head, body, stop) => {
                let behind = live.clone();
                // Until what the head needs stays the same: once more for each thing that passes hand on, which is one
                // time for all of them.
                loop {
                    let before = live.clone();
                    live.join(&behind);
                    if let Some(stop) = stop {
                        one(&stop.access(), live, found);
                    }
                    block(text, body, live, found);
                    live.join(&before);
                    if *live == before {
                        break;
                    }
                }
                one(&head.access(), live, found);
            }
        }
    }
}

fn one(access: &Access, live: &mut Live, found: &mut Interference) {
    for &written in &access.writes {
        let copied = access.copies.iter().find(|(to, _)| *to == written).map(|(_, from)| *from);
        live.for_each(|other| {
            if other != written && Some(other) != copied {
                found.add(written, other);
            }
        });
    }
    // Written at the same time: never in one place.
    for (index, &a) in access.writes.iter().enumerate() {
        for &b in access.writes.get(index + 1..).unwrap_or_default() {
            found.add(a, b);
        }
    }
    for &written in &access.writes {
        live.set(written, false);
    }
    for &read in &access.reads {
        live.set(read, true);
    }
}
