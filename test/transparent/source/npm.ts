import { join } from "node:path";
import { command } from "./command.ts";

/** Brings `name@version` from the registry that npm is set up with; the path of its tarball. */
export const npmTarball = async (tarball: string, folder: string): Promise<string> => {
  const said = await command("npm", ["pack", tarball, "--silent", "--ignore-scripts"], { cwd: folder });
  return join(folder, said.trim().split("\n").at(-1) ?? "");
};
