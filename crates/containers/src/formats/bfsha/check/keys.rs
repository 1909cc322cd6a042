//! Options, the bits that they take, and the table of keys.

use super::super::model::Bfsha;
use super::super::options::{Packed, packing};
use super::super::raw::{Model, OPTION_LEN, OptionRecord};
use super::Findings;
use crate::formats::switch::{Pointer, Texts};
use unshade_bytes::Severity::{Error, Note};

/// An option, the bits of keys that its group has, and where it is.
type Found<'a> = (&'a OptionRecord, u64, String);

impl Bfsha {
    pub(super) fn check_options(
        &self,
        model: &Model,
        at: u64,
        path: &str,
        texts: &Texts<'_>,
        findings: &mut Findings,
    ) {
        let mut used = vec![0_u32; usize::try_from(model.words()).unwrap_or(0)];
        let mut all: Vec<Found<'_>> = Vec::new();
        let groups = [
            ("static_options", model.static_options, model.static_option_count, 0, model.static_words),
            (
                "dynamic_options",
                model.dynamic_options,
                model.dynamic_option_count,
                model.static_words,
                model.dynamic_words,
            ),
        ];
        for (name, [array, dictionary], count, first, words) in groups {
            let keys: Vec<Pointer> =
                self.dictionary(dictionary).map(|d| d.keys().collect()).unwrap_or_default();
            let start = all.len();
            let mut sound = true;
            for index in 0..u64::from(count) {
                let at = Pointer(array.0.saturating_add(index.saturating_mul(OPTION_LEN)));
                let Some(option) = self.option_at(at) else { break };
                let path = format!("{path}.{name}[{}]", texts.show(option.name));
                let key = keys.get(usize::try_from(index).unwrap_or(usize::MAX));
                if key.and_then(|key| texts.get(*key)) != texts.get(option.name) {
                    let message = "expected the name that the model has for it, found another";
                    findings.report(Error, "bfsha.name", (at.0, 8), path.clone(), message);
                }
                sound &= self.check_option(option, at.0, &path, &mut used, findings);
                all.push((option, at.0, path));
            }
            let group = all.get(start..).unwrap_or_default();
            // Bits that are wrong are not compared with those that they could be.
            if sound {
                packing_of(group, first, words, (at, Model::len(self.image.form)), path, findings);
            }
        }
        self.check_keys(model, &all, &used, path, findings);
        let default = model.default_program;
        if default < -1 || default >= i32::from(model.program_count) {
            let message = format!("expected -1 or one of {} programs, found {default}", model.program_count);
            let place = (at, Model::len(self.image.form));
            findings.report(
                Error,
                "bfsha.default-program",
                place,
                format!("{path}.default_program"),
                message,
            );
        }
    }

    /// Whether the option has bits that can be its own.
    fn check_option(
        &self,
        option: &OptionRecord,
        at: u64,
        path: &str,
        used: &mut [u32],
        findings: &mut Findings,
    ) -> bool {
        let place = (at, OPTION_LEN);
        let choices = self.dictionary(option.choices).map_or(0, |dictionary| dictionary.len());
        if choices != usize::from(option.choice_count) {
            let message = format!("expected {} names of choices, found {choices}", option.choice_count);
            findings.report(Error, "bfsha.count", place, format!("{path}.choices"), message);
        }
        if option.default_choice >= option.choice_count {
            let message =
                format!("expected one of {} choices, found {}", option.choice_count, option.default_choice);
            findings.report(Error, "bfsha.default-choice", place, format!("{path}.default_choice"), message);
        }
        let mut sound = true;
        let shifted = option.mask.checked_shr(option.shift.into()).unwrap_or(0);
        let contiguous = shifted != 0 && shifted & shifted.wrapping_add(1) == 0;
        if !contiguous || option.mask.trailing_zeros() != u32::from(option.shift) {
            let message = format!(
                "expected bits in a row from bit {} on, found the mask {:#010x}",
                option.shift, option.mask
            );
            sound = false;
            findings.report(Error, "bfsha.mask", place, format!("{path}.mask"), message);
        } else if option.choice_count > 0 && shifted < u32::from(option.choice_count).saturating_sub(1) {
            let message = format!(
                "expected bits for {} choices, found the mask {:#010x}",
                option.choice_count, option.mask
            );
            sound = false;
            findings.report(Error, "bfsha.mask", place, format!("{path}.mask"), message);
        }
        let words = used.len();
        match used.get_mut(usize::from(option.word)) {
            None => {
                let message = format!("expected one of {words} words of a key, found {}", option.word);
                sound = false;
                findings.report(Error, "bfsha.word", place, format!("{path}.word"), message);
            }
            Some(bits) => {
                if *bits & option.mask != 0 {
                    let message = format!(
                        "expected bits of its own, found {:#010x}, which others have in word {}",
                        *bits & option.mask,
                        option.word
                    );
                    sound = false;
                    findings.report(Error, "bfsha.mask-shared", place, format!("{path}.mask"), message);
                }
                *bits |= option.mask;
            }
        }
        sound
    }

