//! What an archive of the Switch has names for: itself, programs, macros with their values and defaults, blocks with their
//! uniforms, and the variables of its binaries; and these texts of other lengths.
//!
//! Names of variables stand once for all binaries, or in each: a name that several tables lead to is one text.

use super::layout::{renamed, spliced};
use super::model::{Program, SharcfbNx};
use super::raw::{BINARY, HEADER, Table};
use crate::formats::agl::model::Record;
use crate::formats::agl::names::{self, List, exchange, records, text};
use crate::formats::agl::raw;
use crate::shared::Node;
use crate::shared::names::{Joins, Put, Thing, child, no_text};
use std::collections::BTreeMap;
use unshade_bytes::Result;

/// Whose a text is.
#[derive(Debug, Clone, Copy)]
enum Place {
    Program(usize),
    /// Of a record of the program of that number.
    Record(usize, names::Place),
    /// Among the names of the archive, the first of which is its own.
    Pooled(usize),
    /// In the data of a binary.
    Data(usize, usize),
}

impl SharcfbNx {
    fn program_nodes<'t>(&'t self, tree: &'t Node) -> Vec<(usize, &'t Program, &'t Node)> {
        let (Some(programs), Some(node)) = (&self.programs, child(tree, "programs")) else {
            return Vec::new();
        };
        let programs = records(programs, node).into_iter();
        programs.map(|(index, program, node)| (index, program.as_ref(), node)).collect()
    }

    /// Offset of the data of each binary in the file.
    fn data_places(&self) -> Vec<u64> {
        let mut at = self.binaries_at().saturating_add(8);
        let mut places = Vec::with_capacity(self.binary_count());
        for record in self.binaries.iter().flat_map(|array| &array.items) {
            places.push(at.saturating_add(BINARY as u64));
            at = at.saturating_add(match record {
                Record::Known(binary) => [binary.data.len(), binary.tail.len()]
                    .iter()
                    .fold(BINARY as u64, |sum, len| sum.saturating_add(*len as u64)),
                Record::Damaged(bytes) => (bytes.len() as u64).saturating_add(4),
            });
        }
        places
    }

    /// What the archive has names for.
    pub(crate) fn things(&self, tree: &Node) -> Vec<Thing> {
        let mut things = vec![Thing::only("", "archive", self.name(), text(tree, "name"))];
        for (_, program, node) in self.program_nodes(tree) {
            let own = raw::text(&program.name.0);
            things.push(Thing::new("", "programs", own).texts(text(node, "name")));
            let owner = format!("programs{}.", Thing::part(own));
            names::macros((&program.macros, &program.defaults), node, &owner, &mut things);
            if let Some(node) = child(node, "blocks") {
                names::blocks(&program.blocks, "blocks", node, &owner, &mut things);
            }
        }
        let places = self.data_places();
        for ((index, binary), data) in self.binaries().enumerate().zip(places) {
            let Some((binary, info)) = binary.and_then(|binary| Some((binary, binary.info()?))) else {
                continue;
            };
            let owner = format!("binaries[{index}].");
            for table in Table::ALL {
                for entry in info.entries(&binary.data, table) {
                    let Some(own) = self.text(binary, entry.name).filter(|own| !own.is_empty()) else {
                        continue;
                    };
                    let from = if self.has_pooled_names() { HEADER as u64 } else { data };
                    let mut thing = Thing::new(&owner, table.name(), own);
                    thing.joins = Joins::Unowned;
                    things.push(thing.texts([from.saturating_add(entry.name)]));
                }
            }
        }
        things
    }

    /// The texts of the archive by their places in the file.
    fn places(&self, tree: &Node) -> BTreeMap<u64, Place> {
        let mut places = BTreeMap::new();
        places.insert(HEADER as u64, Place::Pooled(0));
        for (number, program, node) in self.program_nodes(tree) {
            places.extend(text(node, "name").map(|at| (at, Place::Program(number))));
            let mut add = |at: u64, place| {
                places.insert(at, Place::Record(number, place));
            };
            let lists =
                [(List::Macros, "macros", &program.macros), (List::Defaults, "defaults", &program.defaults)];
            for (list, name, macros) in lists {
                if let Some(node) = child(node, name) {
                    names::macro_places(macros, list, node, &mut add);
                }
            }
            if let Some(node) = child(node, "blocks") {
                names::block_places(&program.blocks, node, &mut add);
            }
        }
        let data = self.data_places();
        for ((index, binary), at) in self.binaries().enumerate().zip(data) {
            let Some((binary, info)) = binary.and_then(|binary| Some((binary, binary.info()?))) else {
                continue;
            };
            for entry in Table::ALL.into_iter().flat_map(|table| info.entries(&binary.data, table)) {
                let Ok(offset) = usize::try_from(entry.name) else { continue };
                match self.has_pooled_names() {
                    true => places.insert((HEADER as u64).saturating_add(entry.name), Place::Pooled(offset)),
                    false => places.insert(at.saturating_add(entry.name), Place::Data(index, offset)),
                };
            }
        }
        places
    }

    /// Puts other texts in place of those at these places of the file.
    ///
    /// # Errors
    /// Where no text starts there.
    pub(crate) fn set_texts(&mut self, texts: &[(u64, Vec<u8>)]) -> Result<()> {
        if texts.is_empty() {
            return Ok(());
        }
        let tree = self.tree()?;
        let places = self.places(&tree);
        let found = texts.iter().map(|(at, text)| {
            let place = places.get(at).copied().ok_or_else(|| no_text(*at))?;
            Ok((*at, place, text.as_slice()))
        });
        let mut found: Vec<(u64, Place, &[u8])> = found.collect::<Result<_>>()?;
        // From the back, so that the others keep their places.
        found.sort_by_key(|(at, ..)| std::cmp::Reverse(*at));
        for (at, place, text) in found {
            match place {
                Place::Pooled(offset) => self.rename_pooled(offset, text).ok_or_else(|| no_text(at))?,
                Place::Data(index, offset) => self.rename_in_data(index, offset, text, at)?,
                place => self.set_text(place, text),
            }
        }
        Ok(())
    }

    /// Gives a text among the names of the archive another form, and moves those behind it.
    fn rename_pooled(&mut self, at: usize, new: &[u8]) -> Option<()> {
        let (names, end, moved) = renamed(&self.names, at, new)?;
        self.names = names;
        if moved == 0 || !self.has_pooled_names() {
            return Some(());
        }
        for record in self.binaries.iter_mut().flat_map(|array| &mut array.items) {
            let Record::Known(binary) = record else { continue };
            let Some(info) = binary.info() else { continue };
            for table in Table::ALL {
                let Some((_, offset)) = info.table(table) else { continue };
                let entries: Vec<u64> = info.entries(&binary.data, table).map(|entry| entry.name).collect();
                for (index, name) in entries.into_iter().enumerate().filter(|(_, name)| *name > end as u64) {
                    let row = usize::try_from(offset).unwrap_or(usize::MAX);
                    let row = row.saturating_add(index.saturating_mul(table.entry_len()));
                    let place = binary.data.0.get_mut(row..).and_then(|rest| rest.first_chunk_mut());
                    if let Some(place) = place {
                        *place = name.saturating_add_signed(moved).to_le_bytes();
                    }
                }
            }
        }
        Some(())
    }

    /// The same in the data of a binary.
    fn rename_in_data(&mut self, index: usize, at: usize, new: &[u8], place: u64) -> Result<()> {
        let record = self.binaries.as_mut().and_then(|array| array.items.get_mut(index));
        let Some(Record::Known(binary)) = record else { return Err(no_text(place)) };
        let info = binary.info().ok_or_else(|| no_text(place))?;
        let rest = binary.data.get(at..).unwrap_or_default();
        let len = rest.iter().position(|&byte| byte == 0).ok_or_else(|| no_text(place))?;
        let end = at.saturating_add(len);
        let mut data = spliced(&binary.data, &info, at..end, new, false)?;
        // Data fills a multiple of eight bytes; what fills it up behind the last name comes and goes.
        let ends = |data: &[u8]| {
            let info = super::raw::Info::read(data)?;
            let names = Table::ALL.into_iter().flat_map(|table| info.entries(data, table));
            let names = names.filter_map(|entry| {
                let at = usize::try_from(entry.name).ok()?;
                let len = data.get(at..)?.iter().position(|&byte| byte == 0)?;
                at.checked_add(len)?.checked_add(1)
            });
            names.max()
        };
        let (before, after) = (ends(&binary.data), ends(&data));
        let rest = before.and_then(|end| binary.data.get(end..)).unwrap_or(&[1]);
        let usual = before.map(|end| end.next_multiple_of(8)) == Some(binary.data.len());
        if let Some(end) = after.filter(|_| usual && rest.iter().all(|&byte| byte == 0)) {
            data.resize(end.next_multiple_of(8), 0);
        }
        binary.data.0 = data;
        Ok(())
    }

    fn set_text(&mut self, place: Place, text: &[u8]) {
        let strings = match place {
            Place::Program(number) => self.program_mut(number).ok().map(|program| (&mut program.name, 0)),
            Place::Record(number, place) => self.program_mut(number).ok().and_then(|program| match place {
                names::Place::Macro(List::Macros, index, part) => {
                    names::macro_text(&mut program.macros, index, part)
                }
                names::Place::Macro(List::Defaults, index, part) => {
                    names::macro_text(&mut program.defaults, index, part)
                }
                names::Place::Block(index, uniform) => names::block_text(&mut program.blocks, index, uniform),
                names::Place::Symbol(..) => None,
            }),
            Place::Pooled(_) | Place::Data(..) => None,
        };
        if let Some((strings, index)) = strings {
            exchange(strings, index, text);
        }
    }

    /// Values that come and go, of which an archive of the Switch has none.
    pub(crate) fn set_things(&mut self, puts: &[Put]) -> Result<()> {
        let _ = puts;
        Ok(())
    }
}
