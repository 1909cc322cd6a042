//! On which lines of the text which machine instructions stand.
//!
//! What an expression prints is marked where it begins; the first line of a statement stands for all of it. Places are
//! those of the text so far; they become lines when the text is whole.

use super::Printer;
use unshade_ir::ast::walk::{exprs, for_each_expr};
use unshade_ir::ast::{Expr, Link, Links, Stmt};

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
            | Stmt::EmitVertex(link)
            | Stmt::EndPrimitive(link)
            | Stmt::Call { link, .. } => self.mark_at(place, *link),
            Stmt::Act(act) => self.mark_at(place, act.link),
            _ => {}
        }
        for expr in exprs(stmt) {
            for_each_expr(expr, &mut |part| self.mark_at(place, part.link));
        }
    }

    /// Takes the marks of a function that is printed.
    pub(super) fn resolve_marks(&mut self, links: &Links) {
        for (place, link) in std::mem::take(&mut self.marks) {
            self.marked.extend(links.of(link).iter().map(|instruction| (place, *instruction)));
        }
    }
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
