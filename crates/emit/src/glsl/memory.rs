//! Memory that invocations share, images, barriers, other lanes, inputs at another place of the pixel.

use super::call::name as builtin_name;
use super::declaration::push_elements;
use super::dialect::DEMOTE;
use super::expression::{Printed, precedence};
use super::piece::Group;
use super::{Printer, Set, sampler, types};
use crate::interface::{Role, Slot};
use crate::names::Names;
use crate::visit::{self, Node};
use crate::{Error, Options};
use std::fmt::Write as _;
use unshade_ir::ast::{
    Act, Action, Builtin, Expr, ExprKind, GlobalRef, LocalRef, MemoryVar, Place, Program, Scalar, Stmt, Type,
    walk,
};
use unshade_ir::{
    AtomicOp, Barrier, Image, ImageFormat, ImageQuery, InputPlace, Shape, Space, Texel, TextureLevel,
    TextureQuery,
};
use unshade_stage::StageKind;

/// What a program does with an image or a storage buffer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Touched {
    reads: bool,
    writes: bool,
    /// Changed by an atomic operation.
    atomic: bool,
}

/// What a program does with each image (as [`Program::globals`]) and memory (as [`Program::memories`]).
#[derive(Debug, Clone, Default)]
pub(super) struct Memories {
    images: Vec<Touched>,
    memories: Vec<Touched>,
    /// It waits until all have seen what was written.
    waits: bool,
    /// The pixel may be dropped in the middle, and the quad be needed behind.
    demotes: bool,
}

impl Memories {
    pub fn of(program: &Program) -> Self {
        let mut found = Self {
            images: vec![Touched::default(); program.globals.len()],
            memories: vec![Touched::default(); program.memories.len()],
            ..Self::default()
        };
        for function in &program.functions {
            visit::block(&function.body, &mut |node| match node {
                Node::Expr(expr) => match &expr.kind {
                    ExprKind::Word(memory, _) => found.memories[*memory as usize].reads = true,
                    ExprKind::Image(global, image, _) if image.query == ImageQuery::Load => {
                        found.images[global.0 as usize].reads = true;
                    }
                    _ => {}
                },
                Node::Write(Place::Word(memory, ..)) => found.memories[*memory as usize].writes = true,
                _ => {}
            });
            visit::statements(&function.body, &mut |statement| {
                let Stmt::Act(act) = statement else { return };
                match act.action {
                    Action::Barrier(_) => found.waits = true,
                    Action::Demote => {}
                    Action::Atomic(_, memory) => {
                        found.memories[memory as usize] = Touched { reads: true, writes: true, atomic: true };
                    }
                    Action::Image(global, image) => {
                        let touched = &mut found.images[global.0 as usize];
                        touched.writes = true;
                        if matches!(image.query, ImageQuery::Atomic(_)) {
                            *touched = Touched { reads: true, writes: true, atomic: true };
                        }
                    }
                }
            });
        }
        let entry = program.functions.len().wrapping_sub(1);
        found.demotes = program.functions.iter().enumerate().any(|(index, function)| {
            let mut quads = Quads::default();
            quads.block(&function.body, false);
            // Behind a call there is more than this function shows.
            quads.needed || quads.demoted && index != entry
        });
        found
    }
}

/// Looks for pixels that are dropped before the quad is needed.
#[derive(Default)]
struct Quads {
    demoted: bool,
    needed: bool,
}

impl Quads {
    fn block(&mut self, block: &[Stmt], in_needy_loop: bool) {
        for statement in block {
            self.needed |= self.demoted && needs(statement);
            match statement {
                Stmt::Act(act) if act.action == Action::Demote => {
                    self.demoted = true;
                    self.needed |= in_needy_loop;
                }
                Stmt::If { then, otherwise, .. } => {
                    let before = self.demoted;
                    self.block(then, in_needy_loop);
                    let then = std::mem::replace(&mut self.demoted, before);
                    self.block(otherwise, in_needy_loop);
                    self.demoted |= then;
                }
                Stmt::For { .. } | Stmt::While { .. } | Stmt::DoWhile { .. } | Stmt::Loop(_) => {
                    let mut needy = in_needy_loop || needs(statement);
                    for body in walk::bodies(statement) {
                        walk::for_each_stmt(body, &mut |inner| needy |= needs(inner));
                        self.block(body, needy);
                    }
                }
                statement => {
                    for body in walk::bodies(statement) {
                        self.block(body, in_needy_loop);
                    }
                }
            }
        }
    }
}

