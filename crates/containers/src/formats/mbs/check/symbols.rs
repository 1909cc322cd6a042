//! Tables and their symbols: counts, names, types, places.

use super::{Check, Level};
use crate::formats::mbs::layout::{self, Extents, Layout, MATRIX, STRUCT, Sizes, StorageClass};
use crate::formats::mbs::model::{
    Initial, ProgramKind, Symbol, SymbolChunk, Table, TableEntry, TableKind, Uniforms,
};
use crate::formats::mbs::raw::CHUNK_HEADER;
use crate::formats::mbs::records::FORM;
use crate::formats::mbs::tree::Names;
use crate::formats::mbs::view::{kind_name, path as symbol_path, type_name};
use crate::shared::fields::Surprises;
use crate::shared::findings::{Place, inside};
use std::collections::{BTreeMap, BTreeSet};
use unshade_bytes::Severity;

/// Floats that are looked at for overlaps: as many as the hardware has at most.
const FLOATS: u32 = 16384;
/// Structs around a symbol.
const DEPTH: usize = 16;

/// A table under check.
struct Tables<'t> {
    kind: TableKind,
    class: StorageClass,
    table: &'t Table,
    /// As a compiler would lay it out.
    layout: Layout,
    /// As it is.
    extents: Extents,
    /// How many members name each entry as their struct.
    members: Vec<usize>,
}

impl<'t> Tables<'t> {
    fn new(program: ProgramKind, kind: TableKind, table: &'t Table) -> Self {
        let class = StorageClass::of(program, kind);
        let mut members = vec![0_usize; table.entries.len()];
        for parent in table.symbols().filter_map(|(_, symbol)| symbol.parent) {
            if let Some(count) = members.get_mut(usize::from(parent)) {
                *count = count.saturating_add(1);
            }
        }
        Self { kind, class, table, layout: layout::anew(class, table), extents: Extents::of(table), members }
    }

    fn members(&self, index: usize) -> usize {
        self.members.get(index).copied().unwrap_or(0)
    }

    /// The symbol with the structs around it, the outermost first; `None` where one of them has no place.
    fn chain(&self, index: usize) -> Option<Vec<&'t Symbol>> {
        let mut chain = Vec::new();
        let mut next = Some(index);
        while let Some(index) = next {
            let symbol = self.table.symbol(index).filter(|symbol| symbol.offset.is_some())?;
            if chain.len() > DEPTH {
                return None;
            }
            chain.push(symbol);
            next = symbol.parent.map(usize::from);
        }
        chain.reverse();
        Some(chain)
    }
}

/// Calls `visit` with each float that the innermost symbol of a chain uses, as long as it wants more and there
/// is work left.
fn components(chain: &[&Symbol], base: u32, work: &mut u32, visit: &mut impl FnMut(u32) -> bool) -> bool {
    let Some((symbol, inner)) = chain.split_first() else { return true };
    let stride = u32::from(symbol.src_stride);
    let count = if stride == 0 { 1 } else { symbol.entry_count.max(1) };
    for element in 0..u32::from(count) {
        let start = base.saturating_add(symbol.offset.unwrap_or(0).into());
        let start = start.saturating_add(element.saturating_mul(stride));
        *work = work.saturating_sub(1);
        if start > FLOATS || *work == 0 {
            break;
        }
        if !inner.is_empty() {
            if !components(inner, start, work, visit) {
                return false;
            }
            continue;
        }
        let (columns, rows) = match symbol.kind {
            MATRIX => (symbol.component_count, symbol.component_count),
            STRUCT => (1, symbol.component_size),
            5 | 6 | 9 => (1, 1),
            _ => (1, symbol.component_count),
        };
        for column in 0..u32::from(columns) {
            let start = start.saturating_add(column.saturating_mul(symbol.component_size.into()));
            for component in start..start.saturating_add(rows.into()).min(FLOATS) {
                *work = work.saturating_sub(1);
                if *work == 0 || !visit(component) {
                    return false;
                }
            }
        }
    }
    true
}

/// A symbol under check.
struct Subject<'t> {
    index: usize,
    symbol: &'t Symbol,
    /// Where its record starts.
    record: u64,
    path: &'t str,
}

impl Subject<'_> {
    /// A field of the record.
    fn field(&self, offset: u64, len: u64) -> Place {
        (self.record.saturating_add(offset), len)
    }

    fn name(&self, field: &str) -> String {
        inside(self.path, field)
    }
}

