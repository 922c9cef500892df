import { posix } from "node:path";
import { describe, expect, it } from "vitest";
import { servesTests, sourceFiles, textOf } from "./sources/files.ts";
import { importsOf } from "./sources/syntax.ts";

/** Which folders the files of a folder may import from, itself included. What is not listed here may import anything. */
const arrows: Readonly<Record<string, readonly string[]>> = {
  wire: ["wire"],
  rules: ["rules", "wire"],
  daemon: ["daemon", "rules", "wire"],
  "client-node": ["client-node", "wire"],
  adapters: ["adapters", "client-node", "wire"],
  // `interlock conformance` plays the corpus; nothing but bin reaches it.
  bin: ["bin", "adapters", "conformance", "daemon", "client-node", "rules", "wire"],
};

/** Folders inside of a part that may not import others of it: engine judges, it neither listens nor stores. */
const closed: readonly { readonly from: string; readonly to: readonly string[] }[] = [
  { from: "daemon/engine/", to: ["daemon/socket/", "daemon/store/"] },
];

/** Names by which the project's parts import each other as packages. */
const ownPackages: Readonly<Record<string, string>> = {
  interlock: "rules/index.ts",
  guard: "client-node/index.ts",
  "interlock-guard": "client-node/index.ts",
};

const packageName = (specifier: string): string =>
  specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");

interface Import {
  readonly from: string;
  /** A path in the project, `node:name`, or a package's name. */
  readonly to: string;
}

const resolve = (from: string, specifier: string): Import => {
  if (specifier.startsWith(".")) return { from, to: posix.join(posix.dirname(from), specifier) };
  if (specifier.startsWith("node:")) return { from, to: specifier };
  const name = packageName(specifier);
  return { from, to: Object.hasOwn(ownPackages, name) ? (ownPackages[name] as string) : name };
};

const folder = (path: string): string => path.split("/")[0] as string;

const product = sourceFiles.filter((path) => Object.hasOwn(arrows, folder(path)) && !servesTests(path));
const imports = product.flatMap((path) => importsOf(path, textOf(path)).map((specifier) => resolve(path, specifier)));
const inProject = new Set(sourceFiles.map(folder));
const shown = ({ from, to }: Import): string => `${from} imports ${to}`;

describe("imports", () => {
  it("are found in every part of the product", () => {
    expect(imports.length).toBeGreaterThan(product.length);
    for (const part of ["wire", "rules", "daemon", "client-node"]) expect(product.map(folder)).toContain(part);
  });

  it("point one way between the parts", () => {
    const against = imports.filter(({ from, to }) => {
      const target = folder(to);
      return to.includes("/") && inProject.has(target) && !arrows[folder(from)]?.includes(target);
    });
    expect(against.map(shown)).toEqual([]);
  });

  it("never go from the product to what serves tests", () => {
    expect(imports.filter(({ to }) => servesTests(to)).map(shown)).toEqual([]);
  });

  it("never go from the engine to sockets or the store", () => {
    const against = imports.filter(({ from, to }) =>
      closed.some((rule) => from.startsWith(rule.from) && rule.to.some((target) => to.startsWith(target))),
    );
    expect(against.map(shown)).toEqual([]);
  });

  it("of the wire and of the client name no package", () => {
    const against = imports.filter(
      ({ from, to }) => ["wire", "client-node"].includes(folder(from)) && !to.startsWith("node:") && !to.includes("/"),
    );
    expect(against.map(shown)).toEqual([]);
  });

  it("of the wire and of the engine reach no file, socket or process", () => {
    const pure = new Set(["node:buffer", "node:crypto", "node:util"]);
    const against = imports.filter(
      ({ from, to }) =>
        (from.startsWith("wire/") || from.startsWith("daemon/engine/")) && to.startsWith("node:") && !pure.has(to),
    );
    expect(against.map(shown)).toEqual([]);
  });

  it("name packages that package.json lists for use at run time", () => {
    const listed = new Set(Object.keys(JSON.parse(textOf("package.json")).dependencies));
    const against = imports.filter(({ to }) => !to.startsWith("node:") && !to.includes("/") && !listed.has(to));
    expect(against.map(shown)).toEqual([]);
  });
});
