//! A container changed by what its tree and its names say: all changes or none.
//!
//! A change is a field by the path that the tree prints, a thing by its name ([`Container::names`]), or another name for a
//! thing. What keeps its length is set in the bytes of the file, so that whatever was not asked for stays as it was,
//! byte for byte (`fields`). Text of another length, and values that come or go, move what lies behind them; the
//! format brings along what follows from it. Then the file is read again and has to be what was asked for: the same
//! structure, the same code, the same text everywhere else, and no error that it had not before (`verify`).

mod fields;
mod names;
mod resolve;
mod text;
mod verify;

pub use crate::shared::names::Named;
pub(crate) use verify::{no_new_errors, reread};

use crate::face::Container;
use crate::shared::names::{Put, Thing};
use crate::shared::{FieldEncoding, Node};
use fields::Fields;
use resolve::{Asked, Find, Plan};
use std::ops::Range;
use unshade_bytes::{Error, Result};

/// A field or a thing that shall have a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setting {
    /// Path of the field, as the tree has it (`dvle[0].outputs[1].semantic`), or the name of a thing
    /// (`uniforms.tint`, `uniforms.lights[2]`).
    pub path: String,
    /// Its value, as the tree prints it or as a person would say it.
    pub value: String,
}

/// A thing that shall have another name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Renaming {
    /// What it is called now, as [`Container::names`] lists it: `uniforms.tint`.
    pub name: String,
    /// Its own name from now on: `colour`.
    pub new: String,
}

/// A change of a container.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// A value.
    Set(Setting),
    /// A name.
    Rename(Renaming),
}

/// A field or a value that is another one.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Changed {
    /// Path of the field, or name of the thing, as it was asked for; of one that stands in several places with the
    /// path of each.
    pub path: String,
    /// Its bytes in the file that was edited; none where it was not there.
    pub place: Range<u64>,
    /// Its bytes in the file as it is now; none where it is not there any more.
    pub now: Range<u64>,
    /// Its value before.
    pub old: String,
    /// Its value now.
    pub new: String,
}

impl Container {
    /// The container with other values in some fields, and which of them changed.
    ///
    /// # Errors
    /// As [`Container::edit`].
    pub fn set(&self, settings: &[Setting]) -> Result<(Self, Vec<Changed>)> {
        let changes: Vec<Change> = settings.iter().cloned().map(Change::Set).collect();
        self.edit(&changes)
    }

    /// The container with other names for some things, and which fields changed by it.
    ///
    /// A thing whose name stands in several places gets it in all of them: an option in its record and in the
    /// dictionary, a macro in both of its lists, a varying in both programs of an MBS, a symbol of a SHARCFB also in the
    /// structures of its binaries. Where several things have one string of the file, all of them get the name.
    ///
    /// # Errors
    /// As [`Container::edit`].
    pub fn rename(&self, renamings: &[Renaming]) -> Result<(Self, Vec<Changed>)> {
        let changes: Vec<Change> = renamings.iter().cloned().map(Change::Rename).collect();
        self.edit(&changes)
    }

    /// The container with all of these changes, and which fields and bytes changed by them.
    ///
    /// # Errors
    /// [`unshade_bytes::ErrorKind::BadValue`] with the path where there is no such field or thing, it cannot hold the
    /// value, its value follows from something else, another of its kind has the name, or the file would get another
    /// structure or a new error; [`unshade_bytes::ErrorKind::Unrepresentable`] where the file cannot hold it.
    pub fn edit(&self, changes: &[Change]) -> Result<(Self, Vec<Changed>)> {
        self.unlocked()?;
        self.edited(changes).map_err(shortened)
    }

