//! Names of attributes, varyings and uniforms, taken from a file's symbol table, component by component.
//!
//! A name stands for one to four components of one vector of four: `a_position`, `u_mvp[2]`,
//! `u_lights[1].color`. What crosses from one vector into the next has no name.

use std::collections::HashMap;
use unshade_stage::{Space, Symbol, SymbolType};

/// Components of one space, as many as addresses can name.
const WORDS: [usize; 3] = [64, 64, 2048];
/// Names that a table may give; a hostile file must not cost more.
const NAMES: usize = 8192;
/// Structures in structures.
const DEPTH: u32 = 8;

/// Where a name points.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Area {
    /// Attributes.
    Attribute,
    /// Varyings.
    Varying,
    /// The memory of uniforms, constants and temporaries.
    Memory,
}

impl Area {
    /// The area of a space, if this machine has it.
    pub fn of(space: Space) -> Option<Self> {
        match space {
            Space::Input => Some(Self::Attribute),
            Space::Output => Some(Self::Varying),
            Space::Float => Some(Self::Memory),
            _ => None,
        }
    }
}

/// A name and the components that it stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name {
    /// As it is written, without component letters.
    pub text: Box<str>,
    /// What it names.
    pub area: Area,
    /// Its first component, counted from the start of the area.
    pub word: u16,
    /// How many components it has, 1-4.
    pub components: u8,
}

/// The names of a program.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Names {
    names: Vec<Name>,
    /// For each component of each area: index of its name plus 1, or 0.
    places: [Vec<u16>; 3],
    /// The value that a component of the memory starts with, as text.
    values: Vec<Option<Box<str>>>,
    known: HashMap<Box<str>, u16>,
}

impl Names {
    /// The names that a symbol table gives. Where two symbols claim a component, the first one names it; a
    /// name that cannot be told from a register's stands for nothing.
    pub fn of_symbols(symbols: &[Symbol]) -> Self {
        let mut names = Self::default();
        for space in [Space::Input, Space::Output, Space::Float] {
            let Some(area) = Area::of(space) else { continue };
            let table: Vec<&Symbol> = symbols.iter().filter(|symbol| symbol.space == space).collect();
            let mut members: HashMap<u16, Vec<usize>> = HashMap::new();
            for (index, symbol) in table.iter().enumerate() {
                if let Some(parent) = symbol.parent {
                    members.entry(parent).or_default().push(index);
                }
            }
            let mut walk =
                Walk { names: &mut names, area, table: &table, members: &members, budget: 4 * NAMES };
            for (index, symbol) in table.iter().enumerate() {
                if symbol.parent.is_none() && is_free(&symbol.name) {
                    walk.symbol(index, &symbol.name, 0, 0);
                }
            }
        }
        names
    }

    /// Gives a name to components that lie in one vector. `false` if it cannot be given: it is taken, looks
    /// like something else, or there is no such place.
    pub fn add(&mut self, text: &str, area: Area, word: u16, components: u8) -> bool {
        let first = usize::from(word);
        let last = first + usize::from(components);
        if components == 0
            || first % 4 + usize::from(components) > 4
            || last > WORDS[area as usize]
            || self.names.len() >= NAMES
            || self.known.contains_key(text)
        {
            return false;
        }
        let index = self.names.len() as u16;
        self.known.insert(text.into(), index);
        self.names.push(Name { text: text.into(), area, word, components });
        let places = &mut self.places[area as usize];
        if places.is_empty() {
            places.resize(WORDS[area as usize], 0);
        }
        for place in places.iter_mut().take(last).skip(first).filter(|place| **place == 0) {
            *place = index + 1;
        }
        true
    }

    /// The name of a component, and which of its components this is.
    #[inline]
    pub fn at(&self, area: Area, word: u32) -> Option<(&Name, u8)> {
        let name = self.names.get(self.index(area, word)?)?;
        Some((name, (word as u16).wrapping_sub(name.word) as u8))
    }

    /// Which of [`Names::all`] names a component.
    #[inline]
    pub fn index(&self, area: Area, word: u32) -> Option<usize> {
        self.places[area as usize].get(word as usize)?.checked_sub(1).map(usize::from)
    }

    /// The value that a component of the memory starts with, where the file says so.
    #[inline]
    pub fn value(&self, word: u32) -> Option<&str> {
        self.values.get(word as usize)?.as_deref()
    }

    /// The first value that is given to a word stays.
    fn set_value(&mut self, word: usize, bits: u32) {
        if word >= WORDS[Area::Memory as usize] {
            return;
        }
        if self.values.len() <= word {
            self.values.resize(word + 1, None);
        }
        if let Some(place @ None) = self.values.get_mut(word) {
            *place = Some(float_text(bits).into());
        }
    }

    /// What a written name stands for.
    pub fn find(&self, text: &str) -> Option<&Name> {
        self.names.get(usize::from(*self.known.get(text)?))
    }

    /// All names in the order in which they were given.
    pub fn all(&self) -> &[Name] {
        &self.names
    }
}

/// Expansion of one table's symbols.
struct Walk<'a> {
    names: &'a mut Names,
    area: Area,
    table: &'a [&'a Symbol],
    members: &'a HashMap<u16, Vec<usize>>,
    /// Elements that may still be looked at.
    budget: usize,
}