/// Whether a statement itself needs the other pixels, or calls something that may.
fn needs(statement: &Stmt) -> bool {
    let mut found = matches!(statement, Stmt::Call { .. });
    for expr in walk::exprs(statement) {
        walk::for_each_expr(expr, &mut |expr| {
            found |= match &expr.kind {
                ExprKind::Texture(fetch) => {
                    let implicit = matches!(fetch.texture.level, TextureLevel::Quad | TextureLevel::Bias);
                    implicit && matches!(fetch.texture.query, TextureQuery::Sample | TextureQuery::Level)
                }
                ExprKind::Builtin(function, _) => asks_others(*function),
                _ => false,
            };
        });
    }
    found
}

fn asks_others(function: Builtin) -> bool {
    matches!(
        function,
        Builtin::DerivativeX
            | Builtin::DerivativeY
            | Builtin::DerivativeWidth
            | Builtin::VoteAll
            | Builtin::VoteAny
            | Builtin::VoteEqual
            | Builtin::Ballot
            | Builtin::Shuffle
    )
}

/// Refuses memory in versions that do not have it.
pub(super) fn check(program: &Program, options: &Options) -> Result<(), Error> {
    if options.glsl.has_memory() {
        return Ok(());
    }
    let version = options.glsl.name();
    if let Some(memory) = program.memories.first() {
        return Err(Error::unsupported(format!("{} in GLSL {version}", memory.name)));
    }
    let mut images = program.globals.iter().filter(|variable| variable.global.space == Space::Image);
    match images.next() {
        Some(image) => Err(Error::unsupported(format!("the image {} in GLSL {version}", image.global.name))),
        None => Ok(()),
    }
}

/// Whether two parts are of one memory.
fn same_memory(a: &MemoryVar, b: &MemoryVar) -> bool {
    (a.space, a.binding) == (b.space, b.binding)
}

/// The names of the blocks of storage buffers, empty for other memory; all parts of one have the same. A name from
/// the file is the block's, and its words have one made from it.
pub(super) fn block_names(program: &Program, names: &mut Names) -> Vec<String> {
    let mut blocks: Vec<String> = Vec::new();
    for parts in program.memories.chunk_by(same_memory) {
        let first = blocks.len();
        let array = parts.iter().position(|part| part.is_array).map(|at| first + at);
        let block = match parts.first() {
            Some(part) if part.space == Space::Storage => match array.filter(|_| part.named) {
                Some(at) => {
                    let name = names.memories[at].clone();
                    names.memories[at] = names.add(&format!("{name}_values"));
                    name
                }
                None => {
                    let name = array.map_or(part.block.clone(), |at| names.memories[at].clone());
                    names.add(&capital(&name))
                }
            },
            _ => String::new(),
        };
        blocks.extend(parts.iter().map(|_| block.clone()));
    }
    blocks
}

