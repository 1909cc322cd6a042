// Disassembly, IR and source of a program side by side, lines linked, and its control-flow graph.

import { fill, h } from "../dom";
import { CodeView } from "../editor";
import { type At, Refused, type Target, isOurs } from "../library";
import type { State } from "../state";
import type { Graph, Links } from "../types";
import { begin, mark, picture } from "./graph";
import { Shown, type View } from "./view";

type Text = "disasm" | "ir" | "source";
type Pane = Text | "graph";

const TEXTS: Text[] = ["disasm", "ir", "source"];
const PANES: Pane[] = [...TEXTS, "graph"];
const TITLES: Record<Pane, string> = { disasm: "Disassembly", ir: "IR", source: "Source", graph: "Graph" };
/** What the links call the texts. */
const LINKED = { disasm: "listing", ir: "ir", source: "source" } as const;

const LANGUAGES: [string, string, Target][] = [
  ["glsl450", "GLSL 450", { to: "glsl", glsl: "450" }],
  ["glsl330", "GLSL 330", { to: "glsl", glsl: "330" }],
  ["es300", "GLSL ES 300", { to: "glsl", glsl: "es300" }],
  ["es100", "GLSL ES 100", { to: "glsl", glsl: "es100" }],
  ["hlsl", "HLSL", { to: "hlsl" }],
  ["msl", "MSL", { to: "msl" }],
  ["wgsl", "WGSL", { to: "wgsl" }],
];

const KEY = "unshade-panes";

interface Part {
  box: HTMLElement;
  message: HTMLElement;
  shown: Shown;
}

export class CodePane implements View {
  readonly element: HTMLElement;
  private readonly codes: Record<Text, CodeView>;
  private readonly parts: Record<Pane, Part>;
  private readonly toggles: Record<Pane, HTMLInputElement>;
  private readonly language: HTMLSelectElement;
  private readonly strict: HTMLInputElement;
  private readonly words: HTMLInputElement;
  private readonly grid: HTMLElement;
  private readonly drawn = h("div.graph-place.fitted");
  private readonly fitted = h("input", { type: "checkbox", checked: true, onchange: () => this.drawn.classList.toggle("fitted", this.fitted.checked) });
  private readonly linked = new Shown();
  private links: Links | null = null;
  private graph: Graph | null = null;

  constructor(private readonly state: State) {
    const draw = () => {
      this.remember();
      this.show();
    };
    const toggle = (pane: Pane) => h("input", { type: "checkbox", onchange: draw, "aria-label": `Show ${TITLES[pane]}` });
    this.toggles = { disasm: toggle("disasm"), ir: toggle("ir"), source: toggle("source"), graph: toggle("graph") };
    this.language = h("select", { "aria-label": "Language of the source", onchange: draw }, LANGUAGES.map(([value, title]) => h("option", { value }, title)));
    this.strict = h("input", { type: "checkbox", onchange: draw });
    this.words = h("input", { type: "checkbox", onchange: draw });
    const code = (pane: Text, label: string) =>
      new CodeView({
        label,
        language: pane === "source" ? "source" : "listing",
        onhover: (line) => this.point(pane, line, false),
        online: (line) => {
          if (pane === "disasm") this.state.note(line);
          this.point(pane, line, true);
        },
      });
    this.codes = { disasm: code("disasm", "Disassembly"), ir: code("ir", "Intermediate code"), source: code("source", "Decompiled source") };
    const part = (pane: Pane, body: HTMLElement, ...tools: HTMLElement[]): Part => {
      const message = h("div.pane-message", { hidden: true });
      const box = h("section.pane.read-only", { "aria-label": TITLES[pane] }, h("div.pane-head", null, h("h2", null, TITLES[pane]), h("div.spring"), tools), h("div.pane-body", null, body, message));
      return { box, message, shown: new Shown() };
    };
    const copy = (pane: Text) => h("button.quiet-button", { title: "Copy the text", "aria-label": `Copy ${TITLES[pane]}`, onclick: () => void navigator.clipboard?.writeText(this.codes[pane].text) }, "Copy");
    this.parts = {
      disasm: part("disasm", this.codes.disasm.element, h("label.check", null, this.words, "words"), copy("disasm")),
      ir: part("ir", this.codes.ir.element, copy("ir")),
      source: part("source", this.codes.source.element, h("label.check", { title: "Keeps every bit instead of being readable" }, this.strict, "bit-exact"), this.language, copy("source")),
      graph: part("graph", this.drawn, h("label.check", { title: "As wide as its pane, as far as it can be read then" }, this.fitted, "fit")),
    };
    this.grid = h("div.panes", null, PANES.map((pane) => this.parts[pane].box));
    const switches = PANES.map((pane) => h("label.check", null, this.toggles[pane], TITLES[pane]));
    this.element = h("div.code-view", null, h("div.toolbar", { role: "group", "aria-label": "Panes" }, switches), this.grid);
    this.recall();
  }

