//! From the typed tree of a shader to a module of the common language ([`unshade_ir`]).
//!
//! ```text
//! tree::Shader -interface-> places of what goes in and out -statement, expression, builtin-> Module over variables
//! ```
//!
//! Values are lists of scalars: a matrix by column, an array by element, a structure by member. Private variables are variables of
//! the module, one for each scalar; those with an array that some expression indexes by a number that is not known are words of a
//! [`LocalArray`]. What goes in and out lies in the address spaces of the module ([`interface`]). Functions are
//! written out where they are called: the language has no recursion.
//!
//! Each instruction says by [`Origin::instruction`](unshade_ir::Origin) which expression of the tree it comes from, and by its lane
//! which component of it, so that the lanes of one expression find each other.

mod arithmetic;
mod builtin;
mod call;
mod expression;
pub mod interface;
mod place;
mod statement;

use interface::Interface;
use place::Place;
use smallvec::SmallVec;
use statement::Exits;
use std::collections::HashMap;
use std::fmt;
use unshade_glsl::place::Span;
use unshade_glsl::tree::{ConstantId, ExpressionId, ExpressionKind, FunctionId, Shader, Storage, VariableId};
pub use unshade_glsl::types::Scalar;
use unshade_glsl::types::{Type, Types};
use unshade_ir::build::FunctionBuilder;
use unshade_ir::{BlockId, LocalArray, Module, Op, Origin, Value};

/// Most instructions that a program becomes.
pub const MOST_INSTRUCTIONS: usize = 1 << 18;
/// Most scalars that one value has.
pub const MOST_SCALARS: u64 = 1 << 14;
/// Most expressions and statements inside each other, with those of functions that are written out.
pub const MOST_DEPTH: usize = 400;
/// Most scalars that go in and out, each member of each instance of a block counted.
pub const MOST_INTERFACE: u64 = 1 << 20;
/// Private arrays of more scalars lie in memory however they are indexed.
const MOST_VARIABLES: u64 = 64;

/// The scalars of a value, in order.
type Values = SmallVec<[Value; 4]>;

/// A shader as a module.
#[derive(Debug, Clone)]
pub struct Translation {
    /// The program, over variables: [`unshade_ir::ssa`] turns them into values.
    pub module: Module,
    /// Where the expressions stand that instructions name as their origins.
    pub places: Vec<Span>,
    /// What goes in and out, and where it lies.
    pub interface: Interface,
}

/// What the common language has no words for, or what goes beyond a limit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unsupported {
    /// What it is, in words: what was found, and what could be written instead where there is something.
    pub message: String,
    /// Where it stands.
    pub span: Span,
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Unsupported {}

type Result<T> = std::result::Result<T, Unsupported>;

/// The module of a shader.
///
/// # Errors
/// [`Unsupported`] for what the common language does not have: lookups with a lower bound of the level, clocks, noise, functions of
/// subgroups beyond votes, ballots and shuffles, members of blocks of 8 or 16 bits; and for programs beyond [`MOST_INSTRUCTIONS`],
/// [`MOST_SCALARS`] and [`MOST_DEPTH`].
pub fn translate(shader: &Shader) -> Result<Translation> {
    let mut translator = Translator::new(shader)?;
    translator.program()?;
    let Translator { mut module, mut code, prologue, body, interface, .. } = translator;
    code.at(NOWHERE);
    code.switch_to(prologue);
    code.jump(body, &[]);
    module.entry = module.push_function(code.finish());
    let places = shader.expressions.iter().map(|(_, expression)| expression.span).collect();
    Ok(Translation { module, places, interface })
}

/// The origin of what no expression stands for.
const NOWHERE: Origin = Origin { instruction: u32::MAX, step: 0, lane: 0 };

/// A function that is being written out.
struct Frame {
    /// Where `return` goes.
    exit: BlockId,
    /// Where its result goes.
    result: Option<Place>,
}

