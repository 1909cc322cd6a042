//! Listing text to GFD.

use super::{
    code_text,
    fields::{Fields, hex, name_bytes},
    gfd_write::{entry_directive, fill},
    statements::{self, finding, moved},
};
use unshade_bytes::{Diagnostic, Limits};
use unshade_containers::{
    Opaque,
    gfd::{Block, BlockKind, Gfd},
    gx2::{
        Member, TableKind, code_bytes,
        layout::{Contents, EntryContents, HeaderStyle},
    },
};
use unshade_isa::assembly::lexer::{Arguments, Piece};
use unshade_isa::assembly::number::unsigned;
use unshade_isa::assembly::{Problem, Result};
use unshade_stage::{Isa, latte::VarType};

/// Reads the listing of a file.
pub(super) fn read(source: &str) -> std::result::Result<Gfd, Vec<Diagnostic>> {
    let mut reader = Reader { file: Gfd::default(), headers: Vec::new(), findings: Vec::new() };
    statements::read(source, &mut reader);
    reader.finish()
}

/// What is wrong where the form of a statement is.
const CODE: &str = "gfd.listing.syntax";

fn wrong(piece: Piece<'_>, message: impl Into<std::borrow::Cow<'static, str>>) -> Box<Problem> {
    Problem::new(CODE, piece.span(), message)
}

struct Reader<'a> {
    file: Gfd,
    headers: Vec<Header<'a>>,
    findings: Vec<Diagnostic>,
}

/// A shader header that waits for the sizes of its code.
struct Header<'a> {
    /// Its place among the blocks.
    index: usize,
    head: Piece<'a>,
    contents: Contents,
    style: HeaderStyle,
    sizes: [Option<u32>; 2],
    /// It is given as bytes.
    given: bool,
}

impl<'a> statements::Reader<'a> for Reader<'a> {
    const CODE: &'static str = CODE;

    fn findings(&mut self) -> &mut Vec<Diagnostic> {
        &mut self.findings
    }

    fn directive(&mut self, head: Piece<'a>, name: Piece<'a>, arguments: Arguments<'a>) -> Result<()> {
        let mut fields = Fields::new(head, arguments)?;
        match &*name.text.to_ascii_lowercase() {
            "container" => {
                fields.word("the format")?;
                self.file.major = fields.value("major")?.unwrap_or(7);
                self.file.minor = fields.value("minor")?.unwrap_or(1);
                self.file.gpu = fields.value("gpu")?.unwrap_or(2);
                self.file.align = fields.value_or_zero("align")?;
                self.file.unknown =
                    [fields.value_or_zero("unknown_18")?, fields.value_or_zero("unknown_1c")?];
                self.file.header_size = fields.value("header_size")?;
                self.file.header_rest = rest(&mut fields)?;
            }
            "block" => self.block(head, &mut fields)?,
            "trailing" => self.file.trailing = Opaque(hex(fields.word("the bytes")?)?),
            "zeros" => {
                let piece = fields.word("how many")?;
                let count = unsigned(piece)?;
                if u64::from(count) > Limits::DEFAULT.bytes {
                    return Err(wrong(piece, format!("{count} zeros are more than a file may have")));
                }
                self.data(head, vec![0; count as usize])?;
            }
            "data" => {
                let bytes = fields.plain.blank().map(hex).transpose()?.unwrap_or_default();
                self.data(head, bytes)?;
            }
            _ => self.header(head)?.directive(name, &mut fields)?,
        }
        fields.end()
    }

    fn code(&mut self, head: Piece<'a>, arguments: Arguments<'a>, text: Piece<'a>) -> Result<()> {
        let mut fields = Fields::new(head, arguments)?;
        let stray = fields.suffix("stray").map(hex).transpose()?.unwrap_or_default();
        fields.end()?;
        match code_text::read(Isa::Latte, text.text, &[]) {
            Ok(words) => {
                let block = self.last(head)?;
                if !block.kind.is_code() {
                    return Err(wrong(head, "`.code` belongs to a block of code"));
                }
                block.data.0 = code_bytes(&words);
                block.data.0.extend(stray);
            }
            Err(findings) => self.findings.extend(moved(findings, text.at)),
        }
        Ok(())
    }
}

impl<'a> Reader<'a> {
    fn block(&mut self, head: Piece<'a>, fields: &mut Fields<'a>) -> Result<()> {
        let piece = fields.word("the type")?;
        let kind = match BlockKind::named(piece.text) {
            Some(kind) => kind,
            None => BlockKind(unsigned(piece)?),
        };
        let block = Block {
            kind,
            id: fields.value_or_zero("id")?,
            index: fields.value_or_zero("index")?,
            major: fields.value("major")?.unwrap_or(1),
            minor: fields.value_or_zero("minor")?,
            header_size: fields.value("header_size")?,
            header_rest: rest(fields)?,
            size: fields.value("size")?,
            aligned: fields.value_or_zero::<u8>("aligned")? != 0,
            data: Opaque::default(),
        };
        if let Some(shader) = kind.header_of() {
            let mut contents = Contents::new(shader);
            for row in shader.rows() {
                let start = usize::from(row.word);
                if let Some(words) = contents.words.get_mut(start..start + usize::from(row.count)) {
                    words.fill(fill(row));
                }
            }
            self.headers.push(Header {
                index: self.file.blocks.len(),
                head,
                contents,
                style: HeaderStyle {
                    names: fields
                        .value::<u8>("names")?
                        .map_or(HeaderStyle::default().names, usize::from)
                        .max(1),
                    slots: fields.value_or_zero::<u8>("slots")? != 0,
                },
                sizes: [fields.value("code_size")?, fields.value("copy_size")?],
                given: false,
            });
        }
        self.file.blocks.push(block);
        Ok(())
    }

