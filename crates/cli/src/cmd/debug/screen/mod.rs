//! The whole screen: keys in, panes out. What is shown stands in `draw`, what keys mean in `keys`.

mod draw;
mod keys;
mod palette;
#[cfg(test)]
mod tests;

use crate::output::{Failure, Outcome, Status};
use keys::Wish;
use palette::Palette;
use ratatui::crossterm::event::{self, Event, KeyEventKind};
use std::io;
use unshade::debug::{Command, CommandError, Line, NumberFormat, Session, View, parse};

/// What the pane on the right shows where there is room for one only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pane {
    Registers,
    Outputs,
    Quad,
}

/// Everything that the screen is drawn from.
pub struct Screen {
    session: Session,
    title: String,
    palette: Palette,
    lines: Vec<Line>,
    view: View,
    /// Line of the listing that the keys mean, from 0.
    cursor: usize,
    /// First register that is shown.
    scroll: usize,
    pane: Pane,
    format: NumberFormat,
    /// What is typed behind `:`.
    typed: Option<String>,
    /// The last word on the last command.
    message: Option<String>,
    help: bool,
}

/// The whole screen until it is left. The terminal is as it was afterwards, also behind an error or a panic.
pub fn run(session: Session, title: String) -> Outcome {
    let failure = |error| Failure::Io { path: "the terminal".into(), action: "write", error };
    let coloured = anstream::AutoStream::choice(&io::stdout()) != anstream::ColorChoice::Never;
    let mut screen = Screen::new(session, title, Palette::new(coloured));
    let mut terminal = ratatui::try_init().map_err(failure)?;
    let result = turns(&mut screen, &mut terminal);
    let restored = ratatui::try_restore();
    result.and(restored).map_err(failure)?;
    Ok(Status::Good)
}

fn turns(screen: &mut Screen, terminal: &mut ratatui::DefaultTerminal) -> io::Result<()> {
    loop {
        terminal.draw(|frame| draw::draw(screen, frame))?;
        match event::read()? {
            Event::Key(key) if key.kind != KeyEventKind::Release => {
                if !screen.key(key) {
                    return Ok(());
                }
            }
            // A new size is drawn in the next turn.
            _ => {}
        }
    }
}

impl Screen {
    pub fn new(mut session: Session, title: String, palette: Palette) -> Self {
        let lines = session.listing().lines;
        let view = session.view();
        let mut screen = Self {
            session,
            title,
            palette,
            lines,
            cursor: 0,
            scroll: 0,
            pane: Pane::Registers,
            format: NumberFormat::Auto,
            typed: None,
            message: None,
            help: false,
            view,
        };
        screen.cursor = screen.here().unwrap_or(0);
        screen
    }

    /// Line where the run is, from 0.
    fn here(&self) -> Option<usize> {
        let position = self.view.next.as_ref().or(self.view.last.as_ref())?;
        Some((position.line? as usize).saturating_sub(1))
    }

    /// Does what a key means; answers whether more may come.
    pub fn key(&mut self, key: event::KeyEvent) -> bool {
        match keys::wish(key, self.typed.is_some()) {
            Wish::Nothing => {}
            Wish::Quit => return false,
            wish if self.help => {
                self.help = false;
                return !matches!(wish, Wish::Quit);
            }
            Wish::Do(command) => self.command(&command),
            Wish::Toggle => self.toggle(),
            Wish::Here => {
                if let Some(line) = self.line_with_code() {
                    self.command(&Command::Until { at: format!(":{line}") });
                }
            }
            Wish::Cursor(by) => {
                let last = self.lines.len().saturating_sub(1);
                self.cursor = self.cursor.saturating_add_signed(by).min(last);
            }
            Wish::Scroll(by) => {
                let last = self.view.registers.len().saturating_sub(1);
                self.scroll = self.scroll.saturating_add_signed(by).min(last);
            }
            Wish::Pane => {
                self.pane = match self.pane {
                    Pane::Registers => Pane::Outputs,
                    Pane::Outputs if self.view.lanes > 1 => Pane::Quad,
                    Pane::Outputs | Pane::Quad => Pane::Registers,
                };
            }
            Wish::Format => {
                let all = NumberFormat::ALL;
                let at = all.iter().position(|format| *format == self.format).unwrap_or(0);
                self.format = all[(at + 1) % all.len()];
                self.message = Some(format!("numbers: {}", self.format.name()));
            }
            Wish::Lane(by) => self.lane(by),
            Wish::Help => self.help = true,
            Wish::Type(letter) => {
                let typed = self.typed.get_or_insert_default();
                if typed.len() < 200 {
                    typed.extend(letter);
                }
            }
            Wish::Erase => {
                if let Some(typed) = &mut self.typed
                    && typed.pop().is_none()
                {
                    self.typed = None;
                }
            }
            Wish::Escape => self.typed = None,
            Wish::Enter => {
                let typed = self.typed.take().unwrap_or_default();
                return self.typed_line(&typed);
            }
        }
        true
    }

    fn lane(&mut self, by: i32) {
        let lanes = self.view.all_lanes.clamp(1, 32) as i32;
        let quads = (lanes + 3) / 4;
        let quad = (self.view.first_lane as i32 % 32) / 4;
        let lane = (quad + by).rem_euclid(quads) * 4;
        self.command(&Command::Lane { lane: lane as u32 });
    }

    /// The line under the cursor, or the next one that shows code, from 1.
    fn line_with_code(&self) -> Option<usize> {
        let rest = self.lines.get(self.cursor..)?;
        rest.iter().position(|line| line.word.is_some()).map(|n| self.cursor + n + 1)
    }

    fn toggle(&mut self) {
        let Some(line) = self.line_with_code() else { return };
        let word = self.lines.get(line - 1).and_then(|line| line.word);
        let known = self.view.breakpoints.iter().find(|breakpoint| Some(breakpoint.word) == word);
        let command = match known {
            Some(breakpoint) => Command::Delete { id: Some(breakpoint.id) },
            None => Command::Break { at: format!(":{line}"), condition: None },
        };
        self.command(&command);
    }

    fn command(&mut self, command: &Command) {
        self.message = None;
        match self.session.run(command) {
            Ok(view) => {
                let moved = view.step != self.view.step;
                self.view = view;
                self.message = self.said(command);
                if moved && let Some(here) = self.here() {
                    self.cursor = here;
                }
            }
            Err(error) => self.refused(&error),
        }
    }

    fn refused(&mut self, error: &CommandError) {
        self.message = Some(error.message.clone());
    }

    /// What is worth saying of a command that was done.
    fn said(&self, command: &Command) -> Option<String> {
        match command {
            Command::Print { .. } => {
                let text = super::text::printed(&self.view, self.format);
                Some(text.split_whitespace().collect::<Vec<_>>().join(" "))
            }
            Command::Break { .. } => Some(super::text::new_breakpoint(&self.view).trim_end().to_owned()),
            _ => {
                let id = self.view.stop.breakpoint?;
                Some(format!("breakpoint {id}"))
            }
        }
    }

    fn typed_line(&mut self, line: &str) -> bool {
        match super::lines::own(line) {
            Some(Ok(super::lines::Own::Quit)) => return false,
            Some(Ok(super::lines::Own::Help)) => self.help = true,
            Some(Ok(super::lines::Own::Format(format))) => self.format = format,
            Some(Ok(super::lines::Own::List(_))) => {}
            Some(Err(error)) => self.refused(&error),
            None => match parse(line) {
                Ok(Some(command)) => self.command(&command),
                Ok(None) => {}
                Err(error) => self.refused(&error),
            },
        }
        true
    }
}
