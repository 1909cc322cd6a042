//! Vector expressions: gathering operands, and the form of each operation.

use super::super::{Binary, Builtin, Expr, ExprKind, GlobalRef, Helper, Product, Scalar, Type, Unary};
use super::interface::Indexed;
use super::kinds::wanted;
use super::operands::{Leaf, Operand, Part, Plan, Source};
use super::packs::{Make, PackId};
use super::statements::Unit;
use super::{Mode, idioms};
use crate::{Access, Axis, CompareFloat, CompareInt, FloatMode, MinMax, Multiply, Op, Round, Space, Value};
use smallvec::SmallVec;

/// A type.
pub(super) fn ty(scalar: Scalar, components: usize) -> Type {
    Type { scalar, components: components as u8 }
}

/// A literal of equal or different components.
pub(super) fn literal(scalar: Scalar, bits: &[u32]) -> Expr {
    Expr { ty: ty(scalar, bits.len()), kind: ExprKind::Literal(bits.to_vec()) }
}

fn float(value: f32) -> Expr {
    literal(Scalar::Float, &[value.to_bits()])
}

fn boxed<T>(inner: T) -> Box<T> {
    Box::new(inner)
}

pub(super) fn unary(op: Unary, a: Expr) -> Expr {
    Expr { ty: a.ty, kind: ExprKind::Unary(op, boxed(a)) }
}

/// An operator; of a scalar and a vector the result is a vector.
pub(super) fn binary(op: Binary, a: Expr, b: Expr) -> Expr {
    use Binary::{Eq, Ge, Gt, Le, Lt, Ne};
    let components = a.ty.components.max(b.ty.components);
    let scalar = if matches!(op, Eq | Ne | Lt | Le | Gt | Ge) { Scalar::Bool } else { a.ty.scalar };
    Expr { ty: Type { scalar, components }, kind: ExprKind::Binary(op, boxed(a), boxed(b)) }
}

fn builtin(function: Builtin, result: Type, args: Vec<Expr>) -> Expr {
    Expr { ty: result, kind: ExprKind::Builtin(function, args) }
}

fn helper(function: Helper, result: Type, args: Vec<Expr>) -> Expr {
    Expr { ty: result, kind: ExprKind::Helper(function, args) }
}

fn select(condition: Expr, a: Expr, b: Expr) -> Expr {
    Expr { ty: a.ty, kind: ExprKind::Select(boxed(condition), boxed(a), boxed(b)) }
}

/// The same value as another kind of scalar.
pub(super) fn convert(to: Scalar, a: Expr) -> Expr {
    Expr { ty: Type { scalar: to, ..a.ty }, kind: ExprKind::Convert(boxed(a)) }
}

/// The same bits as another kind of scalar; a truth value is 0 or 1.
pub(super) fn reinterpret(to: Scalar, a: Expr) -> Expr {
    match (a.ty.scalar, to) {
        (from, to) if from == to => a,
        (Scalar::Bool, Scalar::Float) => reinterpret(to, convert(Scalar::Int, a)),
        (Scalar::Bool, to) => convert(to, a),
        (_, Scalar::Bool) => {
            let zero = literal(a.ty.scalar, &[0]);
            binary(Binary::Ne, a, zero)
        }
        (_, to) => match a.kind {
            ExprKind::Literal(bits) => {
                Expr { ty: Type { scalar: to, ..a.ty }, kind: ExprKind::Literal(bits) }
            }
            kind => Expr {
                ty: Type { scalar: to, ..a.ty },
                kind: ExprKind::Bitcast(boxed(Expr { ty: a.ty, kind })),
            },
        },
    }
}

/// Components of an expression, in the shortest form.
pub(super) fn swizzle(a: Expr, components: &[u8]) -> Expr {
    let width = a.ty.components;
    let result = ty(a.ty.scalar, components.len());
    if width == 1 {
        return if components.len() == 1 {
            a
        } else {
            Expr { ty: result, kind: ExprKind::Construct(vec![a]) }
        };
    }
    if components.len() == usize::from(width) && components.iter().copied().eq(0..width) {
        return a;
    }
    match a.kind {
        ExprKind::Literal(bits) => {
            let bits = components.iter().map(|at| bits[usize::from(*at)]).collect();
            Expr { ty: result, kind: ExprKind::Literal(bits) }
        }
        ExprKind::Swizzle(inner, outer) => {
            let components: Vec<u8> = components.iter().map(|at| outer[usize::from(*at)]).collect();
            swizzle(*inner, &components)
        }
        kind => {
            let a = Expr { ty: a.ty, kind };
            Expr { ty: result, kind: ExprKind::Swizzle(boxed(a), components.to_vec()) }
        }
    }
}