impl Check {
    /// Checks that the uniforms fit into the space they state.
    pub(super) fn space(&mut self, uniforms: &Uniforms, place: Place, path: &str) {
        let extents = Extents::of(&uniforms.table);
        let outer = uniforms.table.symbols().filter(|(_, symbol)| symbol.parent.is_none());
        let ends = outer.filter_map(|(index, _)| Some((extents.end(&uniforms.table, index)?, index)));
        let Some((end, index)) = ends.max() else { return };
        let space = uniforms.space;
        if end > space {
            self.found.report(Severity::Warning, "mbs.space", place, path, || {
                let name = symbol_path(&uniforms.table, index);
                format!("expected room up to float {end}, where `{name}` ends, found {space}")
            });
        } else if !space.is_multiple_of(4) {
            self.found.report(Severity::Note, "mbs.space-rows", place, path, || {
                format!("expected a multiple of 4, as ARM's compiler writes, found {space}")
            });
        }
    }

    /// Checks a table whose contents lie at `start`.
    pub(super) fn table(
        &mut self,
        program: ProgramKind,
        kind: TableKind,
        table: &Table,
        start: u64,
        path: &str,
    ) {
        if let Some(count) = table.count {
            self.found.report(Severity::Error, "mbs.count", (start, 4), &inside(path, "count"), || {
                format!("expected {}, as many symbols as follow, found {count}", table.entries.len())
            });
        }
        let under = Tables::new(program, kind, table);
        let first = if kind == TableKind::Uniforms { 8 } else { 4 };
        let mut at = start.saturating_add(first);
        let mut known = BTreeSet::new();
        let mut places = BTreeMap::new();
        for (index, entry) in table.entries.iter().enumerate() {
            let path = format!("{path}[{index}]");
            let contents = at.saturating_add(CHUNK_HEADER);
            match entry {
                TableEntry::Symbol(symbol) => {
                    let record = contents.saturating_add(CHUNK_HEADER).saturating_add(symbol.name_len());
                    self.name(symbol, contents, &path);
                    if !symbol.name.is_empty() && !known.insert((symbol.parent, &symbol.name)) {
                        let place = (contents, symbol.name_len().saturating_add(CHUNK_HEADER));
                        self.found.report(
                            Severity::Warning,
                            "mbs.name-duplicate",
                            place,
                            &inside(&path, "name"),
                            || format!("expected a name of its own, found `{}` again", symbol.name.text()),
                        );
                    }
                    places.insert(index, record);
                    self.symbol(&under, &Subject { index, symbol, record, path: &path });
                }
                TableEntry::Other(raw) => self.raw(raw, at, &path, Level::Table(kind.symbol_tag())),
            }
            at = contents.saturating_add(entry.len(kind));
        }
        self.stray(&table.stray, at, path);
        self.overlaps(&under, &places, path);
    }

    fn name(&mut self, symbol: &Symbol, contents: u64, path: &str) {
        let text = contents.saturating_add(CHUNK_HEADER);
        let path = inside(path, "name");
        let place = (text, symbol.name_len());
        if symbol.name.is_empty() {
            self.found.report(Severity::Warning, "mbs.name-empty", place, &path, || {
                "expected a name, found an empty one".to_owned()
            });
        }
        let Some(tail) = &symbol.name_tail else { return };
        if tail.is_empty() {
            self.found.report(Severity::Error, "mbs.name-unterminated", place, &path, || {
                "expected a NUL behind the name, found none".to_owned()
            });
        }
        if !symbol.name_len().is_multiple_of(4) {
            self.found.report(Severity::Error, "mbs.name-size", place, &path, || {
                format!("expected a multiple of 4 bytes, found {}", symbol.name_len())
            });
        } else if !tail.is_empty() {
            self.found.report(Severity::Note, "mbs.name-padding", place, &path, || {
                "expected zeros up to the next multiple of 4 behind the name, found others".to_owned()
            });
        }
    }

    fn symbol(&mut self, under: &Tables<'_>, at: &Subject<'_>) {
        self.record(under, at);
        self.kind(under, at);
        if self.parent(under, at) {
            self.place(under, at);
            self.members(under, at);
        }
        let len = Symbol::record_len(under.kind);
        let mut chunk_at = at.record.saturating_add(len as u64);
        let mut names = Names::default();
        for chunk in &at.symbol.chunks {
            match chunk {
                SymbolChunk::Index(_) => {
                    names.next("index");
                }
                SymbolChunk::Initial(initial) => {
                    let path = at.name(&names.next("initial"));
                    self.initial(under, at, initial, chunk_at.saturating_add(CHUNK_HEADER), &path);
                }
                SymbolChunk::Other(raw) => {
                    let path = at.name(&names.next_raw(raw.tag));
                    self.raw(raw, chunk_at, &path, Level::Symbol);
                }
            }
            chunk_at = chunk_at.saturating_add(CHUNK_HEADER).saturating_add(chunk.len());
        }
        self.stray(&at.symbol.stray, chunk_at, at.path);
    }

