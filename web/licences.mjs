// Writes web/dist/licences.txt: everything that is in the page with the text of its licence. Fails for a licence that is not
// among those that the project takes.

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const web = dirname(fileURLToPath(import.meta.url));
const ALLOWED = /\b(?:MIT|Apache-2\.0|BSD-2-Clause|BSD-3-Clause|ISC|Zlib|Unicode-3\.0)\b/;

/** The texts of the licences in a folder. */
const texts = (folder) =>
  readdirSync(folder)
    .filter((name) => /^(?:licen[cs]e|copying|notice)/i.test(name) && !/apache/i.test(name))
    .sort()
    .map((name) => readFileSync(join(folder, name), "utf8").trim());

const parts = [];
const take = (name, version, licence, folder) => {
  if (!licence || !ALLOWED.test(licence)) throw new Error(`${name} ${version}: licence ${licence ?? "unknown"} is not one that the page may hold`);
  const own = existsSync(folder) ? texts(folder) : [];
  parts.push([`${name} ${version}`, licence, own.join("\n\n")]);
};

// Packages: what package.json depends on, and what that depends on.
const lock = JSON.parse(readFileSync(join(web, "package-lock.json"), "utf8"));
for (const [path, entry] of Object.entries(lock.packages)) {
  if (path === "" || entry.dev) continue;
  const folder = join(web, path);
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  take(name, version, license, folder);
}

// Crates: what is linked into the WebAssembly.
const tree = execFileSync("cargo", ["tree", "--locked", "-p", "unshade-web", "--target", "wasm32-unknown-unknown", "-e", "normal,no-proc-macro", "--prefix", "none", "--format", "{p}"], { cwd: join(web, ".."), encoding: "utf8" });
const linked = new Set(tree.split("\n").filter(Boolean).map((line) => line.split(" ").slice(0, 2).join(" ").replace(" v", " ")));
const metadata = JSON.parse(execFileSync("cargo", ["metadata", "--locked", "--format-version", "1", "--filter-platform", "wasm32-unknown-unknown"], { cwd: join(web, ".."), encoding: "utf8", maxBuffer: 1 << 28 }));
for (const { name, version, license, manifest_path, source } of metadata.packages) {
  if (linked.has(`${name} ${version}`) && source) take(name, version, license, dirname(manifest_path));
}

const apache = readFileSync(join(web, "../LICENSE-APACHE"), "utf8").trim();
const own = readFileSync(join(web, "../LICENSE-MIT"), "utf8").trim();
const rule = "=".repeat(80);
const written = parts.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, licence, text]) => `${rule}\n${name}: ${licence}\n\n${text}`.trim());
writeFileSync(join(web, "dist/licences.txt"), `Unshade: MIT OR Apache-2.0\n\n${own}\n\nThe page holds these, too:\n\n${written.join("\n\n")}\n\n${rule}\nApache License, Version 2.0, where it is named above\n\n${apache}\n`);
console.log(`web/dist/licences.txt: ${parts.length} packages`);