impl Printer<'_> {
    /// Storage buffers and the memory of the work group.
    pub(super) fn memories(&mut self) -> Printed {
        let program = self.program;
        let mut first = 0;
        for parts in program.memories.chunk_by(same_memory) {
            let index = first;
            first += parts.len();
            self.piece(Group::Memory, |printer| printer.declare_memory(index, parts))?;
        }
        Ok(())
    }

    /// What lies in one memory, the first of it at an index among all.
    fn declare_memory(&mut self, index: usize, parts: &[MemoryVar]) -> Printed {
        let Some(memory) = parts.first() else { return Ok(()) };
        if memory.space == Space::Shared {
            if self.options.kind != StageKind::Compute {
                let message = format!("the memory of a work group in a {} program", self.options.kind);
                return Err(Error::unsupported(message));
            }
            for (name, part) in self.names.memories[index..].iter().zip(parts) {
                let length =
                    if part.is_array { format!("[{}]", part.elements().max(1)) } else { String::new() };
                let _ = writeln!(self.out, "shared {} {name}{length};", types::name(part.ty()));
            }
            return Ok(());
        }
        let mut touched = Touched::default();
        for part in &self.memories.memories[index..index + parts.len()] {
            touched.reads |= part.reads;
            touched.writes |= part.writes;
        }
        let qualifier = match touched {
            Touched { writes: false, .. } => "readonly ",
            Touched { reads: false, .. } => "writeonly ",
            _ if self.memories.waits => "coherent ",
            _ => "",
        };
        let block = self.memory_blocks[index].clone();
        let set = self.set(Set::Buffers);
        let _ = writeln!(
            self.out,
            "layout(std430, {set}binding = {}) {qualifier}buffer {block} {{",
            memory.binding
        );
        let mut end = 0_u32;
        for (at, part) in parts.iter().enumerate() {
            let alignment = if part.components == 3 { 4 } else { u32::from(part.components) };
            if part.offset > end.next_multiple_of(alignment) {
                let name = self.names.add("padding");
                let _ = writeln!(self.out, "    uint {name}[{}];", part.offset - end);
            }
            end = part.offset.saturating_add(part.components.into());
            let array = if part.is_array { "[]" } else { "" };
            let name = &self.names.memories[index + at];
            let ty = self.element_type(index + at, part.ty());
            let _ = writeln!(self.out, "    {ty} {name}{array};");
        }
        self.out.push_str("};\n");
        Ok(())
    }

    /// The declaration of an image.
    pub(super) fn image(&mut self, index: usize, slot: Slot) -> Printed {
        let Shape::Image { shape, texel, format, .. } = self.program.globals[index].global.shape else {
            return Ok(());
        };
        let touched = self.memories.images[index];
        let known = format.map(ImageFormat::name).or(match (touched.reads, texel, touched.atomic) {
            (false, ..) => None,
            (_, Texel::Float, _) => Some("rgba32f"),
            (_, Texel::Int, true) => Some("r32i"),
            (_, Texel::Int, false) => Some("rgba32i"),
            (_, Texel::Uint, true) => Some("r32ui"),
            (_, Texel::Uint, false) => Some("rgba32ui"),
        });
        let mut layout = Vec::new();
        if !self.options.links_by_name() {
            layout.push(format!(
                "{}binding = {}",
                self.set(Set::Images),
                self.program.globals[index].global.location
            ));
        }
        layout.extend(known.map(str::to_owned));
        let qualifier = match touched {
            Touched { reads: false, writes: false, .. } if known.is_none() => "writeonly ",
            Touched { writes: false, .. } => "readonly ",
            Touched { reads: false, .. } => "writeonly ",
            _ => "",
        };
        let ty = sampler::image_name(shape, texel);
        let name = &self.names.globals[index];
        if !layout.is_empty() {
            let _ = write!(self.out, "layout({}) ", layout.join(", "));
        }
        let _ = write!(self.out, "uniform {qualifier}{ty} {name}");
        push_elements(&mut self.out, &slot);
        self.out.push_str(";\n");
        Ok(())
    }

    /// `name[index]`, or the name of what is no array.
    pub(super) fn word(&mut self, memory: u32, index: &Expr) -> Printed {
        self.out.push_str(&self.names.memories[memory as usize]);
        if self.program.memories[memory as usize].is_array { self.index(index) } else { Ok(()) }
    }

    /// How many elements an array has that is as long as its buffer.
    pub(super) fn elements_of(&mut self, memory: u32) -> Printed {
        self.out.push_str(&self.names.memories[memory as usize]);
        self.out.push_str(".length()");
        Ok(())
    }

    /// The name of an image with the element of an array of them, and the operands behind.
    fn image_call(&mut self, function: &str, global: GlobalRef, operands: &[Expr]) -> Printed {
        self.out.push_str(function);
        self.out.push('(');
        self.out.push_str(&self.names.globals[global.0 as usize]);
        let is_array = self.slots[global.0 as usize].elements() > 0;
        let (element, operands) = operands.split_at(usize::from(is_array).min(operands.len()));
        element.iter().try_for_each(|element| self.index(element))?;
        for operand in operands {
            self.out.push_str(", ");
            self.expression(operand, precedence::ANY)?;
        }
        self.out.push(')');
        Ok(())
    }

    /// Components of a texel or of a size.
    pub(super) fn image_expression(
        &mut self,
        global: GlobalRef,
        image: Image,
        operands: &[Expr],
        lanes: &[u8],
    ) -> Printed {
        if image.query != ImageQuery::Size {
            self.image_call("imageLoad", global, operands)?;
            if lanes != [0, 1, 2, 3] {
                self.lanes(lanes);
            }
            return Ok(());
        }
        let count = image.size_components();
        if lanes.iter().all(|lane| *lane < count) {
            self.image_call("imageSize", global, operands)?;
            let whole = lanes.iter().copied().eq(0..count);
            if count > 1 && !whole {
                self.lanes(lanes);
            }
            return Ok(());
        }
        self.out.push_str("ivec4(");
        self.image_call("imageSize", global, operands)?;
        (count..4).for_each(|_| self.out.push_str(", 0"));
        self.out.push(')');
        if lanes != [0, 1, 2, 3] {
            self.lanes(lanes);
        }
        Ok(())
    }

    /// An input at another place of the pixel.
    pub(super) fn interpolated(
        &mut self,
        place: InputPlace,
        global: GlobalRef,
        operands: &[Expr],
        ty: Type,
    ) -> Printed {
        let slot = self.slots[global.0 as usize];
        if self.options.kind != StageKind::Fragment || slot.role != Role::Input || !self.version.has_memory()
        {
            let what = &self.program.globals[global.0 as usize].global.name;
            return Err(Error::unsupported(format!("{what} at another place of the pixel")));
        }
        if ty.scalar != Scalar::Float {
            return Err(Error::invalid("an input of integers between its places"));
        }
        self.out.push_str(match place {
            InputPlace::Centroid => "interpolateAtCentroid(",
            InputPlace::Sample => "interpolateAtSample(",
            InputPlace::Offset => "interpolateAtOffset(",
        });
        self.out.push_str(&self.names.globals[global.0 as usize]);
        let (element, at) = operands.split_at(usize::from(slot.elements() > 0).min(operands.len()));
        element.iter().try_for_each(|element| self.index(element))?;
        for operand in at {
            self.out.push_str(", ");
            self.expression(operand, precedence::ANY)?;
        }
        self.out.push(')');
        Ok(())
    }

    /// A question to the other lanes.
    pub(super) fn lanes_function(&mut self, builtin: Builtin, operands: &[Expr]) -> Printed {
        if !self.version.has_memory() {
            let message = format!("{} in GLSL {}", builtin_name(builtin), self.version.name());
            return Err(Error::unsupported(message));
        }
        self.uses.extension(match builtin {
            Builtin::Ballot => "GL_KHR_shader_subgroup_ballot",
            Builtin::Shuffle => "GL_KHR_shader_subgroup_shuffle",
            _ => "GL_KHR_shader_subgroup_vote",
        });
        self.call(builtin_name(builtin), operands)?;
        if builtin == Builtin::Ballot {
            self.out.push_str(".x");
        }
        Ok(())
    }

    /// An action; its result may be the first value of a local, which is declared here then.
    pub(super) fn act(&mut self, act: &Act, declared: Option<LocalRef>) -> Printed {
        let kind = self.options.kind;
        match act.action {
            Action::Barrier(Barrier::Control)
                if !matches!(kind, StageKind::Compute | StageKind::TessControl) =>
            {
                Err(Error::unsupported(format!("a barrier in a {kind} program")))
            }
            Action::Barrier(barrier) => self.say(match barrier {
                Barrier::Control => "barrier();",
                Barrier::Group if kind == StageKind::Compute => "groupMemoryBarrier();",
                Barrier::Group | Barrier::Memory => "memoryBarrier();",
            }),
            Action::Demote if kind != StageKind::Fragment => {
                Err(Error::unsupported(format!("discard in a {kind} program")))
            }
            // What neighbours ask of a dropped pixel afterwards is told by every driver though GLSL does not promise it; a
            // person wrote `discard`.
            Action::Demote if self.memories.demotes && self.options.strict => {
                self.uses.extension(DEMOTE);
                self.say("demote;")
            }
            Action::Demote => self.say("discard;"),
            Action::Atomic(op, memory) => {
                self.result(act.result.as_ref(), declared)?;
                self.out.push_str("atomic");
                self.out.push_str(atomic_name(op)?);
                self.out.push('(');
                let [word, values @ ..] = &act.operands[..] else {
                    return Err(Error::invalid("an atomic operation without a place"));
                };
                self.word(memory, word)?;
                for value in values {
                    self.out.push_str(", ");
                    self.expression(value, precedence::ANY)?;
                }
                self.out.push_str(");");
                Ok(())
            }
            Action::Image(global, image) => {
                self.result(act.result.as_ref(), declared)?;
                let function = match image.query {
                    ImageQuery::Atomic(op) => format!("imageAtomic{}", atomic_name(op)?),
                    _ => "imageStore".to_owned(),
                };
                self.image_call(&function, global, &act.operands)?;
                self.out.push(';');
                Ok(())
            }
        }
    }

    /// The start of a line with the place of a result.
    fn result(&mut self, result: Option<&Place>, declared: Option<LocalRef>) -> Printed {
        self.newline();
        if let Some(local) = declared {
            self.typed_name(local);
            self.out.push_str(" = ");
        } else if let Some(place) = result {
            self.place(place)?;
            self.out.push_str(" = ");
        }
        Ok(())
    }
}

/// What follows `atomic` and `imageAtomic`.
fn atomic_name(op: AtomicOp) -> Result<&'static str, Error> {
    Ok(match op {
        AtomicOp::Add => "Add",
        AtomicOp::SMin | AtomicOp::UMin => "Min",
        AtomicOp::SMax | AtomicOp::UMax => "Max",
        AtomicOp::And => "And",
        AtomicOp::Or => "Or",
        AtomicOp::Xor => "Xor",
        AtomicOp::Exchange => "Exchange",
        AtomicOp::CompareExchange => "CompSwap",
        AtomicOp::Increment | AtomicOp::Decrement | AtomicOp::FAdd => {
            return Err(Error::unsupported(format!("the atomic operation {op:?} on an image")));
        }
    })
}

/// The name with a capital first letter, for the block around the words.
fn capital(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
