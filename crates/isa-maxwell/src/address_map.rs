//! Where what goes into a program and comes out of it lies in the address spaces of the IR. The lift and what compares
//! it with the interpreter both go by this.

use super::form::Form;
use super::layout;
use super::operand_fields::constant;
use super::usage::{Handle, handle};
use super::word::Word;
use super::{Class, attribute};
use unshade_ir::BufferTable;
use unshade_stage::maxwell::{Binding, Driver};
use unshade_stage::{Maxwell, Stage, StageKind};

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
/// Word of the attributes that is the number of the primitive.
pub const PRIMITIVE_ID: u32 = 0x60 / 4;
/// Word of the attributes that is the number of the instance.
pub const INSTANCE_ID: u32 = 0x2F8 / 4;
/// Word of the attributes that is the number of the vertex.
pub const VERTEX_ID: u32 = 0x2FC / 4;
/// Word of the number of the sample.
pub const SAMPLE_ID: u32 = 257;
/// Word of the mask of covered samples.
pub const SAMPLE_MASK_IN: u32 = 258;
/// Word that says whether the invocation only helps its quad: 0 or 1.
pub const HELPER: u32 = 259;

/// Word of the place of the sample in the pixel, to the right, from 0 to 1; behind it upwards.
pub const SAMPLE_POSITION: u32 = 260;

/// Byte address of the reciprocal of w in a fragment program.
pub const POSITION_W: u32 = 0x7C;

/// Bank of the constants of the driver.
pub const DRIVER_BANK: u8 = 0;
/// Bank of the compiler's constants.
pub const COMPILER_BANK: u8 = 1;
/// Binding of a bank that is no uniform block: its number and this.
pub const OTHER_BANKS: u32 = 64;

/// First number of textures whose handle lies in no table that is known: the word of the handle is added, and for each
/// bank [`BANK_WORDS`].
pub const UNKNOWN_TEXTURE: u32 = 0x1000;
/// Words of a bank.
pub const BANK_WORDS: u32 = 0x1_0000 / 4;

/// The number of a texture or image whose handle lies outside of the driver's table.
pub fn unknown_texture(bank: u8, word: u32) -> u32 {
    UNKNOWN_TEXTURE + BANK_WORDS * u32::from(bank) + word % BANK_WORDS
}

/// Bank and word of the handle of such a texture, the other way round.
pub fn unknown_handle(number: u32) -> Option<(u8, u32)> {
    let place = number.checked_sub(UNKNOWN_TEXTURE)?;
    Some((u8::try_from(place / BANK_WORDS).ok()?, place % BANK_WORDS))
}

/// Bank of the first uniform block.
pub fn first_block(driver: Driver) -> u8 {
    match driver {
        Driver::Nvn | Driver::UamNvn => 3,
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

/// The bank of a binding, the other way round.
pub fn bank_of(driver: Driver, binding: u32) -> u8 {
    let bank = match binding.checked_sub(OTHER_BANKS) {
        Some(bank) => bank,
        None => binding + u32::from(first_block(driver)),
    };
    u8::try_from(bank).unwrap_or(u8::MAX)
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
        (Driver::Nvn, StageKind::Vertex, 0x190) => ("base-vertex", word),
        (Driver::Nvn, StageKind::Vertex, 0x191) => ("base-instance", word),
        (Driver::Nvn, StageKind::Vertex, 0x192) => ("draw-id", word),
        (Driver::Nvn, ..) => return None,
        (Driver::Deko3d | Driver::UamNvn, StageKind::Vertex, 0) => ("base-vertex", word),
        (Driver::Deko3d | Driver::UamNvn, StageKind::Vertex, 1) => ("base-instance", word),
        (Driver::Deko3d | Driver::UamNvn, StageKind::Vertex, 2) => ("draw-id", word),
        (Driver::Deko3d | Driver::UamNvn, StageKind::Compute, 3..=5) => ("workgroup-count", 3),
        _ => return None,
    })
}

