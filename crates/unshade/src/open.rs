//! From the bytes of a file to the containers in it.

use unshade_bytes::{Error, ErrorKind, Result};
use unshade_containers::{Container, detect, wrap::scan};
use unshade_stage::{Stage, StageId};

/// A container with its place in the file that was opened.
#[derive(Debug, Clone)]
pub struct Inner {
    /// Name behind `:` on the command line; `None` where the file itself is the container.
    pub name: Option<String>,
    /// Where it starts in the file, in bytes.
    pub offset: u64,
    /// The container.
    pub container: Container,
}

/// What was found in a file: one container, or several inside a blob.
#[derive(Debug, Clone)]
pub struct Opened {
    /// In file order.
    pub containers: Vec<Inner>,
}

/// Opens a file: as a container, or as a blob in which containers lie at aligned places.
///
/// # Errors
///
/// The reader's error where the file has a known magic number; [`ErrorKind::UnknownFormat`] where
/// nothing in it is known.
pub fn open(bytes: &[u8]) -> Result<Opened> {
    if detect(bytes).is_some() {
        let container = Container::read(bytes)?;
        return Ok(Opened { containers: vec![Inner { name: None, offset: 0, container }] });
    }
    let containers: Vec<_> = scan::scan(bytes)
        .map(|found| Inner {
            name: Some(format!("{:#x}", found.offset)),
            offset: found.offset,
            container: found.container,
        })
        .collect();
    if containers.is_empty() {
        // The reader says best what is wrong with a file that is no container and holds none.
        Container::read(bytes)?;
    }
    Ok(Opened { containers })
}

impl Inner {
    /// What stands behind `FILE` to name a program of this container: `#0`, `:0x80#1`.
    pub fn item_name(&self, stage: &StageId) -> String {
        match &self.name {
            Some(name) => format!(":{name}#{stage}"),
            None => format!("#{stage}"),
        }
    }

    /// Writes the model and compares with the file it was read from: `None` if the bytes are the same, else
    /// a sentence that says what differs first.
    pub fn difference(&self, file: &[u8]) -> Option<String> {
        let written = match self.container.write() {
            Ok(written) => written,
            Err(error) => return Some(error.to_string()),
        };
        let start = usize::try_from(self.offset).unwrap_or(usize::MAX).min(file.len());
        let end = match self.name {
            Some(_) => start.saturating_add(written.len()).min(file.len()),
            None => file.len(),
        };
        let original = file.get(start..end).unwrap_or_default();
        if written == original {
            return None;
        }
        let at = written.iter().zip(original).take_while(|(a, b)| a == b).count();
        let byte = |bytes: &[u8]| bytes.get(at).map_or("the end".to_owned(), |byte| format!("{byte:#04x}"));
        let owner = self.container.coverage().owner(at as u64).unwrap_or("outside every part").to_owned();
        Some(format!(
            "{owner}: expected {}, found {} at {:#x}",
            byte(original),
            byte(&written),
            self.offset.saturating_add(at as u64)
        ))
    }
}

impl Opened {
    /// All programs, or those that `item` names, with the container that each is in.
    pub fn stages<'a>(&'a self, item: Option<&'a str>) -> impl Iterator<Item = (&'a Inner, Stage<'a>)> {
        self.containers
            .iter()
            .flat_map(|inner| inner.container.stages().map(move |stage| (inner, stage)))
            .filter(move |(_, stage)| item.is_none_or(|item| names(stage, item)))
    }

    /// The programs that `item` names.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::OutOfBounds`] where there is none; the message lists what there is.
    pub fn require<'a>(&'a self, item: Option<&'a str>) -> Result<Vec<(&'a Inner, Stage<'a>)>> {
        let found: Vec<_> = self.stages(item).collect();
        match item {
            Some(item) if found.is_empty() => {
                let names: Vec<_> =
                    self.stages(None).map(|(inner, stage)| inner.item_name(&stage.id)).collect();
                let expected = match names.as_slice() {
                    [] => "a program, but the file holds none".to_owned(),
                    names => format!("one of {}", names.join(", ")),
                };
                Err(Error::new(ErrorKind::OutOfBounds, 0, "", expected, format!("`#{item}`")))
            }
            _ => Ok(found),
        }
    }

    /// Keeps what `:INNER` names: an index, or an offset in hexadecimal. No names: everything.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::OutOfBounds`] where no container has that name; the message lists what there is.
    pub fn select(mut self, names: &[String]) -> Result<Self> {
        let [name, rest @ ..] = names else { return Ok(self) };
        let by_name = self.containers.iter().position(|inner| inner.name.as_ref() == Some(name));
        let index = by_name.or_else(|| name.parse().ok()).filter(|&at| at < self.containers.len());
        let (Some(index), []) = (index, rest) else {
            let names: Vec<_> =
                self.containers.iter().map(|inner| inner.name.as_deref().unwrap_or("0")).collect();
            return Err(Error::new(
                ErrorKind::OutOfBounds,
                0,
                "",
                format!("one of the containers in this file ({})", names.join(", ")),
                format!("`:{}`", names_joined(name, rest)),
            ));
        };
        self.containers = vec![self.containers.swap_remove(index)];
        Ok(self)
    }
}

fn names_joined(first: &str, rest: &[String]) -> String {
    rest.iter().fold(first.to_owned(), |all, name| format!("{all}:{name}"))
}

/// A program answers to its item name, to `dvle:` and its item name, and to the name of its entry point.
fn names(stage: &Stage<'_>, item: &str) -> bool {
    stage.id.0 == item
        || item.strip_prefix("dvle:").is_some_and(|number| number == stage.id.0)
        || stage.code.labels.iter().any(|label| label.word == stage.code.entry && label.name == item)
}
