//! The interpreter of the Switch's GPU, as [`super::verify`] needs it: one lane alone, with the IR's own answers for
//! textures, images and neighbours, so that both sides get the same. What the words mean is [`Beside`]'s business.

use super::compare::Words;
use super::machine::{Inputs, Leaves, Machine, Registers, words};
use super::outside::Reason;
use unshade_ir::exec::Memory;
use unshade_ir::{Global, Module, Space, passes};
use unshade_isa::cases::Kind;
use unshade_isa::maxwell;
use unshade_isa::maxwell::cosimulation::{self, Beside, Left};
use unshade_isa::maxwell::exec::{End, Fault, NoTrace, Outcome, Step, Trace, Written};
use unshade_isa::maxwell::operand_fields::registers;
use unshade_isa::maxwell::operation::{ConstantMode, HalfOutput, Interpolate, Source};
use unshade_isa::maxwell::{Class, Form, Operation, Word, address_map, layout, lift};
use unshade_stage::maxwell::Driver;
use unshade_stage::{Stage, StageKind};

/// A program and the interpreter.
pub(super) struct Maxwell {
    kind: StageKind,
    driver: Driver,
    beside: Beside,
    /// The words of the code.
    words: Vec<u32>,
}

impl Maxwell {
    /// Fails, with the lift's words, where the program cannot be lifted: what it reads is not known then.
    pub(super) fn new(stage: &Stage<'_>) -> Result<Self, String> {
        let module = lift::lift(stage).map_err(|error| error.to_string())?;
        let driver =
            stage.interface.maxwell.as_deref().map_or_else(Driver::default, |maxwell| maxwell.driver);
        let beside = Beside::new(stage, &module);
        Ok(Self { kind: stage.kind, driver, beside, words: stage.code.words.to_vec() })
    }

    /// For readable mode: whole quads run where what their lanes do for each other becomes something else there.
    pub(super) fn readable(stage: &Stage<'_>) -> Result<Self, String> {
        let mut machine = Self::new(stage)?;
        let mut module = lift::lift(stage).map_err(|error| error.to_string())?;
        if restored(&mut module) {
            machine.beside = machine.beside.in_quads();
        }
        Ok(machine)
    }

    fn of(&self, inputs: &Inputs) -> cosimulation::Words {
        inputs
            .iter()
            .filter(|registers| registers.space != Space::Shared)
            .map(|registers| ((registers.space, registers.binding), registers.words.clone()))
            .collect()
    }

    fn lane(&self, inputs: &Inputs) -> u8 {
        self.beside.lane_at_work(&self.of(inputs))
    }

    fn run_traced(
        &self,
        inputs: &Inputs,
        fuel: u64,
        trace: &mut impl Trace<maxwell::exec::Program>,
    ) -> (Option<Left>, Outcome) {
        let words = self.of(inputs);
        // Answers by formula, as every environment without textures does.
        self.beside.run(&words, &mut Memory::default(), fuel, trace)
    }
}

impl super::machine::Verified for maxwell::Maxwell {
    fn machine<'a>(stage: &'a Stage<'_>) -> Result<Box<dyn Machine + 'a>, String> {
        Ok(Box::new(Maxwell::new(stage)?))
    }

    fn readable<'a>(stage: &'a Stage<'_>) -> Result<Box<dyn Machine + 'a>, String> {
        Ok(Box::new(Maxwell::readable(stage)?))
    }
}

impl Machine for Maxwell {
    fn draws_by_type(&self) -> bool {
        true
    }

    fn inputs(&self, seed: u64, index: u64, kind: Kind) -> Inputs {
        let words = self.beside.inputs(seed, index, kind).into_iter();
        let mut inputs: Inputs =
            words.map(|((space, binding), words)| Registers { space, binding, words }).collect();
        let shared = self.beside.shared_words() as usize;
        if shared > 0 {
            inputs.push(Registers { space: Space::Shared, binding: 0, words: vec![0; shared] });
        }
        inputs
    }

    fn limited(&self, inputs: Inputs) -> Inputs {
        let mut words = self.of(&inputs);
        self.beside.limit(&mut words);
        let limited = |registers: Registers| {
            let words = words.remove(&(registers.space, registers.binding));
            Registers { words: words.unwrap_or(registers.words), ..registers }
        };
        inputs.into_iter().map(limited).collect()
    }

    fn plain(&self, mut inputs: Inputs) -> Inputs {
        // What is multiplied by w and divided by it is itself then.
        let is_attribute = |registers: &&mut Registers| {
            (registers.space, registers.binding) == (Space::Input, address_map::ATTRIBUTE_BINDING)
        };
        let words = inputs.iter_mut().find(is_attribute).map(|registers| &mut registers.words);
        if self.kind == StageKind::Fragment
            && let Some(w) = words.and_then(|words| words.get_mut(address_map::POSITION_W as usize / 4))
        {
            *w = 1_f32.to_bits();
        }
        inputs
    }

