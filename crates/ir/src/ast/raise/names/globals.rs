//! Names of inputs, outputs and uniforms that the file does not name, from what a program does with them.
//!
//! Only names that say nothing but a place are replaced: `attribute0`, `block0_4`, `o2`. What goes to the position is
//! the `position`; what is normalised or turned by a matrix is a `normal`; two components are a `texCoord`; four that
//! only pass through are a `color`. Varyings keep a number, `varying0`, for the stages that share them are not looked
//! at together here.

use super::super::super::walk::{bodies, exprs, for_each_expr, operands};
use super::super::super::{
    Binary, Builtin, Expr, ExprKind, Function, GlobalVar, LocalRef, Place, Program, Stmt,
};
use super::{Taken, number_until_free};
use crate::{Global, Shape, Space, UniformBlock};
use std::collections::{BTreeMap, BTreeSet};

/// Expressions that are followed from one place.
const MOST_STEPS: usize = 4096;
/// Values of a local that are followed.
const MOST_VALUES: usize = 4;

/// Gives names to globals, and takes them.
pub(in super::super) fn name_globals(program: &mut Program, taken: &mut Taken) {
    let wishes = wishes(program);
    for (at, wish) in wishes {
        let Some(variable) = program.globals.get_mut(at as usize) else { continue };
        // Of a member of structures the last word.
        let wish = match variable.global.name.split_once(Global::EACH) {
            Some((array, _)) => format!("{array}{}.{wish}", Global::EACH),
            None => wish,
        };
        let name = number_until_free(&wish, |name| taken.names.contains(name));
        taken.names.insert(name.clone());
        variable.global.name = name;
    }
}

/// The number of a name that says nothing but a place.
pub(super) fn place<'n>(name: &'n str, stem: &str) -> Option<&'n str> {
    let number = name.strip_prefix(stem)?;
    (!number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())).then_some(number)
}

/// Whether a global waits for a name: its own says a place, or nothing but the block that it lies in.
fn is_open(program: &Program, variable: &GlobalVar) -> bool {
    let global = &variable.global;
    if global.constant.is_some() {
        return false;
    }
    let made = |block: &UniformBlock| {
        let rest = global.name.strip_prefix(&block.name[..]);
        block.binding == global.binding
            && !block.named
            && ["block", "cb"].iter().any(|stem| place(&block.name, stem).is_some())
            && rest.is_some_and(|rest| rest.starts_with('_'))
    };
    let places = ["attribute", "input", "output", "o", "c", "b", "i", "v"];
    !global.named && places.iter().any(|stem| place(&global.name, stem).is_some())
        || global.space == Space::Uniform && program.blocks.iter().any(made)
}

fn wishes(program: &Program) -> Vec<(u32, String)> {
    if !program.globals.iter().any(|variable| is_open(program, variable)) {
        return Vec::new();
    }
    let mut uses = Uses::new(program);
    let is_vertex = is_vertex(program);
    for function in &program.functions {
        uses.function(function);
        uses.follow_positions(function, is_vertex);
    }
    let mut list = Vec::new();
    for (at, variable) in
        program.globals.iter().enumerate().filter(|(_, variable)| is_open(program, variable))
    {
        let at = at as u32;
        let global = &variable.global;
        let said = uses.word(at).map(str::to_owned);
        let components = global.shape.components();
        let number = global.name.trim_start_matches(|c: char| !c.is_ascii_digit());
        let wish = match global.space {
            Space::Input if is_vertex && global.semantic.is_none() => match (said, global.shape) {
                (Some(word), _) => Some(word),
                (None, Shape::Float { components: 2, elements: 0 }) => Some("texCoord".to_owned()),
                _ if place(&global.name, "attribute").is_none() => Some(format!("attribute{number}")),
                _ => None,
            },
            Space::Input | Space::Output if global.semantic.is_none() => Some(format!("varying{number}")),
            // Of an array the name of the block says more.
            Space::Uniform
                if global.shape.elements() > 0
                    && !matches!(global.shape, Shape::Matrix { .. })
                    && !global.name.contains(Global::EACH) =>
            {
                None
            }
            Space::Uniform => said.or_else(|| {
                let word = match global.shape {
                    Shape::Matrix { .. } => "matrix0",
                    Shape::Bool { .. } => "flag",
                    Shape::Int { .. } | Shape::Uint { .. } if components == 1 => "number",
                    _ if components == 1 => "factor",
                    _ => "vector",
                };
                Some(word.to_owned())
            }),
            _ => None,
        };
        list.extend(wish.map(|wish| (at, wish)));
    }
    list
}

