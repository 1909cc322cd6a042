//! Program headers of the Switch, with code behind them.
#![no_main]

unshade_fuzz::target!("maxwell_header");
