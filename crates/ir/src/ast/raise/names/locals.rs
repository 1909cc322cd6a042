//! Names of local variables.
//!
//! A name comes from the first of these that says one: what counts passes of a loop is `i`; what is stored to an
//! output is called after that; what grows in a loop is a `sum`; then what is computed, as [`super::words`] calls it,
//! where that says more than an operator; then what it is used for; then the operator; then its kind. The same word once
//! more gets the components that it is made of, or a number.

use super::super::super::walk::{bodies, exprs, for_each_expr, reads_local, written};
use super::super::super::{
    Action, Binary, Builtin, Expr, ExprKind, Function, GlobalVar, LocalRef, MemoryVar, Place, Program,
    Scalar, Stmt, Type,
};
use super::words::{Words, lanes, stem};
use super::{Taken, is_built_in, number_until_free};
use crate::{Space, TextureShape};
use std::collections::{BTreeMap, BTreeSet};

/// Values of a local that are looked at.
const MOST_VALUES: usize = 4;

/// Words that say how something was computed, and not what it is.
const ARITHMETIC: [&str; 14] = [
    "polynomial",
    "rest",
    "squared",
    "element",
    "sum",
    "product",
    "difference",
    "offset",
    "scaled",
    "shifted",
    "ratio",
    "reciprocal",
    "quotient",
    "bits",
];

/// What is known of a local.
#[derive(Default)]
struct Seen<'t> {
    /// It counts passes.
    counter: bool,
    /// What it is called where it is stored.
    becomes: Option<String>,
    /// How it grows in a loop.
    grows: Option<&'static str>,
    /// What it is given.
    values: Vec<&'t Expr>,
    /// What it is used for.
    used: Option<&'static str>,
    /// It is set in front of a way out of a loop.
    ends: bool,
}

/// Names the locals of all functions.
pub(in super::super) fn name_locals(program: &mut Program, taken: &mut Taken) {
    let Program { globals, functions, memories, .. } = program;
    for function in functions {
        let chosen = choose(function, globals, memories, taken);
        for (local, name) in function.locals.iter_mut().zip(chosen) {
            local.name = name;
        }
    }
}

fn choose(function: &Function, globals: &[GlobalVar], memories: &[MemoryVar], taken: &Taken) -> Vec<String> {
    let mut scan = Scan { globals, seen: Vec::new(), order: Vec::new() };
    scan.seen.resize_with(function.locals.len(), Seen::default);
    scan.order.extend(function.params.iter().copied());
    scan.body(&function.body, 0);
    let mut words = Words { globals, memories, locals: BTreeMap::new() };
    // What each is called, and how many are called that.
    let mut wishes: Vec<(LocalRef, String)> = Vec::with_capacity(function.locals.len());
    let mut counts: BTreeMap<String, u32> = BTreeMap::new();
    let all = (0..function.locals.len() as u32).map(LocalRef);
    for local in scan.order.iter().copied().chain(all) {
        let at = local.0 as usize;
        let (Some(seen), Some(own)) = (scan.seen.get(at), function.locals.get(at)) else { continue };
        if words.locals.contains_key(&local) {
            continue;
        }
        let word = if seen.counter { "index".to_owned() } else { word(seen, own.ty, &words) };
        *counts.entry(word.clone()).or_default() += u32::from(!seen.counter);
        words.locals.insert(local, word.clone());
        wishes.push((local, word));
    }
    let mut names = vec![String::new(); function.locals.len()];
    let mut used: BTreeSet<String> = BTreeSet::new();
    // What a word was last numbered with, so that thousands of one word do not search from the start.
    let mut numbers: BTreeMap<String, u32> = BTreeMap::new();
    for (local, word) in wishes {
        let at = local.0 as usize;
        let (Some(seen), Some(name)) = (scan.seen.get(at), names.get_mut(at)) else { continue };
        let is_taken = |name: &str| taken.names.contains(name) || used.contains(name);
        let chosen = if seen.counter {
            let letter = ["i", "j", "k", "l", "m", "n"].into_iter().find(|name| !is_taken(name));
            letter.map_or_else(|| number_until_free("index", is_taken), str::to_owned)
        } else {
            let several = counts.get(&word).is_some_and(|count| *count > 1);
            let apart = apart(seen, &word).filter(|name| several && !is_taken(name));
            apart
                .unwrap_or_else(|| numbered(&word, numbers.entry(word.clone()).or_insert(1), taken, is_taken))
        };
        used.insert(chosen.clone());
        *name = chosen;
    }
    names
}

