//! Code of an executable brought into the program of another file: as it lies, where that fits; else moved, with its
//! branches and descriptors.

use super::detached::Detached;
use super::flow::{self, NOP, REACH};
use super::model::{Code, Descriptor, Dvle, GeometryWord, Line};
use super::share::{Share, Shares};
use crate::shared::Strings;
use crate::shared::programs::unfit;
use std::collections::BTreeMap;
use unshade_bytes::Result;

/// Words that the vertex units take.
const VERTEX_WORDS: usize = 512;

/// A program with an executable in it.
pub(super) struct Linked {
    pub code: Code,
    pub file_names: Strings,
    /// The executable, with its places in that code.
    pub dvle: Dvle,
}

/// Which words of a program may be taken for those of an executable, where they are the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reuse {
    /// Those that others need: they stay when this executable goes.
    Needed,
    /// All, as what nobody needs may be what is left of it.
    All,
}

/// Brings a loose executable into a program of which `shares` says what may be overwritten and what goes.
pub(super) fn link(
    code: &Code,
    names: &Strings,
    shares: &Shares,
    loose: &Detached,
    reuse: Reuse,
    item: &str,
) -> Result<Linked> {
    let Some((dvle, source, source_names)) = loose.parts() else {
        return Err(unfit(item, "an executable with its program", "none"));
    };
    let mut dvle = dvle.clone();
    if loose.relocations.is_some() && dvle.executable.geometry == GeometryWord::UNSET {
        dvle.executable.geometry = GeometryWord::default();
    }
    let (here, there) = ((code, names), (source, source_names));
    let linked = match reuse {
        Reuse::Needed => is_there(here, shares, there, &loose.shares).then(|| (code.clone(), names.clone())),
        Reuse::All => as_it_lies(here, shares, there, &loose.shares),
    };
    if let Some((code, file_names)) = linked {
        return Ok(Linked { code, file_names, dvle });
    }
    Move { code, names, shares, source, source_names, from: &loose.shares, item }.link(dvle)
}

/// Whether others need the same words with the same descriptors at the same places.
fn is_there(
    (code, names): (&Code, &Strings),
    shares: &Shares,
    (source, source_names): (&Code, &Strings),
    from: &Shares,
) -> bool {
    fn table<T: PartialEq>(target: &[T], source: &[T], here: &Share, from: &Share) -> bool {
        let used = source.iter().zip(&from.used).enumerate().filter(|(_, (_, used))| **used);
        let mut used = used.map(|(index, (wanted, _))| (index, wanted));
        used.all(|(index, wanted)| here.others.get(index) == Some(&true) && target.get(index) == Some(wanted))
    }
    let lines = (code.lines.is_empty() && source.lines.is_empty())
        || (names == source_names && table(&code.lines, &source.lines, &shares.words, &from.words));
    lines
        && from.words.used.contains(&true)
        && table(&code.words, &source.words, &shares.words, &from.words)
        && table(&code.descriptors, &source.descriptors, &shares.descriptors, &from.descriptors)
}

/// The program with the source's words and descriptors at the same places, if everything there is the same, may be
/// overwritten, or lies behind what others need.
fn as_it_lies(
    (code, names): (&Code, &Strings),
    shares: &Shares,
    (source, source_names): (&Code, &Strings),
    from: &Shares,
) -> Option<(Code, Strings)> {
    fn table<T: Copy + PartialEq>(target: &[T], source: &[T], here: &Share, from: &Share) -> Option<Vec<T>> {
        let tail = here.tail;
        if here.alone {
            return Some(source.to_vec());
        }
        let mut made = target.get(..tail)?.to_vec();
        let mut mine = false;
        for (index, wanted) in source.iter().enumerate() {
            let at = |list: &[bool]| list.get(index) == Some(&true);
            // What nobody needs belongs to what stands in front of it: so that must be its own, here too.
            mine = mine || at(&from.used);
            match made.get_mut(index) {
                Some(place) => {
                    mine = mine && !at(&here.others);
                    if at(&here.own) && mine && (at(&from.used) || at(&from.own)) {
                        *place = *wanted;
                    }
                    if at(&from.used) && place != wanted {
                        return None;
                    }
                }
                None if (mine && from.has(index)) || target.get(index) == Some(wanted) => made.push(*wanted),
                None => return None,
            }
        }
        Some(made)
    }
    let words = table(&code.words, &source.words, &shares.words, &from.words)?;
    let descriptors = table(&code.descriptors, &source.descriptors, &shares.descriptors, &from.descriptors)?;
    let lined = |code: &Code| code.lines.len() == code.words.len();
    let (lines, file_names) = match shares.words.tail {
        0 => (source.lines.clone(), source_names.clone()),
        _ if code.lines.is_empty() && source.lines.is_empty() => (Vec::new(), names.clone()),
        _ if !lined(code) || !lined(source) => return None,
        tail => {
            let lines = table(&code.lines, &source.lines, &shares.words, &from.words)?;
            let kept = lines.get(..tail)?.iter().all(|line| (line.file as usize) < source_names.0.len());
            let same = names.0.starts_with(&source_names.0) && kept;
            let longer = source_names.0.starts_with(&names.0);
            (same || longer).then(|| (lines, source_names.clone()))?
        }
    };
    Some((Code { words, descriptors, lines }, file_names))
}

