//! What a program can come to: the instructions reachable from its first one.
//!
//! Every branch is taken to go both ways where a predicate or a condition decides. A token that is pushed (`SSY`,
//! `PBK`, `CAL` and others) makes its target reachable, whoever takes it off the stack again.

use super::form::Form;
use super::layout::{self, Placed};
use super::word::Word;
use unshade_stage::Code;

/// The condition of a branch that always holds.
const ALWAYS: u64 = 15;
/// Tokens on the stack beyond which depth is not counted further.
const DEEPEST: u8 = 40;

/// Something wrong with where control goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stray {
    /// A branch or push whose target is outside of the code.
    Outside(i64),
    /// A branch or push whose target is inside of a word.
    Inside(i64),
    /// The code ends and control goes on.
    End,
}

/// The reachable instructions of a program.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reach {
    /// All reachable words, ascending by address.
    pub placed: Vec<Placed>,
    /// Where control goes wrong, with the address of the instruction.
    pub strays: Vec<(u64, Stray)>,
    /// The most tokens on the branch stack at once, taking every push as done.
    pub depth: u32,
    /// A register or a constant decides where a branch goes; then all of the code counts as reachable.
    pub indirect: bool,
}

/// Where an instruction leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    /// To the next one.
    Next,
    /// To a target, and where something decides to the next one.
    Branch(i64),
    /// Pushes a target.
    Push(i64),
    /// To what was pushed, or out of the program.
    Leave,
    /// To where a register or a constant says.
    Unknown,
}

impl Way {
    fn of(form: Form, address: u64, word: Word) -> Self {
        use Form::*;
        let relative = address as i64 + 8 + word.signed(20, 24);
        let absolute = word.bits(20, 32) as i64;
        let by_constant = word.bit(5);
        match form {
            Bra | Cal | Ssy | Pbk | Pcnt | Pexit | Plongjmp | Pret | Jmp | Jcal if by_constant => {
                Self::Unknown
            }
            Bra => Self::Branch(relative),
            Jmp => Self::Branch(absolute),
            Cal | Ssy | Pbk | Pcnt | Pexit | Plongjmp | Pret => Self::Push(relative),
            Jcal => Self::Push(absolute),
            Brx | Jmx => Self::Unknown,
            Exit | Sync | Brk | Cont | Ret | Longjmp => Self::Leave,
            _ => Self::Next,
        }
    }
}

/// Whether an instruction goes elsewhere whatever predicates and conditions hold.
fn is_sure(form: Form, word: Word) -> bool {
    // These ignore their guard and have no condition.
    let bare = matches!(form, Form::Cal | Form::Jcal);
    bare || (word.guard().is_true() && word.bits(0, 5) == ALWAYS)
}

impl Reach {
    /// Follows code from its entry.
    pub fn new(code: &Code<'_>) -> Self {
        let words = &code.words;
        let count = words.len() / 2;
        let mut reach = Self::default();
        // Of each word the depth of the stack with which it was come to, plus 1.
        let mut seen = vec![0_u8; count];
        let mut open = vec![(layout::target(4 * u64::from(code.entry)), 0_u8, 0_u64)];
        while let Some((address, depth, from)) = open.pop() {
            let Some(word) = layout::at(words, address) else {
                reach.strays.push((from, Stray::End));
                continue;
            };
            let Some(seen) = seen.get_mut((address / 8) as usize) else { continue };
            if *seen > depth {
                continue;
            }
            *seen = depth + 1;
            reach.depth = reach.depth.max(depth.into());
            reach.step(words, (address, Word(word)), depth, &mut open);
        }
        reach.strays.sort_by_key(|(address, _)| *address);
        reach.strays.dedup();
        let reached = |placed: &Placed| seen.get((placed.address / 8) as usize).is_some_and(|seen| *seen > 0);
        reach.placed =
            layout::instructions(words).filter(|placed| reach.indirect || reached(placed)).collect();
        reach
    }