/// A word with the components that the only value of a local is made of: `positionYZ`.
fn apart(seen: &Seen<'_>, word: &str) -> Option<String> {
    let [value] = seen.values[..] else { return None };
    let plain = word.ends_with(|c: char| c.is_ascii_lowercase());
    lanes(value).filter(|_| plain).map(|lanes| format!("{word}{lanes}"))
}

/// A word with the first number that makes it free, from the next one on.
fn numbered(word: &str, next: &mut u32, taken: &Taken, is_taken: impl Fn(&str) -> bool) -> String {
    // Where something of the file has the word, it is the value's own.
    let value = format!("{word}Value");
    let word = if taken.names.contains(word) { &value[..] } else { word };
    loop {
        let candidate = match *next {
            1 => word.to_owned(),
            number if word.ends_with(|c: char| c.is_ascii_digit()) => format!("{word}_{number}"),
            number => format!("{word}{number}"),
        };
        *next += 1;
        if !is_taken(&candidate) {
            return candidate;
        }
    }
}

fn word(seen: &Seen<'_>, ty: Type, words: &Words<'_>) -> String {
    if let Some(becomes) = &seen.becomes {
        return becomes.clone();
    }
    if seen.ends && ty.scalar == Scalar::Bool {
        return "done".to_owned();
    }
    let all: Vec<String> = seen.values.iter().filter_map(|value| words.of(value)).collect();
    // How something was computed is its name only where that is always so.
    let made = all
        .iter()
        .find(|word| !ARITHMETIC.contains(&&word[..]))
        .or_else(|| all.first().filter(|word| all.iter().all(|other| other == *word)))
        .cloned();
    let (strong, weak) = match made {
        Some(word) if ARITHMETIC.contains(&&word[..]) => (None, Some(word)),
        made => (made, None),
    };
    let used = seen.used.map(str::to_owned);
    // What counts through an array is an index, however it grows.
    let index = used.clone().filter(|word| word == "index" && !ty.scalar.is_float());
    let said = index.or(seen.grows.map(str::to_owned)).or(strong).or(used).or(weak);
    // What a truth value says is nothing for a number, nor are bits a float.
    let fits = |word: &String| {
        (ty.scalar == Scalar::Bool || !is_question(word)) && !(ty.scalar.is_float() && word == "bits")
    };
    if let Some(word) = said.filter(fits) {
        return word;
    }
    match (ty.scalar, ty.components) {
        (Scalar::Bool, _) => "flag",
        (Scalar::Int, 1) => "number",
        (Scalar::Uint, 1) => "bits",
        (Scalar::Float | Scalar::Double, 1) => "value",
        _ => "vector",
    }
    .to_owned()
}

/// Whether a word asks something: `isBelow`.
fn is_question(word: &str) -> bool {
    let asks = word.strip_prefix("is").is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase()));
    asks || word == "condition"
}

struct Scan<'t> {
    globals: &'t [GlobalVar],
    seen: Vec<Seen<'t>>,
    /// Locals as they are met.
    order: Vec<LocalRef>,
}

