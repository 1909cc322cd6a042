//! Images whose texels a program takes apart by itself.
//!
//! `SULD.D` reads a texel as the bits that it is, and compilers for this machine write what makes components of them:
//! fields of 8 or 16 bits that become integers, parts of 1, or halves that become floats. Where all that is done with
//! an image's bits is what one format asks for, the image has that format, and reads give the components.

use super::super::super::address_map::image_of;
use super::{Editor, rewrite};
use std::collections::{BTreeMap, BTreeSet};
use unshade_ir::votes::Kind;
use unshade_ir::{
    Function, Image, ImageFormat, ImageQuery, InstId, Module, Op, Shape, Space, TextureShape, Value, Width,
};

/// What a field of bits becomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Component {
    /// The word itself.
    Whole,
    Uint,
    Int,
    Unorm,
    Snorm,
    Half,
}

/// A field of a texel's bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Field {
    word: u32,
    first: u32,
    bits: u32,
    signed: bool,
}

/// Something that a component of the texel stands for: the result of an instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Found {
    component: Component,
    field: Field,
    /// The component with its sign flipped.
    negated: bool,
    /// The instruction adds its last operand to the component.
    sum: bool,
}

/// Who uses what, in a function.
struct Uses<'f> {
    function: &'f Function,
    users: Vec<Vec<InstId>>,
    /// Values that go on to other blocks, or decide where to.
    handed_on: BTreeSet<Value>,
}

impl<'f> Uses<'f> {
    fn new(function: &'f Function) -> Self {
        let mut users = vec![Vec::new(); function.values.len()];
        let mut handed_on = BTreeSet::new();
        for block in &function.blocks {
            for id in &block.insts {
                let Some(inst) = function.insts.get(id.index()) else { continue };
                for arg in &inst.args {
                    if let Some(users) = users.get_mut(arg.index()) {
                        users.push(*id);
                    }
                }
            }
            block.terminator.for_each_value(|value| {
                handed_on.insert(value);
            });
        }
        Self { function, users, handed_on }
    }

    fn constant(&self, value: Value) -> Option<u32> {
        match self.function.definition(value)?.op {
            Op::B32(bits) => Some(bits),
            _ => None,
        }
    }

    /// Instructions that use a value; none: it is used by more than instructions.
    fn of(&self, value: Value) -> Option<&[InstId]> {
        if self.handed_on.contains(&value) {
            return None;
        }
        self.users.get(value.index()).map(Vec::as_slice)
    }

    /// What an instruction makes of a field (`whole`: of a word that nothing was cut from): another one.
    fn cut(&self, value: Value, field: Field, id: InstId) -> Option<(Value, Field)> {
        let inst = self.function.insts.get(id.index())?;
        let result = *inst.results.first()?;
        let next = match (inst.op, &inst.args[..]) {
            (Op::And, &[a, b]) => {
                let mask = self.constant(if a == value { b } else { a })?;
                let bits = mask.trailing_ones();
                if mask.checked_shr(bits).unwrap_or(0) != 0 || bits == 0 || field.signed {
                    return None;
                }
                Field { bits: bits.min(field.bits), ..field }
            }
            (Op::ShrU, &[a, by]) if a == value && !field.signed => {
                let by = self.constant(by).filter(|by| *by < field.bits)?;
                Field { first: field.first + by, bits: field.bits - by, ..field }
            }
            (Op::ShrS, &[a, by]) if a == value && field.bits == 32 => {
                let by = self.constant(by).filter(|by| *by < 32)?;
                Field { first: by, bits: 32 - by, signed: true, ..field }
            }
            (Op::UBitExtract | Op::SBitExtract, &[a, first, count]) if a == value && !field.signed => {
                let (first, count) = (self.constant(first)?, self.constant(count)?);
                if count == 0 || first.checked_add(count)? > field.bits {
                    return None;
                }
                Field { first: field.first + first, bits: count, signed: inst.op == Op::SBitExtract, ..field }
            }
            _ => return None,
        };
        (next != field).then_some((result, next))
    }

    /// `(x << up) >> down`, with signs.
    fn sign_extended(&self, value: Value, field: Field, id: InstId) -> Option<Vec<(Value, Field)>> {
        let inst = self.function.insts.get(id.index())?;
        let (Op::Shl, &[a, by]) = (inst.op, &inst.args[..]) else { return None };
        let up = self.constant(by).filter(|by| a == value && *by < 32 && field.bits == 32)?;
        let shifted = *inst.results.first()?;
        self.of(shifted)?
            .iter()
            .map(|id| {
                let inst = self.function.insts.get(id.index())?;
                let (Op::ShrS, &[a, by]) = (inst.op, &inst.args[..]) else { return None };
                let down = self.constant(by).filter(|by| a == shifted && *by < 32 && *by >= up)?;
                let next = Field { first: down - up, bits: 32 - down, signed: true, ..field };
                Some((*inst.results.first()?, next))
            })
            .collect()
    }

