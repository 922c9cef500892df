import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  resolve: {
    alias: [
      { find: /^interlock\/rules$/, replacement: at("./rules/index.ts") },
      { find: /^interlock\/rules\/starter$/, replacement: at("./rules/starter/index.ts") },
      { find: /^interlock\/rules\/packs$/, replacement: at("./rules/packs/index.ts") },
    ],
  },
  test: {
    include: ["{wire,rules,daemon,client-node,adapters,conformance,test,bench,bin}/**/*.test.ts"],
    exclude: ["**/node_modules/**", "**/dist/**"],
    // Starts a PostgreSQL and a Redis for the first test file that asks for one.
    globalSetup: ["./test/kit/services/keeper.ts"],
    pool: "forks",
    // On two cores vitest would run one file at a time, and most of them wait: for a process, a socket, a deadline.
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
