//! The threads that look into files, and the order in which their rows come out.

use super::{Error, Options, gate::Gate};
use crate::{
    file::{self, Room},
    paths::Input,
    row::Row,
    table,
    unique::Code,
};
use std::{
    collections::BTreeMap,
    sync::mpsc::{Receiver, Sender, channel},
};

/// Rows that are handed over together.
const BATCH: usize = 256;
/// Bytes of rows after which they are handed over earlier.
const BATCH_BYTES: u64 = 1 << 20;

/// A row, and the code of its program where somebody asks for it.
pub(super) struct Found {
    pub(super) row: Row,
    pub(super) code: Option<Code>,
}

/// Some rows of a job.
struct Message {
    job: usize,
    found: Vec<Found>,
    bytes: u64,
    last: bool,
}

/// What was found, job by job.
pub(super) struct Results<'g> {
    gate: &'g Gate,
    messages: Receiver<Message>,
    early: BTreeMap<usize, Vec<Message>>,
    job: usize,
    done: bool,
}

impl Results<'_> {
    /// The next rows of the current job; `None` at its end, behind which the next job begins.
    pub(super) fn next(&mut self) -> Option<Vec<Found>> {
        if std::mem::take(&mut self.done) {
            self.job += 1;
            let waited = self.early.get(&self.job).into_iter().flatten().map(|message| message.bytes).sum();
            self.gate.turn(self.job, waited);
            return None;
        }
        loop {
            let waiting = self.early.get_mut(&self.job).filter(|waiting| !waiting.is_empty());
            let message = match waiting {
                Some(waiting) => waiting.remove(0),
                None => {
                    self.early.remove(&self.job);
                    // Threads that are gone send nothing more.
                    let Ok(message) = self.messages.recv() else {
                        self.done = true;
                        return Some(Vec::new());
                    };
                    if message.job != self.job {
                        self.early.entry(message.job).or_default().push(message);
                        continue;
                    }
                    message
                }
            };
            self.gate.taken(message.bytes);
            self.done = message.last;
            return Some(message.found);
        }
    }
}

/// Looks into `jobs` and gives what was found to `collect`.
pub(super) fn run<T>(
    jobs: &[&Input],
    options: &Options,
    with_code: bool,
    collect: impl FnOnce(&mut Results<'_>) -> Result<T, Error>,
) -> Result<T, Error> {
    let threads = options.threads.clamp(1, 256).min(jobs.len().max(1));
    let room = Shares::new(options.memory, threads);
    let costs: Vec<u64> = jobs.iter().map(|input| file::cost(input)).collect();
    let gate = Gate::new(room.files, room.rows);
    let (sender, messages) = channel();
    std::thread::scope(|scope| {
        for _ in 0..threads {
            let (sender, gate, room, costs) = (sender.clone(), &gate, &room, &costs);
            scope.spawn(move || work((jobs, costs), options, with_code, gate, room, &sender));
        }
        drop(sender);
        let mut results = Results { gate: &gate, messages, early: BTreeMap::new(), job: 0, done: false };
        let result = collect(&mut results);
        gate.stop();
        result
    })
}

/// Who gets how much of the memory.
struct Shares {
    /// The contents of all files that are open.
    files: u64,
    /// Rows that wait.
    rows: u64,
    /// What one file may unpack beside others.
    unpacked: u64,
    /// What one file may unpack when it has the memory to itself.
    alone: u64,
}

impl Shares {
    fn new(memory: u64, threads: usize) -> Self {
        let memory = memory.max(super::LEAST_MEMORY);
        Self {
            files: memory / 3,
            rows: memory / 12,
            unpacked: memory / 4 / threads.max(1) as u64,
            alone: super::for_one_file(memory),
        }
    }
}

fn work(
    (jobs, costs): (&[&Input], &[u64]),
    options: &Options,
    with_code: bool,
    gate: &Gate,
    room: &Shares,
    sender: &Sender<Message>,
) {
    while let Some((job, cost)) = gate.start(|job| costs.get(job).copied()) {
        let Some(input) = jobs.get(job) else { break };
        let mut batch = Batch { job, found: Vec::new(), bytes: 0, gate, sender };
        let alone = |work: &mut dyn FnMut()| gate.alone(work);
        let room = Room {
            unpacked: room.unpacked,
            most: room.alone,
            alone: &alone,
            dictionaries: &options.dictionaries,
        };
        // A defect of this program in one file must not cost the rows of all others.
        let looked = file::guarded(|| {
            file::look(input, &room, &mut |row, stage| {
                let code = stage.filter(|_| with_code).map(Code::of);
                batch.add(Found { row, code })
            });
        });
        if looked.is_err() {
            batch.add(Found { row: file::defect_row(&input.path), code: None });
        }
        batch.send(true);
        gate.finish(cost);
    }
}

/// Rows of a job on their way.
struct Batch<'w> {
    job: usize,
    found: Vec<Found>,
    bytes: u64,
    gate: &'w Gate,
    sender: &'w Sender<Message>,
}

impl Batch<'_> {
    /// Whether more are wanted.
    fn add(&mut self, found: Found) -> bool {
        self.bytes += (table::size(&found.row) + found.code.as_ref().map_or(0, Code::len)) as u64;
        self.found.push(found);
        if self.found.len() >= BATCH || self.bytes >= BATCH_BYTES { self.send(false) } else { true }
    }

    fn send(&mut self, last: bool) -> bool {
        let wanted = self.gate.hand_over(self.job, self.bytes);
        let (found, bytes) = (std::mem::take(&mut self.found), std::mem::take(&mut self.bytes));
        wanted && self.sender.send(Message { job: self.job, found, bytes, last }).is_ok()
    }
}
