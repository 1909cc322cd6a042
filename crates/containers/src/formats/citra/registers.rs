//! The registers of the GPU that say what is around a vertex program.

use super::model::Entry;
use crate::formats::shbin::register::semantic_name;
use unshade_stage::{Constant, ConstantValue, Output, Space};

/// Number of the first of the registers that say what components of outputs mean; there are seven.
const OUTPUT_MAP: usize = 0x50;
/// Most outputs that have a meaning.
const OUTPUTS: usize = 7;
const BOOL_UNIFORMS: usize = 0x2B0;
const INT_UNIFORMS: usize = 0x2B1;
const INPUT_CONFIG: usize = 0x2B9;
const ENTRY_POINT: usize = 0x2BA;
const INPUT_MAP: usize = 0x2BB;
const OUTPUT_MASK: usize = 0x2BD;

/// Names of registers that count, by their numbers.
pub(super) const NAMES: [(usize, &str); 20] = [
    (0x4F, "sh_outmap_total"),
    (0x50, "sh_outmap_o0"),
    (0x51, "sh_outmap_o1"),
    (0x52, "sh_outmap_o2"),
    (0x53, "sh_outmap_o3"),
    (0x54, "sh_outmap_o4"),
    (0x55, "sh_outmap_o5"),
    (0x56, "sh_outmap_o6"),
    (0x229, "geostage_config"),
    (0x280, "gsh_booluniform"),
    (0x2B0, "vsh_booluniform"),
    (0x2B1, "vsh_intuniform_i0"),
    (0x2B2, "vsh_intuniform_i1"),
    (0x2B3, "vsh_intuniform_i2"),
    (0x2B4, "vsh_intuniform_i3"),
    (0x2B9, "vsh_inputbuffer_config"),
    (0x2BA, "vsh_entrypoint"),
    (0x2BB, "vsh_attributes_permutation_low"),
    (0x2BC, "vsh_attributes_permutation_high"),
    (0x2BD, "vsh_outmap_mask"),
];

/// Components of meanings, in the order of the numbers that registers have for them: which meaning, as files number these, and
/// which of its components.
const COMPONENTS: [Option<(u16, u8)>; 24] = [
    Some((0, 0)),
    Some((0, 1)),
    Some((0, 2)),
    Some((0, 3)),
    Some((1, 0)),
    Some((1, 1)),
    Some((1, 2)),
    Some((1, 3)),
    Some((2, 0)),
    Some((2, 1)),
    Some((2, 2)),
    Some((2, 3)),
    Some((3, 0)),
    Some((3, 1)),
    Some((5, 0)),
    Some((5, 1)),
    Some((4, 0)),
    None,
    Some((8, 0)),
    Some((8, 1)),
    Some((8, 2)),
    None,
    Some((6, 0)),
    Some((6, 1)),
];

impl Entry {
    /// The register with that number; 0 where there is none.
    pub fn register(&self, number: usize) -> u32 {
        self.registers.as_chunks::<4>().0.get(number).map_or(0, |word| u32::from_le_bytes(*word))
    }

    /// Where the vertex program starts, as a word.
    pub fn entry_point(&self) -> u32 {
        self.register(ENTRY_POINT) & 0xFFFF
    }

    /// The input registers that attributes arrive in: the attributes are dealt out by four bits each.
    pub(super) fn input_mask(&self) -> u32 {
        let map =
            u64::from(self.register(INPUT_MAP)) | u64::from(self.register(INPUT_MAP.saturating_add(1))) << 32;
        if map == 0 {
            return 0;
        }
        let last = self.register(INPUT_CONFIG) & 15;
        (0..=last)
            .map(|attribute| 1 << (map >> attribute.saturating_mul(4) & 15))
            .fold(0, |mask, bit: u32| mask | bit)
    }

    /// The output registers that are handed on.
    pub(super) fn output_mask(&self) -> u32 {
        self.register(OUTPUT_MASK) & 0xFFFF
    }

    /// What the outputs mean. The maps are for the output registers that are handed on, one after the other; each component has a
    /// meaning of its own.
    pub(super) fn outputs(&self) -> Vec<Output> {
        let mask = self.output_mask();
        let handed = (0..16_u32).filter(|register| mask >> register & 1 != 0).take(OUTPUTS);
        let mut outputs: Vec<Output> = Vec::new();
        for (place, register) in handed.enumerate() {
            let map = self.register(OUTPUT_MAP.saturating_add(place));
            let first = outputs.len();
            for (component, meaning) in map.to_le_bytes().into_iter().enumerate() {
                let meaning = COMPONENTS.get(usize::from(meaning & 31)).copied().flatten();
                let Some((semantic, _)) = meaning else { continue };
                let (semantic, bit) = (semantic_name(semantic), 1 << component);
                let own = outputs.get_mut(first..).unwrap_or_default();
                match own.iter_mut().find(|output| output.semantic == semantic) {
                    Some(output) => output.mask |= bit,
                    None => outputs.push(Output { semantic, register, mask: bit }),
                }
            }
        }
        outputs
    }

    /// The truths and integers among the uniforms that are set: what is false or zero may as well never have been written.
    pub(super) fn constants(&self) -> Vec<Constant> {
        let truths = self.register(BOOL_UNIFORMS);
        let truth =
            |register: u32| Constant { space: Space::Bool, register, value: ConstantValue::Bool(true) };
        let integer = |register: u32| {
            let word = self.register(INT_UNIFORMS.saturating_add(register as usize));
            let value = ConstantValue::Int(word.to_le_bytes());
            (word != 0).then_some(Constant { space: Space::Int, register, value })
        };
        let truths = (0..16).filter(|register| truths >> register & 1 != 0).map(truth);
        truths.chain((0..4).filter_map(integer)).collect()
    }
}