/// One scalar in all lanes.
fn broadcast(a: Expr, width: usize) -> Expr {
    if width <= 1 || usize::from(a.ty.components) == width {
        return a;
    }
    let result = ty(a.ty.scalar, width);
    match a.kind {
        ExprKind::Literal(bits) => {
            Expr { ty: result, kind: ExprKind::Literal(vec![bits.first().copied().unwrap_or(0); width]) }
        }
        ExprKind::Swizzle(inner, outer) => {
            Expr { ty: result, kind: ExprKind::Swizzle(inner, vec![outer[0]; width]) }
        }
        kind => {
            let scalar = Expr { ty: a.ty, kind };
            Expr { ty: result, kind: ExprKind::Construct(vec![scalar]) }
        }
    }
}

/// The negative, without doubling signs.
fn negate(a: Expr) -> Expr {
    match a.kind {
        ExprKind::Unary(Unary::Negate, inner) => *inner,
        ExprKind::Literal(bits) if a.ty.scalar == Scalar::Float => {
            Expr { ty: a.ty, kind: ExprKind::Literal(bits.iter().map(|bits| bits ^ 1 << 31).collect()) }
        }
        kind => unary(Unary::Negate, Expr { ty: a.ty, kind }),
    }
}

/// The opposite of a truth value.
pub(super) fn not(a: Expr) -> Expr {
    match a.kind {
        ExprKind::Unary(Unary::Not, inner) => *inner,
        ExprKind::Literal(bits) => {
            Expr { ty: a.ty, kind: ExprKind::Literal(bits.iter().map(|bits| bits ^ 1).collect()) }
        }
        // Equality is decided for NaN too: one is true exactly where the other is not.
        ExprKind::Binary(Binary::Eq, a, b) => binary(Binary::Ne, *a, *b),
        ExprKind::Binary(Binary::Ne, a, b) => binary(Binary::Eq, *a, *b),
        ExprKind::Binary(op @ (Binary::Lt | Binary::Le | Binary::Gt | Binary::Ge), a, b)
            if a.ty.scalar != Scalar::Float =>
        {
            binary(reversed(op), *a, *b)
        }
        kind => unary(Unary::Not, Expr { ty: a.ty, kind }),
    }
}

/// The comparison that is true where this one is false, NaN aside.
fn reversed(op: Binary) -> Binary {
    match op {
        Binary::Lt => Binary::Ge,
        Binary::Le => Binary::Gt,
        Binary::Gt => Binary::Le,
        Binary::Ge => Binary::Lt,
        other => other,
    }
}

