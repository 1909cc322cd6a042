//! What an expression is called: after what it computes, after what it is read from, else not at all.

use super::super::super::{
    Binary, Builtin, Expr, ExprKind, Fetch, GlobalVar, Helper, LocalRef, MemoryVar, Product, Scalar, Unary,
};
use super::identifier;
use crate::TextureQuery;
use std::collections::BTreeMap;

/// Deepest expression inside of another that is looked at.
const DEEPEST: u32 = 6;

/// Words that some language keeps for itself, and that names of the file could turn into.
const RESERVED: [&str; 30] = [
    "active", "buffer", "common", "constant", "cross", "distance", "dot", "filter", "fixed", "flat", "half",
    "in", "input", "length", "line", "matrix", "out", "output", "patch", "point", "reflect", "refract",
    "resource", "sample", "sampler", "shared", "smooth", "step", "texture", "varying",
];

/// What programs put in front of a name with `_` to say what kind of thing has it.
const PREFIXES: [&str; 22] = [
    "a", "v", "u", "s", "o", "i", "f", "t", "g", "m", "in", "out", "var", "vs", "fs", "ps", "gs", "frag",
    "vert", "attr", "tex", "p",
];

/// The word inside of a name of the file: `color` of `u_color`, `vColor`, `color0` or `Color`. None where too
/// little of it is left.
pub(super) fn stem(name: &str) -> Option<String> {
    // Of a member only the member.
    let name = name.rsplit('.').next().unwrap_or(name);
    let name = identifier(name);
    let mut word = name.trim_matches('_');
    if let Some((front, rest)) = word.split_once('_')
        && PREFIXES.contains(&front)
    {
        word = rest;
    }
    let mut letters = word.chars();
    let (first, second) = (letters.next()?, letters.next());
    if matches!(first, 'a' | 'v' | 'u' | 's' | 'o' | 'f' | 'm' | 'g')
        && second.is_some_and(|c| c.is_ascii_uppercase())
        && letters.next().is_some_and(|c| c.is_ascii_lowercase())
    {
        word = word.get(1..)?;
    }
    let word = word.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches('_');
    let mut letters = word.chars();
    let first = letters.next()?;
    // `UVScale` and `MVP` are left as they are.
    let lowers = letters.clone().next().is_none_or(|c| !c.is_ascii_uppercase());
    let word: String = if lowers {
        [first.to_ascii_lowercase()].into_iter().chain(letters).collect()
    } else {
        word.to_owned()
    };
    (word.len() >= 3 && !RESERVED.contains(&&word[..])).then_some(word)
}

/// The word for one of several: `light` of `lights`.
fn singular(word: String) -> String {
    match word.strip_suffix('s') {
        Some(one) if one.len() >= 3 && !one.ends_with('s') => one.to_owned(),
        _ => word,
    }
}

/// What expressions are called, where the things in them have names.
pub(super) struct Words<'p> {
    pub globals: &'p [GlobalVar],
    pub memories: &'p [MemoryVar],
    /// What locals have been called so far, without numbers.
    pub locals: BTreeMap<LocalRef, String>,
}

