//! What the fuzz targets share: a property, and steps that know what the bytes are.

use unshade_tests::mutate::{Dice, Step};

pub use libfuzzer_sys;
pub use unshade_tests::targets::{Target, find};

/// One step of libFuzzer's own among so many.
const PLAIN: usize = 4;

/// Changes an input: as `steps` do, and now and then as libFuzzer does. Answers its new length.
pub fn mutate(data: &mut [u8], size: usize, most: usize, seed: u32, steps: &[Step]) -> usize {
    let mut dice = Dice::new(seed);
    let old = data.get(..size).unwrap_or_default();
    let step = dice.pick(steps).filter(|_| seed as usize % PLAIN != 0);
    let mut dice = Dice::new(seed.rotate_left(16));
    let new = step.and_then(|step| step(old, &mut dice)).filter(|new| new.len() <= most && !new.is_empty());
    match (&new, new.as_deref().and_then(|new| data.get_mut(..new.len()))) {
        (Some(new), Some(place)) => {
            place.copy_from_slice(new);
            new.len()
        }
        _ => libfuzzer_sys::fuzzer_mutate(data, size, most),
    }
}

/// Leaves panics of naga to who calls it: the library catches them, and what nobody catches ends the target all the same.
/// libFuzzer's hook, which would end it at once, hears of all others.
pub fn let_the_library_catch() {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let by_naga = panic.location().is_some_and(|place| place.file().contains("/naga-"));
        if !by_naga {
            hook(panic);
        }
    }));
}

/// The target of that name of [`unshade_tests::targets`].
#[macro_export]
macro_rules! target {
    ($name:literal) => {
        const TARGET: fn() -> &'static $crate::Target = || $crate::find($name).expect($name);
        $crate::libfuzzer_sys::fuzz_target!(init: $crate::let_the_library_catch(), |data: &[u8]| (TARGET().property)(data));
        $crate::libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
            $crate::mutate(data, size, max_size, seed, TARGET().steps)
        });
    };
}
