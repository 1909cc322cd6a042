//! The listing of a program, and where in it a code word stands.

use crate::listing::{ListingOptions, disassemble_stage};
use serde::Serialize;
use std::collections::BTreeMap;
use std::ops::Range;
use unshade_isa::{Machine, with_machine};
use unshade_stage::{Isa, Stage};

/// A line of the listing that `disasm` prints for a program, on the Switch without what its control words say.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Line {
    /// The code word that positions and breakpoints name its instruction by; none for lines between instructions.
    pub word: Option<u32>,
    /// Its parts, one after the other.
    pub parts: Vec<LinePart>,
}

/// A part of a line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LinePart {
    /// What it is: `mnemonic`, `register`, `label`...
    pub kind: &'static str,
    /// Its text.
    pub text: String,
}

impl Line {
    /// The line as text.
    pub fn text(&self) -> String {
        self.parts.iter().map(|part| part.text.as_str()).collect()
    }
}

/// The word that a run names an instruction by, of the words that its line shows.
pub(crate) fn first_word(isa: Isa, words: &Range<u32>) -> u32 {
    with_machine!(isa, M => M::instruction_word(words), _ => words.start)
}

/// A place in a listing.
struct Place {
    /// Line, from 1.
    line: u32,
    /// The instruction as one line.
    text: String,
}

/// A listing with the places of its code words.
pub(super) struct Lines {
    pub(super) all: Vec<Line>,
    places: BTreeMap<u32, Place>,
    labels: BTreeMap<String, u32>,
}

impl Lines {
    pub(super) fn new(stage: &Stage<'_>) -> Self {
        // The same lines; when instructions may start is of no use here.
        let options = ListingOptions { no_control: true, ..ListingOptions::default() };
        let listing = disassemble_stage(stage, &options);
        let mut lines = Self { all: Vec::new(), places: BTreeMap::new(), labels: BTreeMap::new() };
        let mut waiting: Vec<String> = Vec::new();
        for (number, line) in (1_u32..).zip(listing.lines()) {
            let parts =
                line.parts().map(|part| LinePart { kind: part.kind.name(), text: part.text.to_owned() });
            let word = line.words.clone().map(|words| first_word(stage.isa, &words));
            lines.all.push(Line { word, parts: parts.collect() });
            let text = line.text.split_ascii_whitespace().collect::<Vec<_>>().join(" ");
            if let Some(label) = text.strip_suffix(':').or_else(|| text.strip_prefix(".proc ")) {
                waiting.push(label.to_owned());
            }
            let Some(word) = word else { continue };
            for label in waiting.drain(..) {
                lines.labels.entry(label).or_insert(word);
            }
            let place = lines.places.entry(word);
            // An instruction of several units stands on several lines.
            place
                .and_modify(|place| {
                    place.text.push(' ');
                    place.text.push_str(&text);
                })
                .or_insert(Place { line: number, text });
        }
        lines
    }

    /// The line on which a word stands, from 1.
    pub(super) fn line(&self, word: u32) -> Option<u32> {
        self.places.get(&word).map(|place| place.line)
    }

    /// The instruction that starts with a word.
    pub(super) fn text(&self, word: u32) -> Option<&str> {
        self.places.get(&word).map(|place| place.text.as_str())
    }

    /// The word that a line shows, or that the next line with one shows.
    pub(super) fn word_of_line(&self, line: u32) -> Option<u32> {
        let from = usize::try_from(line).ok()?.checked_sub(1)?;
        self.all.get(from..)?.iter().find_map(|line| line.word)
    }

    /// The word that a label of the listing stands in front of.
    pub(super) fn word_of_label(&self, label: &str) -> Option<u32> {
        self.labels.get(label).copied()
    }

    /// Whether an instruction starts at a word.
    pub(super) fn is_instruction(&self, word: u32) -> bool {
        self.places.contains_key(&word)
    }
}
