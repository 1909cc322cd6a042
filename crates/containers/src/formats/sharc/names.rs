//! What an archive of sources has names for, and these texts and the sources of other lengths.

use super::model::{Program, Record, Sharc, Source, Stage, symbol_kinds};
use crate::formats::agl::model::SymbolKind;
use crate::formats::agl::names::{self, List, exchange, records, text};
use crate::formats::agl::raw;
use crate::shared::names::{Content, Key, Put, Thing, child, no_text};
use crate::shared::{FieldEncoding, Node, Strings};
use std::collections::BTreeMap;
use unshade_bytes::{Endian, Error, ErrorKind, Result};

/// Whose a text is.
#[derive(Debug, Clone, Copy)]
enum Place {
    Archive,
    Program(usize),
    /// Of a macro of a stage: its name, or its value.
    StageMacro(usize, usize, usize, bool),
    /// Of a record of the program of that number.
    Record(usize, names::Place),
    /// Of a source: its name, or its text.
    Source(usize, bool),
}

impl Sharc {
    fn program_nodes<'t>(&'t self, tree: &'t Node) -> Vec<(usize, &'t Program, &'t Node)> {
        let (Some(programs), Some(node)) = (&self.programs, child(tree, "programs")) else {
            return Vec::new();
        };
        let programs = records(programs, node).into_iter();
        programs.map(|(index, program, node)| (index, program.as_ref(), node)).collect()
    }

    fn source_nodes<'t>(&'t self, tree: &'t Node) -> Vec<(usize, &'t Source, &'t Node)> {
        let (Some(sources), Some(node)) = (&self.sources, child(tree, "sources")) else {
            return Vec::new();
        };
        records(sources, node)
    }

    /// What the archive has names for.
    pub(crate) fn things(&self, tree: &Node) -> Vec<Thing> {
        let rules = self.rules();
        let mut things = vec![Thing::only("", "archive", raw::text(&self.name.0), text(tree, "name"))];
        for (index, program, node) in self.program_nodes(tree) {
            let own = raw::text(&program.name.0);
            things.push(Thing::new("", "programs", own).texts(text(node, "name")));
            let owner = format!("programs{}.", Thing::part(own));
            for (stage, macros) in Stage::ALL.into_iter().zip(&program.stage_macros) {
                let kind = format!("{}_macros", stage.name());
                let Some(node) = child(node, &kind) else { continue };
                for (_, of, node) in records(macros, node) {
                    let own = raw::text(&of.name.0);
                    let value = text(node, "value").map(|at| {
                        let shown = raw::text(&of.value.0).to_vec();
                        Content::Text { at, shown, choices: Vec::new() }
                    });
                    let thing = Thing::new(&owner, kind.clone(), own).texts(text(node, "name"));
                    things.push(thing.value(value));
                }
            }
            names::macros((&program.macros, &program.defaults), node, &owner, &mut things);
            for kind in symbol_kinds(rules) {
                let Some(node) = child(node, kind.name()) else { continue };
                for (number, symbol, node) in records(program.symbols(kind), node) {
                    let own = raw::text(&symbol.name.0);
                    let key = Key { owner: index, table: kind as usize, index: number };
                    let value = match kind {
                        SymbolKind::Uniforms | SymbolKind::Blocks => {
                            names::default_value(symbol, node, self.order_of(kind), None, key)
                        }
                        SymbolKind::Samplers | SymbolKind::Attributes => None,
                    };
                    let thing = Thing::new(&owner, kind.name(), own).texts(text(node, "name"));
                    things.push(thing.value(value));
                    let kind = format!("{}{}.id", kind.name(), Thing::part(own));
                    if let Some(id) = text(node, "id") {
                        things.push(Thing::only(&owner, &kind, raw::text(&symbol.id.0), Some(id)));
                    }
                }
            }
            if let Some(node) = child(node, "blocks").filter(|_| rules.blocks) {
                names::blocks(&program.blocks, "blocks", node, &owner, &mut things);
            }
        }
        for (_, source, node) in self.source_nodes(tree) {
            things.push(Thing::new("", "sources", raw::text(&source.name.0)).texts(text(node, "name")));
        }
        things
    }

    /// Order of the words of a default value: those of blocks are for the GPU.
    fn order_of(&self, kind: SymbolKind) -> Endian {
        if kind == SymbolKind::Uniforms { self.endian } else { Endian::Little }
    }

    /// The texts of the archive by their places in the file.
    fn places(&self, tree: &Node) -> BTreeMap<u64, Place> {
        let rules = self.rules();
        let mut places = BTreeMap::new();
        places.extend(text(tree, "name").map(|at| (at, Place::Archive)));
        for (number, program, node) in self.program_nodes(tree) {
            places.extend(text(node, "name").map(|at| (at, Place::Program(number))));
            for (stage, macros) in Stage::ALL.into_iter().zip(&program.stage_macros) {
                let Some(node) = child(node, &format!("{}_macros", stage.name())) else { continue };
                for (index, _, node) in records(macros, node) {
                    for (name, value) in [("name", false), ("value", true)] {
                        let place = Place::StageMacro(number, stage as usize, index, value);
                        places.extend(text(node, name).map(|at| (at, place)));
                    }
                }
            }
            let mut add = |at: u64, place| {
                places.insert(at, Place::Record(number, place));
            };
            if let Some(node) = child(node, "macros") {
                names::macro_places(&program.macros, List::Macros, node, &mut add);
            }
            if let Some(node) = child(node, "defaults") {
                names::macro_places(&program.defaults, List::Defaults, node, &mut add);
            }
            for kind in symbol_kinds(rules) {
                let Some(node) = child(node, kind.name()) else { continue };
                names::symbol_places(program.symbols(kind), kind, node, &mut add);
            }
            if let Some(node) = child(node, "blocks").filter(|_| rules.blocks) {
                names::block_places(&program.blocks, node, &mut add);
            }
        }
        for (number, _, node) in self.source_nodes(tree) {
            for (name, body) in [("name", false), ("text", true)] {
                places.extend(text(node, name).map(|at| (at, Place::Source(number, body))));
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
        let places = self.places(&self.tree()?);
        for (at, text) in texts {
            let place = places.get(at).copied().ok_or_else(|| no_text(*at))?;
            if let Some((strings, index)) = self.strings(place) {
                exchange(strings, index, text);
            }
        }
        Ok(())
    }

    /// The strings that a text is among, and which of them it is.
    fn strings(&mut self, place: Place) -> Option<(&mut Strings, usize)> {
        match place {
            Place::Archive => Some((&mut self.name, 0)),
            Place::Program(number) => Some((&mut self.program_mut(number)?.name, 0)),
            Place::StageMacro(number, stage, index, value) => {
                let macros = self.program_mut(number)?.stage_macros.get_mut(stage)?;
                let Record::Known(of) = macros.items.get_mut(index)? else { return None };
                Some((if value { &mut of.value } else { &mut of.name }, 0))
            }
            Place::Record(number, place) => {
                let program = self.program_mut(number)?;
                match place {
                    names::Place::Macro(List::Macros, index, part) => {
                        names::macro_text(&mut program.macros, index, part)
                    }
                    names::Place::Macro(List::Defaults, index, part) => {
                        names::macro_text(&mut program.defaults, index, part)
                    }
                    names::Place::Symbol(kind, index, part) => {
                        names::symbol_text(program.symbols_mut(kind), index, part)
                    }
                    names::Place::Block(index, uniform) => {
                        names::block_text(&mut program.blocks, index, uniform)
                    }
                }
            }
            Place::Source(number, body) => match self.sources.as_mut()?.items.get_mut(number)? {
                Record::Known(source) => Some((if body { &mut source.text } else { &mut source.name }, 0)),
                Record::Damaged(_) => None,
            },
        }
    }

    fn program_mut(&mut self, number: usize) -> Option<&mut Program> {
        match self.programs.as_mut()?.items.get_mut(number)? {
            Record::Known(program) => Some(program),
            Record::Damaged(_) => None,
        }
    }

    /// Brings defaults in, and takes them out.
    ///
    /// # Errors
    /// [`ErrorKind::BadValue`] for what is no float.
    pub(crate) fn set_things(&mut self, puts: &[Put]) -> Result<()> {
        for put in puts {
            let Some(kind) = SymbolKind::ALL.get(put.key.table).copied() else { continue };
            let endian = self.order_of(kind);
            let Some(program) = self.program_mut(put.key.owner) else { continue };
            let Some(Record::Known(symbol)) = program.symbols_mut(kind).items.get_mut(put.key.index) else {
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
        Ok(())
    }
}
