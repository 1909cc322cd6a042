//! What an archive has names for: itself, programs, macros with their values and defaults, symbols, and what its
//! binaries name; and all these texts of other lengths.
//!
//! A macro stands in two lists, and its default is the text of one of its values, so these change together. A symbol is
//! also named in the structures of its program's binaries, in which the console looks it up.

use super::model::{Array, Extra, Program, Record, Sharcfb, Symbol, SymbolKind};
use super::raw::{self, NO_BINARIES};
use crate::formats::agl::names::{self, List, VALUES, exchange, records, text};
use crate::formats::gx2::{self, TableKind};
use crate::shared::names::{Key, Put, Thing, child, no_text};
use crate::shared::{FieldEncoding, Node};
use std::collections::BTreeMap;
use std::ops::Range;
use unshade_bytes::{Endian, Error, ErrorKind, Result};
use unshade_stage::latte::VarType;

/// Whose a text is.
#[derive(Debug, Clone, Copy)]
enum Place {
    Archive,
    /// A name in the data of a binary, at an offset of it.
    Binary(usize, usize),
    Program(usize),
    /// Of a record of the program of that number.
    Record(usize, names::Place),
}

impl Sharcfb {
    fn program_nodes<'t>(&'t self, tree: &'t Node) -> Vec<(usize, &'t Program, &'t Node)> {
        let (Some(programs), Some(node)) = (&self.programs, child(tree, "programs")) else {
            return Vec::new();
        };
        records(programs, node)
            .into_iter()
            .map(|(index, program, node)| (index, program.as_ref(), node))
            .collect()
    }

    /// Offsets of the data of the binaries in the file; `None` for what is none.
    fn data_places(&self) -> Vec<Option<Range<u64>>> {
        let placed = self.placed().unwrap_or_default();
        let place = |(binary, placed): (Option<&super::Binary>, super::write::Placed<'_>)| {
            let start = binary?.data_at(placed.at);
            Some(start..start.saturating_add(placed.data.as_ref()?.len() as u64))
        };
        self.binaries().zip(placed).map(place).collect()
    }

    /// What the archive has names for.
    pub(crate) fn things(&self, tree: &Node) -> Vec<Thing> {
        let mut things = vec![Thing::only("", "archive", raw::text(&self.name.0), text(tree, "name"))];
        let binaries = self.binary_things();
        for (index, program, node) in self.program_nodes(tree) {
            let own = raw::text(&program.name.0);
            things.push(Thing::new("", "programs", own).texts(text(node, "name")));
            let owner = format!("programs{}.", Thing::part(own));
            names::macros((&program.macros, &program.defaults), node, &owner, &mut things);
            if let (Some(Extra::Blocks(blocks)), Some(node)) = (&program.extra, child(node, "extra")) {
                names::blocks(blocks, "extra", node, &owner, &mut things);
            }
            let range = self.binaries_of(program, binaries.len());
            let inner = binaries.get(range).unwrap_or_default();
            for kind in SymbolKind::ALL {
                let Some(node) = child(node, kind.name()) else { continue };
                for (number, symbol, node) in records(program.symbols(kind), node) {
                    let own = raw::text(&symbol.name.0);
                    let is_its = |thing: &&Thing| {
                        thing.kind == table(kind).name() && thing.tail.is_empty() && thing.own == own
                    };
                    let in_binaries = inner.iter().flatten().filter(is_its);
                    let texts: Vec<u64> = in_binaries.flat_map(|thing| thing.texts.iter().copied()).collect();
                    let thing =
                        Thing::new(&owner, kind.name(), own).texts(text(node, "name")).texts(texts).one();
                    let key = Key { owner: index, table: kind as usize, index: number };
                    let value = match kind {
                        SymbolKind::Uniforms | SymbolKind::Blocks => {
                            let known =
                                self.words_of(program, symbol).filter(|_| kind == SymbolKind::Uniforms);
                            names::default_value(symbol, node, self.order_of(kind), known, key)
                        }
                        SymbolKind::Samplers | SymbolKind::Attributes => None,
                    };
                    things.push(thing.value(value));
                    if let Some(id) = text(node, "id") {
                        let kind = format!("{}{}", kind.name(), Thing::part(own));
                        things.push(Thing::only(
                            &owner,
                            &format!("{kind}.id"),
                            raw::text(&symbol.id.0),
                            Some(id),
                        ));
                    }
                }
            }
        }
        things.extend(binaries.into_iter().flatten());
        things
    }

    /// What each binary names.
    fn binary_things(&self) -> Vec<Vec<Thing>> {
        let form = self.form();
        let placed = self.placed().unwrap_or_default();
        let things =
            |(index, (binary, placed)): (usize, (Option<&super::Binary>, super::write::Placed<'_>))| {
                let found = || {
                    let binary = binary?;
                    let shader = gx2::Shader::new(binary.shader_kind()?, form, placed.data.as_deref()?)?;
                    let owner = format!("binaries[{index}].");
                    let number =
                        index.checked_add(self.programs.as_ref().map_or(0, |array| array.items.len()))?;
                    let mut things = gx2::names::things(&shader, binary.data_at(placed.at), &owner, number);
                    things.iter_mut().for_each(|thing| thing.joins = crate::shared::names::Joins::Never);
                    Some(things)
                };
                found().unwrap_or_default()
            };
        self.binaries().zip(placed).enumerate().map(things).collect()
    }

    fn binaries_of(&self, program: &Program, all: usize) -> Range<usize> {
        if program.base == NO_BINARIES {
            return 0..0;
        }
        let start = (program.base as usize).min(all);
        let count =
            program.variation_count().unwrap_or(0).saturating_mul(program.binaries_per_variation().into());
        start..start.saturating_add(usize::try_from(count).unwrap_or(all)).min(all)
    }

    /// The console turns the defaults of uniforms with the file; those of blocks are for the GPU.
    fn order_of(&self, kind: SymbolKind) -> Endian {
        if kind == SymbolKind::Uniforms { self.endian } else { Endian::Little }
    }

    /// How many floats a uniform has, as the first binary of its program says that names it.
    fn words_of(&self, program: &Program, symbol: &Symbol) -> Option<usize> {
        let own = raw::text(&symbol.name.0);
        let form = self.form();
        let items = self
            .binaries
            .as_ref()?
            .items
            .get(self.binaries_of(program, self.binaries.as_ref()?.items.len()))?;
        let shaders = items.iter().filter_map(|record| record.known()?.shader(form));
        shaders.into_iter().find_map(|shader| {
            let mut entries = shader.entries(TableKind::Uniforms);
            let entry = entries.find(|entry| shader.text(entry.word(0)) == Some(own))?;
            let (_, columns, rows) = VarType(entry.word(1)).shape()?;
            let words = columns.checked_mul(rows)?.checked_mul(entry.word(2).max(1))?;
            usize::try_from(words).ok().filter(|words| (1..=VALUES / 4).contains(words))
        })
    }

    /// The texts of the archive by their places in the file.
    fn places(&self, tree: &Node) -> BTreeMap<u64, Place> {
        let mut places = BTreeMap::new();
        places.extend(text(tree, "name").map(|at| (at, Place::Archive)));
        for (number, program, node) in self.program_nodes(tree) {
            places.extend(text(node, "name").map(|at| (at, Place::Program(number))));
            let lists =
                [(List::Macros, "macros", &program.macros), (List::Defaults, "defaults", &program.defaults)];
            for (list, name, macros) in lists {
                let Some(node) = child(node, name) else { continue };
                names::macro_places(macros, list, node, |at, place| {
                    places.insert(at, Place::Record(number, place));
                });
            }
            if let (Some(Extra::Blocks(blocks)), Some(node)) = (&program.extra, child(node, "extra")) {
                names::block_places(blocks, node, |at, place| {
                    places.insert(at, Place::Record(number, place));
                });
            }
            for kind in SymbolKind::ALL {
                let Some(node) = child(node, kind.name()) else { continue };
                names::symbol_places(program.symbols(kind), kind, node, |at, place| {
                    places.insert(at, Place::Record(number, place));
                });
            }
        }
        places
    }

    /// Puts other texts in place of those at these places of the file.
    ///
    /// # Errors
    /// Where no text starts there, and as for the data of a structure.
    pub(crate) fn set_texts(&mut self, texts: &[(u64, Vec<u8>)]) -> Result<()> {
        if texts.is_empty() {
            return Ok(());
        }
        let tree = self.tree()?;
        let places = self.places(&tree);
        let data = self.data_places();
        let inside = |at: u64| {
            let index = data.partition_point(|place| place.as_ref().is_none_or(|place| place.start <= at));
            let candidates = data.get(..index)?.iter().enumerate().rev();
            let (index, place) =
                candidates.filter_map(|(index, place)| Some((index, place.as_ref()?))).next()?;
            let offset = at.checked_sub(place.start).filter(|_| at < place.end)?;
            Some(Place::Binary(index, usize::try_from(offset).ok()?))
        };
        let found = texts.iter().map(|(at, text)| {
            let place = places.get(at).copied().or_else(|| inside(*at)).ok_or_else(|| no_text(*at))?;
            Ok((place, text.as_slice()))
        });
        let found: Vec<(Place, &[u8])> = found.collect::<Result<_>>()?;
        // Values from the back, so that the others keep their numbers; and binaries as a whole.
        let mut binaries: BTreeMap<usize, BTreeMap<usize, Vec<u8>>> = BTreeMap::new();
        for (place, text) in found {
            match place {
                Place::Binary(index, offset) => {
                    binaries.entry(index).or_default().insert(offset, text.to_vec());
                }
                place => self.set_text(place, text),
            }
        }
        let form = self.form();
        for (index, texts) in binaries {
            let record = self.binaries.as_mut().and_then(|array| array.items.get_mut(index));
            let Some(Record::Known(binary)) = record else { continue };
            let Some(kind) = binary.shader_kind() else { continue };
            gx2::names::set_texts(kind, form, &mut binary.data.0, &texts)?;
        }
        self.settle()
    }

    fn set_text(&mut self, place: Place, text: &[u8]) {
        let strings = match place {
            Place::Archive => Some((&mut self.name, 0)),
            Place::Program(number) => self.program_mut(number).ok().map(|program| (&mut program.name, 0)),
            Place::Record(number, place) => self.program_mut(number).ok().and_then(|program| match place {
                names::Place::Macro(List::Macros, index, part) => {
                    names::macro_text(&mut program.macros, index, part)
                }
                names::Place::Macro(List::Defaults, index, part) => {
                    names::macro_text(&mut program.defaults, index, part)
                }
                names::Place::Block(index, uniform) => match &mut program.extra {
                    Some(Extra::Blocks(blocks)) => names::block_text(blocks, index, uniform),
                    _ => None,
                },
                names::Place::Symbol(kind, index, part) => {
                    names::symbol_text(symbols_mut(program, kind), index, part)
                }
            }),
            Place::Binary(..) => None,
        };
        if let Some((strings, index)) = strings {
            exchange(strings, index, text);
        }
    }

    /// Brings defaults in, and takes them out.
    ///
    /// # Errors
    /// [`ErrorKind::BadValue`] for what is no float, and as for the data of a structure.
    pub(crate) fn set_things(&mut self, puts: &[Put]) -> Result<()> {
        let programs = self.programs.as_ref().map_or(0, |array| array.items.len());
        let form = self.form();
        for put in puts {
            if let Some(binary) = put.key.owner.checked_sub(programs) {
                let record = self.binaries.as_mut().and_then(|array| array.items.get_mut(binary));
                let Some(Record::Known(binary)) = record else { continue };
                let Some(kind) = binary.shader_kind() else { continue };
                gx2::names::put(kind, form, &mut binary.data.0, &[put])?;
                continue;
            }
            let Some(kind) = SymbolKind::ALL.get(put.key.table).copied() else { continue };
            let endian = self.order_of(kind);
            let Ok(program) = self.program_mut(put.key.owner) else { continue };
            let Some(Record::Known(symbol)) = symbols_mut(program, kind).items.get_mut(put.key.index) else {
                continue;
            };
            symbol.default.0.clear();
            for value in put.values.iter().flatten() {
                let bytes = FieldEncoding::Float.encode(value, &[0; 4], endian).map_err(|refusal| {
                    Error::new(ErrorKind::BadValue, 0, "default", refusal.expected, refusal.found)
                        .code("edit.value")
                })?;
                symbol.default.0.extend(bytes);
            }
        }
        self.settle()
    }
}

fn symbols_mut(program: &mut Program, kind: SymbolKind) -> &mut Array<Record<Symbol>> {
    match kind {
        SymbolKind::Uniforms => &mut program.uniforms,
        SymbolKind::Blocks => &mut program.blocks,
        SymbolKind::Samplers => &mut program.samplers,
        SymbolKind::Attributes => &mut program.attributes,
    }
}

fn table(kind: SymbolKind) -> TableKind {
    match kind {
        SymbolKind::Uniforms => TableKind::Uniforms,
        SymbolKind::Blocks => TableKind::Blocks,
        SymbolKind::Samplers => TableKind::Samplers,
        SymbolKind::Attributes => TableKind::Attributes,
    }
}
