//! Fields that load and store: inputs, textures, uniforms, temporaries, the framebuffer.

use super::super::names::{DESTINATIONS, SCALARS, VECTORS, pick};
use super::super::reach::floats as width;
use super::super::symbols::{INPUTS, Kind, Symbols};
use super::super::table::{
    CUBE, FRAMEBUFFER_CONSTANT, FramebufferRead, NO_OFFSET, SAMPLER_CONSTANT, Sampler, Store, TEMPORARY,
    UNIFORM, Uniform, Varying, VaryingRegister, VaryingSource,
};
use super::operand::{comma, mask_text, mnemonic, offset, place, register, vector, vector_dest};
use super::pieces::{
    DISCARD, LOAD_CUBE, LOAD_NORMALIZE, LOAD_TEMPORARY, LOAD_UNIFORM, LOADS, READ_COLOR, READ_DEPTH, STORE,
};
use super::{OPERANDS, SPECIAL, rest};
use unshade_isa_common::text::{PartKind, Sink};

pub(super) fn varying(sink: &mut impl Sink, field: Varying, symbols: &Symbols<'_>) {
    let source = field.source();
    mnemonic(
        sink,
        match source {
            VaryingSource::Varying | VaryingSource::Register => pick(&LOADS, field.sub()),
            VaryingSource::Cube | VaryingSource::CubeRegister => &LOAD_CUBE,
            VaryingSource::Normalize => &LOAD_NORMALIZE,
            _ => &LOADS[0],
        },
    );
    if field.dest() == UNIFORM {
        register(sink, &DISCARD);
        mask_text(sink, field.mask());
    } else {
        vector_dest(sink, field.dest(), field.mask());
    }
    comma(sink);
    if source.is_register() {
        let field = field.register();
        vector(sink, field.source(), field.swizzle(), field.absolute(), field.negate());
        let said = field.with_reserved_4(0).with_normalize(0).with_reserved_7(0).with_reserved_32(0);
        return rest(sink, VaryingRegister::PARTS, field.0.into(), said.0.into());
    }
    let mut said = field.with_reserved_4(0).with_reserved_7(0).with_reserved_14(0).with_reserved_32(0);
    if source.is_place() {
        let floats = width(field.alignment());
        place(sink, symbols, Some(Kind::Varying), (field.index() * floats) as i32, floats);
        if field.alignment() == 2 {
            said = said.with_alignment(3);
        }
        if field.offset_register() == NO_OFFSET {
            said = said.with_offset_component(0);
        } else {
            offset(sink, field.offset_register() << 2 | field.offset_component());
        }
    } else {
        let kept = Varying(0)
            .with_source_type(field.source_type())
            .with_sub(if source == VaryingSource::FrontFacing { 1 } else { field.sub() })
            .with_dest(field.dest())
            .with_mask(field.mask());
        said = Varying(SPECIAL.0 | kept.0);
        let name = match source {
            VaryingSource::FragCoord => INPUTS[0],
            VaryingSource::PointCoord => INPUTS[1],
            _ => INPUTS[2],
        };
        sink.put(PartKind::Name, name);
    }
    rest(sink, Varying::PARTS, field.0.into(), said.0.into());
}

pub(super) fn sampler(sink: &mut impl Sink, field: Sampler, symbols: &Symbols<'_>) {
    sink.put(PartKind::Mnemonic, "texld");
    match field.kind() {
        0 => {}
        CUBE => sink.put(PartKind::Mnemonic, ".cube"),
        kind => {
            sink.put(PartKind::Mnemonic, ".t");
            sink.decimal(PartKind::Mnemonic, kind);
        }
    }
    let mut said = field.with_reserved_12(0).with_reserved_19(0).with_constant(SAMPLER_CONSTANT);
    if field.lod_enable() == 0 {
        said = said.with_lod_register(0).with_explicit_lod(0);
    } else {
        sink.put(PartKind::Mnemonic, if field.explicit_lod() != 0 { ".lod" } else { ".bias" });
    }
    sink.pad_to(OPERANDS);
    if symbols.put(sink, Kind::Sampler, field.index()).is_none() {
        sink.decimal(PartKind::Immediate, field.index());
    }
    if field.offset_enable() == 0 {
        said = said.with_offset_register(0);
    } else {
        offset(sink, field.offset_register());
    }
    if field.lod_enable() != 0 {
        comma(sink);
        register(sink, pick(&SCALARS, field.lod_register()));
    }
    rest(sink, Sampler::PARTS, field.0.into(), said.0.into());
}

/// First float of an access to memory.
pub(super) fn first_float(index: u32, alignment: u32) -> i32 {
    i32::from(index as u16 as i16) * width(alignment) as i32
}

pub(super) fn uniform(sink: &mut impl Sink, field: Uniform, symbols: &Symbols<'_>) {
    let temporary = field.source() == TEMPORARY;
    mnemonic(sink, if temporary { &LOAD_TEMPORARY } else { &LOAD_UNIFORM });
    let floats = width(field.alignment());
    let kind = (field.source() == 0).then_some(Kind::Uniform);
    place(sink, symbols, kind, first_float(field.index(), field.alignment()), floats);
    let mut said = field.with_reserved_2(0).with_reserved_12(0);
    if !temporary {
        said = said.with_source(0);
    }
    if field.alignment() == 3 {
        said = said.with_alignment(2);
    }
    if field.offset_enable() == 0 {
        said = said.with_offset_register(0);
    } else {
        offset(sink, field.offset_register());
    }
    rest(sink, Uniform::PARTS, field.0.into(), said.0.into());
}

pub(super) fn store(sink: &mut impl Sink, field: Store) {
    if let Some(read) = field.framebuffer_read() {
        mnemonic(sink, if read.color() != 0 { &READ_COLOR } else { &READ_DEPTH });
        register(sink, pick(&DESTINATIONS, read.dest()));
        let said = read.with_unknown_10(FRAMEBUFFER_CONSTANT);
        return rest(sink, FramebufferRead::PARTS, read.0.into(), said.0.into());
    }
    mnemonic(sink, &STORE);
    let floats = width(field.alignment());
    place(sink, &Symbols::default(), None, first_float(field.index(), field.alignment()), floats);
    let mut said = field.with_target(3).with_reserved_2(0).with_reserved_12(0);
    if field.offset_enable() == 0 {
        said = said.with_offset_register(0);
    } else {
        offset(sink, field.offset_register());
    }
    comma(sink);
    if floats == 1 {
        register(sink, pick(&SCALARS, field.source()));
    } else {
        register(sink, pick(&VECTORS, field.source() >> 2));
        said = said.with_source(field.source() & !3);
    }
    if field.alignment() == 3 {
        said = said.with_alignment(2);
    }
    rest(sink, Store::PARTS, field.0.into(), said.0.into());
}
