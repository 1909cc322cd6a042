//! Code without a container: bare words, pasted dumps, and listings of them.

use unshade_bytes::{Diagnostic, Error, ErrorKind, Result};
pub use unshade_isa::ISAS;
use unshade_isa::{Machine, machine, maxwell, with_machine};
use unshade_stage::latte::Profile;
use unshade_stage::{Code, Interface, Isa, Maxwell, Stage, StageId, StageKind};

/// The instruction set of that name, if it is known.
pub fn isa_named(name: &str) -> Option<Isa> {
    ISAS.iter().copied().find(|isa| isa.name() == name)
}

/// A program of these words and operand descriptors, without names, starting at its first word: a fragment
/// program where the machine runs no others, or where the code works on pixels; else, as far as the code shows it, one
/// for vertices, primitives, patches, or none of these; a vertex program where it does not.
pub fn raw_stage(isa: Isa, words: Vec<u32>, descriptors: Vec<u32>) -> Stage<'static> {
    let code = Code { words: words.into(), descriptors: descriptors.into(), ..Code::default() };
    let kind = with_machine!(isa, M => M::kind(&code), _ => StageKind::Vertex);
    Stage { id: StageId("0".to_owned()), kind, isa, code, interface: Interface::default() }
}

/// Bare code of that kind, or of the kind that the code shows. Code of the Wii U's machine comes from Mesa's driver, unless
/// something says otherwise ([`crate::apply_profile`]).
pub fn code_stage(
    isa: Isa,
    kind: Option<StageKind>,
    words: Vec<u32>,
    descriptors: Vec<u32>,
) -> Stage<'static> {
    let mut stage = raw_stage(isa, words, descriptors);
    if isa == Isa::Latte {
        crate::apply_profile(&mut stage, crate::Profile::Latte(Profile::Mesa));
    }
    stage.kind = kind.unwrap_or(stage.kind);
    stage
}

/// The program of a listing of bare code, as [`code_stage`].
///
/// # Errors
///
/// Everything that is wrong in the text, with its place in it.
pub fn listed_stage(
    isa: Isa,
    kind: Option<StageKind>,
    text: &str,
) -> std::result::Result<Stage<'static>, Vec<Diagnostic>> {
    let made: machine::AssembledCode =
        with_machine!(isa, M => M::assemble(text, &[])?, _ => Default::default());
    let mut stage = code_stage(isa, kind, made.words, made.descriptors);
    stage.code.entry = made.entry.unwrap_or_default();
    Ok(stage)
}

/// A graphics program of the Switch with its program header in front of its code, as it lies in the memory of the GPU: 20
/// words that say which stage it is for and what it reads and writes. Programs for computing have none.
///
/// # Errors
///
/// [`ErrorKind::Truncated`] where the header is not whole, [`ErrorKind::BadValue`] where it names no stage.
pub fn raw_stage_with_header(words: Vec<u32>) -> Result<Stage<'static>> {
    let Some(header) = maxwell::header::Header::read(&words) else {
        let found = format!("{} bytes", words.len() * 4);
        let offset = (words.len() * 4) as u64;
        let error = Error::new(ErrorKind::Truncated, offset, "header", "a program header of 80 bytes", found);
        return Err(error.code("raw.header"));
    };
    let Some(kind) = header.stage() else {
        let found = words.first().map_or_else(String::new, |word| format!("{word:#010x}"));
        let error =
            Error::new(ErrorKind::BadValue, 0, "header", "the number of a stage in bits 10-13", found);
        return Err(error.code("raw.header"));
    };
    let header = header.write().to_vec();
    let code = words.get(header.len()..).unwrap_or_default().to_vec();
    let mut stage = raw_stage(Isa::Maxwell, code, Vec::new());
    stage.kind = kind;
    stage.code.file_offset = (header.len() * 4) as u64;
    stage.interface.maxwell = Some(Box::new(Maxwell { header, ..Maxwell::default() }));
    Ok(stage)
}

/// The code words of a file that holds nothing else, in the byte order of the machine.
///
/// # Errors
///
/// [`ErrorKind::Truncated`] where the file ends inside a word.
pub fn words_from_bytes(bytes: &[u8]) -> Result<Vec<u32>> {
    let (words, rest) = bytes.as_chunks::<4>();
    if !rest.is_empty() {
        let found = format!("{} bytes", rest.len());
        let offset = (words.len() * 4) as u64;
        return Err(
            Error::new(ErrorKind::Truncated, offset, "code", "a word of 4 bytes", found).code("raw.size")
        );
    }
    Ok(words.iter().map(|word| u32::from_le_bytes(*word)).collect())
}

/// The code words of a pasted dump: words, bytes, initialisers of source code, what Mesa's lima driver prints.
/// See [`unshade_isa::dump::words_from_dump`].
///
/// # Errors
///
/// [`ErrorKind::BadValue`] where the text holds none.
pub fn words_from_hex(text: &str) -> Result<Vec<u32>> {
    let words = unshade_isa::dump::words_from_dump(text);
    if words.is_empty() {
        let expected = "words in hexadecimal digits";
        return Err(Error::new(ErrorKind::BadValue, 0, "", expected, "none in the text").code("raw.hex"));
    }
    Ok(words)
}

/// The bytes of assembled code, and what may be a mistake in its text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AssembledCode {
    /// The code, in the byte order of the machine.
    pub bytes: Vec<u8>,
    /// Findings with their places in the text.
    pub warnings: Vec<Diagnostic>,
}

/// A listing of bare code back to its bytes. Operand descriptors that it names are not part of them.
///
/// # Errors
///
/// Everything that is wrong in the text, with its place in it.
pub fn assemble_code(isa: Isa, text: &str) -> std::result::Result<Vec<u8>, Vec<Diagnostic>> {
    assemble_code_with_warnings(isa, text).map(|code| code.bytes)
}

/// As [`assemble_code`], with what may be a mistake.
///
/// # Errors
///
/// Everything that is wrong in the text, with its place in it.
pub fn assemble_code_with_warnings(
    isa: Isa,
    text: &str,
) -> std::result::Result<AssembledCode, Vec<Diagnostic>> {
    let made: machine::AssembledCode =
        with_machine!(isa, M => M::assemble(text, &[])?, _ => Default::default());
    Ok(AssembledCode { bytes: bytes(&made.words), warnings: made.warnings })
}

fn bytes(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_says_what_the_code_is_for() {
        let of = |stage: u32| {
            let mut words = vec![0; maxwell::header::WORDS];
            words[0] = 2 | stage << 10;
            raw_stage_with_header([words, vec![7, 8]].concat())
        };
        let stage = of(5).unwrap();
        assert_eq!((stage.isa, stage.kind), (Isa::Maxwell, StageKind::Fragment));
        assert_eq!((&stage.code.words[..], stage.code.file_offset), (&[7, 8][..], 80));
        assert_eq!(stage.interface.maxwell.unwrap().header.len(), maxwell::header::WORDS);
        assert_eq!(of(4).unwrap().kind, StageKind::Geometry);
        let error = of(9).unwrap_err();
        assert_eq!((error.kind, error.offset, error.code), (ErrorKind::BadValue, 0, "raw.header"));
        let error = raw_stage_with_header(vec![0; 19]).unwrap_err();
        assert_eq!((error.kind, error.offset, error.code), (ErrorKind::Truncated, 76, "raw.header"));
    }
}