    /// What stands for components in the end, of a field. None: it is used as something else.
    fn follow(&self, value: Value, field: Field, found: &mut BTreeMap<Value, Found>) -> Option<()> {
        let whole = Found { component: Component::Whole, field, negated: false, sum: false };
        let Some(users) = self.of(value) else {
            // What goes on to another block is not followed; words are components.
            return (field.bits == 32).then(|| _ = found.insert(value, whole));
        };
        // All users cut something smaller out.
        let mut smaller: Vec<(Value, Field)> = Vec::new();
        let mut halves: Vec<(Value, Field)> = Vec::new();
        let cuts = field.bits > 8
            && users.iter().all(|id| {
                if let Some(next) = self.cut(value, field, *id) {
                    smaller.push(next);
                    return true;
                }
                if let Some(next) = self.sign_extended(value, field, *id) {
                    smaller.extend(next);
                    return true;
                }
                let Some(inst) = self.function.insts.get(id.index()) else { return false };
                let first = match inst.op {
                    Op::Low => 0,
                    Op::High if field.bits == 32 => 16,
                    _ => return false,
                };
                let Some(result) = inst.results.first() else { return false };
                halves.push((*result, Field { first: field.first + first, bits: 16, ..field }));
                field.bits == 32 || first == 0 && field.bits == 16
            });
        if cuts && !users.is_empty() {
            for (half, field) in halves {
                self.half(half, field, found)?;
            }
            return smaller.into_iter().try_for_each(|(value, field)| self.follow(value, field, found));
        }
        if field.bits == 32 {
            found.insert(value, whole);
            return Some(());
        }
        let converts = |id: &InstId| {
            let inst = self.function.insts.get(id.index())?;
            match inst.op {
                Op::UToF(mode) if !field.signed && mode.width == Width::F32 => inst.results.first().copied(),
                Op::SToF(mode) if mode.width == Width::F32 => inst.results.first().copied(),
                _ => None,
            }
        };
        // Parts of 1, if all of it are.
        let mut parts = BTreeMap::new();
        let normalized = !users.is_empty()
            && users.iter().all(|id| {
                converts(id).is_some_and(|value| self.parts(value, field, false, &mut parts).is_some())
            });
        if normalized {
            found.extend(parts);
        } else {
            let component = if field.signed { Component::Int } else { Component::Uint };
            found.insert(value, Found { component, field, negated: false, sum: false });
        }
        Some(())
    }

    /// Halves that become floats of 32 bits.
    fn half(&self, half: Value, field: Field, found: &mut BTreeMap<Value, Found>) -> Option<()> {
        for id in self.of(half)? {
            let inst = self.function.insts.get(id.index())?;
            match inst.op {
                Op::FConvert(Width::F16, mode) if mode.width == Width::F32 => {
                    let half = Found { component: Component::Half, field, negated: false, sum: false };
                    found.insert(*inst.results.first()?, half);
                }
                _ => return None,
            }
        }
        Some(())
    }

    /// Products of a converted field and what makes a part of 1 of it.
    fn parts(
        &self,
        value: Value,
        field: Field,
        negated: bool,
        found: &mut BTreeMap<Value, Found>,
    ) -> Option<()> {
        let component = if field.signed { Component::Snorm } else { Component::Unorm };
        let bits = if field.signed { field.bits - 1 } else { field.bits };
        if !(1..=16).contains(&bits) {
            return None;
        }
        let part = (1.0 / f64::from((1_u32 << bits) - 1)) as f32;
        let users = self.of(value).filter(|users| !users.is_empty())?;
        for id in users {
            let inst = self.function.insts.get(id.index())?;
            let result = *inst.results.first()?;
            let (factor, sum) = match (inst.op, &inst.args[..]) {
                (Op::FNeg(_), _) if !negated => {
                    self.parts(result, field, true, found)?;
                    continue;
                }
                (Op::FMul(..), &[a, b]) => (if a == value { b } else { a }, false),
                (Op::FFma(..), &[a, b, c]) if c != value => (if a == value { b } else { a }, true),
                _ => return None,
            };
            let factor = f32::from_bits(self.constant(factor)?);
            if factor.abs().to_bits().abs_diff(part.to_bits()) > 2 {
                return None;
            }
            let negated = negated != (factor < 0.0);
            found.insert(result, Found { component, field, negated, sum });
        }
        Some(())
    }
}

