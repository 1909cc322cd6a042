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
    rows: Vec<Vec<Cell>>,
}

impl Table {
    pub fn new(heading: &[&str]) -> Self {
        let heading = heading.iter().map(|text| Cell::text(*text).styled(style::DIM)).collect();
        Self { rows: vec![heading] }
    }

    pub fn row(&mut self, cells: Vec<Cell>) {
        self.rows.push(cells);
    }

    /// Whether there is nothing below the heading.
    pub fn is_empty(&self) -> bool {
        self.rows.len() <= 1
    }

    /// The table as text, a line per row. Headings of number columns stand to the right as well.
    pub fn render(mut self) -> String {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or_default();
        let mut widths = vec![0; columns];
        let mut right = vec![false; columns];
        for row in &self.rows {
            for (at, cell) in row.iter().enumerate() {
                widths[at] = widths[at].max(cell.text.chars().count());
                right[at] |= cell.right;
            }
        }
        if let Some(heading) = self.rows.first_mut() {
            heading.iter_mut().zip(&right).for_each(|(cell, right)| cell.right = *right);
        }
        let mut out = String::new();
        for row in &self.rows {
            for (at, cell) in row.iter().enumerate() {
                let fill = " ".repeat(widths[at] - cell.text.chars().count());
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
