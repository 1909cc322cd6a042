//! Edits put into a text, one inside the other.

use serde::Serialize;
use std::{cmp::Reverse, ops::Range};

/// Text in front of some bytes and behind them. Edits lie inside each other or apart.
#[derive(Debug)]
pub struct Edit {
    /// Whose it is.
    pub number: usize,
    /// The bytes.
    pub range: Range<usize>,
    /// In front.
    pub before: String,
    /// Behind.
    pub behind: String,
}

/// Which bytes of the new text an edit made.
#[derive(Debug, Serialize)]
pub struct Owner {
    /// Whose they are.
    pub number: usize,
    /// Where its text begins.
    pub start: usize,
    /// Where the text in front ends: the mutant itself.
    pub inner: usize,
    /// Where the text behind ends.
    pub end: usize,
}

// What happens at one place, in this order.
const CLOSES: u8 = 0;
const STANDS: u8 = 1;
const OPENS: u8 = 2;

/// The text with all edits, and which of its bytes are whose.
pub fn weave(text: &str, edits: Vec<Edit>) -> (String, Vec<Owner>) {
    // At one place what ends comes first, the innermost of it; then what begins, the outermost first.
    let mut events = Vec::new();
    for (order, edit) in edits.iter().enumerate() {
        let Range { start, end } = edit.range;
        if start < end {
            events.push((start, OPENS, Reverse(end), order, order));
            events.push((end, CLOSES, Reverse(start), usize::MAX - order, order));
        } else {
            events.push((start, STANDS, Reverse(end), order, order));
        }
    }
    events.sort_unstable();
    let (mut woven, mut reached) = (String::new(), 0);
    let mut owners: Vec<Owner> =
        edits.iter().map(|edit| Owner { number: edit.number, start: 0, inner: 0, end: 0 }).collect();
    for (at, kind, _, _, index) in events {
        woven.push_str(text.get(reached..at).unwrap_or_default());
        reached = at;
        let (Some(edit), Some(owner)) = (edits.get(index), owners.get_mut(index)) else { continue };
        if kind != CLOSES {
            owner.start = woven.len();
            woven.push_str(&edit.before);
            owner.inner = woven.len();
        }
        if kind != OPENS {
            woven.push_str(&edit.behind);
            owner.end = woven.len();
        }
    }
    woven.push_str(text.get(reached..).unwrap_or_default());
    (woven, owners)
}
