//! Built-in variables that follow from others: computed once, in front of the program.

use super::super::place::{Kind, Words};
use super::super::{NOWHERE, Result, Translator, Values};
use smallvec::smallvec;
use unshade_glsl::tree::{Auxiliary, Meaning, PrimitiveMode, Shader, Storage, VariableId};
use unshade_glsl::types::{Scalar, Type};
use unshade_ir::{CompareFloat, FloatMode, Op, Value};

/// Gives those variables that the shader uses their values.
pub(in super::super) fn compute(translator: &mut Translator<'_>) -> Result<()> {
    let shader = translator.shader;
    let used = shader.globals.iter().copied().filter_map(|id| Some((id, shader.variables[id].meaning?)));
    for (id, meaning) in used.collect::<Vec<(VariableId, Meaning)>>() {
        translator.continue_in(translator.body);
        translator.origin = NOWHERE;
        let values = match meaning {
            Meaning::FrontFacing => translator.front_facing(id),
            Meaning::GlobalInvocationId => Some(translator.global_id(id)),
            Meaning::LocalInvocationIndex => Some(translator.local_index(id)),
            Meaning::WorkGroupSize => {
                let size = shader.layout.work_group.size;
                Some(size.into_iter().map(|count| translator.bits(count)).collect())
            }
            Meaning::InstanceIndex => translator.instance_index(id),
            Meaning::TessCoord => translator.tessellation_coordinate(id),
            Meaning::SampleMaskIn if is_per_sample(shader) => translator.own_sample(id),
            Meaning::SubgroupEqMask
            | Meaning::SubgroupGeMask
            | Meaning::SubgroupGtMask
            | Meaning::SubgroupLeMask
            | Meaning::SubgroupLtMask => Some(translator.lane_mask(id, meaning)),
            _ => None,
        };
        if let Some(values) = values {
            let variable = &shader.variables[id];
            let place = translator.private(&variable.name, variable.ty, false, variable.span)?;
            translator.store(&place, &values, variable.span)?;
            if let Some(home) = translator.homes.get_mut(id.index()) {
                *home = Some(place);
            }
        }
    }
    Ok(())
}

/// Whether the shader runs for each sample of a pixel.
fn is_per_sample(shader: &Shader) -> bool {
    shader.globals.iter().any(|id| {
        let variable = &shader.variables[*id];
        let asks = matches!(variable.meaning, Some(Meaning::SampleId | Meaning::SamplePosition));
        variable.is_used
            && (asks || variable.storage == Storage::In && variable.auxiliary == Auxiliary::Sample)
    })
}

