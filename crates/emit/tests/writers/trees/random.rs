//! Random programs that keep the rules of the tree and always end.

use super::*;
use unshade_ir::LocalArray;
use unshade_ir::ast::{FunctionRef, Program};
use unshade_stage::StageKind;

/// What to make.
#[derive(Clone, Copy)]
pub struct Recipe {
    pub kind: StageKind,
    /// Only operations whose result every machine computes alike, so that results can be compared.
    pub comparable: bool,
    /// Doubles and floats of 16 bits too.
    pub doubles: bool,
}

/// A program of the seed.
pub fn program(seed: u64, recipe: Recipe) -> Program {
    let mut generator = Generator {
        state: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x1234_5678_9abc_def1,
        recipe,
        globals: Vec::new(),
        functions: Vec::new(),
        locals: Vec::new(),
        visible: Vec::new(),
        results: Vec::new(),
        loops: Vec::new(),
        budget: 0,
    };
    generator.program()
}

/// Words of the private array.
const WORDS: u32 = 8;

pub struct Generator {
    state: u64,
    pub recipe: Recipe,
    globals: Vec<GlobalVar>,
    functions: Vec<Function>,
    /// Of the function in work.
    locals: Vec<Local>,
    /// Locals in scope, with whether they may be assigned.
    visible: Vec<(u32, bool)>,
    results: Vec<Type>,
    /// Whether `continue` is allowed, for each loop or switch around.
    loops: Vec<bool>,
    budget: u32,
}