impl<'t> Scan<'t> {
    fn body(&mut self, body: &'t [Stmt], loops: u32) {
        for (at, stmt) in body.iter().enumerate() {
            match stmt {
                Stmt::For { counter, .. } => {
                    self.order.push(*counter);
                    self.with(*counter, |seen| seen.counter = true);
                }
                Stmt::Declare(local, value) => {
                    self.order.push(*local);
                    if let Some(value) = value {
                        self.given(*local, value, 0);
                    }
                }
                Stmt::Assign(Place::Local(local, _), value) => {
                    self.order.push(*local);
                    self.given(*local, value, loops);
                    let leaves = matches!(body.get(at + 1), Some(Stmt::Break | Stmt::Return(_)));
                    if leaves && matches!(&value.kind, ExprKind::Literal(bits) if bits[..] == [1]) {
                        self.with(*local, |seen| seen.ends = true);
                    }
                }
                Stmt::Assign(Place::Global(to, ..), value) => {
                    if let Some(local) = whole_local(value)
                        && let Some(word) = self.stored(to.0, value.ty)
                    {
                        self.with(local, |seen| {
                            seen.becomes.get_or_insert(word);
                        });
                    }
                }
                _ => self.order.extend(written(stmt).iter().map(|(local, _)| *local)),
            }
            if let Stmt::Act(act) = stmt
                && let Action::Image(..) = act.action
            {
                self.texels(&act.operands);
            }
            for expr in exprs(stmt) {
                for_each_expr(expr, &mut |expr| self.uses(expr));
            }
            let deeper = match stmt {
                Stmt::For { .. } | Stmt::While { .. } | Stmt::DoWhile { .. } | Stmt::Loop(_) => loops + 1,
                _ => loops,
            };
            for inner in bodies(stmt) {
                self.body(inner, deeper);
            }
        }
    }

    fn with(&mut self, local: LocalRef, change: impl FnOnce(&mut Seen<'t>)) {
        if let Some(seen) = self.seen.get_mut(local.0 as usize) {
            change(seen);
        }
    }

    /// A local gets a value.
    fn given(&mut self, local: LocalRef, value: &'t Expr, loops: u32) {
        if reads_local(value, local) {
            if loops > 0 {
                self.grows(local, value);
            }
            return;
        }
        self.with(local, |seen| {
            if seen.values.len() < MOST_VALUES {
                seen.values.push(value);
            }
        });
    }

    /// A local gets a value that is made from its own, in a loop.
    fn grows(&mut self, local: LocalRef, value: &Expr) {
        let ExprKind::Binary(operator, a, b) = &value.kind else { return };
        let own = |expr: &Expr| expr.kind == ExprKind::Local(local);
        let by = match (own(a), own(b)) {
            // Its square.
            (true, true) => return,
            (true, _) => b,
            (_, true) => a,
            _ => return,
        };
        let one = matches!(by.kind, ExprKind::Literal(_));
        let (counter, word) = match (operator, value.ty.scalar.is_float()) {
            (Binary::Add | Binary::Sub, false) if one && value.ty.components == 1 => (true, None),
            (Binary::Add, _) => (false, Some("sum")),
            (Binary::Mul, true) => (false, Some("product")),
            _ => return,
        };
        self.with(local, |seen| {
            seen.counter |= counter;
            seen.grows = seen.grows.or(word);
        });
    }

    /// What a value is called that goes to an output.
    fn stored(&self, to: u32, ty: Type) -> Option<String> {
        let global = &self.globals.get(to as usize)?.global;
        if global.space != Space::Output {
            return None;
        }
        let word = match global.semantic.as_deref() {
            Some("position") => "position".to_owned(),
            Some("color") => "color".to_owned(),
            Some("point-size") => "pointSize".to_owned(),
            Some("frag-depth") => "depth".to_owned(),
            Some(_) => return None,
            None if global.named || global.name.starts_with("color") => stem(&global.name)?,
            None => return (ty.components > 1).then(|| "result".to_owned()),
        };
        // The output itself has the plain word, unless the languages have one of their own for it.
        let same = self.globals.iter().any(|other| other.global.name == word && !is_built_in(&other.global));
        Some(if same { format!("{word}Value") } else { word })
    }

    /// What says which texel of an image.
    fn texels(&mut self, operands: &[Expr]) {
        let places = operands.iter().find(|operand| operand.ty.components > 1);
        if let Some(local) = places.filter(|places| !places.ty.scalar.is_float()).and_then(whole_local) {
            self.with(local, |seen| {
                seen.used.get_or_insert("coordinates");
            });
        }
    }

    fn uses(&mut self, expr: &'t Expr) {
        if let ExprKind::Image(_, _, operands) = &expr.kind {
            self.texels(operands);
        }
        let mut say = |local: Option<LocalRef>, word: &'static str| {
            if let Some(local) = local {
                self.with(local, |seen| {
                    seen.used.get_or_insert(word);
                });
            }
        };
        match &expr.kind {
            ExprKind::Texture(fetch) => {
                let word = match fetch.texture.shape {
                    TextureShape::Cube | TextureShape::CubeArray => "direction",
                    TextureShape::Plane | TextureShape::Rectangle => "uv",
                    _ => "coordinates",
                };
                say(fetch.coordinates.as_ref().and_then(whole_local), word);
                for level in &fetch.levels {
                    say(whole_local(level), "level");
                }
            }
            ExprKind::Global(_, Some(index))
            | ExprKind::Array(_, index)
            | ExprKind::Word(_, index)
            | ExprKind::Column(_, Some(index), _) => {
                each_summand(index, NESTED, &mut |local| say(Some(local), "index"));
            }
            ExprKind::Builtin(builtin, args) => {
                let mut of = |at: usize, word| say(args.get(at).and_then(scalar_local), word);
                match builtin {
                    Builtin::Mix => say(args.get(2).and_then(whole_local), "weight"),
                    Builtin::Pow => {
                        of(0, "base");
                        of(1, "exponent");
                    }
                    Builtin::Sin | Builtin::Cos => of(0, "angle"),
                    _ => {}
                }
            }
            ExprKind::Binary(Binary::ShiftLeft | Binary::ShiftRight, _, by) => say(scalar_local(by), "shift"),
            _ => {}
        }
    }
}

