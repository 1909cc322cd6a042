//! Forms of words: what each of their fields is in the text. An operand has it, or a word behind the operands, a row each; what
//! neither has is written as `@name=value`.

use super::suffix::Argument::{Constant, Coordinates, Count, Format, Lock, Name, Number, Optional, Steps};
use super::suffix::{Names, Shown, Suffix, Suffix as S, Text};
use crate::fields::{CfAlu, CfExport, CfMemory, CfNormal, Op2, Op3, Tex, Vtx};
use unshade_isa_common::field::Field;

/// A form of instruction words.
#[derive(Debug)]
pub(crate) struct Form {
    /// Its fields.
    pub(crate) parts: &'static [Field],
    /// Bits that the name and the operands say.
    pub(crate) operands: u128,
    /// The words in front of the address of a target.
    pub(crate) front: &'static [Suffix],
    /// The words behind all else.
    pub(crate) suffixes: &'static [Suffix],
    /// The bits of a text without any of the words.
    pub(crate) usual: u128,
    /// Bits that the words behind all else say.
    said: u128,
    /// Some word can stand behind bits as usual.
    is_wordy: bool,
}

impl Form {
    const fn new(
        parts: &'static [Field],
        operands: u128,
        front: &'static [Suffix],
        suffixes: &'static [Suffix],
    ) -> Self {
        let mut form = Self { parts, operands, front, suffixes, usual: 0, said: 0, is_wordy: false };
        let mut at = 0;
        while at < suffixes.len() {
            form.usual |= suffixes[at].usual_bits();
            form.said |= suffixes[at].mask;
            form.is_wordy |= suffixes[at].is_frequent();
            at += 1;
        }
        form
    }

    /// All words of its text.
    pub(crate) fn words(&self) -> impl Iterator<Item = &'static Suffix> {
        self.front.iter().chain(self.suffixes)
    }

    /// Whether no word stands behind an instruction with these bits.
    #[inline]
    pub(crate) fn is_plain(&self, bits: u128) -> bool {
        !self.is_wordy && (bits ^ self.usual) & self.said == 0
    }
}

/// A field of a form; the compiler refuses one that the form does not have.
macro_rules! at {
    ($form:ident $name:ident) => {{
        const _: fn($form) -> u32 = $form::$name;
        match unshade_isa_common::field::find($form::PARTS, stringify!($name)) {
            Some(field) => field,
            None => unshade_isa_common::field::Field { name: "", low: 0, width: 1 },
        }
    }};
    // With those above it.
    ($form:ident $name:ident, $width:literal) => {
        Field { width: $width, ..at!($form $name) }
    };
}

/// The bits of fields of a form.
macro_rules! bits {
    ($form:ident: $($name:ident)*) => {
        0 $(| $crate::table::form::at!($form $name).mask())*
    };
}
pub(crate) use {at, bits};

/// What the four components of a fetch's destination get.
pub(crate) const DESTINATION: Field = at!(Tex dst_sel_x, 12);
/// The four coordinates of a texture instruction.
pub(crate) const COORDINATES: Field = at!(Tex src_sel_x, 12);
/// What the four components of an export's target get.
pub(crate) const TARGET: Field = at!(CfExport sel_x, 12);
/// The address of an instruction's target, which not all have.
pub(crate) const ADDRESS: Field = at!(CfNormal addr);

/// Where the bits of a source of arithmetic are.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SourceFields {
    pub(crate) sel: Field,
    pub(crate) rel: Field,
    pub(crate) chan: Field,
    pub(crate) neg: Field,
    /// Only in the form of two sources.
    pub(crate) abs: Option<Field>,
}

macro_rules! source {
    ($form:ident: $sel:ident $rel:ident $chan:ident $neg:ident, $abs:expr) => {
        SourceFields {
            sel: at!($form $sel),
            rel: at!($form $rel),
            chan: at!($form $chan),
            neg: at!($form $neg),
            abs: $abs,
        }
    };
}

/// The sources of arithmetic. The first two are at the same places in both forms.
pub(crate) static SOURCES: [SourceFields; 3] = [
    source!(Op2: src0_sel src0_rel src0_chan src0_neg, Some(at!(Op2 src0_abs))),
    source!(Op2: src1_sel src1_rel src1_chan src1_neg, Some(at!(Op2 src1_abs))),
    source!(Op3: src2_sel src2_rel src2_chan src2_neg, None),
];

static CONDITIONS: Names = Names {
    texts: ["ACTIVE", "FALSE", "BOOL", "NOT_BOOL"],
    aliases: &[("ALWAYS_FALSE", 1), ("CF_BOOL", 2), ("CF_NOT_BOOL", 3)],
    numbers: false,
};
/// What becomes of pixels that a predicate switches off.
static EFFECTS: Names = Names { numbers: false, ..names(["DEACTIVATE", "BREAK", "CONTINUE", "KILL"]) };
static FETCH_TYPES: Names = names(["VERTEX_DATA", "INSTANCE_DATA", "NO_INDEX_OFFSET", "3"]);
/// How numbers in buffers become numbers in registers.
pub(crate) static NUMBER_FORMATS: Names = names(["NORM", "INT", "SCALED", "3"]);
/// Orders of bytes in buffers.
static ENDIANS: Names = names(["NONE", "8IN16", "8IN32", "3"]);

