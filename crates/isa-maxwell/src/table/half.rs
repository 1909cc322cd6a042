//! Arithmetic on pairs of halves.

use super::{Form, Row, one};

pub(super) const ROWS: &[Row] = &[
    one(
        Form::Hadd2R,
        "HADD2{merge:49}{.FTZ:39}{.SAT:32} {D}, {a neg43 abs44 /swizzle:47}, {r20 u2 neg31 abs30 /swizzle:28}",
    ),
    one(
        Form::Hadd2C,
        "HADD2{merge:49}{.FTZ:39}{.SAT:52} {D}, {a neg43 abs44 /swizzle:47}, {c20 neg56 abs54}",
    ),
    one(
        Form::Hadd2I,
        "HADD2{merge:49}{.FTZ:39}{.SAT:52} {D}, {a neg43 abs44 /swizzle:47}, {h30+9,56}, {h20+10}",
    ),
    one(Form::Hadd232i, "HADD2_32I{.FTZ:55}{.SAT:52} {D}, {a neg56 /swizzle:53}, {h36+16}, {h20+16}"),
    one(
        Form::Hmul2R,
        "HMUL2{merge:49}{half_fmz:39}{.SAT:32} {D}, {a abs44 /swizzle:47}, {r20 u1 neg31 abs30 /swizzle:28}",
    ),
    one(Form::Hmul2C, "HMUL2{merge:49}{half_fmz:39}{.SAT:52} {D}, {a abs44 /swizzle:47}, {c20 neg43 abs54}"),
    one(
        Form::Hmul2I,
        "HMUL2{merge:49}{half_fmz:39}{.SAT:52} {D}, {a neg43 abs44 /swizzle:47}, {h30+9,56}, {h20+10}",
    ),
    one(Form::Hmul232i, "HMUL2_32I{half_fmz:55}{.SAT:52} {D}, {a /swizzle:53}, {h36+16}, {h20+16}"),
    one(
        Form::Hfma2R,
        "HFMA2{merge:49}{half_fmz:37}{.SAT:32} {D}, {a /swizzle:47}, {r20 u1 neg31 /swizzle:28}, \
         {r39 u2 neg30 /swizzle:35}",
    ),
    one(
        Form::Hfma2C,
        "HFMA2{merge:49}{half_fmz:57}{.SAT:52} {D}, {a /swizzle:47}, {c20 neg56}, {r39 u2 neg51 /swizzle:53}",
    ),
    one(
        Form::Hfma2Rc,
        "HFMA2{merge:49}{fmz:57}{.SAT:52} {D}, {a /swizzle:47}, {r39 u1 neg56 /swizzle:53}, {c20 neg51}",
    ),
    one(
        Form::Hfma2I,
        "HFMA2{merge:49}{half_fmz:57}{.SAT:52} {D}, {a /swizzle:47}, {h30+9,56}, {h20+10}, \
         {r39 u2 neg51 /swizzle:53}",
    ),
    one(Form::Hfma232i, "HFMA2_32I{fmz:55} {D}, {a /swizzle:53}, {h36+16}, {h20+16}, {r0 neg52}"),
    one(
        Form::Hset2R,
        "HSET2{.BF:49}{float_compare:35}{.FTZ:50}{half_bool:45} {D}, {a neg43 abs44 /swizzle:47}, \
         {r20 u1 neg31 abs30 /swizzle:28}, {p39 not42}",
    ),
    one(
        Form::Hset2C,
        "HSET2{.BF:53}{float_compare:49}{.FTZ:54}{half_bool:45} {D}, {a neg43 abs44 /swizzle:47}, {c20 neg56}, \
         {p39 not42}",
    ),
    one(
        Form::Hset2I,
        "HSET2{.BF:53}{float_compare:49}{.FTZ:54}{half_bool:45} {D}, {a neg43 abs44 /swizzle:47}, {h30+9,56}, \
         {h20+10}, {p39 not42}",
    ),
    one(
        Form::Hsetp2R,
        "HSETP2{float_compare:35}{.H_AND:49}{.FTZ:6}{bool:45} {p3}, {p0}, {a neg43 abs44 /swizzle:47}, \
         {r20 u1 neg31 abs30 /swizzle:28}, {p39 not42}",
    ),
    one(
        Form::Hsetp2C,
        "HSETP2{float_compare:49}{.H_AND:53}{.FTZ:6}{bool:45} {p3}, {p0}, {a neg43 abs44 /swizzle:47}, \
         {c20 neg56 abs54}, {p39 not42}",
    ),
    one(
        Form::Hsetp2I,
        "HSETP2{float_compare:49}{.H_AND:53}{.FTZ:6}{bool:45} {p3}, {p0}, {a neg43 abs44 /swizzle:47}, {h30+9,56}, \
         {h20+10}, {p39 not42}",
    ),
];