impl Walk<'_> {
    fn symbol(&mut self, index: usize, path: &str, base: usize, depth: u32) {
        let symbol = self.table[index];
        let Some(offset) = symbol.offset else { return };
        let first = base + usize::from(offset);
        for element in 0..symbol.elements.max(1) {
            let at = first + usize::from(element) * usize::from(symbol.stride);
            let repeated = element > 0 && symbol.stride == 0;
            if at >= WORDS[self.area as usize] || repeated || self.budget == 0 {
                return;
            }
            self.budget -= 1;
            let path = if symbol.elements > 0 { format!("{path}[{element}]") } else { path.to_owned() };
            self.element(index, &path, at, depth);
            if let Some(initial) = &symbol.initial
                && self.area == Area::Memory
                && element == 0
            {
                for (n, &bits) in initial.iter().enumerate().take(WORDS[2]) {
                    self.names.set_value(first + n, bits);
                }
            }
        }
    }

    fn element(&mut self, index: usize, path: &str, at: usize, depth: u32) {
        let symbol = self.table[index];
        let Ok(word) = u16::try_from(at) else { return };
        let components = u8::try_from(symbol.components).unwrap_or(u8::MAX);
        match symbol.ty {
            SymbolType::Struct => {
                if depth >= DEPTH {
                    return;
                }
                let Ok(parent) = u16::try_from(index) else { return };
                let members = self.members;
                for &member in members.get(&parent).into_iter().flatten() {
                    let name = &self.table[member].name;
                    // A structure that is its own ancestor has no top, so its members are never reached.
                    if is_word(name) {
                        self.symbol(member, &format!("{path}.{name}"), at, depth + 1);
                    }
                }
            }
            SymbolType::Matrix => {
                for column in 0..components.min(4) {
                    let at = at + usize::from(column) * usize::from(symbol.component_size);
                    if let Ok(word) = u16::try_from(at) {
                        self.names.add(&format!("{path}[{column}]"), self.area, word, components);
                    }
                }
            }
            ty if ty.is_sampler() => {}
            _ => {
                self.names.add(path, self.area, word, components);
            }
        }
    }
}

/// Whether it has the form of an identifier. Compilers give names that start with a question mark.
pub fn is_word(name: &str) -> bool {
    let mut bytes = name.bytes();
    bytes.next().is_some_and(|first| first.is_ascii_alphabetic() || first == b'_' || first == b'?')
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        && name.len() <= 255
}

/// Whether a symbol's name can stand in code without being mistaken for something else.
pub fn is_free(name: &str) -> bool {
    let numbered = |head: &str| {
        name.strip_prefix(head)
            .is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_digit()))
    };
    is_word(name)
        && !["a", "v", "unknown", "addr", "reg", "add", "mul"].into_iter().any(numbered)
        && !matches!(name, "t" | "unused" | "pass" | "complex")
}

/// A float as people write it, or its bits where that would not do.
fn float_text(bits: u32) -> String {
    let value = f32::from_bits(bits);
    if value.is_nan() { format!("{bits:#010x}") } else { format!("{value:?}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn symbol(name: &str, ty: SymbolType, components: u16, offset: u16) -> Symbol {
        Symbol {
            name: name.into(),
            space: Space::Float,
            ty,
            components,
            component_size: 4,
            elements: 0,
            stride: 4,
            precision: None,
            invariant: false,
            offset: Some(offset),
            parent: None,
            initial: None,
        }
    }

    #[test]
    fn members_elements_and_columns_have_names() {
        let outer = Symbol { elements: 2, stride: 20, ..symbol("u", SymbolType::Struct, 2, 4) };
        let matrix = Symbol { parent: Some(0), stride: 12, ..symbol("m", SymbolType::Matrix, 3, 0) };
        let scalar = Symbol { parent: Some(0), ..symbol("k", SymbolType::Float, 1, 15) };
        let names = Names::of_symbols(&[outer, matrix, scalar, symbol("t", SymbolType::Float, 1, 0)]);
        let at = |word| names.at(Area::Memory, word).map(|(name, n)| (&*name.text, n));
        assert_eq!(at(0), None);
        assert_eq!(at(4), Some(("u[0].m[0]", 0)));
        assert_eq!(at(10), Some(("u[0].m[1]", 2)));
        assert_eq!(at(11), None);
        assert_eq!(at(19), Some(("u[0].k", 0)));
        assert_eq!(at(39), Some(("u[1].k", 0)));
        assert_eq!(names.find("u[1].m[2]").map(|name| (name.word, name.components)), Some((32, 3)));
    }

    #[test]
    fn hostile_tables_end() {
        let mut table =
            vec![Symbol { elements: u16::MAX, stride: 0, ..symbol("s", SymbolType::Struct, 1, 0) }];
        for parent in 0..300 {
            table.push(Symbol {
                parent: Some(parent),
                elements: 4096,
                stride: 1,
                ..symbol("s", SymbolType::Struct, 1, 0)
            });
        }
        table.push(Symbol { parent: Some(301), ..symbol("loop", SymbolType::Struct, 1, 0) });
        assert!(Names::of_symbols(&table).all().is_empty());
    }
}
