// The library, away from the thread that draws: every question is a message, and every answer one back.

import init, { Session } from "./wasm/unshade_web.js";
import wasm from "./wasm/unshade_web_bg.wasm?url";

interface Question {
  id: number;
  what: "open" | "close" | "bytes" | "window" | "call";
  name: string;
  arguments: string;
  bytes?: ArrayBuffer;
  file?: number;
}

const ready = init({ module_or_path: wasm }).then(() => new Session());

ready.then(
  () => postMessage({ id: 0, answer: "ready" }),
  (error: unknown) => postMessage({ id: 0, failure: JSON.stringify({ message: String(error) }) }),
);

self.onmessage = async ({ data }: MessageEvent<Question>) => {
  const session = await ready;
  try {
    switch (data.what) {
      case "open":
        postMessage({ id: data.id, answer: session.open(data.name, new Uint8Array(data.bytes!)) });
        break;
      case "close":
        session.close(data.file!);
        postMessage({ id: data.id, answer: null });
        break;
      case "bytes":
      case "window": {
        const bytes = data.what === "bytes" ? session.bytes(data.file!) : session.window(data.arguments);
        postMessage({ id: data.id, answer: bytes }, { transfer: [bytes.buffer] });
        break;
      }
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
