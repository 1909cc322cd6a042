//! What is wrong with a BFSHA of the Wii U.

use super::super::model::Bfsha;
use super::super::options::{Packed, packing};
use super::super::wiiu::{OPTION_LEN, PROGRAM_LEN, WiiUModel};
use super::Findings;
use crate::formats::switch::{Pointer, Texts};
use unshade_bytes::Severity::{Error, Note, Warning};

/// Bytes of a model.
const MODEL_LEN: u64 = 0x70;

impl Bfsha {
    pub(super) fn check_wiiu(&self, texts: &Texts<'_>, findings: &mut Findings) {
        let Some(header) = self.wiiu_header() else { return };
        let names = self.dictionary(header.models).map_or(0, |dictionary| dictionary.len());
        if names != usize::from(header.model_count) {
            let message = format!("expected {} names of models, found {names}", header.model_count);
            findings.report(Error, "bfsha.count", (0x24, 2), "header.model_count", message);
        }
        if (self.image.form.major, self.image.form.minor) >= (3, 5) {
            let message = "programs of version 3.5 and later are kept as they are: nobody knows their record";
            findings.report(Warning, "bfsha.version", (4, 4), "header.version", message);
        }
        let parts = self.model_names(texts);
        for index in 0..self.model_count() {
            let (Some(at), Some(model)) = (self.model_place(index), self.wiiu_model(index)) else { break };
            let path = format!("models[{}]", parts.get(index).cloned().unwrap_or_default());
            self.check_wiiu_model(model, at.0, &path, texts, findings);
        }
    }

    fn check_wiiu_model(
        &self,
        model: &WiiUModel,
        at: u64,
        path: &str,
        texts: &Texts<'_>,
        findings: &mut Findings,
    ) {
        let place = (at, MODEL_LEN);
        let [fixed, moving, programs] = model.counts;
        let [attributes, samplers, blocks] = model.small_counts;
        let counts = [fixed, moving, attributes.into(), samplers.into(), blocks.into()];
        let names = ["static_options", "dynamic_options", "attributes", "samplers", "uniform_blocks"];
        for ((name, [_, dictionary]), count) in names.iter().zip(model.arrays).zip(counts) {
            let found = self.dictionary(dictionary).map_or(0, |dictionary| dictionary.len());
            if found != usize::from(count) {
                let message = format!("expected {count} names, found {found}");
                findings.report(Error, "bfsha.count", place, format!("{path}.{name}"), message);
            }
        }
        let words = model.words.map(u32::from);
        let groups = [(model.arrays[0], fixed, 0, words[0]), (model.arrays[1], moving, words[0], words[1])];
        for ([array, _], count, first, words) in groups {
            let mut counts = Vec::new();
            let mut found = Vec::new();
            for index in 0..u64::from(count) {
                let at = Pointer(array.0.saturating_add(index.saturating_mul(OPTION_LEN)));
                let Some(option) = self.wiiu_option(at) else { break };
                let path = format!("{path}.options[{}]", texts.show(option.name));
                if option.default_choice >= option.choice_count {
                    let message = format!(
                        "expected one of {} choices, found {}",
                        option.choice_count, option.default_choice
                    );
                    findings.report(Error, "bfsha.default-choice", (at.0, OPTION_LEN), path.clone(), message);
                }
                counts.push(u32::from(option.choice_count));
                let packed =
                    Packed { word: option.word.into(), shift: option.shift.into(), mask: option.mask };
                found.push((packed, at.0, path));
            }
            let (packed, wanted) = packing(&counts, first);
            if wanted != words {
                let message = format!("expected {wanted} words of a key, found {words}");
                findings.report(Note, "bfsha.packing", place, path, message);
            }
            if let Some(((_, at, path), _)) =
                found.into_iter().zip(packed).find(|((found, ..), packed)| found != packed)
            {
                let message = "expected bits as the console's tools pack, found others";
                findings.report(Note, "bfsha.packing", (at, OPTION_LEN), path, message);
            }
        }
        let default = model.default_program;
        if default < -1 || default >= i32::from(programs) {
            let message = format!("expected -1 or one of {programs} programs, found {default}");
            findings.report(
                Error,
                "bfsha.default-program",
                place,
                format!("{path}.default_program"),
                message,
            );
        }
        let words = usize::from(model.words[0]).saturating_add(model.words[1].into());
        let keys = self.keys(model.keys).map(Vec::as_slice).unwrap_or_default();
        if words > 0 {
            let rows: Vec<&[u32]> = keys.chunks_exact(words).collect();
            let unsorted = rows.windows(2).position(|pair| pair.first() >= pair.last());
            if let Some(index) = unsorted {
                let message = "expected rows in ascending order that differ, found others";
                let size = (words as u64).saturating_mul(4);
                let at = model.keys.0.saturating_add((index as u64).saturating_mul(size));
                findings.report(Error, "bfsha.keys-order", (at, size), format!("{path}.keys"), message);
            }
        }
        for index in 0..usize::from(programs) {
            let Some(program) = self.wiiu_program_of(model, index) else { break };
            let place =
                (model.programs.0.saturating_add((index as u64).saturating_mul(PROGRAM_LEN)), PROGRAM_LEN);
            let path = format!("{path}.programs[{index}]");
            if program.parent.0 != at {
                let message = format!("expected its shading model, found {:#x}", program.parent.0);
                findings.report(Error, "bfsha.parent", place, path.clone(), message);
            }
            if program.counts != [samplers, blocks] {
                let message = format!(
                    "expected {samplers} samplers and {blocks} uniform blocks, found {} and {}",
                    program.counts[0], program.counts[1]
                );
                findings.report(Error, "bfsha.count", place, path, message);
            }
        }
    }
}
