//! Functions that questions to catalogs want.

use datafusion::{
    arrow::{
        array::{Array, ArrayRef, AsArray, BooleanArray, Float64Array, StringArray},
        datatypes::DataType,
    },
    common::{cast::as_string_array, exec_err},
    error::Result,
    logical_expr::{ColumnarValue, ScalarFunctionImplementation, ScalarUDF, Volatility, create_udf},
    prelude::SessionContext,
};
use std::sync::Arc;

/// A function: name, what it takes, what it means.
pub const FUNCTIONS: [(&str, &str); 3] = [
    ("program_place(path, inner, item)", "what names a program on the command line: `games/a.szs:x.bfsha#0`"),
    (
        "has_word(list, word)",
        "whether a list with blanks between its words, as in `uniforms` or `options`, has a word",
    ),
    ("similarity(signature, signature)", "the share of bytes in which two signatures agree, from 0 to 1"),
];

/// Adds them to a session.
pub fn register(session: &SessionContext) {
    session.register_udf(program_place());
    session.register_udf(has_word());
    session.register_udf(similarity());
}

fn text(name: &str, takes: usize, gives: DataType, fun: ScalarFunctionImplementation) -> ScalarUDF {
    create_udf(name, vec![DataType::Utf8; takes], gives, Volatility::Immutable, fun)
}

/// Text columns out of arguments; a constant is a column of one value over and over.
fn columns<const N: usize>(arguments: &[ColumnarValue]) -> Result<[ArrayRef; N]> {
    let arrays = ColumnarValue::values_to_arrays(arguments)?;
    arrays.try_into().or_else(|_| exec_err!("a function takes {N} arguments"))
}

/// Values of a column.
fn values(array: &ArrayRef) -> Result<impl Iterator<Item = Option<&str>>> {
    Ok(as_string_array(array)?.iter())
}

fn answer(array: impl Array + 'static) -> ColumnarValue {
    ColumnarValue::Array(Arc::new(array))
}

/// As `Row::place` of the scan. Where there is no `inner` or `item`, there is nothing of it.
fn program_place() -> ScalarUDF {
    text(
        "program_place",
        3,
        DataType::Utf8,
        Arc::new(|arguments| {
            let [path, inner, item] = columns(arguments)?;
            let rows = values(&path)?.zip(values(&inner)?).zip(values(&item)?);
            let places = rows.map(|((path, inner), item)| {
                let inner = inner.unwrap_or_default();
                path.map(|path| match item {
                    Some(item) => format!("{path}{inner}#{item}"),
                    None => format!("{path}{inner}"),
                })
            });
            Ok(answer(places.collect::<StringArray>()))
        }),
    )
}

/// Without a list there is no answer.
fn has_word() -> ScalarUDF {
    text(
        "has_word",
        2,
        DataType::Boolean,
        Arc::new(|arguments| {
            let [list, word] = columns(arguments)?;
            let rows = values(&list)?.zip(values(&word)?);
            let has = rows
                .map(|(list, word)| Some(list?.split(' ').any(|one| Some(one) == word) && word.is_some()));
            Ok(answer(has.collect::<BooleanArray>()))
        }),
    )
}

/// Signatures of different lengths, and what is none, have no answer.
fn similarity() -> ScalarUDF {
    text(
        "similarity",
        2,
        DataType::Float64,
        Arc::new(|arguments| {
            let [one, other] = columns(arguments)?;
            let (one, other) = (one.as_string::<i32>().iter(), other.as_string::<i32>().iter());
            let shares = one.zip(other).map(|(one, other)| share(one?.as_bytes(), other?.as_bytes()));
            Ok(answer(shares.collect::<Float64Array>()))
        }),
    )
}

/// The share of pairs of digits in which two texts agree.
fn share(one: &[u8], other: &[u8]) -> Option<f64> {
    if one.len() != other.len() || one.is_empty() || !one.len().is_multiple_of(2) {
        return None;
    }
    let same = one.chunks_exact(2).zip(other.chunks_exact(2)).filter(|(one, other)| one == other).count();
    Some(same as f64 * 2.0 / one.len() as f64)
}
