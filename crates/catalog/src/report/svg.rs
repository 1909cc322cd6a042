//! Text and shapes of the page. Everything that a file said goes through [`escape`].

use std::fmt::{self, Display, Write};

/// Text as it stands in HTML and SVG, inside of quotes too. Characters that would not be seen, or would turn the text around, are
/// spelled out; lines stay lines.
pub fn escape(text: &str) -> Escaped<'_> {
    Escaped(text)
}

/// See [`escape`].
#[derive(Debug, Clone, Copy)]
pub struct Escaped<'t>(&'t str);

impl Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.chars().try_for_each(|letter| match letter {
            '&' => f.write_str("&amp;"),
            '<' => f.write_str("&lt;"),
            '>' => f.write_str("&gt;"),
            '"' => f.write_str("&quot;"),
            '\'' => f.write_str("&#39;"),
            '\n' | '\t' => f.write_char(letter),
            letter if letter.is_control() || is_invisible(letter) => write!(f, "\\u{{{:x}}}", letter as u32),
            letter => f.write_char(letter),
        })
    }
}

/// Marks of direction and joiners, which change how the text around them is read.
fn is_invisible(letter: char) -> bool {
    matches!(letter, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// A text of at most so many characters, with the middle left out of a longer one: both ends of a path say something.
pub(super) fn short(text: &str, most: usize) -> String {
    let count = text.chars().count();
    if count <= most {
        return text.to_owned();
    }
    let most = most.max(3);
    let (front, back) = (most / 3, most - most / 3 - 1);
    let front: String = text.chars().take(front).collect();
    let back: String = text.chars().skip(count - back).collect();
    format!("{front}…{back}")
}

/// A number with its thousands apart.
pub(super) fn number(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push('\u{202f}');
        }
        text.push(digit);
    }
    text
}

/// A number of bytes.
pub(super) fn bytes(bytes: u64) -> String {
    const UNITS: [&str; 6] = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"];
    let mut amount = bytes as f64;
    let mut unit = 0;
    while amount >= 1000.0 && unit + 1 < UNITS.len() {
        amount /= 1024.0;
        unit += 1;
    }
    let name = UNITS.get(unit).copied().unwrap_or_default();
    if unit == 0 || amount >= 100.0 { format!("{amount:.0} {name}") } else { format!("{amount:.1} {name}") }
}

/// A drawing in a coordinate system of its own, as wide as the page lets it be.
pub(super) struct Drawing {
    width: f64,
    height: f64,
    label: String,
    body: String,
}

impl Drawing {
    /// `label` is what it shows, for those who cannot see it.
    pub(super) fn new(width: f64, height: f64, label: &str) -> Self {
        Self { width, height, label: label.to_owned(), body: String::new() }
    }

    /// A rectangle with a text that appears where the pointer is.
    pub(super) fn rect(&mut self, [x, y, width, height]: [f64; 4], class: &str, title: &str) {
        let _ = write!(
            self.body,
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{:.1}\" class=\"{class}\"><title>{}</title></rect>",
            width.max(0.0),
            height.max(0.0),
            escape(title)
        );
    }

    pub(super) fn circle(&mut self, [x, y, radius]: [f64; 3], class: &str, title: &str) {
        let _ = write!(
            self.body,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\" class=\"{class}\"><title>{}</title></circle>",
            escape(title)
        );
    }

    /// Text; `class` says how it is set.
    pub(super) fn text(&mut self, [x, y]: [f64; 2], class: &str, text: &str) {
        let _ =
            write!(self.body, "<text x=\"{x:.1}\" y=\"{y:.1}\" class=\"{class}\">{}</text>", escape(text));
    }

    pub(super) fn line(&mut self, [x1, y1, x2, y2]: [f64; 4], class: &str) {
        let _ = write!(
            self.body,
            "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" class=\"{class}\"/>"
        );
    }

    /// As an element of the page, as wide as there is room.
    pub(super) fn finish(self) -> String {
        self.element("")
    }

    /// As an element of the page, in its own size where there is room.
    pub(super) fn finish_in_size(self) -> String {
        let style = format!(" style=\"width:{:.0}px\"", self.width);
        self.element(&style)
    }

    fn element(self, style: &str) -> String {
        let Self { width, height, label, body } = self;
        format!(
            "<svg viewBox=\"0 0 {width:.0} {height:.0}\" role=\"img\" aria-label=\"{}\"{style}>{body}</svg>",
            escape(&label)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_gets_out_of_a_text() {
        assert_eq!(
            escape("<img src=x onerror='1'>\"&\u{202e}\n\u{1b}").to_string(),
            "&lt;img src=x onerror=&#39;1&#39;&gt;&quot;&amp;\\u{202e}\n\\u{1b}"
        );
    }

    #[test]
    fn texts_and_numbers() {
        assert_eq!(short("abc", 10), "abc");
        assert_eq!(short("0123456789abcdef", 7), "01…cdef");
        assert_eq!(short("äöüßäöüß", 4), "ä…üß");
        assert_eq!((number(0), number(1234567)), ("0".to_owned(), "1\u{202f}234\u{202f}567".to_owned()));
        assert_eq!(
            (bytes(999), bytes(1 << 20), bytes(5 << 30)),
            ("999 B".to_owned(), "1.0 MiB".to_owned(), "5.0 GiB".to_owned())
        );
    }
}
