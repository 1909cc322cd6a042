// The library, away from the thread that draws: every question is a message, and every answer one back.

import init, { Session, texture } from "./wasm/unshade_web.js";
import wasm from "./wasm/unshade_web_bg.wasm?url";
import languagesWasm from "./wasm/unshade_languages_bg.wasm?url";
import type { Languages } from "./wasm/unshade_languages.js";

interface Question {
  id: number;
  what: "open" | "close" | "bytes" | "window" | "call" | "language" | "picture" | "texture" | "compare";
  name: string;
  arguments: string;
  bytes?: ArrayBuffer;
  /** A file's number, a texture's, or the tolerance of a comparison. */
  file?: number;
}

const ready = init({ module_or_path: wasm }).then(() => new Session());

ready.then(
  () => postMessage({ id: 0, answer: "ready" }),
  (error: unknown) => postMessage({ id: 0, failure: JSON.stringify({ message: String(error) }) }),
);

/** The module with the other languages, from when somebody wants one, and its numbers of the files. */
let languages: Promise<Languages> | null = null;
const numbers = new Map<number, number>();

async function inAnother(session: Session, asked: string): Promise<string> {
  languages ??= import("./wasm/unshade_languages.js").then(async (module) => {
    await module.default({ module_or_path: languagesWasm });
    return new module.Languages();
  });
  // What fails to load is asked for again the next time.
  const made = await languages.catch((error: unknown) => {
    languages = null;
    throw error;
  });
  const question = JSON.parse(asked) as { file: number };
  // An archive of dictionaries serves the files that were opened after it: all come in their order.
  for (const file of [...opened, question.file]) if (!numbers.has(file)) numbers.set(file, made.open(session.name(file), session.bytes(file)));
  return made.decompile(JSON.stringify({ ...question, file: numbers.get(question.file) }));
}

/** Files that came from outside and are open. */
const opened = new Set<number>();

self.onmessage = async ({ data }: MessageEvent<Question>) => {
  const session = await ready;
  try {
    switch (data.what) {
      case "open": {
        const file = session.open(data.name, new Uint8Array(data.bytes!));
        opened.add(file);
        postMessage({ id: data.id, answer: file });
        break;
      }
      case "close":
        session.close(data.file!);
        opened.delete(data.file!);
        if (numbers.has(data.file!)) (await languages)?.close(numbers.get(data.file!)!);
        numbers.delete(data.file!);
        postMessage({ id: data.id, answer: null });
        break;
      case "compare": {
        const numbers = session.compare(new Uint8Array(data.bytes!), data.file!);
        const image = session.difference();
        postMessage({ id: data.id, answer: { numbers, image } }, { transfer: [image.buffer] });
        break;
      }
      case "bytes":
      case "window":
      case "picture":
      case "texture": {
        const bytes = data.what === "bytes" ? session.bytes(data.file!) : data.what === "window" ? session.window(data.arguments) : data.what === "picture" ? session.picture() : texture(data.file!);
        postMessage({ id: data.id, answer: bytes }, { transfer: [bytes.buffer] });
        break;
      }
      case "language":
        postMessage({ id: data.id, answer: await inAnother(session, data.arguments) });
        break;
      case "call":
        postMessage({ id: data.id, answer: session.call(data.name, data.arguments) });
        break;
    }
  } catch (error) {
    // What the library refuses comes as JSON; anything else is a fault of the page.
    const said = typeof error === "string" ? error : JSON.stringify({ message: `the page's library stopped: ${String(error)}` });
    postMessage({ id: data.id, failure: said });
  }
};
