//! Attributes: what comes from vertices and goes to them.

use super::super::address_map::{
    ATTRIBUTE_BINDING, PATCH_BINDING, POSITION_W, SPECIAL_BINDING, VERTEX_WORDS,
};
use super::super::header::Interpolation;
use super::super::operation::{Attribute, Interpolate, Sample};
use super::super::{Header, Operation, Register};
use super::explore::Node;
use super::write::Writer;
use std::collections::BTreeMap;
use unshade_ir::{Access, CompareFloat, FloatMode, InputPlace, Multiply, Op, Space, Value};
use unshade_stage::StageKind;

/// Rules of the multiply of an interpolation.
const INTERPOLATED: FloatMode = FloatMode { flush: true, ..FloatMode::F32 };
/// Byte address that says whether a face is a front face.
const FRONT_FACING: u32 = 0x3FC;
/// Number of the special register with the number of the invocation.
pub(super) const INVOCATION_ID: u32 = 17;

/// How the program interpolates.
#[derive(Debug, Clone, Default)]
pub(super) struct Interpolated {
    /// By vector (its address in units of 16 bytes): how its components are interpolated.
    modes: BTreeMap<u32, Mode>,
}

/// How a vector is interpolated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Mode {
    /// From the header, or from how the code reads it.
    pub(super) interpolation: Interpolation,
    /// The code always asks for it inside of the primitive.
    pub(super) centroid: bool,
}

impl Interpolated {
    /// Looks at all interpolations of a program.
    pub(super) fn new(nodes: &[Node], header: Option<&Header>) -> Self {
        let mut modes: BTreeMap<u32, Mode> = BTreeMap::new();
        for node in nodes {
            let Operation::Interpolate { a, mode, sample, .. } = node.instruction.operation else { continue };
            let address = u32::from(a.address);
            let told = header.and_then(|header| header.interpolation(address));
            let by_code = match mode {
                Interpolate::Constant => Interpolation::Constant,
                Interpolate::Multiply => Interpolation::Perspective,
                Interpolate::Pass | Interpolate::Sc => Interpolation::ScreenLinear,
            };
            let interpolation = told.filter(|told| *told != Interpolation::Unused).unwrap_or(by_code);
            let centroid = sample == Sample::Centroid;
            let known = modes.entry(address / 16).or_insert(Mode { interpolation, centroid });
            known.centroid &= centroid;
            if by_code == Interpolation::Perspective && told.is_none() {
                known.interpolation = by_code;
            }
        }
        Self { modes }
    }

    /// Whether what is at an address comes with perspective.
    pub(super) fn is_perspective(&self, address: u32) -> bool {
        let in_window = (0x70..0x80).contains(&address);
        !in_window && self.of(address).is_some_and(|mode| mode.interpolation == Interpolation::Perspective)
    }

    /// How the vector at an address is interpolated.
    pub(super) fn of(&self, address: u32) -> Option<Mode> {
        self.modes.get(&(address / 16)).copied()
    }
}

