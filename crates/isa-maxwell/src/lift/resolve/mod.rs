//! From variables to values, and from computed places to the buffers, textures and offsets that they mean.
//!
//! Compiled code names a storage buffer by its address, which lies in the driver's constants, and a texture by a
//! handle that may come from there too. Once registers are values, what leads to an address or a handle can be
//! followed.

mod emitted;
pub(super) mod gradient;
mod handle;
mod integers;
mod lengths;
mod patch;
mod pixels;
mod quad;
mod sample;
pub(super) mod texel;

use super::super::address_map;
use std::collections::{BTreeMap, BTreeSet};
use unshade_ir::passes::{self, Pass};
use unshade_ir::{
    Access, Function, Inst, InstId, Module, Op, Origin, Texture, TextureQuery, TextureShape, Value,
};
use unshade_stage::{Maxwell, StageKind};

/// What nobody can tell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Unresolved {
    /// Bytes from the start of the code.
    pub(super) address: u32,
    pub(super) what: String,
}

/// Values that are followed to find out what another is.
const DEPTH: u32 = 24;

/// Makes values of the variables and resolves what they name.
pub(super) fn resolve(module: &mut Module, maxwell: &Maxwell, kind: StageKind) -> Result<(), Unresolved> {
    module.buffer_tables = address_map::buffer_tables(maxwell.driver, kind);
    tidy(module, &["ssa"]);
    if kind == StageKind::Fragment && quad::asks(module) {
        // Each question by itself, before those that are the same become one.
        quad::shared(module);
    }
    tidy(module, &["storage", "dead", "values", "dead"]);
    let alone = kind == StageKind::Fragment && maxwell.driver != unshade_stage::maxwell::Driver::Nvn;
    let spare = if alone { pixels::spare(module) } else { pixels::Spare::new() };
    put_together(module);
    tidy(module, &["product", "bits", "values", "dead"]);
    let tables = module.buffer_tables.clone();
    if rewrite(module, |editor, _, inst| lengths::size(editor, inst, &tables)) > 0 {
        tidy(module, &["values", "dead"]);
        rewrite(module, lengths::count);
        tidy(module, &["values", "dead"]);
    }
    let samples = address_map::has_sample_table(maxwell.driver, kind);
    for function in &mut module.functions {
        let mut editor = Editor::new(function);
        for block in 0..editor.function.blocks.len() {
            let insts = editor.start(block);
            for id in insts {
                let Some(inst) = editor.function.insts.get(id.index()).cloned() else { continue };
                editor.origin = inst.origin;
                match inst.op {
                    Op::Load(_) | Op::Store(_) => vertices(&mut editor, id),
                    Op::Texture(texture) => {
                        handle::texture(&mut editor, id, &inst, texture, (maxwell.driver, kind))?;
                    }
                    Op::Image(image) => handle::image(&mut editor, id, &inst, image, (maxwell.driver, kind))?,
                    Op::Select => quad::derivative(&mut editor, id, &inst),
                    _ if samples => sample::place(&mut editor, id, &inst),
                    _ => {}
                }
                editor.insts.push(id);
            }
            editor.finish(block);
        }
    }
    rows(module);
    sizes(module);
    tidy(module, &["dead", "values", "dead"]);
    if rewrite(module, quad::other_lane) > 0 {
        tidy(module, &["values", "dead"]);
    }
    if kind == StageKind::Fragment {
        pixels::forget(module, alone, &spare);
        tidy(module, &["dead"]);
    }
    put_together(module);
    match kind {
        StageKind::TessControl => patch::wait(module),
        StageKind::Geometry => {
            emitted::forget(module);
            tidy(module, &["dead"]);
        }
        _ => {}
    }
    Ok(())
}

/// Integer arithmetic that the machine does in pieces.
fn put_together(module: &mut Module) {
    while rewrite(module, integers::better) > 0 {
        tidy(module, &["values", "dead"]);
    }
}

