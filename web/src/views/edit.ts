// Values by name, and a program's assembly: changed in place, told what is wrong while typing, saved as a file.

import { h, later } from "../dom";
import { CodeView } from "../editor";
import { type At, Refused } from "../library";
import { VirtualList } from "../list";
import { type State, innerOf } from "../state";
import type { Named } from "../types";
import { Shown, type View } from "./view";

export class Edit implements View {
  readonly element: HTMLElement;
  private readonly names = new Shown();
  private readonly program = new Shown();
  private readonly filter = h("input", { type: "search", placeholder: "Filter", "aria-label": "Filter names", oninput: () => this.rows() });
  private readonly list: VirtualList;
  private readonly message = h("div.pane-message", { hidden: true });
  private readonly code: CodeView;
  private readonly codeMessage = h("div.edit-status", { role: "status" });
  private readonly apply = h("button.primary", { title: "Assemble into the file (Ctrl+Enter)", onclick: () => void this.assemble() }, "Assemble");
  private readonly undo = h("button", { title: "Take the last change back (u)", onclick: () => this.state.place.file && void this.state.undo(this.state.place.file) }, "Undo");
  private readonly redo = h("button", { title: "Make it again (r)", onclick: () => this.state.place.file && void this.state.redo(this.state.place.file) }, "Redo");
  private readonly save = h("button.primary", { onclick: () => void this.download() }, "Download");
  private readonly error = h("div.edit-error.error-text", { role: "alert" });
  private readonly told = h("span.quiet");
  private all: Named[] = [];
  private filtered: Named[] = [];
  /** What is being typed, by name: lists draw their rows anew. */
  private readonly typed = new Map<string, { value: string; error: string }>();
  private readonly soon = later(200);
  private at: At = { file: 0 };
  private text = "";

