//! The page: tiles with the great numbers, a card for each drawing, tables of what stands out.

use super::{
    charts::{Bar, about, bars, colour, groups, lengths, places, sunflower},
    families::{Family, families},
    svg::{bytes, escape, number, short},
    tally::{ISAS, NAMED, OTHERS, Program, Tally},
};
use std::{collections::HashMap, fmt::Write};

const STYLE: &str = include_str!("page.css");

/// Rows of tables and lists.
const ROWS: usize = 15;
/// Programs that families are made of, those that occur most often.
const COMPARED: usize = 100_000;
/// Families that are drawn.
const FAMILIES: usize = 48;

/// The whole page.
pub(super) fn page(title: &str, tally: &Tally) -> String {
    let mut html = String::new();
    // Names come from strangers: the page may load and run nothing, whatever they hold.
    let _ = write!(
        html,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{0}</title>\n\
         <style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n<h1>{0}</h1>\n{1}",
        escape(title),
        tiles(tally)
    );
    html.push_str("<div class=\"grid\">\n");
    if tally.stages > 0 {
        card(
            &mut html,
            "",
            "What there is",
            "Distinct programs / all. Paler: programs that are there again.",
            &groups(tally),
        );
        card(
            &mut html,
            "",
            "How long they are",
            "Distinct programs by number of instructions.",
            &(legend(tally) + &lengths(tally)),
        );
        let drawing = legend(tally) + &places(tally);
        card(
            &mut html,
            "wide",
            "Where they are",
            "Bytes of code by folder and file, coloured by the instruction set that most of it is for.",
            &drawing,
        );
        family_card(&mut html, tally);
        copies_card(&mut html, tally);
        longest_card(&mut html, tally);
    }
    findings_card(&mut html, tally);
    errors_card(&mut html, tally);
    names_card(&mut html, tally);
    options_card(&mut html, tally);
    formats_card(&mut html, tally);
    html.push_str("</div>\n<footer>Made by <code>unshade report</code> from a catalog. This page loads nothing and runs no script; what is \
                   drawn says more where the pointer rests on it.</footer>\n</main>\n</body>\n</html>\n");
    html
}

fn card(html: &mut String, class: &str, title: &str, about: &str, body: &str) {
    let _ = writeln!(
        html,
        "<section class=\"{class}\"><h2>{}</h2><p>{}</p>{body}</section>",
        escape(title),
        escape(about)
    );
}

fn tiles(tally: &Tally) -> String {
    let distinct = tally.programs.len() as u64;
    let saved = tally.bytes.saturating_sub(tally.distinct_bytes());
    let errors: u64 = tally.errors.values().map(|error| error.count).sum();
    let unread: u64 = tally.unread.values().sum();
    let mut tiles = vec![
        (number(tally.stages), "programs".to_owned()),
        (number(distinct), "distinct".to_owned()),
        (number(tally.files), "files with programs".to_owned()),
        (bytes(tally.bytes), format!("of code, {} of it again", bytes(saved))),
    ];
    if tally.wrapped > 0 {
        tiles.push((number(tally.wrapped), "inside of wrappers".to_owned()));
    }
    tiles.push((number(errors), if errors == 1 { "error" } else { "errors" }.to_owned()));
    if unread > 0 {
        tiles.push((number(unread), "of formats known by name".to_owned()));
    }
    let tiles: String = tiles
        .iter()
        .map(|(amount, label)| {
            format!("<div class=\"tile\"><b>{}</b><span>{}</span></div>", escape(amount), escape(label))
        })
        .collect();
    format!("<div class=\"tiles\">{tiles}</div>\n")
}

/// Which colour is which instruction set, of those that there are.
fn legend(tally: &Tally) -> String {
    let here = |isa: &&&str| tally.groups.contains_key(**isa);
    let entries: String = ISAS
        .iter()
        .filter(here)
        .map(|isa| format!("<span><i class=\"{}\"></i>{}</span>", colour(&ISAS, isa), escape(isa)))
        .collect();
    format!("<div class=\"legend\">{entries}</div>")
}

fn family_card(html: &mut String, tally: &Tally) {
    let programs = tally.by_count(COMPARED);
    let left_out = tally.programs.len().saturating_sub(COMPARED);
    let all = families(&programs);
    let several = all.iter().filter(|family| family.programs.len() > 1);
    let count = several.clone().count();
    let pairs = several.clone().filter(|family| family.programs.len() == 2).count();
    // Pairs are many and show little; they are drawn where there is nothing larger.
    let drawn = several.clone().take(if pairs == count { FAMILIES } else { (count - pairs).min(FAMILIES) });
    let mut body = legend(tally);
    body.push_str("<div class=\"families\">");
    let shown = drawn.clone().count();
    for family in drawn {
        let Some(first) = family.programs.first() else { continue };
        let drawing = sunflower(family);
        let _ = write!(
            body,
            "<figure>{drawing}<figcaption><b>{}</b>{} · {}</figcaption></figure>",
            escape(&short(&name_of(first), 26)),
            escape(&first.kind),
            lengths_of(family)
        );
    }
    body.push_str("</div>");
    let inside: u64 = several.map(|family| family.programs.len() as u64).sum();
    let alone = programs.len() as u64 - inside;
    let mut about = format!(
        "Every dot is a distinct program, larger for longer ones; those of a figure look alike. {} families hold {} programs, {} of them \
         are pairs{}; {} programs look like no other.",
        number(count as u64),
        number(inside),
        number(pairs as u64),
        if shown < count { format!(" (the {shown} largest are drawn)") } else { String::new() },
        number(alone)
    );
    if left_out > 0 {
        about.push_str(&format!(" {} that occur least often were not compared.", number(left_out as u64)));
    }
    if count > 0 {
        card(html, "wide", "Families", &about, &body);
    }
}

