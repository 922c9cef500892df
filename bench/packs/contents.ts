import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { deepFreeze } from "../../wire/freeze.ts";
import type { WireObject } from "../../wire/value.ts";

/** What the packs are given to read. Nothing is found in any of it: what is found is taken out, which costs more. */

const root = fileURLToPath(new URL("../..", import.meta.url));

const filesUnder = (folder: string, suffix: string): readonly string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(suffix) && !path.endsWith(`.test${suffix}`))
    .sort()
    .map((path) => join(root, folder, path));

/** Ten megabytes that speak of their reader's answer on each page would be marked. */
const answer = /answer|reply|response|output/gi;

const filled = (paths: readonly string[], characters: number): string => {
  const once = paths.map((path) => readFileSync(path, "utf8").replaceAll(answer, "verdict")).join("\n");
  return once.repeat(Math.ceil(characters / once.length)).slice(0, characters);
};

/** They show the number of a card, and a description that drifted into an attack. */
const telling = ["approvals.md", "drift.md"];

/** The project's own manual, without the pages that are held. */
const prose = (characters: number): string =>
  filled(
    filesUnder("docs", ".md").filter((path) => !telling.some((page) => path.endsWith(page))),
    characters,
  );

/** The project's own daemon. */
const source = (characters: number): string => filled(filesUnder("daemon/engine", ".ts"), characters);

const words = "order shipped customer returned pending blue large small express standard gift note".split(" ");

/** An order as a service lists it. The same number gives the same order. */
const order = (number: number) => ({
  id: 1_000_000 + number,
  uuid: `3f2b8c1e-${String(number % 10_000).padStart(4, "0")}-4d5a-9c77-b2e41a${String(number % 1_000_000).padStart(6, "0")}`,
  name: `Customer ${words[number % 12]} ${number}`,
  email: `user${number}@example.com`,
  created_at: new Date(1_700_000_000_000 + number * 61_000).toISOString(),
  total: ((number * 7_919) % 100_000) / 100,
  paid: number % 3 > 0,
  items: [{ sku: `SKU-${10_000 + (number % 7_000)}`, quantity: (number % 4) + 1 }],
  note: [3, 5, 7, 11].map((step) => words[(number * step) % 12]).join(" "),
  url: `https://shop.example.com/orders/${1_000_000 + number}?ref=mail`,
});

/** A list of orders, as text. */
const json = (characters: number): string => {
  const parts: string[] = [];
  let left = characters;
  for (let number = 0; left > 0; number++) {
    const part = JSON.stringify(order(number));
    parts.push(part);
    left -= part.length + 1;
  }
  return `[${parts.join(",")}]`;
};

export const contents = Object.freeze({ prose, json, source });

/** As the daemon reads it off a frame: its texts are of one piece, not put together by the program that made them. */
const received = (args: WireObject): WireObject => deepFreeze(JSON.parse(JSON.stringify(args)) as WireObject);

/** A tool's result with one text, as MCP has it. */
export const resultOf = (text: string): WireObject => received({ content: [{ type: "text", text }] });

/** Members of a call, 1 KiB in all, in which no command stands. Each is another one. */
export const callOf = (number: number): WireObject => {
  const note = `Customer ${number} asks when the parcel arrives. It left the warehouse on Tuesday and was seen in Lyon since. `;
  const args = { ...order(number), message: note.repeat(8) };
  return received({ ...args, message: args.message.slice(0, 1_024 - JSON.stringify(order(number)).length) });
};

/** Command lines of daily work. Another number is another text. */
export const commandOf = (number: number): WireObject =>
  received({ command: commandForms[number % commandForms.length]!(number) });

const commandForms: readonly ((number: number) => string)[] = [
  (number) => `grep -rn "needle${number}" src | head -20`,
  (number) => `git log --oneline -${(number % 90) + 1} -- src/part${number}.ts`,
  (number) => `npm run build && npx vitest run src/part${number}.test.ts`,
  (number) => `find src -name '*part${number}*' -type f`,
  (number) => `sed -n ${number},${number + 40}p src/part${number}.ts | cat -n`,
];
