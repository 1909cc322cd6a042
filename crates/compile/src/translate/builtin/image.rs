//! Images that are read and written.

use super::super::interface::shape;
use super::super::{Result, Translator, Values, unsupported};
use super::memory::atomic_op;
use unshade_glsl::place::Span;
use unshade_glsl::tree::{ExpressionId, Operation};
use unshade_glsl::types::{Scalar, Type};
use unshade_ir::{Image, ImageQuery, Op};

impl Translator<'_> {
    pub(super) fn image(
        &mut self,
        operation: Operation,
        ty: Type,
        arguments: &[ExpressionId],
        span: Span,
    ) -> Result<Values> {
        let Some((&first, rest)) = arguments.split_first() else { return Ok(Values::new()) };
        let handle = self.handle_of(first)?;
        let wide = matches!(handle.opaque.component, Scalar::Int64 | Scalar::Uint64);
        let known = shape(handle.opaque).filter(|_| !wide);
        let shape = known.ok_or_else(|| {
            unsupported(format!("`{}` has no operations in the common language", handle.opaque.name()), span)
        })?;
        let mut negate = false;
        let query = match operation {
            Operation::ImageLoad => ImageQuery::Load,
            Operation::ImageStore => ImageQuery::Store,
            Operation::ImageAtomic(atomic) => {
                let op = atomic_op(atomic, handle.opaque.component);
                negate = atomic == unshade_glsl::builtins::Atomic::Subtract;
                ImageQuery::Atomic(
                    op.ok_or_else(|| unsupported("this atomic operation is not known of images", span))?,
                )
            }
            _ => ImageQuery::Size,
        };
        let image = Image { unit: handle.unit, indexed: handle.index.is_some(), shape, query };
        let mut operands: Values = handle.index.into_iter().collect();
        for argument in rest {
            let values = self.value(*argument)?;
            operands.extend(values);
        }
        if negate && let Some(last) = operands.pop() {
            operands.push(self.op(Op::INeg, &[last]));
        }
        if operands.len() != image.operands() {
            return Err(unsupported("expected as many coordinates as the image has", span));
        }
        self.count += 1;
        let values = self.code.values(Op::Image(image), &operands);
        Ok(values.into_iter().take(ty.components().map_or(0, usize::from)).collect())
    }
}
