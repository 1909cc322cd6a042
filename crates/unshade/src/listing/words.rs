//! Code of an instruction set that is not read: its words as they are.

use unshade_bytes::{Diagnostic, Location, Severity};
use unshade_isa::text::{PartKind, Sink};
use unshade_stage::Stage;

/// Words in a line; those of an instruction and its neighbour.
const ROW: usize = 4;

/// Writes the words, line by line, behind a remark that says why.
pub(super) fn write(sink: &mut impl Sink, stage: &Stage<'_>) {
    let isa = stage.isa.name();
    sink.put(
        PartKind::Comment,
        &format!("; {isa} instructions are not read by this version: {} words", stage.code.words.len()),
    );
    sink.end_line();
    let mut start = 0_u32;
    for row in stage.code.words.chunks(ROW) {
        let end = start.saturating_add(row.len() as u32);
        sink.words(start..end);
        sink.put(PartKind::Plain, "    ");
        sink.put(PartKind::Directive, ".word");
        for (index, word) in row.iter().enumerate() {
            sink.put(PartKind::Punctuation, if index == 0 { " " } else { ", " });
            sink.put(PartKind::Immediate, &format!("0x{word:08x}"));
        }
        sink.end_line();
        start = end;
    }
}

/// The words of a text as [`write`] makes it.
///
/// # Errors
/// Everything that is no `.word` line, with its place in the text.
pub(super) fn read(text: &str) -> Result<Vec<u32>, Vec<Diagnostic>> {
    let (mut words, mut findings) = (Vec::new(), Vec::new());
    let mut at = 0_usize;
    for line in text.split_inclusive('\n') {
        let start = at;
        at = at.saturating_add(line.len());
        let body = line.split(';').next().unwrap_or_default();
        if body.trim().is_empty() {
            continue;
        }
        let mut wrong = |found: &str| {
            let span = start..start.saturating_add(body.trim_end().len());
            let location = Location::Text { source: 0, span };
            let message = format!("expected `.word` and numbers of 32 bits, found `{found}`");
            findings.push(Diagnostic::new(Severity::Error, "listing.words", location, "", message));
        };
        let Some(numbers) = body.trim().strip_prefix(".word") else {
            wrong(body.trim());
            continue;
        };
        for number in numbers.split(',').map(str::trim) {
            let value = match number.strip_prefix("0x") {
                Some(digits) => u32::from_str_radix(digits, 16).ok(),
                None => number.parse().ok(),
            };
            match value {
                Some(value) => words.push(value),
                None => wrong(number),
            }
        }
    }
    if findings.is_empty() { Ok(words) } else { Err(findings) }
}

#[cfg(test)]
mod tests {
    use super::{read, write};
    use unshade_isa::text::PlainText;
    use unshade_stage::{Code, Interface, Isa, Stage, StageId, StageKind};

    #[test]
    fn words_come_back() {
        let words: Vec<u32> = (0..11).map(|n: u32| n.wrapping_mul(0x9e37_79b9)).collect();
        let stage = Stage {
            id: StageId("0".into()),
            kind: StageKind::Vertex,
            isa: Isa::Maxwell,
            code: Code { words: words.clone().into(), ..Code::default() },
            interface: Interface::default(),
        };
        let mut text = PlainText::default();
        write(&mut text, &stage);
        let text = text.into_text();
        assert_eq!(read(&text).ok(), Some(words));
        let found = read("  .word 0x1\n  mov r0\n .word 1, x ; no").map_err(|found| found.len());
        assert_eq!(found, Err(2));
    }
}
