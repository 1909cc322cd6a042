//! A BFSHA opened without being read: only what is asked for is looked at. Opening an archive of thousands of
//! programs costs as much as opening one with a few.

use super::raw::{Archive, Header, MAGIC, Model, Program, Resource};
use super::wiiu::{WiiUHeader, WiiUModel, WiiUProgram};
use crate::formats::bnsh;
use crate::formats::switch::{Form, Loader, Pointer};
use unshade_bytes::{Error, ErrorKind, Result, Under};

/// The bytes of a BFSHA with what its head says.
#[derive(Debug, Clone)]
pub struct Index<'a> {
    /// The file up to the end that its header says.
    pub file: &'a [u8],
    /// How it is stored.
    pub form: Form,
    /// Name of the archive.
    pub name: &'a [u8],
    /// The shading models.
    pub models: Vec<IndexedModel<'a>>,
}

/// A shading model that was not read but for its record.
#[derive(Debug, Clone)]
pub struct IndexedModel<'a> {
    /// Its name.
    pub name: &'a [u8],
    /// How many programs it has.
    pub programs: usize,
    /// Words of a key.
    pub words: usize,
    /// Its record.
    pub record: ModelRecord,
}

/// The record of a shading model.
#[derive(Debug, Clone)]
pub enum ModelRecord {
    /// Of the Switch.
    Switch(Box<Model>),
    /// Of the Wii U.
    WiiU(Box<WiiUModel>),
}

impl<'a> Index<'a> {
    /// Reads the header, the archive and the records of the shading models, and nothing else.
    ///
    /// # Errors
    /// As [`super::read()`], as far as these say.
    pub fn open(bytes: &'a [u8]) -> Result<Self> {
        let (form, size) = super::read::form(bytes)?;
        let file = bytes.get(..usize::try_from(size).unwrap_or(0)).unwrap_or(bytes);
        if !bytes.starts_with(&MAGIC) {
            return Self::open_wiiu(file, form);
        }
        let mut header = Header::default();
        header.visit(&mut Loader::new(form, file, 0)).under(|| "header")?;
        let mut archive = Archive::default();
        let at = header.archive.get().unwrap_or(u64::MAX);
        archive.visit(&mut Loader::new(form, file, at)).under(|| "archive")?;
        let mut models = Vec::new();
        for index in 0..u64::from(archive.model_count) {
            let mut model = Model::default();
            let offset = index.saturating_mul(Model::len(form));
            let at = archive.models.get().unwrap_or(u64::MAX).saturating_add(offset);
            model.visit(&mut Loader::new(form, file, at)).under(|| format!("models[{index}]"))?;
            models.push(IndexedModel {
                name: text(form, file, model.name),
                programs: model.programs_held(),
                words: usize::try_from(model.words()).unwrap_or(0),
                record: ModelRecord::Switch(Box::new(model)),
            });
        }
        Ok(Self { file, form, name: text(form, file, archive.name), models })
    }

    fn open_wiiu(file: &'a [u8], form: Form) -> Result<Self> {
        let mut header = WiiUHeader::default();
        header.visit(&mut Loader::new(form, file, 0)).under(|| "header")?;
        let look = crate::formats::switch::image::FileLook::new(form, file);
        let mut models = Vec::new();
        for (index, at) in super::read::dictionary_values(header.models, &look).into_iter().enumerate() {
            let mut model = WiiUModel::default();
            let at = at.get().unwrap_or(u64::MAX);
            model.visit(&mut Loader::new(form, file, at)).under(|| format!("models[{index}]"))?;
            let [fixed, moving] = model.words;
            models.push(IndexedModel {
                name: text(form, file, model.name),
                programs: model.programs_held(),
                words: usize::from(fixed).saturating_add(moving.into()),
                record: ModelRecord::WiiU(Box::new(model)),
            });
        }
        Ok(Self { file, form, name: text(form, file, header.name), models })
    }

    /// How many programs all shading models have.
    pub fn program_count(&self) -> usize {
        self.models.iter().fold(0, |sum, model| sum.saturating_add(model.programs))
    }

    /// A program of the Switch.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfBounds`] where there is none.
    pub fn program(&self, model: &Model, index: usize) -> Result<Program> {
        let offset = (index as u64).saturating_mul(Program::len(self.form));
        let at = model.programs.get().filter(|_| index < model.programs_held());
        let at = at.unwrap_or(u64::MAX).saturating_add(offset);
        let counts = [Resource::Samplers, Resource::Images, Resource::UniformBlocks, Resource::StorageBlocks];
        let rows = counts.map(|resource| model.resource_count(resource));
        let mut program = Program { columns: model.columns(self.form), rows, ..Program::default() };
        program.visit(&mut Loader::new(self.form, self.file, at)).under(|| format!("programs[{index}]"))?;
        Ok(program)
    }

    /// A program of the Wii U.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfBounds`] where there is none.
    pub fn wiiu_program(&self, model: &WiiUModel, index: usize) -> Result<WiiUProgram> {
        let offset = (index as u64).saturating_mul(super::wiiu::PROGRAM_LEN);
        let at = model.programs.get().filter(|_| index < model.programs_held());
        let at = at.unwrap_or(u64::MAX).saturating_add(offset);
        let mut program = WiiUProgram::default();
        program.visit(&mut Loader::new(self.form, self.file, at)).under(|| format!("programs[{index}]"))?;
        Ok(program)
    }

    /// The shaders of a shading model of the Switch, opened.
    ///
    /// # Errors
    /// As [`bnsh::index::Index::open`].
    pub fn bnsh(&self, model: &Model) -> Result<bnsh::index::Index<'a>> {
        let at = model.bnsh.get().and_then(|at| usize::try_from(at).ok()).unwrap_or(usize::MAX);
        let bytes = self.file.get(at..).unwrap_or_default();
        let moved = |error: Error| error.moved(at as u64);
        bnsh::index::Index::open(bytes).map_err(moved).under(|| "bnsh")
    }

    /// Index of the variation that a program of the Switch points at.
    ///
    /// # Errors
    /// [`ErrorKind::BadValue`] where it points at none.
    pub fn variation(&self, model: &Model, bnsh: &bnsh::index::Index<'_>, program: &Program) -> Result<u32> {
        let len = bnsh::raw::VARIATION_LEN;
        let start = model.bnsh.0.saturating_add(bnsh.container.variations.0);
        let offset = program.variation.0.checked_sub(start);
        let index = offset.filter(|offset| offset.checked_rem(len) == Some(0)).map(|offset| offset / len);
        let index = index.and_then(|index| u32::try_from(index).ok());
        index.filter(|index| *index < bnsh.variation_count()).ok_or_else(|| {
            let found = format!("{:#x}", program.variation.0);
            Error::new(ErrorKind::BadValue, start, "variation", "the start of a variation", found)
                .code("bfsha.variation")
        })
    }
}

/// A string by its pointer; empty where there is none.
pub(super) fn text(form: Form, file: &[u8], at: Pointer) -> &[u8] {
    let Some(at) = at.get() else { return &[] };
    if form.relative {
        let rest = Loader::new(form, file, at).peek(unshade_bytes::Limits::DEFAULT.name as u64);
        let end = rest.iter().position(|&byte| byte == 0).unwrap_or(rest.len());
        return rest.get(..end).unwrap_or_default();
    }
    let mut loader = Loader::new(form, file, at);
    let mut len = 0;
    if crate::formats::switch::Fields::u16(&mut loader, "length", &mut len).is_err() {
        return &[];
    }
    loader.take("text", len.into()).unwrap_or_default()
}
