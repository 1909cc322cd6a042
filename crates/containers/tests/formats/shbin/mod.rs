//! SHBIN, of the Nintendo 3DS.

mod corpus;
mod generated;
mod stages;
