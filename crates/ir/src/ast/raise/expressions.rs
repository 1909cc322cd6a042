//! Vector expressions: gathering operands, loads.

use super::super::{Binary, Builtin, Expr, ExprKind, GlobalRef, Link, Product, Scalar};
use super::Mode;
use super::forms::{
    binary, boxed, broadcast, builtin, literal, negate, not, reinterpret, reversed, select, step, swizzle, ty,
};
use super::interface::Indexed;
use super::operands::{Leaf, Operand, Part, Plan, Source};
use super::packs::{Make, PackId};
use super::statements::Unit;
use crate::scalar::wanted;
use crate::{Access, CompareInt, Op, Space, Type, Value};
use smallvec::SmallVec;

impl Unit<'_> {
    /// Whether a value is a double. The zero that is no value of the function is none.
    pub(super) fn is_double(&self, value: Value) -> bool {
        self.function.values.get(value.index()).is_some_and(|data| data.ty == Type::B64)
    }

    /// A list of scalars as one expression of the given kind.
    pub(super) fn gather(&mut self, values: &[Value], kind: Scalar) -> Expr {
        self.gather_for(values, kind, None)
    }

    fn gather_for(&mut self, values: &[Value], kind: Scalar, own: Option<PackId>) -> Expr {
        let gathered = self.gather_parts(values, kind, own);
        // What loads an input or a constant has no expression of its own.
        let mut instructions: SmallVec<[u32; 4]> = SmallVec::new();
        for value in values {
            let inner = match self.leaves[value.index()] {
                // Equal numbers are one value, wherever they were written.
                Leaf::Pack | Leaf::Bits(_) | Leaf::Truth(_) => continue,
                Leaf::Negated(inner) | Leaf::Not(inner) if self.leaves[inner.index()] != Leaf::Pack => inner,
                _ => *value,
            };
            let made = [*value, inner].into_iter().filter_map(|value| self.function.definition(value));
            instructions.extend(made.map(|inst| inst.origin.instruction));
        }
        self.with_instructions(gathered, instructions)
    }

    /// An expression that comes from more machine instructions than it says.
    fn with_instructions(&mut self, expr: Expr, instructions: SmallVec<[u32; 4]>) -> Expr {
        let link = self.link(expr.link, instructions);
        Expr { link, ..expr }
    }

    fn gather_parts(&mut self, values: &[Value], kind: Scalar, own: Option<PackId>) -> Expr {
        let Plan { parts, opposite } = self.plan(values, own);
        if opposite {
            let wide = values.iter().any(|value| self.is_double(*value));
            let inner = match kind {
                Scalar::Bool => Scalar::Bool,
                _ if wide => Scalar::Double,
                _ => Scalar::Float,
            };
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
            kind => not(Expr::new(a.ty, kind).linked(a.link)),
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
                    let before = exprs.pop().map_or(Link::NONE, |last| last.link);
                    let link = self.links.union(before, expr.link);
                    exprs.push(Expr { link, ..swizzle(base, &components) });
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
                Expr::new(ty(kind, components), ExprKind::Construct(parts))
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
                    let expr = Expr::new(local, ExprKind::Local(home.local));
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
        let expr = self.computed(id);
        let own = match self.pack(id).make {
            Make::Tuple => return expr,
            Make::Results(inst) => smallvec::smallvec![self.function.insts[inst.index()].origin.instruction],
            _ => {
                let made = self.pack(id).lanes.iter().filter_map(|value| self.function.definition(*value));
                made.map(|inst| inst.origin.instruction).collect()
            }
        };
        self.with_instructions(expr, own)
    }

    fn computed(&mut self, id: PackId) -> Expr {
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
                return Expr::new(ty(Scalar::Float, width), product);
            }
            Make::Product { global, element, index, vector, vector_first } => {
                self.interface.use_global(*global);
                let element = self.matrix_element(*global, *element, *index);
                let vector = self.gather(vector, Scalar::Float);
                let product =
                    Product { matrix: GlobalRef(*global), element, vector, vector_first: *vector_first };
                return Expr::new(ty(Scalar::Float, width), ExprKind::Product(boxed(product)));
            }
            Make::Results(inst) => {
                let inst = &self.function.insts[inst.index()];
                match inst.op {
                    Op::Texture(texture) => return self.fetch(texture, inst),
                    Op::Image(image) => return self.image_expression(image, inst),
                    _ => {}
                }
                let args = inst.args.clone();
                if inst.op == Op::Cross {
                    let (a, b) = args.split_at(args.len() / 2);
                    let (a, b) = (self.gather(a, Scalar::Float), self.gather(b, Scalar::Float));
                    return builtin(
                        Builtin::Cross,
                        ty(Scalar::Float, 3),
                        vec![broadcast(a, 3), broadcast(b, 3)],
                    );
                }
                if let Op::Refract(lanes) = inst.op {
                    let lanes = usize::from(lanes);
                    let vectors = args.chunks(lanes).map(|list| match self.gather(list, Scalar::Float) {
                        eta if list.len() == 1 => eta,
                        vector => broadcast(vector, lanes),
                    });
                    return builtin(Builtin::Refract, ty(Scalar::Float, lanes), vectors.collect());
                }
                if let Op::InverseTimes(size) | Op::TimesInverse(size) = inst.op {
                    let which = match inst.op {
                        Op::TimesInverse(_) => Builtin::TimesInverse,
                        _ => Builtin::InverseTimes,
                    };
                    let size = usize::from(size);
                    let vectors =
                        args.chunks(size).map(|list| broadcast(self.gather(list, Scalar::Float), size));
                    return builtin(which, ty(Scalar::Float, size), vectors.collect());
                }
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
        if let Op::Interpolate(place, _) = op {
            let args = inst.args.clone();
            let access = |value: &Value| match self.function.definition(*value)?.op {
                Op::Interpolate(_, access) => Some(access),
                _ => None,
            };
            let lanes: SmallVec<[Access; 4]> = pack.lanes.iter().filter_map(access).collect();
            let taken = self.interpolated(place, &lanes, &args);
            return taken.unwrap_or_else(|| literal(pack.kind, &[0]));
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
        if let Op::UnpackNorm(norm, _) = op {
            let field = |value: &Value| match self.function.definition(*value).map(|inst| inst.op) {
                Some(Op::UnpackNorm(_, field)) => field,
                _ => 0,
            };
            let fields: SmallVec<[u8; 4]> = pack.lanes.iter().map(field).collect();
            let all = builtin(Builtin::UnpackNorm(norm), ty(Scalar::Float, norm.fields()), args.into_vec());
            return swizzle(all, &fields);
        }
        if matches!(op, Op::Shl | Op::ShrU | Op::ShrS)
            && pack.lanes.iter().all(|value| self.shifts_inside(*value))
        {
            return self.shift_inside(&op, result, args.into_vec());
        }
        self.operation(&op, result, args.into_vec())
    }

    /// The kind in which an operand is gathered.
    fn operand_kind(&self, op: &Op, position: usize, values: &[Value], result: Scalar) -> Scalar {
        if values.first().is_some_and(|value| self.function.ty(*value) == Type::Bool) {
            return Scalar::Bool;
        }
        if values.first().is_some_and(|value| self.is_double(*value)) {
            return Scalar::Double;
        }
        if let (Op::Join, Some(Type::B32)) = (op, values.first().map(|value| self.function.ty(*value))) {
            return Scalar::Uint;
        }
        if let Some(kind) = wanted(op, position) {
            return kind;
        }
        match op {
            // The same for both signs.
            Op::FindLsb if values.iter().all(|value| self.kinds.of(*value) == Scalar::Uint) => Scalar::Uint,
            Op::ICompare(_) => Scalar::Int,
            _ => result,
        }
    }

    fn load(&mut self, access: Access, index: Option<Value>, lanes: &[Value], kind: Scalar) -> Expr {
        if matches!(access.space, Space::Shared | Space::Storage) {
            return self
                .shared_words(access, index, lanes)
                .unwrap_or_else(|| literal(kind, &vec![0; lanes.len()]));
        }
        let Some(index) = index else {
            if access.space == Space::Local {
                // No language takes a constant index that is not in the array.
                let words = self.module.arrays.get(access.binding as usize).map_or(0, |array| array.words);
                if access.offset >= words {
                    return literal(kind, &[0]);
                }
                let word = literal(Scalar::Int, &[access.offset.into()]);
                let kind = self.interface.array(access.binding);
                return Expr::new(ty(kind, 1), ExprKind::Array(access.binding, boxed(word)));
            }
            let Some(lane) = self.interface.lanes(access).first().copied() else {
                return literal(kind, &vec![0; lanes.len()]);
            };
            let mut components: SmallVec<[u8; 4]> = smallvec::smallvec![lane.component];
            for value in lanes.iter().skip(1) {
                let own = match self.function.definition(*value).map(|inst| inst.op) {
                    Some(Op::Load(access)) => self.interface.lanes(access).first().copied(),
                    _ => None,
                };
                components.push(own.map_or(0, |lane| lane.component));
            }
            let source = Source::Global(lane.global, lane.element);
            return self.part(Part { source, components, opposite: false }, kind);
        };
        let index = self.gather(&[index], Scalar::Int);
        if access.space == Space::Local {
            let words = self.module.arrays.get(access.binding as usize).map_or(0, |array| array.words);
            let word = step(index, access.stride, access.offset);
            if matches!(&word.kind, ExprKind::Literal(bits) if bits[0] >= words.into()) {
                return literal(kind, &[0]);
            }
            let kind = self.interface.array(access.binding);
            let element = Expr::new(ty(kind, 1), ExprKind::Array(access.binding, boxed(word.clone())));
            if self.mode == Mode::Readable {
                return element;
            }
            let words = literal(Scalar::Uint, &[words.into()]);
            let inside = binary(Binary::Lt, reinterpret(Scalar::Uint, word), words);
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
                    let element =
                        Expr::new(ty(scalar, 4), ExprKind::Global(GlobalRef(global), Some(boxed(index))));
                    swizzle(element, &[at])
                };
                if access.stride.is_multiple_of(4) {
                    return component((offset % 4) as u8);
                }
                let which = |at: u64| {
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
    pub(super) fn literal_bits(&self, value: Value) -> Option<u64> {
        match self.leaves[value.index()] {
            Leaf::Bits(bits) => Some(bits),
            _ => None,
        }
    }
}

/// Two neighbours that are components of one variable or global, as components of it.
fn same_base(a: &Expr, b: &Expr) -> Option<(Expr, Vec<u8>)> {
    fn base(expr: &Expr) -> Option<(&Expr, &[u8])> {
        const ALL: [u8; 4] = [0, 1, 2, 3];
        let whole = |kind: &ExprKind| {
            matches!(
                kind,
                ExprKind::Local(_)
                    | ExprKind::Global(_, None)
                    | ExprKind::Builtin(Builtin::UnpackNorm(_) | Builtin::UnpackHalf, _)
            )
        };
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
        kind => parts.push(Expr::new(expr.ty, kind).linked(expr.link)),
    }
}
