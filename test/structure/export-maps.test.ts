import { expect, it } from "vitest";
import { textOf } from "./sources/files.ts";

/** Pins: what others import and run. Changing one is a decision about them, so both places change. */
const rulesPackage = {
  bin: {
    interlock: "dist/bin/interlock.js",
    "interlock-sidecar": "dist/bin/interlock-sidecar.js",
  },
  exports: {
    "./rules": { types: "./dist/rules/index.d.ts", default: "./dist/rules/index.js" },
    "./rules/starter": { types: "./dist/rules/starter/index.d.ts", default: "./dist/rules/starter/index.js" },
    "./rules/packs": { types: "./dist/rules/packs/index.d.ts", default: "./dist/rules/packs/index.js" },
    "./contracts": { types: "./dist/rules/contracts/index.d.ts", default: "./dist/rules/contracts/index.js" },
    "./package.json": "./package.json",
  },
  engines: { node: ">=20.16" },
};

const clientPackage = {
  exports: {
    ".": { types: "./dist/client-node/index.d.ts", default: "./dist/client-node/index.js" },
    "./wire": { types: "./dist/client-node/wire.d.ts", default: "./dist/client-node/wire.js" },
    "./mcp": { types: "./dist/client-node/mcp.d.ts", default: "./dist/client-node/mcp.js" },
    "./esm-hook": {
      types: "./dist/client-node/intercept/esm-hook.d.ts",
      default: "./dist/client-node/intercept/esm-hook.js",
    },
    "./require-hook": "./dist/client-node/intercept/require-hook.cjs",
    "./package.json": "./package.json",
  },
  engines: { node: ">=20.16" },
};

it("the package of daemon and rules has these commands and modules", () => {
  const { bin, exports, engines } = JSON.parse(textOf("package.json"));
  expect({ bin, exports, engines }).toEqual(rulesPackage);
});

it("the Node client has these modules and no dependency", () => {
  const { exports, engines, dependencies, peerDependencies } = JSON.parse(textOf("client-node/package.json"));
  expect({ exports, engines }).toEqual(clientPackage);
  expect({ ...dependencies, ...peerDependencies }).toEqual({});
});
