//! Surfaces: images that are read, written and changed.

use super::{Form, Row, one};

pub(super) const ROWS: &[Row] = &[
    one(
        Form::Suld,
        "SULD.P{surface:33}{load_cache:24}{components:20}{clamp:49}{?30+3=0} {q30},{/} {D}, {pointer}, {x36+13}",
    ),
    one(
        Form::SuldB,
        "SULD.P{surface:33}{load_cache:24}{components:20}{clamp:49}{?30+3=0} {q30},{/} {D}, {pointer}, {r39 u2}",
    ),
    one(
        Form::SuldD,
        "SULD.D{.BA:23}{surface:33}{load_cache:24}{size:20}{clamp:49}{?30+3=0} {q30},{/} {D}, {pointer}, {x36+13}",
    ),
    one(
        Form::SuldDB,
        "SULD.D{.BA:23}{surface:33}{load_cache:24}{size:20}{clamp:49}{?30+3=0} {q30},{/} {D}, {pointer}, {r39 u2}",
    ),
    one(Form::Sust, "SUST.P{surface:33}{store_cache:24}{components:20}{clamp:49} {pointer}, {D}, {x36+13}"),
    one(Form::SustB, "SUST.P{surface:33}{store_cache:24}{components:20}{clamp:49} {pointer}, {D}, {r39 u2}"),
    one(
        Form::SustD,
        "SUST.D{.BA:23}{surface:33}{store_cache:24}{size:20}{clamp:49} {pointer}, {D}, {x36+13}",
    ),
    one(
        Form::SustDB,
        "SUST.D{.BA:23}{surface:33}{store_cache:24}{size:20}{clamp:49} {pointer}, {D}, {r39 u2}",
    ),
    one(
        Form::Sured,
        "SURED.D{.BA:23}{surface:33}{reduction:24}{surface_size:20}{clamp:49} {pointer}, {D}, {x36+13}",
    ),
    one(
        Form::SuredB,
        "SURED.D{.BA:23}{surface:33}{reduction:24}{surface_size:20}{clamp:49} {pointer}, {D}, {r39 u2}",
    ),
    one(Form::SuredPI, "SURED.P{surface:33}{reduction:24}{clamp:49} {pointer}, {D}, {x36+13}"),
    one(Form::SuredPR, "SURED.P{surface:33}{reduction:24}{clamp:49} {pointer}, {D}, {r39 u2}"),
    one(
        Form::Suatom,
        "SUATOM.D{.BA:28}{surface:33}{shared_atomic:29}{surface_size:51}{clamp:49} {D}, {pointer}, {r20 u1}, {x36+13}",
    ),
    one(
        Form::SuatomB,
        "SUATOM.D{.BA:28}{surface:33}{shared_atomic:29}{surface_size:36}{clamp:49} {D}, {pointer}, {r20 u1}, {r39 u2}",
    ),
    one(
        Form::SuatomB2,
        "SUATOM.D{.BA:28}{surface:33}{shared_atomic:29}{surface_size:36}{clamp:49} {q51}, {D}, {pointer}, {r20 u1}, \
         {r39 u2}",
    ),
    one(
        Form::SuatomCas,
        "SUATOM.D{.BA:28}{surface:33}.CAS{surface_size:51}{clamp:49}{?30+3=0} {q30},{/} {D}, {pointer}, {r20 u1}, \
         {x36+13}",
    ),
    one(
        Form::SuatomCasB,
        "SUATOM.D{.BA:28}{surface:33}.CAS{surface_size:36}{clamp:49}{?30+3=0} {q30},{/} {D}, {pointer}, {r20 u1}, \
         {r39 u2}",
    ),
    one(Form::SuatomP, "SUATOM.P{surface:33}{shared_atomic:29}{clamp:49} {D}, {pointer}, {r20 u1}, {r39 u2}"),
    one(
        Form::SuatomPI,
        "SUATOM.P{surface:33}{shared_atomic:29}{clamp:49} {D}, {pointer}, {r20 u1}, {x36+13}",
    ),
    one(Form::SuatomCasP, "SUATOM.P{surface:33}{swap_only:29}{clamp:49} {D}, {pointer}, {r20 u1}, {r39 u2}"),
    one(Form::SuatomCasPI, "SUATOM.P{surface:33}{swap_only:29}{clamp:49} {D}, {pointer}, {r20 u1}, {x36+13}"),
];