    /// Fields with few values.
    fn record(&mut self, under: &Tables<'_>, at: &Subject<'_>) {
        let mut surprises = Surprises::new(FORM);
        // Nothing that is only looked at can fail.
        let _ = at.symbol.record().visit(under.kind, &mut surprises);
        self.found.surprises(&surprises, at.record, at.path);
    }

    fn kind(&mut self, under: &Tables<'_>, at: &Subject<'_>) {
        let symbol = at.symbol;
        let (kind, components) = (symbol.kind, symbol.component_count);
        let expected = match kind {
            1..=3 => 1..=4,
            MATRIX => 2..=4,
            5 | 9 => 2..=2,
            6 => 3..=3,
            STRUCT => 0..=u16::MAX,
            _ => {
                return self.found.report(
                    Severity::Warning,
                    "mbs.type",
                    at.field(1, 1),
                    &at.name("type"),
                    || format!("expected 1 to 6, 8 or 9, found {kind}, which is not known"),
                );
            }
        };
        if !expected.contains(&components) {
            let path = at.name("component_count");
            self.found.report(Severity::Warning, "mbs.components", at.field(2, 2), &path, || {
                let (first, last) = (expected.start(), expected.end());
                format!("expected {first} to {last} of type {}, found {components}", kind_name(kind))
            });
        }
        let sampler = matches!(kind, 5 | 6 | 9);
        let wrong = match under.class {
            StorageClass::VertexUniform if sampler => "the vertex processor has no textures",
            StorageClass::Attribute if sampler || kind == STRUCT => "attributes are vectors and matrices",
            StorageClass::VertexVarying | StorageClass::FragmentVarying if sampler => {
                "varyings are no textures"
            }
            _ => return,
        };
        self.found.report(Severity::Warning, "mbs.type-place", at.field(1, 1), &at.name("type"), || {
            format!("expected another type than {}: {wrong}", kind_name(kind))
        });
    }

    /// Checks what a symbol is a member of; returns whether that makes sense.
    fn parent(&mut self, under: &Tables<'_>, at: &Subject<'_>) -> bool {
        let Some(parent) = at.symbol.parent else { return true };
        let place = at.field(18, 2);
        let path = at.name("parent");
        match under.table.symbol(parent.into()) {
            None => {
                self.found.report(Severity::Error, "mbs.parent", place, &path, || {
                    format!("expected an index below {}, found {parent}", under.table.entries.len())
                });
                return false;
            }
            Some(symbol) if symbol.kind != STRUCT => {
                self.found.report(Severity::Error, "mbs.parent-type", place, &path, || {
                    let ty = type_name(symbol.kind, symbol.component_count);
                    format!("expected the index of a struct, found {parent}, which is a {ty}")
                });
                return false;
            }
            Some(_) => {}
        }
        let mut outer = Some(parent);
        for _ in 0..DEPTH {
            let Some(index) = outer else { return true };
            outer = under.table.symbol(index.into()).and_then(|symbol| symbol.parent);
        }
        self.found.report(Severity::Error, "mbs.parent-circle", place, &path, || {
            format!("expected a way out of at most {DEPTH} structs, found none: the structs hold each other")
        });
        false
    }

    /// Place and sizes against the rules of [`layout`].
    fn place(&mut self, under: &Tables<'_>, at: &Subject<'_>) {
        let symbol = at.symbol;
        let ty = || type_name(symbol.kind, symbol.component_count);
        let Some(sizes) = under.layout.sizes.get(at.index).copied() else { return };
        if symbol.kind == 0 || symbol.kind == 7 || symbol.kind > 9 {
            return;
        }
        let (size, stride) = (u32::from(symbol.component_size), u32::from(symbol.src_stride));
        // A writer of vertex files may leave varyings as short as they are.
        let short = layout::element(StorageClass::FragmentVarying, &symbol.into());
        let either = |short_size: u32| under.class == StorageClass::VertexVarying && short_size > 0;
        if symbol.kind == STRUCT {
            let end = under.extents.real(at.index);
            if size < end || !size.is_multiple_of(sizes.alignment.max(1)) {
                let path = at.name("component_size");
                self.found.report(Severity::Warning, "mbs.struct-size", at.field(4, 2), &path, || {
                    let alignment = sizes.alignment;
                    format!("expected a multiple of {alignment} from {end} on, where the members end, found {size}")
                });
            }
            if stride != size && stride != sizes.src_stride {
                self.found.report(
                    Severity::Warning,
                    "mbs.stride",
                    at.field(8, 2),
                    &at.name("src_stride"),
                    || format!("expected {size} for this struct, found {stride}"),
                );
            }
        } else {
            if size != sizes.component_size && !(either(short.component_size) && size == short.component_size)
            {
                let path = at.name("component_size");
                self.found.report(Severity::Warning, "mbs.component-size", at.field(4, 2), &path, || {
                    format!("expected {} for {}, found {size}", sizes.component_size, ty())
                });
            }
            if stride != sizes.src_stride && !(either(short.src_stride) && stride == short.src_stride) {
                self.found.report(
                    Severity::Warning,
                    "mbs.stride",
                    at.field(8, 2),
                    &at.name("src_stride"),
                    || format!("expected {} for {}, found {stride}", sizes.src_stride, ty()),
                );
            }
        }
        let Some(offset) = symbol.offset.map(u32::from) else { return };
        self.offset(under, at, offset, sizes);
        let Some(end) = under.extents.end(under.table, at.index) else { return };
        let limit = under.class.limit();
        if symbol.parent.is_none() && end > limit {
            self.found.report(Severity::Warning, "mbs.limit", at.field(16, 2), &at.name("offset"), || {
                format!(
                    "expected {} of {limit} floats, which the hardware has, found a symbol that ends at {end}",
                    under.kind.name()
                )
            });
        }
    }