impl Unit<'_> {
    /// A list of scalars as one expression of the given kind.
    pub(super) fn gather(&mut self, values: &[Value], kind: Scalar) -> Expr {
        self.gather_for(values, kind, None)
    }

    fn gather_for(&mut self, values: &[Value], kind: Scalar, own: Option<PackId>) -> Expr {
        let Plan { parts, opposite } = self.plan(values, own);
        if opposite {
            let inner = if kind == Scalar::Bool { Scalar::Bool } else { Scalar::Float };
            let all = self.join(parts, inner);
            let all = if kind == Scalar::Bool { self.inverted(all) } else { negate(all) };
            return reinterpret(kind, all);
        }
        self.join(parts, kind)
    }

    fn inverted(&self, a: Expr) -> Expr {
        match a.kind {
            ExprKind::Binary(op @ (Binary::Lt | Binary::Le | Binary::Gt | Binary::Ge), a, b)
                if self.mode == Mode::Readable =>
            {
                binary(reversed(op), *a, *b)
            }
            kind => not(Expr { ty: a.ty, kind }),
        }
    }

    fn join(&mut self, parts: Vec<Part>, kind: Scalar) -> Expr {
        let mut exprs: Vec<Expr> = Vec::with_capacity(parts.len());
        for part in parts {
            let expr = self.part(part, kind);
            // Neighbours may turn out to live in one variable.
            let merged = match (exprs.last(), &expr) {
                (Some(last), expr) => same_base(last, expr),
                _ => None,
            };
            match merged {
                Some((base, components)) => {
                    exprs.pop();
                    exprs.push(swizzle(base, &components));
                }
                None => exprs.push(expr),
            }
        }
        let components: usize = exprs.iter().map(|expr| usize::from(expr.ty.components)).sum();
        match exprs.len() {
            1 => exprs.swap_remove(0),
            _ => {
                // Bits of another kind are put together first, then read anew once.
                let mut parts = Vec::with_capacity(exprs.len());
                for expr in exprs {
                    flatten(expr, &mut parts);
                }
                Expr { ty: ty(kind, components), kind: ExprKind::Construct(parts) }
            }
        }
    }

    fn part(&mut self, part: Part, kind: Scalar) -> Expr {
        let expr = match part.source {
            Source::Bits(bits) => return literal(kind, &bits),
            Source::Global(global, element) => self.global_lanes(global, element, &part.components),
            Source::Pack(pack) => match self.homes[pack.index()].clone() {
                Some(home) => {
                    let local = self.locals[home.local.0 as usize].ty;
                    let expr = Expr { ty: local, kind: ExprKind::Local(home.local) };
                    let lanes: SmallVec<[u8; 4]> =
                        part.components.iter().map(|lane| home.components[usize::from(*lane)]).collect();
                    swizzle(expr, &lanes)
                }
                None => {
                    let expr = self.expression(pack);
                    swizzle(expr, &part.components)
                }
            },
        };
        let expr = if !part.opposite {
            expr
        } else if expr.ty.scalar == Scalar::Bool {
            self.inverted(expr)
        } else {
            negate(expr)
        };
        reinterpret(kind, expr)
    }

    /// The expression that computes a pack, all lanes in order, of the pack's kind.
    pub(super) fn expression(&mut self, id: PackId) -> Expr {
        let pack = self.pack(id).clone();
        let width = pack.lanes.len();
        match &pack.make {
            Make::Tuple => return self.gather_for(&pack.lanes, pack.kind, Some(id)),
            Make::Matrix { global, row, vector } => {
                self.interface.use_global(*global);
                let rows = match self.interface.global(*global).shape {
                    crate::Shape::Float { elements, .. } => elements as u8,
                    _ => 0,
                };
                self.interface.matrix_rows[*global as usize] = Some(rows);
                let vector = self.gather(vector, Scalar::Float);
                let product =
                    ExprKind::MatrixVector(GlobalRef(*global), *row as u8, width as u8, boxed(vector));
                return Expr { ty: ty(Scalar::Float, width), kind: product };
            }
            Make::Product { global, element, index, vector, vector_first } => {
                self.interface.use_global(*global);
                let element = self.matrix_element(*global, *element, *index);
                let vector = self.gather(vector, Scalar::Float);
                let product =
                    Product { matrix: GlobalRef(*global), element, vector, vector_first: *vector_first };
                return Expr { ty: ty(Scalar::Float, width), kind: ExprKind::Product(boxed(product)) };
            }
            Make::Results(inst) => {
                let inst = &self.function.insts[inst.index()];
                if let Op::Texture(texture) = inst.op {
                    return self.fetch(texture, inst);
                }
                let args = inst.args.clone();
                let vector = self.gather(&args, Scalar::Float);
                return builtin(Builtin::Normalize, vector.ty, vec![vector]);
            }
            Make::Params | Make::Call | Make::Operation => {}
        }
        let Some(inst) = pack.lanes.first().and_then(|value| self.function.definition(*value)) else {
            return literal(pack.kind, &[0]);
        };
        let op = inst.op;
        let result = ty(pack.kind, width);
        if let Op::Load(access) = op {
            let index = inst.args.first().copied();
            return self.load(access, index, &pack.lanes, pack.kind);
        }
        let operands = self.operand_table[id.index()].clone();
        let mut args: SmallVec<[Expr; 3]> = SmallVec::new();
        // Equality is the same for both signs: no reinterpretation if all are unsigned.
        let unsigned = |operand: &Operand| {
            operand
                .values
                .iter()
                .all(|value| self.literal_bits(*value).is_some() || self.kinds.of(*value) == Scalar::Uint)
        };
        let compared = if operands.iter().all(unsigned) { Scalar::Uint } else { Scalar::Int };
        for (position, operand) in operands.iter().enumerate() {
            let kind = match op {
                Op::ICompare(CompareInt::Eq | CompareInt::Ne) => compared,
                _ => self.operand_kind(&op, position, &operand.values, pack.kind),
            };
            args.push(self.gather(&operand.values, kind));
        }
        self.operation(&op, result, args.into_vec())
    }

    /// The kind in which an operand is gathered.
    fn operand_kind(&self, op: &Op, position: usize, values: &[Value], result: Scalar) -> Scalar {
        if values.first().is_some_and(|value| self.function.ty(*value) == crate::Type::Bool) {
            return Scalar::Bool;
        }
        if let Some(kind) = wanted(op, position) {
            return kind;
        }
        match op {
            Op::ICompare(_) => Scalar::Int,
            _ => result,
        }
    }

    /// The form of a pure operation.
    fn operation(&mut self, op: &Op, result: Type, mut args: Vec<Expr>) -> Expr {
        let width = usize::from(result.components);
        if let Some(mode) = flushed(op)
            && self.mode == Mode::Strict
        {
            for arg in &mut args {
                if arg.ty.scalar == Scalar::Float {
                    let inner = std::mem::replace(arg, float(0.0));
                    *arg = flush(inner);
                }
            }
            let plain = unflushed(op, mode);
            let value = self.operation(&plain, result, args);
            return if value.ty.scalar == Scalar::Float { flush(value) } else { value };
        }
        let strict = self.mode == Mode::Strict;
        // Functions take one number for all components of a vector, as a person writes it.
        let plain = !strict && self.module.from_shading_language;
        let one_for_all = |args: Vec<Expr>, from: usize| -> Vec<Expr> {
            let single = |expr: &Expr| expr.ty.components == 1;
            let fits = args[from.min(args.len())..].iter().all(single);
            let widened = args.iter().take(from).any(|arg| !single(arg));
            let wide = |(at, arg)| if fits && widened && at >= from { arg } else { broadcast(arg, width) };
            args.into_iter().enumerate().map(wide).collect()
        };
        let full =
            |args: Vec<Expr>| -> Vec<Expr> { args.into_iter().map(|arg| broadcast(arg, width)).collect() };
        // Operators take a scalar and a vector; two scalars for a vector need one to be widened.
        let pair = |mut args: Vec<Expr>| -> (Expr, Expr) {
            let b = args.pop().unwrap_or_else(|| float(0.0));
            let a = args.pop().unwrap_or_else(|| float(0.0));
            let narrow = usize::from(a.ty.components.max(b.ty.components)) < width;
            let both = a.ty.scalar != Scalar::Float;
            let a = if narrow || both { broadcast(a, width) } else { a };
            let b = if both { broadcast(b, width) } else { b };
            (a, b)
        };
        let one = |args: Vec<Expr>| args.into_iter().next().unwrap_or_else(|| float(0.0));
        let call = |function: Builtin, args: Vec<Expr>| builtin(function, result, full(args));
        let ask = |function: Helper, args: Vec<Expr>| helper(function, result, full(args));
        match *op {
            Op::FAdd(_) => {
                let (a, b) = pair(args);
                let sum = add(a, b);
                if plain { idioms::sum(sum) } else { sum }
            }
            Op::FMul(_, rule) => {
                let (a, b) = pair(args);
                multiply(a, b, if strict { rule } else { Multiply::Ieee }, result)
            }
            Op::FFma(_, rule) if strict => fused(full(args), rule, result),
            Op::FFma(..) => {
                let c = args.pop().unwrap_or_else(|| float(0.0));
                let (a, b) = pair(args);
                add(binary(Binary::Mul, a, b), c)
            }
            Op::FDiv(_) => {
                let (a, b) = pair(args);
                binary(Binary::Div, a, b)
            }
            Op::FNeg(_) => negate(broadcast(one(args), width)),
            Op::FAbs(_) => call(Builtin::Abs, args),
            Op::FMin(_, rule) if strict => ask(
                match rule {
                    MinMax::SecondUnlessOrdered => Helper::MinSecond,
                    MinMax::Number => Helper::MinNumber,
                },
                args,
            ),
            Op::FMax(_, rule) if strict => ask(
                match rule {
                    MinMax::SecondUnlessOrdered => Helper::MaxSecond,
                    MinMax::Number => Helper::MaxNumber,
                },
                args,
            ),
            Op::FMin(..) if plain => builtin(Builtin::Min, result, one_for_all(args, 1)),
            Op::FMax(..) if plain => builtin(Builtin::Max, result, one_for_all(args, 1)),
            Op::FMin(..) | Op::SMin | Op::UMin => call(Builtin::Min, args),
            Op::FMax(..) | Op::SMax | Op::UMax => call(Builtin::Max, args),
            Op::SMulHigh => ask(Helper::MulHighInt, args),
            Op::UMulHigh => ask(Helper::MulHighUint, args),
            Op::SDiv if strict => ask(Helper::DivideInt, args),
            Op::UDiv if strict => ask(Helper::DivideUint, args),
            Op::SRem if strict => ask(Helper::RemainderInt, args),
            Op::URem if strict => ask(Helper::RemainderUint, args),
            Op::SDiv | Op::UDiv => {
                let (a, b) = pair(args);
                binary(Binary::Div, a, b)
            }
            Op::SRem | Op::URem => {
                let (a, b) = pair(args);
                binary(Binary::Rem, a, b)
            }
            Op::FRound(_, round) => call(rounding(round), args),
            Op::FSaturate(_) if strict => ask(Helper::Saturate, args),
            Op::FSaturate(_) => {
                let limits = [float(0.0), float(1.0)];
                if plain {
                    return builtin(
                        Builtin::Clamp,
                        result,
                        one_for_all(args.into_iter().chain(limits).collect(), 1),
                    );
                }
                call(Builtin::Clamp, args.into_iter().chain(limits).collect())
            }
            Op::FRcp(_) => binary(Binary::Div, float(1.0), broadcast(one(args), width)),
            Op::FRsq(_) if strict => {
                let root = call(Builtin::Sqrt, args);
                binary(Binary::Div, float(1.0), root)
            }
            Op::FRsq(_) => call(Builtin::InverseSqrt, args),
            Op::FSqrt(_) => call(Builtin::Sqrt, args),
            Op::FExp2(_) => call(Builtin::Exp2, args),
            Op::FLog2(_) => call(Builtin::Log2, args),
            Op::FSin(_) => call(Builtin::Sin, args),
            Op::FCos(_) => call(Builtin::Cos, args),
            Op::FAtan(_) => call(Builtin::Atan, args),
            Op::FAtan2(_) => call(Builtin::Atan2, args),
            Op::Derivative(Axis::X, _) => call(Builtin::DerivativeX, args),
            Op::Derivative(Axis::Y, _) => call(Builtin::DerivativeY, args),
            Op::FCompare(by, _) => {
                if width == 1 {
                    let (a, b) = pair(args);
                    compare_truth(by, &a, &b).unwrap_or_else(|| binary(comparison(by), a, b))
                } else {
                    call(lanes_comparison(by), args)
                }
            }
            Op::FIsNan(_) => call(Builtin::IsNan, args),
            Op::IAdd => {
                let (a, b) = pair(args);
                add(a, b)
            }
            Op::ISub => {
                let (a, b) = pair(args);
                binary(Binary::Sub, a, b)
            }
            Op::IMul => {
                let (a, b) = pair(args);
                binary(Binary::Mul, a, b)
            }
            Op::INeg if result.scalar == Scalar::Int => unary(Unary::Negate, broadcast(one(args), width)),
            Op::INeg => {
                let zero = broadcast(literal(result.scalar, &[0]), width);
                binary(Binary::Sub, zero, broadcast(one(args), width))
            }
            Op::ICompare(by) => {
                let (a, b) = pair(args);
                compare_integers(by, a, b)
            }
            Op::And | Op::Or | Op::Xor => {
                let (a, b) = pair(args);
                let truth = result.scalar == Scalar::Bool;
                let operator = match (op, truth) {
                    (Op::And, true) => Binary::LogicalAnd,
                    (Op::Or, true) => Binary::LogicalOr,
                    (_, true) => Binary::LogicalXor,
                    (Op::And, false) => Binary::BitAnd,
                    (Op::Or, false) => Binary::BitOr,
                    (_, false) => Binary::BitXor,
                };
                binary(operator, a, b)
            }
            Op::Not if result.scalar == Scalar::Bool => self.inverted(one(args)),
            Op::Not => unary(Unary::BitNot, broadcast(one(args), width)),
            Op::Shl | Op::ShrU | Op::ShrS => {
                let (a, b) = pair(args);
                shift(op, a, b)
            }
            Op::FToS(_, round) | Op::FToU(_, round) => {
                let mut a = broadcast(one(args), width);
                if round != Round::Zero {
                    let whole = a.ty;
                    a = builtin(rounding(round), whole, vec![a]);
                }
                match (op, strict) {
                    (Op::FToS(..), true) => helper(Helper::ToIntSaturate, result, vec![a]),
                    (_, true) => helper(Helper::ToUintSaturate, result, vec![a]),
                    _ => convert(result.scalar, a),
                }
            }
            Op::SToF(_) | Op::UToF(_) | Op::BToI => {
                let a = broadcast(one(args), width);
                convert(result.scalar, a)
            }
            Op::Select => {
                let choice = self.choose(result, args);
                if plain { idioms::choice(choice) } else { choice }
            }
            Op::Dot(_) => {
                let lanes = args.iter().map(|arg| usize::from(arg.ty.components)).max().unwrap_or(1);
                let args = args.into_iter().map(|arg| broadcast(arg, lanes)).collect();
                builtin(Builtin::Dot, result, args)
            }
            Op::Length(_) => builtin(Builtin::Length, result, args),
            Op::Pow => call(Builtin::Pow, args),
            Op::Clamp if plain => builtin(Builtin::Clamp, result, one_for_all(args, 1)),
            Op::Mix if plain => builtin(Builtin::Mix, result, one_for_all(args, 2)),
            Op::Clamp => call(Builtin::Clamp, args),
            Op::Mix => call(Builtin::Mix, args),
            Op::Fract => call(Builtin::Fract, args),
            Op::Bool(_)
            | Op::B16(_)
            | Op::B32(_)
            | Op::B64(_)
            | Op::ReadVar(_)
            | Op::WriteVar(_)
            | Op::Load(_)
            | Op::Store(_)
            | Op::Call(_)
            | Op::EmitVertex(_)
            | Op::EndPrimitive(_)
            | Op::Texture(_)
            | Op::QuadRead(_)
            | Op::Normalize(_) => literal(result.scalar, &vec![0; width]),
        }
    }

    fn choose(&mut self, result: Type, args: Vec<Expr>) -> Expr {
        let width = usize::from(result.components);
        let mut args = args.into_iter();
        let (Some(condition), Some(a), Some(b)) = (args.next(), args.next(), args.next()) else {
            return literal(result.scalar, &vec![0; width]);
        };
        let is = |expr: &Expr, value: u32| match &expr.kind {
            ExprKind::Literal(bits) => bits.iter().all(|bits| *bits == value),
            _ => false,
        };
        let one = match result.scalar {
            Scalar::Float => 1.0f32.to_bits(),
            _ => 1,
        };
        if result.scalar != Scalar::Bool && is(&a, one) && is(&b, 0) {
            return convert(result.scalar, broadcast(condition, width));
        }
        if condition.ty.components == 1 {
            if result.scalar == Scalar::Bool && is(&a, 1) && is(&b, 0) {
                return condition;
            }
            if result.scalar != Scalar::Bool && is(&a, 0) && is(&b, one) {
                return convert(result.scalar, broadcast(self.inverted(condition), width));
            }
            return select(condition, broadcast(a, width), broadcast(b, width));
        }
        let (a, b) = (broadcast(a, width), broadcast(b, width));
        builtin(Builtin::Choose, result, vec![b, a, condition])
    }

    fn load(&mut self, access: Access, index: Option<Value>, lanes: &[Value], kind: Scalar) -> Expr {
        let Some(index) = index else {
            if access.space == Space::Local {
                // No language takes a constant index that is not in the array.
                let words = self.module.arrays.get(access.binding as usize).map_or(0, |array| array.words);
                if access.offset >= words {
                    return literal(kind, &[0]);
                }
                let word = literal(Scalar::Int, &[access.offset]);
                return Expr { ty: ty(kind, 1), kind: ExprKind::Array(access.binding, boxed(word)) };
            }
            let lane = self.interface.lanes(access)[0];
            let part = Part {
                source: Source::Global(lane.global, lane.element),
                components: smallvec::smallvec![lane.component],
                opposite: false,
            };
            return self.part(part, kind);
        };
        let index = self.gather(&[index], Scalar::Int);
        if access.space == Space::Local {
            let words = self.module.arrays.get(access.binding as usize).map_or(0, |array| array.words);
            let word = step(index, access.stride, access.offset);
            if matches!(&word.kind, ExprKind::Literal(bits) if bits[0] >= words) {
                return literal(kind, &[0]);
            }
            let element =
                Expr { ty: ty(Scalar::Uint, 1), kind: ExprKind::Array(access.binding, boxed(word.clone())) };
            if self.mode == Mode::Readable {
                return element;
            }
            let inside = binary(Binary::Lt, reinterpret(Scalar::Uint, word), literal(Scalar::Uint, &[words]));
            return select(inside, element, literal(Scalar::Uint, &[0]));
        }
        match self.interface.indexed(access) {
            Some(found @ Indexed::Elements { component, .. }) => {
                let components: Vec<u8> = match lanes {
                    [_] => vec![component],
                    lanes => lanes.iter().map(|value| self.component_of(*value)).collect(),
                };
                let element = self.indexed_lanes(found, index, &components);
                element.unwrap_or_else(|| literal(kind, &[0]))
            }
            Some(Indexed::Words { global, offset }) => {
                self.interface.use_global(global);
                let scalar = self.interface.scalar(global);
                let word = step(index, access.stride, offset);
                let component = |at: u8| {
                    let index = binary(Binary::ShiftRight, word.clone(), literal(Scalar::Int, &[2]));
                    let element = Expr {
                        ty: ty(scalar, 4),
                        kind: ExprKind::Global(GlobalRef(global), Some(boxed(index))),
                    };
                    swizzle(element, &[at])
                };
                if access.stride.is_multiple_of(4) {
                    return component((offset % 4) as u8);
                }
                let which = |at: u32| {
                    let low = binary(Binary::BitAnd, word.clone(), literal(Scalar::Int, &[3]));
                    binary(Binary::Eq, low, literal(Scalar::Int, &[at]))
                };
                let last = select(which(2), component(2), component(3));
                let last = select(which(1), component(1), last);
                select(which(0), component(0), last)
            }
            None => literal(kind, &[0]),
        }
    }

    /// Component of an element that an indexed load reads.
    fn component_of(&mut self, value: Value) -> u8 {
        let Some(Op::Load(access)) = self.function.definition(value).map(|inst| inst.op) else { return 0 };
        match self.interface.indexed(access) {
            Some(Indexed::Elements { component, .. }) => component,
            _ => 0,
        }
    }

    /// Whether a value is a literal.
    pub(super) fn literal_bits(&self, value: Value) -> Option<u32> {
        match self.leaves[value.index()] {
            Leaf::Bits(bits) => Some(bits),
            _ => None,
        }
    }
}

