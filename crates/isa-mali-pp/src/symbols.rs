//! Names of varyings, uniforms and samplers, both ways: from a place to `lights[2].color` with a component,
//! and back. Only names that lead back to the same place are given.

use unshade_isa_common::text::{PartKind, Sink};
use unshade_stage::{Space, Symbol, SymbolType};

/// Which numbers a name stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Varyings, in floats.
    Varying,
    /// Uniforms, in floats.
    Uniform,
    /// Samplers, by number.
    Sampler,
}

/// Words of the listing that stand where a varying's name could.
pub const INPUTS: [&str; 3] = ["gl_FragCoord", "gl_PointCoord", "gl_FrontFacing"];

/// Structures inside each other that a name goes through.
const DEPTH: usize = 8;

/// The names of one program.
#[derive(Debug, Clone, Default)]
pub struct Symbols<'a> {
    nodes: Vec<Node<'a>>,
    /// Nodes without parent, by kind, sorted by their first float.
    roots: [Vec<usize>; 3],
}

#[derive(Debug, Clone)]
struct Node<'a> {
    symbol: &'a Symbol,
    /// First float, from the start of the space or of the structure.
    start: u32,
    /// Sorted by their first float.
    members: Vec<usize>,
}

impl<'a> Symbols<'a> {
    /// Names of these symbols; those without a place, and those whose name is none or is taken, get none.
    pub fn new(symbols: &'a [Symbol]) -> Self {
        let mut names = Self::default();
        for space in [Space::Input, Space::Float] {
            names.space(symbols.iter().filter(|symbol| symbol.space == space));
        }
        names
    }

    fn space(&mut self, symbols: impl Iterator<Item = &'a Symbol>) {
        let first = self.nodes.len();
        self.nodes.extend(symbols.map(|symbol| Node {
            symbol,
            start: symbol.offset.unwrap_or_default().into(),
            members: Vec::new(),
        }));
        let mut children = Vec::new();
        for index in first..self.nodes.len() {
            let symbol = self.nodes[index].symbol;
            if symbol.offset.is_none() || !is_identifier(&symbol.name) {
                continue;
            }
            match symbol.parent {
                // A parent comes first, so chains of parents end.
                Some(parent) => {
                    let parent = first + usize::from(parent);
                    if parent < index {
                        children.push((parent, index));
                    }
                }
                None => {
                    let kind = match symbol.space {
                        Space::Input => Kind::Varying,
                        _ if symbol.ty.is_sampler() => Kind::Sampler,
                        _ => Kind::Uniform,
                    };
                    if kind != Kind::Varying || !INPUTS.contains(&&*symbol.name) {
                        self.roots[kind as usize].push(index);
                    }
                }
            }
        }
        for (parent, child) in children {
            if let Some(node) = self.nodes.get_mut(parent)
                && node.symbol.ty == SymbolType::Struct
            {
                node.members.push(child);
            }
        }
        let mut lists: Vec<Vec<usize>> =
            self.nodes[first..].iter_mut().map(|node| std::mem::take(&mut node.members)).collect();
        for list in lists.iter_mut().chain(&mut self.roots) {
            let nodes = &self.nodes;
            // Of two with one name the first stays.
            list.sort_by_key(|index| (&nodes[*index].symbol.name, *index));
            list.dedup_by_key(|index| &nodes[*index].symbol.name);
            list.sort_by_key(|index| (nodes[*index].start, *index));
        }
        for (node, list) in self.nodes[first..].iter_mut().zip(lists) {
            node.members = list;
        }
    }

