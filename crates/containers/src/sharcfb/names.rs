//! What an archive has names for: itself, programs, macros with their values and defaults, symbols, and what its
//! binaries name; and all these texts of other lengths.
//!
//! A macro stands in two lists, and its default is the text of one of its values, so these change together. A symbol is
//! also named in the structures of its program's binaries, in which the console looks it up.

use super::model::{Array, Macro, Program, Record, Sharcfb, Symbol, SymbolKind};
use super::raw::{self, NO_BINARIES};
use crate::edit::names::{Content, Element, Key, Put, Slot, Thing, child, floats, no_text};
use crate::gx2::{self, TableKind};
use crate::{Coding, Node, Strings};
use std::collections::BTreeMap;
use std::ops::Range;
use unshade_bytes::{Endian, Error, ErrorKind, Result};
use unshade_stage::latte::VarType;

/// Numbers of one default value that are shown and set.
const VALUES: usize = 0x1_0000;

/// Which of the two lists of macros.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum List {
    Macros,
    Defaults,
}

/// Which text of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Name,
    Id,
    Value(usize),
}

/// Whose a text is.
#[derive(Debug, Clone, Copy)]
enum Place {
    Archive,
    /// A name in the data of a binary, at an offset of it.
    Binary(usize, usize),
    Program(usize),
    Macro(usize, List, usize, Part),
    Symbol(usize, SymbolKind, usize, Part),
}

/// The records of an array with their nodes.
fn records<'t, T>(array: &'t Array<Record<T>>, node: &'t Node) -> Vec<(usize, &'t T, &'t Node)> {
    // Behind size and count.
    let nodes = node.children.iter().skip(2);
    let known = array.items.iter().zip(nodes).enumerate();
    known.filter_map(|(index, (record, node))| Some((index, record.known()?, node))).collect()
}