/// `index * stride + offset`.
pub(super) fn step(index: Expr, stride: u32, offset: u32) -> Expr {
    let scaled = match (&index.kind, stride) {
        (_, 1) => index,
        (ExprKind::Literal(bits), stride) => literal(Scalar::Int, &[bits[0].wrapping_mul(stride)]),
        (_, stride) => binary(Binary::Mul, index, literal(Scalar::Int, &[stride])),
    };
    match (&scaled.kind, offset) {
        (_, 0) => scaled,
        (ExprKind::Literal(bits), offset) => literal(Scalar::Int, &[bits[0].wrapping_add(offset)]),
        (_, offset) => add(scaled, literal(Scalar::Int, &[offset])),
    }
}

/// A sum, as a difference where that says the same.
pub(super) fn add(a: Expr, b: Expr) -> Expr {
    let negative = |expr: &Expr| match &expr.kind {
        ExprKind::Unary(Unary::Negate, _) => expr.ty.scalar == Scalar::Float,
        ExprKind::Literal(bits) => match expr.ty.scalar {
            Scalar::Float => bits.iter().all(|bits| bits >> 31 == 1),
            Scalar::Int => bits.iter().all(|bits| bits >> 31 == 1 && *bits != 1 << 31),
            _ => false,
        },
        _ => false,
    };
    let positive = |expr: Expr| match (expr.ty.scalar, expr.kind) {
        (Scalar::Int, ExprKind::Literal(bits)) => {
            literal(Scalar::Int, &bits.iter().map(|bits| bits.wrapping_neg()).collect::<Vec<_>>())
        }
        (_, kind) => negate(Expr { ty: expr.ty, kind }),
    };
    let number = |expr: &Expr| matches!(expr.kind, ExprKind::Literal(_));
    let (a, b) = if number(&a) && !number(&b) { (b, a) } else { (a, b) };
    if negative(&b) {
        binary(Binary::Sub, a, positive(b))
    } else if negative(&a) {
        binary(Binary::Sub, b, positive(a))
    } else {
        binary(Binary::Add, a, b)
    }
}

