//! Integer arithmetic.

use super::{Form, Row, one, three, two};

pub(super) const ROWS: &[Row] = &[
    two(
        [Form::IaddR, Form::IaddC, Form::IaddI],
        "IADD{plus_one~:48+2}{.SAT:50}{.X:43} {d}, {a neg49!48}, {b neg48!49}",
    ),
    one(Form::Iadd32i, "IADD32I{plus_one_wide~:55+2}{.SAT:54}{.X:53} {r0 cc52}, {a neg56!55}, {s20+32}"),
    one(
        Form::Iadd3R,
        "IADD3{shift_add:37}{.X:48} {d}, {a neg51 /part:35}, {r20 u1 neg50 /part:33}, {r39 u2 neg49 /part:31}",
    ),
    one(Form::Iadd3C, "IADD3{.X:48} {d}, {a neg51}, {c20 neg50}, {r39 u2 neg49}"),
    one(Form::Iadd3I, "IADD3{.X:48} {d}, {a neg51}, {x20+19,56 neg50}, {r39 u2 neg49}"),
    two(
        [Form::IscaddR, Form::IscaddC, Form::IscaddI],
        "ISCADD{plus_one~:48+2} {d}, {a neg49!48}, {b neg48!49}, {x39+5}",
    ),
    one(Form::Iscadd32i, "ISCADD32I {r0 cc52}, {a}, {s20+32}, {x53+5}"),
    three(
        [Form::ImadR, Form::ImadC, Form::ImadI, Form::ImadRc],
        "IMAD{signs:48,53}{.HI:54}{plus_one~:51+2}{.SAT:50}{.X:49} {d}, {a neg52!51}, {b}, {c neg51!52}",
    ),
    one(
        Form::Imad32i,
        "IMAD32I{signs:54,57}{.HI:53}{plus_one~:55+2} {r0 cc52}, {a neg56!55}, {s20+32}, {r0 neg55!56}",
    ),
    three(
        [Form::ImadspR, Form::ImadspC, Form::ImadspI, Form::ImadspRc],
        "IMADSP{special_signs:48+7} {d}, {a}, {b}, {c}",
    ),
    two([Form::ImulR, Form::ImulC, Form::ImulI], "IMUL{signs:40,41}{.HI:39} {d}, {r8}, {b}"),
    one(Form::Imul32i, "IMUL32I{signs:54,55}{.HI:53} {r0 cc52}, {r8}, {s20+32}"),
    two(
        [Form::ImnmxR, Form::ImnmxC, Form::ImnmxI],
        "IMNMX{-.U32:48}{extended_min:43} {d}, {a}, {b}, {p39 not42}",
    ),
    three(
        [Form::IcmpR, Form::IcmpC, Form::IcmpI, Form::IcmpRc],
        "ICMP{compare:49}{-.U32:48} {D}, {a}, {b}, {c}",
    ),
    two(
        [Form::IsetR, Form::IsetC, Form::IsetI],
        "ISET{.BF:44}{compare:49}{-.U32:48}{.X:43}{bool:45} {d}, {a}, {b}, {p39 not42}",
    ),
    two(
        [Form::IsetpR, Form::IsetpC, Form::IsetpI],
        "ISETP{compare:49}{-.U32:48}{.X:43}{bool:45} {p3}, {p0}, {a}, {b}, {p39 not42}",
    ),
    one(
        Form::XmadR,
        "XMAD{short_signs:48,49}{.PSL:36}{xmad_c3:50}{.MRG:37}{.X:38} {d}, {a /half:53}, {r20 u1 /half:35}, {r39 u2}",
    ),
    one(
        Form::XmadI,
        "XMAD{short_signs:48,49}{.PSL:36}{xmad_c3:50}{.MRG:37}{.X:38} {d}, {a /half:53}, {!49=0}{s20+16}{:}{x20+16}{/}, {r39 u2}",
    ),
    one(
        Form::XmadC,
        "XMAD{short_signs:48,49}{.PSL:55}{xmad_c:50}{.MRG:56}{.X:54} {d}, {a /half:53}, {c20 sp /half:52}, {r39 u2}",
    ),
    one(
        Form::XmadRc,
        "XMAD{short_signs:48,49}{xmad_c:50}{.X:54} {d}, {a /half:53}, {r39 u1 /half:52}, {c20}",
    ),
];
