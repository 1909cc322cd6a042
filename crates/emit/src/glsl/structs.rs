//! Structures again from names with dots: `lights[1].color` is a member of the second `lights`, and the elements of
//! `lights[].color` are those of all of them.

use super::Printer;
use super::declaration::push_elements;
use super::keywords::VOCABULARY;
use crate::interface::structures::{self, Structures};
use crate::interface::{Role, Slot, std140};
use crate::names::{Names, fit, unused};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use unshade_ir::Global;
use unshade_ir::ast::Program;

/// Deepest structure inside of structures.
const DEEPEST: usize = 8;
/// Longest array of structures.
const LONGEST: u32 = 4096;

/// The structures of a program.
#[derive(Debug, Clone, Default)]
pub(super) struct Structs {
    /// Root of each global that is a member, as [`Program::globals`].
    root_of: Vec<Option<usize>>,
    roots: Vec<Node>,
}

/// A variable or member that is a structure, or a member that is none.
#[derive(Debug, Clone, PartialEq)]
struct Node {
    /// Name in the file.
    source: String,
    /// Name in the text.
    name: String,
    /// Name of the type of a structure.
    ty: String,
    /// Elements of an array of structures; 0: no array. None: not met yet.
    length: Option<u32>,
    members: Vec<Node>,
    /// Globals that this member is, one for each structure of an array.
    globals: Vec<usize>,
}

/// A part of a path: a name, and the index behind it.
type Step = (String, Option<Index>);

/// An index in a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Index {
    At(u32),
    /// That of the element.
    Any,
}

impl Structs {
    /// Finds structures and gives the globals their paths as names.
    pub fn find(program: &Program, slots: &[Slot], names: &mut Names) -> Self {
        let mut found = Self { root_of: vec![None; slots.len()], roots: Vec::new() };
        let paths: Vec<Option<Vec<Step>>> = program
            .globals
            .iter()
            .zip(slots)
            .map(|(variable, slot)| {
                let is_member = slot.block.is_some() && structures::names(&variable.global).is_some();
                (slot.role == Role::Loose || is_member).then(|| path(&variable.global.name)).flatten()
            })
            .collect();
        // All members of a root, in order of appearance.
        let mut by_root: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        let mut order = Vec::new();
        for (index, path) in paths.iter().enumerate() {
            if let Some(path) = path {
                let members = by_root.entry(&path[0].0).or_default();
                if members.is_empty() {
                    order.push(path[0].0.as_str());
                }
                members.push(index);
            }
        }
        for root in order {
            let members = &by_root[root];
            let mut node = Node::new(root);
            let fits = members.iter().all(|index| {
                let Some(path) = &paths[*index] else { return false };
                node.insert(path, *index, program, slots)
            });
            if !fits {
                continue;
            }
            node.name = names.add(&fit(root, &VOCABULARY));
            node.name_members(names);
            for index in members {
                found.root_of[*index] = Some(found.roots.len());
                names.globals[*index] = node.printed(paths[*index].as_deref().unwrap_or_default());
            }
            found.roots.push(node);
        }
        found
    }
}

/// The steps of a name with dots; none for other names.
fn path(name: &str) -> Option<Vec<Step>> {
    if !name.contains('.') {
        return None;
    }
    let steps: Vec<Step> = name
        .split('.')
        .map(|step| {
            let (name, index) = match step.split_once('[') {
                Some((name, "]")) => (name, Some(Index::Any)),
                Some((name, index)) => (name, Some(Index::At(index.strip_suffix(']')?.parse::<u32>().ok()?))),
                None => (step, None),
            };
            let fits = !name.is_empty()
                && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
                && !name.starts_with(|c: char| c.is_ascii_digit())
                && !matches!(index, Some(Index::At(LONGEST..)));
            fits.then(|| (name.to_owned(), index))
        })
        .collect::<Option<_>>()?;
    // An index of the last step is one of an array, which has no member for each element.
    let whole = steps.last().is_some_and(|(_, index)| index.is_none());
    let any = steps.iter().filter(|(_, index)| *index == Some(Index::Any)).count();
    (whole && any <= 1 && steps.len() <= DEEPEST).then_some(steps)
}

impl Node {
    fn new(name: &str) -> Self {
        Self {
            source: name.to_owned(),
            name: name.to_owned(),
            ty: String::new(),
            length: None,
            members: Vec::new(),
            globals: Vec::new(),
        }
    }

    /// Adds a member; false if it contradicts what is there.
    fn insert(&mut self, path: &[Step], global: usize, program: &Program, slots: &[Slot]) -> bool {
        let Some(((_, index), rest)) = path.split_first() else { return false };
        let least = match index {
            None => 0,
            Some(Index::At(index)) => index + 1,
            Some(Index::Any) => slots[global].elements().min(LONGEST),
        };
        let length = self.length.get_or_insert(least);
        // With an index once, with an index always.
        if (*length > 0) != index.is_some() {
            return false;
        }
        *length = (*length).max(least);
        let Some((name, _)) = rest.first() else {
            // The member itself.
            let alike = self.globals.first().is_none_or(|first| {
                let (a, b) = (&slots[*first], &slots[global]);
                let precision = |at: usize| program.globals[at].global.precision;
                (a.ty, a.form, precision(*first)) == (b.ty, b.form, precision(global))
            });
            self.globals.push(global);
            return alike && self.members.is_empty();
        };
        if !self.globals.is_empty() {
            return false;
        }
        let at = match self.members.iter().position(|member| member.source == *name) {
            Some(at) => at,
            None => {
                self.members.push(Node::new(name));
                self.members.len() - 1
            }
        };
        self.members[at].insert(rest, global, program, slots)
    }

