import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Json } from "./line-peer.ts";

/** What a host does with one server: each step is a request, or a notification where it has no id. */
export interface Session {
  readonly server: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** Before each run, so that two runs begin alike. */
  readonly prepare: () => void;
  readonly steps: readonly Step[];
}

/** The params may need what was answered before. */
export type Step = readonly [method: string, params?: object | ((answered: readonly Json[]) => object)];

const entry = (name: string): string =>
  fileURLToPath(new URL(`../../../node_modules/@modelcontextprotocol/server-${name}/dist/index.js`, import.meta.url));

const call = (name: string, args?: object, more?: object): Step => [
  "tools/call",
  { name, ...(args === undefined ? {} : { arguments: args }), ...more },
];

const listings: readonly Step[] = [
  ["tools/list"],
  ["tools/list", {}],
  ["prompts/list"],
  ["resources/list", {}],
  ["resources/templates/list"],
  ["ping"],
  ["vendor/unknown", { a: [1] }],
];

export const everything = (): Session => ({
  server: entry("everything"),
  args: ["stdio"],
  env: { SHOWN: "1" },
  prepare: () => {},
  steps: [
    ...listings,
    ["logging/setLevel", { level: "debug" }],
    call("echo", { message: "hello \u00e9\u{1f600}" }),
    call("echo", { message: "with a token" }, { _meta: { progressToken: "p-1", vendor: { deep: [null] } } }),
    call("echo", {}),
    call("no-such-tool", {}),
    call("get-annotated-message", { messageType: "error", includeImage: true }),
    call("get-env"),
    call("get-resource-links", { count: 2 }),
    call("get-resource-reference", { resourceType: "Blob", resourceId: 3 }),
    call("get-structured-content", { location: "Chicago" }),
    call("get-sum", { a: 1.5, b: -2 }),
    call("get-tiny-image", {}),
    call("gzip-file-as-resource", { name: "a.gz", data: "data:text/plain,hello", outputType: "resource" }),
    call("trigger-long-running-operation", { duration: 0.2, steps: 4 }, { _meta: { progressToken: 9 } }),
    call("get-roots-list", {}),
    call("trigger-elicitation-request", {}),
    call("trigger-url-elicitation", { url: "https://example.com/a", elicitationId: "e1", message: "go there" }),
    call("trigger-url-elicitation", { url: "https://example.com/a", elicitationId: "e2", errorPath: true }),
    call("trigger-sampling-request", { prompt: "say yes", maxTokens: 5 }),
    call("simulate-research-query", { topic: "bees" }, { task: { ttl: 60_000 } }),
    ["tasks/list", {}],
    ["tasks/result", (answered) => ({ taskId: answered.find(({ result }) => result?.task)?.result.task.taskId })],
    ["tasks/get", { taskId: "none" }],
    ["prompts/get", { name: "simple-prompt" }],
    ["prompts/get", { name: "args-prompt", arguments: { city: "Rome" } }],
    ["prompts/get", { name: "resource-prompt", arguments: { resourceType: "Text", resourceId: "1" } }],
    ["prompts/get", { name: "none" }],
    [
      "completion/complete",
      {
        ref: { type: "ref/prompt", name: "completable-prompt" },
        argument: { name: "department", value: "E" },
      },
    ],
    ["resources/read", { uri: "demo://resource/static/document/features.md" }],
    ["resources/read", { uri: "demo://resource/dynamic/blob/2" }],
    ["resources/read", { uri: "demo://resource/none" }],
    ["resources/subscribe", { uri: "demo://resource/dynamic/text/1" }],
    ["resources/unsubscribe", { uri: "demo://resource/dynamic/text/1" }],
    ["notifications/roots/list_changed"],
    ["ping"],
  ],
});

export const filesystem = (directory: string): Session => {
  const at = (name: string): string => join(directory, name);
  return {
    server: entry("filesystem"),
    args: [directory],
    env: {},
    prepare: () => {
      rmSync(directory, { recursive: true, force: true });
      mkdirSync(at("sub"), { recursive: true });
      writeFileSync(at("a.txt"), "one\ntwo\nthree\n");
      writeFileSync(at("dot.png"), Buffer.from("iVBORw0KGgo=", "base64"));
      writeFileSync(at("sub/b.txt"), "b");
    },
    steps: [
      ...listings,
      call("list_allowed_directories", {}),
      call("read_file", { path: at("a.txt") }),
      call("read_text_file", { path: at("a.txt"), head: 2 }),
      call("read_text_file", { path: at("missing.txt") }),
      call("read_text_file", { path: "/etc/hostname" }),
      call("read_media_file", { path: at("dot.png") }),
      call("read_multiple_files", { paths: [at("a.txt"), at("none")] }),
      call("write_file", { path: at("c.txt"), content: "\u00fc\n" }),
      call("edit_file", { path: at("c.txt"), edits: [{ oldText: "\u00fc", newText: "u" }], dryRun: true }),
      call("edit_file", { path: at("c.txt"), edits: [{ oldText: "\u00fc", newText: "u" }] }),
      call("create_directory", { path: at("new") }),
      call("list_directory", { path: directory }),
      call("list_directory_with_sizes", { path: directory, sortBy: "size" }),
      call("directory_tree", { path: directory }),
      call("move_file", { source: at("c.txt"), destination: at("new/d.txt") }),
      call("search_files", { path: directory, pattern: "**/*.txt" }),
      call("get_file_info", { path: at("new/d.txt") }),
    ],
  };
};

export const memory = (file: string): Session => ({
  server: entry("memory"),
  args: [],
  env: { MEMORY_FILE_PATH: file },
  prepare: () => rmSync(file, { force: true }),
  steps: [
    ...listings,
    call("create_entities", { entities: [{ name: "Ann", entityType: "person", observations: ["sings"] }] }),
    call("create_entities", { entities: [{ name: "Bob", entityType: "person", observations: [] }] }),
    call("create_relations", { relations: [{ from: "Ann", to: "Bob", relationType: "knows" }] }),
    call("add_observations", { observations: [{ entityName: "Bob", contents: ["dances"] }] }),
    call("add_observations", { observations: [{ entityName: "Nobody", contents: ["x"] }] }),
    call("search_nodes", { query: "dances" }),
    call("open_nodes", { names: ["Ann"] }),
    call("read_graph", {}),
    call("delete_observations", { deletions: [{ entityName: "Bob", observations: ["dances"] }] }),
    call("delete_relations", { relations: [{ from: "Ann", to: "Bob", relationType: "knows" }] }),
    call("delete_entities", { entityNames: ["Ann"] }),
    ["resources/read", { uri: "memory://knowledge-graph" }],
    ["resources/subscribe", { uri: "memory://knowledge-graph" }],
    call("create_entities", { entities: [{ name: "Eve", entityType: "person", observations: [] }] }),
    call("read_graph", {}),
  ],
});

export const sequentialThinking = (): Session => ({
  server: entry("sequential-thinking"),
  args: [],
  env: { DISABLE_THOUGHT_LOGGING: "true" },
  prepare: () => {},
  steps: [
    ...listings,
    call("sequentialthinking", { thought: "one", nextThoughtNeeded: true, thoughtNumber: 1, totalThoughts: 2 }),
    call("sequentialthinking", {
      thought: "again",
      nextThoughtNeeded: "true",
      thoughtNumber: 2,
      totalThoughts: 2,
      isRevision: true,
      revisesThought: 1,
    }),
    call("sequentialthinking", { thought: "bad" }),
  ],
});