/// The place of a text in a record, by the name of its field.
fn text(node: &Node, name: &str) -> Option<u64> {
    child(node, name).filter(|node| node.coding == Coding::Text).map(|node| node.offset)
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
            self.macros(program, node, &owner, &mut things);
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
                    things.push(thing.value(self.default_value(program, symbol, node, kind, key)));
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
                    things.iter_mut().for_each(|thing| thing.joins = crate::edit::names::Joins::Never);
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

    fn macros(&self, program: &Program, node: &Node, owner: &str, things: &mut Vec<Thing>) {
        let (Some(macros), Some(defaults)) = (child(node, "macros"), child(node, "defaults")) else { return };
        let defaults = records(&program.defaults, defaults);
        for (number, of, node) in records(&program.macros, macros) {
            let same_place =
                defaults.iter().find(|(index, other, _)| *index == number && other.name() == of.name());
            let default =
                same_place.or_else(|| defaults.iter().find(|(_, other, _)| other.name() == of.name()));
            let in_default = default.and_then(|(_, _, node)| text(node, "name"));
            let name =
                Thing::new(owner, "macros", of.name()).texts(text(node, "name")).texts(in_default).one();
            things.push(name);
            let kind = format!("macros{}", Thing::part(of.name()));
            let default_text = default.and_then(|(_, other, node)| {
                let place = child(node, "values")?.children.first()?.offset;
                Some((place, other.values().next()?))
            });
            if let Some((at, shown)) = default_text {
                let choices = of.values().map(<[u8]>::to_vec).collect();
                let value = Content::Text { at, shown: shown.to_vec(), choices };
                things.push(Thing::new(owner, "macros", of.name()).tail(".default").value(value));
            }
            for value in child(node, "values").map(|node| node.children.as_slice()).unwrap_or_default() {
                let Some(own) = value_at(of, value, node) else { continue };
                let same = default_text.filter(|(_, shown)| *shown == own).map(|(at, _)| at);
                let value =
                    Thing::new(owner, format!("{kind}.values"), own).texts([value.offset]).texts(same);
                things.push(value.one());
            }
            if let Some(id) = text(node, "id") {
                let in_default = default.filter(|(_, other, _)| other.id == of.id);
                let in_default = in_default.and_then(|(_, _, node)| text(node, "id"));
                things.push(
                    Thing::only(owner, &format!("{kind}.id"), raw::text(&of.id.0), Some(id))
                        .texts(in_default)
                        .one(),
                );
            }
        }
    }

    /// The value that a symbol has where a program says nothing, as floats in rows of four.
    fn default_value(
        &self,
        program: &Program,
        symbol: &Symbol,
        node: &Node,
        kind: SymbolKind,
        key: Key,
    ) -> Option<Content> {
        if !matches!(kind, SymbolKind::Uniforms | SymbolKind::Blocks) {
            return None;
        }
        let endian = self.order_of(kind);
        let known = self.words_of(program, symbol).filter(|_| kind == SymbolKind::Uniforms);
        let Some(value) = child(node, "default").filter(|_| symbol.default.len() <= VALUES) else {
            let key = Some(key).filter(|_| symbol.default.is_empty());
            let absent = Element { slots: Vec::new(), count: known?, key };
            return key.map(|_| Content::Numbers(vec![absent]));
        };
        let slots = floats(value.offset, &symbol.default, endian);
        // What came in may go again; what cannot come back stays.
        let key = Some(key).filter(|_| known == Some(slots.len()) && symbol.default.len().is_multiple_of(4));
        let row = |slots: &[Slot]| Element { slots: slots.to_vec(), count: slots.len(), key };
        (!slots.is_empty()).then(|| Content::Numbers(slots.chunks(4).map(row).collect()))
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
                for (index, _, node) in records(macros, node) {
                    for (part, name) in [(Part::Name, "name"), (Part::Id, "id")] {
                        places
                            .extend(text(node, name).map(|at| (at, Place::Macro(number, list, index, part))));
                    }
                    let values =
                        child(node, "values").map(|node| node.children.as_slice()).unwrap_or_default();
                    for (value, node) in values.iter().enumerate() {
                        let place = Place::Macro(number, list, index, Part::Value(value));
                        places.insert(node.offset, place);
                    }
                }
            }
            for kind in SymbolKind::ALL {
                let Some(node) = child(node, kind.name()) else { continue };
                for (index, _, node) in records(program.symbols(kind), node) {
                    for (part, name) in [(Part::Name, "name"), (Part::Id, "id")] {
                        places.extend(
                            text(node, name).map(|at| (at, Place::Symbol(number, kind, index, part))),
                        );
                    }
                }
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
            Place::Macro(number, list, index, part) => self.program_mut(number).ok().and_then(|program| {
                let macros = if list == List::Macros { &mut program.macros } else { &mut program.defaults };
                let Record::Known(of) = macros.items.get_mut(index)? else { return None };
                Some(match part {
                    Part::Name => (&mut of.name, 0),
                    Part::Id => (&mut of.id, 0),
                    Part::Value(value) => (&mut of.values, value),
                })
            }),
            Place::Symbol(number, kind, index, part) => self.program_mut(number).ok().and_then(|program| {
                let Record::Known(symbol) = symbols_mut(program, kind).items.get_mut(index)? else {
                    return None;
                };
                Some((if part == Part::Id { &mut symbol.id } else { &mut symbol.name }, 0))
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
                let bytes = Coding::Float.encode(value, &[0; 4], endian).map_err(|refusal| {
                    Error::new(ErrorKind::BadValue, 0, "default", refusal.expected, refusal.found)
                        .code("edit.value")
                })?;
                symbol.default.0.extend(bytes);
            }
        }
        self.settle()
    }
}

/// The value of a macro that a node in the node of its record shows.
fn value_at<'m>(of: &'m Macro, value: &Node, record: &Node) -> Option<&'m [u8]> {
    let start = child(record, "values")?.offset;
    let at = usize::try_from(value.offset.checked_sub(start)?).ok()?;
    of.values.at(u32::try_from(at).ok()?)
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

/// Puts another text in place of the `index`th of these; what stands behind their NUL stays.
fn exchange(strings: &mut Strings, index: usize, text: &[u8]) {
    let mut at = 0_usize;
    for (number, string) in strings.0.split_inclusive(|&byte| byte == 0).enumerate() {
        let len = string.strip_suffix(&[0]).unwrap_or(string).len();
        if number == index {
            let end = at.saturating_add(len);
            strings.0.splice(at..end, text.iter().copied());
            return;
        }
        at = at.saturating_add(string.len());
    }
}