/// What is known of an image by all its accesses.
struct Known {
    shape: TextureShape,
    /// Unit and bytes of what is read as bits.
    raw: Option<(u32, u32)>,
    /// All accesses fit together.
    plain: bool,
}

fn known(module: &Module) -> BTreeMap<u32, Known> {
    let mut images: BTreeMap<u32, Known> = BTreeMap::new();
    for image in accesses(module) {
        let (number, raw) = image_of(image.unit);
        let known = images.entry(number).or_insert(Known { shape: image.shape, raw: None, plain: true });
        known.plain &= !image.indexed && known.shape == image.shape;
        match (image.query, raw) {
            (ImageQuery::Load, Some(bytes)) => {
                known.plain &= known.raw.is_none_or(|(_, other)| other == bytes);
                known.raw = Some((image.unit, bytes));
            }
            (ImageQuery::Store | ImageQuery::Size, None) => {}
            _ => known.plain = false,
        }
    }
    images.retain(|_, known| known.plain && known.raw.is_some());
    images
}

fn accesses(module: &Module) -> impl Iterator<Item = Image> {
    module.functions.iter().flat_map(|function| {
        let listed = function.blocks.iter().flat_map(|block| &block.insts);
        listed.filter_map(|id| match function.insts.get(id.index())?.op {
            Op::Image(image) => Some(image),
            _ => None,
        })
    })
}

/// The format with such components.
fn format(component: Component, bits: u32, bytes: u32, whole: Kind) -> Option<ImageFormat> {
    use ImageFormat::{
        R8, R8Snorm, R8i, R8ui, R16, R16Snorm, R16f, R16i, R16ui, R32f, R32i, R32ui, Rg8, Rg8Snorm, Rg8i,
        Rg8ui, Rg16, Rg16Snorm, Rg16f, Rg16i, Rg16ui, Rg32f, Rg32i, Rg32ui, Rgba8, Rgba8Snorm, Rgba8i,
        Rgba8ui, Rgba16, Rgba16Snorm, Rgba16f, Rgba16i, Rgba16ui, Rgba32f, Rgba32i, Rgba32ui,
    };
    let of = match (component, bits, whole) {
        (Component::Whole, _, Kind::Float) => [R32f, Rg32f, Rgba32f],
        (Component::Whole, _, Kind::Int) => [R32i, Rg32i, Rgba32i],
        (Component::Whole, _, Kind::Uint) => [R32ui, Rg32ui, Rgba32ui],
        (Component::Unorm, 8, _) => [R8, Rg8, Rgba8],
        (Component::Unorm, 16, _) => [R16, Rg16, Rgba16],
        (Component::Snorm, 8, _) => [R8Snorm, Rg8Snorm, Rgba8Snorm],
        (Component::Snorm, 16, _) => [R16Snorm, Rg16Snorm, Rgba16Snorm],
        (Component::Uint, 8, _) => [R8ui, Rg8ui, Rgba8ui],
        (Component::Uint, 16, _) => [R16ui, Rg16ui, Rgba16ui],
        (Component::Int, 8, _) => [R8i, Rg8i, Rgba8i],
        (Component::Int, 16, _) => [R16i, Rg16i, Rgba16i],
        (Component::Half, 16, _) => [R16f, Rg16f, Rgba16f],
        _ => return None,
    };
    let [one, two, four] = of;
    match (8 * bytes).checked_div(bits)? {
        1 => Some(one),
        2 => Some(two),
        4 => Some(four),
        _ => None,
    }
}