    fn edited(&self, changes: &[Change]) -> Result<(Self, Vec<Changed>)> {
        let bytes = self.write()?;
        let tree = self.tree();
        let fields = Fields::of(&tree, bytes.len());
        let in_place = |change: &Change| match change {
            Change::Set(setting) => {
                fields.get(&setting.path).is_some_and(|field| field.node.coding != FieldEncoding::Text)
            }
            Change::Rename(_) => false,
        };
        let things = if changes.iter().all(in_place) { Vec::new() } else { self.things(&tree) };
        let plan = Plan::of(self, &bytes, &fields, &things, changes)?;
        let paths = || changes.iter().map(Change::path).collect::<Vec<_>>().join(", ");
        let mut edited = bytes.clone();
        for (place, new) in &plan.patches {
            if let Some(place) = edited.get_mut(place.clone()) {
                place.copy_from_slice(new);
            }
        }
        let mut container = reread(&edited, &paths())?;
        let mut after = container.tree();
        verify::same_structure(&tree, &after, &paths())?;
        if plan.moves() {
            let texts: Vec<(u64, Vec<u8>)> =
                plan.texts.iter().map(|(at, text)| (*at, text.clone())).collect();
            let puts: Vec<Put> = plan.puts.clone();
            let named = |error: Error| match error.path.is_empty() {
                true => error.at_path(paths()),
                false => error,
            };
            container.set_texts(&texts).map_err(named)?;
            container.set_things(&puts).map_err(named)?;
            edited = container.write().map_err(named)?;
            let moved = reread(&edited, &paths())?;
            let now = moved.tree();
            verify::same_text(&after, &now, &plan.texts, &paths())?;
            verify::same_code(self, &moved, &paths())?;
            (container, after) = (moved, now);
        }
        no_new_errors(self, &container, plan.moves())?;
        let now = if plan.names_things() { container.things(&after) } else { Vec::new() };
        let report = Report { bytes: &bytes, edited: &edited, fields: &fields, tree: &after, things: &now };
        let changed = plan.asked.iter().filter_map(|asked| report.changed(asked)).collect();
        Ok((container, changed))
    }
}

/// An error that has a code, and quotes no more of a long text than a person reads.
fn shortened(mut error: Error) -> Error {
    const LONGEST: usize = 512;
    let short = |text: String| match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}...", text.get(..end).unwrap_or_default()),
        None => text,
    };
    if error.code.is_empty() {
        error.code = "edit.unfit";
    }
    error.path = short(std::mem::take(&mut error.path));
    error.expected = short(std::mem::take(&mut error.expected).into_owned()).into();
    error.found = short(std::mem::take(&mut error.found).into_owned()).into();
    error
}

impl Change {
    /// What was asked for by which path or name.
    pub(crate) fn path(&self) -> &str {
        match self {
            Self::Set(setting) => &setting.path,
            Self::Rename(renaming) => &renaming.name,
        }
    }
}

/// What is needed to say what became of what was asked for.
struct Report<'r> {
    bytes: &'r [u8],
    edited: &'r [u8],
    fields: &'r Fields<'r>,
    tree: &'r Node,
    things: &'r [Thing],
}

impl Report<'_> {
    fn changed(&self, asked: &Asked) -> Option<Changed> {
        let (now, new) = match &asked.find {
            Find::Field(trail) => {
                let node = self.fields.follow(trail, self.tree)?;
                let new = asked.new.clone().or_else(|| node.value.clone());
                (node.offset..node.end(), new.unwrap_or_default())
            }
            Find::Value(thing, element) => {
                let value = self.things.get(*thing)?.value.as_ref()?;
                (resolve::extent(value, *element), resolve::shown(value, *element))
            }
        };
        let part = |bytes: &[u8], place: &Range<u64>| {
            let place = usize::try_from(place.start).ok()?..usize::try_from(place.end).ok()?;
            bytes.get(place).map(<[u8]>::to_vec)
        };
        let same = part(self.bytes, &asked.place) == part(self.edited, &now) && asked.old == new;
        (!same).then(|| Changed {
            path: asked.path.clone(),
            place: asked.place.clone(),
            now,
            old: asked.old.clone(),
            new,
        })
    }
}
