// `npm run quickstart`: a real MCP server's tools, guarded by a real daemon with signed rules. Exit code 0 only if each
// step did what it should.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { BlockedError, guardMcpSession, NotApprovedError, RemoteEngine } from "interlock-guard";
import { interlock, kill, startSidecar } from "./quickstart/daemon.ts";
import { rulesFor } from "./quickstart/rules.ts";

const directory = realpathSync(mkdtempSync(join(tmpdir(), "il-quickstart-")));
const at = (...parts: string[]): string => join(directory, ...parts);
const root = at("workspace");
mkdirSync(join(root, "node_modules", "left-pad"), { recursive: true });
writeFileSync(join(root, "notes.md"), "Ship on Friday.\n");
writeFileSync(join(root, "node_modules", "left-pad", "notes.md"), "not yours\n");

let failed = 0;
const step = async (what: string, run: () => Promise<string>): Promise<void> => {
  try {
    process.stdout.write(
      `ok    ${what}\n      ${(await run()).replaceAll("\n", "\n      ").replaceAll(directory, "$TMP")}\n`,
    );
  } catch (error) {
    failed++;
    process.stdout.write(`FAIL  ${what}\n      ${(error as Error).message}\n`);
  }
};

const must = (holds: boolean, what: string): void => {
  if (!holds) throw new Error(what);
};

/** The call must be refused; what the error says. */
const refusal = async (call: Promise<unknown>, kind: typeof BlockedError): Promise<BlockedError> => {
  try {
    await call;
  } catch (error) {
    if (error instanceof kind) return error;
    throw error;
  }
  throw new Error("the call ran, and had to be refused");
};

/** The daemon signs what it recorded about a second later; until then there is nothing for anybody else to verify by. */
const signedWithin = async (state: string, timeout_ms: number): Promise<boolean> => {
  for (const end_ms = Date.now() + timeout_ms; Date.now() < end_ms; await delay(100)) {
    const newest = await interlock("receipts", "checkpoint", "--json", "--state", state).catch(() => null);
    if (newest !== null && (JSON.parse(newest) as { readonly unsigned: number }).unsigned === 0) return true;
  }
  return false;
};

type ToolResult = { readonly content: readonly { readonly text?: string }[] };
const textOf = (result: unknown): string => ((result as ToolResult).content[0]?.text ?? "").trim();

const main = async (): Promise<void> => {
  writeFileSync(at("rules.ts"), rulesFor(root));
  await interlock("keygen", at("rules.key"));
  await step("signed rules", async () => {
    const lines = await interlock(
      "rules",
      "sign",
      at("rules.ts"),
      "--key",
      at("rules.key"),
      "--out",
      at("rules.ruleset.json"),
    );
    return lines.split("\n")[0] as string;
  });

  const socket = at("run", "guard.sock");
  const state = at("state");
  const daemon = await startSidecar([
    ...["--socket", socket, "--state", state, "--rules", at("rules.ruleset.json"), "--trust", at("rules.key.pub")],
    ...["--unknown", "escalate"],
  ]);

  const asked: string[] = [];
  let approve = false;
  const engine = new RemoteEngine(socket);
  const client = new Client({ name: "quickstart", version: "1.0.0" });
  const server = new URL("../node_modules/@modelcontextprotocol/server-filesystem/dist/index.js", import.meta.url)
    .pathname;
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [server, root], stderr: "ignore" }));
  const session = guardMcpSession(client, {
    engine,
    onEscalate: ({ action, reason }) => {
      asked.push(`${action}: ${reason}`);
      return approve;
    },
  });

  await step("an allowed read reaches the server", async () => {
    const text = textOf(
      await session.callTool({ name: "read_text_file", arguments: { path: join(root, "notes.md") } }),
    );
    must(text === "Ship on Friday.", "the file's text did not come back");
    return `read_text_file -> ${JSON.stringify(text)}`;
  });

  await step("a read outside the root is blocked, with rule, reason and argument", async () => {
    const call = session.callTool({ name: "read_text_file", arguments: { path: "/etc/hostname" } });
    const { message, decision } = await refusal(call, BlockedError);
    must(
      decision.policy_id !== null && decision.attributed_to === "path",
      "the block does not name its rule and argument",
    );
    return `${message}\nrule ${decision.policy_id}, argument ${decision.attributed_to}`;
  });

  await step("a search is rewritten before it reaches the server", async () => {
    const call = { name: "search_files", arguments: { path: root, pattern: "**/notes.md" } };
    const found = textOf(await session.callTool(call));
    must(found.includes("notes.md") && !found.includes("node_modules"), `the search was not rewritten: ${found}`);
    return `search_files -> ${found} (node_modules left out)`;
  });

  const written = join(root, "plan.md");
  const write = (content: string) => session.callTool({ name: "write_file", arguments: { path: written, content } });

  await step("a write is escalated and approved: it runs", async () => {
    approve = true;
    await write("approved\n");
    must(readFileSync(written, "utf8") === "approved\n", "the approved write did not happen");
    return `${asked.at(-1)} -> yes`;
  });

  await step("a write is escalated and refused: it does not run", async () => {
    approve = false;
    const { message } = await refusal(write("refused\n"), NotApprovedError);
    must(readFileSync(written, "utf8") === "approved\n", "the refused write happened");
    return `${asked.at(-1)} -> no\n${message}`;
  });

  const isSigned = await signedWithin(state, 10_000);
  await step("with the daemon killed, nothing runs", async () => {
    await kill(daemon);
    const call = session.callTool({ name: "read_text_file", arguments: { path: join(root, "notes.md") } });
    return (await refusal(call, BlockedError)).message;
  });

  await step("the receipts verify", async () => {
    must(isSigned, "no checkpoint of them was signed within 10 s");
    return interlock("receipts", "verify", "--state", state);
  });

  await client.close();
  await engine.close();
  await kill(daemon);
  if (failed === 0) {
    rmSync(directory, { recursive: true, force: true });
    process.stdout.write("\nEach call was asked about first. Next: docs/getting-started.md\n");
  } else {
    const kept = existsSync(directory) ? `; ${directory} is kept` : "";
    process.stdout.write(`\n${failed} steps did not do what they should${kept}\n`);
    process.exitCode = 1;
  }
};

await main().catch((error: Error) => {
  process.stdout.write(`FAIL  ${error.message}\n`);
  process.exit(1);
});