    fn name_members(&mut self, names: &mut Names) {
        if self.members.is_empty() {
            return;
        }
        self.members.iter_mut().for_each(|member| member.name_members(names));
        let mut letters = self.name.trim_end_matches('_').chars();
        let first = letters.next().map(|letter| letter.to_ascii_uppercase());
        let wish: String = first.into_iter().chain(letters).collect();
        self.ty = names.add(&fit(&wish, &VOCABULARY));
        // Members have a space of names of their own.
        let mut taken: Vec<String> = Vec::new();
        for member in &mut self.members {
            let fitted = fit(&member.source, &VOCABULARY);
            let name = unused(&fitted, |name| taken.iter().any(|other| other == name));
            member.name.clone_from(&name);
            taken.push(name);
        }
    }

    /// The path of a member with the names as they are printed.
    fn printed(&self, path: &[Step]) -> String {
        let mut out = self.name.clone();
        let mut node = self;
        for (place, (source, index)) in path.iter().enumerate() {
            if place > 0 {
                let Some(member) = node.members.iter().find(|member| member.source == *source) else { break };
                node = member;
                out.push('.');
                out.push_str(&node.name);
            }
            match index {
                Some(Index::At(index)) => {
                    let _ = write!(out, "[{index}]");
                }
                Some(Index::Any) => out.push_str(Global::EACH),
                None => {}
            }
        }
        out
    }
}

impl Printer<'_> {
    /// Prints the structures and the variable with the first of its members; whether a uniform is a member.
    pub(super) fn struct_uniform(&mut self, index: usize) -> bool {
        let Some(root) = self.structs.root_of[index] else { return false };
        let first = self.structs.root_of.iter().position(|other| *other == Some(root));
        if first == Some(index) {
            let node = self.structs.roots[root].clone();
            self.declare_struct(&node, None);
            let _ = write!(self.out, "uniform {} {}", node.ty, node.name);
            push_length(&mut self.out, &node);
            self.out.push_str(";\n");
        }
        true
    }

    /// Declares the structure of an array of a block.
    pub(super) fn block_struct(&mut self, array: &Structures) {
        if let Some(node) = self.node_of(array).cloned() {
            self.declare_struct(&node, Some(array));
        }
    }

    /// Prints the member that an array of structures is.
    pub(super) fn struct_member(&mut self, array: &Structures) {
        if let Some(node) = self.node_of(array).cloned() {
            let _ = write!(self.out, "{} {}", node.ty, node.name);
            push_length(&mut self.out, &node);
        }
    }

    fn node_of(&self, array: &Structures) -> Option<&Node> {
        self.structs.roots.get(self.structs.root_of[*array.members.first()?]?)
    }

    /// Declares a structure behind those that it has members of; one of a block with what fills its gaps.
    fn declare_struct(&mut self, node: &Node, array: Option<&Structures>) {
        for member in node.members.iter().filter(|member| !member.members.is_empty()) {
            self.declare_struct(member, None);
        }
        let _ = writeln!(self.out, "struct {} {{", node.ty);
        let mut members: Vec<&Node> = node.members.iter().collect();
        if array.is_some() {
            members.sort_by_key(|member| member.globals.first().map(|global| self.slots[*global].place));
        }
        let mut end = 0;
        for member in members {
            if let (Some(array), Some(global)) = (array, member.globals.first()) {
                let slot = structures::alone(&self.slots[*global]);
                let place = slot.place - array.start;
                if std140(&slot, end).is_none_or(|(natural, _)| natural != place) {
                    self.padding(end, place);
                }
                end = std140(&slot, place).map_or(place, |(_, after)| after);
            }
            self.out.push_str("    ");
            match member.globals.first() {
                Some(global) => {
                    let slot = self.slots[*global];
                    let _ = write!(
                        self.out,
                        "{}{} {}",
                        self.precision(*global),
                        self.declared_type(*global, &slot),
                        member.name
                    );
                    // The elements are those of the structures.
                    if !self.names.globals[*global].contains(Global::EACH) {
                        push_elements(&mut self.out, &slot);
                    }
                }
                None => {
                    let _ = write!(self.out, "{} {}", member.ty, member.name);
                    push_length(&mut self.out, member);
                }
            }
            self.out.push_str(";\n");
        }
        if let Some(array) = array.filter(|array| end.next_multiple_of(16) < array.step) {
            self.padding(end, array.step);
        }
        self.out.push_str("};\n");
    }
}

fn push_length(out: &mut String, node: &Node) {
    if let Some(length @ 1..) = node.length {
        let _ = write!(out, "[{length}]");
    }
}
