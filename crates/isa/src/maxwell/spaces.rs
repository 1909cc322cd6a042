//! Where what goes into a program and comes out of it lies in the address spaces of the IR. The lift and what compares
//! it with the interpreter both go by this.

use super::attribute;
use unshade_ir::BufferTable;
use unshade_stage::StageKind;
use unshade_stage::maxwell::Driver;

/// Binding of the attributes, in [`unshade_ir::Space::Input`] and [`unshade_ir::Space::Output`]: byte address `a` is
/// word `a / 4`, of vertex `n` [`VERTEX_WORDS`] `* n` further on.
///
/// Attributes of a pixel that the header interpolates with perspective have the value that they have at the pixel;
/// what the machine reads without the correction (`IPA.PASS`) is that times `a[0x7c]`.
pub const ATTRIBUTE_BINDING: u32 = 0;
/// Binding of the attributes of a patch, by the same words.
pub const PATCH_BINDING: u32 = 1;
/// Binding of inputs that special registers tell: the word is the number of the register, or one of the words below.
pub const SPECIAL_BINDING: u32 = 2;
/// Binding of the words of bank 0 that say something about the call, by word of the bank; see [`driver_input`].
pub const DRIVER_BINDING: u32 = 3;
/// Binding of what a pixel gives: component `k` of target `n` is word `4 * n + k`.
pub const PIXEL_BINDING: u32 = 0;

/// Words from one vertex to the next.
pub const VERTEX_WORDS: u32 = 256;

/// Word of the sample mask in [`PIXEL_BINDING`], behind eight targets.
pub const SAMPLE_MASK_WORD: u32 = 32;
/// Word of the depth there.
pub const DEPTH_WORD: u32 = 33;

/// Word of the number of vertices of a patch, in [`SPECIAL_BINDING`].
pub const PATCH_VERTICES: u32 = 256;
/// Word of the number of the sample.
pub const SAMPLE_ID: u32 = 257;
/// Word of the mask of covered samples.
pub const SAMPLE_MASK_IN: u32 = 258;
/// Word that says whether the invocation only helps its quad: 0 or 1.
pub const HELPER: u32 = 259;

/// Byte address of the reciprocal of w in a fragment program.
pub const POSITION_W: u32 = 0x7C;

/// Bank of the constants of the driver.
pub const DRIVER_BANK: u8 = 0;
/// Bank of the compiler's constants.
pub const COMPILER_BANK: u8 = 1;
/// Binding of a bank that is no uniform block: its number and this.
pub const OTHER_BANKS: u32 = 64;

/// First number of textures whose handle lies in no table that is known: the word of the handle is added.
pub const UNKNOWN_TEXTURE: u32 = 0x1000;

/// Bank of the first uniform block.
pub fn first_block(driver: Driver) -> u8 {
    match driver {
        Driver::Nvn => 3,
        Driver::Deko3d => 2,
    }
}

/// Binding of a bank: the number of the uniform block, where it is one.
pub fn uniform_binding(driver: Driver, bank: u8) -> u32 {
    match bank.checked_sub(first_block(driver)) {
        Some(block) => block.into(),
        None => OTHER_BANKS + u32::from(bank),
    }
}

/// First byte in bank 0 of what deko3d tells a stage about its textures, images and buffers.
fn stage_base(kind: StageKind) -> u32 {
    match kind {
        StageKind::Vertex => 0x10,
        StageKind::TessControl => 0x1B0,
        StageKind::TessEval => 0x350,
        StageKind::Geometry => 0x4F0,
        StageKind::Fragment => 0x690,
        StageKind::Compute => 0xA0,
    }
}

/// What a word of bank 0 says about the call, as the IR calls it: its meaning, and the word at which that starts.
/// Sources: uam's lowering of system values; Ryujinx for NVN.
pub fn driver_input(driver: Driver, kind: StageKind, word: u32) -> Option<(&'static str, u32)> {
    Some(match (driver, kind, word) {
        (Driver::Deko3d, StageKind::Vertex, 0) | (Driver::Nvn, StageKind::Vertex, 0x190) => {
            ("base-vertex", word)
        }
        (Driver::Deko3d, StageKind::Vertex, 1) | (Driver::Nvn, StageKind::Vertex, 0x191) => {
            ("base-instance", word)
        }
        (Driver::Deko3d, StageKind::Vertex, 2) | (Driver::Nvn, StageKind::Vertex, 0x192) => ("draw-id", word),
        (Driver::Deko3d, StageKind::Compute, 3..=5) => ("workgroup-count", 3),
        _ => return None,
    })
}

