import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Tests that run on SQLite alone, and again on each of the servers that a daemon may have. */
const onEveryBacking = ["test/daemon/{approvals,client-transactions,transactions}.test.ts"];

export default defineConfig({
  resolve: {
    alias: [
      { find: /^interlock\/rules$/, replacement: at("./rules/index.ts") },
      { find: /^interlock\/rules\/starter$/, replacement: at("./rules/starter/index.ts") },
    ],
  },
  test: {
    projects: [
      {
        extends: true,
        test: { name: "sqlite", include: ["{wire,rules,daemon,client-node,conformance,test,bench,bin}/**/*.test.ts"] },
      },
      ...["sqlite+redis", "postgres+redis"].map((backing) => ({
        extends: true as const,
        test: { name: backing, include: onEveryBacking, env: { INTERLOCK_TEST_BACKING: backing } },
      })),
    ],
    exclude: ["**/node_modules/**", "**/dist/**"],
    // Starts a PostgreSQL and a Redis for the first test file that asks for one.
    globalSetup: ["./test/kit/services/keeper.ts"],
    pool: "forks",
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
