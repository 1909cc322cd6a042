//! What the commands about catalogs take.

use clap::Args;
use std::path::PathBuf;

#[derive(Args)]
pub struct Scan {
    /// Folders and files
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// Table to write: Parquet, or JSON lines for names with .jsonl. Beside it lies what the next scan needs to look at
    /// changed files only
    #[arg(short, long, value_name = "OUT")]
    pub output: PathBuf,
    /// Threads [default: as many as there are cores]
    #[arg(short = 'j', long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: Option<u16>,
    /// Memory for files and what is unpacked from them, in MiB, at least 64
    #[arg(long, value_name = "MIB", default_value_t = 512, value_parser = clap::value_parser!(u64).range(64..=1_048_576))]
    pub memory: u64,
    /// Only part I of N, by the names of files: for several machines
    #[arg(long, value_name = "I/N", value_parser = shard)]
    pub shard: Option<(u32, u32)>,
    /// Write each distinct program once into this folder, with a list of its places (places.jsonl)
    #[arg(long, value_name = "DIR")]
    pub unique_to: Option<PathBuf>,
    /// Look at everything anew, also at files that have not changed
    #[arg(long)]
    pub fresh: bool,
}

/// `I/N`
fn shard(text: &str) -> Result<(u32, u32), String> {
    let parts =
        text.split_once('/').and_then(|(index, count)| Some((index.parse().ok()?, count.parse().ok()?)));
    match parts {
        Some((index, count)) if (1..=count).contains(&index) => Ok((index, count)),
        _ => Err("expected I/N with I from 1 to N, such as 1/4".to_owned()),
    }
}

#[derive(Args)]
pub struct Which {
    /// A hash of 8 or 16 hexadecimal digits, a line of a log with one, the name of a dumped file, or a dumped file
    #[arg(value_name = "HASH")]
    pub query: String,
    /// Catalogs that `scan` made, or folders and files to look through
    #[arg(required = true, value_name = "CATALOG")]
    pub catalogs: Vec<PathBuf>,
}

#[derive(Args)]
pub struct Similar {
    /// Program: PATH[:INNER][#ITEM]
    #[arg(value_name = "FILE#ITEM")]
    pub program: String,
    /// Catalogs that `scan` made, or folders and files to look through
    #[arg(required = true, value_name = "CATALOG")]
    pub catalogs: Vec<PathBuf>,
    /// How many programs to tell
    #[arg(short = 'n', long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..=10_000))]
    pub count: u16,
}

#[derive(Args)]
pub struct Report {
    /// Catalogs that `scan` made, or folders and files to look through
    #[arg(required = true, value_name = "CATALOG")]
    pub catalogs: Vec<PathBuf>,
    /// Page to write (HTML), or `-`
    #[arg(short, long, value_name = "OUT")]
    pub output: String,
    /// What stands at its head [default: the names of the catalogs]
    #[arg(long, value_name = "TEXT")]
    pub title: Option<String>,
}
