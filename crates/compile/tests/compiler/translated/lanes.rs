//! Invocations of a module side by side, one at a time, each up to where it needs the others: a quad, a patch, a work group.
//!
//! Each is a thread of its own, of which one runs at any time, in the order of their numbers: so runs are the same each time.

use std::collections::BTreeMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use unshade_ir::exec::{Environment, Limits, Machine, Outcome, Program};
use unshade_ir::{
    AtomicOp, Barrier, Image, ImageQuery, InputPlace, QuadSide, Space, Texture, TextureShape, Vote,
};
use unshade_isa::texture::{ImageAccess, Images as _, Pictures, Query, Textures as _, View};

/// Words by binding.
pub type Bindings = BTreeMap<u32, Vec<u32>>;

/// What all invocations share.
#[derive(Debug, Clone, Default)]
pub struct Shared {
    pub uniforms: Bindings,
    pub buffers: Bindings,
    pub memory: Vec<u32>,
    pub pictures: Pictures,
    /// Outputs, where all invocations have the same ones.
    pub outputs: Option<Vec<u32>>,
}

/// One invocation.
#[derive(Debug, Clone, Default)]
pub struct Lane {
    pub inputs: Vec<u32>,
    /// How each word of the inputs changes to the right, and upwards.
    pub slopes: Option<[Vec<f32>; 2]>,
    pub outputs: Vec<u32>,
    /// Emitted vertices by stream: the outputs, or the end of a primitive.
    pub vertices: Vec<(u32, Option<Vec<u32>>)>,
}

/// What an invocation asks the others.
#[derive(Debug, Clone, PartialEq)]
enum Asked {
    Texture(Texture, u32, Vec<u32>),
    Value(u32),
    Truth(bool),
    Barrier,
}

#[derive(Debug, Default)]
struct State {
    turn: usize,
    asked: Vec<Option<Asked>>,
    answers: Vec<Vec<Option<Asked>>>,
    ended: Vec<bool>,
    shared: Shared,
}

impl State {
    /// The next one that can run: those that wait for others cannot. When all wait, all get their answers.
    fn pass_on(&mut self) {
        let count = self.ended.len();
        let free = |state: &Self, lane: usize| !state.ended[lane] && state.asked[lane].is_none();
        if let Some(next) = (0..count).map(|step| (self.turn + step) % count).find(|lane| free(self, *lane)) {
            self.turn = next;
            return;
        }
        let all = self.asked.clone();
        for lane in 0..count {
            if self.asked[lane].take().is_some() {
                self.answers[lane] = all.clone();
            }
        }
        self.turn = (0..count).find(|lane| !self.ended[*lane]).unwrap_or(count);
    }
}

struct Around {
    number: usize,
    lane: Lane,
    state: Arc<(Mutex<State>, Condvar)>,
}

impl Around {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.0.lock().unwrap()
    }

    fn wait(&self) {
        let mut state = self.lock();
        while state.turn != self.number {
            state = self.state.1.wait(state).unwrap();
        }
    }

    /// Asks the others, who come to the same place: what each asked, by number.
    fn exchange(&self, asked: Asked) -> Vec<Option<Asked>> {
        let mut state = self.lock();
        state.asked[self.number] = Some(asked);
        state.pass_on();
        self.state.1.notify_all();
        while state.turn != self.number || state.asked[self.number].is_some() {
            state = self.state.1.wait(state).unwrap();
        }
        std::mem::take(&mut state.answers[self.number])
    }
}

impl Environment for Around {
    fn load(&mut self, space: Space, binding: u32, word: u32) -> u32 {
        let at = word as usize;
        let of = |words: Option<&Vec<u32>>| words.and_then(|words| words.get(at)).copied().unwrap_or(0);
        match space {
            Space::Input => of(Some(&self.lane.inputs)),
            Space::Output => match &self.lock().shared.outputs {
                Some(outputs) => of(Some(outputs)),
                None => of(Some(&self.lane.outputs)),
            },
            Space::Uniform => of(self.lock().shared.uniforms.get(&binding)),
            Space::Storage => of(self.lock().shared.buffers.get(&binding)),
            Space::Shared => of(Some(&self.lock().shared.memory)),
            _ => 0,
        }
    }

    fn store(&mut self, space: Space, binding: u32, word: u32, value: u32) {
        let at = word as usize;
        let put = |words: Option<&mut Vec<u32>>| {
            if let Some(place) = words.and_then(|words| words.get_mut(at)) {
                *place = value;
            }
        };
        match space {
            Space::Output => {
                let mut state = self.state.0.lock().unwrap();
                match &mut state.shared.outputs {
                    Some(outputs) => put(Some(outputs)),
                    None => put(Some(&mut self.lane.outputs)),
                }
            }
            Space::Storage => put(self.lock().shared.buffers.get_mut(&binding)),
            Space::Shared => put(Some(&mut self.lock().shared.memory)),
            _ => {}
        }
    }

    fn emit_vertex(&mut self, stream: u32) -> u64 {
        self.lane.vertices.push((stream, Some(self.lane.outputs.clone())));
        1
    }

    fn end_primitive(&mut self, stream: u32) -> u64 {
        self.lane.vertices.push((stream, None));
        1
    }

