//! Something inside a file changed: the file with it, and the wrappers around it.

use crate::{Inner, OpenError, Opened, UnknownName, code, open::WithinError};
use unshade_bytes::{Error, ErrorKind};
use unshade_containers::{
    Container,
    wrap::nest::{self, Bounds, Chain, Found, Source, walk_within, wrapper},
};
use unshade_stage::Code;

pub use unshade_containers::wrap::nest::Rewritten;

/// Puts another file in the place of the one that `names` choose. Compression around it, and archives of one file, open by
/// themselves, unless the new file is a wrapper, too. While the file is the same, so are the wrappers.
///
/// # Errors
///
/// Where no file or several are meant, or a wrapper cannot hold the new one.
pub fn replace_file<'f>(
    file: impl Into<Source<'f>>,
    names: &[String],
    inside: Vec<u8>,
) -> Result<Rewritten, OpenError> {
    let bytes = file.into();
    let mut files: Vec<Chain> = Vec::new();
    // What lies in bytes that nobody knows is only meant where it is named.
    let bounds = Bounds { in_bytes: !names.is_empty(), ..Bounds::default() };
    for found in walk_within(bytes, names, bounds) {
        match found {
            // A wrapper takes the place of a wrapper that was named, not of what is inside.
            Found::Wrapper { chain, names: left, .. }
                if left.is_empty() && !names.is_empty() && wrapper(&inside).is_some() =>
            {
                return written(bytes, &chain, inside);
            }
            Found::Wrapper { .. } => {}
            Found::File { chain, names, .. } if names.is_empty() => files.push(chain),
            Found::File { chain, names, .. } => {
                let wanted = names.iter().map(|name| format!(":{name}")).collect();
                let known = chain.name().map(|name| format!(":{name}")).into_iter().collect();
                return Err(UnknownName { wanted, known }.into());
            }
            Found::Failed { chain, error } => return Err(WithinError::new(chain, error).into()),
            Found::Unknown { wanted, known, .. } => {
                let known = known.into_iter().map(|name| format!(":{name}")).collect();
                return Err(UnknownName { wanted: format!(":{wanted}"), known }.into());
            }
        }
    }
    match files.as_slice() {
        [chain] => written(bytes, chain, inside),
        chains => {
            let found = format!("{} files; name one of them", chains.len());
            let error =
                Error::new(ErrorKind::BadValue, 0, "", "one file to replace", found).code("wrap.several");
            Err(WithinError::new(Chain::default(), error).into())
        }
    }
}

fn written(bytes: Source<'_>, chain: &Chain, inside: Vec<u8>) -> Result<Rewritten, OpenError> {
    nest::replace(bytes, chain, inside).map_err(|error| WithinError::new(chain.clone(), error).into())
}

/// The file `bytes` with another container in the place of `inner`, which was opened from it.
///
/// # Errors
///
/// Where the container cannot be written, or a wrapper cannot hold it.
pub fn replace_container<'f>(
    file: impl Into<Source<'f>>,
    inner: &Inner,
    container: &Container,
) -> Result<Rewritten, OpenError> {
    let source = file.into();
    let bytes = source.bytes;
    let write = || {
        let new = container.write()?;
        if inner.is_whole() {
            return Ok(new);
        }
        // A blob: what lies around the container stays as it is, and what lies behind it may move.
        let blob = inner.piece.bytes(bytes);
        let start = usize::try_from(inner.offset).unwrap_or(usize::MAX).min(blob.len());
        let end = start.saturating_add(inner.container.write()?.len()).min(blob.len());
        let (before, behind) = (blob.get(..start), blob.get(end..));
        Ok([before.unwrap_or_default(), &new, behind.unwrap_or_default()].concat())
    };
    let inside = write().map_err(|error| WithinError::new(inner.chain.clone(), error))?;
    written(source, &inner.chain, inside)
}

/// Gives the only program called `item` in `opened`, which was opened from `file`, other code. What its container states of
/// the code follows; the rest stays as it is.
///
/// # Errors
///
/// Where there is not exactly one such program, or its container cannot hold the code.
pub fn replace_code<'f>(
    file: impl Into<Source<'f>>,
    opened: &Opened,
    item: Option<&str>,
    code: &Code<'_>,
) -> Result<Rewritten, OpenError> {
    let stages = opened.require(item)?;
    let [(inner, stage)] = stages.as_slice() else {
        let wanted = item.map_or_else(|| "single program".to_owned(), |item| format!("single #{item}"));
        let known = stages.iter().map(|(inner, stage)| inner.item_name(&stage.id)).collect();
        return Err(UnknownName { wanted, known }.into());
    };
    let mut container = inner.container.clone();
    code::replace_code(&mut container, stage, code)
        .map_err(|error| WithinError::new(inner.chain.clone(), error))?;
    replace_container(file, inner, &container)
}