/// The number of the texture whose handle is at a word of the table of handles.
pub fn texture(driver: Driver, kind: StageKind, word: u32) -> u32 {
    let found = match driver {
        Driver::Deko3d => word.checked_sub(stage_base(kind) / 4).filter(|number| *number < 32),
        Driver::Nvn | Driver::UamNvn => word.checked_sub(8).filter(|word| word % 2 == 0).map(|word| word / 2),
    };
    found.unwrap_or_else(|| unknown_texture(handle_bank(driver), word))
}

/// The number of the image whose handle is at a word of the table of handles.
pub fn image(driver: Driver, kind: StageKind, word: u32) -> u32 {
    let found = match driver {
        Driver::Deko3d => word.checked_sub((stage_base(kind) + 0x80) / 4).filter(|number| *number < 8),
        Driver::Nvn => word.checked_sub(8).filter(|word| word % 2 == 0).map(|word| word / 2),
        Driver::UamNvn => word.checked_sub(UAM_IMAGES).filter(|number| *number < 8),
    };
    found.unwrap_or_else(|| unknown_texture(handle_bank(driver), word))
}

/// Words of bank 0 in which deko3d tells a fragment program where samples lie: the sample counts words, 8 words on it
/// is the lowest bit of the pixel's column, 16 words on the lowest two of its row.
pub const SAMPLE_TABLE: std::ops::Range<u32> = 0x20C..0x24C;

/// Whether a driver tells a stage where samples lie.
pub fn has_sample_table(driver: Driver, kind: StageKind) -> bool {
    driver != Driver::Nvn && kind == StageKind::Fragment
}

/// The bank in which the handles of textures lie.
pub fn handle_bank(driver: Driver) -> u8 {
    match driver {
        Driver::Deko3d => 0,
        Driver::Nvn | Driver::UamNvn => 2,
    }
}

/// Word of the table of handles at which uam-nvn has those of images.
const UAM_IMAGES: u32 = 0x28;

/// Bytes of what a driver says about a storage buffer: address, size, and four bytes that are not used.
const BUFFER_LEN: u32 = 16;
/// Bytes of the address of a storage buffer, which it is aligned to.
const ADDRESS_LEN: u32 = 8;
/// Storage buffers of a stage.
const STAGE_BUFFERS: u32 = 16;
/// Number of the first buffer whose address lies elsewhere.
const OTHER_BUFFERS: u32 = 256;
/// Bytes of bank 0 in which addresses are looked for.
const DRIVER_LEN: u32 = 0x1110;

/// First byte in bank 0 of what the console's driver says about the storage buffers of a stage. Source: Ryujinx.
fn nvn_buffers(kind: StageKind) -> u32 {
    let stage = match kind {
        StageKind::Vertex => 0,
        StageKind::TessControl => 1,
        StageKind::TessEval | StageKind::Compute => 2,
        StageKind::Geometry => 3,
        StageKind::Fragment => 4,
    };
    0x110 + stage * STAGE_BUFFERS * BUFFER_LEN
}

/// The same where uam-nvn has it: deko3d's place, but of pixels, with a buffer in front that nobody has.
fn uam_buffers(kind: StageKind) -> u32 {
    match kind {
        StageKind::Fragment => 0xC8,
        _ => stage_base(kind) + 0xB0,
    }
}

/// Who numbers the resources of a stage. Programs of uam-nvn lie in the same containers as those of the console's own
/// compiler; where they have storage buffers and images, and what they ask of the call, gives them away.
pub fn driver(stage: &Stage<'_>) -> Driver {
    let default = Maxwell::default();
    let maxwell = stage.interface.maxwell.as_deref().unwrap_or(&default);
    // Bare code has no header, and may be for anybody.
    if maxwell.driver == Driver::Nvn
        && !maxwell.header.is_empty()
        && is_of_uam(stage.kind, &stage.code.words, maxwell)
    {
        return Driver::UamNvn;
    }
    maxwell.driver
}

