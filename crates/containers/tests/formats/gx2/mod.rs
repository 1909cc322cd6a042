//! GFD files and the structs of GX2.

mod corpus;
mod generated;
mod stages;
