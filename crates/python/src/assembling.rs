//! Texts to files and code.

use crate::{errors, findings::about_texts, manner};
use pyo3::{exceptions::PyValueError, prelude::*, types::PyBytes};
use unshade::pica200::asm::{Options, Source};

/// A text, or several with their names.
#[derive(FromPyObject)]
pub(crate) enum Texts {
    One(String),
    Several(Vec<(String, String)>),
}

/// What was made, and what may be a mistake.
type Made = (Vec<u8>, Vec<unshade::Diagnostic>);

/// Assembles a text and gives the bytes: of a whole listing the file; of picasso sources a SHBIN as picasso makes it; with `isa`
/// the code of a bare listing. `text`: one text, or pairs of name and text, of which each is an executable. `name`: what the one
/// text is called in messages.
///
/// Raises `AssembleError` with line and column; what may be a mistake is an `AssembleWarning`.
#[pyfunction]
#[pyo3(signature = (text, *, isa=None, name="text", no_nop=false))]
pub(crate) fn assemble<'py>(
    py: Python<'py>,
    text: Texts,
    isa: Option<&str>,
    name: &str,
    no_nop: bool,
) -> PyResult<Bound<'py, PyBytes>> {
    let texts = match text {
        Texts::One(text) => vec![(name.to_owned(), text)],
        Texts::Several(texts) => texts,
    };
    let isa = isa.map(manner::isa).transpose()?;
    let sources: Vec<Source<'_>> = texts.iter().map(|(name, text)| Source { name, text }).collect();
    let is_listing = sources.iter().any(|source| unshade::is_container_listing(source.text));
    if sources.is_empty() || (sources.len() > 1 && (isa.is_some() || is_listing)) {
        return Err(PyValueError::new_err(format!("one text is expected, found {}", sources.len())));
    }
    let first = sources.first().map_or("", |source| source.text);
    let made = py.detach(|| -> Result<Made, Failure> {
        if let Some(isa) = isa {
            let code = unshade::assemble_code_with_warnings(isa, first)?;
            return Ok((code.bytes, code.warnings));
        }
        if is_listing {
            return Ok((unshade::assemble_listing(first)?.write()?, Vec::new()));
        }
        let made = unshade::assemble_shbin(&sources, Options { no_nop })?;
        Ok((made.shbin.write()?, made.assembly.warnings))
    });
    match made {
        Ok((bytes, warnings)) => {
            if !warnings.is_empty() {
                let kind = errors::class(py, "AssembleWarning")?;
                let (_, text) = about_texts(&sources, &warnings);
                let text = std::ffi::CString::new(text.replace('\0', "\u{fffd}"))?;
                PyErr::warn(py, &kind, &text, 1)?;
            }
            Ok(PyBytes::new(py, &bytes))
        }
        Err(Failure::Texts(found)) => {
            let (diagnostics, text) = about_texts(&sources, &found);
            Err(errors::assembling(py, diagnostics, &text)?)
        }
        Err(Failure::File(error)) => Err(errors::format(name, *error).into()),
    }
}

/// Why nothing was made.
enum Failure {
    Texts(Vec<unshade::Diagnostic>),
    File(Box<unshade::Error>),
}

impl From<Vec<unshade::Diagnostic>> for Failure {
    fn from(found: Vec<unshade::Diagnostic>) -> Self {
        Self::Texts(found)
    }
}

impl From<unshade::Error> for Failure {
    fn from(error: unshade::Error) -> Self {
        Self::File(Box::new(error))
    }
}
