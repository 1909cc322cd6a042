//! The names that stand for the values of small fields, as NVIDIA's listings have them.
//!
//! Modifiers begin with a full stop and may be several at once (`.F32.FTZ.RN`); an empty name is a value that
//! the text does not show. What the disassembler refuses has no name.

use std::collections::HashMap;
use std::sync::LazyLock;
use unshade_isa_common::text::Short;

/// The names of a field.
#[derive(Debug)]
pub(super) struct Names {
    values: Vec<Value>,
    /// The values that have names, the longest name first.
    order: Vec<u16>,
    /// Whether a value is refused.
    pub refuses: bool,
}

/// What a value is called.
#[derive(Debug)]
struct Value {
    text: Option<Short<'static>>,
    /// The first value with this name, which is what the name means when it is read.
    first: u16,
}

impl Names {
    fn new(texts: Vec<Option<&'static str>>) -> Self {
        let mut known = HashMap::new();
        let values: Vec<Value> = texts
            .iter()
            .zip(0..)
            .map(|(text, at)| Value { text: text.map(Short::new), first: *known.entry(*text).or_insert(at) })
            .collect();
        let mut order: Vec<(usize, u16)> = values
            .iter()
            .zip(0..)
            .filter_map(|(value, at)| Some((value.text.filter(|_| value.first == at)?.text().len(), at)))
            .collect();
        order.sort_by_key(|(length, _)| std::cmp::Reverse(*length));
        let refuses = texts.iter().any(Option::is_none);
        Self { values, order: order.into_iter().map(|(_, at)| at).collect(), refuses }
    }

    /// How many values there are.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// The name of a value; none where it is refused.
    #[inline]
    pub fn get(&self, value: u64) -> Option<&'static str> {
        self.short(value).map(Short::text)
    }

    /// The same with room behind it.
    #[inline]
    pub fn short(&self, value: u64) -> Option<&Short<'static>> {
        self.values.get(value as usize)?.text.as_ref()
    }

    /// Whether reading the name of a value gives this value.
    #[inline]
    pub fn is_first(&self, value: u64) -> bool {
        self.values.get(value as usize).is_some_and(|named| u64::from(named.first) == value)
    }

    /// Whether two values have the same name, or neither has one.
    #[inline]
    pub fn same(&self, one: u64, other: u64) -> bool {
        // Numbers, since comparing empty texts is slow: some processors take long to look at none of the bytes behind
        // a pointer to nothing.
        let first = |value: u64| {
            self.values.get(value as usize).filter(|named| named.text.is_some()).map(|named| named.first)
        };
        first(one) == first(other)
    }

    /// The lowest value with an empty name.
    pub fn unnamed(&self) -> Option<u64> {
        self.by_length().last().filter(|(_, name)| name.is_empty()).map(|(value, _)| value)
    }

    /// Whether another value has the same name.
    pub fn is_shared(&self, value: u64) -> bool {
        (0..self.len() as u64).filter(|other| self.same(*other, value)).count() > 1
    }

    /// The values with different names, the longest name first.
    pub fn by_length(&self) -> impl Iterator<Item = (u64, &'static str)> {
        self.order.iter().filter_map(|value| Some((u64::from(*value), self.get((*value).into())?)))
    }
}

/// The names of a kind of field.
pub(super) fn find(name: &str) -> Option<&'static Names> {
    NAMES.get(name)
}

static NAMES: LazyLock<HashMap<&'static str, Names>> = LazyLock::new(|| {
    let mut all = HashMap::new();
    for (name, texts) in LISTS {
        all.insert(*name, Names::new(texts.split(' ').map(text).collect()));
    }
    for (name, bits, make) in MADE {
        // The names live as long as the program.
        let texts = (0..1 << bits).map(|value| make(value).map(|text| &*text.leak())).collect();
        all.insert(*name, Names::new(texts));
    }
    all
});

