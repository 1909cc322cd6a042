// A view of code: CodeMirror with the page's colours, for reading or writing.

import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { type Diagnostic as Mark, lintGutter, linter } from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState, type Extension, RangeSetBuilder, StateEffect, StateField } from "@codemirror/state";
import {
  Decoration,
  type DecorationSet,
  EditorView,
  drawSelection,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { highlighting, listingLanguage, sourceLanguage } from "./syntax";
import type { Diagnostic } from "./types";

export type Language = "listing" | "source";

const theme = EditorView.theme({
  "&": { height: "100%", color: "var(--text)", backgroundColor: "transparent", fontSize: "var(--code-size)" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.5" },
  ".cm-gutters": { backgroundColor: "var(--raised)", color: "var(--faint)", border: "none" },
  ".cm-lineNumbers .cm-gutterElement": { padding: "0 10px 0 12px", minWidth: "38px" },
  ".cm-activeLine": { backgroundColor: "var(--line)" },
  ".cm-activeLineGutter": { backgroundColor: "var(--line)", color: "var(--text)" },
  "&.cm-focused": { outline: "none" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  ".cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground": {
    backgroundColor: "var(--selection) !important",
  },
  ".cm-linked": { backgroundColor: "var(--linked)" },
  ".cm-next": { backgroundColor: "var(--linked) !important", boxShadow: "inset 3px 0 var(--warn)" },
  ".cm-break": { backgroundColor: "var(--bad-soft)", boxShadow: "inset 3px 0 var(--bad)" },
  ".cm-panels": { backgroundColor: "var(--raised)", color: "var(--text)", borderColor: "var(--border)" },
  ".cm-panels input, .cm-panels button": { fontFamily: "var(--sans)" },
  ".cm-textfield": { backgroundColor: "var(--field)", color: "var(--text)", border: "1px solid var(--border)", borderRadius: "4px" },
  ".cm-button": { backgroundImage: "none", backgroundColor: "var(--field)", color: "var(--text)", border: "1px solid var(--border)", borderRadius: "4px" },
  ".cm-tooltip": { backgroundColor: "var(--raised)", color: "var(--text)", border: "1px solid var(--border)" },
  ".cm-selectionMatch": { backgroundColor: "var(--match)" },
});

/** A line with what makes it stand out. */
export type LineMark = readonly [line: number, name: string];

const setMarks = StateEffect.define<readonly LineMark[]>();

/** Lines that stand out. */
const linked = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, transaction) {
    for (const effect of transaction.effects) {
      if (!effect.is(setMarks)) continue;
      const builder = new RangeSetBuilder<Decoration>();
      const marks = [...effect.value].sort(([a], [b]) => a - b);
      for (const [line, name] of marks) {
        if (line >= 1 && line <= transaction.state.doc.lines) {
          const { from } = transaction.state.doc.line(line);
          builder.add(from, from, Decoration.line({ class: name }));
        }
      }
      return builder.finish();
    }
    return marks.map(transaction.changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

export interface CodeOptions {
  label: string;
  language: Language;
  /** Makes it a text to change: called after every change. */
  onchange?: (text: string) => void;
  /** What is wrong in the text, asked for a moment after changes. */
  findings?: (text: string) => Promise<Diagnostic[]>;
  /** The line under the pointer, counted from 1, or none. */
  onhover?: (line: number | null) => void;
  /** The line of the cursor. */
  online?: (line: number) => void;
  /** A press on the number of a line. */
  ongutter?: (line: number) => void;
}

export class CodeView {
  readonly view: EditorView;
  private readonly language = new Compartment();

  constructor(options: CodeOptions) {
    const { label, language, onchange, findings, onhover, online, ongutter } = options;
    const press = (view: EditorView, line: { from: number }) => {
      ongutter?.(view.state.doc.lineAt(line.from).number);
      return true;
    };
    const extensions: Extension[] = [
      ongutter ? lineNumbers({ domEventHandlers: { mousedown: press } }) : lineNumbers(),
      highlightActiveLine(),
      highlightActiveLineGutter(),
      drawSelection(),
      highlightSelectionMatches(),
      search({ top: true }),
      keymap.of([...searchKeymap, ...defaultKeymap, ...historyKeymap]),
      this.language.of(language === "source" ? sourceLanguage : listingLanguage),
      highlighting,
      theme,
      linked,
      EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }),
      onchange ? history() : EditorState.readOnly.of(true),
    ];
    if (onchange) extensions.push(EditorView.updateListener.of((update) => update.docChanged && onchange(update.state.doc.toString())));
    if (online) {
      extensions.push(
        EditorView.updateListener.of((update) => {
          if (update.selectionSet && !update.docChanged) online(update.state.doc.lineAt(update.state.selection.main.head).number);
        }),
      );
    }
    if (findings) extensions.push(lintGutter(), linter(async (view) => marks(view.state, await findings(view.state.doc.toString())), { delay: 250 }));
    if (onhover) {
      extensions.push(
        EditorView.domEventHandlers({
          mousemove: (event, view) => {
            const at = view.posAtCoords({ x: event.clientX, y: event.clientY });
            onhover(at === null ? null : view.state.doc.lineAt(at).number);
          },
          mouseleave: () => onhover(null),
        }),
      );
    }
    this.view = new EditorView({ state: EditorState.create({ extensions }) });
  }

  get element(): HTMLElement {
    return this.view.dom;
  }

  get text(): string {
    return this.view.state.doc.toString();
  }

  setText(text: string, language?: Language): void {
    this.view.dispatch({
      changes: { from: 0, to: this.view.state.doc.length, insert: text },
      selection: { anchor: 0 },
      effects: language ? this.language.reconfigure(language === "source" ? sourceLanguage : listingLanguage) : [],
    });
  }

  /** The line of the cursor. */
  get line(): number {
    return this.view.state.doc.lineAt(this.view.state.selection.main.head).number;
  }

  /** Puts the cursor on a line and shows it in the middle. */
  goTo(line: number): void {
    const { doc } = this.view.state;
    const { from } = doc.line(Math.max(1, Math.min(line, doc.lines)));
    this.view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: "center" }) });
  }

  /** Makes lines stand out; the first is shown where that is asked for. */
  mark(marks: readonly LineMark[], show = false): void {
    const effects: StateEffect<unknown>[] = [setMarks.of(marks)];
    const first = marks[0]?.[0];
    if (show && first !== undefined && first >= 1 && first <= this.view.state.doc.lines) {
      effects.push(EditorView.scrollIntoView(this.view.state.doc.line(first).from, { y: "nearest", yMargin: 60 }));
    }
    this.view.dispatch({ effects });
  }

  destroy(): void {
    this.view.destroy();
  }
}

/** The places of findings, which count bytes, as places in the text, which counts UTF-16. */
function marks(state: EditorState, findings: Diagnostic[]): Mark[] {
  const text = state.doc.toString();
  const bytes = new TextEncoder().encode(text);
  const plain = bytes.length === text.length;
  const place = (byte: number) => (plain ? byte : new TextDecoder().decode(bytes.subarray(0, byte)).length);
  return findings.map((finding) => {
    const span = typeof finding.location === "object" && "text" in finding.location ? finding.location.text.span : { start: 0, end: 0 };
    const from = Math.min(place(span.start), text.length);
    const to = Math.min(Math.max(place(span.end), from), text.length);
    const severity = finding.severity === "note" ? "info" : finding.severity;
    return { from, to, severity, message: [finding.message, ...finding.notes].join("\n"), source: finding.code };
  });
}