/// Offers every instruction to a function that replaces it by something better: a value that stands for its result,
/// or nothing. Answers how many were replaced.
pub(super) fn rewrite(
    module: &mut Module,
    better: impl Fn(&mut Editor<'_>, InstId, &Inst) -> Option<Value>,
) -> usize {
    let mut count = 0;
    for function in &mut module.functions {
        let mut editor = Editor::new(function);
        for block in 0..editor.function.blocks.len() {
            for id in editor.start(block) {
                if let Some(inst) = editor.function.insts.get(id.index()).cloned() {
                    editor.origin = inst.origin;
                    let found = better(&mut editor, id, &inst);
                    if let (Some(value), Some(result)) = (found, inst.results.first()) {
                        editor.forward.insert(*result, value);
                        count += 1;
                    }
                }
                editor.insts.push(id);
            }
            editor.finish(block);
        }
        editor.apply();
    }
    count
}

/// Runs passes that keep every bit, by name.
fn tidy(module: &mut Module, names: &[&str]) {
    let strict = passes::strict();
    let chosen: Vec<Pass> =
        names.iter().filter_map(|name| strict.iter().find(|pass| pass.name == *name).copied()).collect();
    passes::run(module, &chosen, None);
}

/// What one fetch shows to be a buffer is one for all fetches that may be from a texture of one axis.
fn rows(module: &mut Module) {
    let buffers: BTreeSet<u32> = module
        .functions
        .iter()
        .flat_map(|function| &function.insts)
        .filter_map(|inst| match inst.op {
            Op::Texture(texture) if texture.shape == TextureShape::Buffer => Some(texture.unit),
            _ => None,
        })
        .collect();
    for function in &mut module.functions {
        let zeros: BTreeSet<Value> = function
            .insts
            .iter()
            .filter(|inst| inst.op == Op::B32(0))
            .flat_map(|inst| inst.results.iter().copied())
            .collect();
        for inst in &mut function.insts {
            if let Op::Texture(texture) = inst.op
                && (texture.shape, texture.query, texture.offset)
                    == (TextureShape::Line, TextureQuery::Texel, [0; 3])
                && texture.level == unshade_ir::TextureLevel::Given
                && buffers.contains(&texture.unit)
                && inst.args.last().is_some_and(|level| zeros.contains(level))
            {
                let level = unshade_ir::TextureLevel::Quad;
                inst.op = Op::Texture(Texture { shape: TextureShape::Buffer, level, ..texture });
                inst.args.pop();
            }
        }
    }
}

/// A size is asked for without a shape: that of the other accesses to the texture is taken, else that of the question with
/// the most components.
fn sizes(module: &mut Module) {
    let asks = |texture: Texture| matches!(texture.query, TextureQuery::Size | TextureQuery::Samples);
    let mut shapes: BTreeMap<u32, (bool, TextureShape)> = BTreeMap::new();
    for inst in module.functions.iter().flat_map(|function| &function.insts) {
        let Op::Texture(texture) = inst.op else { continue };
        let wide = |shape: TextureShape| (shape.has_samples(), Texture { shape, ..texture }.answer());
        let known = shapes.entry(texture.unit).or_insert((false, texture.shape));
        if !asks(texture) {
            *known = (true, texture.shape);
        } else if !known.0 && wide(texture.shape) > wide(known.1) {
            known.1 = texture.shape;
        }
    }
    for inst in module.functions.iter_mut().flat_map(|function| &mut function.insts) {
        if let Op::Texture(texture) = inst.op
            && asks(texture)
            && let Some((_, shape)) = shapes.get(&texture.unit)
        {
            let mut sized = Texture { shape: *shape, ..texture };
            if shape.has_samples() || *shape == TextureShape::Buffer {
                sized.level = unshade_ir::TextureLevel::Quad;
                inst.args.truncate(usize::from(texture.indexed));
            }
            inst.op = Op::Texture(sized);
        }
    }
}

/// The number of a vertex that is known goes into the address.
fn vertices(editor: &mut Editor<'_>, id: InstId) {
    let Some(inst) = editor.function.insts.get(id.index()) else { return };
    let (Op::Load(access) | Op::Store(access)) = inst.op else { return };
    if access.stride == 0 || access.space == unshade_ir::Space::Global {
        return;
    }
    let Some(number) = inst.args.first().and_then(|index| editor.constant(*index)) else { return };
    let word = i64::from(access.offset) + i64::from(number as i32) * i64::from(access.stride);
    let Ok(offset) = u32::try_from(word) else { return };
    let fixed = Access { offset, stride: 0, ..access };
    if let Some(inst) = editor.function.insts.get_mut(id.index()) {
        inst.args.remove(0);
        inst.op = match inst.op {
            Op::Store(_) => Op::Store(fixed),
            _ => Op::Load(fixed),
        };
    }
}

/// What a direction into a cube was before the compiler divided it by its largest component.
pub(super) fn direction(editor: &Editor<'_>, axes: &[Value]) -> Option<Vec<Value>> {
    let is_factor = |value: Value| {
        editor.definition(value).is_some_and(|inst| {
            let largest = inst.args.first().and_then(|arg| editor.definition(*arg));
            matches!(inst.op, Op::FRcp(_)) && largest.is_some_and(|inst| matches!(inst.op, Op::FMax(..)))
        })
    };
    let scaled = |value: &Value| {
        let inst = editor.definition(*value)?;
        let (Op::FMul(..), &[a, b]) = (inst.op, &inst.args[..]) else { return None };
        if is_factor(b) { Some((a, b)) } else { is_factor(a).then_some((b, a)) }
    };
    let scaled: Vec<(Value, Value)> = axes.iter().map(scaled).collect::<Option<_>>()?;
    let factor = scaled.first()?.1;
    let same = scaled.iter().all(|(_, by)| *by == factor);
    same.then(|| scaled.into_iter().map(|(axis, _)| axis).collect())
}

/// Rewrites the instructions of a function block by block.
pub(super) struct Editor<'a> {
    pub(super) function: &'a mut Function,
    /// Those of the block so far.
    insts: Vec<InstId>,
    /// Origin of what is added.
    origin: Origin,
    /// What stands for what from now on.
    forward: BTreeMap<Value, Value>,
}