    fn registers(&self, mut inputs: Inputs) -> Inputs {
        let attributes = self.beside.attributes(&self.of(&inputs));
        for registers in &mut inputs {
            if (registers.space, registers.binding) == (Space::Input, address_map::ATTRIBUTE_BINDING) {
                registers.words.clone_from(&attributes);
            }
        }
        inputs
    }

    fn run(&self, inputs: &Inputs, fuel: u64) -> (Option<Words>, u64) {
        let (left, outcome) = self.run_traced(inputs, fuel, &mut NoTrace);
        let Some(Left { mut words, killed }) = left else { return (None, outcome.steps) };
        if self.leaves() == Leaves::Pixel {
            let outputs = self.output_words();
            for words in &mut words {
                let buffers = words.split_off(outputs.min(words.len()));
                if killed {
                    words.fill(0);
                }
                words.push(u32::from(killed));
                words.extend(buffers);
            }
        }
        (Some(words), outcome.steps)
    }

    fn stops_at_bound(&self, inputs: &Inputs, fuel: u64) -> bool {
        let (_, outcome) = self.run_traced(inputs, fuel, &mut NoTrace);
        matches!(outcome.end, End::Fault { fault: Fault::TooManyVertices, .. })
    }

    fn leaves_assumptions(&self, inputs: &Inputs, fuel: u64, _: &[Global]) -> Option<Reason> {
        let uniforms = inputs.iter().filter(|registers| registers.space == Space::Uniform);
        let longest = uniforms.map(|registers| registers.words.len()).max().unwrap_or(0);
        let mut watch = Watch {
            words: &self.words,
            bank: 4 * longest as u64,
            samples: address_map::has_sample_table(self.driver, self.kind),
            lane: usize::from(self.lane(inputs)),
            attributes: words(inputs, Space::Input, address_map::ATTRIBUTE_BINDING),
            before: vec![0; 256],
            wrapped: vec![false; 256],
            outside: None,
        };
        self.run_traced(inputs, fuel, &mut watch);
        watch.outside
    }

    fn in_quads(&self) -> bool {
        self.beside.runs_quads()
    }

    fn output_words(&self) -> usize {
        self.beside.outputs().iter().map(|(_, words)| words).sum()
    }

    fn output_files(&self) -> Vec<(u32, usize)> {
        self.beside.outputs()
    }

    fn buffers(&self) -> Vec<u32> {
        self.beside.buffers().into_iter().map(|(binding, _)| binding).collect()
    }

    fn leaves(&self) -> Leaves {
        match self.kind {
            StageKind::Geometry => Leaves::Vertices,
            StageKind::Fragment => Leaves::Pixel,
            _ => Leaves::Outputs,
        }
    }

    fn output_name(&self, word: usize) -> String {
        match self.leaves() {
            Leaves::Pixel if word == self.output_words() => "discard".to_owned(),
            // Behind the outputs of a pixel stands whether it was dropped.
            Leaves::Pixel if word > self.output_words() => self.beside.output_name(word - 1),
            _ => self.beside.output_name(word),
        }
    }
}

/// Makes of a lifted program what readable mode makes of quads whose lanes work for each other. Answers whether there is
/// any.
pub(super) fn restored(module: &mut Module) -> bool {
    let mut made = module.clone();
    let until = lift::idiom::PASSES.iter().position(|pass| pass.name == lift::idiom::GRADIENTS.name);
    let passes = lift::idiom::PASSES.get(..=until.unwrap_or(0)).unwrap_or_default();
    let report = passes::run(&mut made, passes, None);
    let found = report.passes.iter().any(|(name, count)| *name == lift::idiom::GRADIENTS.name && *count > 0);
    if found {
        *module = made;
    }
    found
}

/// Sees whether a float operation takes a number that is as good as zero to the machine and not to source, or gives
/// an infinity or NaN, a constant is asked for where there is none, or a layer is beyond all that textures have.
struct Watch<'w> {
    words: &'w [u32],
    /// Bytes of the longest bank.
    bank: u64,
    /// The driver tells where samples lie.
    samples: bool,
    /// The lane that is looked at.
    lane: usize,
    /// The attributes as the lifted program reads them.
    attributes: &'w [u32],
    /// The registers before the instruction.
    before: Vec<u32>,
    /// Registers that hold what was left of a number that was shifted out of them.
    wrapped: Vec<bool>,
    outside: Option<Reason>,
}