fn multiply(a: Expr, b: Expr, rule: Multiply, result: Type) -> Expr {
    // By a number that is neither zero nor infinite there is no infinity times zero.
    let tame = |expr: &Expr| match &expr.kind {
        ExprKind::Literal(bits) => {
            bits.iter().map(|bits| f32::from_bits(*bits)).all(|value| value.is_finite() && value != 0.0)
        }
        _ => false,
    };
    let exact = |function: Helper, a: Expr, b: Expr| {
        let width = result.components.into();
        helper(function, result, vec![broadcast(a, width), broadcast(b, width)])
    };
    match rule {
        Multiply::InfTimesZero if !(tame(&a) || tame(&b)) => exact(Helper::MulInfTimesZero, a, b),
        Multiply::ZeroWins => exact(Helper::MulZeroWins, a, b),
        _ => binary(Binary::Mul, a, b),
    }
}

/// `a * b + c` rounded once, by a multiplication rule that `fma` does not have.
fn fused(args: Vec<Expr>, rule: Multiply, result: Type) -> Expr {
    let plain = builtin(Builtin::Fma, result, args.clone());
    let mut args = args.into_iter();
    let (Some(a), Some(b), Some(c)) = (args.next(), args.next(), args.next()) else { return plain };
    let nan = |expr: Expr| builtin(Builtin::IsNan, ty(Scalar::Bool, 1), vec![expr]);
    let special = match rule {
        Multiply::Ieee => return plain,
        Multiply::InfTimesZero => {
            let exact = helper(Helper::MulInfTimesZero, result, vec![a.clone(), b.clone()]);
            binary(Binary::LogicalAnd, nan(binary(Binary::Mul, a, b)), not(nan(exact)))
        }
        Multiply::ZeroWins => {
            let zero = |expr: Expr| binary(Binary::Eq, expr, float(0.0));
            binary(Binary::LogicalOr, zero(a), zero(b))
        }
    };
    select(special, binary(Binary::Add, float(0.0), c), plain)
}

