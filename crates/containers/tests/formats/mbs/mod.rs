//! MBS, of the Mali-200 and Mali-400.

mod corpus;
mod generated;
mod generator;
mod stages;
