//! Names and what they stand for.

use crate::lex::Symbol;
use crate::place::Span;
use crate::tree::{FunctionId, VariableId};
use crate::types::StructId;

/// What a name stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Entry {
    /// A variable.
    Variable(VariableId),
    /// A member of a block without an instance name.
    Member(VariableId, u32),
    /// A structure.
    Struct(StructId),
    /// Functions; one of them.
    Function(FunctionId),
    /// Something that was declared with a mistake: nothing is said of its uses.
    Wrong,
}

/// All scopes: each name with its entries from the outermost scope to the innermost.
#[derive(Debug)]
pub(super) struct Scopes {
    entries: Vec<Vec<(u32, Entry, Span)>>,
    /// The names of each scope.
    open: Vec<Vec<Symbol>>,
}

impl Scopes {
    pub fn new(names: usize) -> Self {
        Self { entries: vec![Vec::new(); names], open: vec![Vec::new()] }
    }

    pub fn depth(&self) -> u32 {
        u32::try_from(self.open.len()).unwrap_or(u32::MAX)
    }

    pub fn is_global(&self) -> bool {
        self.open.len() <= 1
    }

    pub fn push(&mut self) {
        self.open.push(Vec::new());
    }

    pub fn pop(&mut self) {
        for symbol in self.open.pop().unwrap_or_default() {
            if let Some(list) = self.entries.get_mut(symbol.0 as usize) {
                list.pop();
            }
        }
    }

    pub fn find(&self, symbol: Symbol) -> Option<Entry> {
        self.entries.get(symbol.0 as usize)?.last().map(|(_, entry, _)| *entry)
    }

    /// What the name stands for in the innermost scope, and where it was declared.
    pub fn here(&self, symbol: Symbol) -> Option<(Entry, Span)> {
        let depth = self.depth();
        let last = self.entries.get(symbol.0 as usize)?.last()?;
        (last.0 == depth).then_some((last.1, last.2))
    }

    /// Where a name was declared.
    pub fn place(&self, symbol: Symbol) -> Option<Span> {
        self.entries.get(symbol.0 as usize)?.last().map(|(.., span)| *span)
    }

    pub fn declare(&mut self, symbol: Symbol, entry: Entry, span: Span) {
        let depth = self.depth();
        let Some(list) = self.entries.get_mut(symbol.0 as usize) else { return };
        match list.last_mut() {
            Some(last) if last.0 == depth => *last = (depth, entry, span),
            _ => {
                list.push((depth, entry, span));
                if let Some(names) = self.open.last_mut() {
                    names.push(symbol);
                }
            }
        }
    }

    /// All names that stand for something, with what.
    pub fn all(&self) -> impl Iterator<Item = (Symbol, Entry)> {
        self.entries
            .iter()
            .zip(0u32..)
            .filter_map(|(list, symbol)| list.last().map(|(_, entry, _)| (Symbol(symbol), *entry)))
    }
}
