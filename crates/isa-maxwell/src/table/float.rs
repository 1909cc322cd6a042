//! Arithmetic of 32 and 64 bits with a fraction.

use super::{Form, Row, one, three, two};

pub(super) const ROWS: &[Row] = &[
    two(
        [Form::FaddR, Form::FaddC, Form::FaddI],
        "FADD{.FTZ:44}{round:39}{.SAT:50} {d}, {a neg48 abs46}, {bf u2 neg45 abs49}",
    ),
    one(Form::Fadd32i, "FADD32I{.FTZ:55} {r0 cc52}, {a neg56 abs54}, {f20+32 neg53 abs57}"),
    two(
        [Form::FmulR, Form::FmulC, Form::FmulI],
        "FMUL{fmz:44}{scale:41}{round:39}{.SAT:50} {d}, {a}, {bf neg48}",
    ),
    one(Form::Fmul32i, "FMUL32I{fmz:53}{.SAT:55} {r0 cc52}, {a}, {f20+32}"),
    three(
        [Form::FfmaR, Form::FfmaC, Form::FfmaI, Form::FfmaRc],
        "FFMA{fmz:53}{round:51}{.SAT:50} {d}, {a}, {bf neg48}, {c neg49}",
    ),
    one(Form::Ffma32i, "FFMA32I{fmz:53}{.SAT:55} {r0 cc52}, {a neg56}, {f20+32}, {r0 neg57}"),
    two(
        [Form::FmnmxR, Form::FmnmxC, Form::FmnmxI],
        "FMNMX{.FTZ:44} {d}, {a neg48 abs46}, {bf neg45 abs49}, {p39 not42}",
    ),
    three(
        [Form::FcmpR, Form::FcmpC, Form::FcmpI, Form::FcmpRc],
        "FCMP{choose_compare:48}{.FTZ:47} {D}, {a}, {bf}, {c}",
    ),
    two(
        [Form::FsetR, Form::FsetC, Form::FsetI],
        "FSET{.BF:52}{float_compare:48}{.FTZ:55}{bool:45} {d}, {a neg43 abs54}, {bf neg53 abs44}, {p39 not42}",
    ),
    two(
        [Form::FsetpR, Form::FsetpC, Form::FsetpI],
        "FSETP{float_compare:48}{.FTZ:47}{bool:45} {p3}, {p0}, {a neg43 abs7}, {bf neg6 abs44}, {p39 not42}",
    ),
    two([Form::FchkR, Form::FchkC, Form::FchkI], "FCHK{check:39+6} {p3}, {a neg48 abs46}, {bf neg45 abs49}"),
    one(Form::Fswzadd, "FSWZADD{.FTZ:44}{round:39}{.NDV:38} {d}, {a}, {r20 u1}, {quad_signs:28}"),
    one(Form::Mufu, "MUFU{mufu:20}{.SAT:50} {D}, {a neg48 abs46}"),
    two([Form::RroR, Form::RroC, Form::RroI], "RRO{reduce:39} {D}, {bf neg45 abs49}"),
    two([Form::DaddR, Form::DaddC, Form::DaddI], "DADD{round:39} {d}, {a neg48 abs46}, {bd u2 neg45 abs49}"),
    two([Form::DmulR, Form::DmulC, Form::DmulI], "DMUL{round:39} {d}, {a}, {bd neg48}"),
    three(
        [Form::DfmaR, Form::DfmaC, Form::DfmaI, Form::DfmaRc],
        "DFMA{round:50} {d}, {a}, {bd neg48}, {c neg49}",
    ),
    two(
        [Form::DmnmxR, Form::DmnmxC, Form::DmnmxI],
        "DMNMX {d}, {a neg48 abs46}, {bd neg45 abs49}, {p39 not42}",
    ),
    two(
        [Form::DsetR, Form::DsetC, Form::DsetI],
        "DSET{.BF:52}{float_compare:48}{bool:45} {d}, {a neg43 abs54}, {bd neg53 abs44}, {p39 not42}",
    ),
    two(
        [Form::DsetpR, Form::DsetpC, Form::DsetpI],
        "DSETP{float_compare:48}{bool:45} {p3}, {p0}, {a neg43 abs7}, {bd neg6 abs44}, {p39 not42}",
    ),
];
