//! What notebooks show. Names come from strangers: everything is escaped.

use crate::tables::Table;
use pyo3::prelude::*;
use std::fmt::Write as _;
use unshade::report::InfoReport;

/// Rows of a table that are shown.
pub(crate) const ROWS: usize = 20;
/// Characters of a cell that are shown.
const CELL: usize = 60;

/// Text that cannot be taken for markup.
pub(crate) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            letter => escaped.push(letter),
        }
    }
    escaped
}

/// The start of a text, escaped.
fn cell(text: &str) -> String {
    match text.char_indices().nth(CELL) {
        Some((end, _)) => format!("{}\u{2026}", escape(text.get(..end).unwrap_or(text))),
        None => escape(text),
    }
}

/// A table, of whose columns those are left out that have no value in the rows that are shown.
pub(crate) fn table(table: &Table) -> String {
    let rows: Vec<_> = (0..table.len().min(ROWS)).filter_map(|row| table.place(row)).collect();
    let columns: Vec<Vec<Option<String>>> = (0..table.schema.fields().len())
        .map(|column| {
            let texts = rows
                .iter()
                .map(|(batch, row)| batch.columns().get(column).and_then(|array| Table::text(array, *row)));
            texts.collect()
        })
        .collect();
    let shown = |column: &[Option<String>]| rows.is_empty() || column.iter().any(Option::is_some);
    let mut html = "<table><thead><tr>".to_owned();
    for (field, column) in table.schema.fields().iter().zip(&columns) {
        if shown(column) {
            let meaning = field.metadata().get("meaning").map_or("", String::as_str);
            let _ = write!(html, "<th title=\"{}\">{}</th>", escape(meaning), escape(field.name()));
        }
    }
    html.push_str("</tr></thead><tbody>");
    for row in 0..rows.len() {
        html.push_str("<tr>");
        for column in columns.iter().filter(|column| shown(column)) {
            let text = column.get(row).and_then(Option::as_deref);
            let _ = write!(html, "<td>{}</td>", text.map(cell).unwrap_or_default());
        }
        html.push_str("</tr>");
    }
    html.push_str("</tbody></table>");
    let more = match table.len().checked_sub(ROWS) {
        Some(more) if more > 0 => format!(", {more} of them not shown"),
        _ => String::new(),
    };
    let _ = write!(html, "<p>{} rows{more}</p>", table.len());
    html
}

/// Text as code. What is in it looks as the notebook's own code does, in light and dark.
pub(crate) fn code(text: &str) -> String {
    format!("<pre style=\"white-space: pre; overflow-x: auto\"><code>{}</code></pre>", escape(text))
}

/// A line of text.
pub(crate) fn paragraph(text: &str) -> String {
    format!("<p>{}</p>", escape(text))
}

/// A file: what it is, and its programs.
pub(crate) fn file(name: &str, info: &InfoReport, items: Option<&Table>) -> String {
    let mut html = paragraph(name);
    html.push_str("<ul>");
    for wrapper in &info.wrappers {
        let place = wrapper.inner.as_ref().map(|inner| format!(":{inner} ")).unwrap_or_default();
        let _ = write!(html, "<li>{}{}</li>", cell(&place), escape(&wrapper.description));
    }
    for container in &info.containers {
        let place = container.inner.as_ref().map(|inner| format!(":{inner} ")).unwrap_or_default();
        let _ = write!(
            html,
            "<li>{}{}, {}, {}-endian</li>",
            cell(&place),
            escape(&container.description),
            escape(&container.platform),
            escape(&container.byte_order)
        );
    }
    html.push_str("</ul>");
    html.push_str(&items.map(table).unwrap_or_default());
    html
}

/// A text of code as Python's `unshade.texts.Listing`.
pub(crate) fn listing(py: Python<'_>, text: String) -> PyResult<Py<PyAny>> {
    let class = py.import("unshade.texts")?.getattr("Listing")?;
    class.call1((text,)).map(Bound::unbind)
}

/// Text as code, for what is made in Python.
#[pyfunction(name = "_code_html")]
pub(crate) fn code_html(text: &str) -> String {
    code(text)
}
