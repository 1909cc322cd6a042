//! The drawings of the page.

use super::{
    families::Family,
    svg::{Drawing, bytes, number, short},
    tally::{ISAS, KINDS, Program, Tally},
    treemap::{Area, divide},
};
use std::collections::BTreeMap;

/// The class by which a thing of a list has its colour.
pub(super) fn colour(list: &[&str], name: &str) -> String {
    match list.iter().position(|known| *known == name) {
        Some(at) => format!("c{at}"),
        None => "c9".to_owned(),
    }
}

/// A bar of several parts.
pub(super) struct Bar {
    pub(super) label: String,
    /// Class, how much, and what it says of itself.
    pub(super) parts: Vec<(String, u64, String)>,
    /// Behind the bar.
    pub(super) remark: String,
}

/// Bars below each other, all on one scale.
pub(super) fn bars(label: &str, bars: &[Bar], label_width: f64) -> String {
    const WIDTH: f64 = 560.0;
    const STEP: f64 = 26.0;
    let remark_width =
        24.0 + 6.4 * bars.iter().map(|bar| bar.remark.chars().count()).max().unwrap_or(0) as f64;
    let room = (WIDTH - label_width - remark_width).max(60.0);
    let total = |bar: &Bar| bar.parts.iter().map(|(_, amount, _)| *amount).sum::<u64>();
    let most = bars.iter().map(total).max().unwrap_or(0).max(1) as f64;
    let mut drawing = Drawing::new(WIDTH, STEP * bars.len() as f64, label);
    for (at, bar) in bars.iter().enumerate() {
        let y = STEP * at as f64;
        drawing.text(
            [label_width - 8.0, y + 17.0],
            "label end",
            &short(&bar.label, ((label_width - 8.0) / 6.6) as usize),
        );
        let mut x = label_width;
        for (class, amount, title) in &bar.parts {
            let width = *amount as f64 / most * room;
            drawing.rect([x, y + 4.0, width, 18.0], class, title);
            x += width;
        }
        drawing.text([x + 6.0, y + 17.0], "remark", &bar.remark);
    }
    drawing.finish()
}

/// How long programs are: distinct programs by instructions, each column twice as long as the one before.
pub(super) fn lengths(tally: &Tally) -> String {
    const WIDTH: f64 = 560.0;
    const HEIGHT: f64 = 236.0;
    const BASE: f64 = HEIGHT - 26.0;
    let mut columns: BTreeMap<u32, [u64; ISAS.len() + 1]> = BTreeMap::new();
    for program in tally.programs.values() {
        let isa = ISAS.iter().position(|isa| *isa == program.isa).unwrap_or(ISAS.len());
        columns.entry(program.instructions.max(1).ilog2()).or_default()[isa] += 1;
    }
    let (first, last) = match (columns.first_key_value(), columns.last_key_value()) {
        (Some((first, _)), Some((last, _))) => (*first, *last),
        _ => (0, 0),
    };
    let most = columns.values().map(|column| column.iter().sum::<u64>()).max().unwrap_or(1).max(1) as f64;
    let step = (WIDTH - 20.0) / f64::from(last - first + 1);
    let step_width = step.min(90.0);
    let mut drawing = Drawing::new(WIDTH, HEIGHT, "Distinct programs by number of instructions");
    drawing.line([10.0, BASE, WIDTH - 10.0, BASE], "axis");
    for power in first..=last {
        let x = 10.0 + step_width * f64::from(power - first);
        let column = columns.get(&power).copied().unwrap_or_default();
        let (from, to) = (1_u64 << power.min(62), (1_u64 << (power.min(62) + 1)) - 1);
        let mut y = BASE;
        for (isa, &count) in column.iter().enumerate().filter(|(_, count)| **count > 0) {
            let height = count as f64 / most * (BASE - 22.0);
            y -= height;
            let name = ISAS.get(isa).copied().unwrap_or("others");
            drawing.rect(
                [x + 2.0, y, step_width - 4.0, height],
                &colour(&ISAS, name),
                &format!("{} programs of {name} with {from} to {to} instructions", number(count)),
            );
        }
        let all: u64 = column.iter().sum();
        if all > 0 {
            drawing.text([x + step_width / 2.0, y - 5.0], "remark middle", &number(all));
        }
        let name = if from == to { from.to_string() } else { format!("{from}–{to}") };
        let name = if name.chars().count() as f64 * 7.0 > step_width - 4.0 { from.to_string() } else { name };
        drawing.text([x + step_width / 2.0, HEIGHT - 9.0], "label middle", &name);
    }
    drawing.finish()
}