/// Gives images the formats that their bits are unpacked from. Answers how many, and whether
/// one of them has signed parts of 1.
pub(in super::super) fn formats(module: &mut Module) -> (usize, bool) {
    let images = known(module);
    if images.is_empty() {
        return (0, false);
    }
    let kinds = super::super::interface::image_kinds(module);
    // By unit: what its components are; none: they do not agree.
    let mut formats: BTreeMap<u32, Option<(Component, u32)>> = BTreeMap::new();
    let mut found: Vec<BTreeMap<Value, (Value, Found)>> = Vec::new();
    for function in &module.functions {
        let uses = Uses::new(function);
        let mut here = BTreeMap::new();
        for id in function.blocks.iter().flat_map(|block| &block.insts) {
            let Some(inst) = function.insts.get(id.index()) else { continue };
            let Op::Image(image) = inst.op else { continue };
            let known = images.get(&image_of(image.unit).0).and_then(|known| known.raw);
            let Some((unit, bytes)) = known.filter(|_| image.query == ImageQuery::Load) else { continue };
            for (word, value) in (0..).zip(&inst.results) {
                let mut parts = BTreeMap::new();
                // Smaller texels are cut once more.
                let field = Field { word, first: 0, bits: 32, signed: false };
                let unused = uses.of(*value).is_some_and(<[InstId]>::is_empty);
                if unused {
                    continue;
                }
                let fits = uses.follow(*value, field, &mut parts).is_some() && word < bytes.div_ceil(4);
                if !fits {
                    formats.insert(unit, None);
                }
                for (result, part) in parts {
                    let Field { first, bits, .. } = part.field;
                    let kind = Some((part.component, bits)).filter(|_| first % bits.max(1) == 0);
                    let known = formats.entry(unit).or_insert(kind);
                    if *known != kind {
                        *known = None;
                    }
                    let place = part.field.word * (32 / bits.max(1)) + first / bits.max(1);
                    if let Some(component) = inst.results.get(place as usize) {
                        here.insert(result, (*component, part));
                    } else {
                        formats.insert(unit, None);
                    }
                }
            }
        }
        found.push(here);
    }
    let mut chosen: BTreeMap<u32, ImageFormat> = BTreeMap::new();
    for known in images.values() {
        let Some((unit, bytes)) = known.raw else { continue };
        let Some(Some((component, bits))) = formats.get(&unit).copied() else { continue };
        let kind = kinds.get(&unit).copied().unwrap_or(Kind::Uint);
        if let Some(format) = format(component, bits, bytes, kind) {
            chosen.insert(unit, format);
        }
    }
    if chosen.is_empty() {
        return (0, false);
    }
    let units: BTreeMap<u32, u32> = chosen.keys().map(|unit| (image_of(*unit).0, *unit)).collect();
    replace(module, &found, &chosen);
    for inst in module.functions.iter_mut().flat_map(|function| &mut function.insts) {
        if let Op::Image(image) = &mut inst.op
            && let Some(unit) = units.get(&image.unit)
        {
            image.unit = *unit;
        }
    }
    declare(module, &chosen, &units);
    (chosen.len(), chosen.values().any(|format| format.name().ends_with("_snorm")))
}

/// Puts components where they were made of bits.
fn replace(
    module: &mut Module,
    found: &[BTreeMap<Value, (Value, Found)>],
    chosen: &BTreeMap<u32, ImageFormat>,
) {
    // Values are those of one function.
    for (number, found) in found.iter().enumerate() {
        let Some(function) = module.functions.get(number) else { continue };
        let of_chosen = |value: Value| {
            let inst = function.definition(value);
            matches!(inst.map(|inst| inst.op), Some(Op::Image(image)) if chosen.contains_key(&image.unit))
        };
        let found: BTreeMap<Value, (Value, Found)> = found
            .iter()
            .filter(|(_, (component, part))| part.component != Component::Whole && of_chosen(*component))
            .map(|(value, found)| (*value, *found))
            .collect();
        if found.is_empty() {
            continue;
        }
        let mut alone = Module::default();
        alone.functions.push(function.clone());
        rewrite(&mut alone, |editor: &mut Editor<'_>, _, inst| {
            let (component, part) = *found.get(inst.results.first()?)?;
            let mut value = component;
            if part.negated {
                value = editor.value(Op::FNeg(Width::F32), &[value]);
            }
            match (inst.op, inst.args.last()) {
                (Op::FFma(mode, _), Some(last)) if part.sum => {
                    Some(editor.value(Op::FAdd(mode), &[value, *last]))
                }
                _ => Some(value),
            }
        });
        if let (Some(place), Some(function)) = (module.functions.get_mut(number), alone.functions.pop()) {
            *place = function;
        }
    }
}

/// One declaration for each, with the format.
fn declare(module: &mut Module, chosen: &BTreeMap<u32, ImageFormat>, units: &BTreeMap<u32, u32>) {
    let mut names = BTreeMap::new();
    module.globals.retain(|global| {
        let unit = units.get(&global.offset).filter(|_| global.space == Space::Image);
        if let Some(unit) = unit {
            names.insert(*unit, global.name.clone());
        }
        unit.is_none()
    });
    for global in module.globals.iter_mut().filter(|global| global.space == Space::Image) {
        let Some(known) = chosen.get(&global.offset) else { continue };
        if let Shape::Image { texel, format, .. } = &mut global.shape {
            *texel = known.texel();
            *format = Some(*known);
        }
        if let Some(name) = names.remove(&global.offset) {
            global.name = name;
        }
    }
}
