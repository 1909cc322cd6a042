//! Vector expressions: gathering operands, loads.

use super::super::{Binary, Builtin, Expr, ExprKind, GlobalRef, Product, Scalar};
use super::Mode;
use super::forms::{
    binary, boxed, builtin, literal, negate, not, reinterpret, reversed, select, step, swizzle, ty,
};
use super::interface::Indexed;
use super::kinds::wanted;
use super::operands::{Leaf, Operand, Part, Plan, Source};
use super::packs::{Make, PackId};
use super::statements::Unit;
use crate::{Access, CompareInt, Op, Space, Value};
use smallvec::SmallVec;

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

    pub(super) fn inverted(&self, a: Expr) -> Expr {
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

<<<<<<< HEAD
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

=======
>>>>>>> lemit
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
