//! `scan`: all programs of folders, archives and images as a table.

use crate::{
    args::Scan,
    input,
    output::{self, Failure, Outcome, Status},
    style::{self, paint},
};
use indicatif::{BinaryBytes, HumanCount, ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::{
    io::{IsTerminal, Write},
    time::{Duration, Instant},
};
use unshade::report::Document;
use unshade_catalog::scan::{self, Options, Progress};

/// Work that takes longer than this gets a bar.
const SHORT: Duration = Duration::from_secs(1);
/// How often the bar moves.
const STEP: Duration = Duration::from_millis(100);

pub fn run(arguments: &Scan, json: bool) -> Outcome {
    arguments.paths.iter().try_for_each(|path| input::is_there(path))?;
    let mut options = Options {
        memory: arguments.memory << 20,
        shard: arguments.shard,
        unique_to: arguments.unique_to.clone(),
        fresh: arguments.fresh,
        dictionaries: input::source(&[]).dictionaries.cloned().unwrap_or_default(),
        ..Options::default()
    };
    if let Some(threads) = arguments.threads {
        options.threads = threads.into();
    }
    let start = Instant::now();
    let mut bar = Bar::new();
    let done = scan::scan(&arguments.paths, &arguments.output, &options, &mut |progress| {
        bar.show(progress);
        true
    });
    bar.end();
    let out = arguments.output.display().to_string();
    let done = done.map_err(Failure::catalog("write"))?;
    if json {
        output::print_json(&Document::new("scan", [(out, done)]))?;
        return Ok(Status::Good);
    }
    let text = summary(&out, &done, start.elapsed(), options.unique_to.is_some());
    output::stdout().write_all(text.as_bytes()).map_err(output::stdout_failure)?;
    Ok(Status::Good)
}

/// What was found, in a few lines.
fn summary(out: &str, done: &Progress, time: Duration, unique: bool) -> String {
    let count = |count: u64, one: &str, many: &str| {
        format!("{} {}", HumanCount(count), if count == 1 { one } else { many })
    };
    let looked = done.bytes.saturating_sub(done.unchanged_bytes);
    let rate = (looked as f64 / time.as_secs_f64().max(1e-3)) as u64;
    let mut text = format!(
        "{}: {} in {} ({})\n",
        paint(style::NAME, out),
        paint(style::BOLD, count(done.stages, "program", "programs")),
        count(done.all_files, "file", "files"),
        BinaryBytes(done.all_bytes),
    );
    if done.unchanged > 0 {
        let unchanged = match done.unchanged == done.all_files {
            true => "nothing has changed since the last scan".to_owned(),
            false => format!("{} unchanged since the last scan", count(done.unchanged, "file", "files")),
        };
        text.push_str(&format!("  {}\n", paint(style::DIM, unchanged)));
    }
    if done.errors > 0 {
        let errors = count(done.errors, "error", "errors");
        text.push_str(&format!("  {}, each a row (record = 'error')\n", paint(style::WARN, errors)));
    }
    if done.unread > 0 {
        let unread = count(done.unread, "file of a format", "files of formats");
        text.push_str(&format!("  {unread} known by name only (record = 'unread')\n"));
    }
    if unique {
        text.push_str(&format!(
            "  {}\n",
            count(done.unique, "distinct program written", "distinct programs written")
        ));
    }
    if looked > 0 && time > SHORT {
        let rate = format!("{:.1} s, {}/s", time.as_secs_f64(), BinaryBytes(rate));
        text.push_str(&format!("  {}\n", paint(style::DIM, rate)));
    }
    text
}

/// The bar on a terminal: what is done, how fast, what is left.
struct Bar {
    bar: Option<ProgressBar>,
    start: Instant,
    last: Instant,
}

impl Bar {
    fn new() -> Self {
        let now = Instant::now();
        Self { bar: None, start: now, last: now }
    }

    fn show(&mut self, progress: &Progress) {
        let now = Instant::now();
        if now.duration_since(self.start) < SHORT || now.duration_since(self.last) < STEP {
            return;
        }
        self.last = now;
        if self.bar.is_none() && std::io::stderr().is_terminal() {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
            let style = "{bar:30} {percent:>3}%  {msg}  {binary_bytes_per_sec}, {eta} left";
            if let Ok(style) = ProgressStyle::with_template(style) {
                bar.set_style(style);
            }
            self.bar = Some(bar);
        }
        if let Some(bar) = &self.bar {
            bar.set_length(progress.all_bytes);
            bar.set_position(progress.bytes);
            let message = format!(
                "{} of {} files, {} programs",
                HumanCount(progress.files),
                HumanCount(progress.all_files),
                HumanCount(progress.stages)
            );
            bar.set_message(message);
        }
    }

    fn end(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