    fn offset(&mut self, under: &Tables<'_>, at: &Subject<'_>, offset: u32, sizes: Sizes) {
        let place = match under.kind {
            TableKind::Attributes => at.field(14, 2),
            _ => at.field(16, 2),
        };
        let path = at.name("offset");
        let ty = || type_name(at.symbol.kind, at.symbol.component_count);
        let component = offset % 4;
        if sizes.alignment == 0 {
            if component.saturating_add(sizes.real) > 4 {
                self.found.report(Severity::Warning, "mbs.row", place, &path, || {
                    format!(
                        "expected all of {} in one row of four, found it from component {component} on",
                        ty()
                    )
                });
            }
        } else if !offset.is_multiple_of(sizes.alignment) {
            self.found.report(Severity::Warning, "mbs.alignment", place, &path, || {
                format!("expected a multiple of {} for {}, found {offset}", sizes.alignment, ty())
            });
        }
    }

    /// Structs: how many members there are.
    fn members(&mut self, under: &Tables<'_>, at: &Subject<'_>) {
        if at.symbol.kind != STRUCT {
            return;
        }
        let found = under.members(at.index);
        if found != usize::from(at.symbol.component_count) {
            let path = at.name("component_count");
            self.found.report(Severity::Warning, "mbs.members", at.field(2, 2), &path, || {
                format!(
                    "expected {found}, as many members as name this struct, found {}",
                    at.symbol.component_count
                )
            });
        }
    }

    fn initial(&mut self, under: &Tables<'_>, at: &Subject<'_>, initial: &Initial, start: u64, path: &str) {
        if let Some(count) = initial.count {
            self.found.report(
                Severity::Error,
                "mbs.initial-count",
                (start, 4),
                &inside(path, "count"),
                || format!("expected {}, as many words as follow, found {count}", initial.words.len()),
            );
        }
        let floats = under.extents.len(under.table, at.index);
        if initial.words.len() > floats as usize {
            self.found.report(Severity::Warning, "mbs.initial-size", (start, 4), path, || {
                format!(
                    "expected at most {floats} words, as many floats as it has, found {}",
                    initial.words.len()
                )
            });
        }
    }

    /// Symbols that share a component.
    fn overlaps(&mut self, under: &Tables<'_>, places: &BTreeMap<usize, u64>, path: &str) {
        // The hardware has few floats; a table that goes over all of them again and again is a stranger's.
        let mut owners: BTreeMap<u32, usize> = BTreeMap::new();
        let mut work = self.work;
        for (index, symbol) in under.table.symbols() {
            if symbol.kind == STRUCT && under.members(index) > 0 {
                continue;
            }
            let Some(chain) = under.chain(index) else { continue };
            let mut other = None;
            components(&chain, 0, &mut work, &mut |component| {
                let owner = *owners.entry(component).or_insert(index);
                if owner != index {
                    other = Some((owner, component));
                }
                owner == index
            });
            if let Some((owner, component)) = other {
                let record = places.get(&index).copied().unwrap_or(0);
                let field = if under.kind == TableKind::Attributes { 14 } else { 16 };
                let path = format!("{path}[{index}].offset");
                self.found.report(
                    Severity::Warning,
                    "mbs.overlap",
                    (record.saturating_add(field), 2),
                    &path,
                    || {
                        let names = [index, owner].map(|index| symbol_path(under.table, index));
                        let [name, owner] = names;
                        format!(
                            "expected floats of its own for `{name}`, found float {component} of `{owner}`"
                        )
                    },
                );
            }
        }
        self.work = work;
    }
}
