//! From global addresses to storage buffers.
//!
//! A buffer's address is two words of the driver's constants; compilers add an offset to the lower and the carry to
//! the upper. What is added is the place in the buffer.

use super::super::super::spaces;
use super::{DEPTH, Editor};
use unshade_ir::{Access, Inst, InstId, Op, Space, Value};
use unshade_stage::StageKind;
use unshade_stage::maxwell::Driver;

/// What is added to an address, or (`true`) taken from it.
type Terms = Vec<(Value, bool)>;

/// Names the buffer of an access to global memory, where its address can be followed to one.
pub(super) fn resolve(
    editor: &mut Editor<'_>,
    id: InstId,
    inst: &Inst,
    access: Access,
    (driver, kind): (Driver, StageKind),
) {
    let [low, _, rest @ ..] = &inst.args[..] else { return };
    if access.space != Space::Global {
        return;
    }
    let mut terms = Terms::new();
    let Some(binding) = base(editor, *low, (driver, kind), &mut terms, DEPTH) else { return };
    let mut fixed = i64::from(access.offset) * 4;
    let mut sum: Option<Value> = None;
    for (value, negative) in terms {
        if let Some(bits) = editor.constant(value) {
            let number = i64::from(bits as i32);
            fixed += if negative { -number } else { number };
            continue;
        }
        sum = Some(match (sum, negative) {
            (None, false) => value,
            (None, true) => editor.value(Op::INeg, &[value]),
            (Some(sum), false) => editor.value(Op::IAdd, &[sum, value]),
            (Some(sum), true) => editor.value(Op::ISub, &[sum, value]),
        });
    }
    let words = u32::try_from(fixed).ok().filter(|fixed| fixed % 4 == 0).map(|fixed| fixed / 4);
    let (index, offset) = match (sum, words) {
        (None, _) => (None, (fixed >> 2) as u32),
        (Some(sum), Some(words)) => (Some(sum), words),
        (Some(sum), None) => {
            let more = editor.bits(fixed as u32);
            (Some(editor.value(Op::IAdd, &[sum, more])), 0)
        }
    };
    let index = index.map(|bytes| {
        let two = editor.bits(2);
        editor.value(Op::ShrS, &[bytes, two])
    });
    let place = Access { space: Space::Storage, binding, offset, stride: u32::from(index.is_some()) };
    let args: Vec<Value> = index.into_iter().chain(rest.iter().copied()).collect();
    if let Some(inst) = editor.function.insts.get_mut(id.index()) {
        inst.args = args.into();
        inst.op = match inst.op {
            Op::Store(_) => Op::Store(place),
            Op::Atomic(op, _) => Op::Atomic(op, place),
            _ => Op::Load(place),
        };
    }
}

/// The buffer whose address goes into a sum, and what else does.
fn base(
    editor: &Editor<'_>,
    value: Value,
    place: (Driver, StageKind),
    terms: &mut Terms,
    depth: u32,
) -> Option<u32> {
    let depth = depth.checked_sub(1)?;
    let inst = editor.definition(value)?;
    match (inst.op, &inst.args[..]) {
        (Op::Load(Access { space: Space::Uniform, binding, offset, stride: 0 }), _)
            if binding == spaces::OTHER_BANKS + u32::from(spaces::DRIVER_BANK) =>
        {
            spaces::storage(place.0, place.1, offset)
        }
        (Op::IAdd, &[a, b]) => {
            let known = terms.len();
            for (one, other) in [(a, b), (b, a)] {
                if let Some(found) = base(editor, one, place, terms, depth) {
                    terms.push((other, false));
                    return Some(found);
                }
                terms.truncate(known);
            }
            None
        }
        (Op::ISub, &[a, b]) => {
            let found = base(editor, a, place, terms, depth)?;
            terms.push((b, true));
            Some(found)
        }
        _ => None,
    }
}
