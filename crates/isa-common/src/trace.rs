//! Watching a run: what a machine tells of each step, after it is done.

/// A machine whose runs can be watched.
pub trait Steps {
    /// What it tells of one step: where it is, what it did, what that left.
    type Step<'a>;
}

/// Receives every step of a run of a machine, after it is done.
pub trait Trace<M: Steps> {
    /// Whether [`Trace::step`] does anything; where it does not, a run spends no time on it.
    const ACTIVE: bool = true;

    /// One step is done.
    fn step(&mut self, step: &M::Step<'_>);
}

/// Watches nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoTrace;

impl<M: Steps> Trace<M> for NoTrace {
    const ACTIVE: bool = false;

    fn step(&mut self, _: &M::Step<'_>) {}
}

/// Keeps the steps of machines that tell of them without borrowing anything.
impl<M, S: Copy> Trace<M> for Vec<S>
where
    M: for<'a> Steps<Step<'a> = S>,
{
    fn step(&mut self, step: &S) {
        self.push(*step);
    }
}
