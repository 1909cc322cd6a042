//! What files lie in: SARC, Yaz0, Zstandard.

mod details;
mod sarc;
mod yaz0;
mod zstd;
