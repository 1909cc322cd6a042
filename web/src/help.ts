// What the keys do.

import { h } from "./dom";
import { VIEWS } from "./state";

const KEYS: [string, [string, string][]][] = [
  ["Files", [["o", "open files"], ["/", "search programs"], ["p", "to the tree of programs"], ["j  k", "next, previous stage"], ["Delete", "close the file of the tree's row"]]],
  ["Tree", [["↑ ↓", "move"], ["Enter", "show"], ["← →", "fold and unfold; along the stages of a program"]]],
  ["Views", [...VIEWS.map(({ key, title }): [string, string] => [key, title]), ["v", "into the view"]]],
  ["Code", [["Ctrl+F", "search in the text"], ["Esc", "close the search"], ["Tab", "to the next pane"]]],
  ["Structure", [["↑ ↓ ← →", "along fields, or along bytes"], ["Enter", "change the value of the field"]]],
  ["Debug", [["s  b", "a step forward, back"], ["n  p", "the same over calls"], ["o  u", "out of the call, back to it"], ["c  r", "forward, back to a breakpoint"], ["g  G", "to the start, to the end"], ["Space", "breakpoint at the cursor"], ["Enter", "run to the cursor"], ["f", "float, int, hex, colour"]]],
  ["Changes", [["Ctrl+Enter", "assemble the text into the file"], ["u", "take the last change back"], ["r", "make it again"]]],
  ["Page", [["t", "light or dark"], ["?", "this list"]]],
];

export class Help {
  readonly element: HTMLDialogElement;

  constructor() {
    const groups = KEYS.map(([title, keys]) =>
      h("section", null, h("h3", null, title), h("dl", null, keys.map(([key, what]) => [h("dt", null, h("kbd", null, key)), h("dd", null, what)]).flat())),
    );
    this.element = h("dialog.help", { "aria-labelledby": "help-title" }, h("div.help-head", null, h("h2", { id: "help-title" }, "Keyboard"), h("button.icon", { "aria-label": "Close", onclick: () => this.toggle() }, "×")), h("div.help-groups", null, groups));
    this.element.addEventListener("click", (event) => event.target === this.element && this.toggle());
  }

  get open(): boolean {
    return this.element.open;
  }

  toggle(): void {
    if (this.element.open) this.element.close();
    else this.element.showModal();
  }
}
