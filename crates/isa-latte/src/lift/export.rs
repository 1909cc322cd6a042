//! Exports of pixels, positions and parameters.

use super::super::bindings::{EXPORT_BINDING, export_word};
use super::super::fields::CfExport;
use super::fetch::{Place, selected};
use super::write::{Step, Writer};
use unshade_ir::{Space, Value};

/// Writes an export. `index`: slot of the loop index.
pub(super) fn write(w: &mut Writer<'_>, inst: CfExport, index: Option<u8>) {
    for n in 0..=inst.burst_count() {
        let Some(word) = export_word(inst.kind(), inst.array_base() + n) else { continue };
        w.at(Step::Flow, 0);
        let place = Place::new(w, inst.gpr() + n, inst.gpr_relative(), index);
        for (lane, select) in (0_u32..).zip(inst.swizzle()) {
            w.at(Step::Output, lane);
            let mut values = [Value::default(); 4];
            if select < 4 {
                values[select as usize] = place.read(w, select as u8);
            }
            if let Some(value) = selected(w, values, select) {
                w.store(Space::Output, EXPORT_BINDING, word + lane, value);
            }
        }
    }
}
