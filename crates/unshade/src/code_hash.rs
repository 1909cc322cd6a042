//! The number by which equal programs are known.

use unshade_stage::{ConstantValue, Stage, StageKind};

/// XXH3-64 over everything that decides what a program computes: kind, entry, code words, descriptors (each
/// word little endian), then the constants that the file sets. Programs of equal hash do the same.
pub fn code_hash(stage: &Stage<'_>) -> u64 {
    let mut bytes = Vec::with_capacity((stage.code.words.len() + stage.code.descriptors.len() + 8) * 4);
    bytes.push(u8::from(stage.kind == StageKind::Geometry));
    bytes.extend_from_slice(&stage.code.entry.to_le_bytes());
    for words in [&stage.code.words, &stage.code.descriptors] {
        bytes.extend_from_slice(&(words.len() as u64).to_le_bytes());
        bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
    }
    for constant in &stage.code.constants {
        bytes.push(constant.space as u8);
        bytes.extend_from_slice(&constant.register.to_le_bytes());
        match constant.value {
            ConstantValue::Float(value) => {
                bytes.extend(value.iter().flat_map(|float| float.to_bits().to_le_bytes()));
            }
            ConstantValue::Int(value) => bytes.extend_from_slice(&value),
            ConstantValue::Bool(value) => bytes.push(value.into()),
        }
    }
    twox_hash::XxHash3_64::oneshot(&bytes)
}
