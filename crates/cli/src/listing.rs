//! Listings on a terminal: each part in the colour of its kind.

use crate::style::paint;
use anstyle::{AnsiColor, Style};
use unshade::text::{Listing, PartKind};

/// The listing as text, coloured (the stream drops what it cannot show).
pub fn coloured(listing: &Listing) -> String {
    let mut out = String::with_capacity(listing.text().len() * 2);
    for line in listing.lines() {
        for part in line.parts() {
            match style(part.kind) {
                Some(style) => out.push_str(&paint(style, part.text)),
                None => out.push_str(part.text),
            }
        }
        out.push('\n');
    }
    out
}

fn style(kind: PartKind) -> Option<Style> {
    Some(match kind {
        PartKind::Plain | PartKind::Punctuation | PartKind::Register => return None,
        PartKind::Mnemonic => Style::new().bold(),
        PartKind::Immediate => AnsiColor::Magenta.on_default(),
        PartKind::Label => AnsiColor::Yellow.on_default(),
        PartKind::Directive => AnsiColor::Blue.on_default(),
        PartKind::Comment => Style::new().dimmed(),
        PartKind::Name => AnsiColor::Cyan.on_default(),
        PartKind::String => AnsiColor::Green.on_default(),
    })
}
