//! Listings of bare code: no container around it, a descriptor table if one is known.

use super::{AssembledCode, CodeReader, CodeText, RegisterNames, Remarks, write_code, write_descriptors};
use crate::asm::operand;
use crate::asm::operand::Register;
use crate::names::is_free_name;
use unshade_bytes::{Diagnostic, Location, Severity};
use unshade_isa_common::assembly::Problem;
use unshade_isa_common::assembly::lexer::{Lines, Piece, Statement};
use unshade_isa_common::text::{PartKind, Sink};

/// Writes a listing of bare code, which [`assemble_code`] takes back. It starts with `.isa pica200`.
pub fn list_code(sink: &mut impl Sink, code: &CodeText<'_>, remarks: Remarks) {
    sink.put(PartKind::Directive, ".isa ");
    sink.put(PartKind::Name, "pica200");
    sink.end_line();
    sink.end_line();
    let mut names: Vec<_> =
        code.roots.iter().flat_map(|root| &root.names).filter(|named| is_free_name(&named.name)).collect();
    names.sort_by_key(|name| (name.class, name.first, &*name.name));
    names.dedup();
    for name in &names {
        sink.put(PartKind::Directive, ".alias");
        sink.put(PartKind::Plain, "  ");
        sink.put(PartKind::Name, &name.name);
        sink.put(PartKind::Plain, " ");
        let register = Register { class: name.class, number: name.first as u8 };
        sink.put(PartKind::Register, &register.to_string());
        sink.end_line();
    }
    if !names.is_empty() {
        sink.end_line();
    }
    if !code.descriptors.is_empty() {
        write_descriptors(sink, code.descriptors, code.high);
        sink.end_line();
    }
    write_code(sink, code, &code.layout(), remarks, |_, _, _| {});
}

/// Assembles a listing of bare code. Besides their own names, registers have those of `.alias`.
///
/// # Errors
/// Everything that is wrong in the text, with its place.
pub fn assemble_code(text: &str) -> Result<AssembledCode, Vec<Diagnostic>> {
    let mut reader = CodeReader::new();
    let mut names = RegisterNames::default();
    for line in Lines::new(text) {
        if reader.is_full() {
            break;
        }
        if let Statement::Directive { name, arguments, .. } = line.statement()
            && name.is("isa")
        {
            let isa = arguments.rest.trim();
            if !isa.is("pica200") {
                let location = Location::Text { source: 0, span: isa.span() };
                let message = format!("expected `pica200`, found `{}`", isa.text);
                reader.report(Diagnostic::new(Severity::Error, "pica200.listing.isa", location, "", message));
            }
            continue;
        }
        if let Statement::Directive { head, name, mut arguments } = line.statement()
            && name.is("alias")
        {
            let name = arguments.blank().unwrap_or(head);
            if let Err(problem) = alias(name, arguments.rest.trim(), &mut names) {
                reader.problem(*problem);
            }
            continue;
        }
        reader.line(line, &names);
    }
    reader.finish()
}

/// `.alias name register`.
fn alias(name: Piece<'_>, register: Piece<'_>, names: &mut RegisterNames) -> operand::Result<()> {
    let read = operand::operand(register, &())?;
    if !is_free_name(name.text) {
        let message = format!("`{}` cannot be a name", name.text);
        return Err(Problem::new("pica200.listing.syntax", name.span(), message));
    }
    names.add(name.text, read.register);
    Ok(())
}
