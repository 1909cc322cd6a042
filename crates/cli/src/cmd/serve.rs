//! `serve`: the page in a browser of this machine.

use crate::{
    args::Serve,
    output::{Failure, Outcome},
};

/// How a build gets the command.
#[cfg(not(feature = "serve"))]
const HOW: &str = "this build has no server in it: run tools/web, then \
                   cargo build --release -p unshade-cli --features page (docs/serve.md)";

#[cfg(not(feature = "serve"))]
pub fn run(arguments: &Serve, _: bool) -> Outcome {
    // They are read by builds that have it.
    let Serve { files: _, port: _, write: _, open: _ } = arguments;
    Err(Failure::usage(HOW.to_owned()))
}

#[cfg(feature = "serve")]
pub fn run(arguments: &Serve, json: bool) -> Outcome {
    use crate::output;
    use unshade_serve::{Files, Limits, Server, page};

    if json {
        return Err(Failure::usage("serve prints an address, and has no JSON document".to_owned()));
    }
    let files = Files::new(arguments.files.iter().cloned()).map_err(|(path, error)| Failure::Io {
        path: path.display().to_string(),
        action: "read",
        error,
    })?;
    let limits = Limits { file: unshade::MAX_INPUT, ..Limits::default() };
    let server = Server::bind(arguments.port, files, arguments.write, limits).map_err(|error| {
        Failure::Io { path: format!("127.0.0.1:{}", arguments.port), action: "listen on", error }
    })?;
    if !page::is_built() {
        output::note(page::HOW_TO_BUILD);
    }
    output::print(&format!("{}\n", server.url()))?;
    if arguments.open {
        show(&server.url());
    }
    let ended = server.run().err();
    Err(Failure::Io {
        path: "127.0.0.1".to_owned(),
        action: "listen on",
        error: ended.unwrap_or_else(|| std::io::Error::other("the server ended")),
    })
}

/// Shows an address in the browser; where that is not possible, the address is printed all the same.
#[cfg(feature = "serve")]
fn show(url: &str) {
    let (program, before): (&str, &[&str]) = if cfg!(target_os = "windows") {
        ("cmd", &["/C", "start", ""])
    } else if cfg!(target_os = "macos") {
        ("open", &[])
    } else {
        ("xdg-open", &[])
    };
    let started = std::process::Command::new(program).args(before).arg(url).spawn();
    if let Err(error) = started {
        crate::output::note(&format!("{program} cannot be started: {error}"));
    }
}
