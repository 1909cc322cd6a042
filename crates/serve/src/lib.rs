//! A server for one person on one machine: it hands the page of Unshade to the browser, and the files that were named when it
//! was started.
//!
//! It listens on 127.0.0.1 alone. Everything that the page does with a file it does itself, as WebAssembly; the server has no
//! operation but to give a file out and, where that was allowed, to take one back.
//!
//! What a page of somebody else could try is refused before anything else is looked at: a request must name this
//! server as its host, so that a name which was pointed at 127.0.0.1 gets nothing (DNS rebinding), and where the browser says
//! which page asks, it must be this server's own. Answers carry no permission for other pages to read them, and tell the
//! browser to load nothing from elsewhere. Files are known by number; no part of an address ever becomes a path.

mod answer;
mod files;
mod guard;
pub mod page;
mod server;

pub use files::{Files, Served};
pub use server::{Limits, Server};
