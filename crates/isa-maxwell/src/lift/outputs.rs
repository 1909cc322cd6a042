//! What the registers of a pixel are when its program ends.

use super::super::Register;
use super::super::address_map::{DEPTH_WORD, PIXEL_BINDING, SAMPLE_MASK_WORD};
use super::super::header::PixelOutput;
use super::registers::State;
use super::write::Writer;
use unshade_ir::Space;
use unshade_stage::StageKind;
use unshade_stage::maxwell::Driver;

/// Stores the outputs of a pixel.
pub(super) fn write(w: &mut Writer<'_>) {
    if w.kind != StageKind::Fragment {
        return;
    }
    w.address = u32::MAX;
    let registers: Vec<(u8, PixelOutput)> = match &w.header {
        Some(header) => header
            .pixel_registers()
            .into_iter()
            .map(|register| (register.register, register.output))
            .collect(),
        // Without a header there is one target.
        None => (0..4).map(|component| (component, PixelOutput::Colour(0, component))).collect(),
    };
    // Targets that end before their fourth component: uam's headers name all four, and no instruction touches a register
    // that the source has no component for, nor any behind it.
    let mut ended = None;
    for (register, output) in registers {
        if let PixelOutput::Colour(target, component) = output
            && component > 0
            && w.maxwell.driver != Driver::Nvn
            && w.header.is_some()
        {
            if !w.registers.is_used(State::Register(register)) {
                ended = Some(target);
            }
            if ended == Some(target) {
                continue;
            }
        }
        let word = match output {
            PixelOutput::Colour(target, component) => 4 * u32::from(target) + u32::from(component),
            PixelOutput::SampleMask => SAMPLE_MASK_WORD,
            PixelOutput::Depth => DEPTH_WORD,
        };
        w.at((word / 4) as u8, (word % 4) as u8);
        let value = w.register(Register(register));
        w.store(Space::Output, PIXEL_BINDING, word, value);
    }
}
