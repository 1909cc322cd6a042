//! Programs of the Mali-200 and Mali-400.

mod drawn;
mod interface;
mod listing;
