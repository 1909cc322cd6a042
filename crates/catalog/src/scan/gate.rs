//! Who may go on: jobs start in order and take their part of the memory, and what is found early waits for what comes
//! before it.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Bytes of rows on their way from the job whose turn it is.
const IN_FLIGHT: u64 = 8 << 20;

/// What threads agree on.
pub(super) struct Gate {
    state: Mutex<State>,
    changed: Condvar,
    /// Memory for the contents of files.
    limit: u64,
    /// Memory for rows that wait.
    waiting: u64,
}

#[derive(Default)]
struct State {
    /// The job that starts next.
    next: usize,
    /// The job whose rows are written.
    turn: usize,
    /// Memory that jobs have taken.
    used: u64,
    /// Bytes of rows that wait for their turn.
    held: u64,
    /// Bytes of rows whose turn it is, on their way.
    flying: u64,
    /// Threads that work at the moment.
    active: usize,
    /// One thread works alone.
    alone: bool,
    stop: bool,
}

impl Gate {
    pub(super) fn new(limit: u64, waiting: u64) -> Self {
        Self { state: Mutex::default(), changed: Condvar::new(), limit, waiting }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // A thread that panicked has not left the state halfway: nothing below can panic between two changes.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'g>(&self, state: MutexGuard<'g, State>) -> MutexGuard<'g, State> {
        self.changed.wait(state).unwrap_or_else(PoisonError::into_inner)
    }

    /// The next job, when there is memory for it. `costs` says how much a job takes, `None` that there is none.
    pub(super) fn start(&self, costs: impl Fn(usize) -> Option<u64>) -> Option<(usize, u64)> {
        let mut state = self.lock();
        loop {
            let job = state.next;
            let cost = costs(job).filter(|_| !state.stop)?;
            // The largest one starts when nothing else runs.
            if !state.alone && (state.used == 0 || state.used.saturating_add(cost) <= self.limit) {
                state.next += 1;
                state.used = state.used.saturating_add(cost);
                state.active += 1;
                return Some((job, cost));
            }
            state = self.wait(state);
        }
    }

    /// A job is done with its memory.
    pub(super) fn finish(&self, cost: u64) {
        let mut state = self.lock();
        state.used = state.used.saturating_sub(cost);
        state.active = state.active.saturating_sub(1);
        drop(state);
        self.changed.notify_all();
    }

    /// Runs `work` while no other job does. Those that wait for their turn to hand over rows keep what they have.
    pub(super) fn alone<T>(&self, work: impl FnOnce() -> T) -> T {
        let mut state = self.lock();
        state.active = state.active.saturating_sub(1);
        self.changed.notify_all();
        while (state.active > 0 || state.alone) && !state.stop {
            state = self.wait(state);
        }
        state.alone = true;
        state.active += 1;
        drop(state);
        let result = work();
        self.lock().alone = false;
        self.changed.notify_all();
        result
    }

    /// Waits until `bytes` of rows of a job may be handed over. Whether they are wanted.
    pub(super) fn hand_over(&self, job: usize, bytes: u64) -> bool {
        let mut state = self.lock();
        let may = |state: &State| match job == state.turn {
            true => state.flying < IN_FLIGHT,
            false => state.held.saturating_add(bytes) <= self.waiting,
        };
        if !may(&state) && !state.stop {
            state.active = state.active.saturating_sub(1);
            self.changed.notify_all();
            while (!may(&state) || state.alone) && !state.stop {
                state = self.wait(state);
            }
            state.active += 1;
        }
        match job == state.turn {
            true => state.flying = state.flying.saturating_add(bytes),
            false => state.held = state.held.saturating_add(bytes),
        }
        !state.stop
    }

    /// Rows of the job whose turn it is were taken.
    pub(super) fn taken(&self, bytes: u64) {
        let mut state = self.lock();
        state.flying = state.flying.saturating_sub(bytes);
        drop(state);
        self.changed.notify_all();
    }

    /// It is the next job's turn, of which `bytes` of rows waited.
    pub(super) fn turn(&self, job: usize, bytes: u64) {
        let mut state = self.lock();
        state.turn = job;
        state.held = state.held.saturating_sub(bytes);
        state.flying = state.flying.saturating_add(bytes);
        drop(state);
        self.changed.notify_all();
    }

    /// Nothing more is wanted.
    pub(super) fn stop(&self) {
        self.lock().stop = true;
        self.changed.notify_all();
    }
}
