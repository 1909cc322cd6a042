//! Instructions in the native text. It is that of decaf and of AMD's tools; what a word says beyond it follows
//! as `@name=value`, with the names of the fields, so that the text determines every bit.

mod alu;
mod fetch;
mod flow;
pub(super) mod number;

pub(super) use alu::unused_source;
pub use alu::{GroupText, group};
pub use fetch::fetch;
pub(super) use fetch::{halves, usual_fill};
pub use flow::{ClauseText, flow};
pub(crate) use flow::{address_unit, usual_target};

use unshade_isa_common::field::Field;
use unshade_isa_common::text::{PartKind, Sink};

/// Every run of bits that is not as the text says.
#[cold]
fn rest(sink: &mut impl Sink, parts: &[Field], raw: u128, said: u128) {
    for part in parts.iter().filter(|part| part.get(raw) != part.get(said)) {
        sink.put(PartKind::Directive, " @");
        sink.put(PartKind::Directive, part.name);
        sink.put(PartKind::Directive, "=");
        let value = part.get(raw);
        if value < 1024 {
            sink.decimal(PartKind::Immediate, value);
        } else {
            sink.hex(PartKind::Immediate, value, 1);
        }
    }
}

/// ` NAME(value)`.
fn property(sink: &mut impl Sink, name: &str, value: u32) {
    sink.put(PartKind::Plain, " ");
    sink.put(PartKind::Name, name);
    sink.put(PartKind::Punctuation, "(");
    sink.decimal(PartKind::Immediate, value);
    sink.put(PartKind::Punctuation, ")");
}

/// ` NAME`, where a bit is set.
fn flag(sink: &mut impl Sink, bit: u32, name: &str) {
    if bit != 0 {
        sink.put(PartKind::Plain, " ");
        sink.put(PartKind::Name, name);
    }
}
