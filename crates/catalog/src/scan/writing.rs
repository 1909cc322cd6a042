//! The table while it is made: parts of it in a folder beside where it will be, each whole before it counts.

use super::{
    Error,
    seen::{self, Seen, Settings},
};
use crate::{
    row::Row,
    table::{self, Format},
};
use std::{
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

/// Rows after which a part is whole.
const ROWS: u64 = 250_000;
/// Time after which a part is whole: what a scan that is killed loses.
const TIME: Duration = Duration::from_secs(20);

/// The folder of the parts.
pub(super) fn parts_of(table: &Path) -> PathBuf {
    let mut name = table.as_os_str().to_owned();
    name.push(".parts");
    name.into()
}

/// The name of a part: by the run that wrote it, and its number.
fn part(folder: &Path, generation: u32, number: u32) -> PathBuf {
    folder.join(format!("{generation:06}-{number:06}"))
}

/// Generation and number of the part that a file is the list of.
pub(super) fn part_of(name: &str) -> Option<(u32, u32)> {
    let (generation, number) = name.strip_suffix(".seen")?.split_once('-')?;
    Some((generation.parse().ok()?, number.parse().ok()?))
}

/// A table in the making.
pub(super) struct Writing {
    out: PathBuf,
    folder: PathBuf,
    format: Format,
    settings: Settings,
    generation: u32,
    /// Parts that are whole.
    parts: u32,
    current: Option<Current>,
}

/// The part that is written at the moment.
struct Current {
    table: table::Writer,
    seen: Vec<Seen>,
    rows: u64,
    since: Instant,
}

impl Writing {
    pub(super) fn new(out: &Path, settings: Settings, generation: u32) -> Result<Self, Error> {
        let folder = parts_of(out);
        if let Some(parent) = out.parent().filter(|parent| !parent.as_os_str().is_empty() && !parent.is_dir())
        {
            let missing = io::Error::new(io::ErrorKind::NotFound, "there is no such folder");
            return Err(Error::io(parent)(missing));
        }
        fs::create_dir_all(&folder).map_err(Error::io(&folder))?;
        Ok(Self {
            out: out.to_owned(),
            folder,
            format: Format::of(out),
            settings,
            generation,
            parts: 0,
            current: None,
        })
    }

    fn current(&mut self) -> Result<&mut Current, Error> {
        if self.current.is_none() {
            let path = part(&self.folder, self.generation, self.parts);
            let file = File::create(&path).map_err(Error::io(&path))?;
            let table = table::Writer::new(file, self.format).map_err(Error::table(&path))?;
            self.current = Some(Current { table, seen: Vec::new(), rows: 0, since: Instant::now() });
        }
        match &mut self.current {
            Some(current) => Ok(current),
            None => Err(Error::io(&self.folder)(io::Error::other("no part"))),
        }
    }

    /// Adds a row.
    pub(super) fn row(&mut self, row: Row) -> Result<(), Error> {
        let path = self.out.clone();
        let current = self.current()?;
        current.rows += 1;
        current.table.row(row).map_err(Error::table(path))
    }

    /// All rows of a file were added.
    pub(super) fn seen(&mut self, seen: Seen) -> Result<(), Error> {
        let current = self.current()?;
        current.seen.push(seen);
        if current.rows >= ROWS || current.since.elapsed() >= TIME { self.pause() } else { Ok(()) }
    }

    /// Makes the current part a whole one.
    pub(super) fn pause(&mut self) -> Result<(), Error> {
        let Some(current) = self.current.take() else { return Ok(()) };
        let path = part(&self.folder, self.generation, self.parts);
        current.table.finish().map_err(Error::table(&path))?;
        // The list comes last: a part without one does not count.
        let list = path.with_extension("seen");
        let write = || {
            let temporary = path.with_extension("new");
            let mut writer = seen::Writer::new(File::create(&temporary)?, &self.settings)?;
            current.seen.iter().try_for_each(|seen| writer.add(seen))?;
            writer.finish()?;
            fs::rename(&temporary, &list)
        };
        write().map_err(Error::io(&list))?;
        self.parts += 1;
        Ok(())
    }

    /// Puts the parts together to the table.
    pub(super) fn finish(mut self) -> Result<(), Error> {
        // A table without rows is one as well.
        self.current()?;
        self.pause()?;
        let parts: Vec<PathBuf> =
            (0..self.parts).map(|number| part(&self.folder, self.generation, number)).collect();
        let list = seen::beside(&self.out);
        let new_list = self.folder.join("all.seen");
        let mut seen = File::create(&new_list)
            .and_then(|file| seen::Writer::new(file, &self.settings))
            .map_err(Error::io(&new_list))?;
        for part in &parts {
            let of_part = seen::read(&part.with_extension("seen"), &self.settings).unwrap_or_default();
            let mut of_part: Vec<Seen> = of_part.into_values().collect();
            of_part.sort_by(|one, other| one.path.cmp(&other.path));
            of_part.iter().try_for_each(|file| seen.add(file)).map_err(Error::io(&new_list))?;
        }
        seen.finish().map_err(Error::io(&new_list))?;
        let whole = match parts.as_slice() {
            [part] => part.clone(),
            parts => {
                let whole = self.folder.join("all");
                let file = File::create(&whole).map_err(Error::io(&whole))?;
                let mut table = table::Writer::new(file, self.format).map_err(Error::table(&whole))?;
                for part in parts {
                    for row in table::read(part).map_err(Error::table(part))? {
                        table.row(row.map_err(Error::table(part))?).map_err(Error::table(&whole))?;
                    }
                }
                table.finish().map_err(Error::table(&whole))?;
                whole
            }
        };
        // The old list says nothing of the new table, so it goes before that comes.
        remove(&list)?;
        fs::rename(&whole, &self.out).map_err(Error::io(&self.out))?;
        fs::rename(&new_list, &list).map_err(Error::io(&list))
    }
}

fn remove(path: &Path) -> Result<(), Error> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(Error::io(path)(error)),
        _ => Ok(()),
    }
}
