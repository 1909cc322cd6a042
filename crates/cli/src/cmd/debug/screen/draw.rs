//! The panes: listing, registers, what is read, outputs and what is open, the quad, and a line for messages and keys.

use super::super::text::{self, Shown};
use super::keys::{KEYS, SHORT};
use super::{Pane, Screen};
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Paragraph, Wrap};
use unshade::debug::{NumberFormat, RegisterFile, RegisterKind, RegisterView, VariableView};

/// From here on all panes fit side by side.
const WIDE: u16 = 120;
const TALL: u16 = 30;

pub fn draw(screen: &Screen, frame: &mut Frame<'_>) {
    let [head, body, foot] =
        Layout::vertical([Constraint::Length(1), Constraint::Min(1), Constraint::Length(1)])
            .areas(frame.area());
    header(screen, frame, head);
    footer(screen, frame, foot);
    let all = body.width >= WIDE && body.height >= TALL;
    let code = Constraint::Percentage(if all { 50 } else { 51 });
    let [left, right] = Layout::horizontal([code, Constraint::Min(10)]).areas(body);
    let [listing, steps] =
        Layout::vertical([Constraint::Min(3), Constraint::Length(if all { 9 } else { 6 })]).areas(left);
    code_pane(screen, frame, listing);
    step_pane(screen, frame, steps);
    if all {
        let quad = if screen.view.lanes > 1 { 12 } else { 0 };
        let [registers, lanes, outputs] =
            Layout::vertical([Constraint::Min(8), Constraint::Length(quad), Constraint::Length(12)])
                .areas(right);
        register_pane(screen, frame, registers);
        if quad > 0 {
            quad_pane(screen, frame, lanes);
        }
        output_pane(screen, frame, outputs);
    } else {
        match screen.pane {
            Pane::Registers => register_pane(screen, frame, right),
            Pane::Outputs => output_pane(screen, frame, right),
            Pane::Quad => quad_pane(screen, frame, right),
        }
    }
    if screen.help {
        help(screen, frame, body);
    }
}

fn header(screen: &Screen, frame: &mut Frame<'_>, area: Rect) {
    let view = &screen.view;
    let state = match (&view.ended, &view.next) {
        (Some(ended), _) => match &ended.why {
            Some(why) => Span::styled(why.clone(), screen.palette.warning()),
            None => Span::styled("the end of the program", screen.palette.good()),
        },
        (None, Some(next)) => {
            let mut text =
                next.word.map_or_else(|| "fetch program".to_owned(), |word| format!("word {word:03x}"));
            if let Some(group) = next.group {
                text.push_str(&format!("  group {group}"));
            }
            if let Some(warp) = next.warp {
                text.push_str(&format!("  warp {warp}"));
            }
            Span::raw(text)
        }
        (None, None) => Span::raw(""),
    };
    let line = Line::from(vec![
        Span::styled(format!(" step {} ", view.step), screen.palette.here()),
        Span::raw(" "),
        state,
        Span::raw("  "),
        Span::styled(screen.title.clone(), screen.palette.dim()),
    ]);
    frame.render_widget(Paragraph::new(line), area);
}

fn footer(screen: &Screen, frame: &mut Frame<'_>, area: Rect) {
    let line = match (&screen.typed, &screen.message) {
        (Some(typed), _) => Line::from(vec![
            Span::raw(":"),
            Span::raw(typed.clone()),
            Span::styled(" ", screen.palette.here()),
        ]),
        (None, Some(message)) => Line::styled(message.clone(), screen.palette.warning()),
        (None, None) => Line::styled(SHORT, screen.palette.dim()),
    };
    frame.render_widget(Paragraph::new(line), area);
}

fn block<'a>(screen: &Screen, title: &'a str) -> Block<'a> {
    Block::bordered().title(Span::styled(title, screen.palette.heading())).border_style(screen.palette.dim())
}