/// The number of the texture whose handle is at a word of the table of handles.
pub fn texture(driver: Driver, kind: StageKind, word: u32) -> u32 {
    let found = match driver {
        Driver::Deko3d => word.checked_sub(stage_base(kind) / 4).filter(|number| *number < 32),
        Driver::Nvn => word.checked_sub(8).filter(|word| word % 2 == 0).map(|word| word / 2),
    };
    found.unwrap_or(UNKNOWN_TEXTURE + word)
}

/// The number of the image whose handle is at a word of the table of handles.
pub fn image(driver: Driver, kind: StageKind, word: u32) -> u32 {
    let found = match driver {
        Driver::Deko3d => word.checked_sub((stage_base(kind) + 0x80) / 4).filter(|number| *number < 8),
        Driver::Nvn => word.checked_sub(8).filter(|word| word % 2 == 0).map(|word| word / 2),
    };
    found.unwrap_or(UNKNOWN_TEXTURE + word)
}

/// The bank in which the handles of textures lie.
pub fn handle_bank(driver: Driver) -> u8 {
    match driver {
        Driver::Deko3d => 0,
        Driver::Nvn => 2,
    }
}

/// Bytes of what a driver says about a storage buffer: address, size, and four bytes that are not used.
const BUFFER_LEN: u32 = 16;
/// Bytes of the address of a storage buffer, which it is aligned to.
const ADDRESS_LEN: u32 = 8;
/// First byte in bank 0 of what the console's driver says about storage buffers.
const NVN_BUFFERS: u32 = 0x110;
/// How many places of the size of a buffer's are looked at from there on. The driver itself has 80; programs of other
/// compilers lie in the same containers and have theirs further on.
const NVN_COUNT: u32 = 256;

/// Where bank 0 holds the addresses of storage buffers, and how these are numbered.
pub fn buffer_tables(driver: Driver, kind: StageKind) -> Vec<BufferTable> {
    let table = |byte: u32, stride: u32, count: u32, first: u32| BufferTable {
        binding: OTHER_BANKS + u32::from(DRIVER_BANK),
        offset: byte / 4,
        stride: stride / 4,
        count,
        first,
    };
    match driver {
        Driver::Deko3d => vec![table(stage_base(kind) + 0xA0, BUFFER_LEN, 80, 0)],
        // What lies in front of the driver's own is numbered behind all others, by the place of the address alone:
        // compilers differ in where they start.
        Driver::Nvn => vec![
            table(NVN_BUFFERS, BUFFER_LEN, NVN_COUNT, 0),
            table(0, ADDRESS_LEN, NVN_BUFFERS / ADDRESS_LEN, NVN_COUNT),
        ],
    }
}

/// The number of the storage buffer whose address starts at a word of bank 0.
pub fn storage(driver: Driver, kind: StageKind, word: u32) -> Option<u32> {
    buffer_tables(driver, kind).iter().find_map(|table| table.buffer(table.binding, word))
}

/// The word of bank 0 at which the address of a storage buffer starts.
pub fn storage_word(driver: Driver, kind: StageKind, number: u32) -> Option<u32> {
    buffer_tables(driver, kind).iter().find_map(|table| {
        let index = number.checked_sub(table.first).filter(|index| *index < table.count)?;
        table.offset.checked_add(index.checked_mul(table.stride)?)
    })
}

/// Whether an address belongs to a vector that programs agree on.
pub fn is_generic(address: u32) -> bool {
    (attribute::GENERIC..attribute::GENERIC + 16 * u32::from(attribute::GENERICS)).contains(&address)
}

/// Added to the number of an image where its texels are read as the bits that they are, which needs a declaration of
/// its own.
pub const RAW_IMAGE: u32 = 0x100;

/// Whether a word of the table of handles is an image's.
pub fn is_image(driver: Driver, kind: StageKind, word: u32) -> bool {
    driver == Driver::Deko3d && image(driver, kind, word) < UNKNOWN_TEXTURE
}
