import { createRequire, isBuiltin } from "node:module";

const require = createRequire(import.meta.url);

/**
 * Named imports of builtins are taken when the bundle is loaded. As Node's CommonJS has it, each use would read the module again, which
 * a program can change by then. The default import stays the module itself, whose members are replaced.
 * `replaced` names modules by the files that stand in for them.
 */
export const capturedBuiltins = (replaced) => ({
  name: "captured-builtins",
  setup(build) {
    build.onResolve({ filter: /^node:/ }, ({ path, namespace }) => {
      if (Object.hasOwn(replaced, path)) return { path: replaced[path] };
      return namespace === "captured" ? { path, external: true } : { path, namespace: "captured" };
    });
    build.onLoad({ filter: /.*/, namespace: "captured" }, ({ path }) => ({ contents: moduleOf(path) }));
  },
});

const moduleOf = (path) => {
  if (!isBuiltin(path)) throw new Error(`there is no ${path}`);
  const names = Object.keys(require(path)).filter((name) => /^[A-Za-z_$][\w$]*$/.test(name) && name !== "default");
  return [
    `const module = require(${JSON.stringify(path)});`,
    "export default module;",
    // What nobody imports is not read: some members are made, or warn, when they are asked for.
    ...names.map((name) => `export const ${name} = /* @__PURE__ */ (() => module.${name})();`),
  ].join("\n");
};
