//! Where a compiler puts variables: from declared types to offsets, strides and the space they need, for each
//! kind of memory that variables live in. All numbers count floats.
//!
//! The rules are those of the open compiler limasc, confirmed in files of ARM's compiler for vectors, arrays,
//! matrices and samplers; those for structs on the vertex processor are a guess. Writers deviate, so what does
//! not follow them is never wrong, only unusual.

use super::model::{ProgramKind, Symbol, Table, TableKind};

/// Structs in structs that are looked into. A table of strangers may go in circles.
const DEPTH: usize = 16;
/// Number of the type of structs.
pub const STRUCT: u8 = 8;
/// Number of the type of matrices.
pub(super) const MATRIX: u8 = 4;

/// A kind of memory that variables live in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StorageClass {
    /// Uniforms of the vertex processor: rows of four, of which a scalar may take any component.
    VertexUniform,
    /// Uniforms of the pixel processor: one after the other, aligned.
    FragmentUniform,
    /// Inputs of the vertex processor: a row of four each.
    Attribute,
    /// Outputs of the vertex processor: a row of four each.
    VertexVarying,
    /// Inputs of the pixel processor: one after the other, aligned.
    FragmentVarying,
}

impl StorageClass {
    /// Where the variables of a table live.
    pub fn of(program: ProgramKind, table: TableKind) -> Self {
        match (program, table) {
            (_, TableKind::Attributes) => Self::Attribute,
            (ProgramKind::Vertex, TableKind::Uniforms) => Self::VertexUniform,
            (ProgramKind::Vertex, TableKind::Varyings) => Self::VertexVarying,
            (ProgramKind::Fragment, TableKind::Uniforms) => Self::FragmentUniform,
            (ProgramKind::Fragment, TableKind::Varyings) => Self::FragmentVarying,
        }
    }

    /// Whether it is made of rows of four floats that nothing crosses.
    pub fn has_rows(self) -> bool {
        matches!(self, Self::VertexUniform | Self::Attribute | Self::VertexVarying)
    }

    /// How many floats the hardware has of it: 304 rows of uniforms, constants and temporaries, 16 attributes,
    /// 16 varyings; of pixel uniforms 16384 floats.
    pub fn limit(self) -> u32 {
        match self {
            Self::VertexUniform => 304 * 4,
            Self::Attribute | Self::VertexVarying | Self::FragmentVarying => 16 * 4,
            Self::FragmentUniform => 16384,
        }
    }
}

/// What a declaration says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Declaration {
    /// Number of the type.
    pub kind: u8,
    /// Components of a vector, columns of a matrix.
    pub component_count: u16,
    /// Length of an array; 0: no array.
    pub entry_count: u16,
    /// Index of the struct that it is a member of.
    pub parent: Option<u16>,
}

impl From<&Symbol> for Declaration {
    fn from(symbol: &Symbol) -> Self {
        let Symbol { kind, component_count, entry_count, parent, .. } = *symbol;
        Self { kind, component_count, entry_count, parent }
    }
}

/// What one element of a declaration needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Sizes {
    /// Its place is a multiple of this; 0: any place that does not cross a row.
    pub alignment: u32,
    /// Room of a column of a matrix, of others of an element.
    pub component_size: u32,
    /// From one element of an array to the next.
    pub src_stride: u32,
    /// Floats that it uses really, from its first to its last.
    pub real: u32,
}

/// Sizes and places of the declarations of a table.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Layout {
    /// For each declaration.
    pub sizes: Vec<Sizes>,
    /// For each declaration its offset: in its struct, or in the space. `None` for what stands under a parent
    /// that is no struct, and in a circle of structs.
    pub offsets: Vec<Option<u32>>,
    /// Where the last one ends.
    pub end: u32,
}

/// Lays out declarations in their order from `start` on. Parents count in the same list; what is `None` is no
/// declaration and takes its index only.
pub fn lay_out(class: StorageClass, declarations: &[Option<Declaration>], start: u32) -> Layout {
    let family = Family::of(declarations.iter().map(|declaration| declaration.as_ref()));
    let unplaced = Layout {
        sizes: vec![Sizes::default(); declarations.len()],
        offsets: vec![None; declarations.len()],
        end: start,
    };
    let mut placing = Placing { class, declarations, family: &family, layout: unplaced };
    let (end, _) = placing.group(&family.roots, start, 0);
    placing.layout.end = end;
    placing.layout
}

