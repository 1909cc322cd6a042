// What a program reads and writes, as tables.

import { fill, h, hex } from "../dom";
import { Refused } from "../library";
import type { State } from "../state";
import type { DecompiledItem, InterfaceItem } from "../types";
import { Shown, type View } from "./view";

const GROUPS: [string, string[], string][] = [
  ["Inputs", ["input"], "Attributes of a vertex, or what the stage before sends"],
  ["Outputs", ["output", "position", "point-size"], "What the next stage gets"],
  ["Uniforms", ["uniform"], "Set by the program that draws"],
  ["Samplers and images", ["sampler", "image"], "Textures"],
  ["Constants", ["constant"], "Set by the file"],
  ["Others", ["built-in", "ignored"], "Known to the machine"],
];

export class Interface implements View {
  readonly element: HTMLElement;
  private readonly shown = new Shown();

  constructor(private readonly state: State) {
    this.element = h("div.interface-view.page");
  }

  forget(): void {
    this.shown.forget();
  }

  show(): void {
    const at = this.state.at();
    if (this.shown.is(at)) void this.draw(at);
  }

  private async draw(at: { file: number; item?: string }): Promise<void> {
    // A whole archive at once would take its time, and nobody reads that.
    if (!this.state.item() && (this.state.place.file?.listing.items.length ?? 0) > 16) {
      fill(this.element, h("p.quiet", null, "Choose a program to see what it reads and writes."));
      return;
    }
    let items: DecompiledItem[] = [];
    let failure: string | null = null;
    try {
      items = await this.state.library.source(at, { to: "glsl" });
    } catch (error) {
      failure = error instanceof Refused ? error.message : String(error);
    }
    if (!this.shown.still(at)) return;
    if (failure !== null) return fill(this.element, h("p.message", null, failure));
    fill(this.element, items.map((item) => this.program(item, items.length > 1)));
  }

  private program(item: DecompiledItem, several: boolean): HTMLElement {
    const tables = GROUPS.map(([title, kinds, note]) => {
      const rows = item.interface.filter((row) => kinds.includes(row.kind));
      return rows.length ? table(title, note, rows) : null;
    });
    const assumed = item.assumptions.length ? h("section", null, h("h3", null, "What the readable source assumes"), h("ul", null, item.assumptions.map((text) => h("li", null, text)))) : null;
    return h("article.program", null, h("h2.view-title", null, several ? `${item.item} ${item.kind}` : "Reads and writes"), tables.some(Boolean) ? tables : h("p.quiet", null, "It reads and writes nothing."), assumed);
  }
}

function table(title: string, note: string, rows: InterfaceItem[]): HTMLElement {
  const located = rows.some((row) => row.location !== undefined);
  const placed = rows.some((row) => row.offset !== undefined);
  const head = ["Name", "Type", ...(located ? ["Location"] : []), ...(placed ? ["Offset"] : []), "Machine"];
  return h(
    "section",
    null,
    h("h3", null, title, h("span.quiet", null, ` ${note}`)),
    h(
      "table",
      { "aria-label": title },
      h("thead", null, h("tr", null, head.map((text) => h("th", { scope: "col" }, text)))),
      h(
        "tbody",
        null,
        rows.map((row) =>
          h("tr", null, h("td.mono.name", null, row.name), h("td.mono", null, ["sampler", "image"].includes(row.kind) ? row.kind : row.type), located ? h("td.number", null, row.location ?? "") : null, placed ? h("td.number", null, row.offset === undefined ? "" : hex(row.offset, 2)) : null, h("td.mono.quiet", null, `${row.machine_space} ${row.machine_binding}[${hex(row.machine_word, 2)}]`)),
        ),
      ),
    ),
  );
}
