//! Implicit conversions, by version.

use super::{Checked, Checker};
use crate::errors::{Kind, Problem};
use crate::place::Span;
use crate::tree::{Constant, ExpressionId, ExpressionKind};
use crate::types::{Scalar, Type};

const EXPLICIT: &[&str] = &[
    "GL_EXT_shader_explicit_arithmetic_types",
    "GL_EXT_shader_explicit_arithmetic_types_int8",
    "GL_EXT_shader_explicit_arithmetic_types_int16",
    "GL_EXT_shader_explicit_arithmetic_types_int32",
    "GL_EXT_shader_explicit_arithmetic_types_int64",
    "GL_EXT_shader_explicit_arithmetic_types_float16",
    "GL_EXT_shader_explicit_arithmetic_types_float32",
    "GL_EXT_shader_explicit_arithmetic_types_float64",
];
const INT16: &[&str] = &["GL_AMD_gpu_shader_int16", "GL_NV_gpu_shader5"];
const HALF: &[&str] = &["GL_AMD_gpu_shader_half_float", "GL_NV_gpu_shader5"];
const DOUBLE: &[&str] = &["GL_ARB_gpu_shader_fp64"];
const UINT: &[&str] = &["GL_ARB_gpu_shader5", "GL_NV_gpu_shader5"];