impl Words<'_> {
    /// The word for an expression.
    pub fn of(&self, expr: &Expr) -> Option<String> {
        self.within(expr, DEEPEST)
    }

    fn within(&self, expr: &Expr, depth: u32) -> Option<String> {
        let depth = depth.checked_sub(1)?;
        if expr.ty.scalar == Scalar::Bool {
            return self.truth(expr);
        }
        let word = match &expr.kind {
            ExprKind::Literal(_) => return None,
            ExprKind::Local(local) => return self.locals.get(local).cloned(),
            ExprKind::Global(global, index) => {
                let word = self.global(global.0)?;
                return Some(if index.is_some() { singular(word) } else { word });
            }
            ExprKind::Column(global, ..) => return self.global(global.0),
            ExprKind::Interpolate(_, global, _) => return self.global(global.0),
            ExprKind::Word(memory, _) => {
                let memory = self.memories.get(*memory as usize)?;
                return memory.named.then(|| stem(&memory.name)).flatten().map(singular);
            }
            ExprKind::Array(..) => "element",
            ExprKind::Elements(_) => "count",
            ExprKind::Swizzle(inner, _) => return self.within(inner, depth),
            ExprKind::Construct(parts) => return self.construct(parts, depth),
            ExprKind::Unary(Unary::BitNot, _) => "bits",
            ExprKind::Unary(_, inner) => return self.within(inner, depth),
            ExprKind::Binary(operator, a, b) => return self.binary(expr, *operator, a, b, depth),
            ExprKind::Select(_, a, b) => {
                return self.within(a, depth).or_else(|| self.within(b, depth));
            }
            ExprKind::Builtin(builtin, args) => return self.builtin(*builtin, args, depth),
            ExprKind::Helper(helper, args) => return self.helper(*helper, args, depth),
            ExprKind::MatrixVector(global, _, _, vector) => {
                return Some(self.transformed(global.0, vector, depth));
            }
            ExprKind::Product(product) => {
                let Product { matrix, vector, .. } = &**product;
                return Some(self.transformed(matrix.0, vector, depth));
            }
            ExprKind::Texture(fetch) => return Some(self.texel(fetch)),
            ExprKind::Image(_, image, _) if image.query == crate::ImageQuery::Size => "size",
            ExprKind::Image(..) => "pixel",
            ExprKind::Convert(inner) => match self.within(inner, depth) {
                Some(word) => return Some(word),
                None if inner.ty.scalar == Scalar::Bool => "mask",
                None => return None,
            },
            ExprKind::Bitcast(inner) => return self.within(inner, depth),
        };
        Some(word.to_owned())
    }

    /// The word in the name of a global that the file names.
    fn global(&self, at: u32) -> Option<String> {
        let global = &self.globals.get(at as usize)?.global;
        match global.semantic.as_deref() {
            Some("frag-coord" | "tess-coord" | "point-coord") => return Some("coordinates".to_owned()),
            Some(
                "vertex-id" | "instance-id" | "primitive-id" | "invocation-id" | "sample-id" | "workgroup-id"
                | "local-id" | "global-id" | "local-index" | "lane-id",
            ) => {
                return Some("index".to_owned());
            }
            Some("tess-level-outer" | "tess-level-inner") => return Some("level".to_owned()),
            Some("position") => return Some("position".to_owned()),
            _ => {}
        }
        // `block0_4` says where something lies, not what it is.
        let says = global.named || !global.name.contains(|c: char| c.is_ascii_digit());
        says.then(|| stem(&global.name)).flatten()
    }

    fn construct(&self, parts: &[Expr], depth: u32) -> Option<String> {
        // What most components are.
        let widest = parts.iter().max_by_key(|part| {
            let literal = matches!(part.kind, ExprKind::Literal(_));
            (!literal, part.ty.components)
        })?;
        let word = self.within(widest, depth)?;
        // Parts of different kinds are something else together.
        let same = |part: &Expr| self.within(part, depth).is_none_or(|other| other == word);
        (widest.ty.components > 1 || parts.len() <= 4 && parts.iter().all(same)).then_some(word)
    }

    fn binary(&self, expr: &Expr, operator: Binary, a: &Expr, b: &Expr, depth: u32) -> Option<String> {
        let literal = |expr: &Expr| matches!(expr.kind, ExprKind::Literal(_));
        let float = expr.ty.scalar.is_float();
        let vector = expr.ty.components > 1;
        let is_color = |expr: &Expr| {
            let word = self.within(expr, depth).unwrap_or_default().to_lowercase();
            ["color", "colour", "texel", "albedo", "diffuse", "ambient", "specular"]
                .iter()
                .any(|known| word.contains(known))
        };
        let colored = float && expr.ty.components >= 3 && (is_color(a) || is_color(b));
        // What a number is added to stays what it is, where that is a place.
        let moved = || {
            let (from, by) = if literal(a) { (b, a) } else { (a, b) };
            let plain = matches!(
                from.kind,
                ExprKind::Local(_)
                    | ExprKind::Global(..)
                    | ExprKind::Swizzle(..)
                    | ExprKind::Convert(_)
                    | ExprKind::Builtin(Builtin::Modulo, _)
            );
            let word = self.within(from, depth).filter(|_| literal(by) && plain)?;
            let lower = word.to_lowercase();
            let stays = if float {
                ["position", "coord", "uv", "wrapped"].iter().any(|place| lower.contains(place))
            } else {
                word == "index"
            };
            stays.then_some(word)
        };
        if let (Binary::Add | Binary::Sub, Some(word)) = (operator, moved()) {
            return Some(word);
        }
        Some(
            match operator {
                Binary::Mul | Binary::Add if colored => "color",
                Binary::Mul if a == b && !literal(a) => "squared",
                Binary::Add if float && is_polynomial(expr) => "polynomial",
                Binary::Add if float && (is_dot(a) || is_dot(b)) => {
                    return if is_dot(a) { self.within(a, depth) } else { self.within(b, depth) };
                }
                Binary::Add if float && (self.is_way(a, depth) || self.is_way(b, depth)) => "position",
                Binary::Sub if float && literal(a) => "rest",
                Binary::Sub if float && literal(b) => "shifted",
                Binary::Mul if float && (literal(a) || literal(b)) => "scaled",
                Binary::Mul if float && a.ty.components != b.ty.components => "scaled",
                Binary::Mul => "product",
                Binary::Add if float && (literal(a) || literal(b)) => "shifted",
                Binary::Add => "sum",
                Binary::Sub if vector && float => "offset",
                Binary::Sub => "difference",
                Binary::Div if float && literal(a) => "reciprocal",
                Binary::Div if float => "ratio",
                Binary::Div => "quotient",
                Binary::Rem => "remainder",
                Binary::BitAnd | Binary::BitOr | Binary::BitXor | Binary::ShiftLeft | Binary::ShiftRight => {
                    "bits"
                }
                _ => return None,
            }
            .to_owned(),
        )
    }

    /// A direction times how far it goes.
    fn is_way(&self, expr: &Expr, depth: u32) -> bool {
        let ExprKind::Binary(Binary::Mul, a, b) = &expr.kind else { return false };
        let is = |expr: &Expr| self.within(expr, depth).is_some_and(|word| word == "direction");
        // Both sides may be components.
        let apart = a.ty.components == 1 || b.ty.components == 1;
        apart && is(a) != is(b)
    }

    /// A direction and something else added up.
    fn adds_direction(&self, expr: &Expr, depth: u32) -> bool {
        let ExprKind::Binary(Binary::Add, a, b) = &expr.kind else { return false };
        [a, b].into_iter().any(|side| self.within(side, depth).is_some_and(|word| word == "direction"))
    }

    fn builtin(&self, builtin: Builtin, args: &[Expr], depth: u32) -> Option<String> {
        let first = |words: &Self| args.iter().find_map(|arg| words.within(arg, depth));
        let is = |at: usize, part: &str| {
            let word = args.get(at).and_then(|arg| self.within(arg, depth)).unwrap_or_default();
            word.to_lowercase().contains(part)
        };
        Some(
            match builtin {
                Builtin::Normalize if is(0, "normal") => "normal",
                Builtin::Normalize if is(0, "tangent") => "tangent",
                Builtin::Normalize if args.first().is_some_and(|arg| self.adds_direction(arg, depth)) => {
                    "halfway"
                }
                Builtin::Normalize => "direction",
                Builtin::Dot if is(0, "normal") || is(1, "normal") => "cosine",
                Builtin::Dot if args.first() == args.get(1) => "squared",
                Builtin::Dot if is(0, "direction") && is(1, "direction") => "cosine",
                Builtin::Dot => "projection",
                Builtin::Length
                    if args.first().is_some_and(|arg| {
                        matches!(arg.kind, ExprKind::Binary(Binary::Sub, ..))
                            || self.within(arg, depth).is_some_and(|word| word == "offset")
                    }) =>
                {
                    "range"
                }
                Builtin::Length => "magnitude",
                Builtin::InverseSqrt => "scale",
                Builtin::Sqrt => "root",
                Builtin::Exp2 => "exponential",
                Builtin::Log2 => "logarithm",
                Builtin::Sin => "sine",
                Builtin::Cos => "cosine",
                Builtin::Atan | Builtin::Atan2 => "angle",
                Builtin::Pow if is(0, "cosine") => "highlight",
                Builtin::Pow => "power",
                Builtin::Fract => "fraction",
                Builtin::Floor | Builtin::Trunc | Builtin::RoundEven | Builtin::Ceil => "whole",
                Builtin::Max | Builtin::Clamp if is(0, "cosine") => "intensity",
                Builtin::Clamp => return first(self).or_else(|| Some("clamped".to_owned())),
                Builtin::Abs
                    if ["offset", "difference", "wrapped", "shifted"].iter().any(|word| is(0, word)) =>
                {
                    "size"
                }
                Builtin::Min | Builtin::Max | Builtin::Abs => return first(self),
                Builtin::Mix | Builtin::Choose if is(0, "color") || is(1, "color") => "color",
                Builtin::Mix | Builtin::Choose => "blend",
                Builtin::Step => "mask",
                Builtin::Cross => "perpendicular",
                Builtin::Reflect => "reflected",
                Builtin::Refract => "refracted",
                Builtin::InverseTimes | Builtin::TimesInverse => "transformed",
                Builtin::FaceForward => "facing",
                Builtin::Sign => "side",
                Builtin::Fma => "sum",
                Builtin::Modulo => "wrapped",
                Builtin::DerivativeX => "slopeX",
                Builtin::DerivativeY => "slopeY",
                Builtin::DerivativeWidth => "footprint",
                Builtin::BitCount => "count",
                Builtin::BitReverse
                | Builtin::BitExtract
                | Builtin::BitInsert
                | Builtin::PackHalf
                | Builtin::PackDouble
                | Builtin::UnpackDouble
                | Builtin::Ballot => "bits",
                Builtin::FindMsb => "highest",
                Builtin::Significand => "significand",
                Builtin::Exponent => "exponent",
                Builtin::FindLsb => "lowest",
                Builtin::UnpackHalf => "halves",
                Builtin::PackNorm(_) => "bits",
                Builtin::UnpackNorm(_) => "unpacked",
                Builtin::Shuffle => return first(self),
                _ => return None,
            }
            .to_owned(),
        )
    }

    fn helper(&self, helper: Helper, args: &[Expr], depth: u32) -> Option<String> {
        let word = match helper {
            Helper::MulInfTimesZero | Helper::MulZeroWins => "product",
            Helper::DivideInt | Helper::DivideUint => "quotient",
            Helper::RemainderInt | Helper::RemainderUint => "remainder",
            Helper::BitExtractInt | Helper::BitExtractUint | Helper::BitInsert => "bits",
            _ => return args.iter().find_map(|arg| self.within(arg, depth)),
        };
        Some(word.to_owned())
    }

    /// A product with a matrix: a normal stays one, anything else is called after the matrix.
    fn transformed(&self, matrix: u32, vector: &Expr, depth: u32) -> String {
        let what = self.within(vector, depth).unwrap_or_default();
        if what.to_lowercase().contains("normal") {
            return "normal".to_owned();
        }
        let matrix = self.global(matrix).unwrap_or_default().to_lowercase();
        let word = if matrix.contains("proj") || matrix.contains("mvp") || matrix.contains("clip") {
            "clipPosition"
        } else if matrix.contains("view") || matrix.contains("eye") {
            "viewPosition"
        } else if matrix.contains("world") || matrix.contains("model") {
            "worldPosition"
        } else {
            "transformed"
        };
        word.to_owned()
    }

    fn texel(&self, fetch: &Fetch) -> String {
        let word = match fetch.texture.query {
            TextureQuery::Size => "size",
            TextureQuery::Level => "level",
            TextureQuery::Samples => "count",
            TextureQuery::Gather(_) => "gathered",
            _ if fetch.texture.shadow => "shadow",
            _ => {
                let name = self.globals.get(fetch.sampler.0 as usize).map(|sampler| &sampler.global);
                let word = name.filter(|name| name.named).and_then(|name| {
                    let word = stem(&name.name)?;
                    let bare = ["Texture", "Sampler", "Map", "Tex", "_texture", "_sampler", "_map", "_tex"]
                        .iter()
                        .find_map(|end| word.strip_suffix(end))
                        .unwrap_or(&word)
                        .to_owned();
                    (bare.len() >= 3 && bare != name.name && !bare.starts_with("tex")).then_some(bare)
                });
                return word.unwrap_or_else(|| "texel".to_owned());
            }
        };
        word.to_owned()
    }

    /// What is asked.
    fn truth(&self, expr: &Expr) -> Option<String> {
        let zero = |expr: &Expr| matches!(&expr.kind, ExprKind::Literal(bits) if bits.iter().all(|bits| *bits << 33 == 0));
        let word = match &expr.kind {
            ExprKind::Local(local) => return self.locals.get(local).cloned(),
            ExprKind::Global(global, index) => {
                let word = self.global(global.0)?;
                return Some(if index.is_some() { singular(word) } else { word });
            }
            ExprKind::Binary(operator, a, b) => match operator {
                Binary::Lt | Binary::Le if zero(b) => "isNegative",
                Binary::Lt | Binary::Le if zero(a) => "isPositive",
                Binary::Gt | Binary::Ge if zero(b) => "isPositive",
                Binary::Gt | Binary::Ge if zero(a) => "isNegative",
                Binary::Eq if zero(a) || zero(b) => "isZero",
                Binary::Ne if zero(a) || zero(b) => "isNonzero",
                Binary::Lt | Binary::Le => "isBelow",
                Binary::Gt | Binary::Ge => "isAbove",
                Binary::Eq => "isEqual",
                Binary::Ne => "isDifferent",
                _ => "condition",
            },
            ExprKind::Builtin(Builtin::LessThan | Builtin::LessThanEqual, _) => "isBelow",
            ExprKind::Builtin(Builtin::GreaterThan | Builtin::GreaterThanEqual, _) => "isAbove",
            ExprKind::Builtin(Builtin::Equal, _) => "isEqual",
            ExprKind::Builtin(Builtin::NotEqual, _) => "isDifferent",
            ExprKind::Builtin(Builtin::IsNan, _) => "isInvalid",
            ExprKind::Literal(_) => return None,
            _ => "condition",
        };
        Some(word.to_owned())
    }
}

