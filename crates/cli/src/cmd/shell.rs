//! Man page and shell completions, from the definition that also parses the command line.

use crate::{
    args::Cli,
    output::{self, Failure, Outcome, Status},
};
use clap::CommandFactory;

pub fn man(command: Option<&str>) -> Outcome {
    let mut root = Cli::command();
    root.build();
    let page = match command {
        None => clap_mangen::Man::new(root),
        Some(name) => match root.find_subcommand(name) {
            Some(found) => clap_mangen::Man::new(found.clone()),
            None => {
                return Err(Failure::usage(format!(
                    "there is no command `{name}`; `unshade help` lists them"
                )));
            }
        },
    };
    let mut roff = Vec::new();
    page.render(&mut roff).map_err(output::stdout_failure)?;
    output::write_file("-", &roff)?;
    Ok(Status::Good)
}

pub fn completions(shell: clap_complete::Shell) -> Outcome {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "unshade", &mut script);
    output::write_file("-", &script)?;
    Ok(Status::Good)
}