/// Deepest sum in an index that is looked at.
const NESTED: u32 = 4;

/// The locals in sums and products that make an index.
fn each_summand(expr: &Expr, depth: u32, meet: &mut dyn FnMut(LocalRef)) {
    let Some(depth) = depth.checked_sub(1) else { return };
    match &expr.kind {
        ExprKind::Local(local) => meet(*local),
        ExprKind::Convert(inner) | ExprKind::Bitcast(inner) if !inner.ty.scalar.is_float() => {
            each_summand(inner, depth, meet);
        }
        ExprKind::Binary(Binary::Add | Binary::Mul | Binary::Sub, a, b) => {
            each_summand(a, depth, meet);
            each_summand(b, depth, meet);
        }
        _ => {}
    }
}

/// The local that an expression is.
fn scalar_local(expr: &Expr) -> Option<LocalRef> {
    match expr.kind {
        ExprKind::Local(local) if expr.ty.components == 1 => Some(local),
        _ => None,
    }
}

/// The local that an expression is, all of it or some components.
fn whole_local(expr: &Expr) -> Option<LocalRef> {
    match &expr.kind {
        ExprKind::Local(local) => Some(*local),
        ExprKind::Swizzle(inner, _) => whole_local(inner),
        ExprKind::Construct(parts) => whole_local(parts.first()?),
        ExprKind::Builtin(Builtin::Clamp | Builtin::Min | Builtin::Max | Builtin::Abs, args) => {
            whole_local(args.first()?)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ast::{Local, MemoryVar};
    use crate::{Global, Shape};

    const FLOAT: Type = Type { scalar: Scalar::Float, components: 1 };
    const VECTOR: Type = Type { scalar: Scalar::Float, components: 3 };
    const BOOL: Type = Type { scalar: Scalar::Bool, components: 1 };
    const INT: Type = Type { scalar: Scalar::Int, components: 1 };

    fn expr(ty: Type, kind: ExprKind) -> Expr {
        Expr::new(ty, kind)
    }

    fn local(at: u32, ty: Type) -> Expr {
        expr(ty, ExprKind::Local(LocalRef(at)))
    }

    fn literal(ty: Type) -> Expr {
        expr(ty, ExprKind::Literal(vec![1; usize::from(ty.components)]))
    }

    fn names(types: &[Type], globals: Vec<GlobalVar>, body: Vec<Stmt>) -> Vec<String> {
        let locals = types.iter().map(|ty| Local { name: String::new(), ty: *ty }).collect();
        let function = Function { name: "main".to_owned(), locals, body, ..Function::default() };
        let mut taken = Taken { names: BTreeSet::from(["main".to_owned()]), functions: BTreeSet::new() };
        taken.names.extend(globals.iter().map(|variable| variable.global.name.clone()));
        let memories: [MemoryVar; 0] = [];
        choose(&function, &globals, &memories, &taken)
    }

    #[test]
    fn things_are_called_after_what_they_are() {
        let binary = |operator, ty, a, b| expr(ty, ExprKind::Binary(operator, Box::new(a), Box::new(b)));
        let color = Global::new("v_color", Space::Output, 0, 0, Shape::Float { components: 3, elements: 0 });
        let globals = vec![GlobalVar { global: color, matrix_rows: None }];
        let body = vec![
            Stmt::Declare(
                LocalRef(0),
                Some(expr(VECTOR, ExprKind::Builtin(Builtin::Normalize, vec![local(7, VECTOR)]))),
            ),
            Stmt::Declare(LocalRef(1), Some(binary(Binary::Lt, BOOL, local(2, FLOAT), literal(FLOAT)))),
            Stmt::Declare(LocalRef(2), Some(literal(FLOAT))),
            Stmt::For {
                counter: LocalRef(3),
                start: literal(INT),
                condition: binary(Binary::Lt, BOOL, local(3, INT), literal(INT)),
                step: literal(INT),
                body: vec![Stmt::Assign(
                    Place::Local(LocalRef(2), Vec::new()),
                    binary(Binary::Add, FLOAT, local(2, FLOAT), local(5, FLOAT)),
                )],
            },
            Stmt::Declare(LocalRef(4), Some(literal(VECTOR))),
            Stmt::Assign(
                Place::Global(super::super::super::super::GlobalRef(0), None, Vec::new()),
                local(4, VECTOR),
            ),
        ];
        let types = [VECTOR, BOOL, FLOAT, INT, VECTOR, FLOAT, FLOAT, VECTOR];
        let expected = ["direction", "isBelow", "sum", "i", "color", "value", "value2", "vector"];
        assert_eq!(names(&types, globals, body), expected);
    }

    #[test]
    fn uses_go_before_operators_and_components_before_numbers() {
        let binary = |operator, ty, a, b| expr(ty, ExprKind::Binary(operator, Box::new(a), Box::new(b)));
        let lane = |lane| expr(FLOAT, ExprKind::Swizzle(Box::new(local(9, VECTOR)), vec![lane]));
        let sum = |from| Some(binary(Binary::Add, FLOAT, from, literal(FLOAT)));
        let index = binary(Binary::Mul, INT, local(4, INT), literal(INT));
        let body = vec![
            Stmt::Declare(LocalRef(9), Some(literal(VECTOR))),
            Stmt::Declare(LocalRef(0), sum(lane(1))),
            Stmt::Declare(LocalRef(1), sum(lane(2))),
            Stmt::Declare(LocalRef(2), sum(binary(Binary::Add, FLOAT, lane(1), lane(2)))),
            // One more of the same component.
            Stmt::Declare(LocalRef(3), sum(binary(Binary::Mul, FLOAT, lane(1), local(8, FLOAT)))),
            Stmt::Declare(LocalRef(4), Some(binary(Binary::Mul, INT, local(6, INT), local(7, INT)))),
            Stmt::Assign(
                Place::Local(LocalRef(5), Vec::new()),
                expr(INT, ExprKind::Word(0, Box::new(index))),
            ),
        ];
        let types = [FLOAT, FLOAT, FLOAT, FLOAT, INT, INT, INT, INT, FLOAT, VECTOR];
        let found = names(&types, Vec::new(), body);
        assert_eq!(found[..5], ["shiftedY", "shiftedZ", "shifted", "shifted2", "index"]);
    }

    #[test]
    fn what_the_file_has_a_word_for_is_a_value() {
        let global = Global::new("vector", Space::Uniform, 0, 0, Shape::Float { components: 3, elements: 0 });
        let globals = vec![GlobalVar { global, matrix_rows: None }];
        let body = vec![
            Stmt::Declare(LocalRef(0), Some(literal(VECTOR))),
            Stmt::Declare(LocalRef(1), Some(literal(VECTOR))),
        ];
        assert_eq!(names(&[VECTOR, VECTOR], globals, body), ["vectorValue", "vectorValue2"]);
    }

    #[test]
    fn thousands_of_one_kind_have_a_number_each() {
        let types = vec![FLOAT; 20_000];
        let body = (0..20_000).map(|at| Stmt::Declare(LocalRef(at), Some(literal(FLOAT)))).collect();
        let names = names(&types, Vec::new(), body);
        assert_eq!((&names[0][..], &names[1][..], &names[19_999][..]), ("value", "value2", "value20000"));
    }
}