impl Writer<'_> {
    /// An input of this vertex, pixel or patch.
    fn input(&mut self, address: u32) -> Value {
        self.load(Space::Input, ATTRIBUTE_BINDING, address / 4)
    }

    /// Where an attribute starts, if its address does not depend on the run.
    fn fixed(&mut self, a: Attribute) -> Option<u32> {
        if a.physical || !a.register.is_zero() {
            self.refuse("an attribute at a computed address");
            return None;
        }
        Some(a.address.into())
    }

    /// Where an attribute that the program hands on starts. Pixels and invocations hand on none: what a pixel leaves is
    /// in its registers.
    fn handed_on(&mut self, a: Attribute) -> Option<u32> {
        if matches!(self.kind, StageKind::Fragment | StageKind::Compute) {
            self.refuse(format!("an attribute that a {} program hands on", self.kind));
            return None;
        }
        self.fixed(a)
    }

    pub(super) fn attribute_load(&mut self, d: Register, a: Attribute, vertex: Register, words: u8) {
        let Some(address) = (if a.output { self.handed_on(a) } else { self.fixed(a) }) else { return };
        let index = (!vertex.is_zero()).then(|| self.register(vertex));
        let per_vertex =
            matches!(self.kind, StageKind::Geometry | StageKind::TessControl | StageKind::TessEval);
        let values: Vec<Value> = (0..u32::from(words))
            .map(|n| {
                self.at(0, n as u8);
                let word = address / 4 + n;
                match (a.patch, a.output, self.kind) {
                    (true, true, StageKind::TessControl) => self.load(Space::Output, PATCH_BINDING, word),
                    (true, ..) => self.load(Space::Input, PATCH_BINDING, word),
                    (false, true, StageKind::TessControl) => {
                        let index = index.unwrap_or_else(|| self.bits(0));
                        self.load_at(Space::Output, ATTRIBUTE_BINDING, word, VERTEX_WORDS, index)
                    }
                    // The place in the patch belongs to the vertex that is made.
                    (false, true, StageKind::TessEval) => self.input(4 * word),
                    (false, true, _) => self.load(Space::Output, ATTRIBUTE_BINDING, word),
                    // The number of the primitive is the same for all its vertices.
                    (false, false, _) if per_vertex && word != 0x18 => {
                        let index = index.unwrap_or_else(|| self.bits(0));
                        self.load_at(Space::Input, ATTRIBUTE_BINDING, word, VERTEX_WORDS, index)
                    }
                    _ => self.input(4 * word),
                }
            })
            .collect();
        for (n, value) in (0_u8..).zip(values) {
            self.set_register(d.further(n), value);
        }
    }

    pub(super) fn attribute_store(&mut self, a: Attribute, value: Register, words: u8) {
        let Some(address) = self.handed_on(a) else { return };
        for n in 0..words {
            self.at(0, n);
            let value = self.register(value.further(n));
            let word = address / 4 + u32::from(n);
            if a.patch {
                self.store(Space::Output, PATCH_BINDING, word, value);
            } else if self.kind == StageKind::TessControl {
                let own = self.load(Space::Input, SPECIAL_BINDING, INVOCATION_ID);
                let access = Access {
                    space: Space::Output,
                    binding: ATTRIBUTE_BINDING,
                    offset: word,
                    stride: VERTEX_WORDS,
                };
                self.builder.effect(Op::Store(access), &[own, value]);
            } else {
                self.store(Space::Output, ATTRIBUTE_BINDING, word, value);
            }
        }
    }

    pub(super) fn interpolate(
        &mut self,
        d: Register,
        a: Attribute,
        (mode, sample): (Interpolate, Sample),
        b: Register,
        offset: Register,
        saturate: bool,
    ) {
        let Some(address) = self.fixed(a) else { return };
        let known = self.interpolated.of(address);
        let access =
            Access { space: Space::Input, binding: ATTRIBUTE_BINDING, offset: address / 4, stride: 0 };
        if address == FRONT_FACING {
            // The machine has all ones for it, the IR 1.0.
            let front = self.input(address);
            let (zero, all) = (self.bits(0), self.bits(u32::MAX));
            let holds = self.value(Op::FCompare(CompareFloat::Ne, FloatMode::F32), &[front, zero]);
            let value = self.select(holds, all, zero);
            return self.set_register(d, value);
        }
        let in_window = (0x70..0x80).contains(&address);
        let told_by_vertices = matches!(address, 0x60 | 0x64 | 0x68);
        let value = match sample {
            _ if in_window || told_by_vertices || mode == Interpolate::Constant => {
                self.value(Op::Load(access), &[])
            }
            Sample::Center => self.value(Op::Load(access), &[]),
            Sample::Centroid if known.is_some_and(|known| known.centroid) => {
                self.value(Op::Load(access), &[])
            }
            Sample::Centroid => self.value(Op::Interpolate(InputPlace::Centroid, access), &[]),
            Sample::Offset => {
                let packed = self.register(offset);
                // Each half has a signed number of twelve bits behind the point, and above it a place in the
                // table of samples that does not count.
                let [x, y] = [0, 16].map(|first| {
                    let (first, count) = (self.bits(first), self.bits(12));
                    let number = self.value(Op::SBitExtract, &[packed, first, count]);
                    let number = self.value(Op::SToF(FloatMode::F32), &[number]);
                    let scale = self.bits((1.0_f32 / 4096.0).to_bits());
                    self.value(Op::FMul(FloatMode::F32, Multiply::Ieee), &[number, scale])
                });
                self.value(Op::Interpolate(InputPlace::Offset, access), &[x, y])
            }
        };
        let perspective = self.interpolated.is_perspective(address);
        let value = match mode {
            Interpolate::Constant => value,
            _ if perspective => {
                let w = self.input(POSITION_W);
                self.value(Op::FMul(FloatMode::F32, Multiply::Ieee), &[value, w])
            }
            _ => value,
        };
        let value = match mode {
            Interpolate::Multiply => {
                let b = self.register(b);
                self.value(Op::FMul(INTERPOLATED, Multiply::Ieee), &[value, b])
            }
            _ => value,
        };
        let value = if saturate { self.value(Op::FSaturate(FloatMode::F32), &[value]) } else { value };
        self.set_register(d, value);
    }
}