fn is_dot(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Builtin(Builtin::Dot, _))
}

/// Whether powers of one thing are added up by Horner's rule, at least twice.
fn is_polynomial(expr: &Expr) -> bool {
    fn step(expr: &Expr) -> Option<(&Expr, &Expr)> {
        let ExprKind::Binary(Binary::Add | Binary::Sub, product, number) = &expr.kind else { return None };
        let ExprKind::Binary(Binary::Mul, a, b) = &product.kind else { return None };
        matches!(number.kind, ExprKind::Literal(_)).then_some((&**a, &**b))
    }
    let Some((a, b)) = step(expr) else { return false };
    let again = |inner: &Expr, by: &Expr| {
        step(inner).is_some_and(|(c, d)| !matches!(by.kind, ExprKind::Literal(_)) && (c == by || d == by))
    };
    again(a, b) || again(b, a)
}

/// What vectors in an expression are read at.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lanes<'t> {
    /// There is none: a number.
    Number,
    /// There is none: a value without components.
    Single,
    /// All at the same.
    Same(&'t [u8]),
}

impl<'t> Lanes<'t> {
    fn of(expr: &'t Expr, depth: u32) -> Option<Self> {
        let depth = depth.checked_sub(1)?;
        match &expr.kind {
            ExprKind::Literal(_) => Some(Self::Number),
            ExprKind::Swizzle(inner, lanes) => {
                let is_vector =
                    matches!(inner.kind, ExprKind::Local(_) | ExprKind::Global(..) | ExprKind::Column(..));
                is_vector.then_some(Self::Same(lanes))
            }
            ExprKind::Local(_) | ExprKind::Global(..) => (expr.ty.components == 1).then_some(Self::Single),
            ExprKind::Unary(_, inner) | ExprKind::Convert(inner) | ExprKind::Bitcast(inner) => {
                Self::of(inner, depth)
            }
            ExprKind::Binary(operator, a, b) => {
                let scales = matches!(operator, Binary::Mul | Binary::Div);
                Self::both(Self::of(a, depth)?, Self::of(b, depth)?, scales)
            }
            ExprKind::Builtin(
                Builtin::Abs
                | Builtin::Min
                | Builtin::Max
                | Builtin::Clamp
                | Builtin::Floor
                | Builtin::Fract
                | Builtin::Modulo
                | Builtin::PackDouble,
                args,
            ) => args
                .iter()
                .try_fold(Self::Number, |lanes, arg| Self::both(lanes, Self::of(arg, depth)?, false)),
            _ => None,
        }
    }