/// The layout that the symbols of a table would have if a compiler made it anew, from the start of its space.
pub fn anew(class: StorageClass, table: &Table) -> Layout {
    lay_out(class, &declarations(table), 0)
}

/// What the symbols of a table declare.
pub fn declarations(table: &Table) -> Vec<Option<Declaration>> {
    (0..table.entries.len()).map(|index| table.symbol(index).map(Declaration::from)).collect()
}

/// Places the symbols of a table that have no offset yet, as `missing` names them, behind those of the same
/// struct, or of the space, that have one.
pub fn place_missing(class: StorageClass, table: &mut Table, missing: &[bool]) {
    let declarations = declarations(table);
    let family = Family::of(declarations.iter().map(|declaration| declaration.as_ref()));
    let extents = Extents::of(table);
    let mut placing =
        Placing { class, declarations: &declarations, family: &family, layout: anew(class, table) };
    let is_missing = |index: &usize| missing.get(*index).copied().unwrap_or(false);
    for group in std::iter::once(&family.roots).chain(&family.members) {
        let late: Vec<usize> = group.iter().copied().filter(is_missing).collect();
        if late.is_empty() {
            continue;
        }
        let ends = group.iter().filter(|index| !is_missing(index));
        let end = ends.filter_map(|&index| extents.end(table, index)).max().unwrap_or(0);
        placing.group(&late, up(end, 4), 0);
    }
    let offsets = placing.layout.offsets;
    for (index, symbol) in table.symbols_mut().filter(|(index, _)| is_missing(index)) {
        let offset = offsets.get(index).copied().flatten();
        symbol.offset = offset.and_then(|offset| u16::try_from(offset).ok());
    }
}

/// Who is a member of whom.
struct Family {
    roots: Vec<usize>,
    members: Vec<Vec<usize>>,
}

impl Family {
    fn of<'d>(declarations: impl ExactSizeIterator<Item = Option<&'d Declaration>> + Clone) -> Self {
        let is_struct: Vec<bool> =
            declarations.clone().map(|d| d.is_some_and(|d| d.kind == STRUCT)).collect();
        let mut family = Self { roots: Vec::new(), members: vec![Vec::new(); is_struct.len()] };
        for (index, declaration) in declarations.enumerate() {
            match declaration.map(|declaration| declaration.parent) {
                None => {}
                Some(None) => family.roots.push(index),
                Some(Some(parent)) => {
                    let parent = usize::from(parent);
                    let known = is_struct.get(parent).copied().unwrap_or(false) && parent != index;
                    if let Some(members) = family.members.get_mut(parent).filter(|_| known) {
                        members.push(index);
                    }
                }
            }
        }
        family
    }

    fn members(&self, index: usize) -> &[usize] {
        self.members.get(index).map(Vec::as_slice).unwrap_or_default()
    }
}

struct Placing<'d> {
    class: StorageClass,
    declarations: &'d [Option<Declaration>],
    family: &'d Family,
    layout: Layout,
}

impl Placing<'_> {
    /// Places declarations one after the other; returns where they end and their largest alignment.
    fn group(&mut self, group: &[usize], start: u32, depth: usize) -> (u32, u32) {
        let (mut at, mut largest) = (start, 1);
        for &index in group {
            let Some(Some(declaration)) = self.declarations.get(index) else { continue };
            let sizes = self.sizes(index, declaration, depth);
            if sizes.alignment > 0 {
                at = up(at, sizes.alignment);
            } else if (at % 4).saturating_add(sizes.real) > 4 {
                at = up(at, 4);
            }
            largest = largest.max(sizes.alignment);
            if let Some(offset) = self.layout.offsets.get_mut(index) {
                *offset = Some(at);
            }
            if let Some(place) = self.layout.sizes.get_mut(index) {
                *place = sizes;
            }
            // Lanes behind a lone vector or matrix of the vertex processor stay free for others.
            let array = declaration.entry_count > 0;
            let whole = !self.class.has_rows() || array || declaration.kind == STRUCT;
            let last = if whole { sizes.src_stride } else { sizes.real };
            let before =
                u32::from(declaration.entry_count).saturating_sub(1).saturating_mul(sizes.src_stride);
            at = at.saturating_add(before).saturating_add(last);
            if matches!(self.class, StorageClass::Attribute | StorageClass::VertexVarying) {
                at = up(at, 4);
            }
        }
        (at, largest)
    }

    fn sizes(&mut self, index: usize, declaration: &Declaration, depth: usize) -> Sizes {
        if declaration.kind != STRUCT {
            return element(self.class, declaration);
        }
        let family = self.family;
        let members = if depth < DEPTH { family.members(index) } else { &[] };
        let (end, largest) = self.group(members, 0, depth.saturating_add(1));
        let alignment = if self.class.has_rows() { 4 } else { largest };
        let size = up(end, alignment);
        Sizes { alignment, component_size: size, src_stride: size, real: size }
    }
}

