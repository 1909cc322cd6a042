//! How many elements storage buffers have: what the languages tell of the array at the end of one.

use super::super::{Binary, Builtin, Expr, ExprKind, MemoryVar, Scalar, Type};
use super::forms::{binary, builtin, literal};
use crate::{BufferLength, Space};

const INT: Type = Type { scalar: Scalar::Int, components: 1 };

fn int(number: i64) -> Expr {
    literal(Scalar::Int, &[u64::from(number as i32 as u32)])
}

/// The elements of a buffer that are asked for, by those of the array that ends it. A buffer counts as no longer than the
/// last whole element of that.
pub(super) fn count(memories: &[MemoryVar], length: BufferLength) -> Expr {
    let own = |memory: &MemoryVar| {
        (memory.space, memory.binding, memory.is_array, memory.words)
            == (Space::Storage, length.binding, true, 0)
    };
    let Some(at) = memories.iter().rposition(own) else { return int(0) };
    let elements = Expr::new(INT, ExprKind::Elements(at as u32));
    let memory = &memories[at];
    // All in bytes: the array is `first + step * elements` long.
    let (first, step) = (4 * i64::from(memory.offset), 4 * i64::from(memory.stride.max(1)));
    let (offset, stride) = (i64::from(length.offset), i64::from(length.stride.max(1)));
    let unit = if first % step == 0 && offset % step == 0 && stride % step == 0 { step } else { 1 };
    let times = |expr: Expr, by: i64| if by == 1 { expr } else { binary(Binary::Mul, expr, int(by)) };
    let sum = times(elements, step / unit);
    let rest = match (first - offset) / unit {
        0 => sum,
        more => {
            let (op, by) = if more > 0 { (Binary::Add, more) } else { (Binary::Sub, -more) };
            let sum = binary(op, sum, int(by));
            // A buffer may end before the first element.
            if more > 0 { sum } else { builtin(Builtin::Max, INT, vec![sum, int(0)]) }
        }
    };
    match stride / unit {
        1 => rest,
        by => binary(Binary::Div, rest, int(by)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn memory(offset: u32, stride: u32) -> MemoryVar {
        MemoryVar {
            name: "values".to_owned(),
            named: false,
            block: "Buffer0".to_owned(),
            space: Space::Storage,
            binding: 0,
            offset,
            stride,
            components: stride as u8,
            is_array: true,
            words: 0,
            scalar: Scalar::Float,
        }
    }

    #[test]
    fn counts_are_those_of_the_last_array() {
        let of = |array: (u32, u32), offset, stride| {
            let expr = count(&[memory(array.0, array.1)], BufferLength { binding: 0, offset, stride });
            match expr.kind {
                ExprKind::Elements(0) => "n".to_owned(),
                ExprKind::Binary(op, _, ref by) => {
                    let ExprKind::Literal(bits) = &by.kind else { return "?".to_owned() };
                    format!("{op:?} {}", bits[0])
                }
                _ => "?".to_owned(),
            }
        };
        assert_eq!(of((1, 1), 4, 4), "n");
        assert_eq!(of((4, 4), 16, 16), "n");
        assert_eq!(of((0, 1), 16, 32), "Div 8");
        assert_eq!(of((1, 1), 0, 1), "Add 4");
        assert!(matches!(
            count(&[], BufferLength { binding: 0, offset: 0, stride: 4 }).kind,
            ExprKind::Literal(_)
        ));
    }
}