/// `-` is the empty name, `!` a refused value.
fn text(word: &'static str) -> Option<&'static str> {
    match word {
        "!" => None,
        "-" => Some(""),
        word => Some(word),
    }
}

/// Lists of names, by value from zero on.
const LISTS: &[(&str, &str)] = &[
    // Arithmetic.
    ("round", "- .RM .RP .RZ"),
    ("int_round", "- .FLOOR .CEIL .TRUNC"),
    ("fmz", "- .FTZ .FMZ .INVALIDFMZ3"),
    ("half_fmz", "- .FTZ .FMZ .INVALID"),
    ("plus_one", "- - - .PO"),
    ("plus_one_wide", "- ! - .PO"),
    ("scale", "- .D2 .D4 .D8 .M8 .M4 .M2 .INVALIDSCALE37"),
    ("bool", ".AND .OR .XOR .INVALIDBOP3"),
    ("half_bool", ".AND .OR .XOR .???3"),
    ("float_compare", ".F .LT .EQ .LE .GT .NE .GE .NUM .NAN .LTU .EQU .LEU .GTU .NEU .GEU .T"),
    ("choose_compare", ".F .LT .EQ .LE - .NE .GE .NUM .NAN .LTU .EQU .LEU .GTU .NEU .GEU .T"),
    ("compare", ".F .LT .EQ .LE .GT .NE .GE .T"),
    (
        "condition",
        ".F .LT .EQ .LE .GT .NE .GE .NUM .NAN .LTU .EQU .LEU .GTU .NEU .GEU .T .OFF .LO .SFF .LS .HI .SFT .HS .OFT \
         .CSM_TA .CSM_TR .CSM_MX .FCSM_TA .FCSM_TR .FCSM_MX .RLE .RGT",
    ),
    ("signs", ".U32.U32 .S32.U32 .U32.S32 -"),
    ("short_signs", "- .S16.U16 .U16.S16 .S16.S16"),
    ("xmad_c", "- .CLO .CHI .CSFU"),
    ("xmad_c3", "- .CLO .CHI .CSFU .CBCC .???5 .???6 .???7"),
    ("logic", ".AND .OR .XOR .PASS_B"),
    ("logic_result", "- .T .Z .NZ"),
    ("shift_add", "- .RS .LS .???3"),
    ("part", "- .H0 .H1 .???3"),
    ("half", "- .H1"),
    ("swizzle", "- .F32 .H0_H0 .H1_H1"),
    ("merge", "- .F32 .MRG_H0 .MRG_H1"),
    ("extended_min", "- .XLO .XMED .XHI"),
    ("extended_shift", "- .HI .X .XHI"),
    ("extended_shr", "- .INVALIDSHRXMODE1 .X .XHI"),
    ("shift_width", "- .INVALIDMAXSHIFT3 .U64 .S64"),
    (
        "permute",
        "- .F4E .B4E .RC8 .ECL .ECR .RC16 .INVALIDPMODE7 .???8 .???9 .???10 .???11 .???12 .???13 .???14 .???15",
    ),
    ("byte", "- .B1 .B2 .B3"),
    (
        "mufu",
        ".COS .SIN .EX2 .LG2 .RCP .RSQ .RCP64H .RSQ64H .SQRT .INVALIDMUFUOPCODE9 .INVALIDMUFUOPCODEA \
         .INVALIDMUFUOPCODEB .INVALIDMUFUOPCODEC .INVALIDMUFUOPCODED .INVALIDMUFUOPCODEE .INVALIDMUFUOPCODEF",
    ),
    ("reduce", ".SINCOS .EX2"),
    ("predicates", "PR CC"),
    // Conversions.
    ("float_to", ".INVALIDFPDEST0 .F16 .F32 .F64"),
    ("float_from", ".INVALIDFPSRC0 .F16 .F32 .F64"),
    ("float_of_int", ".INVALIDFPSRC0 .F16 .F32 .F64"),
    ("int_of_float", ".INVALID0 .U16 .U32 .U64 .INVALID1 .S16 .S32 .S64"),
    ("int_from", ".U8 .U16 .U32 .U64 .S8 .S16 .S32 .S64"),
    ("int_to_int", ".U8 .U16 .U32 .???6 .S8 .S16 .S32 .???7"),
    ("int_from_int", ".U8 .U16 .U32 .INVALID6 .S8 .S16 .S32 .INVALID7"),
    ("byte_of", "- - - - .B1 .INVALIDSIZE1 .B1 .B1 .B2 .H1 .B2 .B2 .B3 .INVALIDSIZE3 .B3 .B3"),
    ("half_of", "- - - - - .H1 - -"),
    // Memory.
    ("attribute_size", "- .64 .96 .128"),
    ("handle_size", "- .U16 .32 .???3"),
    ("handle_base", "- .PATCH .PRIM .ATTR"),
    ("atomic_size", "- .S32 .U64 .F32.FTZ.RN .F16x2.FTZ.RN .S64 .INVALIDATOMICSIZE6 .INVALIDATOMICSIZE7"),
    (
        "atomic",
        ".ADD .MIN .MAX .INC .DEC .AND .OR .XOR .EXCH .INVALIDATOMOP9 .SAFEADD .INVALIDATOMOP11 .INVALIDATOMOP12 \
         .INVALIDATOMOP13 .INVALIDATOMOP14 .INVALIDATOMOP15",
    ),
    (
        "shared_atomic",
        ".ADD .MIN .MAX .INC .DEC .AND .OR .XOR .EXCH .INVALIDATOMSOP9 .INVALIDATOMSOP10 .INVALIDATOMSOP11 \
         .INVALIDATOMSOP12 .INVALIDATOMSOP13 .INVALIDATOMSOP14 .INVALIDATOMSOP15",
    ),
    ("shared_size", "- .S32 .U64 .S64"),
    ("reduction", ".ADD .MIN .MAX .INC .DEC .AND .OR .XOR"),
    ("cast", ".CAST .CAST.SPIN .CAS !"),
    ("load_size", ".U8 .S8 .U16 .S16 - .64 .128 .U.128"),
    ("size", ".U8 .S8 .U16 .S16 - .64 .128 .INVALIDSIZE7"),
    ("constant_size", ".U8 .S8 .U16 .S16 - .64 .INVALIDSIZE6 .INVALIDSIZE7"),
    (
        "shared_load",
        ".U8 .S8 .U16 .S16 - .64 .128 .INVALIDSIZE7 .U.U8 .U.S8 .U.U16 .U.S16 .U.32 .U.64 .U.128 .U.INVALIDSIZE7",
    ),
    ("load_cache", "- .CG .CI .CV"),
    ("local_cache", "- .LU .CI .CV"),
    ("store_cache", "- .CG .CS .WT"),
    ("constant_mode", "- .IL .IS .ISL"),
    ("cache", "- .U .C .I .CRS .INVALIDCACHETYPE5 .INVALIDCACHETYPE6 .INVALIDCACHETYPE7"),
    ("local_cache_kind", "- .???1 .INVALIDLCACHETYPE2 .INVALIDLCACHETYPE3"),
    (
        "cache_op",
        ".QRY1 .PF1 .PF1.5 .PF2 .WB .IV ! .RS ! .RSLB .INVALIDCCTLOP10 .INVALIDCCTLOP11 .INVALIDCCTLOP12 \
         .INVALIDCCTLOP13 .INVALIDCCTLOP14 .INVALIDCCTLOP15",
    ),
    (
        "local_cache_op",
        "! .PF1 .PF1.5 .PF2 .WB .IV ! .RS ! .RSLB .INVALIDCCTLOP10 .INVALIDCCTLOP11 .INVALIDCCTLOP12 \
         .INVALIDCCTLOP13 .INVALIDCCTLOP14 .INVALIDCCTLOP15",
    ),
    ("texture_cache_op", ".IVALL .IVTH .INVALIDCCTLTOP2 .INVALIDCCTLTOP3"),
    ("register_cache_op", "! .IVTH .INVALIDCCTLTOP2 .INVALIDCCTLTOP3"),
    ("fence", ".CTA .GL .SYS .VC"),
    ("fence_extra", "- .IVALLD .IVALLT .IVALLTD"),
    // Interpolation and pixels.
    ("interpolate", ".PASS - .CONSTANT .SC"),
    ("sample", "- .CENTROID .OFFSET .INVALID"),
    ("pixel", "- .COVMASK .COVERED .OFFSET .CENTROID_OFFSET .MY_INDEX .INVALID0 .INVALID1"),
    ("emit", ".INVALIDOUTSTYPE0 .EMIT .CUT .EMIT_THEN_CUT"),
    // Surfaces.
    ("surface", ".1D .1D_BUFFER .1D_ARRAY .2D .2D_ARRAY .3D .INVALIDSURFACEDIM6 .INVALIDSURFACEDIM7"),
    ("clamp", ".IGN - .TRAP .INVALIDSURFACECLAMP3"),
    ("components", ".???0 .R .G .RG .B .RB .GB .RGB .A .RA .GA .RGA .BA .RBA .GBA -"),
    ("surface_size", "- .S32 .U64 .F32.FTZ.RN .F16x2.FTZ.RN .S64 .SD32 .SD64"),
    (
        "swap_only",
        ".CAS .???1 .???2 .???3 .???4 .???5 .???6 .???7 .???8 .???9 .???10 .???11 .???12 .???13 .???14 .???15",
    ),
    // Textures.
    ("texture", "1D ARRAY_1D 2D ARRAY_2D 3D ARRAY_3D CUBE ARRAY_CUBE"),
    ("lod", "- .LZ .LB .LL .INVALIDBLOD4 .INVALIDBLOD5 .LBA .LLA"),
    ("load_lod", ".LZ .LL"),
    ("component", ".R .G .B .A"),
    ("gather_offset", "- .AOFFI .PTP .INVALIDBTOFF03"),
    ("mask1", "R G B A RG RA GA BA"),
    ("mask3", "RGB RGA RBA GBA RGBA INVALID5 INVALID6 INVALID7"),
    ("sample_kind", ".LZ - .LZ .LL .DC .LL.DC .LZ.DC - .LZ .LZ.DC - .LZ - .LL ! !"),
    ("sample_shape", "1D 2D 2D 2D 2D 2D 2D ARRAY_2D ARRAY_2D ARRAY_2D 3D 3D CUBE CUBE ! !"),
    ("fetch_kind", ".LZ .LL .LZ ! .LZ.AOFFI .LL .LZ.MS .LZ .LZ ! ! ! .LL.AOFFI ! ! !"),
    ("fetch_shape", "1D 1D 2D ! 2D 2D 2D 3D ARRAY_2D ! ! ! 2D ! ! !"),
    // Flow and system.
    ("byte_barrier", "- .RESULT .WARP .INVALID"),
    ("breakpoint", ".DRAIN_ILLEGAL .CAL .PAUSE .TRAP .INT .DRAIN .???6 .???7"),
    ("trap_return", "- .TERMINATE .FALLTHROUGH .PREEMPTED"),
    ("scoreboard", "SB0 SB1 SB2 SB3 SB4 SB5 ???6 ???7"),
    ("vote", ".ALL .ANY .EQ .INVALIDVMODE3"),
    ("vertex_vote", ".R .A .RA .INVALIDVTGMODE3"),
    ("shuffle", ".IDX .UP .DOWN .BFLY"),
    // Video.
    ("video", ".MRG_16H .MRG_16L .MRG_8B0 .MRG_8B2 .ACC .MIN .MAX -"),
    ("byte_signs", ".U8.U8 .S8.U8 .U8.S8 -"),
    (
        "video4_b",
        ".4444 .5555 .6666 .7777 - .6543 .5432 .4321 .4567 .6745 .5476 .INVALIDBSEL4B .INVALIDBSEL4C .INVALIDBSEL4D \
         .INVALIDBSEL4E -",
    ),
    ("video_scale", "- .SHR_7 .SHR_15 .INVALIDVMADSCALE3"),
    (
        "video4_a",
        ".0000 .1111 .2222 .3333 - .4321 .5432 .6543 .3201 .3012 .0213 .3120 .1230 .2310 .INVALIDASEL4E .INVALIDASEL4F",
    ),
    ("video4_reduce", "- .ACC .INVALIDRED2 .INVALIDRED3"),
];

/// Names that follow a rule: how many bits, and the name of a value.
type Rule = fn(u64) -> Option<String>;

const MADE: &[(&str, u32, Rule)] = &[
    ("condition_of", 5, |value| {
        let condition = find_in("condition", value)?;
        Some(format!("CC{condition}"))
    }),
    ("special", 8, |value| Some(special(value))),
    ("quad_signs", 8, |value| {
        // Two bits for each lane of a quad, each printed as a sign of its own: lanes 3, 2, 1, 0 as pairs.
        Some((0..4).rev().map(|lane| ["PP", "NP", "PN", "ZP"][(value >> (2 * lane) & 3) as usize]).collect())
    }),
    ("special_signs", 7, |value| {
        const A: [&str; 8] = [".U32", ".S32", ".U24", ".S24", ".U16H0", ".S16H0", ".U16H1", ".S16H1"];
        let (a, c, b) = (value & 7, value >> 3 & 3, value >> 5);
        let sign = if (a | b) & 1 == 1 { 'S' } else { 'U' };
        let width = ["32", "24", "16H0"].get(c as usize)?;
        Some(format!(
            "{}{}.{sign}{width}",
            A[a as usize],
            A[(b & 1 | (b & 2) << 1 | if b < 2 { 2 } else { 0 }) as usize]
        ))
    }),
    ("check", 6, |value| {
        Some(if value == 0 { ".DIVIDE".to_owned() } else { format!(".INVALIDCHKMODE{value}") })
    }),
    // What it does, and how it reduces.
    ("barrier", 5, |value| {
        let reduces = [".POPC", ".AND", ".OR", ".INVALIDBARMODE3"][(value >> 3) as usize];
        match value & 7 {
            0 => Some(".SYNC".to_owned()),
            1 => Some(".ARV".to_owned()),
            2 => Some(format!(".RED{reduces}")),
            3 => Some(".SCAN".to_owned()),
            _ => None,
        }
    }),
    ("query", 6, |value| {
        let name = match value {
            1 => "TEX_HEADER_DIMENSION",
            2 => "TEX_HEADER_TEXTURE_TYPE",
            5 => "TEX_HEADER_SAMPLER_POS",
            16 => "TEX_SAMPLER_FILTER",
            18 => "TEX_SAMPLER_LOD",
            20 => "TEX_SAMPLER_WRAP",
            22 => "TEX_SAMPLER_BORDER_COLOR",
            0 | 4 => return None,
            _ if value & 1 == 1 => return None,
            _ => return Some((value / 2).to_string()),
        };
        Some(name.to_owned())
    }),
    ("lanes", 4, |value| {
        let lanes: String =
            "XYZW".chars().enumerate().filter(|(at, _)| value >> at & 1 == 1).map(|(_, lane)| lane).collect();
        Some(match value {
            0 => ".???0".to_owned(),
            15 => String::new(),
            _ => format!(".{lanes}"),
        })
    }),
    // Destination, source, then rounding mode and whether it rounds to an integer.
    ("float_round", 7, |value| {
        let (to, from, mode, integer) =
            (value & 3, value >> 2 & 3, (value >> 4 & 3) as usize, value >> 6 & 1);
        Some(
            match (to == from, integer) {
                (true, 1) => [".ROUND", ".FLOOR", ".CEIL", ".TRUNC"][mode],
                (true, _) => ["", ".PASS", ".PASS", ".PASS"][mode],
                _ => ["", ".RM", ".RP", ".RZ"][mode],
            }
            .to_owned(),
        )
    }),
];

/// A name of [`LISTS`], which is there before the made ones.
fn find_in(list: &str, value: u64) -> Option<&'static str> {
    let (_, texts) = LISTS.iter().find(|(name, _)| *name == list)?;
    texts.split(' ').nth(value as usize)
}

