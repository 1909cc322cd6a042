//! Columns: as wide as their widest cell, numbers to the right, one blank line never.

use crate::style;
use anstyle::Style;

/// One cell with its style.
pub struct Cell {
    text: String,
    style: Style,
    right: bool,
}

impl Cell {
    pub fn text(text: impl Into<String>) -> Self {
        Self { text: text.into(), style: Style::new(), right: false }
    }

    pub fn number(number: impl std::fmt::Display) -> Self {
        Self { text: number.to_string(), style: Style::new(), right: true }
    }

    pub fn styled(mut self, style: Style) -> Self {
        self.style = style;
        self
    }
}

/// Rows of cells under a heading.
#[derive(Default)]
pub struct Table {
    /// The heading, until it was printed.
    heading: Option<Vec<Cell>>,
    rows: Vec<Vec<Cell>>,
    /// Of the columns so far.
    widths: Vec<usize>,
}

impl Table {
    pub fn new(heading: &[&str]) -> Self {
        let heading = heading.iter().map(|text| Cell::text(*text).styled(style::DIM)).collect();
        Self { heading: Some(heading), ..Self::default() }
    }

    pub fn row(&mut self, cells: Vec<Cell>) {
        self.rows.push(cells);
    }

    /// How many rows wait to be printed.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// The table as text, a line per row. Headings of number columns stand to the right as well.
    pub fn render(mut self) -> String {
        if self.rows.is_empty() {
            return self.heading.take().map(|heading| self.lines(vec![heading])).unwrap_or_default();
        }
        self.render_part()
    }

    /// The rows so far as text, under the heading the first time; later ones are printed in columns at least as wide.
    /// Nothing where there are none.
    pub fn render_part(&mut self) -> String {
        let mut rows = std::mem::take(&mut self.rows);
        let Some(first) = rows.first() else { return String::new() };
        if let Some(mut heading) = self.heading.take() {
            heading.iter_mut().zip(first).for_each(|(cell, below)| cell.right = below.right);
            rows.insert(0, heading);
        }
        self.lines(rows)
    }

    fn lines(&mut self, rows: Vec<Vec<Cell>>) -> String {
        let columns = rows.iter().map(Vec::len).max().unwrap_or_default();
        self.widths.resize(columns.max(self.widths.len()), 0);
        for row in &rows {
            for (width, cell) in self.widths.iter_mut().zip(row) {
                *width = (*width).max(cell.text.chars().count());
            }
        }
        let mut out = String::new();
        for row in &rows {
            for (at, cell) in row.iter().enumerate() {
                let fill = " ".repeat(self.widths[at] - cell.text.chars().count());
                let last = at + 1 == row.len();
                let (before, after) = if cell.right { (fill.as_str(), "") } else { ("", fill.as_str()) };
                out.push_str(before);
                out.push_str(&style::paint(cell.style, &cell.text));
                if !last {
                    out.push_str(after);
                    out.push_str("  ");
                }
            }
            out.push('\n');
        }
        out
    }
}
