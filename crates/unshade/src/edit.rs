//! Changes to a container, wherever in a file it lies.

use crate::{Inner, OpenError, Rewritten, open::WithinError, open_at, replace_container};
use unshade_bytes::{Error, ErrorKind};
use unshade_containers::wrap::nest::{Chain, Source};

pub use unshade_containers::edit::{Change, Changed, Named, Renaming, Setting};

/// A file with other values in some fields.
#[derive(Debug, Clone)]
pub struct Edited {
    /// The file, with the wrappers around the container.
    pub rewritten: Rewritten,
    /// What changed, in the order in which it was asked for; places count from the start of the container, in the old
    /// file and in the new one.
    pub changed: Vec<Changed>,
}

/// Changes the container that `names` choose in a file: fields by the paths that its tree prints, values by name, names.
/// All changes are made or none.
///
/// # Errors
///
/// Where not exactly one container is meant, something cannot be changed so (see
/// [`Container::edit`](unshade_containers::Container::edit)), or a wrapper cannot hold the result.
pub fn edit<'f>(
    file: impl Into<Source<'f>>,
    names: &[String],
    changes: &[Change],
) -> Result<Edited, OpenError> {
    let source = file.into();
    let opened = open_at(source, names)?;
    let inner = single(&opened.containers)?;
    let failure = |error| WithinError::new(inner.chain.clone(), error);
    let (container, changed) = inner.container.edit(changes).map_err(failure)?;
    let rewritten = replace_container(source, inner, &container)?;
    Ok(Edited { rewritten, changed })
}

/// What the container that `names` choose in a file has names for, with the values that can be set by them.
///
/// # Errors
///
/// Where not exactly one container is meant.
pub fn names<'f>(file: impl Into<Source<'f>>, names: &[String]) -> Result<Vec<Named>, OpenError> {
    let opened = open_at(file.into(), names)?;
    Ok(single(&opened.containers)?.container.names())
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
    let (path, value) = split(text)?;
    Some(Setting { path: path.to_owned(), value: value.to_owned() })
}

/// Takes `NAME=NEW` apart, as [`setting`] does.
///
/// ```
/// let renaming = unshade::renaming("uniforms.tint=colour").unwrap();
/// assert_eq!((&*renaming.name, &*renaming.new), ("uniforms.tint", "colour"));
/// ```
pub fn renaming(text: &str) -> Option<Renaming> {
    let (name, new) = split(text)?;
    Some(Renaming { name: name.to_owned(), new: new.to_owned() })
}

fn split(text: &str) -> Option<(&str, &str)> {
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
    (!path.is_empty()).then_some((path, value.strip_prefix('=')?.trim()))
}