/// The special registers that have names.
const SPECIAL: &[(u64, &str)] = &[
    (0, "LANEID CLOCK VIRTCFG VIRTID PM0 PM1 PM2 PM3 PM4 PM5 PM6 PM7"),
    (15, "ORDERING_TICKET PRIM_TYPE INVOCATION_ID Y_DIRECTION THREAD_KILL"),
    (21, "DIRECTCBEWRITEADDRESSLOW DIRECTCBEWRITEADDRESSHIGH DIRECTCBEWRITEENABLED"),
    (24, "MACHINE_ID_0 MACHINE_ID_1 MACHINE_ID_2 MACHINE_ID_3"),
    (28, "AFFINITY INVOCATION_INFO WSCALEFACTOR_XY WSCALEFACTOR_Z"),
    (32, "TID TID.X TID.Y TID.Z CTA_PARAM CTAID.X CTAID.Y CTAID.Z NTID CirQueueIncrMinusOne NLATC"),
    (48, "SWINLO SWINSZ SMEMSZ SMEMBANKS LWINLO LWINSZ LMEMLOSZ LMEMHIOFF"),
    (56, "EQMASK LTMASK LEMASK GTMASK GEMASK REGALLOC CTXADDR"),
    (64, "GLOBALERRORSTATUS"),
    (66, "WARPERRORSTATUS WARPERRORSTATUSCLEAR"),
    (72, "PM_HI0 PM_HI1 PM_HI2 PM_HI3 PM_HI4 PM_HI5 PM_HI6 PM_HI7"),
    (80, "CLOCKLO CLOCKHI GLOBALTIMERLO GLOBALTIMERHI"),
    (96, "HWTASKID CIRCULARQUEUEENTRYINDEX CIRCULARQUEUEENTRYADDRESSLOW CIRCULARQUEUEENTRYADDRESSHIGH"),
];

/// The name of a special register.
fn special(number: u64) -> String {
    // The disassembler itself says SM here.
    if number == 20 {
        return "SM_SHADER_TYPE".to_owned();
    }
    let run = SPECIAL.iter().rev().find(|(first, _)| *first <= number);
    let name = run.and_then(|(first, names)| names.split(' ').nth((number - first) as usize));
    name.map_or_else(|| format!("SR{number}"), |name| format!("SR_{name}"))
}
