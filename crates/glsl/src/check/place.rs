//! Places in memory: what may be written.

use super::Checker;
use crate::builtins::Meaning;
use crate::errors::{Kind, Problem};
use crate::tree::{ExpressionId, ExpressionKind, Storage, VariableId};
use crate::types::{Part, Type};

impl Checker<'_> {
    /// The variable that a place is in.
    pub(super) fn root(&self, mut at: ExpressionId) -> Option<VariableId> {
        loop {
            match &self.expressions.get(at)?.kind {
                ExpressionKind::Variable(id) => return Some(*id),
                ExpressionKind::Field { base, .. }
                | ExpressionKind::Index { base, .. }
                | ExpressionKind::Swizzle { base, .. } => at = *base,
                _ => return None,
            }
        }
    }

    /// Whether an expression is a place that may be written; if not, that is reported.
    pub(super) fn is_place(&mut self, at: ExpressionId, verb: &str) -> bool {
        let span = self.place(at);
        let mut inner = at;
        let (mut is_readonly, mut swizzles) = (false, Vec::new());
        let root = loop {
            match &self.expressions[inner].kind {
                ExpressionKind::Variable(id) => break Some(*id),
                ExpressionKind::Field { base, member } => {
                    is_readonly |= self.is_readonly_member(*base, *member);
                    inner = *base;
                }
                ExpressionKind::Index { base, .. } => inner = *base,
                ExpressionKind::Swizzle { base, lanes } => {
                    swizzles.push(lanes.clone());
                    inner = *base;
                }
                _ => break None,
            }
        };
        let repeats = |lanes: &[u8]| {
            lanes.iter().enumerate().any(|(at, lane)| lanes.iter().take(at).any(|l| l == lane))
        };
        if swizzles.iter().any(|lanes| repeats(lanes)) {
            self.error(Kind::LValue, span, format!("a component stands twice in what is {verb}"));
            return false;
        }
        let Some(root) = root else {
            let message = match self.expressions[inner].kind {
                ExpressionKind::Constant(_) => format!("a constant cannot be {verb}"),
                ExpressionKind::Call { .. } | ExpressionKind::Builtin { .. } => {
                    format!("what a function gives cannot be {verb}")
                }
                _ => format!("this is no place in memory, and cannot be {verb}"),
            };
            self.report(Problem::error(Kind::LValue, span, message).help("a variable, or a part of one"));
            return false;
        };
        let Some(variable) = self.variables.get(root) else { return false };
        let name = match variable.name.as_str() {
            "" => "the block".to_owned(),
            name => format!("`{name}`"),
        };
        let why = match variable.storage {
            _ if variable.is_constant => Some("it is `const`"),
            Storage::Uniform => Some("it is a uniform"),
            Storage::In if variable.meaning.is_some() => Some("it is an input of the language"),
            Storage::In => Some("it is an input"),
            Storage::Buffer if is_readonly || variable.memory.is_readonly => Some("it is `readonly`"),
            _ if self.types.has(self.ty(at), Part::Opaque) => Some("it is a texture or an image"),
            _ => None,
        };
        let Some(why) = why else {
            return self.own_output(at, root);
        };
        let declared = variable.span;
        let is_own = variable.meaning.is_none();
        let problem = Problem::error(Kind::LValue, span, format!("{name} cannot be {verb}: {why}"));
        self.report(match is_own {
            true => problem.note(Some(declared), "it is declared here"),
            false => problem,
        });
        false
    }

    /// A tessellation control shader writes its own vertex alone.
    pub(super) fn own_output(&mut self, at: ExpressionId, root: VariableId) -> bool {
        if self.language.stage != crate::language::Stage::TessellationControl {
            return true;
        }
        let Some(variable) = self.variables.get(root) else { return true };
        let by_vertex =
            variable.storage == Storage::Out && variable.auxiliary != crate::tree::Auxiliary::Patch;
        if !by_vertex || !matches!(variable.ty, Type::Array(_)) {
            return true;
        }
        // The index next to the variable.
        let (mut inner, mut index) = (at, None);
        loop {
            match &self.expressions[inner].kind {
                ExpressionKind::Index { base, index: with } => (inner, index) = (*base, Some(*with)),
                ExpressionKind::Field { base, .. } | ExpressionKind::Swizzle { base, .. } => {
                    (inner, index) = (*base, None);
                }
                _ => break,
            }
        }
        let is_own = index.is_some_and(|index| match self.expressions[index].kind {
            ExpressionKind::Variable(id) => {
                self.variables.get(id).and_then(|variable| variable.meaning) == Some(Meaning::InvocationId)
            }
            _ => false,
        });
        if !is_own {
            let span = self.place(at);
            let problem = Problem::error(Kind::LValue, span, "an output of another vertex");
            self.report(problem.help("a tessellation control shader writes `[gl_InvocationID]`"));
        }
        is_own
    }

    pub(super) fn is_readonly_member(&self, base: ExpressionId, member: u32) -> bool {
        self.memory_of_member(base, member).is_some_and(|memory| memory.is_readonly)
    }

    /// What a member of a block says of memory.
    pub(super) fn memory_of_member(
        &self,
        base: ExpressionId,
        member: u32,
    ) -> Option<crate::tree::MemoryQualifiers> {
        let Type::Struct(id) = self.ty(base) else { return None };
        if !self.types.structure(id).is_block {
            return None;
        }
        let root = self.root(base)?;
        let block = self.variables.get(root)?.block?;
        self.blocks.get(block)?.members.get(member as usize).map(|member| member.memory)
    }
}
