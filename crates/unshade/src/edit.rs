//! Changes to fields of a container, wherever in a file it lies.

use crate::{Inner, OpenError, Rewritten, open::WithinError, open_at, replace_container};
use unshade_bytes::{Error, ErrorKind};
use unshade_containers::wrap::nest::{Chain, Source};

pub use unshade_containers::edit::{Changed, Setting};

/// A file with other values in some fields.
#[derive(Debug, Clone)]
pub struct Edited {
    /// The file, with the wrappers around the container.
    pub rewritten: Rewritten,
    /// What changed, in the order in which it was asked for; places count from the start of the container.
    pub changed: Vec<Changed>,
}

/// Sets fields of the container that `names` choose in a file, by the paths that its tree prints: all or none.
///
/// # Errors
///
/// Where not exactly one container is meant, a field cannot have its value (see
/// [`Container::set`](unshade_containers::Container::set)), or a wrapper cannot hold the result.
pub fn set_fields<'f>(
    file: impl Into<Source<'f>>,
    names: &[String],
    settings: &[Setting],
) -> Result<Edited, OpenError> {
    let source = file.into();
    let opened = open_at(source, names)?;
    let inner = single(&opened.containers)?;
    let failure = |error| WithinError::new(inner.chain.clone(), error);
    let (container, changed) = inner.container.set(settings).map_err(failure)?;
    let rewritten = replace_container(source, inner, &container)?;
    Ok(Edited { rewritten, changed })
}

fn single(containers: &[Inner]) -> Result<&Inner, OpenError> {
    match containers {
        [only] => Ok(only),
        several => {
            let known: Vec<_> = several.iter().filter_map(|inner| inner.name.clone()).take(4).collect();
            let found = match several.len() {
                0 => "none".to_owned(),
                count => format!("{count}; name one of them (:{}, ...)", known.join(", :")),
            };
            let error = Error::new(ErrorKind::BadValue, 0, "", "one container to edit", found);
            Err(WithinError::new(Chain::default(), error.code("edit.several")).into())
        }
    }
}

/// Takes `PATH=VALUE` apart. A sign of equality in the brackets of a path is part of it.
///
/// ```
/// let setting = unshade::setting("models[a=b].options[0].default=3=4").unwrap();
/// assert_eq!((&*setting.path, &*setting.value), ("models[a=b].options[0].default", "3=4"));
/// ```
pub fn setting(text: &str) -> Option<Setting> {
    let mut depth = 0_usize;
    let at = text.char_indices().find(|&(_, c)| {
        match c {
            '[' => depth = depth.saturating_add(1),
            ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == '=' && depth == 0
    });
    let (path, value) = text.split_at_checked(at?.0)?;
    let path = path.trim();
    let value = value.strip_prefix('=')?.trim().to_owned();
    (!path.is_empty()).then(|| Setting { path: path.to_owned(), value })
}