    /// Of two operands. A value without components changes which ones it is, unless it `scales`.
    fn both(a: Self, b: Self, scales: bool) -> Option<Self> {
        match (a, b) {
            (Self::Number, other) | (other, Self::Number) => Some(other),
            (Self::Single, other) | (other, Self::Single) if scales => Some(other),
            _ => (a == b).then_some(a),
        }
    }
}

/// The components that all vectors in an expression are read at, where these are one or two: `YZ`.
pub(super) fn lanes(expr: &Expr) -> Option<String> {
    let Lanes::Same(lanes) = Lanes::of(expr, DEEPEST)? else { return None };
    let letters = lanes.iter().map(|lane| ['X', 'Y', 'Z', 'W'].get(usize::from(*lane)));
    // The first two of something are its plane: these say nothing.
    (lanes.len() <= 2 && *lanes != [0, 1]).then(|| letters.collect::<Option<String>>()).flatten()
}

#[cfg(test)]
mod tests {
    use super::{singular, stem};

    #[test]
    fn words_in_names() {
        for (name, word) in [
            ("u_color", Some("color")),
            ("vColor", Some("color")),
            ("color0", Some("color")),
            ("Color", Some("color")),
            ("lights[1].direction", Some("direction")),
            ("cTexture0", Some("cTexture")),
            ("MVP", Some("MVP")),
            ("v_c", None),
            ("u", None),
            ("o2", None),
            ("sample", None),
            ("a.b", None),
        ] {
            assert_eq!(stem(name).as_deref(), word, "{name}");
        }
        assert_eq!(singular("lights".to_owned()), "light");
        assert_eq!(singular("glass".to_owned()), "glass");
    }
}