fn flush(a: Expr) -> Expr {
    helper(Helper::FlushDenormal, a.ty, vec![a])
}

/// The mode of an operation that flushes denormals.
fn flushed(op: &Op) -> Option<FloatMode> {
    match *op {
        Op::FAdd(mode)
        | Op::FMul(mode, _)
        | Op::FFma(mode, _)
        | Op::FDiv(mode)
        | Op::FMin(mode, _)
        | Op::FMax(mode, _)
        | Op::FRound(mode, _)
        | Op::FSaturate(mode)
        | Op::FRcp(mode)
        | Op::FRsq(mode)
        | Op::FSqrt(mode)
        | Op::FExp2(mode)
        | Op::FLog2(mode)
        | Op::FSin(mode)
        | Op::FCos(mode)
        | Op::FAtan(mode)
        | Op::FAtan2(mode)
        | Op::Derivative(_, mode)
        | Op::FCompare(_, mode) => mode.flush.then_some(mode),
        _ => None,
    }
}

fn unflushed(op: &Op, mode: FloatMode) -> Op {
    let mode = FloatMode { flush: false, ..mode };
    match *op {
        Op::FAdd(_) => Op::FAdd(mode),
        Op::FMul(_, rule) => Op::FMul(mode, rule),
        Op::FFma(_, rule) => Op::FFma(mode, rule),
        Op::FDiv(_) => Op::FDiv(mode),
        Op::FMin(_, rule) => Op::FMin(mode, rule),
        Op::FMax(_, rule) => Op::FMax(mode, rule),
        Op::FRound(_, round) => Op::FRound(mode, round),
        Op::FSaturate(_) => Op::FSaturate(mode),
        Op::FRcp(_) => Op::FRcp(mode),
        Op::FRsq(_) => Op::FRsq(mode),
        Op::FSqrt(_) => Op::FSqrt(mode),
        Op::FExp2(_) => Op::FExp2(mode),
        Op::FLog2(_) => Op::FLog2(mode),
        Op::FSin(_) => Op::FSin(mode),
        Op::FCos(_) => Op::FCos(mode),
        Op::FAtan(_) => Op::FAtan(mode),
        Op::FAtan2(_) => Op::FAtan2(mode),
        Op::Derivative(axis, _) => Op::Derivative(axis, mode),
        Op::FCompare(by, _) => Op::FCompare(by, mode),
        other => other,
    }
}