impl<'a> Editor<'a> {
    fn new(function: &'a mut Function) -> Self {
        Self { function, insts: Vec::new(), origin: Origin::default(), forward: BTreeMap::new() }
    }

    /// Takes the instructions of a block.
    fn start(&mut self, block: usize) -> Vec<InstId> {
        self.insts.clear();
        self.function.blocks.get_mut(block).map(|block| std::mem::take(&mut block.insts)).unwrap_or_default()
    }

    fn finish(&mut self, block: usize) {
        if let Some(block) = self.function.blocks.get_mut(block) {
            block.insts = std::mem::take(&mut self.insts);
        }
    }

    /// Replaces all uses of what something else stands for.
    fn apply(&mut self) {
        let forward = std::mem::take(&mut self.forward);
        if forward.is_empty() {
            return;
        }
        let last = |value: &mut Value| {
            // What stands for something was made before it, so there is no way round in circles.
            while let Some(next) = forward.get(value) {
                *value = *next;
            }
        };
        for inst in &mut self.function.insts {
            inst.args.iter_mut().for_each(last);
        }
        for block in &mut self.function.blocks {
            block.terminator.for_each_value_mut(last);
        }
    }

    /// Adds an instruction here.
    fn add(&mut self, op: Op, args: &[Value]) -> Vec<Value> {
        let types: Vec<_> = args.iter().map(|arg| self.function.ty(*arg)).collect();
        let results = op.results(&types);
        let id = self.function.push_inst(op, args, &results, self.origin);
        self.insts.push(id);
        self.function.insts.get(id.index()).map(|inst| inst.results.to_vec()).unwrap_or_default()
    }

    /// Adds an instruction with one result.
    pub(super) fn value(&mut self, op: Op, args: &[Value]) -> Value {
        self.add(op, args).first().copied().unwrap_or_default()
    }

    pub(super) fn bits(&mut self, bits: u32) -> Value {
        self.value(Op::B32(bits), &[])
    }

    /// The word that a value always is.
    pub(super) fn constant(&self, value: Value) -> Option<u32> {
        match self.function.definition(value)?.op {
            Op::B32(bits) => Some(bits),
            _ => None,
        }
    }

    pub(super) fn definition(&self, value: Value) -> Option<&Inst> {
        self.function.definition(value)
    }
}
