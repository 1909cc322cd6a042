//! Operations on bytes and short words inside of registers.

use super::{Form, Row, one};

pub(super) const ROWS: &[Row] = &[
    one(
        Form::Vabsdiff4,
        "VABSDIFF4{.SD:38}{byte_signs:48+2}{.SAT:50}{video4_reduce:53}{lanes:51+2,36+2} {d}, {a /video4_a:32}, \
         {?28+4=f}{r20 u1 /video4_b:28}{:}{x20+8}{/}, {r39 u2}",
    ),
    one(
        Form::Vabsdiff,
        "VABSDIFF{.SD:54}{video_types}{.SAT:55}{video:51} {d}, {video_a u0}, {video_b u1}, {r39 u2}",
    ),
    one(
        Form::Vadd,
        "VADD{-.UD:54}{video_types}{plus_one~:56+2}{.SAT:55}{video:51} {d}, {video_a u0 neg57!56}, {video_b_plain u1 neg56!57}, \
         {r39 u2}",
    ),
    one(
        Form::Vmad,
        "VMAD{video_types}{plus_one~:53+2}{video_scale:51}{.SAT:55} {d}, {video_a u0 neg54!53}, {video_b_plain u1}, \
         {r39 u2 neg53!54}",
    ),
    one(
        Form::Vmnmx,
        "VMNMX{-.UD:54}{video_types}{.MX:56}{.SAT:55}{video:51} {d}, {video_a u0}, {video_b u1}, {r39 u2}",
    ),
    one(Form::Vset, "VSET{compare:54}{video_types}{video:51} {d}, {video_a u0}, {video_b u1}, {r39 u2}"),
    one(
        Form::Vsetp,
        "VSETP{compare:43+2,47}{video_shown_types}{bool:45} {p3}, {p0}, {video_a u0}, {video_b u1}, {p39 not42}",
    ),
    one(
        Form::Vshl,
        "VSHL{-.UD:54}{video_shift_types}{.W:49}{.SAT:55}{video:51} {d}, {video_a u0}, {video_b_shift u1}, {r39 u2}",
    ),
    one(
        Form::Vshr,
        "VSHR{-.UD:54}{video_shift_types}{.W:49}{.SAT:55}{video:51} {d}, {video_a u0}, {video_b_shift u1}, {r39 u2}",
    ),
];
