//! Where in a source its mutants can stand, and how.

use crate::{
    list::{Genre, Mutant},
    weave::Edit,
};
use proc_macro2::Span;
use std::{collections::BTreeMap, ops::Range};
use syn::{
    Arm, BinOp, Block, Expr, ExprBinary, ExprStruct, ExprUnary, ImplItemFn, ItemFn, Stmt, TraitItemFn,
    spanned::Spanned,
    visit::{self, Visit},
};

/// The parts of a source that mutants change, by where they start.
#[derive(Default)]
pub struct Places {
    /// Operators with two sides: the operator, and all of it. Without those that have `let` in them, which must
    /// stand in a condition and nowhere else.
    binary: BTreeMap<usize, (Range<usize>, Range<usize>)>,
    /// Operators in front: all of it, and what they stand in front of.
    unary: BTreeMap<usize, (Range<usize>, Range<usize>)>,
    /// Arms of a `match`: the end of the pattern, and the guard.
    arms: BTreeMap<usize, (usize, Option<Range<usize>>)>,
    /// Fields of structures with a base.
    fields: BTreeMap<usize, Field>,
    /// What stands between the braces of functions, and the last expression in it.
    bodies: Vec<(Range<usize>, Option<Range<usize>>)>,
}

/// A field of a structure with a base behind `..`.
struct Field {
    name: Range<usize>,
    /// `None` where the name stands for both.
    value: Option<Range<usize>>,
    base: Range<usize>,
}

fn bytes(span: Span) -> Range<usize> {
    span.byte_range()
}

impl Places {
    /// The places of a source.
    pub fn of(text: &str) -> syn::Result<Self> {
        let mut places = Self::default();
        places.visit_file(&syn::parse_file(text)?);
        Ok(places)
    }

    /// How a mutant stands in the source beside what it changes; `None` where that cannot be.
    pub fn edit(&self, text: &str, number: usize, mutant: &Mutant) -> Option<Edit> {
        let span = mutant.span.bytes(text)?;
        let edit = |range, before: String, behind: &str| {
            Some(Edit { number, range, before, behind: behind.to_owned() })
        };
        let chosen = format!("crate::mutant({number})");
        let new = &mutant.replacement;
        match mutant.genre {
            Genre::FnValue => {
                // The span is that of the statements; functions stand in functions.
                let around = self.bodies.iter().filter(|(body, _)| body.contains(&span.start));
                let (body, last) = around.min_by_key(|(body, _)| body.len())?;
                match new.as_str() {
                    // What returns a kind of iterator returns one kind.
                    "::std::iter::empty()" => {
                        let behind = format!(" }}, if {chosen} {{ 0 }} else {{ usize::MAX }})");
                        return edit(last.clone()?, "Iterator::take({ ".to_owned(), &behind);
                    }
                    other if other.starts_with("::std::iter::") => return None,
                    _ => {}
                }
                let before = format!(" if {chosen} {{ return {new}; }} ");
                edit(body.start..body.start, before, "")
            }
            Genre::BinaryOperator => {
                let (operator, whole) = self.binary.get(&span.start)?;
                let left = text.get(whole.start..operator.start)?;
                let right = text.get(operator.end..whole.end)?;
                let before = format!("(if {chosen} {{ {left}{new}{right} }} else {{ ");
                edit(whole.clone(), before, " })")
            }
            Genre::UnaryOperator => {
                let (whole, operand) = self.unary.get(&span.start)?;
                let before = format!("(if {chosen} {{ {} }} else {{ ", text.get(operand.clone())?);
                edit(whole.clone(), before, " })")
            }
            Genre::MatchArm => match self.arms.get(&span.start)? {
                (_, Some(guard)) => edit(guard.clone(), format!("!{chosen} && ("), ")"),
                (pattern, None) => edit(*pattern..*pattern, format!(" if !{chosen} "), ""),
            },
            Genre::MatchArmGuard => {
                let guards = self.arms.values().filter_map(|(_, guard)| guard.as_ref());
                let guard = guards.into_iter().find(|guard| guard.start == span.start)?;
                match new.as_str() {
                    "true" => edit(guard.clone(), format!("{chosen} || ("), ")"),
                    "false" => edit(guard.clone(), format!("!{chosen} && ("), ")"),
                    _ => None,
                }
            }
            Genre::StructField => {
                let field = self.fields.get(&span.start)?;
                let (name, base) = (text.get(field.name.clone())?, text.get(field.base.clone())?);
                let other = format!("if {chosen} {{ ({base}).{name} }} else {{ ");
                match &field.value {
                    Some(value) => edit(value.clone(), other, " }"),
                    None => edit(field.name.clone(), format!("{name}: {other}"), " }"),
                }
            }
        }
    }

