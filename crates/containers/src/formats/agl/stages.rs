//! What the stages of an archive are called: `toon/3/pixel` for a stage of a variation, `@5/vertex` for one that no program has.

use crate::shared::programs::{missing, unfit};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use unshade_bytes::Result;

/// Where a stage is looked for.
pub(crate) enum Place<'n> {
    /// In a variation of the program of that unique name.
    Variation(&'n str, u64),
    /// In the binary of that number.
    Binary(u64),
}

impl<'n> Place<'n> {
    /// Takes a stage's name without its last word apart: `toon/3`, `@5`. `None` for what no stage is called.
    pub(crate) fn of(owner: &'n str) -> Option<Self> {
        // As it is printed, so that each stage has one name.
        let number = |text: &str| {
            let number: u64 = text.parse().ok()?;
            (number.to_string() == text).then_some(number)
        };
        Some(match owner.rsplit_once('/') {
            Some((name, variation)) => Self::Variation(name, number(variation)?),
            None => Self::Binary(number(owner.strip_prefix('@')?)?),
        })
    }
}

/// Names, made unique: the second of a name is `NAME~1`.
pub(crate) fn unique(names: impl Iterator<Item = String>) -> Vec<String> {
    let mut taken = BTreeSet::new();
    let mut numbers: BTreeMap<String, usize> = BTreeMap::new();
    let unique = names.map(|name| {
        let mut unique = name.clone();
        while !taken.insert(unique.clone()) {
            let number = numbers.entry(name.clone()).or_default();
            *number = number.saturating_add(1);
            unique = format!("{name}~{number}");
        }
        unique
    });
    unique.collect()
}

/// A binary that is a stage.
pub(crate) struct Owned {
    /// What it belongs to: `toon/3`, `@5`.
    pub name: String,
    /// Its number.
    pub binary: usize,
    /// Number of the program, where it belongs to one.
    pub program: Option<usize>,
}

/// What of an archive an item names that can go.
pub(crate) enum Named<'i> {
    /// A program, by its number: `toon`.
    Program(usize),
    /// A value of a macro of one, or a variation by its number: `toon/FOG=1`, `toon/3`.
    Part {
        /// Number of the program.
        program: usize,
        /// Its name.
        name: &'i str,
        /// What stands behind it.
        part: &'i str,
    },
    /// A binary that no program has, by its number: `@5`.
    Binary(usize),
}

/// What an item names. `number_of`: the program of a name; `owners`: what all binaries belong to.
///
/// # Errors
/// [`unshade_bytes::ErrorKind::OutOfBounds`] where nothing has that name;
/// [`unshade_bytes::ErrorKind::Unrepresentable`] for one stage of a variation.
pub(crate) fn named(
    item: &str,
    number_of: impl Fn(&str) -> Option<usize>,
    owners: impl FnOnce() -> Vec<Owned>,
) -> Result<Named<'_>> {
    if let Some(number) = number_of(item) {
        return Ok(Named::Program(number));
    }
    if let Some((name, part)) = item.rsplit_once('/')
        && let Some(program) = number_of(name)
    {
        return Ok(Named::Part { program, name, part });
    }
    let whole = item.rsplit_once('/').map_or(item, |(owner, _)| owner);
    match owners().into_iter().find(|owner| owner.name == whole) {
        Some(owner) if whole.starts_with('@') => Ok(Named::Binary(owner.binary)),
        Some(_) => Err(unfit(item, "a program or a variation", "one stage: each variation has all of them")),
        None => Err(missing(item)),
    }
}

/// A program and the binaries that it says are its own.
pub(crate) struct Claim {
    /// Its unique name.
    pub name: String,
    /// Its number.
    pub program: usize,
    pub binaries: Option<Range<usize>>,
}

/// The binaries of `count` that are stages, in order, each with its first owner. `variation` says which variation of a program a
/// binary is, where it is one.
pub(crate) fn owners(
    count: usize,
    claims: &[Claim],
    variation: impl Fn(usize, usize) -> Option<u64>,
    is_stage: impl Fn(usize) -> bool,
) -> Vec<Owned> {
    let mut owners: Vec<Option<Owned>> = (0..count).map(|_| None).collect();
    // Each binary is taken once, however many programs claim it.
    let mut free: BTreeSet<usize> = (0..count).collect();
    for Claim { name, program, binaries } in claims {
        let Some(binaries) = binaries.clone() else { continue };
        let wanted: Vec<usize> = free.range(binaries).copied().collect();
        for binary in wanted {
            if let (Some(variation), Some(place)) = (variation(*program, binary), owners.get_mut(binary)) {
                free.remove(&binary);
                let name = format!("{name}/{variation}");
                *place = Some(Owned { name, binary, program: Some(*program) });
            }
        }
    }
    let all = owners.into_iter().enumerate().filter(|(binary, _)| is_stage(*binary));
    let lone = |binary| Owned { name: format!("@{binary}"), binary, program: None };
    all.map(|(binary, owner)| owner.unwrap_or_else(|| lone(binary))).collect()
}
