//! The `unshade-sql` command: arguments, and what is printed.

use clap::Parser;
use std::{
    collections::HashMap,
    io::{self, BufWriter, Write},
    path::PathBuf,
    process::ExitCode,
};
use unshade_sql::{
    COLUMNS, Failure, functions,
    output::{self, Form},
    question,
    recipes::{self, Recipe},
    tables::{self, Source},
};

/// Asks catalogs of shaders, as `unshade scan` writes them, in SQL
///
/// The rows of all catalogs are the table `catalog`; one given as NAME=FILE is the table NAME as well.
#[derive(Parser)]
#[command(
    version,
    after_help = "Exit status: 0 answered, 1 a catalog cannot be read, 2 the question makes no sense."
)]
struct Arguments {
    /// Catalogs (Parquet, JSON lines, or folders of Parquet files), and behind them the question in SQL; `-` reads it from
    /// the standard input
    #[arg(value_name = "[NAME=]CATALOG... SQL")]
    arguments: Vec<String>,
    /// Ask a question that has a name; without a catalog, print its SQL
    #[arg(long, value_name = "NAME")]
    recipe: Option<String>,
    /// What to put in for `$NAME`
    #[arg(long, value_name = "NAME=VALUE")]
    set: Vec<String>,
    /// List the questions that have names
    #[arg(long)]
    recipes: bool,
    /// List columns and functions with what they mean
    #[arg(long)]
    columns: bool,
    /// Answer in JSON, an object a line
    #[arg(long, conflicts_with_all = ["csv", "parquet"])]
    json: bool,
    /// Answer in comma-separated values
    #[arg(long, conflicts_with = "parquet")]
    csv: bool,
    /// Write the answer to a Parquet file
    #[arg(long, value_name = "OUT")]
    parquet: Option<PathBuf>,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            if !matches!(failure, Failure::Gone) {
                // Where nobody hears it, the status says it.
                let _ = writeln!(io::stderr(), "error: {failure}");
            }
            failure.status().into()
        }
    }
}

fn run(arguments: &Arguments) -> Result<(), Failure> {
    if arguments.recipes {
        return print(&recipes::read(recipes::TEXT).iter().map(told).collect::<String>());
    }
    if arguments.columns {
        return print(&columns());
    }
    let mut given = arguments.arguments.as_slice();
    let sql = match &arguments.recipe {
        Some(name) => {
            let recipe = recipes::find(name).ok_or_else(|| {
                Failure::Usage(format!("there is no recipe `{name}`; --recipes lists them"))
            })?;
            if given.is_empty() {
                return print(&format!("{}\n", recipe.sql));
            }
            fits(&recipe, given)?;
            recipe.sql.to_owned()
        }
        None => {
            let Some((sql, catalogs)) = given.split_last().filter(|(_, catalogs)| !catalogs.is_empty())
            else {
                return Err(Failure::Usage(
                    "wanted: a catalog, and a question in SQL (--help says more)".to_owned(),
                ));
            };
            given = catalogs;
            match sql.as_str() {
                "-" => io::read_to_string(io::stdin())
                    .map_err(|error| Failure::Bad(format!("cannot read the question: {error}")))?,
                sql => sql.to_owned(),
            }
        }
    };
    let values = values(&arguments.set, &sql)?;
    let sources: Vec<Source> = given.iter().map(|argument| Source::of(argument)).collect();
    let runtime = tokio::runtime::Builder::new_multi_thread().build();
    let runtime = runtime.map_err(|error| Failure::Bad(format!("cannot start threads: {error}")))?;
    runtime.block_on(async {
        let session = tables::open(&sources).await?;
        let rows = question::ask(&session, &sql, &values).await?;
        if let Some(path) = &arguments.parquet {
            let count = output::write_parquet(&sql, rows, path).await?;
            return print(&format!(
                "{}: {count} {}\n",
                path.display(),
                if count == 1 { "row" } else { "rows" }
            ));
        }
        let form = match (arguments.json, arguments.csv) {
            (true, _) => Form::Json,
            (_, true) => Form::Csv,
            _ => Form::Table,
        };
        output::write(&sql, rows, form, &mut BufWriter::new(io::stdout().lock())).await?;
        Ok(())
    })
}

fn print(text: &str) -> Result<(), Failure> {
    match io::stdout().lock().write_all(text.as_bytes()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::Bad(format!("cannot write the answer: {error}")))
        }
        _ => Ok(()),
    }
}

/// A recipe in the list.
fn told(recipe: &Recipe<'_>) -> String {
    let mut text = format!("{:<12}{}\n", recipe.name, recipe.question);
    for line in &recipe.about {
        text.push_str(&format!("{:<12}{line}\n", ""));
    }
    text
}

fn columns() -> String {
    let columns = COLUMNS.iter().map(|column| (column.name, column.meaning));
    let mut text = String::new();
    for (name, meaning) in columns.chain(functions::FUNCTIONS) {
        text.push_str(&format!("{name}\n    {meaning}\n"));
    }
    text
}

/// Whether the tables of a recipe are among the catalogs.
fn fits(recipe: &Recipe<'_>, given: &[String]) -> Result<(), Failure> {
    let names: Vec<Option<String>> = given.iter().map(|argument| Source::of(argument).name).collect();
    let missing = recipe.tables().into_iter().find(|table| !names.contains(&Some((*table).to_owned())));
    match missing {
        Some(table) => Err(Failure::Usage(format!(
            "the recipe `{}` asks {}: give the catalogs names, as in {table}=FILE",
            recipe.name,
            recipe.tables().iter().map(|table| format!("`{table}`")).collect::<Vec<_>>().join(" and "),
        ))),
        None => Ok(()),
    }
}

/// What was given for `$word`, all that is asked for and nothing else.
fn values(given: &[String], sql: &str) -> Result<HashMap<String, String>, Failure> {
    let wanted = recipes::parameters(sql);
    let mut values = HashMap::new();
    for pair in given {
        let Some((name, value)) = pair.split_once('=') else {
            return Err(Failure::Usage(format!("--set {pair}: wanted is NAME=VALUE")));
        };
        if !wanted.contains(name) {
            return Err(Failure::Usage(format!("--set {name}: the question has no ${name}")));
        }
        values.insert(name.to_owned(), value.to_owned());
    }
    match wanted.iter().find(|name| !values.contains_key(*name)) {
        Some(name) => Err(Failure::Usage(format!("the question wants a value: --set {name}=VALUE"))),
        None => Ok(values),
    }
}
