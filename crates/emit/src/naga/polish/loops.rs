//! `while` and `for` instead of endless loops that begin with a way out.

use super::line::{Line, bare, words};

/// Rewrites a function.
pub(super) fn run(body: &mut Vec<Line>) {
    let mut at = 0;
    while at < body.len() {
        if matches!(&*body[at].text, "loop {" | "while(true) {") {
            one(body, at);
        }
        at += 1;
    }
}

/// A step that stands in front of the condition, behind a variable that says that this is not the first pass; or at the
/// end, in a block of its own. Its line, and what is taken out.
struct Step {
    text: Option<String>,
    /// First line and count, ascending.
    out: Vec<(usize, usize)>,
    /// The line with the condition.
    condition: usize,
}

fn one(body: &mut Vec<Line>, at: usize) {
    let Some(step) = counted(body, at).or_else(|| continued(body, at)) else { return };
    let wgsl = body[at].text == "loop {";
    let text = &body[step.condition].text;
    let condition = match wgsl {
        true => text.strip_prefix("if !").and_then(|rest| rest.strip_suffix(" {")),
        false => text.strip_prefix("if (!").and_then(|rest| rest.strip_suffix(") {")),
    };
    let Some(condition) = condition.filter(|condition| condition.starts_with('(')).map(bare) else { return };
    let leaves = body.get(step.condition + 1..step.condition + 3);
    if !leaves.is_some_and(|lines| lines[0].text == "break;" && lines[1].text == "}") {
        return;
    }
    let mut out = step.out;
    let head = match step.text {
        None => format!("while ({condition}) {{"),
        Some(step) => {
            let counter = words(&step).next().unwrap_or_default().to_owned();
            // The variable of the first pass stands in front of the loop where there is one.
            let before =
                out.first().filter(|(first, _)| *first < at).map_or(at, |(first, _)| *first).checked_sub(1);
            let start = before.and_then(|before| {
                let (name, value) = body.get(before)?.assignment()?;
                (name == counter && body[before].indent == body[at].indent)
                    .then(|| (before, format!("{name} = {}", bare(value))))
            });
            let start = match start {
                Some((before, start)) => {
                    out.insert(0, (before, 1));
                    start
                }
                None => String::new(),
            };
            format!("for ({start}; {condition}; {step}) {{")
        }
    };
    out.push((step.condition, 3));
    body[at].text = head;
    out.sort_unstable();
    for (first, count) in out.into_iter().rev() {
        body.drain(first..first + count);
    }
}

/// `if (!loop_init) { STEP } loop_init = false;`
fn counted(body: &[Line], at: usize) -> Option<Step> {
    let [flagged, step, end, cleared] = body.get(at + 1..at + 5)? else { return None };
    let flag = flagged.text.strip_prefix("if (!")?.strip_suffix(") {")?;
    let before = at.checked_sub(1)?;
    let declared = format!("bool {flag} = true;");
    let is_counted = flag.starts_with("loop_init")
        && end.text == "}"
        && cleared.text == format!("{flag} = false;")
        && body.get(before)?.text == declared;
    let (name, value) = step.assignment().filter(|_| is_counted)?;
    let text = Some(format!("{name} = {}", bare(value)));
    Some(Step { text, out: vec![(before, 1), (at + 1, 4)], condition: at + 5 })
}

/// `continuing { STEP }` at the end, or no step.
fn continued(body: &[Line], at: usize) -> Option<Step> {
    let indent = body[at].indent;
    let end = at
        + 1
        + body.get(at + 1..)?.iter().position(|line| line.indent <= indent && !line.text.is_empty())?;
    let last = body.get(end.checked_sub(1)?)?;
    let plain = Step { text: None, out: Vec::new(), condition: at + 1 };
    if last.text != "}" || last.indent != indent + 4 {
        return Some(plain);
    }
    let inner = |back: usize| end.checked_sub(back).filter(|line| *line > at).and_then(|line| body.get(line));
    if inner(3).is_some_and(|line| line.text == "continuing {" && line.indent == last.indent) {
        let (name, value) = inner(2)?.assignment()?;
        let text = Some(format!("{name} = {}", bare(value)));
        return Some(Step { text, out: vec![(end - 3, 3)], condition: at + 1 });
    }
    // A longer step keeps the loop.
    let has_more =
        body.get(at..end)?.iter().any(|line| line.text == "continuing {" && line.indent == indent + 4);
    (!has_more).then_some(plain)
}
