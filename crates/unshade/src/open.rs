//! From the bytes of a file to the containers in it.

use std::fmt;
use unshade_bytes::Result;
use unshade_containers::{Container, detect, wrap::scan};
use unshade_stage::{Isa, Stage, StageId};

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
/// The reader's error where the file has a known magic number; [`unshade_bytes::ErrorKind::UnknownFormat`] where
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

    /// What stands behind `FILE` to name this container; `:0` where the file itself is the container.
    fn place(&self) -> String {
        format!(":{}", self.name.as_deref().unwrap_or("0"))
    }

    /// Writes the model and compares with the file it was read from: `None` if the bytes are the same, else
    /// a sentence that says what differs first.
    pub fn difference(&self, file: &[u8]) -> Option<String> {
        let start = usize::try_from(self.offset).unwrap_or(usize::MAX).min(file.len());
        let end = match (&self.name, self.container.write()) {
            (Some(_), Ok(written)) => start.saturating_add(written.len()).min(file.len()),
            _ => file.len(),
        };
        let original = file.get(start..end).unwrap_or_default();
        match self.container.difference(original) {
            Ok(None) => None,
            Ok(Some(difference)) => Some(difference.to_string()),
            Err(error) => Some(error.to_string()),
        }
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

    /// The programs that `item` names, all without a name.
    ///
    /// # Errors
    ///
    /// [`UnknownName`] where there is none of that name.
    pub fn require<'a>(
        &'a self,
        item: Option<&'a str>,
    ) -> std::result::Result<Vec<(&'a Inner, Stage<'a>)>, UnknownName> {
        let found: Vec<_> = self.stages(item).collect();
        match item {
            Some(item) if found.is_empty() => Err(UnknownName {
                wanted: format!("#{item}"),
                known: self.stages(None).map(|(inner, stage)| inner.item_name(&stage.id)).collect(),
            }),
            _ => Ok(found),
        }
    }

    /// Keeps what `:INNER` names: an index, or an offset in hexadecimal. No names: everything.
    ///
    /// # Errors
    ///
    /// [`UnknownName`] where no container has that name.
    pub fn select(mut self, names: &[String]) -> std::result::Result<Self, UnknownName> {
        let [name, rest @ ..] = names else { return Ok(self) };
        let by_name = self.containers.iter().position(|inner| inner.name.as_ref() == Some(name));
        let index = by_name.or_else(|| name.parse().ok()).filter(|&at| at < self.containers.len());
        let (Some(index), []) = (index, rest) else {
            return Err(UnknownName {
                wanted: names.iter().map(|name| format!(":{name}")).collect(),
                known: self.containers.iter().map(Inner::place).collect(),
            });
        };
        self.containers = vec![self.containers.swap_remove(index)];
        Ok(self)
    }
}

/// A name that nothing in the file has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownName {
    /// What was asked for: `:9`, `#main`.
    pub wanted: String,
    /// What there is.
    pub known: Vec<String>,
}

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.known.as_slice() {
            [] => write!(f, "there is no {} in it, and nothing else", self.wanted),
            known => write!(f, "there is no {} in it; there is {}", self.wanted, known.join(", ")),
        }
    }
}

impl std::error::Error for UnknownName {}

/// A program answers to its item name, to what its format calls it (`dvle:0`, `cver`, `cfra`), and to the name
/// of its entry point.
fn names(stage: &Stage<'_>, item: &str) -> bool {
    let chunk = match stage.isa {
        Isa::MaliGp => "cver",
        Isa::MaliPp => "cfra",
        _ => "",
    };
    stage.id.0 == item
        || item == chunk
        || item.strip_prefix("dvle:").is_some_and(|number| number == stage.id.0)
        || stage.code.labels.iter().any(|label| label.word == stage.code.entry && label.name == item)
}
