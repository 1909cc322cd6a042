//! How the rows of a table of uniforms form variables.
//!
//! The vendor's compiler lists an array as a whole (`mtx`, with its length as count) and then once for each element
//! (`mtx[0]`, `mtx[1]`, ...), each of these with the count of the whole and the place of the element. Other writers
//! list the whole alone, or elements alone, or give an element the count 1. Members of structures have paths as names
//! (`lights[2].position`), and of these the last index alone counts elements: `lights[2].offsets[1]` is an element of
//! `lights[2].offsets`. Elements lie as std140 has them: each column at a multiple of four words, of doubles with more
//! than two rows at a multiple of eight.

use super::{Scalar, Uniform, VarType};
use std::collections::BTreeMap;

/// Largest index of an element that is taken for one.
const LAST_INDEX: u32 = (1 << 16) - 1;

/// A row of a table of uniforms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UniformRow<'a> {
    /// Name as the file gives it.
    pub name: &'a str,
    /// Type of the variable, or of one element.
    pub ty: VarType,
    /// Length of the array, in rows of elements too; 0 or 1: no array.
    pub count: u32,
    /// Place in 32-bit words.
    pub offset: u32,
    /// The block that it lies in; `None`: the constant file.
    pub block: Option<u32>,
}

impl<'a> From<&'a Uniform> for UniformRow<'a> {
    fn from(uniform: &'a Uniform) -> Self {
        let Uniform { name, ty, count, offset, block } = uniform;
        Self { name, ty: *ty, count: *count, offset: *offset, block: *block }
    }
}

/// A variable as the source of a program declares it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Variable<'a> {
    /// Name without the index of an element.
    pub name: &'a str,
    /// Type of the variable, or of one element.
    pub ty: VarType,
    /// Length of an array; 0: no array.
    pub elements: u32,
    /// Place in 32-bit words.
    pub offset: u32,
    /// The block that it lies in; `None`: the constant file.
    pub block: Option<u32>,
    /// Its elements have rows of their own.
    pub spelled_out: bool,
}

impl Variable<'_> {
    /// Words from its first to its last.
    pub fn words(&self) -> u32 {
        self.ty.words(self.elements)
    }

    /// The word behind its last.
    pub fn end(&self) -> u32 {
        self.offset.saturating_add(self.words())
    }

    /// The type with the length of an array, as a source has it: `vec4[3]`.
    pub fn type_name(&self) -> String {
        match self.elements {
            0 => self.ty.name(),
            elements => format!("{}[{elements}]", self.ty.name()),
        }
    }
}

/// What a row is of its variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    /// Which of [`Variables::list`].
    pub variable: usize,
    /// The element that the row lists; `None`: the variable as a whole.
    pub element: Option<u32>,
    /// Type, place and index are those that the element has.
    pub fits: bool,
}

/// The variables of a table.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Variables<'a> {
    /// In the order of their first rows.
    pub list: Vec<Variable<'a>>,
    /// For each row what it is.
    pub rows: Vec<Part>,
}

/// Name and index of a row of an element: `mtx` and 1 of `mtx[1]`.
fn element(name: &str) -> Option<(&str, u32)> {
    let (array, index) = name.strip_suffix(']')?.rsplit_once('[')?;
    let digits = !index.is_empty() && index.bytes().all(|digit| digit.is_ascii_digit());
    let index = index.parse().ok().filter(|index| digits && *index <= LAST_INDEX)?;
    (!array.is_empty()).then_some((array, index))
}

/// The rows of one name, with and without an index behind it.
#[derive(Default)]
struct Group {
    wholes: Vec<usize>,
    /// By index.
    elements: Vec<(u32, usize)>,
}

/// A variable with the rows that it was found in.
struct Found<'a> {
    variable: Variable<'a>,
    /// The rows, each with the element that it lists and whether it fits.
    rows: Vec<(usize, Option<u32>, bool)>,
}

