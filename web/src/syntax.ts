// Which parts of a line are what, for the colours of the code views.

import { HighlightStyle, StreamLanguage, type StringStream, syntaxHighlighting } from "@codemirror/language";
import { tags } from "@lezer/highlight";

const TYPES =
  /^(?:void|bool|int|uint|float|double|half|[biud]?vec[234]|mat[234](?:x[234])?|[iu]?sampler\w+|[iu]?image\w+|[iu]?texture\w*|float[234](?:x[234])?|int[234]|uint[234]|bool[234]|array|vec[234]f|f32|i32|u32|mat[234]x[234]f|Texture2D|SamplerState|RWByteAddressBuffer)$/;
const WORDS =
  /^(?:if|else|for|while|do|switch|case|default|break|continue|return|discard|layout|in|out|inout|uniform|buffer|const|struct|precision|highp|mediump|lowp|flat|smooth|noperspective|centroid|sample|invariant|precise|restrict|readonly|writeonly|coherent|shared|varying|attribute|fn|var|let|loop|using|namespace|metal|vertex|fragment|kernel|constant|device|thread|cbuffer|register|static|true|false|location|binding|std140|std430|set|component)$/;

function source(stream: StringStream, state: { comment: boolean }): string | null {
  if (state.comment) {
    state.comment = !stream.skipTo("*/");
    if (state.comment) stream.skipToEnd();
    else stream.match("*/");
    return "comment";
  }
  if (stream.eatSpace()) return null;
  if (stream.match("//")) return stream.skipToEnd(), "comment";
  if (stream.match("/*")) return (state.comment = true), "comment";
  if (stream.sol() && stream.match(/^\s*#/)) return stream.skipToEnd(), "meta";
  if (stream.match(/^@\w+/)) return "meta";
  if (stream.match(/^(?:0x[0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)[uUfFlLh]*/)) return "number";
  const word = stream.match(/^[A-Za-z_]\w*/) as RegExpMatchArray | null;
  if (word) {
    if (TYPES.test(word[0])) return "typeName";
    if (WORDS.test(word[0])) return "keyword";
    if (word[0].startsWith("gl_")) return "variableName.special";
    return stream.match(/^\s*\(/, false) ? "variableName.function" : "variableName";
  }
  stream.next();
  return "punctuation";
}

/** Listings and the IR: a directive or an operation in front, then registers, names and numbers. */
function listing(stream: StringStream, state: { first: boolean; numbered: boolean }): string | null {
  if (stream.sol()) Object.assign(state, { first: true, numbered: false });
  if (stream.eatSpace()) return null;
  if (stream.match(/^(?:;|\/\/|# )/)) return stream.skipToEnd(), "comment";
  // What stands in front of an instruction to schedule it says nothing of what it does.
  if (state.first && stream.match(/^\[[^\]]*\]/)) return "comment";
  if (stream.match(/^"(?:[^"\\]|\\.)*"/)) return "string";
  if (stream.match(/^\.[A-Za-z_]\w*/)) {
    if (!state.first) return "variableName.special";
    state.first = false;
    return "keyword";
  }
  // Behind a number of an instruction stands its operation, else a colon makes a label.
  const operation = state.first && state.numbered && (stream.match(/^[A-Za-z_]\w*:/) as RegExpMatchArray | null);
  if (operation) return "operatorKeyword";
  if (stream.match(/^[A-Za-z_][\w.$]*:/)) return "labelName";
  state.numbered = state.first && /^\d/.test(stream.peek() ?? "");
  if (stream.match(/^-?(?:0x[0-9a-fA-F]+|\d+(?:\.\d+)?(?:e[+-]?\d+)?)(?![\w])/)) return "number";
  const word = stream.match(/^[%@$]?[A-Za-z_][\w$]*(?:\.[A-Za-z_]\w*)*/) as RegExpMatchArray | null;
  if (word) {
    const first = state.first;
    state.first = false;
    if (first) return "operatorKeyword";
    return /^(?:[%$]\w+|[rRvocbipP]\d+|[rv]\d+\.\w+|o\d+.*|c\d+.*|R\d+.*|PV\.?\w*|PS|RZ|PT|KC\d.*)$/.test(word[0]) ? "variableName" : "variableName.standard";
  }
  stream.next();
  return "punctuation";
}

export const sourceLanguage = StreamLanguage.define<{ comment: boolean }>({
  startState: () => ({ comment: false }),
  token: source,
});

export const listingLanguage = StreamLanguage.define<{ first: boolean; numbered: boolean }>({
  startState: () => ({ first: true, numbered: false }),
  token: listing,
});

/** Colours come from the page's style, so that light and dark are one. */
const colours = HighlightStyle.define([
  { tag: tags.comment, color: "var(--code-comment)" },
  { tag: tags.keyword, color: "var(--code-keyword)" },
  { tag: tags.operatorKeyword, color: "var(--code-operation)", fontWeight: "600" },
  { tag: tags.typeName, color: "var(--code-type)" },
  { tag: tags.number, color: "var(--code-number)" },
  { tag: tags.string, color: "var(--code-string)" },
  { tag: tags.meta, color: "var(--code-meta)" },
  { tag: tags.labelName, color: "var(--code-label)" },
  { tag: tags.function(tags.variableName), color: "var(--code-call)" },
  { tag: tags.special(tags.variableName), color: "var(--code-special)" },
  { tag: tags.standard(tags.variableName), color: "var(--code-name)" },
  { tag: tags.variableName, color: "var(--text)" },
  { tag: tags.punctuation, color: "var(--code-punctuation)" },
]);

export const highlighting = syntaxHighlighting(colours);
