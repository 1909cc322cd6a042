//! Colours of the screen. Without colour what counts is still bold, reversed or underlined.

use ratatui::style::{Color, Modifier, Style};

#[derive(Clone, Copy)]
pub struct Palette {
    coloured: bool,
}

impl Palette {
    pub fn new(coloured: bool) -> Self {
        Self { coloured }
    }

    fn of(self, color: Color) -> Style {
        if self.coloured { Style::new().fg(color) } else { Style::new() }
    }

    /// The line where the run is.
    pub fn here(self) -> Style {
        Style::new().add_modifier(Modifier::REVERSED)
    }

    /// The line that the keys mean.
    pub fn cursor(self) -> Style {
        Style::new().add_modifier(Modifier::UNDERLINED)
    }

    pub fn breakpoint(self) -> Style {
        self.of(Color::Red).add_modifier(Modifier::BOLD)
    }

    /// What the last step changed.
    pub fn changed(self) -> Style {
        self.of(Color::Yellow).add_modifier(Modifier::BOLD)
    }

    /// What the next step reads.
    pub fn read(self) -> Style {
        self.of(Color::Cyan).add_modifier(Modifier::UNDERLINED)
    }

    pub fn heading(self) -> Style {
        Style::new().add_modifier(Modifier::BOLD)
    }

    pub fn dim(self) -> Style {
        Style::new().add_modifier(Modifier::DIM)
    }

    pub fn label(self) -> Style {
        self.of(Color::Cyan)
    }

    pub fn good(self) -> Style {
        self.of(Color::Green)
    }

    pub fn warning(self) -> Style {
        self.of(Color::Yellow).add_modifier(Modifier::BOLD)
    }

    /// A part of the listing, by its kind.
    pub fn part(self, kind: &str) -> Style {
        match kind {
            "mnemonic" => Style::new().add_modifier(Modifier::BOLD),
            "immediate" => self.of(Color::Magenta),
            "label" => self.of(Color::Yellow),
            "directive" => self.of(Color::Blue),
            "comment" => self.dim(),
            "name" => self.of(Color::Cyan),
            "string" => self.of(Color::Green),
            _ => Style::new(),
        }
    }
}
