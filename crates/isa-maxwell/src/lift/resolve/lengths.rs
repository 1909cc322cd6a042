//! Lengths of storage buffers: drivers tell the size of a buffer behind its address, and `.length()` is what is left of it
//! behind the start of the array, divided by the size of an element.

use super::Editor;
use unshade_ir::{BufferLength, BufferTable, Inst, InstId, Op, Space, Value};

/// Word of a descriptor that is the size in bytes.
const SIZE: u32 = 2;

/// The size of a buffer, where a load of the driver's constants is one.
pub(super) fn size(editor: &mut Editor<'_>, inst: &Inst, tables: &[BufferTable]) -> Option<Value> {
    let Op::Load(access) = inst.op else { return None };
    if access.space != Space::Uniform || access.is_indexed() {
        return None;
    }
    let address = access.offset.checked_sub(SIZE)?;
    let described = tables.iter().filter(|table| table.stride > SIZE);
    let binding = described.filter_map(|table| table.buffer(access.binding, address)).next()?;
    Some(editor.value(Op::BufferLength(BufferLength { binding, offset: 0, stride: 1 }), &[]))
}

/// `max(size - offset, 0) >> shift`.
pub(super) fn count(editor: &mut Editor<'_>, _: InstId, inst: &Inst) -> Option<Value> {
    let two = |inst: &Inst| match inst.args[..] {
        [a, b] => Some((a, b)),
        _ => None,
    };
    let (Op::ShrU | Op::ShrS) = inst.op else { return None };
    let (rest, by) = two(inst)?;
    let by = editor.constant(by).filter(|by| *by < 16)?;
    let most = editor.definition(rest).filter(|inst| inst.op == Op::SMax)?;
    let (a, b) = two(most)?;
    let rest = match (editor.constant(a), editor.constant(b)) {
        (_, Some(0)) => a,
        (Some(0), _) => b,
        _ => return None,
    };
    let sum = editor.definition(rest)?;
    let (size, less) = match sum.op {
        Op::BufferLength(_) => (rest, 0),
        Op::IAdd => {
            let (a, b) = two(sum)?;
            match (editor.constant(a), editor.constant(b)) {
                (_, Some(less)) => (a, less.wrapping_neg()),
                (Some(less), _) => (b, less.wrapping_neg()),
                _ => return None,
            }
        }
        Op::ISub => {
            let (a, b) = two(sum)?;
            (a, editor.constant(b)?)
        }
        _ => return None,
    };
    let Op::BufferLength(BufferLength { binding, offset: 0, stride: 1 }) = editor.definition(size)?.op else {
        return None;
    };
    if less % 4 != 0 || less >= 1 << 31 {
        return None;
    }
    let length = BufferLength { binding, offset: less, stride: 1 << by };
    Some(editor.value(Op::BufferLength(length), &[]))
}