/// Whether a program makes vertices from attributes.
fn is_vertex(program: &Program) -> bool {
    let is = |space: Space, semantic: &str| {
        program.globals.iter().any(|variable| {
            variable.global.space == space && variable.global.semantic.as_deref() == Some(semantic)
        })
    };
    is(Space::Output, "position")
        && !is(Space::Input, "tess-coord")
        && !program.globals.iter().any(|variable| variable.global.vertices > 0)
}

/// What globals are used for.
pub(super) struct Uses<'t> {
    program: &'t Program,
    /// The best word of each, the lowest number first.
    best: BTreeMap<u32, (u8, &'static str)>,
    /// What the locals of a function are given.
    values: BTreeMap<LocalRef, Vec<&'t Expr>>,
}

impl<'t> Uses<'t> {
    pub fn new(program: &'t Program) -> Self {
        Self { program, best: BTreeMap::new(), values: BTreeMap::new() }
    }

    /// Looks at a function.
    pub fn function(&mut self, function: &'t Function) {
        self.values.clear();
        self.collect(&function.body);
        self.body(&function.body);
    }

    /// The word for a global.
    pub fn word(&self, at: u32) -> Option<&'static str> {
        self.best.get(&at).map(|(_, word)| *word)
    }

    fn say(&mut self, at: u32, rank: u8, word: &'static str) {
        let best = self.best.entry(at).or_insert((rank, word));
        if rank < best.0 {
            *best = (rank, word);
        }
    }

    fn collect(&mut self, body: &'t [Stmt]) {
        for stmt in body {
            if let Stmt::Declare(local, Some(value)) | Stmt::Assign(Place::Local(local, _), value) = stmt {
                let values = self.values.entry(*local).or_default();
                if values.len() < MOST_VALUES {
                    values.push(value);
                }
            }
            for inner in bodies(stmt) {
                self.collect(inner);
            }
        }
    }

    fn body(&mut self, body: &'t [Stmt]) {
        for stmt in body {
            match stmt {
                Stmt::While { condition, .. } | Stmt::For { condition, .. } => {
                    if let ExprKind::Binary(_, a, b) = &condition.kind {
                        for side in [a, b] {
                            if let Some(global) = direct(side) {
                                self.say(global, 1, "count");
                            }
                        }
                    }
                }
                Stmt::Assign(Place::Global(to, ..), value) => {
                    let varying = self.program.globals.get(to.0 as usize);
                    let passes = varying
                        .is_some_and(|to| to.global.space == Space::Output && to.global.semantic.is_none());
                    if passes
                        && value.ty.components == 4
                        && let ExprKind::Global(global, None) = &value.kind
                    {
                        self.say(global.0, 5, "color");
                    }
                }
                _ => {}
            }
            for expr in exprs(stmt) {
                for_each_expr(expr, &mut |expr| self.expr(expr));
            }
            for inner in bodies(stmt) {
                self.body(inner);
            }
        }
    }

    fn is_uniform(&self, at: u32) -> bool {
        self.program.globals.get(at as usize).is_some_and(|found| found.global.space == Space::Uniform)
    }

    fn expr(&mut self, expr: &'t Expr) {
        match &expr.kind {
            ExprKind::Builtin(builtin, args) => {
                if *builtin == Builtin::TimesInverse {
                    self.turned_by_inverse(args);
                }
                for (position, arg) in args.iter().enumerate() {
                    let Some(global) = direct(arg) else { continue };
                    let uniform = self.is_uniform(global);
                    let three = arg.ty.components == 3;
                    match (builtin, uniform) {
                        (Builtin::Normalize | Builtin::Dot | Builtin::Cross, false) if three => {
                            self.say(global, 3, "normal");
                        }
                        (Builtin::Normalize | Builtin::Dot, true) if three => {
                            self.say(global, 3, "direction")
                        }
                        (Builtin::Mix, true) if position == 2 => self.say(global, 2, "weight"),
                        (Builtin::Mix, true) if arg.ty.components > 1 => self.say(global, 4, "color"),
                        (Builtin::Pow, true) if position == 1 => self.say(global, 2, "exponent"),
                        (Builtin::Min | Builtin::Max | Builtin::Clamp | Builtin::Step, true) => {
                            self.say(global, 7, "limit");
                        }
                        _ => {}
                    }
                }
            }
            ExprKind::MatrixVector(matrix, _, _, vector) => self.turned(matrix.0, vector),
            ExprKind::Product(product) => self.turned(product.matrix.0, &product.vector),
            ExprKind::Global(_, Some(index)) | ExprKind::Column(_, Some(index), _) => {
                let mut found = BTreeSet::new();
                self.reach(index, &mut found);
                for at in found {
                    let Some(global) = self.program.globals.get(at as usize) else { continue };
                    let several = global.global.shape.components() > 1;
                    match (global.global.space, global.global.shape) {
                        (Space::Input, Shape::Int { .. } | Shape::Uint { .. }) if several => {
                            self.say(at, 1, "boneIndices")
                        }
                        (Space::Uniform, Shape::Int { .. } | Shape::Uint { .. }) => self.say(at, 2, "index"),
                        _ => {}
                    }
                }
            }
            ExprKind::Texture(fetch) => {
                if let Some(global) = fetch.coordinates.as_ref().and_then(direct)
                    && !self.is_uniform(global)
                {
                    let cube = fetch.texture.shape.is_cube();
                    self.say(global, 4, if cube { "direction" } else { "texCoord" });
                }
                if let Some(ExprKind::Binary(Binary::Add, a, b)) =
                    fetch.coordinates.as_ref().map(|at| &at.kind)
                {
                    for global in [direct(a), direct(b)].into_iter().flatten() {
                        if self.is_uniform(global) {
                            self.say(global, 4, "offset");
                        }
                    }
                }
            }
            ExprKind::Binary(operator, a, b) => {
                for (side, other) in [(a, b), (b, a)] {
                    let Some(global) = direct(side) else { continue };
                    let texel = match &other.kind {
                        ExprKind::Swizzle(inner, _) => matches!(inner.kind, ExprKind::Texture(_)),
                        kind => matches!(kind, ExprKind::Texture(_)),
                    };
                    if !self.is_uniform(global) {
                        if texel && *operator == Binary::Mul && side.ty.components >= 3 {
                            self.say(global, 5, "color");
                        }
                        continue;
                    }
                    match operator {
                        Binary::Mul if texel && side.ty.components >= 3 => self.say(global, 2, "color"),
                        Binary::Mul => self.say(global, 6, "scale"),
                        Binary::Add | Binary::Sub => self.say(global, 7, "offset"),
                        Binary::Lt | Binary::Le | Binary::Gt | Binary::Ge => self.say(global, 5, "threshold"),
                        Binary::Eq | Binary::Ne => self.say(global, 6, "mode"),
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }

    /// A vector is multiplied with a matrix.
    fn turned(&mut self, matrix: u32, vector: &Expr) {
        self.say(matrix, 6, "matrix0");
        if let Some(global) = direct(vector).filter(|_| vector.ty.components == 3)
            && !self.is_uniform(global)
        {
            self.say(global, 2, "normal");
        }
    }

    /// A vector times an inverse, columns first: the transposed inverse turns the normals of what the matrix transforms.
    fn turned_by_inverse(&mut self, operands: &[Expr]) {
        let Some((vector, columns)) = operands.split_last() else { return };
        let column = columns.first().map(|column| match &column.kind {
            ExprKind::Swizzle(inner, _) => &inner.kind,
            kind => kind,
        });
        if let Some(ExprKind::Column(matrix, ..)) = column {
            self.say(matrix.0, 5, "model");
        }
        let three = match &vector.kind {
            ExprKind::Construct(parts) => parts.first().filter(|part| part.ty.components == 3),
            _ => Some(vector).filter(|vector| vector.ty.components == 3),
        };
        if let Some(global) = three.and_then(direct).filter(|global| !self.is_uniform(*global)) {
            self.say(global, 2, "normal");
        }
    }

    /// What goes to the position.
    fn follow_positions(&mut self, function: &'t Function, is_vertex: bool) {
        let mut found = BTreeSet::new();
        let mut sources = Vec::new();
        self.stores(&function.body, &mut sources);
        for source in sources {
            self.reach(source, &mut found);
        }
        let mut attributes = Vec::new();
        for at in found {
            let Some(variable) = self.program.globals.get(at as usize) else { continue };
            match (variable.global.space, variable.global.shape) {
                (Space::Uniform, Shape::Matrix { elements: 0, .. }) => self.say(at, 3, "transform"),
                (Space::Uniform, Shape::Matrix { .. }) => self.say(at, 3, "transforms"),
                (Space::Input, Shape::Float { components: 2.., .. })
                    if is_vertex && variable.global.semantic.is_none() =>
                {
                    attributes.push((variable.global.location, at));
                }
                _ => {}
            }
        }
        attributes.sort_unstable();
        let has_bones = self.best.values().any(|(_, word)| *word == "boneIndices");
        for (nth, (_, at)) in attributes.into_iter().enumerate() {
            match nth {
                0 => self.say(at, 0, "position"),
                _ if has_bones => self.say(at, 1, "boneWeights"),
                _ => {}
            }
        }
    }

    /// What is stored to the position.
    fn stores(&self, body: &'t [Stmt], found: &mut Vec<&'t Expr>) {
        for stmt in body {
            if let Stmt::Assign(Place::Global(to, ..), value) = stmt
                && self.program.globals.get(to.0 as usize).is_some_and(|to| {
                    to.global.space == Space::Output && to.global.semantic.as_deref() == Some("position")
                })
            {
                found.push(value);
            }
            for inner in bodies(stmt) {
                self.stores(inner, found);
            }
        }
    }

    /// All globals that an expression is made from, through locals too.
    fn reach(&self, from: &'t Expr, found: &mut BTreeSet<u32>) {
        let mut work = vec![from];
        let mut seen: BTreeSet<LocalRef> = BTreeSet::new();
        for _ in 0..MOST_STEPS {
            let Some(expr) = work.pop() else { return };
            match &expr.kind {
                ExprKind::Local(local) if seen.insert(*local) => {
                    work.extend(self.values.get(local).into_iter().flatten());
                }
                ExprKind::Global(global, _)
                | ExprKind::Column(global, ..)
                | ExprKind::MatrixVector(global, ..) => {
                    found.insert(global.0);
                }
                ExprKind::Product(product) => {
                    found.insert(product.matrix.0);
                }
                _ => {}
            }
            // What only chooses an element is not what is made.
            if !matches!(expr.kind, ExprKind::Global(..) | ExprKind::Column(..)) {
                work.extend(operands(expr));
            }
        }
    }
}

/// The global that an expression is, all of it or some components.
fn direct(expr: &Expr) -> Option<u32> {
    match &expr.kind {
        ExprKind::Global(global, _) => Some(global.0),
        ExprKind::Swizzle(inner, _) | ExprKind::Unary(_, inner) | ExprKind::Convert(inner) => direct(inner),
        ExprKind::Construct(parts) => match &parts[..] {
            [only] => direct(only),
            _ => None,
        },
        _ => None,
    }
}