struct Translator<'s> {
    shader: &'s Shader,
    module: Module,
    code: FunctionBuilder,
    /// The first block, in front of everything: tables that the program reads are filled there.
    prologue: BlockId,
    /// Where the program begins.
    body: BlockId,
    interface: Interface,
    /// By variable. Private ones get theirs when they are first met.
    homes: Vec<Option<Place>>,
    /// By variable: some expression indexes an array in it by a number that is not known.
    indexed: Vec<bool>,
    /// Constants that are indexed so.
    tables: HashMap<ConstantId, Place>,
    /// What parameters stand for that are textures, samplers or images.
    handles: HashMap<VariableId, Place>,
    results: HashMap<FunctionId, Place>,
    frames: Vec<Frame>,
    exits: Vec<Exits>,
    /// The block has its way out already: what follows is never reached.
    has_ended: bool,
    origin: Origin,
    count: usize,
    depth: usize,
    interface_words: u64,
}

impl<'s> Translator<'s> {
    fn new(shader: &'s Shader) -> Result<Self> {
        let mut code = FunctionBuilder::new("main");
        let prologue = code.current();
        let body = code.block();
        code.switch_to(body);
        let mut translator = Self {
            shader,
            module: Module { from_shading_language: true, vectors_by_use: true, ..Module::default() },
            code,
            prologue,
            body,
            interface: Interface::default(),
            homes: vec![None; shader.variables.len()],
            indexed: indexed(shader),
            tables: HashMap::new(),
            handles: HashMap::new(),
            results: HashMap::new(),
            frames: Vec::new(),
            exits: Vec::new(),
            has_ended: false,
            origin: NOWHERE,
            count: 0,
            depth: 0,
            interface_words: 0,
        };
        translator.place_interface()?;
        Ok(translator)
    }

    /// Initial values of global variables, then `main`.
    fn program(&mut self) -> Result<()> {
        let shader = self.shader;
        for &id in &shader.globals {
            let variable = &shader.variables[id];
            if let Some(initial) = variable.initial
                && matches!(variable.storage, Storage::Global | Storage::Out)
                && variable.is_used
            {
                let values = self.value(initial)?;
                let place = self.variable(id, variable.span)?;
                self.store(&place, &values, variable.span)?;
            }
        }
        let exit = self.code.block();
        self.frames.push(Frame { exit, result: None });
        if let Some(body) = &shader.functions[shader.entry].body {
            self.statements(&body.statements)?;
        }
        self.jump(exit);
        self.continue_in(exit);
        self.code.at(NOWHERE);
        self.code.returns(&[]);
        Ok(())
    }

