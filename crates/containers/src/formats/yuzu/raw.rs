//! Magic number, sizes, versions.

/// First bytes of the file.
pub const MAGIC: [u8; 8] = *b"yuzucach";
/// Bytes in front of the first pipeline.
pub const HEADER_LEN: usize = 12;
/// Bytes of the record of a stage.
pub const RECORD_LEN: usize = 68;
/// Most stages of a pipeline.
pub const MOST_STAGES: u32 = 6;
/// The number of a compute stage, and that of a geometry stage.
pub const COMPUTE: u32 = 5;
/// See [`COMPUTE`].
pub const GEOMETRY: u32 = 3;
/// Bytes behind a compute stage: three sizes of a work group, shared memory.
pub const COMPUTE_TAIL: usize = 16;
/// Bytes of the mask of what passes through a geometry stage, behind its header.
pub const PASSTHROUGH_LEN: usize = 32;
/// Longest code of a stage, in bytes.
pub const MOST_CODE: u64 = 1 << 20;
/// Most entries of each of its lists.
pub const MOST_ENTRIES: u64 = 1 << 16;
/// Bytes of the key of a compute pipeline, in all versions that are known.
pub const COMPUTE_KEY: usize = 24;
/// Bytes of the hashes that the key of a graphics pipeline begins with, one for each stage that there may be.
pub const KEY_HASHES: usize = 48;

/// Bytes of the key of a graphics pipeline, where the version is known: 11 is yuzu's and suyu's `vulkan.bin`, 18 Eden's; 10 is
/// yuzu's and suyu's `opengl.bin`, 15 Eden's. Computed from the structures, not seen in a file.
pub fn graphics_key(version: u32) -> Option<usize> {
    match version {
        11 => Some(1032),
        18 => Some(1056),
        10 | 15 => Some(624),
        _ => None,
    }
}