    fn step(
        &mut self,
        words: &[u32],
        (address, word): (u64, Word),
        depth: u8,
        open: &mut Vec<(u64, u8, u64)>,
    ) {
        let next = layout::next(address);
        let Some(form) = Form::of(word.0).filter(|_| !word.guard().is_never()) else {
            open.push((next, depth, address));
            return;
        };
        let sure = is_sure(form, word);
        let deeper = (depth + 1).min(DEEPEST);
        match Way::of(form, address, word) {
            Way::Next => open.push((next, depth, address)),
            Way::Branch(target) => {
                self.go(words, address, target, depth, open);
                if !sure {
                    open.push((next, depth, address));
                }
            }
            Way::Push(target) => {
                let calls = matches!(form, Form::Cal | Form::Jcal);
                self.go(words, address, target, if calls { deeper } else { depth }, open);
                open.push((next, if calls { depth } else { deeper }, address));
            }
            Way::Leave => {
                if !sure {
                    open.push((next, depth, address));
                }
            }
            Way::Unknown => {
                self.indirect = true;
                open.push((next, depth, address));
            }
        }
    }

    fn go(&mut self, words: &[u32], from: u64, target: i64, depth: u8, open: &mut Vec<(u64, u8, u64)>) {
        let inside = u64::try_from(target).ok().filter(|target| *target < 4 * words.len() as u64);
        match inside {
            None => self.strays.push((from, Stray::Outside(target))),
            Some(place) if !place.is_multiple_of(8) => self.strays.push((from, Stray::Inside(target))),
            Some(place) => open.push((layout::target(place), depth, from)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Groups of instructions with harmless control words.
    fn code(instructions: &[u64]) -> Code<'static> {
        let groups = instructions.chunks(3).flat_map(|group| [&[0x001f_8000_fc00_07e0], group].concat());
        let words: Vec<u32> = groups.flat_map(|word| [word as u32, (word >> 32) as u32]).collect();
        Code { words: words.into(), ..Code::default() }
    }

    fn reached(instructions: &[u64]) -> (Vec<u64>, Reach) {
        let reach = Reach::new(&code(instructions));
        (reach.placed.iter().map(|placed| placed.address).collect(), reach)
    }

    const NOP: u64 = 0x50b0_0000_0007_0f00;
    const EXIT: u64 = 0xe300_0000_0007_000f;
    const SYNC: u64 = 0xf0f8_0000_0007_000f;

    fn relative(form: Form, offset: i64) -> u64 {
        form.value() | 0x7_000f | ((offset as u64) & 0xff_ffff) << 20
    }

    #[test]
    fn straight() {
        let (found, reach) = reached(&[NOP, NOP, NOP, EXIT, NOP]);
        assert_eq!(found, [0x8, 0x10, 0x18, 0x28]);
        assert_eq!((reach.depth, reach.indirect, reach.strays), (0, false, vec![]));
    }

    #[test]
    fn branches() {
        // A branch to the control word of the second group, guarded.
        let bra = relative(Form::Bra, 0x20 - 0x10) & !0x7_0000;
        assert_eq!(reached(&[bra, EXIT, NOP, EXIT, NOP]).0, [0x8, 0x10, 0x28]);
        let (found, reach) = reached(&[relative(Form::Bra, 0x1000)]);
        assert_eq!((found, reach.strays), (vec![8], vec![(8, Stray::Outside(0x1010))]));
        let (_, reach) = reached(&[relative(Form::Bra, 4), EXIT]);
        assert_eq!(reach.strays, [(8, Stray::Inside(0x14))]);
        let (_, reach) = reached(&[NOP]);
        assert_eq!(reach.strays, [(8, Stray::End)]);
    }

    #[test]
    fn pushes() {
        let (found, reach) = reached(&[relative(Form::Ssy, 0x18), SYNC, NOP, EXIT]);
        assert_eq!((found, reach.depth), (vec![0x8, 0x10, 0x28], 1));
        // A loop that pushes each time round ends here too.
        let (_, reach) = reached(&[relative(Form::Pbk, 0), relative(Form::Bra, -0x10), EXIT]);
        assert_eq!(reach.depth, u32::from(DEEPEST));
    }

    #[test]
    fn indirect() {
        let (found, reach) = reached(&[Form::Brx.value() | 0x7_000f, NOP, NOP, EXIT]);
        assert_eq!((found.len(), reach.indirect), (4, true));
    }
}
