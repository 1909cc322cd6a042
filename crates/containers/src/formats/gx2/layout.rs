//! What a structure holds, taken apart, and laid out again as the known writers do.
//!
//! Registers and numbers stay words; tables and names are lists. In a GFD file the tables follow on the structure in
//! its order, then names, the table of pointers and a trailer. In an archive the loops stand behind the names, for
//! they are not swapped with the tables, and code follows at its alignment.

use super::edit;
use super::relocation::{TRAILER, Trailer};
use super::shader::{Form, Shader};
use super::structure::{Member, ShaderKind, TableKind};
use unshade_bytes::{Error, ErrorKind, Result};

/// An entry of a table.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EntryContents {
    /// Its name without NUL, where entries of the table have names.
    pub name: Option<Vec<u8>>,
    /// Its words but for the pointer to the name.
    pub words: Vec<u32>,
}

/// A structure with its tables and names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contents {
    /// Which structure.
    pub kind: ShaderKind,
    /// Its words. Counts and pointers are not looked at, nor sizes of programs that are given.
    pub words: Vec<u32>,
    /// The tables in the order of [`TableKind::ALL`].
    pub tables: [Vec<EntryContents>; 6],
}

/// How a writer lays out a shader header of a GFD file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HeaderStyle {
    /// Each name takes a multiple of so many bytes.
    pub names: usize,
    /// The table of pointers has slots for null pointers too, zeros at its end, and one tag, and zeros stand behind it:
    /// what the console's compiler writes.
    pub slots: bool,
}

impl HeaderStyle {
    /// Of the console's compiler.
    pub const VENDOR: Self = Self { names: 4, slots: true };
    /// Those of known writers, the usual one first.
    pub const KNOWN: [Self; 3] =
        [Self { names: 4, slots: false }, Self::VENDOR, Self { names: 1, slots: false }];
}

impl Default for HeaderStyle {
    fn default() -> Self {
        Self { names: 4, slots: false }
    }
}

/// Zeros behind the last pointer of a table with slots, and bytes behind the table.
const LAST_SLOTS: [u32; 2] = [0; 2];
const BEHIND_SLOTS: [u8; 8] = [0; 8];

/// The order of the tables in an archive; loops come behind the names.
const ARCHIVE_ORDER: [TableKind; 5] = [
    TableKind::Blocks,
    TableKind::Uniforms,
    TableKind::InitialValues,
    TableKind::Samplers,
    TableKind::Attributes,
];

/// The programs of a structure in an archive, and what fills the bytes in front of them.
#[derive(Debug, Clone, Copy, Default)]
pub struct Programs<'a> {
    /// The program.
    pub code: &'a [u8],
    /// The copy program of a geometry shader.
    pub copy: &'a [u8],
    /// Value of the bytes in front of a program.
    pub fill: u8,
}

impl Contents {
    /// Nothing but zeros of a structure.
    pub fn new(kind: ShaderKind) -> Self {
        Self { kind, words: vec![0; kind.size() / 4], tables: Default::default() }
    }

    /// What a structure holds; `None` where a table or a name does not lie in its data.
    pub fn of(shader: &Shader<'_>) -> Option<Self> {
        let mut contents = Self::new(shader.kind);
        for (number, word) in contents.words.iter_mut().enumerate() {
            *word = shader.word(u16::try_from(number).ok()?);
        }
        // Many entries may have one long name: that is looked at as often as the data is long.
        let mut budget = shader.data.len();
        for table in shader.kind.tables() {
            if shader.stated(table).count > 0 && shader.table(table).is_none() {
                return None;
            }
            let place = contents.tables.get_mut(table as usize)?;
            for entry in shader.entries(table) {
                let mut words: Vec<u32> = entry.words().collect();
                let mut name = None;
                if table.is_named() {
                    let text = shader.text(words.remove(0))?;
                    budget = budget.checked_sub(text.len())?;
                    name = Some(text.to_vec());
                }
                place.push(EntryContents { name, words });
            }
        }
        Some(contents)
    }

