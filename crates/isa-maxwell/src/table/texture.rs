//! Texture fetches and queries.

use super::{Form, Row, one};

pub(super) const ROWS: &[Row] = &[
    one(
        Form::Tex,
        "TEX{lod:55}{.LC:58}{.AOFFI:54}{.DC:50}{.NDV:35}{.NODEP:49}{phase}{?51+3=7} {p51},{/} {D}, {r8}{?20+8=ff}, {r20}{/}, \
         {x36+13}, {texture:28}, {x31+4}",
    ),
    one(
        Form::TexB,
        "TEX.B{lod:37}{.LC:40}{.AOFFI:36}{.DC:50}{.NDV:35}{.NODEP:49}{phase}{?51+3=7} {p51},{/} {D}, {r8}{?20+8=ff}, {r20}{/}, 0x0, \
         {texture:28}, {x31+4}",
    ),
    one(
        Form::Tld,
        "TLD{load_lod:55}{.AOFFI:35}{.MS:50}{.CL:54}{.NODEP:49}{phase}{?51+3=7} {p51},{/} {D}, {r8}{?20+8=ff}, {r20}{/}, \
         {x36+13}, {texture:28}, {x31+4}",
    ),
    one(
        Form::TldB,
        "TLD.B{load_lod:55}{.AOFFI:35}{.MS:50}{.CL:54}{.NODEP:49}{phase}{?51+3=7} {p51},{/} {D}, {r8}{?20+8=ff}, {r20}{/}, \
         0x0, {texture:28}, {x31+4}",
    ),
    one(
        Form::Tld4,
        "TLD4{component:56}{gather_offset:54}{.DC:50}{.NDV:35}{.NODEP:49}{phase}{?51+3=7} {p51},{/} {D}, {r8}{?20+8=ff}, \
         {r20}{/}, {x36+13}, {texture:28}, {x31+4}",
    ),
    one(
        Form::Tld4B,
        "TLD4{component:38}.B{gather_offset:36}{.DC:50}{.NDV:35}{.NODEP:49}{phase}{?51+3=7} {p51},{/} {D}, {r8}{?20+8=ff}, \
         {r20}{/}, 0x0, {texture:28}, {x31+4}",
    ),
    one(
        Form::Txd,
        "TXD{.LC:50}{.AOFFI:35}{.NODEP:49}{phase}{?51+3=7} {p51},{/} {D}, {r8}, {r20}, {x36+13}, {texture:28}, \
         {x31+4}",
    ),
    one(
        Form::TxdB,
        "TXD.B{.LC:50}{.AOFFI:35}{.NODEP:49}{phase}{?51+3=7} {p51},{/} {D}, {r8}, {r20}, 0x0, {texture:28}, \
         {x31+4}",
    ),
    one(
        Form::Texs,
        "TEXS{sample_kind~:53}{.NODEP:49}{phase} {r28}, {r0}, {r8}{?20+8=ff}, {r20}{/}, {x36+13}, {sample_shape&sample_kind:53}, \
         {!28+8=ff}{mask3:50}{:}{mask1:50}{/}",
    ),
    one(
        Form::TexsF16,
        "TEXS.F16{sample_kind~:53}{.NODEP:49}{phase} {r28}, {r0}, {r8}{?20+8=ff}, {r20}{/}, {x36+13}, {sample_shape&sample_kind:53}, \
         {!28+8=ff}{mask3:50}{:}{mask1:50}{/}",
    ),
    one(
        Form::Tlds,
        "TLDS{fetch_kind~:53}{.NODEP:49}{phase} {r28}, {r0}, {r8}{?20+8=ff}, {r20}{/}, {x36+13}, {fetch_shape&fetch_kind:53}, \
         {!28+8=ff}{mask3:50}{:}{mask1:50}{/}",
    ),
    one(
        Form::TldsF16,
        "TLDS.F16{fetch_kind~:53}{.NODEP:49}{phase} {r28}, {r0}, {r8}{?20+8=ff}, {r20}{/}, {x36+13}, {fetch_shape&fetch_kind:53}, \
         {!28+8=ff}{mask3:50}{:}{mask1:50}{/}",
    ),
    one(
        Form::Tld4s,
        "TLD4S{component:52}{.AOFFI:51}{.DC:50}{.NODEP:49}{phase} {r28}, {r0}, {r8}, {r20}, {x36+13}",
    ),
    one(
        Form::Tld4sF16,
        "TLD4S.F16{component:52}{.AOFFI:51}{.DC:50}{.NODEP:49}{phase} {r28}, {r0}, {r8}, {r20}, {x36+13}",
    ),
    one(
        Form::Tmml,
        "TMML.LOD{.NDV:35}{.NODEP:49}{~20+8:ff}{phase} {D}, {r8}, {x36+13}, {texture:28}, {x31+4}",
    ),
    one(
        Form::TmmlB,
        "TMML.B.LOD{.NDV:35}{.NODEP:49}{phase} {D}, {r8}{?20+8=ff}, {r20}{/}, 0x0, {texture:28}, {x31+4}",
    ),
    one(Form::Txa, "TXA{.NDV:35}{.NODEP:49}{phase} {D}, {r8}, {x36+13}, {x31+4}"),
    one(Form::Txq, "TXQ{.NODEP:49}{phase} {D}, {r8}, {query:22}, {x36+13}, {x31+4}"),
    one(Form::TxqB, "TXQ.B{.NODEP:49}{phase} {D}, {r8}, {query:22}, 0x0, {x31+4}"),
];