fn lengths_of(family: &Family<'_>) -> String {
    let (least, most) = family.lengths();
    let lengths = if least == most { number(least) } else { format!("{}–{}", number(least), number(most)) };
    format!("{} programs of {lengths} instructions", number(family.programs.len() as u64))
}

/// The file of a program, without its folders.
fn name_of(program: &Program) -> String {
    let file = program.place.split('#').next().unwrap_or_default();
    file.rsplit(['/', ':']).next().unwrap_or_default().to_owned()
}

fn copies_card(html: &mut String, tally: &Tally) {
    let mut shown = tally.by_count(ROWS);
    shown.retain(|program| program.count > 1);
    if shown.is_empty() {
        return;
    }
    let most = shown.iter().map(|program| program.count).max().unwrap_or(1).max(1);
    let rows: String = shown
        .iter()
        .map(|program| {
            format!(
                "<tr title=\"{}\"><td class=\"n\">{}</td><td><span class=\"meter {}\" style=\"width:{}px\"></span></td>\
                 <td>{}</td><td class=\"path least\">{}</td></tr>",
                escape(&about(program)),
                number(program.count),
                colour(&ISAS, &program.isa),
                (program.count * 80 / most).max(1),
                escape(&program.kind),
                escape(&short(&program.place, 90))
            )
        })
        .collect();
    let again = tally.repeated() as u64;
    let text = format!("{} programs are there more than once. Where each was seen first:", number(again));
    let body = format!(
        "<div class=\"scroll\"><table><tr><th class=\"n\">places</th><th></th><th>kind</th><th>program</th></tr>{rows}</table></div>"
    );
    card(html, "", "Again and again", &text, &body);
}

fn longest_card(html: &mut String, tally: &Tally) {
    let rows: String = tally
        .by_length(ROWS)
        .iter()
        .map(|program| {
            format!(
                "<tr title=\"{}\"><td class=\"n\">{}</td><td>{}</td><td>{}</td><td class=\"path least\">{}</td></tr>",
                escape(&about(program)),
                number(program.instructions),
                escape(&program.isa),
                escape(&program.kind),
                escape(&short(&program.place, 90))
            )
        })
        .collect();
    let middle = tally.middle_length();
    let text =
        format!("Half of all distinct programs have {} instructions or fewer. The longest:", number(middle));
    let body = format!(
        "<div class=\"scroll\"><table><tr><th class=\"n\">instructions</th><th>set</th><th>kind</th><th>program</th></tr>{rows}</table></div>"
    );
    card(html, "", "The longest", &text, &body);
}

fn findings_card(html: &mut String, tally: &Tally) {
    if tally.stages == 0 {
        return;
    }
    let verdicts = [("error", "bad"), ("warning", "warn"), ("note", "note"), ("clean", "good")];
    let rows: Vec<Bar> = tally
        .verdicts
        .iter()
        .map(|(isa, found)| {
            let of = |check: &str| found.get(check).copied().unwrap_or(0);
            Bar {
                label: isa.clone(),
                parts: verdicts
                    .iter()
                    .map(|(check, class)| {
                        ((*class).to_owned(), of(check), format!("{check}: {}", number(of(check))))
                    })
                    .collect(),
                remark: format!("{} clean", number(of("clean"))),
            }
        })
        .collect();
    let mut findings: Vec<_> = tally.findings.iter().collect();
    findings.sort_by(|(one, a), (other, b)| b.count.cmp(&a.count).then(one.cmp(other)));
    let table: String = findings
        .iter()
        .take(ROWS)
        .map(|(code, finding)| {
            let class = match finding.severity.as_str() {
                "error" => "bad",
                "warning" => "warn",
                _ => "note",
            };
            format!(
                "<tr title=\"{}\"><td class=\"n\">{}</td><td class=\"{class}\">{}</td><td class=\"code\">{}</td><td>{}</td></tr>",
                escape(&finding.place),
                number(finding.count),
                escape(&finding.severity),
                escape(code),
                escape(&short(&finding.message, 110))
            )
        })
        .collect();
    let table = match table.is_empty() {
        true => String::new(),
        false => format!(
            "<div class=\"scroll\"><table><tr><th class=\"n\">programs</th><th></th><th>finding</th><th>first said</th></tr>{table}</table></div>"
        ),
    };
    let body = bars("Programs by the most severe finding", &rows, 90.0) + &table;
    card(html, "", "What the check says", "Programs by the most severe finding about them.", &body);
}

