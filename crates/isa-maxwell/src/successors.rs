//! Tokens that are pushed are followed to where they are popped.

use crate::form::Form;
use crate::{layout, word::Word};
use std::collections::{BTreeMap, HashMap, HashSet};
use unshade_isa_common::successors::{MOST, Reached, Step, Transfer};
use unshade_stage::Code;

/// Places with a stack that are looked at.
const NODES: usize = 1 << 16;
/// Tokens on a stack.
const DEEPEST: u32 = 64;
/// The condition of a branch that always holds.
const ALWAYS: u64 = 15;

/// What a token was pushed for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Token {
    Sync,
    Break,
    Continue,
    Exit,
    Return,
}

/// A stack: its top, and the number of the rest. Number 0 is the empty one.
#[derive(Debug, Default)]
struct Stacks {
    known: Vec<(Token, u32, u32, u32)>,
    numbers: HashMap<(Token, u32, u32), u32>,
}

impl Stacks {
    fn push(&mut self, stack: u32, token: Token, to: u32) -> u32 {
        let depth = self.top(stack).map_or(0, |top| top.3) + 1;
        if depth > DEEPEST {
            return stack;
        }
        *self.numbers.entry((token, to, stack)).or_insert_with(|| {
            self.known.push((token, to, stack, depth));
            self.known.len() as u32
        })
    }

    fn top(&self, stack: u32) -> Option<&(Token, u32, u32, u32)> {
        self.known.get((stack as usize).checked_sub(1)?)
    }

    /// Takes everything off down to the nearest token of a kind: where that leads, and what is left.
    fn take(&self, mut stack: u32, token: Token) -> Option<(u32, u32)> {
        while let Some((found, to, rest, _)) = self.top(stack) {
            if *found == token {
                return Some((*to, *rest));
            }
            stack = *rest;
        }
        None
    }
}

/// Instructions from the entry on.
pub fn steps(code: &Code<'_>) -> Reached {
    let words = &code.words;
    let entry = (layout::target(4 * u64::from(code.entry)) / 4) as u32;
    let mut steps: BTreeMap<u32, Step> = BTreeMap::new();
    let mut entries = vec![entry];
    let mut stacks = Stacks::default();
    let mut seen = HashSet::new();
    let mut open = vec![(entry, 0_u32)];
    while let Some((at, stack)) = open.pop() {
        if seen.len() >= NODES || !seen.insert((at, stack)) {
            continue;
        }
        let address = 4 * u64::from(at);
        let Some(word) = layout::at(words, address) else { continue };
        let step = steps.entry(at).or_insert_with(|| Step { words: at..at + 2, successors: Vec::new() });
        let next = (layout::next(address) / 4) as u32;
        let mut go = |step: &mut Step, kind: Transfer, to: u32, stack: u32| {
            if step.successors.len() < MOST {
                step.add(kind, Some(to));
            }
            open.push((to, stack));
        };
        let word = Word(word);
        let Some(form) = Form::of(word.0).filter(|_| !word.guard().is_never()) else {
            go(step, Transfer::Next, next, stack);
            continue;
        };
        let calls = matches!(form, Form::Cal | Form::Jcal);
        let sure = calls || word.guard().is_true() && word.bits(0, 5) == ALWAYS;
        let away = if sure { Transfer::Jump } else { Transfer::Taken };
        let target = target(form, address, word);
        let token = match form {
            Form::Ssy | Form::Sync => Some(Token::Sync),
            Form::Pbk | Form::Brk => Some(Token::Break),
            Form::Pcnt | Form::Cont => Some(Token::Continue),
            Form::Pexit | Form::Exit => Some(Token::Exit),
            Form::Pret | Form::Ret => Some(Token::Return),
            _ => None,
        };
        match (form, token) {
            (Form::Ssy | Form::Pbk | Form::Pcnt | Form::Pexit | Form::Pret, Some(token)) => {
                let pushed = target.map_or(stack, |to| stacks.push(stack, token, to));
                go(step, Transfer::Next, next, pushed);
            }
            (Form::Bra | Form::Jmp, _) => {
                match target {
                    Some(to) => go(step, away, to, stack),
                    None => step.add(away, None),
                }
                if !sure {
                    go(step, Transfer::NotTaken, next, stack);
                }
            }
            (Form::Cal | Form::Jcal, _) => {
                if let Some(to) = target {
                    if !entries.contains(&to) && entries.len() < 1 << 10 {
                        entries.push(to);
                    }
                    // What a procedure pushes it takes off itself.
                    go(step, Transfer::Call, to, 0);
                }
                go(step, Transfer::Next, next, stack);
            }
            (_, Some(token)) => {
                match stacks.take(stack, token) {
                    Some((to, rest)) => go(step, away, to, rest),
                    None if token == Token::Return => step.add(Transfer::Return, None),
                    None => step.add(Transfer::End, None),
                }
                if !sure {
                    go(step, Transfer::NotTaken, next, stack);
                }
            }
            (Form::Brx | Form::Jmx | Form::Longjmp, _) => {
                step.add(Transfer::Jump, None);
                if !sure {
                    go(step, Transfer::NotTaken, next, stack);
                }
            }
            (Form::Kil, _) => {
                step.add(Transfer::End, None);
                // Helpers of the quad go on.
                go(step, Transfer::NotTaken, next, stack);
            }
            _ => go(step, Transfer::Next, next, stack),
        }
    }
    (steps, entries)
}

/// The word that an instruction names, if its word says it.
fn target(form: Form, address: u64, word: Word) -> Option<u32> {
    if word.bit(5) {
        return None;
    }
    let to = match form {
        Form::Jmp | Form::Jcal => word.bits(20, 32) as i64,
        Form::Bra | Form::Cal | Form::Ssy | Form::Pbk | Form::Pcnt | Form::Pexit | Form::Pret => {
            (address as i64).checked_add(8)?.checked_add(word.signed(20, 24))?
        }
        _ => return None,
    };
    let to = u64::try_from(to).ok().filter(|to| to.is_multiple_of(8))?;
    u32::try_from(layout::target(to) / 4).ok()
}
