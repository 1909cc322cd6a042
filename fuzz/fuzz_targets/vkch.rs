//! A shader cache of Azahar for Vulkan: read, check, cover, write, extract, build, list, open.
#![no_main]

unshade_fuzz::target!("vkch");