impl<'a> Variables<'a> {
    /// The variables that these rows form.
    pub fn of(rows: &[UniformRow<'a>]) -> Self {
        let mut groups: BTreeMap<(Option<u32>, &'a str), Group> = BTreeMap::new();
        for (index, row) in rows.iter().enumerate() {
            match element(row.name) {
                Some((array, number)) => {
                    groups.entry((row.block, array)).or_default().elements.push((number, index));
                }
                None => groups.entry((row.block, row.name)).or_default().wholes.push(index),
            }
        }
        let mut found = Vec::new();
        for ((_, name), group) in groups {
            group.form(name, rows, &mut found);
        }
        found.sort_by_key(|found: &Found<'_>| found.rows.iter().map(|(row, ..)| *row).min());
        let none = Part { variable: 0, element: None, fits: true };
        let mut variables = Self { list: Vec::with_capacity(found.len()), rows: vec![none; rows.len()] };
        for (number, Found { variable, rows }) in found.into_iter().enumerate() {
            variables.list.push(variable);
            for (row, element, fits) in rows {
                if let Some(part) = variables.rows.get_mut(row) {
                    *part = Part { variable: number, element, fits };
                }
            }
        }
        variables
    }

    /// Those of a block, or of the constant file, that share no words, in order of their places: what a source can
    /// declare one behind the other. An array that the table does not spell out ends in front of the next variable;
    /// of others that overlap the longest stays.
    pub fn laid_out(&self, block: Option<u32>) -> Vec<Variable<'a>> {
        let mut all: Vec<Variable<'a>> =
            self.list.iter().filter(|variable| variable.block == block).copied().collect();
        all.sort_by_key(|variable| (variable.offset, std::cmp::Reverse(variable.end()), variable.name));
        let mut kept: Vec<Variable<'a>> = Vec::with_capacity(all.len());
        for variable in all {
            if let Some(last) = kept.last_mut()
                && last.end() > variable.offset
            {
                let fitting = (variable.offset - last.offset) / last.ty.stride();
                if last.spelled_out || last.elements == 0 || fitting == 0 {
                    continue;
                }
                last.elements = fitting;
            }
            kept.push(variable);
        }
        kept
    }
}

impl Group {
    fn form<'a>(self, name: &'a str, rows: &[UniformRow<'a>], found: &mut Vec<Found<'a>>) {
        let own = |index: usize| {
            let row = rows.get(index)?;
            Some(Found { variable: Variable::of(row), rows: vec![(index, None, true)] })
        };
        let mut wholes = self.wholes.into_iter();
        let whole = wholes.next().and_then(|index| Some((index, *rows.get(index)?)));
        let mut first = whole
            .map(|(index, row)| Found { variable: Variable::of(&row), rows: vec![(index, None, true)] });
        for index in wholes {
            match (&mut first, whole.is_some_and(|(_, row)| rows.get(index) == Some(&row))) {
                (Some(first), true) => first.rows.push((index, None, true)),
                _ => found.extend(own(index)),
            }
        }
        let mut elements = self.elements;
        elements.sort_unstable();
        let stated = whole.map_or(0, |(_, row)| row.count);
        for (number, index) in elements {
            let Some(row) = rows.get(index) else { continue };
            let start = row.ty.stride().checked_mul(number).and_then(|words| row.offset.checked_sub(words));
            let Some(first) = &mut first else {
                // Without a row of the whole the first element says where it lies.
                match start {
                    Some(offset) => {
                        let elements = row.count.max(number.saturating_add(1));
                        let variable =
                            Variable { name, elements, offset, spelled_out: true, ..Variable::of(row) };
                        first = Some(Found { variable, rows: vec![(index, Some(number), true)] });
                    }
                    None => found.extend(own(index)),
                }
                continue;
            };
            let inside = stated <= 1 || number < stated;
            let fits = inside && row.ty == first.variable.ty && start == Some(first.variable.offset);
            if fits {
                let least = if whole.is_some() { stated } else { row.count };
                let elements = least.max(number.saturating_add(1));
                first.variable.elements = first.variable.elements.max(elements);
                first.variable.spelled_out = true;
            } else if whole.is_none() {
                found.extend(own(index));
                continue;
            }
            first.rows.push((index, Some(number), fits));
        }
        found.extend(first);
    }
}

impl<'a> Variable<'a> {
    /// What a row says by itself.
    fn of(row: &UniformRow<'a>) -> Self {
        let UniformRow { name, ty, count, offset, block } = *row;
        let elements = if count > 1 { count } else { 0 };
        Self { name, ty, elements, offset, block, spelled_out: false }
    }
}

impl VarType {
    /// Words from one column to the next, and from one element of an array to the next where it has one column.
    fn column_stride(self) -> u32 {
        match self.shape() {
            Some((Scalar::Double, _, 3..)) => 8,
            _ => 4,
        }
    }

    /// Words from one element of an array to the next.
    pub fn stride(self) -> u32 {
        self.shape().map_or(1, |(_, columns, _)| columns).saturating_mul(self.column_stride())
    }

    /// Words from the first to the last of a variable, or of an array of so many elements.
    pub fn words(self, elements: u32) -> u32 {
        let Some((scalar, columns, rows)) = self.shape() else { return 1 };
        let last = if scalar == Scalar::Double { rows.saturating_mul(2) } else { rows };
        let columns = columns.saturating_mul(elements.max(1));
        columns.saturating_sub(1).saturating_mul(self.column_stride()).saturating_add(last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FLOAT: u32 = 4;
    const VEC3: u32 = 10;
    const VEC4: u32 = 11;
    const MAT4X3: u32 = 28;

    fn row(name: &str, ty: u32, count: u32, offset: u32) -> UniformRow<'_> {
        UniformRow { name, ty: VarType(ty), count, offset, block: Some(0) }
    }

    /// Declarations with their places, in the order of the table.
    fn declared(rows: &[UniformRow<'_>]) -> Vec<String> {
        let text = |variable: &Variable<'_>| {
            format!("{} {} at {}", variable.type_name(), variable.name, variable.offset)
        };
        Variables::of(rows).list.iter().map(text).collect()
    }

    #[test]
    fn rows_of_elements_are_parts_of_their_array() {
        // The count of the whole in each row, as the vendor's compiler has it; and 1, as older writers have.
        for count in [3, 1] {
            for ty in [FLOAT, VEC3, VEC4] {
                let rows = [
                    row("a", ty, 3, 8),
                    row("a[0]", ty, count, 8),
                    row("a[1]", ty, count, 12),
                    row("a[2]", ty, count, 16),
                    row("b", VEC4, 1, 20),
                ];
                let name = VarType(ty).name();
                assert_eq!(declared(&rows), [format!("{name}[3] a at 8"), "vec4 b at 20".to_owned()]);
                let parts = Variables::of(&rows).rows;
                assert!(parts.iter().all(|part| part.fits));
                assert_eq!(
                    parts.iter().map(|part| part.element).collect::<Vec<_>>(),
                    [None, Some(0), Some(1), Some(2), None]
                );
                // The order of the table says nothing, nor does the whole, nor a row that is not there.
                let mut turned = rows;
                turned.reverse();
                assert_eq!(declared(&turned), ["vec4 b at 20".to_owned(), format!("{name}[3] a at 8")]);
                assert_eq!(declared(&rows[1..4]), [format!("{name}[3] a at 8")]);
                assert_eq!(declared(&[rows[0], rows[2]]), [format!("{name}[3] a at 8")]);
                assert_eq!(declared(&[rows[3]]), [format!("{name}[3] a at 8")]);
            }
        }
        assert_eq!(
            declared(&[row("m", MAT4X3, 2, 0), row("m[0]", MAT4X3, 2, 0), row("m[1]", MAT4X3, 2, 16)]),
            ["mat4x3[2] m at 0"]
        );
        assert_eq!(declared(&[row("a", VEC4, 1, 0), row("a[0]", VEC4, 1, 0)]), ["vec4[1] a at 0"]);
        assert_eq!(declared(&[row("a", VEC4, 1, 0)]), ["vec4 a at 0"]);
    }

    #[test]
    fn members_of_structures_keep_their_paths() {
        let rows = [
            row("lights[0].dirs", VEC3, 2, 4),
            row("lights[0].dirs[0]", VEC3, 2, 4),
            row("lights[0].dirs[1]", VEC3, 2, 8),
            row("lights[0].pos", VEC4, 1, 0),
            row("lights[1].dirs", VEC3, 2, 16),
            row("lights[1].dirs[0]", VEC3, 2, 16),
            row("lights[1].dirs[1]", VEC3, 2, 20),
            row("lights[1].pos", VEC4, 1, 12),
        ];
        assert_eq!(
            declared(&rows),
            [
                "vec3[2] lights[0].dirs at 4",
                "vec4 lights[0].pos at 0",
                "vec3[2] lights[1].dirs at 16",
                "vec4 lights[1].pos at 12"
            ]
        );
        let laid_out = Variables::of(&rows).laid_out(Some(0));
        assert_eq!(laid_out.iter().map(|variable| variable.offset).collect::<Vec<_>>(), [0, 4, 12, 16]);
    }

    #[test]
    fn what_contradicts_is_told() {
        let rows = [
            row("a", VEC4, 2, 0),
            row("a[0]", VEC4, 2, 0),
            row("a[1]", VEC4, 2, 5),
            row("a[2]", VEC4, 2, 8),
            row("a[1]", FLOAT, 2, 4),
        ];
        let found = Variables::of(&rows);
        assert_eq!(
            found.rows.iter().map(|part| part.fits).collect::<Vec<_>>(),
            [true, true, false, false, false]
        );
        assert_eq!(found.list.len(), 1);
        // Without a whole each says as much as the other.
        assert_eq!(declared(&rows[1..3]), ["vec4[2] a at 0", "vec4[2] a[1] at 5"]);
        // Names that only look like elements, and what would start in front of the block.
        for name in ["a[]", "a[-1]", "[0]", "a[99999]", "a[1]b", "a[1x]", "a[+1]"] {
            assert_eq!(declared(&[row(name, VEC4, 1, 0)]), [format!("vec4 {name} at 0")]);
        }
        assert_eq!(declared(&[row("a[2]", VEC4, 1, 4)]), ["vec4 a[2] at 4"]);
        assert_eq!(declared(&[row("a", VEC4, 1, 0), row("a", VEC4, 1, 0)]), ["vec4 a at 0"]);
    }

    #[test]
    fn what_overlaps_is_laid_out_once() {
        let laid_out = |rows: &[UniformRow<'_>]| {
            let found = Variables::of(rows);
            let all = found.laid_out(Some(0));
            assert!(all.windows(2).all(|pair| pair[0].end() <= pair[1].offset), "{all:?}");
            all.iter()
                .map(|variable| format!("{} {}", variable.type_name(), variable.name))
                .collect::<Vec<_>>()
        };
        // A count that is too large ends in front of the next; what is spelled out wins.
        assert_eq!(laid_out(&[row("a", VEC4, 9, 0), row("b", VEC4, 1, 8)]), ["vec4[2] a", "vec4 b"]);
        assert_eq!(
            laid_out(&[row("a", VEC4, 3, 0), row("a[2]", VEC4, 3, 8), row("b", VEC4, 1, 8)]),
            ["vec4[3] a"]
        );
        assert_eq!(laid_out(&[row("a", VEC4, 1, 0), row("b", FLOAT, 1, 2)]), ["vec4 a"]);
        assert_eq!(laid_out(&[row("a", VEC4, u32::MAX, u32::MAX)]), ["vec4[4294967295] a"]);
    }
}