  constructor(private readonly state: State) {
    this.list = new VirtualList({ height: 34, render: (index) => this.row(index) }, { role: "group", "aria-label": "Names with values", class: "names" });
    this.code = new CodeView({ label: "Assembly to change", language: "listing", onchange: (text) => this.changed(text), findings: (text) => this.findings(text) });
    this.code.element.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        event.stopPropagation();
        void this.assemble();
      }
    }, true);
    this.element = h(
      "div.edit-view",
      null,
      h("div.toolbar", null, this.told, h("div.spring"), this.undo, this.redo, this.save),
      h("section.pane", { "aria-label": "Values" }, h("div.pane-head", null, h("h2", null, "Values"), h("div.spring"), this.filter), h("div.pane-body.column", null, this.list.element, this.error, this.message)),
      h("section.pane", { "aria-label": "Assembly" }, h("div.pane-head", null, h("h2", null, "Assembly"), h("div.spring"), this.codeMessage, this.apply), h("div.pane-body", null, this.code.element)),
    );
  }

  forget(): void {
    this.names.forget();
    this.program.forget();
    this.typed.clear();
    this.error.textContent = "";
  }

  show(): void {
    const { file } = this.state.place;
    const at = { file: this.state.current(), item: innerOf(this.state.place.item) };
    const changes = (file?.versions.length ?? 1) - 1;
    this.told.textContent = changes ? `${changes} change${changes === 1 ? "" : "s"}, not saved until you download the file` : "Nothing is changed yet";
    this.undo.disabled = changes === 0;
    this.redo.disabled = !file?.undone.length;
    this.save.disabled = changes === 0;
    if (this.names.is(at)) void this.load(at);
    if (this.program.is(this.state.at())) void this.listing(this.state.at());
  }

  private async load(at: At): Promise<void> {
    let failure = "";
    try {
      this.all = (await this.state.library.names(at)).filter(({ value }) => value !== undefined && value !== null);
    } catch (error) {
      this.all = [];
      failure = error instanceof Refused ? error.message : String(error);
    }
    if (!this.names.still(at)) return;
    this.at = at;
    this.message.hidden = !failure && this.all.length > 0;
    this.message.textContent = failure || "Nothing in this file has a name and a value; fields can be changed in the structure.";
    this.rows();
  }

  private rows(): void {
    const word = this.filter.value.toLowerCase();
    this.filtered = this.all.filter(({ name, own }) => `${name} ${own ?? ""}`.toLowerCase().includes(word));
    this.list.setCount(this.filtered.length);
  }

  private row(index: number): HTMLElement {
    const { name, own, value } = this.filtered[index]!;
    const typed = this.typed.get(name);
    const input = h("input.mono", {
      value: typed?.value ?? value ?? "",
      "aria-label": `Value of ${name}`,
      spellcheck: "false",
      "aria-invalid": typed?.error ? "true" : null,
      oninput: () => {
        const now = { value: input.value, error: "" };
        this.typed.set(name, now);
        this.soon(() => void this.try(name, now, input));
      },
      onkeydown: (event: KeyboardEvent) => {
        if (event.key === "Enter") void this.set(name, input.value, input);
        if (event.key === "Escape") {
          this.typed.delete(name);
          this.error.textContent = "";
          this.list.refresh();
        }
      },
    });
    return h("div.name-row", { class: typed ? "typed" : "" }, h("span.mono.name", { title: name }, name, own && !name.includes(own) ? h("span.quiet", null, ` "${own}"`) : null), input, h("button.quiet-button", { "aria-label": `Set ${name}`, onclick: () => void this.set(name, input.value, input) }, "Set"));
  }

  /** Whether a value can be: said while it is typed. */
  private async try(name: string, now: { value: string; error: string }, input: HTMLInputElement): Promise<void> {
    try {
      const made = await this.state.library.edit(this.at, [[name, now.value]]);
      void this.state.library.close(made.file);
      now.error = "";
    } catch (failure) {
      now.error = failure instanceof Error ? failure.message : String(failure);
    }
    this.error.textContent = now.error ? `${name}: ${now.error}` : "";
    if (now.error) input.setAttribute("aria-invalid", "true");
    else input.removeAttribute("aria-invalid");
  }

  private async set(name: string, value: string, input: HTMLInputElement): Promise<void> {
    const { file } = this.state.place;
    if (!file) return;
    try {
      const made = await this.state.library.edit(this.at, [[name, value]]);
      if (!made.report.changes.length) {
        void this.state.library.close(made.file);
        this.typed.delete(name);
        return;
      }
      await this.state.changed(file, made.file, made.bytes);
    } catch (failure) {
      this.error.textContent = `${name}: ${failure instanceof Error ? failure.message : String(failure)}`;
      input.setAttribute("aria-invalid", "true");
    }
  }

  private async listing(at: At): Promise<void> {
    const one = this.state.item() !== null;
    let text = "";
    let failure = "";
    if (one) {
      try {
        text = await this.state.library.disasm(at);
      } catch (error) {
        failure = error instanceof Refused ? error.message : String(error);
      }
    } else failure = "Choose a program to change its code.";
    if (!this.program.still(at)) return;
    this.text = text;
    this.code.setText(text);
    this.codeMessage.textContent = failure;
    this.apply.disabled = true;
  }

  private changed(text: string): void {
    const differs = text !== this.text;
    this.apply.disabled = !differs || this.state.item() === null;
    this.codeMessage.textContent = differs ? "changed, not assembled yet" : "";
  }

  private async findings(text: string) {
    if (text === this.text || this.state.item() === null) return [];
    try {
      const found = await this.state.library.assemblyErrors(this.state.at(), text);
      this.codeMessage.textContent = found.length ? `${found.length} ${found.length === 1 ? "error" : "errors"}` : "assembles";
      this.apply.disabled = found.length > 0;
      return found;
    } catch {
      return [];
    }
  }

  private async assemble(): Promise<void> {
    const { file } = this.state.place;
    if (!file || this.code.text === this.text) return;
    try {
      const made = await this.state.library.assemble(this.state.at(), this.code.text);
      await this.state.changed(file, made.file, made.bytes);
      this.codeMessage.textContent = "assembled into the file";
    } catch (error) {
      this.codeMessage.textContent = error instanceof Error ? error.message : String(error);
    }
  }

  private async download(): Promise<void> {
    const { file } = this.state.place;
    if (!file) return;
    const bytes = await this.state.library.bytes(this.state.current(file));
    const address = URL.createObjectURL(new Blob([bytes], { type: "application/octet-stream" }));
    const link = h("a", { href: address, download: file.name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
  }
}