/// A folder or file with the code below it.
#[derive(Debug, Default)]
struct Folder {
    bytes: u64,
    isas: BTreeMap<String, u64>,
    below: BTreeMap<String, Folder>,
}

impl Folder {
    fn add(&mut self, names: &[&str], isas: &BTreeMap<String, u64>) {
        // Without recursion: a path may be as deep as it likes.
        let mut at = self;
        for name in [None].into_iter().chain(names.iter().map(Some)) {
            if let Some(name) = name {
                at = at.below.entry((*name).to_owned()).or_default();
            }
            at.bytes += isas.values().sum::<u64>();
            for (isa, bytes) in isas {
                *at.isas.entry(isa.clone()).or_default() += bytes;
            }
        }
    }

    /// The instruction set of which it has most.
    fn isa(&self) -> &str {
        let most = self.isas.iter().max_by_key(|(isa, bytes)| (**bytes, std::cmp::Reverse(isa.as_str())));
        most.map_or("", |(isa, _)| isa)
    }

    /// What is below it, the largest first; folders that hold one thing alone are left out of the way.
    fn parts(&self) -> Vec<(String, &Self)> {
        let mut parts: Vec<(String, &Self)> =
            self.below.iter().map(|(name, folder)| (name.clone(), folder)).collect();
        for (name, folder) in &mut parts {
            while let Some((only, below)) = folder.below.first_key_value().filter(|_| folder.below.len() == 1)
            {
                name.push('/');
                name.push_str(only);
                *folder = below;
            }
        }
        parts.sort_by(|(one, a), (other, b)| b.bytes.cmp(&a.bytes).then_with(|| one.cmp(other)));
        parts
    }
}

/// Parts of a folder that are drawn one by one.
const PARTS: usize = 120;
/// Names of a path that are told apart; what lies deeper belongs to the folder.
const DEPTH: usize = 12;

/// Where the code lies: folders and files as areas.
pub(super) fn places(tally: &Tally) -> String {
    const WIDTH: f64 = 1160.0;
    const HEIGHT: f64 = 420.0;
    let mut root = Folder::default();
    for (path, isas) in &tally.paths {
        let names: Vec<&str> = path.split('/').filter(|name| !name.is_empty()).take(DEPTH).collect();
        root.add(&names, isas);
    }
    // What all paths start with says nothing.
    let mut from = &root;
    while let Some((_, below)) =
        from.below.first_key_value().filter(|(_, below)| from.below.len() == 1 && !below.below.is_empty())
    {
        from = below;
    }
    let mut drawing = Drawing::new(WIDTH, HEIGHT, "Code by folder and file");
    let area = Area { x: 0.0, y: 0.0, width: WIDTH, height: HEIGHT };
    draw_parts(&mut drawing, from, area, "", 0);
    drawing.finish()
}

fn draw_parts(drawing: &mut Drawing, folder: &Folder, area: Area, front: &str, level: usize) {
    let mut parts = folder.parts();
    let rest: u64 = parts.iter().skip(PARTS).map(|(_, part)| part.bytes).sum();
    let left_out = parts.len().saturating_sub(PARTS);
    parts.truncate(PARTS);
    let mut weights: Vec<f64> = parts.iter().map(|(_, part)| part.bytes as f64).collect();
    if rest > 0 {
        weights.push(rest as f64);
    }
    let areas = divide(area, &weights);
    for (at, area) in areas.into_iter().enumerate() {
        let Some((name, part)) = parts.get(at) else {
            let title = format!("{} more in {front}: {}", number(left_out as u64), bytes(rest));
            cell(drawing, area, "c9", &format!("{left_out} more"), &title);
            continue;
        };
        let path = if front.is_empty() { name.clone() } else { format!("{front}/{name}") };
        let title = format!("{path}: {} of code ({})", bytes(part.bytes), isa_list(part));
        let class = colour(&ISAS, part.isa());
        // Some levels of folders are opened where there is room for what is in them.
        if level < 4 && !part.below.is_empty() && area.width > 70.0 && area.height > 50.0 {
            drawing.rect([area.x + 1.0, area.y + 1.0, area.width - 2.0, area.height - 2.0], "folder", &title);
            let most = ((area.width - 12.0) / 6.9).max(0.0) as usize;
            if most >= 4 {
                drawing.text([area.x + 7.0, area.y + 15.0], "folder-name", &short(name, most));
            }
            draw_parts(drawing, part, area.inside(4.0, 16.0), &path, level + 1);
        } else {
            cell(drawing, area, &class, name, &title);
        }
    }
}

