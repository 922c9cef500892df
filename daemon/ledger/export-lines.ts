import { TextDecoder } from "node:util";

/** The longest line of an export. A receipt is far below: its names are bounded, and so is the number of rules. */
export const maxExportLineBytes = 1024 * 1024;

/** The bytes are not lines of UTF-8 within the bound. */
export class NotLines extends Error {
  override readonly name = "NotLines";
}

const lineFeed = 0x0a;

/** Cuts a stream at its line feeds. A last line without one was cut off and is not given. Throws NotLines. */
export async function* exportLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  let rest: Uint8Array[] = [];
  let restBytes = 0;
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, start)) {
      rest.push(chunk.subarray(start, end));
      if (restBytes + end - start > maxExportLineBytes) throw new NotLines("a line is too long");
      yield decode(decoder, rest);
      rest = [];
      restBytes = 0;
      start = end + 1;
    }
    rest.push(chunk.slice(start));
    restBytes += chunk.length - start;
    if (restBytes > maxExportLineBytes) throw new NotLines("a line is too long");
  }
}

const decode = (decoder: TextDecoder, parts: readonly Uint8Array[]): string => {
  try {
    return decoder.decode(parts.length === 1 ? parts[0] : Buffer.concat(parts));
  } catch {
    throw new NotLines("a line is not UTF-8");
  }
};