  show(): void {
    const open = PANES.filter((pane) => this.toggles[pane].checked);
    this.grid.style.gridTemplateColumns = `repeat(${Math.max(1, open.length)}, minmax(0, 1fr))`;
    for (const pane of PANES) this.parts[pane].box.hidden = !open.includes(pane);
    const texts = TEXTS.filter((pane) => open.includes(pane)).map((pane) => this.fill(pane));
    if (open.includes("graph")) void this.draw();
    void Promise.all(texts).then(() => this.link());
  }

  forget(): void {
    this.linked.forget();
    for (const pane of PANES) this.parts[pane].shown.forget();
  }

  private target(pane: Text): Target {
    const strict = this.strict.checked;
    return pane === "ir" ? { to: "ir", strict } : { ...LANGUAGES.find(([value]) => value === this.language.value)?.[2], strict };
  }

  private async fill(name: Text): Promise<void> {
    const { box, message, shown } = this.parts[name];
    const at = this.state.at();
    const target = this.target(name);
    const asked = name === "disasm" ? [at, this.words.checked] : [at, target];
    if (!shown.is(asked)) return;
    box.setAttribute("aria-busy", "true");
    let [text, failure] = ["", ""];
    try {
      text = name === "disasm" ? await this.state.library.disasm(at, this.words.checked) : await this.state.library.decompile(at, target);
    } catch (error) {
      failure = error instanceof Refused ? error.message : String(error);
    }
    if (!shown.still(asked)) return;
    box.removeAttribute("aria-busy");
    this.codes[name].setText(text);
    if (!text && !failure) failure = "No machine code in it.";
    message.hidden = !failure;
    message.textContent = failure;
    if (name === "disasm" && this.state.place.position !== null) this.codes[name].goTo(this.state.place.position);
  }

  private async draw(): Promise<void> {
    const { message, shown } = this.parts.graph;
    const at = this.state.at();
    if (!shown.is(at)) return;
    let failure = "";
    this.graph = null;
    try {
      if (!this.state.item()) throw new Error("Choose a program to see its graph.");
      this.graph = await this.state.library.graph(at);
    } catch (error) {
      failure = error instanceof Error ? error.message : String(error);
    }
    if (!shown.still(at)) return;
    if (this.graph) {
      fill(this.drawn, picture(this.graph, (line) => this.codes.disasm.goTo(line)));
      begin(this.drawn);
    } else fill(this.drawn);
    message.hidden = !failure;
    message.textContent = failure;
  }

  /** Which lines belong together; only of one program, whose texts are as they are linked. */
  private async link(): Promise<void> {
    const at: At = this.state.at();
    const target = this.target("source");
    if (!this.linked.is(at, target)) return;
    this.links = null;
    for (const pane of TEXTS) this.codes[pane].mark([]);
    if (!this.state.item()) return;
    const links = await this.state.library.links(at, isOurs(target) ? target : { strict: target.strict }).catch(() => null);
    if (this.linked.still(at, target)) this.links = links;
  }

  /** Lines in the other panes that belong to the one that is pointed at. Only our own printer knows its lines. */
  private point(from: Text, line: number | null, show: boolean): void {
    const { graph } = this;
    const linked = (pane: Text) => pane !== "source" || isOurs(this.target("source"));
    const links = linked(from) ? this.links : null;
    if (links) {
      const instructions = line === null ? [] : (links[LINKED[from]].lines[line - 1] ?? []);
      for (const pane of TEXTS.filter(linked)) {
        const lines = new Set(instructions.flatMap((at) => links.instructions[at]?.[LINKED[pane]] ?? []));
        this.codes[pane].mark([...lines].sort((a, b) => a - b).map((found) => [found + 1, "cm-linked"] as const), show && pane !== from);
      }
    }
    if (graph) {
      const listed = from === "disasm" ? line : line === null ? null : (links?.instructions[links[LINKED[from]].lines[line - 1]?.[0] ?? -1]?.listing[0] ?? -1) + 1;
      mark(this.drawn, graph, listed);
    }
  }

  private remember(): void {
    try {
      localStorage.setItem(KEY, JSON.stringify([...PANES.map((pane) => this.toggles[pane].checked), this.language.value]));
    } catch {
      // Nothing is remembered then.
    }
  }

  private recall(): void {
    let said: unknown = null;
    try {
      said = JSON.parse(localStorage.getItem(KEY) ?? "null");
    } catch {
      // As it is without.
    }
    const kept = Array.isArray(said) ? said : [true, innerWidth >= 1700, true, false, "glsl450"];
    PANES.forEach((pane, at) => (this.toggles[pane].checked = kept[at] === true));
    if (LANGUAGES.some(([value]) => value === kept[PANES.length])) this.language.value = kept[PANES.length];
  }
}
