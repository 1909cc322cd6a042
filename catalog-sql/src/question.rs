//! Asking: SQL to rows, and errors that say where they are.

use crate::Failure;
use datafusion::{
    arrow::error::ArrowError,
    common::{Location, Span},
    error::DataFusionError,
    execution::SendableRecordBatchStream,
    prelude::{SQLOptions, SessionContext},
    scalar::ScalarValue,
};
use std::collections::HashMap;

/// Asks. `values` are what stands for `$word`. Only questions are taken: nothing is created, changed or written.
///
/// # Errors
/// Where the SQL is not understood or asks for what there is not.
pub async fn ask(
    session: &SessionContext,
    sql: &str,
    values: &HashMap<String, String>,
) -> Result<SendableRecordBatchStream, Failure> {
    let failed = |error| failure(sql, &error);
    let only = SQLOptions::new().with_allow_ddl(false).with_allow_dml(false).with_allow_statements(false);
    let mut rows = session.sql_with_options(sql, only).await.map_err(failed)?;
    if !values.is_empty() {
        let values = values.iter().map(|(name, value)| (name.clone(), ScalarValue::from(value.as_str())));
        rows = rows.with_param_values(values.collect::<HashMap<_, _>>()).map_err(failed)?;
    }
    rows.execute_stream().await.map_err(failed)
}

/// What is wrong with a question, or what came in the way of its answer.
pub fn failure(sql: &str, error: &DataFusionError) -> Failure {
    match error.find_root() {
        // What was to be computed has no result.
        DataFusionError::ArrowError(error, _) if is_computing(error) => Failure::Usage(error.to_string()),
        DataFusionError::IoError(_)
        | DataFusionError::ObjectStore(_)
        | DataFusionError::ParquetError(_)
        | DataFusionError::ArrowError(..)
        | DataFusionError::External(_) => Failure::Bad(format!("cannot read a catalog: {}", message(error))),
        DataFusionError::ResourcesExhausted(_) => Failure::Bad(message(error)),
        _ => Failure::Usage(with_place(sql, error)),
    }
}

fn is_computing(error: &ArrowError) -> bool {
    matches!(
        error,
        ArrowError::CastError(_)
            | ArrowError::ComputeError(_)
            | ArrowError::DivideByZero
            | ArrowError::ArithmeticOverflow(_)
    )
}

/// The message without what says which part of the engine made it.
fn message(error: &DataFusionError) -> String {
    let text = error.find_root().strip_backtrace();
    let mut text = text.as_str();
    for front in ["DDL", "DML", "Statement"] {
        if let Some(what) = text.strip_prefix("Error during planning: ").unwrap_or(text).strip_prefix(front)
            && let Some(what) = what.strip_prefix(" not supported: ")
        {
            return format!("only questions are taken, nothing that changes something: {what}");
        }
    }
    for front in
        ["SQL error: ", "Error during planning: ", "Schema error: ", "This feature is not implemented: "]
    {
        text = text.strip_prefix(front).unwrap_or(text);
    }
    let inside = text.strip_prefix("ParserError(\"").or_else(|| text.strip_prefix("TokenizerError(\""));
    let text = inside.and_then(|text| text.strip_suffix("\")")).unwrap_or(text);
    text.trim().to_owned()
}

/// The message with the line that it is about, and a mark below the place.
fn with_place(sql: &str, error: &DataFusionError) -> String {
    let mut text = message(error);
    let mut span = None;
    if let Some(diagnostic) = error.diagnostic() {
        text.clone_from(&diagnostic.message);
        span = diagnostic.span;
        for help in diagnostic.helps.iter().map(|help| &help.message) {
            text.push_str(&format!("; {help}"));
        }
    }
    // What does not parse says its place in the message.
    if let Some((what, place)) = text.clone().rsplit_once(" at Line: ") {
        let numbers = place.split_once(", Column: ");
        let numbers = numbers.and_then(|(line, column)| Some((line.parse().ok()?, column.parse().ok()?)));
        if let Some((line, column)) = numbers {
            let place = Location { line, column };
            span = Some(Span { start: place, end: place });
            text = what.to_owned();
        }
    }
    if let Some(what) = text.strip_suffix(", found: EOF") {
        let line = sql.lines().count().max(1) as u64;
        let column = sql.lines().last().map_or(0, |line| line.chars().count()) as u64 + 1;
        let place = Location { line, column };
        span = Some(Span { start: place, end: place });
        text = format!("{what}, and here is the end");
    }
    let shown = span.and_then(|span| {
        let line = sql.lines().nth(usize::try_from(span.start.line).ok()?.checked_sub(1)?)?;
        let column = usize::try_from(span.start.column).ok()?.checked_sub(1)?;
        let length = match span.start.line == span.end.line {
            true => usize::try_from(span.end.column.saturating_sub(span.start.column)).unwrap_or(1).max(1),
            false => 1,
        };
        let (front, mark) = (" ".repeat(column), "^".repeat(length));
        Some(format!(
            "line {}, column {}: {text}\n  {line}\n  {front}{mark}",
            span.start.line, span.start.column
        ))
    });
    shown.unwrap_or(text)
}