impl Checker<'_> {
    /// Whether a kind of scalar becomes another by itself.
    pub(super) fn converts(&self, from: Scalar, to: Scalar) -> bool {
        if from == to {
            return true;
        }
        if from == Scalar::Bool || to == Scalar::Bool {
            return false;
        }
        let version = self.language.version;
        if version.is_es() {
            if self.is_explicit() && wider(from, to) {
                return true;
            }
            return version.number >= 310
                && self.language.is_enabled("GL_EXT_shader_implicit_conversions")
                && matches!(
                    (from, to),
                    (Scalar::Int | Scalar::Uint, Scalar::Float) | (Scalar::Int, Scalar::Uint)
                );
        }
        if version.number == 110 {
            return false;
        }
        if self.is_explicit() && wider(from, to) {
            return true;
        }
        let has = |names: &[&str]| self.language.is_any_enabled(names);
        let doubles = version.number >= 400 || has(DOUBLE);
        match (from, to) {
            (Scalar::Int | Scalar::Uint, Scalar::Float) => true,
            (Scalar::Int, Scalar::Uint) => version.number >= 400 || has(UINT),
            (Scalar::Int | Scalar::Uint | Scalar::Int64 | Scalar::Uint64 | Scalar::Float, Scalar::Double) => {
                doubles
            }
            (Scalar::Int16 | Scalar::Uint16, Scalar::Double) => doubles && has(INT16),
            (Scalar::Float16, Scalar::Double) => doubles && has(HALF),
            (Scalar::Float16, Scalar::Float) => has(HALF),
            (Scalar::Int, Scalar::Int64 | Scalar::Uint64)
            | (Scalar::Uint, Scalar::Uint64)
            | (Scalar::Int64, Scalar::Uint64) => true,
            (Scalar::Int16, Scalar::Int | Scalar::Int64)
            | (
                Scalar::Int16 | Scalar::Uint16,
                Scalar::Uint | Scalar::Uint64 | Scalar::Float | Scalar::Float16,
            )
            | (Scalar::Int16, Scalar::Uint16) => has(INT16),
            _ => false,
        }
    }

    fn is_explicit(&self) -> bool {
        self.language.is_any_enabled(EXPLICIT)
    }

    /// Whether a type becomes another by itself.
    pub(super) fn type_converts(&self, from: Type, to: Type) -> bool {
        if self.types.same(from, to) {
            return true;
        }
        match (from.scalar(), to.scalar()) {
            (Some(one), Some(other)) => from.with_scalar(other) == to && self.converts(one, other),
            _ => false,
        }
    }

    /// An expression as another kind of scalar, which the language allows.
    pub(super) fn converted(
        &mut self,
        value: ExpressionId,
        to: Scalar,
        is_implicit: bool,
        span: Span,
    ) -> ExpressionId {
        let ty = self.ty(value);
        if ty.scalar() == Some(to) || ty.scalar().is_none() {
            return value;
        }
        let ty = ty.with_scalar(to);
        let precision = self.precision(value);
        if let Some(constant) = self.value(value) {
            let values = constant.values.iter().map(|value| super::value::convert(*value, to)).collect();
            return self.constant(Constant { ty, values }, precision, span);
        }
        let known = self.known(value);
        self.add(ExpressionKind::Convert { value, is_implicit }, ty, precision, span, known)
    }

    /// An expression as a type, by implicit conversion; `what` says for the message what needs it.
    pub(super) fn as_type(&mut self, value: ExpressionId, to: Type, what: &str) -> Checked {
        let from = self.ty(value);
        if self.types.same(from, to) {
            return Some(value);
        }
        let span = self.place(value);
        if self.type_converts(from, to)
            && let Some(scalar) = to.scalar()
        {
            return Some(self.converted(value, scalar, true, span));
        }
        let message = format!("expected {} {what}, found {}", self.shown(to), self.shown(from));
        let problem =
            Problem::error(Kind::Type, span, message).label(format!("this is {}", self.shown(from)));
        let problem = self.advise(problem, from, to, value);
        self.report(problem);
        None
    }

    /// What to write instead, where a value is of the wrong type.
    pub(super) fn advise(&self, problem: Problem, from: Type, to: Type, value: ExpressionId) -> Problem {
        let name = self.types.name(to);
        match (from.scalar(), to.scalar()) {
            (Some(Scalar::Int), Some(Scalar::Float)) if from.is_scalar() && to.is_scalar() => {
                match self.value(value) {
                    Some(_) => problem.help("write the number with a point, as in `1.0`"),
                    None => problem.help(format!("`{name}(...)` converts it")),
                }
            }
            (Some(_), Some(_)) if from.with_scalar(Scalar::Float) == to.with_scalar(Scalar::Float) => {
                problem.help(format!("`{name}(...)` converts it"))
            }
            (Some(_), Some(_)) if from.is_scalar() && to.is_vector() => {
                problem.help(format!("`{name}(...)` makes a vector of it"))
            }
            (Some(_), Some(_)) if from.is_vector() && (to.is_vector() || to.is_scalar()) => {
                let have = from.components().unwrap_or(0);
                let want = to.components().unwrap_or(0);
                match "xyzw".get(..usize::from(want)) {
                    Some(lanes) if have > want => problem.help(format!("`.{lanes}` takes the first of it")),
                    _ => problem,
                }
            }
            _ => problem,
        }
    }

    /// Two scalars kinds as one, for an operation: the kind that both become.
    pub(super) fn common(&self, left: Scalar, right: Scalar) -> Option<Scalar> {
        if left == right {
            return Some(left);
        }
        // The wider float, then whole numbers: both may become each other where the language is generous.
        [
            Scalar::Double,
            Scalar::Float,
            Scalar::Float16,
            Scalar::Uint64,
            Scalar::Int64,
            Scalar::Uint,
            Scalar::Int,
            Scalar::Uint16,
            Scalar::Int16,
            Scalar::Uint8,
            Scalar::Int8,
        ]
        .into_iter()
        .find(|to| (left == *to && self.converts(right, *to)) || (right == *to && self.converts(left, *to)))
    }
}

/// Whether one kind is at least as wide as another, by the rules of the explicit types: whole numbers to wider ones, or of the same
/// width from signed to unsigned; whole numbers to floats that are not narrower; floats to wider ones.
fn wider(from: Scalar, to: Scalar) -> bool {
    match (from.is_float(), to.is_float()) {
        (true, false) => false,
        (true, true) => to.size() > from.size(),
        (false, true) => to.size() >= from.size() || to == Scalar::Double || to == Scalar::Float,
        (false, false) => {
            to.size() > from.size() || (to.size() == from.size() && from.is_signed() && to.is_unsigned())
        }
    }
}
