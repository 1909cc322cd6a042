// A run of a program, forwards and backwards: the listing with the next step, the registers with what changed.

import { type Command, type Numbers, type Register, type Variable, type View as Where, bitsOf, spot, withWord } from "../debug";
import { fill, h, number } from "../dom";
import { CodeView, type LineMark } from "../editor";
import { type At, Refused } from "../library";
import type { State } from "../state";
import { Shown, type View } from "./view";

const FORMATS = ["auto", "float", "int", "hex", "colour"] as const;
type Format = (typeof FORMATS)[number];

const FILES: [Register["file"], string][] = [
  ["temporary", "Registers"],
  ["result", "Results of units"],
  ["address", "Addresses and loops"],
  ["flag", "Flags"],
  ["input", "Inputs"],
  ["output", "Outputs"],
  ["uniform", "Uniforms"],
  ["memory", "Memory"],
];

const ACTIONS: { key: string; title: string; label: string; command: Command }[] = [
  { key: "g", title: "To the start", label: "|◀", command: { command: "start" } },
  { key: "r", title: "Back to a breakpoint", label: "◀◀", command: { command: "reverse" } },
  { key: "b", title: "A step back", label: "◀", command: { command: "back" } },
  { key: "s", title: "A step forward", label: "▶", command: { command: "step" } },
  { key: "n", title: "Forward over calls", label: "over", command: { command: "next" } },
  { key: "p", title: "Back over calls", label: "back over", command: { command: "back-over" } },
  { key: "o", title: "Forward out of the call", label: "out", command: { command: "out" } },
  { key: "u", title: "Back to the call", label: "to call", command: { command: "back-out" } },
  { key: "c", title: "Forward to a breakpoint", label: "▶▶", command: { command: "continue" } },
  { key: "G", title: "To the end", label: "▶|", command: { command: "end" } },
];

export class Debug implements View {
  readonly element: HTMLElement;
  private readonly shown = new Shown();
  private readonly code: CodeView;
  private readonly inputs: CodeView;
  private readonly registers = h("div.registers.pane-scroll", { tabindex: 0, role: "region", "aria-label": "Registers" });
  private readonly below = h("div.debug-below.pane-scroll", { tabindex: 0, role: "region", "aria-label": "What the run has open and gives" });
  private readonly told = h("span.debug-told", { role: "status" });
  private readonly step = h("input.mono", { "aria-label": "Steps done", inputmode: "numeric", onchange: () => void this.go({ command: "goto", step: Math.max(0, Number(this.step.value) || 0) }) });
  private readonly format = h("select", { "aria-label": "How numbers are shown", onchange: () => this.draw() }, FORMATS.map((value) => h("option", { value }, value)));
  private readonly quad = h("input", { type: "checkbox", onchange: () => void this.start(this.text) });
  private readonly message = h("div.pane-message", { hidden: true });
  private readonly inputsMessage = h("span.error-text", { role: "alert" });
  private readonly inputsPane: HTMLElement;
  private readonly inputsShown = h("input", { type: "checkbox", onchange: () => (this.inputsPane.hidden = !this.inputsShown.checked) });
  private at: At = { file: 0 };
  private run: number | null = null;
  /** Where chance starts for the inputs that are drawn. */
  private seed = 0;
  private text = "{}";
  private words: (number | null)[] = [];
  private where: Where | null = null;
  /** One command after the other. */
  private queue: Promise<unknown> = Promise.resolve();

  constructor(private readonly state: State) {
    this.code = new CodeView({ label: "Listing of the run", language: "listing", ongutter: (line) => void this.toggle(line) });
    this.inputs = new CodeView({ label: "Inputs of the run as JSON", language: "source", onchange: () => undefined });
    const buttons = ACTIONS.map(({ key, title, label, command }) => h("button", { title: `${title} (${key})`, "aria-label": /^[a-z]/.test(label) ? `${title}: ${label}` : title, onclick: () => void this.go(command) }, label));
    const apply = h("button.primary", { onclick: () => void this.start(this.inputs.text) }, "Run with these");
    const chance = h("button", { title: "Others each time", onclick: () => void this.fresh(++this.seed) }, "Inputs of chance");
    const zero = h("button", { onclick: () => void this.start("{}") }, "All 0");
    this.inputsPane = h("section.pane.inputs", { "aria-label": "Inputs", hidden: true }, h("div.pane-head", null, h("h2", null, "Inputs"), h("div.spring"), this.inputsMessage, zero, chance, apply), h("div.pane-body", null, this.inputs.element));
    this.element = h(
      "div.debug-view",
      null,
      h("div.toolbar", { role: "group", "aria-label": "Run" }, h("span.buttons", null, buttons), h("label.side", null, "step", this.step), this.format, h("label.check.quad", null, this.quad, "quad"), h("label.check", null, this.inputsShown, "inputs"), this.told),
      h("div.debug-panes", null, h("div.debug-left", null, h("section.pane.read-only", { "aria-label": "Listing" }, h("div.pane-head", null, h("h2", null, "Listing"), h("span.quiet", null, "press a line's number for a breakpoint")), h("div.pane-body", null, this.code.element)), this.inputsPane), h("section.pane", { "aria-label": "Values" }, h("div.pane-head", null, h("h2", null, "Variables and registers")), h("div.pane-body.column", null, this.registers, this.below, this.message))),
    );
    this.element.addEventListener("keydown", (event) => this.key(event));
  }