    /// Writes the name of the vector that holds a float, if it has one. Gives the component there.
    pub fn put(&self, sink: &mut impl Sink, kind: Kind, float: u32) -> Option<u32> {
        let mut steps = [Step { node: 0, element: None, column: None }; DEPTH];
        let (depth, component) = self.find(&self.roots[kind as usize], float, &mut steps)?;
        for (n, step) in steps[..depth].iter().enumerate() {
            if n > 0 {
                sink.put(PartKind::Punctuation, ".");
            }
            sink.put(PartKind::Name, &self.nodes[step.node].symbol.name);
            for index in [step.element, step.column].into_iter().flatten() {
                sink.put(PartKind::Punctuation, "[");
                sink.decimal(PartKind::Immediate, index);
                sink.put(PartKind::Punctuation, "]");
            }
        }
        Some(component)
    }

    /// The component of its vector that a float is, if [`Self::put`] would write a name.
    pub fn component(&self, kind: Kind, float: u32) -> Option<u32> {
        let mut steps = [Step { node: 0, element: None, column: None }; DEPTH];
        self.find(&self.roots[kind as usize], float, &mut steps).map(|(_, component)| component)
    }

    fn find(&self, list: &[usize], float: u32, steps: &mut [Step; DEPTH]) -> Option<(usize, u32)> {
        let mut list = list;
        let mut rest = float;
        for (depth, place) in steps.iter_mut().enumerate() {
            let after = list.partition_point(|index| self.nodes[*index].start <= rest);
            // Symbols may overlap, but not so many that looking at a few of them would not do.
            let (step, inner) =
                list[..after].iter().rev().take(8).find_map(|index| self.step(*index, rest))?;
            *place = step;
            let node = &self.nodes[step.node];
            if node.symbol.ty != SymbolType::Struct {
                return Some((depth + 1, inner));
            }
            list = &node.members;
            rest = inner;
        }
        None
    }

    /// Element and column of a symbol in which a float lies, and how far in.
    fn step(&self, index: usize, float: u32) -> Option<(Step, u32)> {
        let node = &self.nodes[index];
        let symbol = node.symbol;
        let mut rest = float.checked_sub(node.start)?;
        let element = (symbol.elements > 0).then(|| rest.checked_div(symbol.stride.into())).flatten();
        if let Some(element) = element {
            if element >= symbol.elements.into() {
                return None;
            }
            rest -= element * u32::from(symbol.stride);
        } else if symbol.elements > 1 {
            return None;
        }
        let mut column = None;
        let (size, components) = (u32::from(symbol.component_size), u32::from(symbol.components));
        let width = match symbol.ty {
            SymbolType::Matrix => {
                let n = rest.checked_div(size)?;
                column = Some(n);
                rest -= n * size;
                if n < components { components } else { 0 }
            }
            SymbolType::Struct => size,
            ty if ty.is_sampler() => 1,
            _ => components,
        };
        let element = element.or((symbol.elements > 0).then_some(0));
        (rest < width).then_some((Step { node: index, element, column }, rest))
    }

    /// Reads a name from the front of a text: the first float of the vector it names and the length of the
    /// text used. Indices must lie inside the arrays.
    ///
    /// # Errors
    /// What is wrong, with the length of the text up to there.
    pub fn read(&self, kind: Kind, text: &str) -> Result<(u32, usize), (usize, String)> {
        let mut list = &self.roots[kind as usize];
        let mut float = 0;
        let mut at = 0;
        for _ in 0..DEPTH {
            let rest = &text[at..];
            let length = identifier_length(rest);
            let name = &rest[..length];
            let found = list.iter().find(|index| self.nodes[**index].symbol.name == name);
            let Some(node) = found.map(|index| &self.nodes[*index]) else {
                return Err((at, format!("`{name}` is not known here")));
            };
            at += length;
            float += node.start;
            let symbol = node.symbol;
            let index = |at: &mut usize, count: u32, what: &str| {
                let rest = text[*at..].strip_prefix('[');
                let inner = rest.and_then(|rest| rest.split_once(']')).map(|(inner, _)| inner);
                let Some(inner) = inner else { return Err((*at, format!("expected an index of {what}"))) };
                match inner.trim().parse::<u32>() {
                    Ok(index) if index < count => {
                        *at += inner.len() + 2;
                        Ok(index)
                    }
                    _ => Err((*at + 1, format!("`{}` is no index below {count}", inner.trim()))),
                }
            };
            if symbol.elements > 0 {
                float += index(&mut at, symbol.elements.into(), "the array")? * u32::from(symbol.stride);
            }
            match symbol.ty {
                SymbolType::Matrix => {
                    let column = index(&mut at, symbol.components.into(), "the column")?;
                    return Ok((float + column * u32::from(symbol.component_size), at));
                }
                SymbolType::Struct => {
                    if !text[at..].starts_with('.') {
                        return Err((at, format!("expected a member of `{name}`")));
                    }
                    at += 1;
                    list = &node.members;
                }
                _ => return Ok((float, at)),
            }
        }
        Err((at, "structures inside each other go too deep".to_owned()))
    }
}

