import type { Runner, Source, Suite } from "./suite.ts";

const debian = (name: string, version: string, ending: "tar.gz" | "tar.xz", sha256: string): Source => ({
  kind: "debian",
  name,
  version,
  archive: `${name}_${version}.orig.${ending}`,
  sha256,
});

const npm = (tarball: string, sha256: string): Source => ({ kind: "npm", tarball, sha256 });

const whole = (...command: readonly string[]): Runner => ({ kind: "whole", command });

const eachFile = (
  endings: readonly string[] = [".js"],
  flags: readonly string[] = [],
  variants: readonly Readonly<Record<string, string>>[] = [{}],
): Runner => ({ kind: "each file", folder: "test", endings, flags, variants });

/** The suites, each with the command of its own package.json; linters and coverage are left out. */
export const suites: readonly Suite[] = Object.freeze([
  {
    name: "graceful-fs",
    version: "4.2.10",
    source: debian(
      "node-graceful-fs",
      "4.2.10",
      "tar.gz",
      "71ba4cce6ed89ac18b91ca99649c4b0ab43b7538607a9fbdb562e565d6427665",
    ),
    runner: eachFile([".js"], ["--expose-gc"], [{}, { TEST_GRACEFUL_FS_GLOBAL_PATCH: "1" }]),
    counted: "subtests",
    preload: "--require",
  },
  {
    name: "fs-extra",
    version: "10.1.0",
    source: debian(
      "node-fs-extra",
      "10.1.0+~9.0.13",
      "tar.gz",
      "1216bcebf696c9e1245fce9149f03f14b1828aee5b8af92b474381a41d0cbf0b",
    ),
    runner: whole("node", "test.js", "--reporter", "tap"),
    counted: "results",
    preload: "--require",
  },
  {
    name: "rimraf",
    version: "3.0.2",
    source: debian(
      "node-rimraf",
      "3.0.2",
      "tar.gz",
      "f15579fdbf1a49c1e435e3163f7ba8119ddb7cab5eddb3300b3c6facd0726fe7",
    ),
    runner: eachFile(),
    counted: "subtests",
    preload: "--require",
  },
  {
    name: "glob",
    version: "8.1.0",
    source: debian(
      "node-glob",
      "8.1.0+~cs8.5.15",
      "tar.gz",
      "8d76d3374eefb4806ba397b40294013afd42045bc42976dad1e25b46a1c8d826",
    ),
    runner: eachFile(),
    counted: "subtests",
    preload: "--require",
  },
  {
    name: "tar",
    version: "6.2.1",
    source: debian(
      "node-tar",
      "6.2.1+~cs7.0.8",
      "tar.gz",
      "873f6f171eef3aa294f465ff8ab6ed2c82824e1f210fd1fe0a038bb4bc8fd754",
    ),
    runner: eachFile(),
    counted: "subtests",
    preload: "--require",
  },
  {
    name: "write-file-atomic",
    version: "4.0.2",
    source: debian(
      "node-write-file-atomic",
      "4.0.2+~4.0.0",
      "tar.gz",
      "206503317ac2ee014e14c97c29d5e1c06efb03dcbd4ee2a18f464d06df2e6a1f",
    ),
    runner: eachFile(),
    counted: "subtests",
    preload: "--require",
  },
  {
    name: "chokidar",
    version: "3.6.0",
    source: debian(
      "node-chokidar",
      "3.6.0",
      "tar.gz",
      "504a3d883381883ad3df8f904ec0e182473cf3f3f31375fede491499645f07c2",
    ),
    runner: whole("mocha", "--reporter", "tap", "--timeout", "60000", "--exit"),
    counted: "results",
    preload: "--require",
  },
  {
    name: "execa",
    version: "8.0.1",
    source: debian(
      "node-execa",
      "8.0.1+dfsg1+~cs12.0.0",
      "tar.xz",
      "d09d597625e1b056b23dc09ed371d36b014e6ee5fbd4bcfdf4a3521bb642f2bf",
    ),
    runner: whole("ava", "--tap", "--timeout=120s"),
    counted: "results",
    preload: "--import",
  },
  {
    name: "ws",
    version: "8.18.1",
    source: debian(
      "node-ws",
      "8.18.1+~cs14.18.2",
      "tar.gz",
      "f80308e18245a666ebfe76c8ce6180485ea608f182af2dfb2c08773b591c7bcb",
    ),
    runner: whole("mocha", "--reporter", "tap", "--throw-deprecation", "test/*.test.js"),
    counted: "results",
    preload: "--require",
  },
  {
    name: "node-fetch",
    version: "3.3.0",
    source: debian(
      "node-fetch",
      "3.3.0+~cs11.4.11",
      "tar.gz",
      "a45abbc84a84cb7ed2fd814ab6d4c1eea6f5109dbf4de9a7ba9da416687dcc7a",
    ),
    runner: whole("mocha", "--reporter", "tap"),
    counted: "results",
    preload: "--import",
  },
  {
    name: "express",
    version: "4.18.2",
    source: debian(
      "node-express",
      "4.18.2+~4.17.14",
      "tar.gz",
      "a9ace1a92a2b0a7e3fcd7a7612553d6208a464561c15ad38f349fc3ab0d7cda0",
    ),
    runner: whole(
      ...["mocha", "--require", "test/support/env", "--reporter", "tap", "--check-leaks", "test/", "test/acceptance/"],
    ),
    counted: "results",
    preload: "--require",
  },
  {
    name: "@fastify/static",
    version: "8.3.0",
    source: npm("@fastify/static@8.3.0", "1d987adf1931cb6a2c2d2080a2cd7e44edd273dbb54fb10302f5c2689091c8bb"),
    runner: eachFile([".test.js"], ["--test-reporter", "tap"]),
    counted: "results",
    preload: "--import",
  },
  {
    name: "@fastify/send",
    version: "4.1.0",
    source: npm("@fastify/send@4.1.0", "dd2c334738dad921bc20acb0784c7f6aea5e91fac59a5a681c3fc0c06dee364c"),
    runner: eachFile([".test.js"], ["--test-reporter", "tap"]),
    counted: "results",
    preload: "--require",
  },
  {
    name: "thread-stream",
    version: "3.1.0",
    source: npm("thread-stream@3.1.0", "2c2f408b3b76257feb98359b5ba4157c7900f49f31ac26b66a4ce11fbebb044d"),
    // The others need a transpiler, a bundler or a gigabyte.
    runner: eachFile(
      ["base", "commonjs-fallback", "context", "end", "event", "post-message", "thread-management"].map(
        (name) => `${name}.test.js`,
      ),
    ),
    counted: "subtests",
    preload: "--require",
  },
]);
