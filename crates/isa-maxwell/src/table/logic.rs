//! Bits, shifts, selections and predicates.

use super::{Form, Row, one, three, two};

pub(super) const ROWS: &[Row] = &[
    two([Form::BfeR, Form::BfeC, Form::BfeI], "BFE{-.U32:48}{.BREV:40} {d}, {a}, {b}"),
    three([Form::BfiR, Form::BfiC, Form::BfiI, Form::BfiRc], "BFI {d}, {a}, {b}, {c}"),
    two([Form::FloR, Form::FloC, Form::FloI], "FLO{-.U32:48}{.SH:41} {d}, {b inv40}"),
    two([Form::PopcR, Form::PopcC, Form::PopcI], "POPC {D}, {b inv40}"),
    two([Form::ShlR, Form::ShlC, Form::ShlI], "SHL{.W:39}{.X:43} {d}, {a}, {b}"),
    two(
        [Form::ShrR, Form::ShrC, Form::ShrI],
        "SHR{-.U32:48}{.W:39}{extended_shr:43}{.BREV:40} {d}, {a}, {b}",
    ),
    one(Form::ShfLR, "SHF.L{.W:50}{shift_width:37}{extended_shift:48} {d}, {a}, {r20 u1}, {r39 u2}"),
    one(Form::ShfLI, "SHF.L{.W:50}{shift_width:37}{extended_shift:48} {d}, {a}, {x20+6}, {r39 u2}"),
    one(Form::ShfRR, "SHF.R{.W:50}{shift_width:37}{extended_shift:48} {d}, {a}, {r20 u1}, {r39 u2}"),
    one(Form::ShfRI, "SHF.R{.W:50}{shift_width:37}{extended_shift:48} {d}, {a}, {x20+6}, {r39 u2}"),
    two(
        [Form::LopR, Form::LopC, Form::LopI],
        "LOP{logic:41}{.X:43}{logic_result:44}{?48+3=7} {p48},{/} {d}, {a inv39}, {b inv40}",
    ),
    one(Form::Lop32i, "LOP32I{logic:53}{.X:57} {r0 cc52}, {a inv55}, {x20+32 inv56}"),
    one(
        Form::Lop3R,
        "LOP3.LUT{.X:38}{logic_result:36}{?48+3=7} {p48},{/} {d}, {a}, {r20 u1}, {r39 u2}, {x28+8}",
    ),
    one(Form::Lop3C, "LOP3.LUT{.X:56} {d}, {a}, {c20}, {r39 u2}, {x48+8}"),
    one(Form::Lop3I, "LOP3.LUT{.X:57} {d}, {a}, {s20+19,56}, {r39 u2}, {x48+8}"),
    two(
        [Form::LeaR, Form::LeaC, Form::LeaI],
        "LEA{.X:46}{?48+3=7} {p48},{/} {d}, {a neg45}, {b}{?39+5=0}, {x39+5}{/}",
    ),
    one(
        Form::LeaHiR,
        "LEA.HI{.X:38}{?48+3=7} {p48},{/} {d}, {a neg37}, {r20 u1}, {r39 u2}{?28+5=0}, {x28+5}{/}",
    ),
    one(
        Form::LeaHiC,
        "LEA.HI{.X:57}{?48+3=7} {p48},{/} {d}, {a neg56}, {c20}, {r39 u2}{?51+5=0}, {x51+5}{/}",
    ),
    two([Form::MovR, Form::MovC, Form::MovI], "MOV {D}, {b}{?39+4=f}, {x39+4}{/}"),
    one(Form::Mov32i, "MOV32I {D}, {x20+32}{?12+4=f}, {x12+4}{/}"),
    two([Form::SelR, Form::SelC, Form::SelI], "SEL {D}, {a}, {b}, {p39 not42}"),
    three([Form::PrmtR, Form::PrmtC, Form::PrmtI, Form::PrmtRc], "PRMT{permute:48} {D}, {a}, {b}, {c}"),
    two([Form::P2rR, Form::P2rC, Form::P2rI], "P2R{byte:41} {D}, {predicates:40}, {a}, {b}"),
    two([Form::R2pR, Form::R2pC, Form::R2pI], "R2P {predicates:40}, {a /byte:41}, {bu}"),
    one(Form::Pset, "PSET{.BF:44}{bool:24}{bool:45} {d}, {p12 not15}, {p29 not32}, {p39 not42}"),
    one(Form::Psetp, "PSETP{bool:24}{bool:45} {p3}, {p0}, {p12 not15}, {p29 not32}, {p39 not42}"),
    one(Form::Cset, "CSET{.BF:44}{condition:8}{bool:45} {d}, CC, {p39 not42}"),
    one(Form::Csetp, "CSETP{condition:8}{bool:45} {p3}, {p0}, CC, {p39 not42}"),
];