    fn texture(&mut self, texture: Texture, unit: u32, operands: &[u32]) -> [u32; 4] {
        let all = self.exchange(Asked::Texture(texture, unit, operands.to_vec()));
        let own = operands.to_vec();
        let first = self.number & !3;
        // Who is not there asks as this one does.
        let each: [Vec<u32>; 4] = std::array::from_fn(|pixel| match all.get(first + pixel) {
            Some(Some(Asked::Texture(_, _, operands))) => operands.clone(),
            _ => own.clone(),
        });
        let query = Query {
            texture: Texture { unit, indexed: false, ..texture },
            operands: each.each_ref().map(Vec::as_slice),
            faces: None,
            wanted: [true; 4],
        };
        (&*self.lock().shared.pictures.textures).query(&query)[self.number & 3]
    }

    fn texture_shape(&mut self, unit: u32) -> Option<TextureShape> {
        self.lock().shared.pictures.shape(unit)
    }

    fn buffer_size(&mut self, binding: u32) -> u32 {
        self.lock().shared.buffers.get(&binding).map_or(0, |words| 4 * words.len() as u32)
    }

    fn quad_read(&mut self, side: QuadSide, value: u32) -> u32 {
        let own = self.number;
        let there = match side {
            QuadSide::Left => own & !1,
            QuadSide::Right => own | 1,
            QuadSide::Lower => own & !2,
            QuadSide::Upper => own | 2,
        };
        match self.exchange(Asked::Value(value)).get(there) {
            Some(Some(Asked::Value(other))) => *other,
            _ => value,
        }
    }

    fn interpolate(&mut self, place: InputPlace, _: u32, word: u32, operands: &[u32]) -> u32 {
        let value = self.lane.inputs.get(word as usize).copied().unwrap_or(0);
        let (InputPlace::Offset, Some(slopes), [x, y]) = (place, &self.lane.slopes, operands) else {
            return value;
        };
        let slope = |axis: usize| slopes[axis].get(word as usize).copied().unwrap_or(0.0);
        let moved = f32::from_bits(value) + slope(0) * f32::from_bits(*x) + slope(1) * f32::from_bits(*y);
        moved.to_bits()
    }

    fn atomic(&mut self, op: AtomicOp, space: Space, binding: u32, word: u32, operands: &[u32]) -> u32 {
        let old = self.load(space, binding, word);
        self.store(space, binding, word, op.apply(old, operands));
        old
    }

    fn image(&mut self, image: Image, unit: u32, operands: &[u32]) -> [u32; 4] {
        let image = Image { unit, indexed: false, ..image };
        let mut state = self.lock();
        if image.query == ImageQuery::Size {
            let [x, y, z] = state.shared.pictures.images.get(&unit).map_or([0; 3], |image| image.size);
            return match image.shape {
                TextureShape::LineArray => [x, z, 0, 0],
                TextureShape::CubeArray => [x, y, z / 6, 0],
                TextureShape::Cube => [x, y, 0, 0],
                _ => [x, y, z, 0],
            };
        }
        state.shared.pictures.image(&ImageAccess { image, view: View::Formatted, operands })
    }

    fn vote(&mut self, vote: Vote, value: bool) -> bool {
        let all = self.exchange(Asked::Truth(value));
        let mut truths = all.iter().flatten().filter_map(|asked| match asked {
            Asked::Truth(truth) => Some(*truth),
            _ => None,
        });
        match vote {
            Vote::All => truths.all(|truth| truth),
            Vote::Any => truths.any(|truth| truth),
            Vote::Equal => truths.all(|truth| truth == value),
        }
    }

    fn ballot(&mut self, value: bool) -> u32 {
        let all = self.exchange(Asked::Truth(value));
        let bits = all.iter().enumerate().take(32);
        bits.fold(0, |mask, (lane, asked)| mask | u32::from(*asked == Some(Asked::Truth(true))) << lane)
    }

    fn shuffle(&mut self, value: u32, lane: u32) -> u32 {
        match self.exchange(Asked::Value(value)).get(lane as usize) {
            Some(Some(Asked::Value(other))) => *other,
            _ => value,
        }
    }

    fn barrier(&mut self, barrier: Barrier) {
        if barrier == Barrier::Control {
            self.exchange(Asked::Barrier);
        }
    }
}

/// Runs all invocations to their ends; how each ended.
pub fn run(program: &Program, lanes: &mut [Lane], shared: &mut Shared) -> Vec<Outcome> {
    let count = lanes.len();
    let state = State {
        turn: 0,
        asked: vec![None; count],
        answers: vec![Vec::new(); count],
        ended: vec![false; count],
        shared: std::mem::take(shared),
    };
    let state = Arc::new((Mutex::new(state), Condvar::new()));
    let outcomes = std::thread::scope(|scope| {
        let mut handles = Vec::new();
        for (number, lane) in lanes.iter_mut().enumerate() {
            let mut around = Around { number, lane: std::mem::take(lane), state: Arc::clone(&state) };
            handles.push(scope.spawn(move || {
                around.wait();
                let outcome = Machine::new(program).run(&mut around, Limits::fuel(1 << 22)).outcome;
                let mut state = around.state.0.lock().unwrap();
                state.ended[number] = true;
                state.pass_on();
                around.state.1.notify_all();
                drop(state);
                *lane = around.lane;
                outcome
            }));
        }
        handles.into_iter().map(|handle| handle.join().unwrap()).collect()
    });
    *shared = std::mem::take(&mut state.0.lock().unwrap().shared);
    outcomes
}
