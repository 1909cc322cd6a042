//! Colours, in one place. `anstream` drops them where the output is no terminal.

use anstyle::{AnsiColor, Style};

pub const BOLD: Style = Style::new().bold();
pub const DIM: Style = Style::new().dimmed();
pub const GOOD: Style = AnsiColor::Green.on_default();
pub const WARN: Style = AnsiColor::Yellow.on_default().bold();
pub const BAD: Style = AnsiColor::Red.on_default().bold();
pub const NAME: Style = AnsiColor::Cyan.on_default();

/// `text` in `style`, for use in a format string.
pub fn paint(style: Style, text: impl std::fmt::Display) -> String {
    format!("{style}{text}{style:#}")
}

/// The style of a severity.
pub fn severity(severity: unshade::Severity) -> Style {
    match severity {
        unshade::Severity::Error => BAD,
        unshade::Severity::Warning => WARN,
        unshade::Severity::Note => DIM,
    }
}