fn isa_list(folder: &Folder) -> String {
    folder.isas.keys().map(String::as_str).collect::<Vec<_>>().join(", ")
}

fn cell(drawing: &mut Drawing, area: Area, class: &str, name: &str, title: &str) {
    drawing.rect(
        [area.x + 0.5, area.y + 0.5, area.width - 1.0, area.height - 1.0],
        &format!("{class} cell"),
        title,
    );
    let most = ((area.width - 10.0) / 6.9).max(0.0) as usize;
    if area.height > 17.0 && most >= 6 {
        drawing.text([area.x + 6.0, area.y + 14.0], "cell-name", &short(name, most));
    }
}

/// Programs of a family that are drawn.
const DOTS: usize = 600;

/// A family: a dot for each program, the one that occurs most often in the middle, as seeds lie in a sunflower.
pub(super) fn sunflower(family: &Family<'_>) -> String {
    /// Between neighbours.
    const SPACE: f64 = 7.4;
    const GOLDEN: f64 = 2.399_963_229_728_653;
    let shown = family.programs.len().min(DOTS);
    let radius = SPACE * (shown as f64).sqrt() + 7.0;
    let mut drawing = Drawing::new(2.0 * radius, 2.0 * radius, "Programs that look alike");
    for (at, program) in family.programs.iter().take(DOTS).enumerate() {
        let (turn, out) = (GOLDEN * at as f64, SPACE * (at as f64).sqrt());
        let (x, y) = (radius + out * libm::cos(turn), radius + out * libm::sin(turn));
        // Longer programs are larger dots, between a half and twice the area of one with a hundred instructions.
        let size = 5.2 * (libm::log2(program.instructions.max(1) as f64) / 6.6).clamp(0.6, 1.35);
        drawing.circle([x, y, size], &colour(&ISAS, &program.isa), &about(program));
    }
    drawing.finish_in_size()
}

/// A program in a few words.
pub(super) fn about(program: &Program) -> String {
    let mut text =
        format!("{} ({}, {} instructions", program.place, program.kind, number(program.instructions));
    if program.count > 1 {
        text.push_str(&format!(", in {} places", number(program.count)));
    }
    text.push(')');
    if !program.options.is_empty() {
        text.push('\n');
        text.push_str(&program.options);
    }
    text
}

/// What programs there are: by instruction set, in the order of the pipeline.
pub(super) fn groups(tally: &Tally) -> String {
    let mut rows: Vec<Bar> = Vec::new();
    let mut isas: Vec<_> = tally.groups.iter().collect();
    isas.sort_by_key(|(isa, _)| ISAS.iter().position(|known| known == isa));
    for (isa, kinds) in isas {
        let mut kinds: Vec<_> = kinds.iter().collect();
        kinds.sort_by_key(|(kind, _)| KINDS.iter().position(|known| known == kind));
        for (kind, amount) in kinds {
            let class = colour(&ISAS, isa);
            let again = amount.programs - amount.distinct;
            rows.push(Bar {
                label: format!("{isa} {kind}"),
                parts: vec![
                    (
                        class.clone(),
                        amount.distinct,
                        format!("{} distinct programs, {}", number(amount.distinct), bytes(amount.bytes)),
                    ),
                    (
                        format!("{class} again"),
                        again,
                        format!("{} that are one of them again", number(again)),
                    ),
                ],
                remark: format!("{} / {}", number(amount.distinct), number(amount.programs)),
            });
        }
    }
    bars("Programs by instruction set and step of the pipeline", &rows, 170.0)
}
