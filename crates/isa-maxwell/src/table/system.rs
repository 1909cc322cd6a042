//! Barriers, special registers, votes, and what the system does.

use super::{Form, Row, one};

pub(super) const ROWS: &[Row] = &[
    one(
        Form::Bar,
        "BAR{barrier:32+5} {?44=1}{r8}{:}{x8+8}{/}{!32=1}{?43=1}, {r20}{:}{?20+12=0}, {x20+12}{/}{/}{:}, \
         {?43=1}{r20}{:}{x20+12}{/}{/}{!33=1}{=39+4:7}{:}, {p39 not42}{/}",
    ),
    one(
        Form::B2r,
        "B2R{byte_barrier:32} {D}{!32+2=1}{!32+2=2}, {x8+8}{:}{=8+8:ff}{?45+3=7}, {p45}{/}{/}{:}{=8+8:ff}{?45+3=7}, {p45}{/}{/}",
    ),
    one(Form::R2b, "R2B{byte_barrier:32} {x28+4}, {r20}"),
    one(
        Form::Depbar,
        "DEPBAR{.LE:29}{!29=0} {scoreboard:26}, {x20+6}{?0+6=0}, {set0}{/}{:}{?0+6=0} {set0}{/}{/}",
    ),
    one(Form::Cs2r, "CS2R {D}, {special:20}"),
    one(Form::S2r, "S2R {D}, {special:20}"),
    one(
        Form::Shfl,
        "SHFL{shuffle:30} {p48}, {D}, {a}, {?28=0}{x20+5}{:}{r20 u1}{/}, {?29=0}{x34+13}{:}{r39 u2}{/}",
    ),
    one(Form::Vote, "VOTE{vote:48}{?0+8=ff} {D},{/} {p45}, {p39 not42}"),
    one(Form::Votevtg, "VOTE.VTG{vertex_vote:48} {x20+28}"),
    one(
        Form::Nop,
        "NOP{.TRIG:13}{?8+5=f} {condition_of:8}{?20+16=0}, {x20+16}{/}{:}{?20+16=0} {x20+16}{/}{/}",
    ),
    one(Form::Lepc, "LEPC {D}"),
    one(Form::Bpt, "BPT{breakpoint:6}{?20+20=0} {x20+20}{/}"),
    one(Form::Ide, "IDE{-.EN:5} {x20+16}"),
    one(Form::Ram, "RAM"),
    one(Form::Sam, "SAM"),
    one(Form::Rtt, "RTT{trap_return:0}"),
    one(Form::Stp, "STP{.WAIT:31} {x20+8}"),
    one(Form::Getcrsptr, "GETCRSPTR {D}"),
    one(Form::Setcrsptr, "SETCRSPTR {r8}"),
    one(Form::Getlmembase, "GETLMEMBASE {D}"),
    one(Form::Setlmembase, "SETLMEMBASE {r8}"),
];