/// What is needed to move an executable.
struct Move<'m> {
    code: &'m Code,
    names: &'m Strings,
    shares: &'m Shares,
    source: &'m Code,
    source_names: &'m Strings,
    from: &'m Shares,
    item: &'m str,
}

impl Move<'_> {
    fn link(&self, dvle: Dvle) -> Result<Linked> {
        let needed: Vec<usize> = (0..self.source.words.len())
            .filter(|&word| self.from.words.used.get(word).copied().unwrap_or(false))
            .collect();
        let room = self.shares.words.room();
        let tail = self.shares.words.tail;
        let (base, in_place) =
            match tail == self.code.words.len() && room.len() >= needed.len() && !room.is_empty() {
                true => (room.start, true),
                false => (tail, false),
            };
        self.limits(&dvle, base, needed.len(), in_place)?;
        let places = Places::new(&needed, self.source.words.len(), base);

        let mut code = self.code.clone();
        code.descriptors.truncate(self.shares.descriptors.tail);
        let descriptors = self.descriptors(&needed, &mut code.descriptors)?;
        let mut words = Vec::with_capacity(needed.len());
        for &at in &needed {
            let word = self.source.words.get(at).copied().unwrap_or(NOP);
            words.push(self.moved(word, &places, &descriptors)?);
        }
        let (lines, file_names) = self.lines(&needed)?;
        if in_place {
            words.resize(room.len(), NOP);
            for (place, word) in code.words.iter_mut().skip(room.start).zip(words) {
                *place = word;
            }
            for (place, line) in code.lines.iter_mut().skip(room.start).zip(lines) {
                *place = line;
            }
        } else {
            code.words.truncate(tail);
            code.words.extend(words);
            if !code.lines.is_empty() {
                code.lines.truncate(tail);
                code.lines.extend(lines);
            }
        }
        let dvle = self.executable(dvle, &places)?;
        Ok(Linked { code, file_names, dvle })
    }

    fn limits(&self, dvle: &Dvle, base: usize, count: usize, in_place: bool) -> Result<()> {
        let end = base.saturating_add(count);
        let limit = match dvle.executable.kind {
            0 => VERTEX_WORDS,
            _ => REACH,
        };
        if count == 0 {
            return Err(unfit(self.item, "an entry point in its code", dvle.entry.to_string()));
        }
        if end > limit {
            let unit = if limit == REACH { "branches reach" } else { "the vertex units take" };
            return Err(unfit(
                self.item,
                format!("code in the first {limit} words, which {unit}"),
                format!("an end at word {end}"),
            ));
        }
        let behind = !in_place && self.shares.others_run_off && base > 0;
        if behind || (in_place && self.from.runs_off) {
            let found = "one that goes on behind the last word";
            return Err(unfit(self.item, "programs that end before the code does", found));
        }
        Ok(())
    }

    /// Where each descriptor of the source is now; those that multiply-adds name, which reach fewer, come first.
    fn descriptors(&self, needed: &[usize], table: &mut Vec<Descriptor>) -> Result<Vec<usize>> {
        let mut reach: Vec<Option<usize>> = vec![None; self.source.descriptors.len()];
        for word in needed.iter().filter_map(|&at| self.source.words.get(at)) {
            if let Some((index, count)) = flow::descriptor(*word)
                && let Some(place) = reach.get_mut(index)
            {
                *place = Some(place.map_or(count, |known| known.min(count)));
            }
        }
        let mut order: Vec<(usize, usize)> =
            reach.iter().enumerate().filter_map(|(index, count)| Some(((*count)?, index))).collect();
        order.sort_unstable();
        // What nobody needs is not taken for the same, so that what comes goes again as a whole.
        let share = &self.shares.descriptors;
        let mut needed: Vec<bool> = share.others.iter().take(table.len()).copied().collect();
        let mut moved: Vec<usize> = (0..self.source.descriptors.len()).collect();
        for (count, index) in order {
            let Some(wanted) = self.source.descriptors.get(index) else { continue };
            let mut entries = table.iter().zip(&needed).take(count);
            let same = entries.position(|(known, needed)| *needed && known == wanted);
            let mut free = needed.iter().zip(&share.own).take(count);
            let place = same.or_else(|| free.position(|(needed, own)| *own && !needed));
            let place = match place {
                Some(place) => place,
                None => {
                    table.push(*wanted);
                    needed.push(false);
                    table.len().saturating_sub(1)
                }
            };
            if place >= count {
                let found = format!("no room for another one among {}", table.len().saturating_sub(1));
                return Err(unfit(
                    self.item,
                    format!("descriptors among the first {count}, which the instruction reaches"),
                    found,
                ));
            }
            if let Some(entry) = table.get_mut(place) {
                *entry = *wanted;
            }
            if let Some(needed) = needed.get_mut(place) {
                *needed = true;
            }
            if let Some(to) = moved.get_mut(index) {
                *to = place;
            }
        }
        Ok(moved)
    }

    fn moved(&self, word: u32, places: &Places, descriptors: &[usize]) -> Result<u32> {
        if let Some(target) = flow::target(word) {
            return match places.of(target) {
                Some(place) if place < REACH => Ok(flow::with_target(word, place)),
                // What no control reaches may name anything.
                _ => Err(unfit(self.item, "branches to words of the code", format!("one to word {target}"))),
            };
        }
        let named = flow::descriptor(word).and_then(|(index, _)| descriptors.get(index));
        Ok(named.map_or(word, |index| flow::with_descriptor(word, *index)))
    }

    /// The lines of the moved words, in a file that has lines, with the names that they need.
    fn lines(&self, needed: &[usize]) -> Result<(Vec<Line>, Strings)> {
        let mut names = self.names.clone();
        if self.code.lines.is_empty() {
            return Ok((Vec::new(), names));
        }
        if self.code.lines.len() != self.code.words.len() {
            let found = format!("{} for {} words", self.code.lines.len(), self.code.words.len());
            return Err(unfit(self.item, "a line for each word", found));
        }
        // Names that no line needs are not taken: then what comes with code goes with it.
        let used = self.code.lines.iter().take(self.shares.words.tail);
        let mut known: BTreeMap<Vec<u8>, u32> = BTreeMap::new();
        for line in used {
            if let Some(name) = names.at(line.file) {
                known.entry(name.to_vec()).or_insert(line.file);
            }
        }
        let unnamed = self.code.lines.first().map_or(0, |line| line.file);
        let mut lines = Vec::with_capacity(needed.len());
        for &at in needed {
            let line = self.source.lines.get(at).copied().unwrap_or_default();
            let name = self.source_names.at(line.file).filter(|_| !self.source.lines.is_empty());
            let file = match name {
                None => unnamed,
                Some(name) => *known.entry(name.to_vec()).or_insert_with(|| append(&mut names, name)),
            };
            lines.push(Line { file, line: line.line });
        }
        Ok((lines, names))
    }

    /// The executable with its places where its code is now. Labels of code that it does not run stay behind.
    fn executable(&self, mut dvle: Dvle, places: &Places) -> Result<Dvle> {
        let word = |place: usize| u32::try_from(place).unwrap_or(u32::MAX);
        let entry = places.of(dvle.entry as usize).map(word);
        dvle.entry =
            entry.ok_or_else(|| unfit(self.item, "an entry point in its code", dvle.entry.to_string()))?;
        if dvle.end != 0 {
            dvle.end = places.behind(dvle.end as usize).map_or(0, word);
        }
        dvle.executable.labels.retain_mut(|label| {
            let place = places.of(label.position as usize);
            label.position = place.map_or(0, word);
            place.is_some()
        });
        Ok(dvle)
    }
}

/// Puts a name behind the others and returns its offset.
fn append(names: &mut Strings, name: &[u8]) -> u32 {
    if names.0.last().is_some_and(|&last| last != 0) {
        names.0.push(0);
    }
    let at = u32::try_from(names.0.len()).unwrap_or(u32::MAX);
    names.0.extend_from_slice(name);
    names.0.push(0);
    at
}

/// Where words went.
struct Places {
    to: Vec<Option<usize>>,
}

impl Places {
    fn new(needed: &[usize], len: usize, base: usize) -> Self {
        let mut to = vec![None; len];
        for (&at, place) in needed.iter().zip(base..) {
            if let Some(to) = to.get_mut(at) {
                *to = Some(place);
            }
        }
        Self { to }
    }

    /// The place of a word, or of what follows on the one before it.
    fn of(&self, word: usize) -> Option<usize> {
        self.to.get(word).copied().flatten().or_else(|| self.behind(word))
    }

    /// The place behind the word in front of this one.
    fn behind(&self, word: usize) -> Option<usize> {
        let before = self.to.get(word.checked_sub(1)?).copied().flatten();
        before.map(|place| place.saturating_add(1))
    }
}
