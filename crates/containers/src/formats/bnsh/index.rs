//! A BNSH opened without being read: only what is asked for is looked at.

use super::raw::{Container, Header, MAGIC, Program, STAGES, StageCode, VARIATION_LEN, Variation};
use crate::formats::switch::{Form, Loader, Pointer, header};
use unshade_bytes::{Error, ErrorKind, Result, Under};

/// The bytes of a BNSH with what its head says.
#[derive(Debug, Clone)]
pub struct Index<'a> {
    /// The file up to the end that its header says.
    pub file: &'a [u8],
    /// How it is stored.
    pub form: Form,
    /// The block `grsc`.
    pub container: Container,
}

impl<'a> Index<'a> {
    /// Reads the header and the block `grsc`, and nothing else.
    ///
    /// # Errors
    /// As [`super::read()`], as far as these say.
    pub fn open(bytes: &'a [u8]) -> Result<Self> {
        let (form, size) = header::form(bytes, &MAGIC)?;
        let file = bytes.get(..usize::try_from(size).unwrap_or(0)).unwrap_or(bytes);
        let mut head = Header::default();
        head.visit(&mut Loader::new(form, file, 0)).under(|| "header")?;
        let mut container = Container::default();
        container.visit(&mut Loader::new(form, file, head.file.first_block.into())).under(|| "container")?;
        if container.block.signature != Container::SIGNATURE {
            let found = format!("\"{}\"", container.block.signature.escape_ascii());
            let at = head.file.first_block.into();
            return Err(Error::new(ErrorKind::BadMagic, at, "container.signature", "\"grsc\"", found)
                .code("bnsh.container"));
        }
        Ok(Self { file, form, container })
    }

    /// How many variations the file says that it has; none where their place is missing.
    pub fn variation_count(&self) -> u32 {
        self.container.variations_held()
    }

    /// A variation.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfBounds`] where there is none.
    pub fn variation(&self, index: u32) -> Result<Variation> {
        let offset = u64::from(index).saturating_mul(VARIATION_LEN);
        let at = if index < self.variation_count() { self.container.variations.0 } else { u64::MAX };
        let mut variation = Variation::default();
        let mut loader = Loader::new(self.form, self.file, at.saturating_add(offset));
        variation.visit(&mut loader).under(|| format!("variations[{index}]"))?;
        Ok(variation)
    }

    /// A program.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfBounds`] where there is none.
    pub fn program(&self, at: Pointer) -> Result<Program> {
        let mut program = Program::default();
        program.visit(&mut Loader::new(self.form, self.file, place(at))).under(|| "program")?;
        Ok(program)
    }

    /// A stage in machine code with its control and its code section.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfBounds`] where there is none, or the sections lead out of the file.
    pub fn stage(&self, at: Pointer) -> Result<(StageCode, &'a [u8], &'a [u8])> {
        let mut stage = StageCode::default();
        stage.visit(&mut Loader::new(self.form, self.file, place(at))).under(|| "stage")?;
        let section = |at: Pointer, size: u32| match at.get() {
            None => Ok(Default::default()),
            Some(at) => Loader::new(self.form, self.file, at).take("section", size.into()),
        };
        let control = section(stage.control, stage.control_size)?;
        let code = section(stage.code, stage.code_size)?;
        Ok((stage, control, code))
    }

    /// Names of the stages that a program has.
    pub fn stage_names(program: &Program) -> impl Iterator<Item = &'static str> {
        STAGES.iter().zip(program.stages).filter(|(_, at)| !at.is_null()).map(|(name, _)| *name)
    }
}

/// A place to read from; nothing is read at a null pointer.
fn place(at: Pointer) -> u64 {
    at.get().unwrap_or(u64::MAX)
}
