//! DKSH, raw pairs of control and code, and code sections by themselves.

mod generated;