/// What one element of a declaration that is no struct needs.
pub fn element(class: StorageClass, declaration: &Declaration) -> Sizes {
    let Declaration { kind, component_count, entry_count, .. } = *declaration;
    let components = u32::from(component_count);
    if matches!(kind, 5 | 6 | 9) {
        return Sizes { alignment: 1, component_size: 1, src_stride: 1, real: 1 };
    }
    let columns = if kind == MATRIX { components.max(1) } else { 1 };
    let column = if class.has_rows() || components == 3 { 4 } else { components };
    let real = column.saturating_mul(columns.saturating_sub(1)).saturating_add(components);
    let anywhere = class == StorageClass::VertexUniform && columns == 1 && entry_count == 0;
    let alignment = match (anywhere, class.has_rows()) {
        (true, _) => 0,
        (false, true) => 4,
        (false, false) => column.max(1),
    };
    Sizes { alignment, component_size: column, src_stride: column.saturating_mul(columns), real }
}

/// The next multiple of `to` from `value` on.
pub(super) fn up(value: u32, to: u32) -> u32 {
    value.checked_next_multiple_of(to.max(1)).unwrap_or(u32::MAX)
}

/// How far the symbols of a table reach as they are, whatever the rules say.
#[derive(Debug, Clone, Default)]
pub struct Extents {
    /// For each entry of the table the floats of one element, from its first to its last.
    real: Vec<u32>,
}

impl Extents {
    /// The extents of the symbols of a table.
    pub fn of(table: &Table) -> Self {
        let declarations = declarations(table);
        let family = Family::of(declarations.iter().map(|declaration| declaration.as_ref()));
        let mut extents = Self { real: vec![0; table.entries.len()] };
        for &root in &family.roots {
            extents.measure(table, &family, root, 0);
        }
        extents
    }

    fn measure(&mut self, table: &Table, family: &Family, index: usize, depth: usize) {
        let Some(symbol) = table.symbol(index) else { return };
        let (components, size) = (u32::from(symbol.component_count), u32::from(symbol.component_size));
        let members = if depth < DEPTH { family.members(index) } else { &[] };
        let mut end = None;
        for &member in members {
            self.measure(table, family, member, depth.saturating_add(1));
            end = end.max(self.end(table, member));
        }
        let real = match symbol.kind {
            5 | 6 | 9 => 1,
            MATRIX => components.saturating_sub(1).saturating_mul(size).saturating_add(components),
            STRUCT => end.unwrap_or(size),
            _ => components,
        };
        if let Some(place) = self.real.get_mut(index) {
            *place = real;
        }
    }

    /// Floats of one element of a symbol; 0 for what is no symbol, or a member of nothing that is a struct.
    pub fn real(&self, index: usize) -> u32 {
        self.real.get(index).copied().unwrap_or(0)
    }

    /// Where a symbol ends, from the start of its struct or space; `None` for one without a place. The lanes
    /// behind the last component of an array's last element do not count.
    pub fn end(&self, table: &Table, index: usize) -> Option<u32> {
        let offset = table.symbol(index)?.offset?;
        Some(u32::from(offset).saturating_add(self.len(table, index)))
    }

    /// Floats from the first to the last that a symbol uses, all elements of an array together.
    pub fn len(&self, table: &Table, index: usize) -> u32 {
        let Some(symbol) = table.symbol(index) else { return 0 };
        let before = u32::from(symbol.entry_count).saturating_sub(1).saturating_mul(symbol.src_stride.into());
        before.saturating_add(self.real(index))
    }

    /// Floats that the symbols of a table need, rounded up to rows of four: what ARM's compiler writes as the
    /// space of uniforms.
    pub fn space(&self, table: &Table) -> u32 {
        let outer = table.symbols().filter(|(_, symbol)| symbol.parent.is_none());
        up(outer.filter_map(|(index, _)| self.end(table, index)).max().unwrap_or(0), 4)
    }
}
