// What there is before a file: where to put one, and samples to look at.

import { h } from "./dom";
import blur from "../../samples/blur.gsh?url";
import lighting from "../../samples/lighting.shbin?url";
import nested from "../../samples/nested.szs?url";
import options from "../../samples/options.bfsha?url";
import phong from "../../samples/phong.frag.mbs?url";
import surface from "../../samples/surface.sharcfb?url";
import lambert from "../../samples/lambert.vert.mbs?url";
import stages from "../../samples/two_stages.bnsh?url";

const SAMPLES: [string, string, string][] = [
  ["lighting.shbin", "Nintendo 3DS, a vertex program", lighting],
  ["lambert.vert.mbs", "Mali-400, vertex", lambert],
  ["phong.frag.mbs", "Mali-400, fragment", phong],
  ["blur.gsh", "Wii U, vertex and pixel", blur],
  ["surface.sharcfb", "Wii U, programs by macros", surface],
  ["two_stages.bnsh", "Switch, two stages", stages],
  ["options.bfsha", "Switch, programs by options", options],
  ["nested.szs", "an archive in an archive", nested],
];

export function startPage(does: { pick: () => void; sample: (name: string, address: string) => void }): HTMLElement {
  return h(
    "main.start",
    { "aria-label": "Open a file" },
    h(
      "div.start-inner",
      null,
      h("button.drop", { onclick: does.pick }, h("span.drop-title", null, "Drop shader files here"), h("span.drop-note", null, "or press to choose: shbin, mbs, gsh, sharcfb, bfres, bnsh, bfsha, dksh, and archives of them (szs, zs, sarc)")),
      h("p.quiet", null, "Files are read in this page. They never leave your machine."),
      h("h2", null, "Samples"),
      h("div.samples", null, SAMPLES.map(([name, what, address]) => h("button.sample", { onclick: () => does.sample(name, address) }, h("span.sample-name", null, name), h("span.sample-what", null, what)))),
    ),
  );
}