    fn types(&self) -> &'s Types {
        &self.shader.types
    }

    fn ty(&self, id: ExpressionId) -> Type {
        self.shader.expressions[id].ty
    }

    fn span(&self, id: ExpressionId) -> Span {
        self.shader.expressions[id].span
    }

    /// The scalars that a value of the type has.
    fn leaves(&self, ty: Type, span: Span) -> Result<Vec<Scalar>> {
        if self.types().scalars(ty) > MOST_SCALARS {
            let found = self.types().name(ty);
            return Err(unsupported(
                format!("expected a value of at most {MOST_SCALARS} numbers, found {found}"),
                span,
            ));
        }
        let mut leaves = Vec::new();
        add_leaves(self.types(), ty, &mut leaves);
        Ok(leaves)
    }

    // ---- instructions

    /// Instructions come from this expression from now on.
    fn at(&mut self, id: ExpressionId) {
        self.origin = Origin { instruction: u32::try_from(id.index()).unwrap_or(u32::MAX), step: 0, lane: 0 };
        self.code.at(self.origin);
    }

    /// Instructions belong to this component from now on.
    fn lane(&mut self, lane: usize) {
        self.origin.lane = (lane % 4) as u8;
        self.code.at(self.origin);
    }

    fn op(&mut self, op: Op, args: &[Value]) -> Value {
        self.count += 1;
        self.code.value(op, args)
    }

    fn effect(&mut self, op: Op, args: &[Value]) {
        self.count += 1;
        self.code.effect(op, args);
    }

    fn bits(&mut self, bits: u32) -> Value {
        self.op(Op::B32(bits), &[])
    }

    fn float(&mut self, value: f32) -> Value {
        self.bits(value.to_bits())
    }

    // ---- blocks

    fn jump(&mut self, block: BlockId) {
        if !self.has_ended {
            self.code.jump(block, &[]);
            self.has_ended = true;
        }
    }

    fn branch(&mut self, condition: Value, then: BlockId, otherwise: BlockId) {
        if !self.has_ended {
            self.code.branch(condition, then, otherwise);
            self.has_ended = true;
        }
    }

    fn continue_in(&mut self, block: BlockId) {
        self.code.switch_to(block);
        self.has_ended = false;
    }

    /// A new array private to the invocation.
    fn local_array(&mut self, name: &str, words: u32) -> u32 {
        let binding = self.module.arrays.len() as u32;
        self.module.arrays.push(LocalArray { name: name.to_owned(), words });
        binding
    }

    /// One level further inside.
    fn enter(&mut self, span: Span) -> Result<()> {
        self.depth += 1;
        match self.depth > MOST_DEPTH {
            true => {
                let message = format!(
                    "expected at most {MOST_DEPTH} expressions and statements inside each other, with those of \
                    called functions, found more"
                );
                Err(unsupported(message, span))
            }
            false => Ok(()),
        }
    }

    fn within_limits(&self, span: Span) -> Result<()> {
        match self.count > MOST_INSTRUCTIONS {
            true => Err(unsupported(
                format!(
                    "expected a program of at most {MOST_INSTRUCTIONS} instructions with its functions written out, found more"
                ),
                span,
            )),
            false => Ok(()),
        }
    }
}

fn unsupported(message: impl Into<String>, span: Span) -> Unsupported {
    Unsupported { message: message.into(), span }
}

/// Adds the scalars of a type, in order. Arrays without a length have none.
fn add_leaves(types: &Types, ty: Type, leaves: &mut Vec<Scalar>) {
    match ty {
        Type::Scalar(scalar) | Type::Vector(scalar, _) | Type::Matrix(scalar, ..) => {
            leaves.extend(std::iter::repeat_n(scalar, ty.components().unwrap_or(1).into()));
        }
        Type::Array(id) => {
            let element = types.get_array(id).element;
            for _ in 0..types.length(ty).unwrap_or(0) {
                add_leaves(types, element, leaves);
            }
        }
        Type::Struct(id) => {
            for member in &types.structure(id).members {
                add_leaves(types, member.ty, leaves);
            }
        }
        Type::Void | Type::Opaque(_) | Type::AtomicCounter => {}
    }
}

/// For each variable whether an array in it is indexed by a number that is not known.
fn indexed(shader: &Shader) -> Vec<bool> {
    let mut indexed = vec![false; shader.variables.len()];
    for (_, expression) in shader.expressions.iter() {
        if let ExpressionKind::Index { base, index } = expression.kind
            && matches!(shader.expressions[base].ty, Type::Array(_))
            && !matches!(shader.expressions[index].kind, ExpressionKind::Constant(_))
            && let Some(root) = shader.root(base)
            && let Some(mark) = indexed.get_mut(root.index())
        {
            *mark = true;
        }
    }
    indexed
}

/// The type of the common language that holds a scalar.
fn ir_type(scalar: Scalar) -> unshade_ir::Type {
    match scalar {
        Scalar::Bool => unshade_ir::Type::Bool,
        Scalar::Int64 | Scalar::Uint64 | Scalar::Double => unshade_ir::Type::B64,
        Scalar::Float16 => unshade_ir::Type::B16,
        _ => unshade_ir::Type::B32,
    }
}

/// Words that a scalar takes in memory that is the program's own.
fn words_of(scalar: Scalar) -> u32 {
    match scalar {
        Scalar::Int64 | Scalar::Uint64 | Scalar::Double => 2,
        _ => 1,
    }
}