impl Generator {
    pub fn next(&mut self, below: u32) -> u32 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        ((self.state >> 33) as u32) % below.max(1)
    }

    pub fn chance(&mut self, percent: u32) -> bool {
        self.next(100) < percent
    }

    fn program(&mut self) -> Program {
        self.interface();
        let functions = self.next(4);
        for index in 0..functions {
            let params = self.next(3);
            let results = self.next(4).min(3);
            let function = self.function(&format!("step{index}"), params, results);
            self.functions.push(function);
        }
        let entry = self.function("main", 0, 0);
        self.functions.push(entry);
        Program {
            globals: std::mem::take(&mut self.globals),
            arrays: vec![LocalArray { name: "scratch".to_owned(), words: WORDS }],
            memories: Vec::new(),
            blocks: Vec::new(),
            functions: std::mem::take(&mut self.functions),
            assumptions: Vec::new(),
            max_vertices: Some(64),
        }
    }

    fn interface(&mut self) {
        let mut globals = vec![
            vector("tint", Space::Uniform, 0, 4),
            vector("half", Space::Uniform, 1, 1),
            vector("offset", Space::Uniform, 2, 3),
            vector("gain", Space::Uniform, 3, 1),
            vector("range", Space::Uniform, 4, 2),
            matrix("view", Space::Uniform, 8, 4, 4),
            matrix("normalMatrix", Space::Uniform, 12, 3, 4),
            matrix("flat", Space::Uniform, 16, 2, 3),
            global("bones", Space::Uniform, 20, Shape::Float { components: 4, elements: 4 }),
            global("pairs", Space::Uniform, 24, Shape::Float { components: 2, elements: 2 }),
            global("count", Space::Uniform, 26, Shape::Int { components: 4, elements: 0 }),
            global("on", Space::Uniform, 27, Shape::Bool { components: 1, elements: 0 }),
            global("flags", Space::Uniform, 28, Shape::Bool { components: 1, elements: 4 }),
        ];
        let mut table = global("table", Space::Uniform, 40, Shape::Float { components: 3, elements: 2 });
        table.global.constant =
            Some([0.5f32, -1.0, 2.0, 0.0, 3.0, 0.25, -4.0, 0.0].map(f32::to_bits).to_vec());
        globals.push(table);
        let components = 1 + self.next(4) as u8;
        globals.push(vector("place", Space::Input, 0, 4));
        globals.push(vector("normal", Space::Input, 1, components));
        if self.recipe.kind == StageKind::Vertex {
            globals.push(matrix("instance", Space::Input, 2, 3, 4));
        }
        globals.push(position_output());
        globals.push(vector("color", Space::Output, 1, 4));
        let components = 1 + self.next(4) as u8;
        globals.push(vector("texcoord0", Space::Output, 2, components));
        globals.push(vector("fog", Space::Output, 3, 1));
        // Some are not used, so that buffers and locations have gaps.
        let drop = self.next(8) as usize;
        if drop > 0 {
            globals.remove(drop - 1);
        }
        self.globals = globals;
    }

    fn function(&mut self, name: &str, params: u32, results: u32) -> Function {
        self.locals = Vec::new();
        self.visible = Vec::new();
        for _ in 0..params {
            let ty = self.any_type();
            let local = self.local("in", ty);
            self.visible.push((local, true));
        }
        self.results = (0..results).map(|_| self.any_type()).collect();
        self.budget = 14;
        let mut body = self.block(0);
        if results == 0 && params == 0 && self.recipe.kind == StageKind::Geometry {
            // A triangle at least, some outputs from one vertex to the next as they are.
            for _ in 0..3 {
                let (place, ty) = self.output();
                let value = self.expr(ty, 2);
                body.extend([Stmt::Assign(place, value), Stmt::EmitVertex(0, unshade_ir::ast::Link::NONE)]);
            }
        }
        let values = self.result_values();
        body.push(Stmt::Return(values));
        Function {
            name: name.to_owned(),
            params: (0..params).map(LocalRef).collect(),
            results: std::mem::take(&mut self.results),
            locals: std::mem::take(&mut self.locals),
            body,
            links: Default::default(),
        }
    }

    fn result_values(&mut self) -> Vec<Expr> {
        self.results.clone().into_iter().map(|ty| self.expr(ty, 2)).collect()
    }

    fn local(&mut self, stem: &str, ty: Type) -> u32 {
        let index = self.locals.len() as u32;
        self.locals.push(Local { name: format!("{stem}{index}"), ty });
        index
    }

    fn any_type(&mut self) -> Type {
        let components = 1 + self.next(4) as u8;
        if self.recipe.doubles && self.chance(25) {
            return ty(Scalar::Double, components);
        }
        match self.next(6) {
            0 => ty(Scalar::Int, components),
            1 => UINT,
            2 => BOOL,
            _ => ty(Scalar::Float, components),
        }
    }

    // ---- statements

    fn block(&mut self, depth: u32) -> Vec<Stmt> {
        let scope = self.visible.len();
        let mut block = Vec::new();
        for _ in 0..1 + self.next(5) {
            if self.budget == 0 {
                break;
            }
            self.budget -= 1;
            self.statement(depth, &mut block);
            if matches!(block.last(), Some(Stmt::Break | Stmt::Continue | Stmt::Return(_))) {
                break;
            }
        }
        self.visible.truncate(scope);
        block
    }

    fn statement(&mut self, depth: u32, block: &mut Vec<Stmt>) {
        if self.recipe.kind == StageKind::Geometry && self.chance(25) {
            block.push(if self.chance(85) {
                Stmt::EmitVertex(0, unshade_ir::ast::Link::NONE)
            } else {
                Stmt::EndPrimitive(0, unshade_ir::ast::Link::NONE)
            });
            return;
        }
        let nested = if depth < 4 { 16 } else { 8 };
        match self.next(nested) {
            0 | 1 => {
                let ty = self.any_type();
                let value = self.expr(ty, 4);
                let local = self.local("value", ty);
                block.push(Stmt::Declare(LocalRef(local), Some(value)));
                self.visible.push((local, true));
            }
            2 | 3 => {
                if let Some((place, ty)) = self.place() {
                    let value = self.expr(ty, 4);
                    block.push(Stmt::Assign(place, value));
                }
            }
            4 | 5 => {
                let (place, ty) = self.output();
                let value = self.expr(ty, 4);
                block.push(Stmt::Assign(place, value));
            }
            6 => {
                let index = self.index(WORDS);
                let value = self.expr(UINT, 3);
                block.push(Stmt::Assign(Place::Array(0, Box::new(index)), value));
            }
            7 => match (self.recipe.kind, self.chance(20)) {
                (StageKind::Fragment, true) => {
                    let condition = self.expr(BOOL, 2);
                    block.push(Stmt::If {
                        condition,
                        then: vec![Stmt::Discard(unshade_ir::ast::Link::NONE)],
                        otherwise: vec![],
                    });
                }
                _ => block.push(Stmt::Comment("Nothing happens here.".to_owned())),
            },
            8 | 9 => {
                let condition = self.expr(BOOL, 3);
                let then = self.block(depth + 1);
                let otherwise = if self.chance(50) { self.block(depth + 1) } else { Vec::new() };
                block.push(Stmt::If { condition, then, otherwise });
            }
            10 => self.call(block),
            11 => self.for_loop(depth, block),
            12 => self.guarded_loop(depth, block),
            13 => self.switch(depth, block),
            14 => {
                let condition = self.expr(BOOL, 2);
                let jump = match self.loops.last().copied() {
                    Some(true) if self.chance(40) => Stmt::Continue,
                    Some(_) if self.chance(70) => Stmt::Break,
                    _ => {
                        let values = self.result_values();
                        Stmt::Return(values)
                    }
                };
                block.push(Stmt::If { condition, then: vec![jump], otherwise: vec![] });
            }
            _ => {
                // A local that the branches give its value.
                let ty = self.any_type();
                let condition = self.expr(BOOL, 3);
                let (yes, no) = (self.expr(ty, 3), self.expr(ty, 3));
                let local = self.local("chosen", ty);
                let assign = |value| vec![assign_local(local, value)];
                block.push(Stmt::Declare(LocalRef(local), None));
                block.push(Stmt::If { condition, then: assign(yes), otherwise: assign(no) });
                self.visible.push((local, true));
            }
        }
    }

    fn call(&mut self, block: &mut Vec<Stmt>) {
        let count = self.functions.len() as u32;
        if count == 0 {
            return;
        }
        let function = self.next(count);
        let callee = &self.functions[function as usize];
        let params: Vec<Type> =
            callee.params.iter().map(|param| callee.locals[param.0 as usize].ty).collect();
        let results = callee.results.clone();
        let args = params.into_iter().map(|ty| self.expr(ty, 2)).collect();
        let mut declared = Vec::new();
        let results = results
            .into_iter()
            .map(|ty| {
                if self.chance(20) {
                    return None;
                }
                let local = self.local("got", ty);
                block.push(Stmt::Declare(LocalRef(local), None));
                declared.push(local);
                Some(Place::Local(LocalRef(local), Vec::new()))
            })
            .collect();
        block.push(Stmt::Call {
            function: FunctionRef(function),
            args,
            results,
            link: unshade_ir::ast::Link::NONE,
        });
        self.visible.extend(declared.into_iter().map(|local| (local, true)));
    }

    fn for_loop(&mut self, depth: u32, block: &mut Vec<Stmt>) {
        let counter = self.local("i", INT);
        let up = self.chance(70);
        let step = if up { 1 + self.next(2) as i32 } else { -1 };
        let limit = self.next(4) as i32;
        let condition = if up {
            less(local(counter, INT), int(limit))
        } else {
            binary(Binary::Gt, local(counter, INT), int(-limit))
        };
        self.visible.push((counter, false));
        self.loops.push(true);
        let body = self.block(depth + 1);
        self.loops.pop();
        self.visible.pop();
        block.push(Stmt::For { counter: LocalRef(counter), start: int(0), condition, step: int(step), body });
    }

    /// `while`, `do` or an endless loop, ended by a count of its own.
    fn guarded_loop(&mut self, depth: u32, block: &mut Vec<Stmt>) {
        let counter = self.local("n", INT);
        let form = self.next(3);
        block.push(declare(counter, int(0)));
        self.visible.push((counter, false));
        let more = less(local(counter, INT), int(1 + self.next(3) as i32));
        let count = assign_local(counter, add(local(counter, INT), int(1)));
        self.loops.push(true);
        let mut body = vec![count];
        if form == 0 {
            let stop = unary(Unary::Not, more.clone());
            body.push(Stmt::If { condition: stop, then: vec![Stmt::Break], otherwise: vec![] });
        }
        body.extend(self.block(depth + 1));
        self.loops.pop();
        block.push(match form {
            0 => Stmt::Loop(body),
            1 => Stmt::While { condition: more, body },
            _ => Stmt::DoWhile { body, condition: more },
        });
    }

    fn switch(&mut self, depth: u32, block: &mut Vec<Stmt>) {
        let scalar = if self.chance(70) { INT } else { UINT };
        let value = self.expr(scalar, 2);
        let inside_loop = self.loops.last() == Some(&true);
        self.loops.push(inside_loop);
        let mut selector = 0;
        let cases = (0..self.next(3))
            .map(|_| {
                let selectors: Vec<u32> = (0..1 + self.next(2)).map(|at| selector + at).collect();
                selector += 3;
                (selectors, self.block(depth + 1))
            })
            .collect();
        let default = if self.chance(60) { self.block(depth + 1) } else { Vec::new() };
        self.loops.pop();
        block.push(Stmt::Switch { value, cases, default });
    }

    fn place(&mut self) -> Option<(Place, Type)> {
        let assignable: Vec<u32> =
            self.visible.iter().filter(|(_, assignable)| *assignable).map(|(local, _)| *local).collect();
        let local = *assignable.get(self.next(assignable.len() as u32) as usize)?;
        let ty = self.locals[local as usize].ty;
        let (lanes, ty) = self.some_lanes(ty);
        Some((Place::Local(LocalRef(local), lanes), ty))
    }

    /// All components, or some in order.
    fn some_lanes(&mut self, ty: Type) -> (Vec<u8>, Type) {
        if ty.components == 1 || self.chance(60) {
            return (Vec::new(), ty);
        }
        let mut lanes: Vec<u8> = (0..ty.components).filter(|_| self.chance(50)).collect();
        if lanes.is_empty() {
            lanes.push(0);
        }
        let components = lanes.len() as u8;
        (lanes, Type { components, ..ty })
    }

    fn output(&mut self) -> (Place, Type) {
        let outputs: Vec<u32> = self.globals_of(|variable| variable.global.space == Space::Output);
        let index = outputs[self.next(outputs.len() as u32) as usize];
        let Shape::Float { components, .. } = self.globals[index as usize].global.shape else {
            unreachable!()
        };
        let (lanes, ty) = self.some_lanes(ty(Scalar::Float, components));
        (Place::Global(GlobalRef(index), None, lanes), ty)
    }

    fn globals_of(&self, fits: impl Fn(&GlobalVar) -> bool) -> Vec<u32> {
        (0..self.globals.len() as u32).filter(|&index| fits(&self.globals[index as usize])).collect()
    }

    // ---- expressions

    pub fn expr(&mut self, ty: Type, depth: u32) -> Expr {
        if depth == 0 || self.chance(15) {
            return self.leaf(ty);
        }
        if ty.scalar != Scalar::Double
            && let Some(value) = self.of_doubles(ty, depth - 1)
        {
            return value;
        }
        match ty.scalar {
            Scalar::Double => self.double_expr(ty, depth - 1),
            Scalar::Float => self.float_expr(ty, depth - 1),
            Scalar::Int => self.int_expr(ty, depth - 1),
            Scalar::Uint => self.uint_expr(ty, depth - 1),
            Scalar::Bool if ty.components > 1 => self.comparison(ty.components, depth - 1),
            Scalar::Bool => self.bool_expr(depth - 1),
        }
    }

    pub fn leaf(&mut self, ty: Type) -> Expr {
        let locals: Vec<u32> = self
            .visible
            .iter()
            .map(|(local, _)| *local)
            .filter(|&local| {
                let own = self.locals[local as usize].ty;
                own.scalar == ty.scalar && own.components >= ty.components
            })
            .collect();
        if !locals.is_empty() && self.chance(50) {
            let index = locals[self.next(locals.len() as u32) as usize];
            let own = self.locals[index as usize].ty;
            let value = local(index, own);
            return self.narrowed(value, ty.components);
        }
        if !matches!(ty.scalar, Scalar::Uint | Scalar::Double) && self.chance(60) {
            return self.global_value(ty);
        }
        self.literal(ty)
    }

    /// So many components of a value that has at least as many.
    fn narrowed(&mut self, value: Expr, components: u8) -> Expr {
        if value.ty.components == components && self.chance(80) {
            return value;
        }
        let width = u32::from(value.ty.components);
        let lanes: Vec<u8> = (0..components).map(|_| self.next(width) as u8).collect();
        Expr::new(Type { components, ..value.ty }, ExprKind::Swizzle(Box::new(value), lanes))
    }

    fn literal(&mut self, ty: Type) -> Expr {
        if ty.scalar == Scalar::Double {
            let bits = (0..ty.components).map(|_| self.double_literal()).collect();
            return Expr::new(ty, ExprKind::Literal(bits));
        }
        let bits = (0..ty.components)
            .map(|_| match ty.scalar {
                Scalar::Float if !self.recipe.comparable && self.chance(4) => {
                    [0x7f80_0000, 0xff80_0000, 0x7fc0_0000, 0x8000_0000, 1, 0x7f7f_ffff]
                        [self.next(6) as usize]
                }
                Scalar::Float => (self.next(33) as f32 / 8.0 - 2.0).to_bits(),
                Scalar::Int if self.chance(3) => 0x8000_0000,
                Scalar::Int => (self.next(12) as i32 - 4).cast_unsigned(),
                Scalar::Uint if self.chance(20) => self.next(u32::MAX),
                Scalar::Uint => self.next(9),
                Scalar::Bool | Scalar::Double => self.next(2),
            })
            .map(u64::from)
            .collect();
        Expr::new(ty, ExprKind::Literal(bits))
    }

    fn global_value(&mut self, ty: Type) -> Expr {
        let candidates = self.globals_of(|variable| {
            let components = match variable.global.shape {
                Shape::Float { components, .. } if ty.scalar == Scalar::Float => components,
                Shape::Int { components, .. } if ty.scalar == Scalar::Int => components,
                Shape::Bool { components, .. } if ty.scalar == Scalar::Bool => components,
                _ => 0,
            };
            components >= ty.components && variable.global.space != Space::Output
        });
        if candidates.is_empty() {
            return self.literal(ty);
        }
        let global = candidates[self.next(candidates.len() as u32) as usize];
        let shape = self.globals[global as usize].global.shape;
        let (components, elements) = (shape.components(), shape.elements());
        let index = (elements > 0).then(|| Box::new(self.index(elements)));
        let own = Type { components, ..ty };
        let value = Expr::new(own, ExprKind::Global(GlobalRef(global), index));
        self.narrowed(value, ty.components)
    }

    /// An index that stays inside.
    fn index(&mut self, elements: u32) -> Expr {
        if !elements.is_power_of_two() || self.chance(50) {
            return int(self.next(elements) as i32);
        }
        let value = self.expr(INT, 1);
        binary(Binary::BitAnd, value, int(elements as i32 - 1))
    }

    fn float_expr(&mut self, ty: Type, depth: u32) -> Expr {
        let one = FLOAT;
        match self.next(if self.recipe.comparable { 16 } else { 20 }) {
            0..=2 => {
                let operator = [Binary::Add, Binary::Sub, Binary::Mul][self.next(3) as usize];
                let left = self.expr(ty, depth);
                let right_type = if self.chance(25) { one } else { ty };
                let right = self.expr(right_type, depth);
                let swap = ty.components > 1 && self.chance(30);
                if swap { binary(operator, right, left) } else { binary(operator, left, right) }
            }
            3 => negate(self.expr(ty, depth)),
            4 => {
                let condition = self.expr(BOOL, depth);
                select(condition, self.expr(ty, depth), self.expr(ty, depth))
            }
            5 => {
                let function = [Builtin::Min, Builtin::Max][self.next(2) as usize];
                builtin(function, vec![self.expr(ty, depth), self.expr(ty, depth)])
            }
            6 => {
                let function =
                    [Builtin::Abs, Builtin::Floor, Builtin::Ceil, Builtin::Trunc][self.next(4) as usize];
                builtin(function, vec![self.expr(ty, depth)])
            }
            7 => {
                let helper_function = [
                    Helper::MulInfTimesZero,
                    Helper::MulZeroWins,
                    Helper::MaxSecond,
                    Helper::MinSecond,
                    Helper::MinNumber,
                    Helper::MaxNumber,
                ][self.next(6) as usize];
                helper(helper_function, vec![self.expr(ty, depth), self.expr(ty, depth)])
            }
            8 => {
                let helper_function = [Helper::Saturate, Helper::FlushDenormal][self.next(2) as usize];
                helper(helper_function, vec![self.expr(ty, depth)])
            }
            9 => {
                let condition = self.comparison(ty.components, depth.min(1));
                builtin(Builtin::Choose, vec![self.expr(ty, depth), self.expr(ty, depth), condition])
            }
            10 => self.constructed(ty, depth),
            11 => {
                let wider = ty.components + self.next(u32::from(5 - ty.components)) as u8;
                let value = self.expr(Type { components: wider, ..ty }, depth);
                self.narrowed(value, ty.components)
            }
            12 => self.matrix_product(ty, depth),
            13 => {
                let scalar = [Scalar::Int, Scalar::Bool][self.next(2) as usize];
                let value = self.expr(Type { scalar, ..ty }, depth.min(1));
                convert(Scalar::Float, value)
            }
            14 if ty == one => {
                let operand = self.wide_type();
                dot(self.expr(operand, depth), self.expr(operand, depth))
            }
            16 => {
                let function = [
                    Builtin::Sqrt,
                    Builtin::InverseSqrt,
                    Builtin::Exp2,
                    Builtin::Log2,
                    Builtin::Sin,
                    Builtin::Cos,
                    Builtin::Fract,
                    Builtin::RoundEven,
                    Builtin::Normalize,
                    Builtin::Atan,
                    Builtin::Sign,
                ][self.next(11) as usize];
                builtin(function, vec![self.expr(ty, depth)])
            }
            17 => {
                let function = [Builtin::Clamp, Builtin::Mix][self.next(2) as usize];
                builtin(function, vec![self.expr(ty, depth), self.expr(ty, depth), self.expr(ty, depth)])
            }
            18 => match self.next(8) {
                6 if ty.components > 1 => {
                    let eta = self.expr(one, depth);
                    builtin(Builtin::Refract, vec![self.expr(ty, depth), self.expr(ty, depth), eta])
                }
                7 if ty.components > 1 => {
                    let operands = vec![self.expr(ty, depth), self.expr(ty, depth), self.expr(ty, depth)];
                    builtin(Builtin::FaceForward, operands)
                }
                3 => builtin(Builtin::Atan2, vec![self.expr(ty, depth), self.expr(ty, depth)]),
                4 if ty.components > 1 => {
                    builtin(Builtin::Reflect, vec![self.expr(ty, depth), self.expr(ty, depth)])
                }
                0 => binary(Binary::Div, self.expr(ty, depth), self.expr(ty, depth)),
                1 if ty == VEC3 => builtin(Builtin::Cross, vec![self.expr(ty, depth), self.expr(ty, depth)]),
                2 => builtin(Builtin::Step, vec![self.expr(ty, depth), self.expr(ty, depth)]),
                _ => builtin(Builtin::Pow, vec![self.expr(ty, depth), self.expr(ty, depth)]),
            },
            19 if ty == one => {
                let operand = self.wide_type();
                builtin(Builtin::Length, vec![self.expr(operand, depth)])
            }
            19 => bitcast(Scalar::Float, self.expr(Type { scalar: Scalar::Uint, ..ty }, depth)),
            _ => self.leaf(ty),
        }
    }

    fn wide_type(&mut self) -> Type {
        ty(Scalar::Float, 2 + self.next(3) as u8)
    }

    pub fn constructed(&mut self, ty: Type, depth: u32) -> Expr {
        if ty.components == 1 {
            return self.leaf(ty);
        }
        if self.chance(25) {
            let value = self.expr(Type { components: 1, ..ty }, depth);
            return construct(ty.components, vec![value]);
        }
        let first = 1 + self.next(u32::from(ty.components) - 1) as u8;
        let parts =
            [first, ty.components - first].map(|components| self.expr(Type { components, ..ty }, depth));
        construct(ty.components, parts.to_vec())
    }

    fn matrix_product(&mut self, ty: Type, depth: u32) -> Expr {
        let matrices = self.globals_of(|variable| match variable.global.shape {
            Shape::Float { components: 3.., elements } => elements >= u32::from(ty.components),
            _ => false,
        });
        let global = matrices[self.next(matrices.len() as u32) as usize];
        let Shape::Float { components, elements } = self.globals[global as usize].global.shape else {
            unreachable!()
        };
        let first = self.next(elements - u32::from(ty.components) + 1) as u8;
        let columns = if components == 4 && self.chance(60) { 4 } else { 3 };
        let vector = self.expr(super::ty(Scalar::Float, columns), depth);
        product(global, first, ty.components, vector)
    }

    fn int_expr(&mut self, ty: Type, depth: u32) -> Expr {
        match self.next(8) {
            0 | 1 => {
                let operator =
                    [Binary::Add, Binary::Sub, Binary::Mul, Binary::BitAnd, Binary::BitOr, Binary::BitXor]
                        [self.next(6) as usize];
                binary(operator, self.expr(ty, depth), self.expr(ty, depth))
            }
            2 => {
                let operator = [Binary::ShiftLeft, Binary::ShiftRight][self.next(2) as usize];
                let by = self.next(32) as i32;
                let by =
                    Expr::new(ty, ExprKind::Literal(vec![by.cast_unsigned().into(); ty.components.into()]));
                binary(operator, self.expr(ty, depth), by)
            }
            3 => {
                let operator = [Unary::Negate, Unary::BitNot][self.next(2) as usize];
                unary(operator, self.expr(ty, depth))
            }
            4 => helper(Helper::ToIntSaturate, vec![self.expr(Type { scalar: Scalar::Float, ..ty }, depth)]),
            5 => {
                let condition = self.expr(BOOL, depth);
                select(condition, self.expr(ty, depth), self.expr(ty, depth))
            }
            6 => {
                let function = [Builtin::Min, Builtin::Max][self.next(2) as usize];
                builtin(function, vec![self.expr(ty, depth), self.expr(ty, depth)])
            }
            _ => {
                let condition = self.comparison(ty.components, depth.min(1));
                builtin(Builtin::Choose, vec![self.expr(ty, depth), self.expr(ty, depth), condition])
            }
        }
    }

    fn uint_expr(&mut self, ty: Type, depth: u32) -> Expr {
        match self.next(6) {
            0 if ty == UINT => {
                let index = self.index(WORDS);
                Expr::new(ty, ExprKind::Array(0, Box::new(index)))
            }
            1 => bitcast(Scalar::Uint, self.expr(Type { scalar: Scalar::Float, ..ty }, depth)),
            2 => bitcast(Scalar::Uint, self.expr(Type { scalar: Scalar::Int, ..ty }, depth)),
            3 => helper(Helper::ToUintSaturate, vec![self.expr(Type { scalar: Scalar::Float, ..ty }, depth)]),
            _ => {
                let operator =
                    [Binary::Add, Binary::BitAnd, Binary::BitOr, Binary::BitXor][self.next(4) as usize];
                binary(operator, self.expr(ty, depth), self.expr(ty, depth))
            }
        }
    }

    fn bool_expr(&mut self, depth: u32) -> Expr {
        match self.next(6) {
            0..=2 => {
                let operand = [FLOAT, INT][self.next(2) as usize];
                let operator = [Binary::Eq, Binary::Ne, Binary::Lt, Binary::Le, Binary::Gt, Binary::Ge]
                    [self.next(6) as usize];
                binary(operator, self.expr(operand, depth), self.expr(operand, depth))
            }
            3 => unary(Unary::Not, self.expr(BOOL, depth)),
            4 => {
                let operator =
                    [Binary::LogicalAnd, Binary::LogicalOr, Binary::LogicalXor][self.next(3) as usize];
                binary(operator, self.expr(BOOL, depth), self.expr(BOOL, depth))
            }
            _ if self.recipe.comparable => self.leaf(BOOL),
            _ => builtin(Builtin::IsNan, vec![self.expr(FLOAT, depth)]),
        }
    }

    pub fn comparison(&mut self, components: u8, depth: u32) -> Expr {
        if components == 1 {
            return self.expr(BOOL, depth);
        }
        let function = [
            Builtin::LessThan,
            Builtin::LessThanEqual,
            Builtin::GreaterThan,
            Builtin::GreaterThanEqual,
            Builtin::Equal,
            Builtin::NotEqual,
        ][self.next(6) as usize];
        let operand = ty(Scalar::Float, components);
        builtin(function, vec![self.expr(operand, depth), self.expr(operand, depth)])
    }
}