fn errors_card(html: &mut String, tally: &Tally) {
    if tally.errors.is_empty() && tally.unread.is_empty() {
        return;
    }
    let mut errors: Vec<_> = tally.errors.iter().collect();
    errors.sort_by(|(one, a), (other, b)| b.count.cmp(&a.count).then(one.cmp(other)));
    let mut rows: String = errors
        .iter()
        .take(ROWS)
        .map(|(code, error)| {
            format!(
                "<tr><td class=\"n\">{}</td><td class=\"code bad\">{}</td><td>{}<br><code>{}</code></td></tr>",
                number(error.count),
                escape(code),
                escape(&short(&error.message, 160)),
                escape(&short(&error.place, 100))
            )
        })
        .collect();
    for (format, count) in &tally.unread {
        let _ = write!(
            rows,
            "<tr><td class=\"n\">{}</td><td class=\"path\">{}</td><td>known by name only</td></tr>",
            number(*count),
            escape(format)
        );
    }
    let body = format!(
        "<div class=\"scroll\"><table><tr><th class=\"n\">files</th><th>what</th><th>the first</th></tr>{rows}</table></div>"
    );
    card(
        html,
        "",
        "What could not be read",
        "Damaged files, and files in formats that are known by name only.",
        &body,
    );
}

fn names_card(html: &mut String, tally: &Tally) {
    let lists: String = NAMED
        .iter()
        .zip(&tally.names)
        .filter(|(_, names)| !names.is_empty())
        .map(|(what, names)| {
            let mut all: Vec<(&str, u64)> = names.iter().map(|(name, count)| (name.as_str(), *count)).collect();
            all.sort_by(|(one, a), (other, b)| (*one == OTHERS, *b, one).cmp(&(*other == OTHERS, *a, other)));
            let most = all.first().map_or(1, |(_, count)| *count).max(1);
            let rows: String = all
                .iter()
                .take(ROWS)
                .map(|(name, count)| {
                    format!(
                        "<tr title=\"{0}\"><td class=\"path\">{1}</td><td class=\"n\">{2}</td><td><span class=\"meter c3\" style=\"width:{3}px\"></span></td></tr>",
                        escape(name),
                        escape(&short(name, 34)),
                        number(*count),
                        (count * 56 / most).max(1)
                    )
                })
                .collect();
            format!("<div><h3>{what} ({})</h3><table>{rows}</table></div>", number(names.len() as u64))
        })
        .collect();
    if !lists.is_empty() {
        let body = format!("<div class=\"lists\">{lists}</div>");
        card(
            html,
            "wide",
            "What they call things",
            "Names by the number of distinct programs that have them.",
            &body,
        );
    }
}

fn options_card(html: &mut String, tally: &Tally) {
    if tally.options.is_empty() {
        return;
    }
    let mut all: Vec<_> = tally.options.iter().collect::<HashMap<_, _>>().into_iter().collect();
    all.sort_by(|(one, a), (other, b)| {
        b.values.len().cmp(&a.values.len()).then(b.programs.cmp(&a.programs)).then(one.cmp(other))
    });
    let rows: String = all
        .iter()
        .take(ROWS)
        .map(|(name, choice)| {
            let values: Vec<&str> = choice.values.iter().map(String::as_str).take(12).collect();
            let more = if choice.values.len() > values.len() { " …" } else { "" };
            format!(
                "<tr><td class=\"path\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"path\">{}{more}</td></tr>",
                escape(&short(name, 48)),
                choice.values.len(),
                number(choice.programs),
                escape(&short(&values.join(" "), 60))
            )
        })
        .collect();
    let text =
        format!("{} options and macros; those with the most values:", number(tally.options.len() as u64));
    let body = format!(
        "<div class=\"scroll\"><table><tr><th>option</th><th class=\"n\">values</th><th class=\"n\">programs</th><th>which</th></tr>{rows}</table></div>"
    );
    card(html, "", "What they were compiled for", &text, &body);
}

fn formats_card(html: &mut String, tally: &Tally) {
    if tally.formats.is_empty() {
        return;
    }
    let mut all: Vec<_> = tally.formats.iter().collect();
    all.sort_by(|(one, a), (other, b)| b.programs.cmp(&a.programs).then(one.cmp(other)));
    let rows: String = all
        .iter()
        .map(|(name, format)| {
            let versions: Vec<&str> = format.versions.iter().map(String::as_str).collect();
            format!(
                "<tr title=\"{}\"><td class=\"path\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td></tr>",
                escape(&short(&versions.join("\n"), 600)),
                escape(name),
                number(format.files),
                number(format.programs),
                bytes(format.bytes)
            )
        })
        .collect();
    let body = format!(
        "<div class=\"scroll\"><table><tr><th>format</th><th class=\"n\">containers</th><th class=\"n\">programs</th><th class=\"n\">code</th></tr>{rows}</table></div>"
    );
    card(html, "", "In which files", "Containers by format.", &body);
}
