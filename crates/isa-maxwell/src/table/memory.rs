//! Attributes, memory and atomic operations.

use super::{Form, Row, one};

pub(super) const ROWS: &[Row] = &[
    one(
        Form::Al2p,
        "AL2P{.O:32}{attribute_size:47}{?44+3=7} {p44},{/} {D}{?8+8=ff}, {r8 u0}{/}{?20+11=0}, {s20+11}{/}",
    ),
    one(Form::Ald, "ALD{.O:32}{.P:31}{phys}{attribute_size:47} {D}, {attribute}{?39+8=ff}, {r39 u2}{/}"),
    one(Form::Ast, "AST{.P:31}{phys}{attribute_size:47} {attribute}, {D}{?39+8=ff}, {r39 u2}{/}"),
    one(
        Form::Ipa,
        "IPA{.IDX:38}{interpolate:54}{sample:52}{.SAT:51} {D}, {!38=0}a[{r8 u0}]{:}{=8+8:ff}a[{x28+10}]{/}, {r20 u1}\
         {?39+8=ff}, {r39 u2}{/}{!38=0}, {p47 not50}{:}{?47+4=7}, {p47 not50}{/}{/}",
    ),
    one(Form::Isberd, "ISBERD{.O:32}{handle_base:33}{.SKEW:31}{handle_size:47} {D}, [{r8 u0}]"),
    one(Form::Pixld, "PIXLD{pixel:31} {D}{?45+3=7}, {p45}{/}, {m20+8}"),
    one(Form::OutR, "OUT{emit:39} {D}, {a}, {r20 u1}"),
    one(Form::OutC, "OUT{emit:39} {D}, {a}, {c20}"),
    one(Form::OutI, "OUT{emit:39} {D}, {a}, {s20+19,56}"),
    one(Form::Ld, "LD{.E:52}{load_cache:56}{load_size:53} {D}, {m20+32}{?58+3=7}, {p58}{/}"),
    one(Form::Ldg, "LDG{.E:45}{load_cache:46}{load_size:48} {D}, {m20+24}"),
    one(Form::LdgP, "LDG{.E:45}{load_cache:46}{load_size:48} {q41}, {D}, {m20+20}"),
    one(Form::Ldl, "LDL{local_cache:44}{size:48} {D}, {m20+24}"),
    one(Form::Lds, "LDS{shared_load:48+3,44} {D}, {m20+24}"),
    one(Form::Ldc, "LDC{constant_size:48}{constant_mode:44} {D}, {kr20}"),
    one(Form::St, "ST{.E:52}{store_cache:56}{size:53} {m20+32}, {D}{?58+3=7}, {p58}{/}"),
    one(Form::Stg, "STG{.E:45}{store_cache:46}{size:48} {m20+24}, {D}"),
    one(Form::Stl, "STL{store_cache:44}{size:48} {m20+24}, {D}"),
    one(Form::Sts, "STS{size:48} {m20+24}, {D}"),
    one(Form::Atom, "ATOM{.E:48}{atomic:52}{atomic_size:49} {D}, {m28+20}, {r20 u1}"),
    one(Form::AtomCas, "ATOM{.E:48}.CAS{.64:49} {D}, {m28+20}, {pair50,49}"),
    one(Form::AtomPred, "ATOM{.E:48}{atomic:44}{atomic_size:49} {q41}, {D}, {sure_pointer}, {r20 u1}"),
    one(Form::AtomCasPred, "ATOM{.E:48}.CAS{.64:49} {q41}, {D}, {sure_pointer}, {pair50,49}"),
    one(Form::Atoms, "ATOMS{shared_atomic:52}{shared_size:28} {D}, {m30+22*4}, {r20 u1}"),
    one(Form::AtomsCas, "ATOMS{cast:53}{.64:52} {D}, {m30+22*4}, {pair28,52}"),
    one(Form::Red, "RED{.E:48}{reduction:23}{atomic_size:20} {m28+20}, {D}"),
    one(Form::Cctl, "CCTL{.E:52}{cache:4}{cache_op:0}{!0+4=0} {m22+30*4}{:}{m22+30*4}{/}"),
    one(Form::Cctll, "CCTLL{local_cache_kind:4}{local_cache_op:0} {m22+22*4}"),
    one(Form::Cctlt, "CCTLT{texture_cache_op:0}{!0+2=0} {x36+13}{/}"),
    one(Form::CctltReg, "CCTLT{register_cache_op:0} {r39}"),
    one(Form::Membar, "MEMBAR{fence:8}{fence_extra:0}"),
];
