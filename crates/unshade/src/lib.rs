//! unshade