/// Whether a word is a float so small that it counts as zero.
fn is_tiny(word: u32) -> bool {
    f32::from_bits(word).is_subnormal()
}

impl Watch<'_> {
    fn before(&self, register: u32) -> u32 {
        self.before.get(register as usize).copied().unwrap_or(0)
    }
}

impl Trace<maxwell::exec::Program> for Watch<'_> {
    fn step(&mut self, step: &Step<'_>) {
        let lane = step.lanes.get(self.lane);
        let at_work = step.at_work >> self.lane & 1 != 0;
        match step.instruction.operation {
            Operation::LoadConstant { a, .. } if a.mode == ConstantMode::Linear && at_work => {
                let wrapped = self.wrapped.get(usize::from(a.register.0)).copied().unwrap_or(false);
                Reason::Index.note(wrapped, &mut self.outside);
                let index = self.before(a.register.0.into());
                let place = i64::from(index as i32) + i64::from(a.base.offset as i16);
                let samples = self.samples && a.base.bank == address_map::DRIVER_BANK;
                let is_there = u64::try_from(place).is_ok_and(|place| {
                    let word = u32::try_from(place / 4).unwrap_or(u32::MAX);
                    place < self.bank || samples && address_map::SAMPLE_TABLE.contains(&word)
                });
                Reason::Index.note(!is_there, &mut self.outside);
            }
            // A half that stays may be no number, which source makes another of when it packs the word.
            Operation::HalfAdd { d, output, .. }
            | Operation::HalfMultiply { d, output, .. }
            | Operation::HalfFusedMultiplyAdd { d, output, .. }
                if at_work =>
            {
                let word = self.before(d.0.into());
                let stays = match output {
                    HalfOutput::MergeLow => word >> 16,
                    HalfOutput::MergeHigh => word,
                    HalfOutput::Both | HalfOutput::F32 => 0,
                };
                Reason::NotFinite.note(stays & 0x7FFF > 0x7C00, &mut self.outside);
            }
            // The machine takes 16 bits of a layer; floats that are larger were brought to their largest.
            Operation::Texture(texture) if at_work => {
                let is_beyond = texture.layer.is_some_and(|layer| self.before(layer.0.into()) >= 0xFFFF);
                Reason::Layer.note(is_beyond, &mut self.outside);
            }
            Operation::Interpolate { a, mode, .. } if mode != Interpolate::Constant => {
                // The machine's is multiplied by 1/w, which may leave nothing of it or be more than there is.
                let set_up = lane.map_or(0, |lane| lane.attributes.get(a.address.into()));
                let given = self.attributes.get(usize::from(a.address) / 4).copied().unwrap_or(0);
                let vanished = f32::from_bits(set_up) == 0.0 && f32::from_bits(given) != 0.0;
                let overflowed = !f32::from_bits(set_up).is_finite() && f32::from_bits(given).is_finite();
                Reason::Small.note(is_tiny(set_up) || vanished, &mut self.outside);
                Reason::NotFinite.note(overflowed, &mut self.outside);
            }
            _ => {}
        }
        if let Some(word) = layout::at(self.words, step.address)
            && let Some(form) = Form::of(word)
            && Class::of(form) == Class::Float
            && at_work
        {
            for place in registers(form, Word(word)) {
                let last = place.end().min(255);
                let is_small = !place.written
                    && (u32::from(place.first.0)..last).any(|register| is_tiny(self.before(register)));
                Reason::Small.note(is_small, &mut self.outside);
            }
            let own = |lane: &u8| usize::from(*lane) == self.lane;
            let results = step.written.iter().filter_map(|written| match written {
                Written::Register { register, lane } if own(lane) => {
                    Some(step.lanes.get(usize::from(*lane))?.registers[usize::from(*register)])
                }
                _ => None,
            });
            for result in results {
                Reason::NotFinite.note(!f32::from_bits(result).is_finite(), &mut self.outside);
            }
        }
        let wraps = match step.instruction.operation {
            Operation::ShiftLeft { a: Source::Register(a), b: Source::Immediate(by @ 1..=31), .. } => {
                let number = self.before(a.0.into()) as i32;
                number << by >> by != number
            }
            _ => false,
        };
        for written in step.written {
            if let Written::Register { register, lane } = *written
                && usize::from(lane) == self.lane
                && let Some(place) = self.wrapped.get_mut(usize::from(register))
            {
                *place = wraps;
            }
            if let Written::Register { register, lane } = *written
                && usize::from(lane) == self.lane
                && let Some(lane) = step.lanes.get(usize::from(lane))
                && let Some(place) = self.before.get_mut(usize::from(register))
            {
                *place = lane.registers[usize::from(register)];
            }
        }
    }
}
