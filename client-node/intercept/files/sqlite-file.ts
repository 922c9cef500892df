/**
 * The file that SQLite opens for a name; null where it opens none that has a name (`:memory:`, an empty one). What begins with `file:` is
 * a URI to it: an authority is passed over, the path ends at `?` or `#`, and `%XX` stands for a byte.
 */
export const sqliteFile = (name: string | Uint8Array): string | Uint8Array | null => {
  const text = typeof name === "string" ? name : Buffer.from(name).toString();
  if (text === "" || text === ":memory:") return null;
  if (!text.startsWith("file:")) return name;
  const rest = text.slice("file:".length).split(/[?#]/, 1)[0] as string;
  const path = rest.startsWith("//") ? rest.slice(rest.indexOf("/", 2) < 0 ? rest.length : rest.indexOf("/", 2)) : rest;
  const bytes = unescaped(path);
  return bytes.length === 0 ? null : bytes;
};

const unescaped = (path: string): Uint8Array => {
  const given = Buffer.from(path);
  const bytes: number[] = [];
  for (let at = 0; at < given.length; at++) {
    const digits = given[at] === percent ? given.subarray(at + 1, at + 3).toString() : "";
    const isEscape = /^[0-9a-fA-F]{2}$/.test(digits);
    bytes.push(isEscape ? Number.parseInt(digits, 16) : (given[at] as number));
    if (isEscape) at += 2;
  }
  return Uint8Array.from(bytes);
};

const percent = 0x25;
