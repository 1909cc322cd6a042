//! Conditions of breakpoints: `r0.x > 1.5`.

use super::machine::{Machine, Slot};
use super::view::RegisterKind;
use std::cmp::Ordering;

/// A comparison of a component with a number.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Condition {
    slot: Slot,
    component: usize,
    /// Of which lane; nothing: of any that is at work.
    lane: Option<u32>,
    compare: Compare,
    number: Operand,
    /// As it was given.
    pub(super) text: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Compare {
    Equal,
    Unequal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

impl Compare {
    fn holds(self, ordering: Option<Ordering>) -> bool {
        match (self, ordering) {
            (Self::Unequal, None) => true,
            (_, None) => false,
            (Self::Equal, Some(ordering)) => ordering.is_eq(),
            (Self::Unequal, Some(ordering)) => ordering.is_ne(),
            (Self::Less, Some(ordering)) => ordering.is_lt(),
            (Self::LessOrEqual, Some(ordering)) => ordering.is_le(),
            (Self::Greater, Some(ordering)) => ordering.is_gt(),
            (Self::GreaterOrEqual, Some(ordering)) => ordering.is_ge(),
        }
    }
}

/// What a component is compared with, and as what.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Operand {
    Float(f32),
    Int(i64),
    Bits(u32),
}

/// Longer conditions are refused.
const LENGTH: usize = 200;

impl Condition {
    /// Reads a condition; a sentence where it is none.
    pub(super) fn parse(text: &str, machine: &dyn Machine) -> Result<Self, String> {
        let text = text.trim();
        if text.len() > LENGTH {
            return Err(format!("a condition of {} characters, at most {LENGTH}", text.len()));
        }
        const SIGNS: [(&str, Compare); 6] = [
            ("==", Compare::Equal),
            ("!=", Compare::Unequal),
            ("<=", Compare::LessOrEqual),
            (">=", Compare::GreaterOrEqual),
            ("<", Compare::Less),
            (">", Compare::Greater),
        ];
        let found = SIGNS.iter().find_map(|(sign, compare)| Some((text.split_once(sign)?, *compare)));
        let Some(((left, right), compare)) = found else {
            return Err(format!(
                "expected a comparison as in `r0.x > 1.5` (==, !=, <, <=, >, >=), found {text:?}"
            ));
        };
        let (slot, component, lane) = place(left.trim(), machine)?;
        let number = operand(right.trim(), slot.kind)?;
        Ok(Self { slot, component: component.unwrap_or(0), lane, compare, number, text: text.to_owned() })
    }

    /// Whether it holds where a run is. `active`: the lanes at work.
    pub(super) fn holds(&self, machine: &dyn Machine) -> bool {
        let of = |lane: u32| {
            let words = machine.read(&self.slot, lane);
            let word = words.get(self.component).copied().unwrap_or(0);
            let ordering = match self.number {
                Operand::Float(number) => f32::from_bits(word).partial_cmp(&number),
                Operand::Int(number) => Some(i64::from(word as i32).cmp(&number)),
                Operand::Bits(number) => Some(word.cmp(&number)),
            };
            self.compare.holds(ordering)
        };
        match self.lane {
            Some(lane) => of(lane),
            None => {
                let Some(next) = machine.next() else { return false };
                let first = machine.first_lane();
                (0..32).filter(|n| next.active >> n & 1 != 0).any(|n| of(first.saturating_add(n)))
            }
        }
    }
}

/// A register with component and lane, as in `r0.x`, `R4`, `$2.w@3`.
pub(super) fn place(text: &str, machine: &dyn Machine) -> Result<(Slot, Option<usize>, Option<u32>), String> {
    if text.len() > LENGTH {
        return Err(format!("a name of {} characters, at most {LENGTH}", text.len()));
    }
    let (rest, lane) = match text.split_once('@').and_then(|(rest, lane)| Some((rest, lane.parse().ok()?))) {
        Some((_, lane)) if lane >= machine.lanes() => {
            return Err(format!("there is no lane {lane}; there are {}", machine.lanes()));
        }
        Some((rest, lane)) => (rest, Some(lane)),
        None => (text, None),
    };
    // Names of results have an `@` of their own, and labels may have dots.
    let whole = [text, rest].into_iter().zip([None, lane]);
    for (name, lane) in whole {
        if let Some(slot) = find(name, machine) {
            return Ok((slot, None, lane));
        }
    }
    if let Some((name, letter)) = rest.rsplit_once('.')
        && let Some(component) = ["x", "y", "z", "w"].iter().position(|known| *known == letter)
        && let Some(slot) = find(name, machine)
    {
        if component >= usize::from(slot.components) {
            return Err(format!("{name} has no component {letter}"));
        }
        return Ok((slot, Some(component), lane));
    }
    let slots = machine.slots();
    let known: Vec<_> = slots.iter().take(8).map(|slot| slot.name.as_str()).collect();
    Err(format!("there is no register {text:?}; there are {} and others", known.join(", ")))
}

/// By the machine's name, or by that of the file.
fn find(name: &str, machine: &dyn Machine) -> Option<Slot> {
    let labelled = || machine.slots().iter().find(|slot| slot.label.as_deref() == Some(name)).cloned();
    machine.slot(name).or_else(labelled)
}

/// `1.5` and `1` are floats where the register holds floats or anything, `1i` and the numbers of address registers and
/// flags integers, `0x...` bits.
fn operand(text: &str, kind: RegisterKind) -> Result<Operand, String> {
    let expected = || format!("expected a number as in 1.5, 3i or 0x3f800000, found {text:?}");
    if let Some(digits) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        return u32::from_str_radix(digits, 16).map(Operand::Bits).map_err(|_| expected());
    }
    if let Some(digits) = text.strip_suffix('i') {
        return digits.parse().map(Operand::Int).map_err(|_| expected());
    }
    if matches!(kind, RegisterKind::Int | RegisterKind::Flag)
        && let Ok(number) = text.parse()
    {
        return Ok(Operand::Int(number));
    }
    text.parse().map(Operand::Float).map_err(|_| expected())
}