    /// What a shader header holds, and how it is laid out, if these give its data back: if a known writer does so.
    pub fn with_style(shader: &Shader<'_>) -> Option<(Self, HeaderStyle)> {
        let contents = Self::of(shader)?;
        let fits = |&style: &HeaderStyle| contents.to_header(style).is_ok_and(|data| data == shader.data);
        let style = HeaderStyle::KNOWN.into_iter().find(fits)?;
        Some((contents, style))
    }

    /// The entries of a table.
    pub fn table(&self, table: TableKind) -> &[EntryContents] {
        self.tables.get(table as usize).map_or(&[], Vec::as_slice)
    }

    /// The word that is `member`; 0 where the structure has none.
    pub fn member(&self, member: Member) -> u32 {
        let row = self.kind.row(member);
        row.and_then(|row| self.words.get(usize::from(row.word)).copied()).unwrap_or(0)
    }

    /// Sets the word that is `member`; nothing where the structure has none.
    pub fn set_member(&mut self, member: Member, value: u32) {
        if let Some(place) = self.kind.row(member).and_then(|row| self.words.get_mut(usize::from(row.word))) {
            *place = value;
        }
    }

    /// The data of a shader header in a GFD file: structure, tables, names, pointers, trailer.
    ///
    /// # Errors
    /// [`ErrorKind::Unrepresentable`] for more than the 1 MiB that tagged pointers reach, and for a name with a
    /// NUL in it.
    pub fn to_header(&self, style: HeaderStyle) -> Result<Vec<u8>> {
        let form = Form::GFD;
        let mut out = Out::new(self, form);
        for member in [Member::CodePointer, Member::CopyPointer] {
            edit::set_member(self.kind, form, &mut out.data, member, 0);
        }
        for table in self.kind.tables() {
            out.table(table, self.table(table))?;
        }
        let text = out.data.len();
        out.names(style.names)?;
        let patches = out.data.len();
        let pointers = if style.slots { out.slots() } else { out.places() };
        out.data.extend(pointers.iter().flat_map(|pointer| pointer.to_be_bytes()));
        if style.slots {
            out.data.extend_from_slice(&BEHIND_SLOTS);
        }
        let offset = |at: usize| out.offset(at);
        let trailer = Trailer {
            size: TRAILER as u32,
            unknown: 0,
            data_size: offset(patches)?,
            data: Form::DATA,
            text_size: offset(patches.saturating_sub(text))?,
            text: form.data_pointer(offset(text)?),
            patch_base: 0,
            patch_count: offset(pointers.len())?,
            patches: form.data_pointer(offset(patches)?),
        };
        out.data.extend_from_slice(&trailer.to_bytes());
        Ok(out.data)
    }

    /// The data of a binary in an archive: structure, tables, names, loops, padding, programs. It starts at
    /// `start` of the file, where programs lie at multiples of `alignment`.
    ///
    /// # Errors
    /// [`ErrorKind::Unrepresentable`] for offsets that do not fit their fields, and for a name with a NUL in it.
    pub fn to_binary(
        &self,
        form: Form,
        programs: Programs<'_>,
        start: u64,
        alignment: u64,
    ) -> Result<Vec<u8>> {
        let mut out = Out::new(self, form);
        for table in ARCHIVE_ORDER.into_iter().filter(|table| self.kind.tables().any(|own| own == *table)) {
            out.table(table, self.table(table))?;
        }
        out.names(1)?;
        out.table(TableKind::Loops, self.table(TableKind::Loops))?;
        out.program(edit::Program::Main, programs.code, programs.fill, start, alignment)?;
        if self.kind == ShaderKind::Geometry {
            out.program(edit::Program::Copy, programs.copy, programs.fill, start, alignment)?;
        }
        Ok(out.data)
    }
}

/// Data that grows.
struct Out<'c> {
    kind: ShaderKind,
    form: Form,
    data: Vec<u8>,
    /// Places of pointers to names, with the names.
    waiting: Vec<(usize, &'c [u8])>,
    /// Places of pointers to tables, and of pointers to names.
    pointers: Vec<u32>,
    text_pointers: Vec<u32>,
}

impl<'c> Out<'c> {
    fn new(contents: &Contents, form: Form) -> Self {
        let mut data: Vec<u8> = contents.words.iter().flat_map(|word| form.bytes(*word)).collect();
        data.resize(contents.kind.size(), 0);
        let (waiting, pointers, text_pointers) = (Vec::new(), Vec::new(), Vec::new());
        Self { kind: contents.kind, form, data, waiting, pointers, text_pointers }
    }