    fn body(&mut self, block: &Block) {
        let open = bytes(block.brace_token.span.open()).end;
        let close = bytes(block.brace_token.span.close()).start;
        let last = match block.stmts.last() {
            Some(Stmt::Expr(last, None)) => Some(bytes(last.span())),
            _ => None,
        };
        self.bodies.push((open..close, last));
    }
}

/// Whether `let` stands in a chain of conditions, outside of any parentheses.
fn has_let(expression: &Expr) -> bool {
    match expression {
        Expr::Let(_) => true,
        Expr::Binary(binary) => has_let(&binary.left) || has_let(&binary.right),
        _ => false,
    }
}

impl<'ast> Visit<'ast> for Places {
    fn visit_expr_binary(&mut self, binary: &'ast ExprBinary) {
        if !has_let(&binary.left) && !has_let(&binary.right) {
            let start = bytes(binary.op.span()).start;
            let operator = start..start + length(&binary.op);
            let whole = bytes(binary.left.span()).start..bytes(binary.right.span()).end;
            self.binary.insert(operator.start, (operator, whole));
        }
        visit::visit_expr_binary(self, binary);
    }

    fn visit_expr_unary(&mut self, unary: &'ast ExprUnary) {
        let operand = bytes(unary.expr.span());
        let start = bytes(unary.op.span()).start;
        self.unary.insert(start, (start..operand.end, operand));
        visit::visit_expr_unary(self, unary);
    }

    fn visit_arm(&mut self, arm: &'ast Arm) {
        let guard = arm.guard.as_ref().map(|(_, guard)| bytes(guard.span()));
        self.arms.insert(bytes(arm.span()).start, (bytes(arm.pat.span()).end, guard));
        visit::visit_arm(self, arm);
    }

    fn visit_expr_struct(&mut self, structure: &'ast ExprStruct) {
        if let Some(base) = &structure.rest {
            for field in &structure.fields {
                let name = bytes(field.member.span());
                let value = field.colon_token.map(|_| bytes(field.expr.span()));
                let base = bytes(base.span());
                self.fields.insert(bytes(field.span()).start, Field { name, value, base });
            }
        }
        visit::visit_expr_struct(self, structure);
    }

    fn visit_item_fn(&mut self, function: &'ast ItemFn) {
        self.body(&function.block);
        visit::visit_item_fn(self, function);
    }

    fn visit_impl_item_fn(&mut self, function: &'ast ImplItemFn) {
        self.body(&function.block);
        visit::visit_impl_item_fn(self, function);
    }

    fn visit_trait_item_fn(&mut self, function: &'ast TraitItemFn) {
        if let Some(block) = &function.default {
            self.body(block);
        }
        visit::visit_trait_item_fn(self, function);
    }
}

/// Characters of an operator, whose span may cover the first of them alone.
fn length(operator: &BinOp) -> usize {
    use BinOp::*;
    match operator {
        Add(_) | Sub(_) | Mul(_) | Div(_) | Rem(_) | BitXor(_) | BitAnd(_) | BitOr(_) | Lt(_) | Gt(_) => 1,
        ShlAssign(_) | ShrAssign(_) => 3,
        _ => 2,
    }
}