fn rounding(round: Round) -> Builtin {
    match round {
        Round::Nearest => Builtin::RoundEven,
        Round::Zero => Builtin::Trunc,
        Round::Down => Builtin::Floor,
        Round::Up => Builtin::Ceil,
    }
}

fn comparison(by: CompareFloat) -> Binary {
    match by {
        CompareFloat::Eq => Binary::Eq,
        CompareFloat::Ne => Binary::Ne,
        CompareFloat::Lt => Binary::Lt,
        CompareFloat::Le => Binary::Le,
        CompareFloat::Gt => Binary::Gt,
        CompareFloat::Ge => Binary::Ge,
    }
}

fn lanes_comparison(by: CompareFloat) -> Builtin {
    match by {
        CompareFloat::Eq => Builtin::Equal,
        CompareFloat::Ne => Builtin::NotEqual,
        CompareFloat::Lt => Builtin::LessThan,
        CompareFloat::Le => Builtin::LessThanEqual,
        CompareFloat::Gt => Builtin::GreaterThan,
        CompareFloat::Ge => Builtin::GreaterThanEqual,
    }
}

fn compare_integers(by: CompareInt, a: Expr, b: Expr) -> Expr {
    // A truth value as a number, compared with 0 or 1, is the truth value or its opposite.
    if let (CompareInt::Eq | CompareInt::Ne, ExprKind::Convert(inner), ExprKind::Literal(bits)) =
        (by, &a.kind, &b.kind)
        && inner.ty.scalar == Scalar::Bool
        && let [bits @ (0 | 1)] = bits[..]
    {
        let same = (by == CompareInt::Eq) == (bits == 1);
        return if same { (**inner).clone() } else { not((**inner).clone()) };
    }
    let operator = match by {
        CompareInt::Eq => Binary::Eq,
        CompareInt::Ne => Binary::Ne,
        CompareInt::Slt | CompareInt::Ult => Binary::Lt,
        CompareInt::Sle | CompareInt::Ule => Binary::Le,
    };
    binary(operator, a, b)
}

