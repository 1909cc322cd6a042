//! Listings: a whole file as text, and the same file from the text again.
//!
//! The code's part is the instruction set's (`unshade_isa::pica200::listing`); here the container's tables
//! are written around it. `docs/listing.md` describes the language.

mod archive;
mod code_text;
mod fields;
pub(crate) mod files;
mod gfd_read;
mod gfd_write;
mod kind;
mod mbs_read;
mod mbs_write;
mod shbin_read;
mod shbin_write;
mod statements;
mod symbols;
mod words;

pub use archive::assemble_into;
pub use kind::{ListingKind, is_archive_listing, is_container_listing};

use crate::Opened;
use serde::Serialize;
use std::ops::Range;
use unshade_bytes::{Diagnostic, Location, Severity};
use unshade_containers::Container;
use unshade_isa::assembly::lexer::{Lines, Statement};
use unshade_isa::machine::ListingStyle;
use unshade_isa::pica200::listing::{CodeText, Remarks, write_picasso};
use unshade_isa::text::{Listing, PlainText, Sink};
use unshade_isa::{Machine, with_machine};
use unshade_stage::{Code, Interface, Isa, Stage, StageId, StageKind};

/// Room for the text of a program, in bytes: a little more than what most need.
pub(crate) fn room(stage: &Stage<'_>) -> usize {
    stage.code.words.len() * with_machine!(stage.isa, M => M::TEXT_PER_WORD, _ => 40)
}

/// What a listing shows besides what the assembler needs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ListingOptions {
    /// Behind each instruction the offset of its word in the file.
    pub offsets: bool,
    /// Behind each instruction its word.
    pub words: bool,
    /// Without what the control words of Maxwell say; the assembler makes safe ones.
    pub no_control: bool,
}

impl ListingOptions {
    fn remarks(self, file_offset: u64) -> Remarks {
        Remarks { offsets: self.offsets.then_some(file_offset), words: self.words }
    }

    fn style(self, file_offset: u64) -> ListingStyle {
        ListingStyle { remarks: self.remarks(file_offset), hide_control: self.no_control }
    }
}

/// A whole file as a listing, which [`assemble_listing`] turns into the same file. Of an archive only the programs,
/// which [`assemble_into`] puts into it again.
pub fn disassemble_container(container: &Container, options: &ListingOptions) -> Listing {
    let mut listing = Listing::default();
    write_container(&mut listing, container, options);
    listing
}

/// A whole file as plain text: as [`disassemble_container`] without the kinds of its parts, and faster.
pub fn disassemble_container_to_text(container: &Container, options: &ListingOptions) -> String {
    let mut text = PlainText::default();
    write_container(&mut text, container, options);
    text.into_text()
}

/// All containers of a file: as [`disassemble_container`] where there is one; else the listings of all, each behind the
/// name that its container has in the file, which [`change::replace_by_listing`](crate::change::replace_by_listing) puts
/// into it again.
pub fn disassemble_opened(opened: &Opened, options: &ListingOptions) -> Listing {
    let mut listing = Listing::default();
    files::write(&mut listing, &opened.containers, options);
    listing
}

/// As [`disassemble_opened`], as plain text and faster.
pub fn disassemble_opened_to_text(opened: &Opened, options: &ListingOptions) -> String {
    let mut text = PlainText::default();
    files::write(&mut text, &opened.containers, options);
    text.into_text()
}

fn write_container(sink: &mut impl Sink, container: &Container, options: &ListingOptions) {
    match container {
        Container::Shbin(file) => {
            let offset = file.stages().next().map_or(0, |stage| stage.code.file_offset);
            shbin_write::write(sink, file, options.remarks(offset));
        }
        Container::Mbs(file) => mbs_write::write(sink, file, options),
        Container::Gfd(file) => gfd_write::write(sink, file, options),
        other => archive::write(sink, other.format().name(), other.stages(), options),
    }
}

/// Code that belongs to no stage, as one without names.
fn raw_code(isa: Isa, words: &[u32]) -> Stage<'_> {
    Stage {
        id: StageId(String::new()),
        kind: StageKind::Vertex,
        isa,
        code: Code { words: words.into(), ..Code::default() },
        interface: Interface::default(),
    }
}

/// The code of one program, with its names and without the tables of its container. Assembles as code.
pub fn disassemble_stage(stage: &Stage<'_>, options: &ListingOptions) -> Listing {
    let mut listing = Listing::default();
    write_stage(&mut listing, stage, options);
    listing
}

/// As [`disassemble_stage`], as plain text and faster.
pub fn disassemble_stage_to_text(stage: &Stage<'_>, options: &ListingOptions) -> String {
    let mut text = PlainText::with_capacity(room(stage));
    write_stage(&mut text, stage, options);
    text.into_text()
}

