// Disassembly, IR and source of a program, side by side.

import { h } from "../dom";
import { CodeView } from "../editor";
import { Refused, type Target } from "../library";
import type { State } from "../state";
import { Shown, type View } from "./view";

type Pane = "disasm" | "ir" | "source";

const LANGUAGES: [string, string, Target][] = [
  ["glsl450", "GLSL 450", { to: "glsl", glsl: "450" }],
  ["glsl330", "GLSL 330", { to: "glsl", glsl: "330" }],
  ["es300", "GLSL ES 300", { to: "glsl", glsl: "es300" }],
  ["es100", "GLSL ES 100", { to: "glsl", glsl: "es100" }],
];

const KEY = "unshade-panes";

export class CodePane implements View {
  readonly element: HTMLElement;
  private readonly panes: Record<Pane, { box: HTMLElement; code: CodeView; message: HTMLElement; shown: Shown }>;
  private readonly toggles: Record<Pane, HTMLInputElement>;
  private readonly language: HTMLSelectElement;
  private readonly strict: HTMLInputElement;
  private readonly words: HTMLInputElement;
  private readonly grid: HTMLElement;

  constructor(private readonly state: State) {
    const draw = () => {
      this.remember();
      this.show();
    };
    const toggle = (title: string) => h("input", { type: "checkbox", onchange: draw, "aria-label": `Show ${title}` });
    this.toggles = { disasm: toggle("disassembly"), ir: toggle("IR"), source: toggle("source") };
    this.language = h("select", { "aria-label": "Language of the source", onchange: draw }, LANGUAGES.map(([value, title]) => h("option", { value }, title)));
    this.strict = h("input", { type: "checkbox", onchange: draw });
    this.words = h("input", { type: "checkbox", onchange: draw });
    const pane = (title: string, label: string, language: "listing" | "source", ...tools: HTMLElement[]) => {
      const code = new CodeView({ label, language, online: (line) => language === "listing" && title === "Disassembly" && this.state.note(line) });
      const message = h("div.pane-message", { hidden: true });
      const box = h("section.pane.read-only", { "aria-label": label }, h("div.pane-head", null, h("h2", null, title), h("div.spring"), tools), h("div.pane-body", null, code.element, message));
      return { box, code, message, shown: new Shown() };
    };
    const copy = (pane: Pane) => h("button.quiet-button", { title: "Copy the text", onclick: () => void navigator.clipboard?.writeText(this.panes[pane].code.text) }, "Copy");
    this.panes = {
      disasm: pane("Disassembly", "Disassembly", "listing", h("label.check", null, this.words, "words"), copy("disasm")),
      ir: pane("IR", "Intermediate code", "listing", copy("ir")),
      source: pane("Source", "Decompiled source", "source", h("label.check", { title: "Keeps every bit instead of being readable" }, this.strict, "bit-exact"), this.language, copy("source")),
    };
    this.grid = h("div.panes", null, this.panes.disasm.box, this.panes.ir.box, this.panes.source.box);
    const switches = (["disasm", "ir", "source"] as const).map((pane) => h("label.check", null, this.toggles[pane], { disasm: "Disassembly", ir: "IR", source: "Source" }[pane]));
    this.element = h("div.code-view", null, h("div.toolbar", { role: "group", "aria-label": "Panes" }, switches), this.grid);
    this.recall();
  }

  show(): void {
    const count = (Object.keys(this.panes) as Pane[]).filter((pane) => this.toggles[pane].checked).length;
    this.grid.style.gridTemplateColumns = `repeat(${Math.max(1, count)}, minmax(0, 1fr))`;
    for (const pane of Object.keys(this.panes) as Pane[]) {
      const on = this.toggles[pane].checked;
      this.panes[pane].box.hidden = !on;
      if (on) void this.fill(pane);
    }
  }

  forget(): void {
    for (const pane of Object.values(this.panes)) pane.shown.forget();
  }

  private async fill(name: Pane): Promise<void> {
    const pane = this.panes[name];
    const at = this.state.at();
    const target: Target = name === "ir" ? { to: "ir", strict: this.strict.checked } : { ...LANGUAGES.find(([value]) => value === this.language.value)?.[2], strict: this.strict.checked };
    const asked = name === "disasm" ? [at, this.words.checked] : [at, target];
    if (!pane.shown.is(asked)) return;
    pane.box.setAttribute("aria-busy", "true");
    let [text, failure] = ["", ""];
    try {
      text = name === "disasm" ? await this.state.library.disasm(at, this.words.checked) : await this.state.library.decompile(at, target);
    } catch (error) {
      failure = error instanceof Refused ? error.message : String(error);
    }
    if (!pane.shown.still(asked)) return;
    pane.box.removeAttribute("aria-busy");
    pane.code.setText(text);
    if (!text && !failure) failure = "No machine code in it.";
    pane.message.hidden = !failure;
    pane.message.textContent = failure;
    if (name === "disasm" && this.state.place.position !== null) pane.code.goTo(this.state.place.position);
  }

  private remember(): void {
    const { disasm, ir, source } = this.toggles;
    try {
      localStorage.setItem(KEY, JSON.stringify([disasm.checked, ir.checked, source.checked, this.language.value]));
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
    const [disasm, ir, source, language] = Array.isArray(said) ? said : [true, innerWidth >= 1700, true, "glsl450"];
    this.toggles.disasm.checked = disasm === true;
    this.toggles.ir.checked = ir === true;
    this.toggles.source.checked = source === true;
    if (LANGUAGES.some(([value]) => value === language)) this.language.value = language;
  }
}