  forget(): void {
    this.shown.forget();
  }

  show(): void {
    const at = this.state.at();
    if (this.shown.is(at)) {
      this.at = at;
      void this.fresh();
    } else if (this.where && this.state.place.position !== null && this.state.place.position !== this.where.step) {
      void this.go({ command: "goto", step: this.state.place.position });
    }
  }

  hide(): void {
    // Its states take memory; where it was, the address knows.
    if (this.run !== null) void this.state.library.debugEnd(this.run);
    this.run = null;
    this.shown.forget();
  }

  /** Starts anew with inputs of chance, others for every seed. */
  private async fresh(seed = 0): Promise<void> {
    const { at } = this;
    if (!this.state.item()) return this.refuse("Choose a program to run it.");
    try {
      const inputs = await this.state.library.inputs(at, seed);
      if (this.shown.still(at)) await this.start(JSON.stringify(JSON.parse(inputs), null, 1));
    } catch (error) {
      if (this.shown.still(at)) this.refuse(error instanceof Refused ? error.message : String(error));
    }
  }

  private refuse(why: string): void {
    this.where = null;
    this.code.setText("");
    this.message.hidden = false;
    this.message.textContent = why;
    this.told.textContent = "";
  }

  /** Starts a run, at the step where the last one was. */
  private async start(inputs: string): Promise<void> {
    const { at } = this;
    const step = this.where?.step ?? this.state.place.position ?? 0;
    const breakpoints = this.where?.breakpoints ?? [];
    const item = this.state.item();
    this.element.querySelector<HTMLElement>(".quad")!.hidden = item?.kind !== "fragment";
    try {
      const document = JSON.parse(inputs || "{}") as Record<string, unknown>;
      const asked = this.quad.checked && item?.kind === "fragment" ? JSON.stringify("in" in document ? { ...document, lanes: 4 } : { in: document, lanes: 4 }) : inputs;
      if (this.run !== null) await this.state.library.debugEnd(this.run);
      this.run = null;
      const { run, listing, reply } = await this.state.library.debugStart(at, asked);
      if (!this.shown.still(at)) return void this.state.library.debugEnd(run);
      this.run = run;
      this.text = inputs;
      this.inputsMessage.textContent = "";
      if (this.inputs.text !== inputs) this.inputs.setText(inputs);
      this.words = listing.lines.map(({ word }) => word);
      const text = listing.lines.map(({ parts }) => parts.map(({ text }) => text).join("")).join("\n");
      if (this.code.text !== text) this.code.setText(text);
      this.message.hidden = true;
      if ("error" in reply) return this.refuse(reply.error);
      this.where = reply;
      for (const { word, condition } of breakpoints) await this.state.library.debug(run, { command: "break", at: String(word), ...(condition ? { condition } : {}) });
      if (step > 0) await this.go({ command: "goto", step });
      else this.draw();
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      if (this.where) this.inputsMessage.textContent = why;
      else this.refuse(why);
    }
  }

  private go(command: Command): Promise<void> {
    const next = this.queue.then(async () => {
      if (this.run === null) return;
      const reply = await this.state.library.debug(this.run, command);
      if ("error" in reply) {
        this.told.textContent = reply.error;
        return;
      }
      this.where = reply;
      this.state.note(reply.step);
      this.draw();
    });
    this.queue = next.catch(() => undefined);
    return next;
  }

  /** A breakpoint at a line, or none. */
  private async toggle(line: number): Promise<void> {
    const word = this.words[line - 1];
    if (word === null || word === undefined) return;
    const there = this.where?.breakpoints.find((breakpoint) => breakpoint.word === word);
    await this.go(there ? { command: "delete", id: there.id } : { command: "break", at: String(word) });
  }