/// As [`disassemble_stage`], into a sink of the caller's.
pub fn write_stage(sink: &mut impl Sink, stage: &Stage<'_>, options: &ListingOptions) {
    let style = options.style(stage.code.file_offset);
    with_machine!(stage.isa, M => M::list(sink, stage, style), _ => words::write(sink, stage));
}

/// What the instruction set needs to list a program: its code with the names of its interface.
pub fn stage_text<'a>(stage: &'a Stage<'_>) -> CodeText<'a> {
    CodeText::of_stage(stage)
}

/// A program as picasso source, without anything that only our listings know, and what could not be said
/// so. See [`unshade_isa::pica200::listing::write_picasso`].
pub fn picasso_source(stage: &Stage<'_>) -> (Listing, Vec<Diagnostic>) {
    let mut listing = Listing::default();
    let notes = write_picasso(&mut listing, stage);
    (listing, notes)
}

/// A listing of a whole file back to the file.
///
/// # Errors
/// Everything that is wrong in the text, with its place in it.
pub fn assemble_listing(text: &str) -> Result<Container, Vec<Diagnostic>> {
    for line in Lines::new(text) {
        match line.statement() {
            Statement::None | Statement::Marker(_) => {}
            Statement::Directive { name, arguments, .. } if name.is("container") => {
                let format = arguments.rest.trim();
                if format.is("shbin") || format.is("dvoj") {
                    return shbin_read::read(text).map(Container::Shbin);
                }
                if format.text.split_whitespace().next() == Some("mbs") {
                    return mbs_read::read(text).map(Container::Mbs);
                }
                if format.text.split_whitespace().next() == Some("gfd") {
                    return gfd_read::read(text).map(Container::Gfd);
                }
                let location = Location::Text { source: 0, span: format.span() };
                let message = format!("expected `shbin`, `dvoj`, `mbs` or `gfd`, found `{}`", format.text);
                return Err(vec![Diagnostic::new(
                    Severity::Error,
                    "listing.container",
                    location,
                    "",
                    message,
                )]);
            }
            _ => break,
        }
    }
    let message = "a listing of a file starts with `.container`";
    Err(vec![Diagnostic::new(Severity::Error, "listing.container", Location::Whole, "", message)])
}

/// A program as data: what `disasm --json` prints for each item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ItemListing {
    /// Name of the program in its file.
    pub item: String,
    /// Name of the instruction set.
    pub isa: String,
    /// The instructions in the order of the code.
    pub instructions: Vec<InstructionText>,
}

/// One instruction as data.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct InstructionText {
    /// Offset in the file, in bytes.
    pub offset: u64,
    /// Its code words.
    pub words: Vec<u32>,
    /// Its text, without labels, blocks and remarks; as another tool has it where that is asked for.
    pub text: String,
}

/// A program as data, in our own text.
pub fn item_listing(stage: &Stage<'_>) -> ItemListing {
    item_listing_of(stage, &disassemble_stage(stage, &ListingOptions::default()))
}

/// A program as data, in the text of `listing`, which was made of it.
pub fn item_listing_of(stage: &Stage<'_>, listing: &Listing) -> ItemListing {
    let instructions = texts(listing)
        .into_iter()
        .filter_map(|(words, text)| {
            let code = stage.code.words.get(words.start as usize..words.end as usize)?;
            Some(InstructionText {
                offset: stage.code.file_offset.saturating_add(4 * u64::from(words.start)),
                words: code.to_vec(),
                text,
            })
        })
        .collect();
    ItemListing { item: stage.id.0.clone(), isa: stage.isa.name().to_owned(), instructions }
}

/// The instructions of a program, each with its code words and as one line of text.
pub(crate) fn instruction_texts(stage: &Stage<'_>) -> Vec<(Range<u32>, String)> {
    texts(&disassemble_stage(stage, &ListingOptions::default()))
}

fn texts(listing: &Listing) -> Vec<(Range<u32>, String)> {
    let mut texts: Vec<(Range<u32>, String)> = Vec::new();
    for line in listing.lines() {
        let Some(words) = line.words.clone() else { continue };
        match texts.last_mut() {
            // An instruction of several units stands on several lines.
            Some((last, text)) if *last == words => {
                text.push(' ');
                text.push_str(&single_spaced(line.text));
            }
            _ => texts.push((words, single_spaced(line.text))),
        }
    }
    texts
}

/// The line without the blanks that only make columns.
fn single_spaced(line: &str) -> String {
    line.split_ascii_whitespace().collect::<Vec<_>>().join(" ")
}
