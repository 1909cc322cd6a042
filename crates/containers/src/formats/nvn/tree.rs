//! Every field of a control section by name.

use super::control::{Control, FIELDS, MAGIC};
use crate::shared::{Node, opaque::escape};

/// The fields of a control section; what lies between them is unused or not understood.
pub(crate) fn control_node(node: &mut Node, bytes: &[u8]) {
    let mut reached = 0_usize;
    let part = |from: usize, to: usize| bytes.get(from..to).unwrap_or_default();
    let unknown = |node: &mut Node, from: usize, to: usize| {
        if from < to {
            node.unused(format!("unknown_{from:03x}"), part(from, to));
        }
    };
    for field in FIELDS {
        let end = field.offset.saturating_add(field.size);
        let Some(stored) = bytes.get(field.offset..end) else { break };
        unknown(node, reached, field.offset);
        let value = stored.iter().rev().fold(0_u64, |sum, byte| sum << 8 | u64::from(*byte));
        let size = field.size as u64;
        match field.name {
            "magic" if value == u64::from(MAGIC) => node.field(field.name, size, format_args!("{value:#x}")),
            name if name.starts_with("hash") => node.unknown(name, stored, format_args!("{value:#018x}")),
            name => node.number(name, size, value),
        }
        reached = end;
    }
    if let (Some(text), Some(control)) = (Control(bytes).assembly(), Control::new(bytes)) {
        let start = control.word(0x14).unwrap_or(0) as usize;
        let end = start.saturating_add(control.word(0x18).unwrap_or(0) as usize);
        if start >= reached {
            unknown(node, reached, start);
            node.field("assembly", end.saturating_sub(start) as u64, format_args!("\"{}\"", escape(text)));
            reached = end;
        }
    }
    unknown(node, reached, bytes.len());
}
