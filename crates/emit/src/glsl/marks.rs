//! On which lines of the text which machine instructions stand.
//!
//! What an expression prints is marked where it begins; the first line of a statement stands for all of it. A line that
//! has no expression, such as `else`, `break` or `discard`, is that of what decides whether it is done: the condition around it.
//! The head of a loop that no instruction counts is that of what it repeats.
//! Places are those of the text so far; they become lines when the text is whole.

use super::Printer;
use unshade_ir::ast::walk::{exprs, for_each_expr};
use unshade_ir::ast::{Expr, Link, Links, Stmt};

/// Parts of a condition that the lines it decides about are marked with: there may be many of both.
const DECIDING: usize = 64;

impl Printer<'_> {
    /// What stands here next comes from there.
    pub(super) fn mark(&mut self, link: Link) {
        self.mark_at(self.out.len(), link);
    }

    fn mark_at(&mut self, place: usize, link: Link) {
        if !link.is_none() {
            self.marks.push((place, link));
        }
    }

    /// This line is that of the whole expression.
    pub(super) fn mark_expression(&mut self, expr: &Expr) {
        let place = self.out.len();
        for_each_expr(expr, &mut |part| self.mark_at(place, part.link));
    }

    /// The line behind a place of the text is the first of a statement.
    pub(super) fn mark_statement(&mut self, start: usize, stmt: &Stmt) {
        // One that prints nothing has no line.
        if self.out.len() <= start {
            return;
        }
        // Behind the end of the line before.
        let place = start + 1;
        match stmt {
            // Its condition stands on its last line.
            Stmt::DoWhile { .. } => return,
            Stmt::Discard(link)
            | Stmt::EmitVertex(_, link)
            | Stmt::EndPrimitive(_, link)
            | Stmt::Call { link, .. } => self.mark_at(place, *link),
            Stmt::Act(act) => self.mark_at(place, act.link),
            _ => {}
        }
        let mut known = false;
        for expr in exprs(stmt) {
            for_each_expr(expr, &mut |part| {
                known |= !part.link.is_none();
                self.mark_at(place, part.link);
            });
        }
        if !known && matches!(stmt, Stmt::For { .. } | Stmt::While { .. }) {
            self.mark_repeated(place);
        }
    }

    /// A loop that no instruction counts was made of what stood there several times: that is where its head comes from.
    fn mark_repeated(&mut self, place: usize) {
        let body = self.marks.iter().rev().take_while(|(at, _)| *at >= place).take(DECIDING);
        let links: Vec<Link> = body.map(|(_, link)| *link).collect();
        self.marks.extend(links.into_iter().map(|link| (place, link)));
    }

    /// What the block that is printed next depends on.
    pub(super) fn decide_by(&mut self, expr: &Expr) {
        let mut links = Vec::new();
        for_each_expr(expr, &mut |part| {
            if !part.link.is_none() && links.len() < DECIDING {
                links.push(part.link);
            }
        });
        self.deciding.push(links);
    }

    /// The block is printed.
    pub(super) fn decided(&mut self) {
        self.deciding.pop();
    }

    /// What stands here next is done or not by the condition around it.
    pub(super) fn mark_decision(&mut self) {
        let place = self.out.len();
        let around = self.deciding.last().into_iter().flatten();
        self.marks.extend(around.map(|link| (place, *link)));
    }

    /// What stands here next is a loop without an end of its own: what leaves it decides.
    pub(super) fn mark_exits(&mut self, body: &[Stmt]) {
        for stmt in body {
            if let Stmt::If { condition, then, otherwise } = stmt {
                if breaks(then) || breaks(otherwise) {
                    self.mark_expression(condition);
                }
                self.mark_exits(then);
                self.mark_exits(otherwise);
            }
        }
    }

    /// Takes the marks of a function that is printed.
    pub(super) fn resolve_marks(&mut self, links: &Links) {
        for (place, link) in std::mem::take(&mut self.marks) {
            self.marked.extend(links.of(link).iter().map(|instruction| (place, *instruction)));
        }
    }
}

/// Whether statements end in leaving the loop around them.
fn breaks(body: &[Stmt]) -> bool {
    matches!(body.last(), Some(Stmt::Break | Stmt::Return(_)))
}

/// Lines, counted from 0, with the machine instructions that stand on them: of marks in a text that follows another.
pub(super) fn lines(above: &str, text: &str, mut marks: Vec<(usize, u32)>) -> Vec<(u32, u32)> {
    marks.sort_unstable();
    let ends = |text: &[u8]| text.iter().filter(|byte| **byte == b'\n').count() as u32;
    let bytes = text.as_bytes();
    let (mut line, mut at) = (ends(above.as_bytes()), 0);
    let mut found = Vec::with_capacity(marks.len());
    for (place, instruction) in marks {
        let place = place.min(bytes.len());
        line += ends(&bytes[at..place]);
        at = place;
        found.push((line, instruction));
    }
    found.sort_unstable();
    found.dedup();
    found
}

#[cfg(test)]
mod tests {
    use super::lines;

    #[test]
    fn places_become_lines() {
        let found = lines("a\nb\n", "\nvoid\nmain", vec![(6, 3), (1, 9), (1, 2), (7, 3), (6, 3)]);
        assert_eq!(found, [(3, 2), (3, 9), (4, 3)]);
    }
}