const fn names(texts: [&'static str; 4]) -> Names {
    Names { texts, aliases: &[], numbers: true }
}

// Words of control flow. Its forms have the fields of the first four at the same places.

pub(crate) const NO_BARRIER: Suffix = S::flag("NO_BARRIER", at!(CfNormal barrier), 0).usual(1);
const BARRIER: Suffix = S::flag("BARRIER", at!(CfNormal barrier), 1).usual(1).shown(Shown::Never);
pub(crate) const WHOLE_QUAD: Suffix =
    S::flag("WHOLE_QUAD", at!(CfNormal whole_quad_mode), 1).alias("WHOLE_QUAD_MODE");
pub(crate) const VALID_PIX: Suffix = S::flag("VALID_PIX", at!(CfNormal valid_pixel_mode), 1);
pub(crate) const CND: Suffix = S::with("CND", Name(at!(CfNormal cond), &CONDITIONS));
pub(crate) const CF_CONST: Suffix = S::with("CF_CONST", Constant(at!(CfNormal cf_const)));
pub(crate) const POP_CNT: Suffix = S::with("POP_CNT", Number(at!(CfNormal pop_count)));
pub(crate) const CALL_COUNT: Suffix = S::with("CALL_COUNT", Number(at!(CfNormal call_count)));
const ELEM_SIZE: Suffix = S::with("ELEM_SIZE", Number(at!(CfExport elem_size)));
const BURSTCNT: Suffix = S::with("BURSTCNT", Number(at!(CfExport burst_count)));
const ARRAY_SIZE: Suffix = S::with("ARRAY_SIZE", Number(at!(CfMemory array_size))).shown(Shown::Always);
const WATERFALL: Suffix =
    S::flag("USES_WATERFALL", at!(CfAlu alt_const), 1).alias("ALT_CONST").shown(Shown::In(Text::Native));
const KCACHE0: Suffix =
    S::with("KCACHE0", Lock([at!(CfAlu kcache_mode0), at!(CfAlu kcache_bank0), at!(CfAlu kcache_addr0)]));
const KCACHE1: Suffix =
    S::with("KCACHE1", Lock([at!(CfAlu kcache_mode1), at!(CfAlu kcache_bank1), at!(CfAlu kcache_addr1)]));

/// An instruction that is no export and starts no clause.
pub(crate) static FLOW: Form = Form::new(
    CfNormal::PARTS,
    bits!(CfNormal: inst end_of_program),
    &[CALL_COUNT, CND, CF_CONST, POP_CNT],
    &[VALID_PIX, NO_BARRIER, WHOLE_QUAD, BARRIER],
);

/// The start of a clause of fetches.
pub(crate) static FETCHES: Form = Form::new(
    CfNormal::PARTS,
    bits!(CfNormal: inst addr count_low count_high end_of_program),
    &[],
    &[NO_BARRIER, CND, CF_CONST, WHOLE_QUAD, VALID_PIX, BARRIER],
);

/// The start of a clause of arithmetic.
pub(crate) static ARITHMETIC: Form = Form::new(
    CfAlu::PARTS,
    bits!(CfAlu: inst addr count),
    &[],
    &[NO_BARRIER, WHOLE_QUAD, KCACHE0, KCACHE1, WATERFALL, BARRIER],
);

/// An export.
pub(crate) static EXPORT: Form = Form::new(
    CfExport::PARTS,
    bits!(CfExport: inst kind array_base gpr gpr_relative sel_x sel_y sel_z sel_w end_of_program),
    &[],
    &[ELEM_SIZE, BURSTCNT, NO_BARRIER, WHOLE_QUAD, VALID_PIX, BARRIER],
);

/// A write to memory, or a read.
pub(crate) static MEMORY: Form = Form::new(
    CfMemory::PARTS,
    bits!(CfMemory: inst kind array_base gpr gpr_relative index_gpr comp_mask end_of_program),
    &[],
    &[ARRAY_SIZE, ELEM_SIZE, BURSTCNT, NO_BARRIER, WHOLE_QUAD, VALID_PIX, BARRIER],
);

const TEXTURE_WORDS: &[Suffix] = &[
    S::with("LOD_BIAS", Steps(at!(Tex lod_bias), 1)).shown(Shown::In(Text::Native)),
    S::with("LOD", Steps(at!(Tex lod_bias), 8)).shown(Shown::In(Text::Decaf)),
    S::flag("WHOLE_QUAD", at!(Tex fetch_whole_quad), 1).alias("WHOLE_QUAD_MODE"),
    S::flag("BC_FRAC_MODE", at!(Tex bc_frac_mode), 1),
    S::flag("ALT_CONST", at!(Tex alt_const), 1),
    S::with("DENORM", Coordinates(at!(Tex coord_type_x, 4), false)).usual(15),
    S::with("NORM", Coordinates(at!(Tex coord_type_x, 4), true)).usual(15).shown(Shown::Never),
    S::with("XOFFSET", Steps(at!(Tex offset_x), 2)),
    S::with("YOFFSET", Steps(at!(Tex offset_y), 2)),
    S::with("ZOFFSET", Steps(at!(Tex offset_z), 2)),
];

/// A texture instruction.
pub(crate) static TEXTURE: Form = Form::new(
    Tex::PARTS,
    bits!(Tex: inst dst_gpr dst_rel src_gpr src_rel resource_id sampler_id)
        | DESTINATION.mask()
        | COORDINATES.mask(),
    &[],
    TEXTURE_WORDS,
);

const BUFFER_WORDS: &[Suffix] = &[
    S::with("FETCH_TYPE", Name(at!(Vtx fetch_type), &FETCH_TYPES)).shown(Shown::Always),
    S::flag("FORMAT", at!(Vtx use_const_fields), 0).usual(1).and(Format([
        at!(Vtx data_format),
        at!(Vtx num_format_all),
        at!(Vtx format_comp_all),
        at!(Vtx srf_mode_all),
    ])),
    S::flag("MEGA", at!(Vtx mega_fetch), 1).and(Count(at!(Vtx mega_fetch_count))),
    S::flag("MINI", at!(Vtx mega_fetch), 0).and(Count(at!(Vtx mega_fetch_count))),
    S::with("OFFSET", Number(at!(Vtx offset))).shown(Shown::Always),
    S::flag("WHOLE_QUAD", at!(Vtx fetch_whole_quad), 1).alias("WHOLE_QUAD_MODE"),
    S::with("ENDIAN_SWAP", Name(at!(Vtx endian_swap), &ENDIANS)),
    S::flag("CONST_BUF_NO_STRIDE", at!(Vtx const_buf_no_stride), 1),
    S::flag("ALT_CONST", at!(Vtx alt_const), 1),
];

/// A fetch from a buffer.
pub(crate) static BUFFER: Form = Form::new(
    Vtx::PARTS,
    bits!(Vtx: inst dst_gpr dst_rel src_gpr src_rel src_sel_x buffer_id) | DESTINATION.mask(),
    &[],
    BUFFER_WORDS,
);

/// The word behind arithmetic that stands in front of the bank swizzle in decaf's text.
pub(crate) const CLAMP: Suffix = S::flag("CLAMP", at!(Op2 clamp), 1);
/// Words behind arithmetic of any form.
pub(crate) static PREDICATES: [Suffix; 3] = [
    S::flag("PRED_SEL_ZERO", at!(Op2 pred_sel), 2),
    S::flag("PRED_SEL_ONE", at!(Op2 pred_sel), 3),
    S::flag("PRED_SEL_OFF", at!(Op2 pred_sel), 0).shown(Shown::Never),
];
/// Words behind arithmetic of two sources.
pub(crate) static UPDATES: [Suffix; 2] = [
    S::flag("UPDATE_EXEC_MASK", at!(Op2 update_execute_mask), 1).and(Optional(at!(Op2 omod), &EFFECTS)),
    S::flag("UPDATE_PRED", at!(Op2 update_pred), 1),
];

#[cfg(test)]
mod tests {
    use super::*;

    /// What no text says is what has no meaning.
    #[test]
    fn every_field_has_its_place() {
        let forms = [&FLOW, &FETCHES, &ARITHMETIC, &EXPORT, &MEMORY, &TEXTURE, &BUFFER];
        let unsaid = forms.map(|form| {
            let said = form.words().fold(form.operands, |said, row| said | row.mask);
            let parts = form.parts.iter().filter(|part| part.mask() & said == 0);
            parts.map(|part| part.name).filter(|name| !name.starts_with("reserved")).collect::<Vec<_>>()
        });
        assert_eq!(
            unsaid,
            [
                vec!["addr", "count_low", "count_high"],
                vec!["pop_count", "call_count"],
                vec![],
                vec!["index_gpr"],
                vec![],
                vec![],
                vec![]
            ]
        );
    }

    /// An instruction as usual has no word behind it but those that always stand.
    #[test]
    fn what_is_usual_is_not_said() {
        for form in [&FLOW, &FETCHES, &ARITHMETIC, &EXPORT, &TEXTURE] {
            assert!(form.is_plain(form.usual));
            for text in [Text::Native, Text::Decaf] {
                assert!(form.words().all(|row| !row.is_shown(form.usual, text)), "{form:?}");
            }
        }
    }
}