    fn check_keys(
        &self,
        model: &Model,
        options: &[Found<'_>],
        used: &[u32],
        path: &str,
        findings: &mut Findings,
    ) {
        let words = used.len();
        let keys = self.keys(model.keys).map(Vec::as_slice).unwrap_or_default();
        if words == 0 || keys.is_empty() {
            return;
        }
        let place = |index: usize| {
            let size = (words as u64).saturating_mul(4);
            (model.keys.0.saturating_add((index as u64).saturating_mul(size)), size)
        };
        // An option can only have too large a choice where its bits have room for one.
        let open: Vec<&Found<'_>> = options
            .iter()
            .filter(|(option, ..)| {
                let room = option.mask.checked_shr(option.shift.into()).unwrap_or(0);
                room >= u32::from(option.choice_count)
            })
            .collect();
        let mut before: Option<&[u32]> = None;
        for (index, key) in keys.chunks_exact(words).enumerate() {
            let path = || format!("{path}.keys[{index}]");
            match before.map(|before| before.cmp(key)) {
                Some(std::cmp::Ordering::Greater) => {
                    let message = "expected rows in ascending order, found a smaller one behind a larger";
                    if let Some(found) =
                        findings.report(Error, "bfsha.keys-order", place(index), path(), message)
                    {
                        found.notes.push("ShaderLibrary adds programs so".to_owned());
                    }
                }
                Some(std::cmp::Ordering::Equal) => {
                    let message = "expected rows that differ, found one twice";
                    findings.report(Error, "bfsha.keys-twice", place(index), path(), message);
                }
                _ => {}
            }
            before = Some(key);
            if let Some(word) = key.iter().zip(used).position(|(bits, used)| bits & !used != 0) {
                let message = format!("expected zeros where no option is, found others in word {word}");
                findings.report(Error, "bfsha.keys-unused", place(index), path(), message);
            }
            for (option, _, name) in &open {
                let bits = key.get(usize::from(option.word)).copied().unwrap_or(0) & option.mask;
                let choice = bits.checked_shr(option.shift.into()).unwrap_or(0);
                if choice >= option.choice_count.into() {
                    let message =
                        format!("expected one of {} choices of {name}, found {choice}", option.choice_count);
                    findings.report(Error, "bfsha.keys-choice", place(index), path(), message);
                }
            }
        }
    }
}

/// Compares the bits of a group with those that the console's tools give it.
fn packing_of(
    group: &[Found<'_>],
    first: u8,
    words: u8,
    place: (u64, u64),
    path: &str,
    findings: &mut Findings,
) {
    let counts: Vec<u32> = group.iter().map(|(option, ..)| option.choice_count.into()).collect();
    let (packed, wanted) = packing(&counts, first.into());
    if wanted != u32::from(words) {
        let message = format!("expected {wanted} words of a key for {} options, found {words}", group.len());
        findings.report(Note, "bfsha.packing", place, path, message);
    }
    for ((option, at, path), packed) in group.iter().zip(packed) {
        let found = Packed { word: option.word.into(), shift: option.shift.into(), mask: option.mask };
        if found != packed || option.key_offset != first {
            let message = format!(
                "expected word {}, shift {} as the console's tools pack, found word {}, shift {}",
                packed.word, packed.shift, found.word, found.shift
            );
            findings.report(Note, "bfsha.packing", (*at, OPTION_LEN), path.clone(), message);
            return;
        }
    }
}