impl Translator<'_> {
    /// Two numbers; of a triangle the third is what is missing to 1.
    fn tessellation_coordinate(&mut self, id: VariableId) -> Option<Values> {
        let words = self.own_words(id)?;
        let (x, y) = (self.load_word(&words, 0), self.load_word(&words, 1));
        let z = match self.shader.layout.tessellation.mode {
            Some(PrimitiveMode::Triangles) => {
                let (sum, one) = (self.op(Op::FAdd(FloatMode::F32), &[x, y]), self.float(1.0));
                let less = self.op(Op::FNeg(unshade_ir::Width::F32), &[sum]);
                self.op(Op::FAdd(FloatMode::F32), &[one, less])
            }
            _ => self.float(0.0),
        };
        Some(smallvec![x, y, z])
    }

    /// Of a pixel that runs for each sample, the mask has the bit of the own one alone.
    fn own_sample(&mut self, id: VariableId) -> Option<Values> {
        let words = self.own_words(id)?;
        let sample = self.input_of(Meaning::SampleId, "gl_SampleID", "sample-id", 1);
        let (mask, sample, one) = (self.load_word(&words, 0), self.load_word(&sample, 0), self.bits(1));
        let bit = self.op(Op::Shl, &[one, sample]);
        let mut values: Values = smallvec![self.op(Op::And, &[mask, bit])];
        let count = self.types().scalars(self.shader.variables[id].ty).min(64) as usize;
        let zero = self.bits(0);
        values.resize(count.max(1), zero);
        Some(values)
    }

    /// The words that a variable of the interface has.
    fn own_words(&self, id: VariableId) -> Option<Words> {
        match self.homes.get(id.index())?.as_ref()?.kind {
            Kind::Words(words) => Some(words),
            _ => None,
        }
    }

    /// The pipeline has 1.0 or 0.0.
    fn front_facing(&mut self, id: VariableId) -> Option<Values> {
        let words = self.own_words(id)?;
        let (value, zero) = (self.load_word(&words, 0), self.bits(0));
        Some(smallvec![self.op(Op::FCompare(CompareFloat::Ne, FloatMode::F32), &[value, zero])])
    }

    /// The words of an input that the pipeline knows: those of the shader's variable, or new ones.
    fn input_of(&mut self, meaning: Meaning, name: &str, semantic: &'static str, components: u8) -> Words {
        let shader = self.shader;
        let known = shader.globals.iter().copied().find(|id| shader.variables[*id].meaning == Some(meaning));
        match known.and_then(|id| self.own_words(id)) {
            Some(words) => words,
            None => {
                let made =
                    self.module.globals.iter().find(|global| global.semantic.as_deref() == Some(semantic));
                let offset = made.map(|global| global.offset);
                match offset {
                    Some(offset) => {
                        Words::new(unshade_ir::Space::Input, 0, offset, super::super::place::Rule::Tight)
                    }
                    None => {
                        let end = self.inputs_end();
                        self.input(name, semantic, components, end)
                    }
                }
            }
        }
    }

    fn local_id(&mut self) -> Words {
        self.input_of(Meaning::LocalInvocationId, "gl_LocalInvocationID", "local-id", 3)
    }

    /// Work group times size, plus the place in it.
    fn global_id(&mut self, _: VariableId) -> Values {
        let group = self.input_of(Meaning::WorkGroupId, "gl_WorkGroupID", "workgroup-id", 3);
        let local = self.local_id();
        let size = self.shader.layout.work_group.size;
        let mut values = Values::new();
        for (lane, size) in size.into_iter().enumerate() {
            self.lane(lane);
            let (group, local) = (self.load_word(&group, lane as u32), self.load_word(&local, lane as u32));
            let size = self.bits(size);
            let first = self.op(Op::IMul, &[group, size]);
            values.push(self.op(Op::IAdd, &[first, local]));
        }
        values
    }

    fn local_index(&mut self, _: VariableId) -> Values {
        let local = self.local_id();
        let [x, y, z] = self.shader.layout.work_group.size;
        let mut sum = self.load_word(&local, 0);
        // Along a side of one invocation there is nothing to count.
        for (lane, step, _) in
            [(1, x, y), (2, x.saturating_mul(y), z)].into_iter().filter(|(.., side)| *side > 1)
        {
            let (place, step) = (self.load_word(&local, lane), self.bits(step));
            let before = self.op(Op::IMul, &[place, step]);
            sum = self.op(Op::IAdd, &[sum, before]);
        }
        smallvec![sum]
    }

    /// Vulkan counts from the first instance of the draw.
    fn instance_index(&mut self, id: VariableId) -> Option<Values> {
        let words = self.own_words(id)?;
        let base = self.input_of(Meaning::BaseInstance, "gl_BaseInstance", "base-instance", 1);
        let (instance, base) = (self.load_word(&words, 0), self.load_word(&base, 0));
        Some(smallvec![self.op(Op::IAdd, &[instance, base])])
    }

    /// Bits of the lanes at, before and behind the own one.
    fn lane_mask(&mut self, id: VariableId, meaning: Meaning) -> Values {
        let lane = self.lane_id();
        let (one, ones) = (self.bits(1), self.bits(u32::MAX));
        let own = self.op(Op::Shl, &[one, lane]);
        let from = self.op(Op::Shl, &[ones, lane]);
        let before = self.op(Op::Not, &[from]);
        let mask = match meaning {
            Meaning::SubgroupEqMask => own,
            Meaning::SubgroupGeMask => from,
            Meaning::SubgroupGtMask => self.op(Op::Xor, &[from, own]),
            Meaning::SubgroupLeMask => self.op(Op::Or, &[before, own]),
            _ => before,
        };
        let zero = self.bits(0);
        match self.shader.variables[id].ty {
            Type::Scalar(Scalar::Uint64) => smallvec![self.op(Op::Join, &[mask, zero])],
            _ => smallvec![mask, zero, zero, zero],
        }
    }

    /// The invocation's number among those that run in step.
    pub(super) fn lane_id(&mut self) -> Value {
        let words = self.input_of(Meaning::SubgroupInvocationId, "gl_SubgroupInvocationID", "lane-id", 1);
        self.load_word(&words, 0)
    }
}