    fn offset(&self, at: usize) -> Result<u32> {
        let offset = u32::try_from(at).ok();
        offset.filter(|offset| !self.form.tagged || offset & Form::TAG == 0).ok_or_else(|| {
            let limit = if self.form.tagged { "an offset below 0x100000" } else { "an offset of 32 bits" };
            Error::new(ErrorKind::Unrepresentable, 0, "data", limit, format!("{at:#x}"))
        })
    }

    fn table(&mut self, table: TableKind, entries: &'c [EntryContents]) -> Result<()> {
        let at = self.data.len();
        let count = self.offset(entries.len())?;
        let pointer = if entries.is_empty() { 0 } else { self.form.data_pointer(self.offset(at)?) };
        edit::set_member(self.kind, self.form, &mut self.data, Member::Count(table), count);
        edit::set_member(self.kind, self.form, &mut self.data, Member::Pointer(table), pointer);
        if let Some(row) = self.kind.row(Member::Pointer(table)).filter(|_| count > 0) {
            self.pointers.push(u32::from(row.word).saturating_mul(4));
        }
        for entry in entries {
            if table.is_named() {
                let name = entry.name.as_deref().unwrap_or_default();
                if name.contains(&0) {
                    let found = "one inside it";
                    return Err(Error::new(
                        ErrorKind::Unrepresentable,
                        0,
                        "name",
                        "a name without NUL",
                        found,
                    ));
                }
                self.text_pointers.push(self.offset(self.data.len())?);
                self.waiting.push((self.data.len(), name));
                self.data.extend_from_slice(&[0; 4]);
            }
            let words = table.fields().len().saturating_sub(usize::from(table.is_named()));
            for index in 0..words {
                let word = entry.words.get(index).copied().unwrap_or(0);
                let bytes =
                    if table == TableKind::Loops { word.to_be_bytes() } else { self.form.bytes(word) };
                self.data.extend_from_slice(&bytes);
            }
        }
        Ok(())
    }

    /// The table of pointers that homebrew writes.
    fn places(&self) -> Vec<u32> {
        let tables = self.pointers.iter().map(|at| Form::DATA | at);
        tables.chain(self.text_pointers.iter().map(|at| Form::TEXT | at)).collect()
    }

    /// The table of pointers that the console's compiler writes.
    fn slots(&self) -> Vec<u32> {
        let rows = self.kind.rows().iter().filter(|row| row.member.is_pointer());
        let slots = rows
            .map(|row| u32::from(row.word).saturating_mul(4))
            .map(|at| if self.pointers.contains(&at) { Form::DATA | at } else { 0 });
        let names = self.text_pointers.iter().map(|at| Form::DATA | at);
        slots.chain(names).chain(LAST_SLOTS).collect()
    }

    fn names(&mut self, alignment: usize) -> Result<()> {
        for (at, name) in std::mem::take(&mut self.waiting) {
            let pointer = self.form.text_pointer(self.offset(self.data.len())?);
            edit::set_word(self.form, &mut self.data, at, pointer);
            let len = name.len().saturating_add(1).checked_next_multiple_of(alignment).unwrap_or(name.len());
            let end = self.data.len().saturating_add(len);
            self.data.extend_from_slice(name);
            self.data.resize(end, 0);
        }
        Ok(())
    }

    fn program(
        &mut self,
        program: edit::Program,
        code: &[u8],
        fill: u8,
        start: u64,
        alignment: u64,
    ) -> Result<()> {
        let end = start.saturating_add(self.data.len() as u64);
        let padding = end.checked_next_multiple_of(alignment).map_or(0, |next| next.saturating_sub(end));
        let at = self.data.len().saturating_add(padding as usize);
        self.data.resize(at, fill);
        let (size, pointer) = program.members();
        let (at, len) = (self.offset(at)?, self.offset(code.len())?);
        edit::set_member(self.kind, self.form, &mut self.data, size, len);
        edit::set_member(self.kind, self.form, &mut self.data, pointer, at);
        self.data.extend_from_slice(code);
        Ok(())
    }
}