#[derive(Debug, Clone, Copy)]
struct Step {
    node: usize,
    element: Option<u32>,
    column: Option<u32>,
}

/// Length of the identifier at the start.
pub(super) fn identifier_length(text: &str) -> usize {
    let is_letter = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    match text.as_bytes().first() {
        Some(first) if !first.is_ascii_digit() => text.bytes().take_while(|byte| is_letter(byte)).count(),
        _ => 0,
    }
}

/// Whether a text is a name that the listing can write.
pub(super) fn is_identifier(text: &str) -> bool {
    !text.is_empty() && identifier_length(text) == text.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use unshade_isa_common::text::PlainText;

    fn symbol(name: &str, ty: SymbolType, shape: [u16; 4], offset: u16, parent: Option<u16>) -> Symbol {
        let [components, component_size, elements, stride] = shape;
        Symbol {
            name: name.to_owned(),
            space: Space::Float,
            ty,
            components,
            component_size,
            elements,
            stride,
            precision: None,
            invariant: false,
            offset: Some(offset),
            parent,
            initial: None,
        }
    }

    fn name(symbols: &Symbols<'_>, float: u32) -> Option<(String, u32)> {
        let mut text = PlainText::default();
        let component = symbols.put(&mut text, Kind::Uniform, float)?;
        Some((text.into_text(), component))
    }

    #[test]
    fn names_lead_to_places_and_back() {
        let list = [
            symbol("color", SymbolType::Float, [3, 4, 0, 4], 4, None),
            symbol("m", SymbolType::Matrix, [2, 2, 3, 4], 8, None),
            symbol("lights", SymbolType::Struct, [2, 8, 2, 8], 20, None),
            symbol("at", SymbolType::Float, [4, 4, 0, 4], 0, Some(2)),
            symbol("power", SymbolType::Float, [1, 1, 2, 1], 4, Some(2)),
            symbol("color", SymbolType::Float, [4, 4, 0, 4], 60, None),
            symbol("tex", SymbolType::Sampler2d, [2, 1, 0, 1], 0, None),
        ];
        let symbols = Symbols::new(&list);
        let expected = |text: &str, component| Some((text.to_owned(), component));
        assert_eq!(name(&symbols, 6), expected("color", 2));
        assert_eq!(name(&symbols, 7), None);
        assert_eq!(name(&symbols, 15), expected("m[1][1]", 1));
        assert_eq!(name(&symbols, 30), expected("lights[1].at", 2));
        assert_eq!(name(&symbols, 33), expected("lights[1].power[1]", 0));
        assert_eq!(name(&symbols, 60), None);
        assert_eq!(name(&symbols, 0), None);
        for float in 0..100 {
            if let Some((text, component)) = name(&symbols, float) {
                assert_eq!(symbols.read(Kind::Uniform, &text), Ok((float - component, text.len())));
            }
        }
        assert_eq!(symbols.read(Kind::Sampler, "tex, x"), Ok((0, 3)));
        assert!(symbols.read(Kind::Uniform, "lights[2].at").is_err());
        assert!(symbols.read(Kind::Uniform, "lights[1]").is_err());
    }
}
