//! The assembler.

mod cursor;
mod read;

pub fn one(text: &str, address: u64) -> Result<(u64, u8), (usize, String)> {
    let place = read::Place { address, named: &|_, _| None };
    read::instruction(text, &place).map(|read| (read.word, read.reuse)).map_err(|miss| (miss.at, miss.wanted))
}
