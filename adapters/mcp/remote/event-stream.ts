import { maxMessageBytes } from "../relay/limits.ts";
import type { RequestId } from "../relay/message.ts";
import { LineReader } from "../stdio/line-reader.ts";

/** One event of a stream (WHATWG server-sent events), or what is known of one that was too long. */
export type StreamEvent =
  | { readonly kind: "event"; readonly name: string; readonly data: string; readonly lastId: string | null }
  | { readonly kind: "retry"; readonly ms: number }
  | { readonly kind: "oversized"; readonly id: RequestId | null };

/**
 * The events of a stream, as they come, each bounded. Lines end with a newline, or a carriage return and a newline, as every server of
 * MCP ends them.
 */
export async function* eventsOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<StreamEvent> {
  const reader = new LineReader();
  let name = "";
  let data: string[] = [];
  let chars = 0;
  let lastId: string | null = null;
  let isOversized = false;
  for await (const chunk of body) {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    for (const line of reader.push(bytes)) {
      if (line.kind === "oversized") {
        yield { kind: "oversized", id: line.id };
        isOversized = true;
        continue;
      }
      const text = line.bytes.toString("utf8").replace(/\r$/, "");
      if (text === "") {
        if (!isOversized && (data.length > 0 || lastId !== null)) {
          yield { kind: "event", name: name === "" ? "message" : name, data: data.join("\n"), lastId };
        }
        name = "";
        data = [];
        chars = 0;
        isOversized = false;
        continue;
      }
      const colon = text.indexOf(":");
      const field = colon === -1 ? text : text.slice(0, colon);
      const value = colon === -1 ? "" : text.slice(colon + 1).replace(/^ /, "");
      if (field === "event") name = value;
      else if (field === "id" && !value.includes("\0")) lastId = value;
      else if (field === "retry" && /^\d{1,9}$/.test(value)) yield { kind: "retry", ms: Number(value) };
      else if (field === "data" && !isOversized) {
        chars += value.length;
        if (chars < maxMessageBytes) data.push(value);
        else {
          yield { kind: "oversized", id: null };
          isOversized = true;
          data = [];
        }
      }
    }
  }
}
