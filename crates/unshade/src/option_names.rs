//! Names for what an archive without names leaves open, from programs that differ in one option or macro.
//!
//! Where two programs of an archive were compiled for the same values but for one option, what only one of them reads
//! is there for that option: a texture that is read where `NORMAL_MAP` is 1, and not where it is 0, is the `normalMap`.
//! A name is given only where all pairs agree, and where no program with the option off reads it.

use crate::decompile::Place;
use crate::{CompiledFor, Detail, each_program};
use std::collections::{BTreeMap, BTreeSet};
use unshade_containers::wrap::nest::Source;
use unshade_ir::{Op, Space};
use unshade_stage::Stage;

/// Programs that are compared with each other at most.
pub const MOST_COMPARED: usize = 128;

/// A program with what it was compiled for and what it reads.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Compared {
    /// Options or macros with their values, as [`crate::CompiledFor::choices`] gives them.
    pub choices: Vec<(String, String)>,
    /// What its code reads.
    pub reads: BTreeSet<Place>,
}

/// The textures, and the words of uniforms that no index leads to, that a stage reads. Nothing where its code cannot be
/// lifted.
pub fn reads(stage: &Stage<'_>) -> BTreeSet<Place> {
    let mut found = BTreeSet::new();
    let Ok(module) = crate::lift(stage) else { return found };
    for inst in module.functions.iter().flat_map(|function| &function.insts) {
        match inst.op {
            Op::Texture(texture) => {
                found.insert((Space::Texture, 0, texture.unit));
            }
            Op::Load(access) if access.space == Space::Uniform && !access.is_indexed() => {
                found.insert((access.space, access.binding, access.offset));
            }
            _ => {}
        }
    }
    found
}

/// Names for what a program of an archive leaves open, from the programs beside it that differ in one option. `place` is
/// what stands behind the file to name the stage. Programs that cannot be read say nothing.
pub fn names_beside<'f>(
    file: impl Into<Source<'f>>,
    inner: &[String],
    compiled_for: &CompiledFor,
    place: &str,
    stage: &Stage<'_>,
) -> BTreeMap<Place, String> {
    let choices = compiled_for.choices(place);
    let front = |place: &str| place.rsplitn(3, '/').nth(2).map(str::to_owned);
    if choices.is_empty() {
        return BTreeMap::new();
    }
    let own = Compared { choices, reads: reads(stage) };
    let mut programs = Vec::new();
    let rest = each_program(file, inner, None, Detail::Whole, |other, found| {
        if found.kind == stage.kind && found.isa == stage.isa && front(&other) == front(place) {
            let choices = compiled_for.choices(&other);
            let mut beside = Compared { choices, reads: BTreeSet::new() };
            if difference(&own, &beside).is_some() {
                beside.reads = reads(found);
                programs.push(beside);
            }
        }
        programs.len() + 1 < MOST_COMPARED
    });
    // Nothing can be said by what was not reached.
    drop(rest);
    programs.insert(0, own);
    names_by_options(&programs)
}

/// Whether a value says that something is not there.
fn is_off(value: &str) -> bool {
    matches!(value.to_ascii_lowercase().as_str(), "" | "0" | "false" | "off" | "none" | "no")
}

/// The one option in which two programs differ.
fn difference<'p>(a: &'p Compared, b: &'p Compared) -> Option<usize> {
    if a.choices.len() != b.choices.len() {
        return None;
    }
    let mut found = None;
    for (at, ((name, value), (other, other_value))) in a.choices.iter().zip(&b.choices).enumerate() {
        if name != other || value != other_value && found.replace(at).is_some() {
            return None;
        }
    }
    found
}