fn is_of_uam(kind: StageKind, words: &[u32], maxwell: &Maxwell) -> bool {
    let mut buffers = Vec::new();
    for (n, word) in layout::words(words).enumerate() {
        let Some(form) = Form::of(word).filter(|_| n % 4 != 0) else { continue };
        if Class::of(form) == Class::Image
            && let Handle::Place(place) = handle(form, Word(word))
            && image(Driver::UamNvn, kind, place) < UNKNOWN_TEXTURE
        {
            return true;
        }
        let Some(read) = constant(form, Word(word)).filter(|read| read.bank == DRIVER_BANK) else { continue };
        let Ok(byte) = u32::try_from(read.offset) else { continue };
        if kind == StageKind::Vertex && byte < 12 && !read.indexed
            || kind == StageKind::Fragment && byte == 4 * SAMPLE_TABLE.start && read.indexed
        {
            return true;
        }
        buffers.push(byte);
    }
    // The numbers that the addresses have, if they are all in one table.
    let numbers = |start: u32| -> Option<Vec<u32>> {
        let number = |byte: &u32| byte.checked_sub(start).map(|byte| byte / BUFFER_LEN);
        let numbers: Vec<u32> = buffers.iter().filter_map(number).filter(|n| *n < STAGE_BUFFERS).collect();
        (!numbers.is_empty()).then_some(numbers)
    };
    let named = |numbers: &Vec<u32>| {
        let is = |number: &u32, binding: &Binding| u32::try_from(binding.slot) == Ok(*number);
        numbers.iter().all(|number| maxwell.storage_buffers.iter().any(|binding| is(number, binding)))
    };
    match (numbers(nvn_buffers(kind)), numbers(uam_buffers(kind))) {
        (_, None) => false,
        (None, Some(_)) => true,
        (Some(nvn), Some(uam)) => named(&uam) && !named(&nvn),
    }
}

/// Where bank 0 holds the addresses of storage buffers, and how these are numbered.
pub fn buffer_tables(driver: Driver, kind: StageKind) -> Vec<BufferTable> {
    let table = |byte: u32, stride: u32, count: u32, first: u32| BufferTable {
        binding: OTHER_BANKS + u32::from(DRIVER_BANK),
        offset: byte / 4,
        stride: stride / 4,
        count,
        first,
    };
    // What lies elsewhere is numbered behind all others, by the place of the address alone.
    let others = table(0, ADDRESS_LEN, DRIVER_LEN / ADDRESS_LEN, OTHER_BUFFERS);
    match driver {
        Driver::Deko3d => vec![table(stage_base(kind) + 0xA0, BUFFER_LEN, 80, 0)],
        Driver::Nvn => vec![table(nvn_buffers(kind), BUFFER_LEN, STAGE_BUFFERS, 0), others],
        Driver::UamNvn => vec![table(uam_buffers(kind), BUFFER_LEN, STAGE_BUFFERS, 0), others],
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

/// From images that are accessed as their format says to those whose texels are taken for the bits that they are:
/// this for every byte of a texel, since each such size needs a declaration of its own.
pub const RAW_IMAGE: u32 = 1 << 24;

/// Number of an image whose handle is not known yet.
pub const UNKNOWN_IMAGE: u32 = RAW_IMAGE - 1;

/// Unit of an image by its number; `bytes` of a texel where it is taken for the bits that it is, 1-16.
pub fn raw_image(number: u32, bytes: Option<u32>) -> u32 {
    number % RAW_IMAGE + RAW_IMAGE * (bytes.unwrap_or(0) & 0x1F)
}

/// The number of an image and bytes of its texels, the other way round.
pub fn image_of(unit: u32) -> (u32, Option<u32>) {
    (unit % RAW_IMAGE, Some(unit / RAW_IMAGE).filter(|bytes| *bytes != 0))
}

/// Whether a word of the table of handles is an image's.
pub fn is_image(driver: Driver, kind: StageKind, word: u32) -> bool {
    driver != Driver::Nvn && image(driver, kind, word) < UNKNOWN_TEXTURE
}