/// The listing with the line where the run is, the cursor and the breakpoints.
fn code_pane(screen: &Screen, frame: &mut Frame<'_>, area: Rect) {
    let height = usize::from(area.height.saturating_sub(2));
    let first = screen.cursor.saturating_sub(height / 2).min(screen.lines.len().saturating_sub(height));
    let here = screen.view.next.as_ref().and_then(|next| next.word);
    let mut lines = Vec::new();
    let mut shown = false;
    for (n, line) in screen.lines.iter().enumerate().skip(first).take(height) {
        let stops = screen.view.breakpoints.iter().find(|breakpoint| Some(breakpoint.word) == line.word);
        // An instruction of several units stands on several lines.
        let first = n == 0 || screen.lines.get(n - 1).is_none_or(|before| before.word != line.word);
        let dot = match stops.filter(|_| first) {
            Some(breakpoint) if breakpoint.condition.is_some() => "?",
            Some(breakpoint) if !breakpoint.enabled => "o",
            Some(_) => "\u{25cf}",
            None => " ",
        };
        let current = line.word.is_some() && line.word == here;
        let arrow = if current && !shown { "\u{25b6}" } else { " " };
        shown |= current;
        let word = line.word.map_or_else(|| "    ".to_owned(), |word| format!("{word:03x} "));
        let mut spans = vec![
            Span::styled(dot, screen.palette.breakpoint()),
            Span::styled(arrow, screen.palette.changed()),
            Span::styled(word, screen.palette.dim()),
        ];
        for part in compact(line) {
            spans.push(Span::styled(part.1, screen.palette.part(part.0)));
        }
        let mut style = Style::new();
        if current {
            style = style.patch(screen.palette.here());
        }
        if n == screen.cursor {
            style = style.patch(screen.palette.cursor());
        }
        lines.push(Line::from(spans).style(style));
    }
    frame.render_widget(Paragraph::new(lines).block(block(screen, " listing ")), area);
}

