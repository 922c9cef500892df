import { expect, it } from "vitest";
import { patchedFiles } from "./patched-files.ts";

it("a patch names files, in both forms", () => {
  const codex =
    "*** Begin Patch\n*** Update File: src/a.ts\n@@\n-a\n+b\n*** Add File: .git/hooks/pre-commit\n+x\n*** End Patch";
  expect(patchedFiles(codex)).toEqual(["src/a.ts", ".git/hooks/pre-commit"]);
  const unified = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n--- /dev/null\n+++ b/.env\t2024-01-01\n";
  expect(patchedFiles(unified)).toEqual(["x", ".env"]);
});

it("a text that is no patch names none", () => expect(patchedFiles("a --- b\n+ c")).toEqual([]));

it("more files than are told apart are not", () =>
  expect(patchedFiles(Array.from({ length: 300 }, (_, at) => `+++ b/f${at}`).join("\n"))).toBeNull());