  private key(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    if (target.matches("input:not([type=checkbox]), select") || target.closest(".inputs") || event.ctrlKey || event.metaKey || event.altKey) return;
    const action = ACTIONS.find(({ key }) => key === event.key);
    const button = target.matches("button");
    if (action) void this.go(action.command);
    else if (event.key === "f") {
      this.format.selectedIndex = (this.format.selectedIndex + 1) % FORMATS.length;
      this.draw();
    } else if (event.key === " " && !button && !target.matches("input")) void this.toggle(this.code.line);
    else if (event.key === "Enter" && !button) {
      const word = this.words[this.code.line - 1];
      if (word !== null && word !== undefined) void this.go({ command: "until", at: String(word) });
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  private draw(): void {
    const { where } = this;
    if (!where) return;
    const next = where.next?.line ?? null;
    const marks: LineMark[] = where.breakpoints.filter(({ line }) => line !== null && line !== next).map(({ line }) => [line!, "cm-break"]);
    this.code.mark(next === null ? marks : [[next, "cm-next"], ...marks], true);
    this.step.value = String(where.step);
    const ended = where.ended ? (where.ended.finished ? "the program ended" : (where.ended.why ?? "stopped")) : (where.next?.text ?? "");
    const reason = where.stop.reason === "breakpoint" ? `breakpoint ${where.stop.breakpoint}: ` : "";
    this.told.textContent = `${reason}${ended}`;
    fill(this.registers, this.variables(where.variables), FILES.map(([file, title]) => this.group(title, where.registers.filter((register) => register.file === file))));
    const stack = where.stack.map(({ kind, text }) => h("li", null, h("strong", null, kind), ` ${text}`));
    const outputs = Object.entries(where.outputs).flatMap(([space, value]) =>
      typeof value === "object" && value !== null && !Array.isArray(value)
        ? Object.entries(value).map(([key, words]) => this.output(`${space} ${key}`, words, where.outputs_changed.includes(`${space}.${key}`)))
        : [this.output(space, value, where.outputs_changed.includes(space))],
    );
    fill(this.below, stack.length ? h("section", null, h("h3", null, "Open"), h("ul", null, stack)) : null, h("section", null, h("h3", null, "Leaves the program"), h("table", { "aria-label": "Outputs" }, h("tbody", null, outputs))));
  }

  private output(name: string, value: unknown, changed: boolean): HTMLElement {
    const words = typeof value === "string" && /^[0-9a-f]{8}(?: [0-9a-f]{8})*$/.test(value) ? value.split(" ").map((bits) => floatOf(bits)).join("  ") : JSON.stringify(value);
    const register = this.where?.registers.find((register) => register.name === name.replace(" ", ""));
    const label = register?.label ? h("span.quiet", null, ` ${register.label}`) : null;
    return h("tr", { class: changed ? "changed-row" : "" }, h("th.mono", { scope: "row" }, register?.name ?? name, label), h("td.mono", null, words.slice(0, 400)));
  }

  /** The variables of the source: those that are found, and in one line the names of the others. */
  private variables(variables: Variable[]): HTMLElement | null {
    if (!variables.length) return null;
    const found = variables.filter(({ available }) => available !== 0);
    const others = variables.filter(({ available }) => available === 0).map(qualified);
    const table = found.length ? h("table.register-table", { "aria-label": "Variables" }, h("tbody", null, found.map((variable) => this.variable(variable)))) : null;
    const lacking = others.length ? h("p.quiet.variables-lacking", { title: "No register holds them as the source has them: the code folds them into other values, or counts with them apart from the registers" }, `Not available: ${others.join(", ")}`) : null;
    return h("section.variables", null, h("h3", null, "Variables"), table, lacking);
  }

  private variable(variable: Variable): HTMLElement {
    const format = this.format.value as Format;
    const assigned = variable.values[0]?.some((word) => word !== null);
    const [held, why] = variable.place ? [variable.place, "the registers that hold it"] : ["gone", "in no register any more"];
    const lanes = variable.values.map((words, lane) => {
      const cells = words.map((word, component) => {
        const changed = ((variable.changed[lane] ?? 0) >> component) & 1;
        const letter = "xyzw"[component] ?? String(component);
        if (!word) return h("span.word.quiet", { title: (variable.available >> component) & 1 ? `${letter}: not assigned yet` : `${letter}: not available` }, "–");
        return h("span", { class: `word${changed ? " word-changed" : ""}`, title: `${letter}: ${word.float}, ${word.int}, 0x${word.bits}` }, variable.type.startsWith("b") ? (word.int ? "true" : "false") : textOf(word, variable.kind, format));
      });
      const known = words.filter((word) => word !== null);
      const swatch = format === "colour" && words.length >= 3 && known.length === words.length ? h("span.colour", { style: `background:${colour(known)}`, role: "img", "aria-label": "colour" }) : null;
      // Beside the values where there is room, else below them.
      const place = lane === 0 && assigned ? h("span.place.quiet.mono", { title: why }, held) : null;
      return h("td.mono", { class: this.where?.next && !this.where.next.active[lane] ? "asleep" : "" }, h("span.words", null, swatch, cells), place);
    });
    return h("tr", null, h("th.mono", { scope: "row", title: `${variable.type} ${qualified(variable)}` }, qualified(variable), h("span.quiet", null, ` ${variable.type}`)), lanes);
  }

  private group(title: string, registers: Register[]): HTMLElement | null {
    if (!registers.length) return null;
    return h("section", null, h("h3", null, title), h("table.register-table", { "aria-label": title }, h("tbody", null, registers.map((register) => this.register(register)))));
  }

  private register(register: Register): HTMLElement {
    const format = this.format.value as Format;
    const place = spot(this.state.item()?.isa ?? "", register);
    const lanes = register.values.map((words, lane) => {
      const cells = words.map((word, component) => this.cell(register, word, lane, component, format, lane === 0 ? place : null));
      const swatch = format === "colour" && words.length >= 3 ? h("span.colour", { style: `background:${colour(words)}`, role: "img", "aria-label": "colour" }) : null;
      return h("td.mono", { class: this.where?.next && !this.where.next.active[lane] ? "asleep" : "" }, h("span.words", null, swatch, cells));
    });
    return h("tr", null, h("th.mono", { scope: "row", title: register.label ?? "" }, register.name, register.label ? h("span.quiet", null, ` ${register.label}`) : null), lanes);
  }

  private cell(register: Register, word: Numbers, lane: number, component: number, format: Format, place: ReturnType<typeof spot>): HTMLElement {
    const changed = ((register.changed[lane] ?? 0) >> component) & 1;
    const read = (register.read >> component) & 1;
    const text = textOf(word, register.kind, format);
    const classes = `word${changed ? " word-changed" : ""}${read ? " word-read" : ""}`;
    const title = `${"xyzw"[component] ?? component}: ${word.float}, ${word.int}, 0x${word.bits}`;
    if (!place) return h("span", { class: classes, title }, text);
    // What goes in can be changed: the run starts anew and comes back to this step.
    const name = `${register.name}.${"xyzw"[component] ?? component}`;
    const edit = () => {
      const input = h("input.mono.word-edit", { value: word.float, "aria-label": `${name}: a float, 3i an integer, 0x… bits` });
      const done = (take: boolean) => {
        const bits = take ? bitsOf(input.value) : null;
        if (take && bits === null) return input.setAttribute("aria-invalid", "true");
        if (bits !== null && bits !== word.bits) void this.start(withWord(this.text, place, component, bits));
        else this.draw();
      };
      input.addEventListener("keydown", (event) => {
        if (event.key === "Enter") done(true);
        if (event.key === "Escape") done(false);
      });
      input.addEventListener("blur", () => input.isConnected && done(false));
      button.replaceWith(input);
      input.select();
    };
    const button: HTMLElement = h("button.word-input", { class: classes, title: `${title}; press to change`, onclick: edit }, text);
    return button;
  }
}

function qualified({ name, function: around }: Variable): string {
  return around === null ? name : `${around}.${name}`;
}

function textOf(word: Numbers, kind: Register["kind"], format: Format): string {
  if (format === "hex") return word.bits;
  if (format === "int") return number(word.int);
  if (format === "float" || format === "colour" || kind === "float") return short(word.float);
  if (kind === "int" || kind === "flag") return String(word.int);
  if (/^7f800000$|^ff800000$/.test(word.bits)) return word.bits.startsWith("f") ? "-∞" : "∞";
  const value = Math.abs(Number(word.float));
  return word.int === 0 || (value > 1e-9 && value < 1e12) ? short(word.float) : `0x${word.bits}`;
}

/** Seven digits are what a float has. */
function short(text: string): string {
  const value = Number(text);
  return text.length > 10 && Number.isFinite(value) ? String(Number(value.toPrecision(7))) : text;
}

function floatOf(bits: string): string {
  const view = new DataView(new ArrayBuffer(4));
  view.setUint32(0, parseInt(bits, 16));
  return String(Number(view.getFloat32(0).toPrecision(7)));
}

function colour(words: Numbers[]): string {
  const parts = words.slice(0, 3).map((word) => Math.round(Math.max(0, Math.min(1, Number(word.float) || 0)) * 255));
  return `rgb(${parts.join(" ")})`;
}