/// The parts of a line; runs of blanks, which only make columns, are cut down where a pane is narrow.
fn compact(line: &unshade::debug::Line) -> Vec<(&'static str, String)> {
    let mut parts: Vec<(&'static str, String)> = Vec::new();
    for (n, part) in line.parts.iter().enumerate() {
        let text = if n > 0 && part.kind == "plain" && part.text.trim().is_empty() {
            " ".repeat(part.text.chars().count().min(2))
        } else {
            part.text.clone()
        };
        parts.push((part.kind, text));
    }
    parts
}

/// What the last step changed, and what the next one reads.
fn step_pane(screen: &Screen, frame: &mut Frame<'_>, area: Rect) {
    let view = &screen.view;
    let changes = text::changes(view, screen.format, Shown::First);
    let mut lines = Vec::new();
    let outputs: Vec<String> = view.outputs_changed.iter().map(|name| format!("out {name}")).collect();
    let all: Vec<String> = changes.into_iter().chain(outputs).collect();
    lines.push(Line::from(vec![
        Span::styled("changed ", screen.palette.dim()),
        Span::styled(all.join(", "), screen.palette.changed()),
    ]));
    lines.push(Line::from(vec![
        Span::styled("reads   ", screen.palette.dim()),
        Span::raw(text::reads(view, screen.format, Shown::First).join(", ")),
    ]));
    let open: Vec<String> = view.stack.iter().map(|entry| format!("{} {}", entry.kind, entry.text)).collect();
    lines.push(Line::from(vec![Span::styled("open    ", screen.palette.dim()), Span::raw(open.join("; "))]));
    let paragraph = Paragraph::new(lines).wrap(Wrap { trim: false });
    frame.render_widget(paragraph.block(block(screen, " step ")), area);
}

fn register_pane(screen: &Screen, frame: &mut Frame<'_>, area: Rect) {
    let height = usize::from(area.height.saturating_sub(2));
    let width = usize::from(area.width.saturating_sub(2));
    let lane = screen.view.first_lane;
    let counts = screen.view.registers.iter().filter_map(|register| register.values.first().map(Vec::len));
    let columns = counts.max().unwrap_or(1);
    let mut lines = Vec::new();
    let variables = &screen.view.variables;
    if screen.scroll == 0 && !variables.is_empty() {
        lines.push(Line::styled("variables", screen.palette.heading()));
    }
    lines.extend(
        variables.iter().skip(screen.scroll).map(|variable| variable_line(screen, variable, columns, width)),
    );
    let mut file = None;
    for register in screen.view.registers.iter().skip(screen.scroll.saturating_sub(variables.len())) {
        if file != Some(register.file) {
            file = Some(register.file);
            lines.push(heading(screen, register.file));
        }
        lines.push(register_line(screen, register, columns, width));
        if lines.len() > height {
            break;
        }
    }
    let title = if screen.view.all_lanes > 1 {
        format!(" registers of lane {lane} ")
    } else {
        " registers ".to_owned()
    };
    frame.render_widget(Paragraph::new(lines).block(block(screen, &title)), area);
}

fn heading<'a>(screen: &Screen, file: RegisterFile) -> Line<'a> {
    Line::styled(text::file_name(file), screen.palette.heading())
}

/// Name and components of a variable of the source, below those of the registers.
fn variable_line<'a>(screen: &Screen, variable: &VariableView, columns: usize, width: usize) -> Line<'a> {
    let number = width.saturating_sub(9).checked_div(columns).unwrap_or(0).clamp(6, 14);
    let room = width.saturating_sub(number * columns).clamp(9, 28);
    let name: String = text::qualified(variable).chars().take(room.saturating_sub(1)).collect();
    let mut spans = vec![Span::styled(format!("{name:<room$}"), screen.palette.label())];
    let changed = variable.changed.first().copied().unwrap_or(0);
    let values = variable.values.first().map(Vec::as_slice).unwrap_or_default();
    if variable.available == 0 {
        spans.push(Span::raw("not available"));
        return Line::from(spans);
    }
    for (n, value) in values.iter().enumerate() {
        let style = if changed >> n & 1 != 0 { screen.palette.changed() } else { Style::new() };
        let text = match value {
            Some(value) => fitting(&screen.format, value, variable.kind, number.saturating_sub(1)),
            None => "-".to_owned(),
        };
        let blanks = " ".repeat(number.saturating_sub(text.chars().count()));
        spans.push(Span::styled(text, style));
        spans.push(Span::raw(blanks));
    }
    Line::from(spans)
}

/// Name, label and components of a register, each component with its mark. `columns`: components of the largest register,
/// so that all stand below each other.
fn register_line<'a>(screen: &Screen, register: &RegisterView, columns: usize, width: usize) -> Line<'a> {
    let number = width.saturating_sub(9).checked_div(columns).unwrap_or(0).clamp(6, 14);
    let room = width.saturating_sub(number * columns).clamp(9, 28);
    // What has one component has all the room.
    let single = register.values.first().is_none_or(|values| values.len() < 2);
    let number = if single { width.saturating_sub(room).max(6) } else { number };
    let mut spans = vec![Span::styled(named(register, room), screen.palette.label())];
    spans.extend(numbers(screen, register, 0, number));
    Line::from(spans)
}

/// The name of a register in so many characters: with what the file calls it, that alone, or its first letters.
fn named(register: &RegisterView, room: usize) -> String {
    let most = room.saturating_sub(1);
    let fits = |text: &String| text.chars().count() <= most;
    let both = text::named(&register.name, register.label.as_deref());
    let name = if fits(&both) {
        both
    } else {
        let label = register.label.clone().filter(|label| fits(label));
        label.unwrap_or_else(|| register.name.clone())
    };
    let cut: String = match fits(&name) {
        true => name,
        false => name.chars().take(most.saturating_sub(1)).chain(['~']).collect(),
    };
    format!("{cut:<room$}")
}

/// The components of a register in a lane, in columns.
fn numbers<'a>(screen: &Screen, register: &RegisterView, lane: usize, width: usize) -> Vec<Span<'a>> {
    let changed = register.changed.get(lane).copied().unwrap_or(0);
    let values = register.values.get(lane).map(Vec::as_slice).unwrap_or_default();
    let mut spans = Vec::new();
    for (n, number) in values.iter().enumerate() {
        let mut style = Style::new();
        if register.read >> n & 1 != 0 {
            style = style.patch(screen.palette.read());
        }
        if changed >> n & 1 != 0 {
            style = style.patch(screen.palette.changed());
        }
        let text = fitting(&screen.format, number, register.kind, width - 1);
        let blanks = " ".repeat(width.saturating_sub(text.chars().count()));
        spans.push(Span::styled(text, style));
        spans.push(Span::raw(blanks));
    }
    spans
}

/// A number in so many characters: shorter digits, or its first ones.
fn fitting(
    format: &NumberFormat,
    number: &unshade::debug::Number,
    kind: RegisterKind,
    width: usize,
) -> String {
    let text = format.text(number, kind);
    if text.chars().count() <= width {
        return text;
    }
    let value = f32::from_bits(number.int as u32);
    let is_float = !text.starts_with("0x") && text.contains(['.', 'e']) && value.is_finite();
    if is_float {
        for digits in (0..6).rev() {
            let shorter = if (1e-3..1e6).contains(&value.abs()) {
                format!("{value:.digits$}")
            } else {
                format!("{value:.digits$e}")
            };
            if shorter.chars().count() <= width {
                return shorter;
            }
        }
    }
    let digits = text.strip_prefix("0x").unwrap_or(&text);
    match digits.chars().count() <= width {
        true => digits.to_owned(),
        false => digits.chars().take(width.saturating_sub(1)).chain(['~']).collect(),
    }
}

/// The pixels of a quad side by side: what the last step changed and what the next one reads.
fn quad_pane(screen: &Screen, frame: &mut Frame<'_>, area: Rect) {
    let view = &screen.view;
    let width = usize::from(area.width.saturating_sub(2));
    let lanes = view.lanes as usize;
    let names = (width / 4).clamp(9, 20);
    let column = width.saturating_sub(names) / lanes.max(1);
    let first = view.first_lane as usize;
    let active =
        |lane: usize| view.next.as_ref().and_then(|next| next.active.get(lane)).copied().unwrap_or(false);
    let mut head = vec![Span::raw(" ".repeat(names))];
    for lane in 0..lanes {
        let mark = if active(lane) { "\u{25b6}" } else { " " };
        head.push(Span::styled(
            format!("{:<column$}", format!("{mark}lane {}", first + lane)),
            screen.palette.heading(),
        ));
    }
    let mut lines = vec![Line::from(head)];
    let touched = view
        .registers
        .iter()
        .filter(|register| register.read != 0 || register.changed.iter().any(|changed| *changed != 0));
    for register in touched {
        let count = register.values.first().map_or(0, Vec::len);
        for component in 0..count {
            let changed =
                |lane: usize| register.changed.get(lane).is_some_and(|mask| mask >> component & 1 != 0);
            let read = register.read >> component & 1 != 0;
            if !read && !(0..lanes).any(changed) {
                continue;
            }
            let letter = if count > 1 { ["x", "y", "z", "w"][component & 3] } else { "" };
            let dot = if count > 1 { "." } else { "" };
            let name = named(register, names.saturating_sub(2));
            let name = format!("{}{dot}{letter}", name.trim_end());
            let mut spans = vec![Span::styled(format!("{name:<names$}"), screen.palette.label())];
            for lane in 0..lanes {
                let Some(number) = register.values.get(lane).and_then(|values| values.get(component)) else {
                    continue;
                };
                let text = fitting(&screen.format, number, register.kind, column.saturating_sub(2).max(4));
                let mut style = Style::new();
                if read {
                    style = style.patch(screen.palette.read());
                }
                if changed(lane) {
                    style = style.patch(screen.palette.changed());
                }
                let blanks = " ".repeat(column.saturating_sub(1 + text.chars().count()));
                spans.extend([Span::raw(" "), Span::styled(text, style), Span::raw(blanks)]);
            }
            lines.push(Line::from(spans));
        }
    }
    let title = if lanes == 4 { " quad: what changed, what is read " } else { " lanes " };
    frame.render_widget(Paragraph::new(lines).block(block(screen, title)), area);
}

/// What would leave the program, and what is open.
fn output_pane(screen: &Screen, frame: &mut Frame<'_>, area: Rect) {
    let mut lines = Vec::new();
    for (name, value, changed) in text::outputs(&screen.view) {
        let style = if changed { screen.palette.changed() } else { Style::new() };
        let value = if screen.format == NumberFormat::Hex { value } else { as_floats(&value) };
        lines.push(Line::from(vec![
            Span::styled(format!("{name:<10} "), screen.palette.label()),
            Span::styled(value, style),
        ]));
    }
    if !screen.view.stack.is_empty() {
        lines.push(Line::styled("open", screen.palette.heading()));
        for entry in &screen.view.stack {
            lines.push(Line::from(format!("{} {}", entry.kind, entry.text)));
        }
    }
    frame.render_widget(Paragraph::new(lines).block(block(screen, " outputs ")), area);
}

/// Words of the notation of `run` as floats, where they are words.
fn as_floats(text: &str) -> String {
    let float = |word: &str| {
        let is_word = word.len() == 8;
        let bits = u32::from_str_radix(word, 16).ok().filter(|_| is_word)?;
        Some(format!("{}", f32::from_bits(bits)))
    };
    let words: Option<Vec<String>> = text.split(' ').map(float).collect();
    words.map_or_else(|| text.to_owned(), |words| words.join(" "))
}

fn help(screen: &Screen, frame: &mut Frame<'_>, body: Rect) {
    let height = (KEYS.len() as u16 + 2).min(body.height);
    let width = 74.min(body.width);
    let area =
        Rect { x: body.x + (body.width - width) / 2, y: body.y + (body.height - height) / 2, width, height };
    let line = |(key, what): &(&'static str, &'static str)| {
        Line::from(vec![Span::styled(format!(" {key:<12}"), screen.palette.heading()), Span::raw(*what)])
    };
    let lines: Vec<Line<'_>> = KEYS.iter().map(line).collect();
    frame.render_widget(Clear, area);
    frame.render_widget(Paragraph::new(lines).block(block(screen, " keys; any of them goes on ")), area);
}