    fn last(&mut self, head: Piece<'a>) -> Result<&mut Block> {
        let missing = || wrong(head, format!("`{}` belongs to a block", head.text));
        self.file.blocks.last_mut().ok_or_else(|| missing().note("`.block vertex_code` starts one"))
    }

    /// The shader header that is being read.
    fn header(&mut self, head: Piece<'a>) -> Result<&mut Header<'a>> {
        let last = self.file.blocks.len().checked_sub(1);
        let header = self.headers.last_mut().filter(|header| Some(header.index) == last);
        header.ok_or_else(|| {
            wrong(head, format!("`{}` is no directive of this place", head.text))
                .note("registers and tables belong to a shader header, as `.block vertex_header` starts one")
        })
    }

    fn data(&mut self, head: Piece<'a>, bytes: Vec<u8>) -> Result<()> {
        self.last(head)?.data.0.extend(bytes);
        if let Ok(header) = self.header(head) {
            header.given = true;
        }
        Ok(())
    }

    fn finish(mut self) -> std::result::Result<Gfd, Vec<Diagnostic>> {
        for header in std::mem::take(&mut self.headers) {
            let Header { index, head, mut contents, style, sizes, given } = header;
            if given {
                continue;
            }
            for (member, stated) in [Member::CodeSize, Member::CopySize].into_iter().zip(sizes) {
                contents.set_member(member, stated.unwrap_or_else(|| self.file.code_size(index, member)));
            }
            match contents.to_header(style) {
                Ok(data) => {
                    if let Some(block) = self.file.blocks.get_mut(index) {
                        block.data = Opaque(data);
                    }
                }
                Err(error) => self.findings.push(finding(*wrong(head, error.to_string()))),
            }
        }
        if self.findings.is_empty() { Ok(self.file) } else { Err(self.findings) }
    }
}

fn rest(fields: &mut Fields<'_>) -> Result<Opaque> {
    Ok(Opaque(fields.suffix("header_rest").map(hex).transpose()?.unwrap_or_default()))
}

impl<'a> Header<'a> {
    fn directive(&mut self, name: Piece<'a>, fields: &mut Fields<'a>) -> Result<()> {
        if name.is("register") || name.is("word") {
            return self.row(fields);
        }
        let table = self.contents.kind.tables().find(|table| name.is(&entry_directive(*table)[1..]));
        let Some(table) = table else {
            return Err(wrong(name, format!("unknown directive `.{}`", name.text)));
        };
        let mut entry = EntryContents::default();
        for field in table.fields() {
            if *field == "name" {
                entry.name = Some(name_bytes(fields.word("the name")?)?);
                continue;
            }
            let head = fields.head;
            let piece = fields
                .suffix(field)
                .ok_or_else(|| wrong(head, format!("`@{field}=` is missing behind `{}`", head.text)))?;
            entry.words.push(match *field {
                "block" if piece.is("none") => u32::MAX,
                "type" if !matches!(table, TableKind::Samplers) => {
                    match (1..64).find(|&number| piece.is(&VarType(number).name())) {
                        Some(number) => number,
                        None => unsigned(piece)?,
                    }
                }
                _ => unsigned(piece)?,
            });
        }
        if let Some(entries) = self.contents.tables.get_mut(table as usize) {
            entries.push(entry);
        }
        Ok(())
    }

    /// A register or word: values in a row, or fields by name.
    fn row(&mut self, fields: &mut Fields<'a>) -> Result<()> {
        let piece = fields.word("the name")?;
        let row = self
            .contents
            .kind
            .row_named(piece.text)
            .filter(|row| matches!(row.member, Member::Register(_) | Member::Word));
        let kind = self.contents.kind.name();
        let row = row.ok_or_else(|| wrong(piece, format!("a {kind} shader has no `{}`", piece.text)))?;
        let mut words = Vec::new();
        while let Some(piece) = fields.plain.blank() {
            words.push((unsigned(piece)?, piece));
        }
        if words.is_empty() {
            let mut word = 0;
            if let Member::Register(register) = row.member {
                for field in register.fields {
                    let Some(piece) = fields.suffix(field.name) else { continue };
                    let value = unsigned(piece)?;
                    word = field.with(word, value);
                    if field.of(word) != value {
                        return Err(wrong(
                            piece,
                            format!("{value:#x} does not fit in its {} bits", field.width),
                        ));
                    }
                }
            }
            words.push((word, piece));
        }
        let start = usize::from(row.word);
        for (index, (word, piece)) in words.into_iter().enumerate() {
            if index >= usize::from(row.count) {
                return Err(wrong(piece, format!("`{}` has only {} words", row.name, row.count)));
            }
            if let Some(place) = self.contents.words.get_mut(start + index) {
                *place = word;
            }
        }
        Ok(())
    }
}
