//! Texts to files and code.

use crate::{errors, findings::about_texts, manner};
use pyo3::{exceptions::PyValueError, prelude::*, types::PyBytes};
use unshade::ListingKind;
use unshade::assembly::Source;
use unshade::pica200::asm::Options;

/// A text, or several with their names.
#[derive(FromPyObject)]
pub(crate) enum Texts {
    One(String),
    Several(Vec<(String, String)>),
}

/// What was made, and what may be a mistake.
type Made = (Vec<u8>, Vec<unshade::Diagnostic>);

/// Assembles a text and gives the bytes: of a whole listing the file; of picasso sources a SHBIN as picasso makes it; of a bare
/// listing the code, where the text does not say of which machine, with `isa`. `text`: one text, or pairs of name and text, of
/// which each is an executable. `name`: what the one text is called in messages. Listings of archives and of several files do not
/// hold all of a file: the command's `asm --into` takes them.
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
    let kind = sources.iter().find_map(|source| ListingKind::of(source.text));
    let is_listing = kind.is_some();
    if let (None, Some(kind)) = (isa, kind.filter(|kind| kind.goes_into())) {
        return Err(PyValueError::new_err(format!("this is {kind}, which does not hold the rest of it")));
    }
    // A listing of code says of which machine it is.
    let isa = match kind {
        Some(ListingKind::Code(name)) if isa.is_none() => Some(manner::isa(name)?),
        _ => isa,
    };
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