/// A truth value as a float, compared with 0 or 1, is the truth value or its opposite.
fn compare_truth(by: CompareFloat, a: &Expr, b: &Expr) -> Option<Expr> {
    let (ExprKind::Convert(inner), ExprKind::Literal(bits)) = (&a.kind, &b.kind) else { return None };
    if inner.ty.scalar != Scalar::Bool {
        return None;
    }
    let one = match bits[..] {
        [bits] if bits == 1.0f32.to_bits() => true,
        [bits] if bits << 1 == 0 => false,
        _ => return None,
    };
    let same = match by {
        CompareFloat::Eq => one,
        CompareFloat::Ne => !one,
        // Above 0 is only 1.
        CompareFloat::Gt if !one => true,
        CompareFloat::Le if !one => false,
        _ => return None,
    };
    Some(if same { (**inner).clone() } else { not((**inner).clone()) })
}

/// Shifts by 32 and more are defined here, but not in the target languages.
fn shift(op: &Op, a: Expr, by: Expr) -> Expr {
    let operator = if matches!(op, Op::Shl) { Binary::ShiftLeft } else { Binary::ShiftRight };
    if let ExprKind::Literal(bits) = &by.kind {
        let wide = bits.iter().any(|bits| *bits >= 32);
        let by = match (op, wide) {
            (_, false) => by,
            (Op::ShrS, true) => literal(by.ty.scalar, &vec![31; bits.len()]),
            _ => return literal(a.ty.scalar, &vec![0; a.ty.components.into()]),
        };
        return binary(operator, a, by);
    }
    let by = reinterpret(Scalar::Uint, by);
    let width = by.ty;
    if matches!(op, Op::ShrS) {
        let by = builtin(Builtin::Min, width, vec![by, literal(Scalar::Uint, &[31])]);
        return binary(operator, a, by);
    }
    let zero = literal(a.ty.scalar, &[0]);
    let inside = binary(Binary::Lt, by.clone(), literal(Scalar::Uint, &[32]));
    select(inside, binary(operator, a, by), zero)
}

/// Two neighbours that are components of one variable or global, as components of it.
fn same_base(a: &Expr, b: &Expr) -> Option<(Expr, Vec<u8>)> {
    fn base(expr: &Expr) -> Option<(&Expr, &[u8])> {
        const ALL: [u8; 4] = [0, 1, 2, 3];
        let whole = |kind: &ExprKind| matches!(kind, ExprKind::Local(_) | ExprKind::Global(_, None));
        match &expr.kind {
            ExprKind::Swizzle(inner, components) if whole(&inner.kind) => Some((inner, components)),
            kind if whole(kind) && expr.ty.components > 1 => {
                Some((expr, &ALL[..usize::from(expr.ty.components.min(4))]))
            }
            _ => None,
        }
    }
    let ((a, first), (b, second)) = (base(a)?, base(b)?);
    (a == b && first.len() + second.len() <= 4).then(|| (a.clone(), [first, second].concat()))
}

/// Parts of a constructor inside of a constructor stand in it directly.
fn flatten(expr: Expr, parts: &mut Vec<Expr>) {
    match expr.kind {
        ExprKind::Construct(inner) if inner.len() > 1 => parts.extend(inner),
        kind => parts.push(Expr { ty: expr.ty, kind }),
    }
}