/// Names by place. What comes after the first [`MOST_COMPARED`] programs is not looked at.
pub fn names_by_options(programs: &[Compared]) -> BTreeMap<Place, String> {
    let programs = programs.get(..MOST_COMPARED).unwrap_or(programs);
    // What each place was seen to depend on; none: on several things.
    let mut depends: BTreeMap<Place, Option<&str>> = BTreeMap::new();
    for (index, a) in programs.iter().enumerate() {
        for b in programs.iter().skip(index + 1) {
            let Some(((option, first), (_, second))) =
                difference(a, b).and_then(|at| a.choices.get(at).zip(b.choices.get(at)))
            else {
                continue;
            };
            for place in a.reads.symmetric_difference(&b.reads) {
                let value = if a.reads.contains(place) { first } else { second };
                let other = if a.reads.contains(place) { second } else { first };
                // Between two values that both switch something on, either may be the one that needs it.
                let by = (!is_off(value) && is_off(other)).then_some(&option[..]);
                depends
                    .entry(*place)
                    .and_modify(|known| *known = known.filter(|known| Some(*known) == by))
                    .or_insert(by);
            }
        }
    }
    let mut by_option: BTreeMap<(&str, Space), Vec<Place>> = BTreeMap::new();
    for (place, option) in depends {
        let Some(option) = option else { continue };
        let contradicted = programs.iter().any(|program| {
            program.reads.contains(&place)
                && program.choices.iter().any(|(name, value)| name == option && is_off(value))
        });
        if !contradicted {
            by_option.entry((option, place.0)).or_default().push(place);
        }
    }
    let mut names = BTreeMap::new();
    let mut taken = BTreeSet::new();
    for ((option, _), places) in by_option {
        let Some(word) = word(option) else { continue };
        for place in places {
            let mut name = word.clone();
            let mut number = 1_u32;
            while !taken.insert(name.clone()) {
                number += 1;
                name = format!("{word}{number}");
            }
            names.insert(place, name);
        }
    }
    names
}

/// The word in the name of an option: `normalMap` of `ENABLE_NORMAL_MAP`, `o_normal_map`, `useNormalMap`.
fn word(option: &str) -> Option<String> {
    const IDLE: [&str; 11] =
        ["o", "c", "is", "has", "use", "uses", "enable", "enabled", "with", "flag", "option"];
    let mut parts: Vec<String> = Vec::new();
    let mut after_lower = false;
    for character in option.chars() {
        if !character.is_ascii_alphanumeric() {
            parts.push(String::new());
            after_lower = false;
            continue;
        }
        if parts.is_empty() || after_lower && character.is_ascii_uppercase() {
            parts.push(String::new());
        }
        after_lower = character.is_ascii_lowercase();
        if let Some(last) = parts.last_mut() {
            last.push(character.to_ascii_lowercase());
        }
    }
    parts.retain(|part| !part.is_empty());
    let idle = parts.iter().take_while(|part| IDLE.contains(&&part[..])).count();
    let mut out = String::new();
    for part in parts.iter().skip(idle) {
        let mut letters = part.chars();
        let first = letters.next()?;
        out.push(if out.is_empty() { first } else { first.to_ascii_uppercase() });
        out.extend(letters);
    }
    (out.len() >= 3 && !out.starts_with(|c: char| c.is_ascii_digit())).then_some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program(fog: &str, map: &str, reads: &[u32]) -> Compared {
        let choice = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        Compared {
            choices: vec![choice("FOG", fog), choice("ENABLE_NORMAL_MAP", map)],
            reads: reads.iter().map(|unit| (Space::Texture, 0, *unit)).collect(),
        }
    }

    #[test]
    fn what_an_option_brings_has_its_name() {
        let programs = [
            program("0", "0", &[0]),
            program("0", "1", &[0, 1]),
            program("1", "1", &[0, 1, 3]),
            program("1", "0", &[0, 3]),
        ];
        let names = names_by_options(&programs);
        let expected =
            [((Space::Texture, 0, 1), "normalMap".to_owned()), ((Space::Texture, 0, 3), "fog".to_owned())];
        assert_eq!(names, expected.into());
    }

    #[test]
    fn what_two_options_bring_has_no_name() {
        let programs = [program("0", "0", &[]), program("0", "1", &[2]), program("1", "0", &[2])];
        assert!(names_by_options(&programs).is_empty());
        // Differs in both.
        assert!(names_by_options(&[program("0", "0", &[]), program("1", "1", &[2])]).is_empty());
    }

    #[test]
    fn options_have_words() {
        for (option, expected) in [
            ("ENABLE_NORMAL_MAP", Some("normalMap")),
            ("o_fog", Some("fog")),
            ("cUseSpecular", Some("specular")),
            ("USE_A", None),
        ] {
            assert_eq!(word(option).as_deref(), expected, "{option}");
        }
    }
}
