import { type Judge, judgement } from "./judgement.ts";

/** Package managers fetch what they are told to; everything else that runs as it arrives is a program that nobody read. */
const managers: ReadonlySet<string> = new Set([
  ...["npm", "pnpm", "yarn", "npx", "pip", "pip3", "pipx", "uv", "cargo", "apt", "apt-get", "dnf", "yum", "apk", "rpm"],
]);

/** `curl URL | sh`, `bash <(curl URL)`, `sh -c "$(wget -O- URL)"`, `curl -o x URL && sh x`; and packages that are named by a URL. */
export const downloadedProgram: Judge = ({ effects }, options) =>
  effects.map((effect) => {
    if (effect.kind !== "runs" || effect.what !== "download") return null;
    if (managers.has(effect.program))
      return judgement(options.installFromUrl, "it installs a package from an address instead of a registry");
    return judgement("block", "it runs a program as it is downloaded");
  });
