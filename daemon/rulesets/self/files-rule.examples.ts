import type { RuleExample } from "../../../rules/types.ts";
import type { WireObject } from "../../../wire/value.ts";
import type { Protected } from "./places.ts";

type Example = Omit<RuleExample, "given">;

const of = (expect: Example["expect"], action: string, args: WireObject): Example => ({
  event: { action, args },
  expect,
});

/** With the places of the daemon that runs them: `interlock doctor` puts the first to it. */
export const fileExamples = ({ places, sockets }: Protected): readonly Example[] => {
  const [socket = "/"] = sockets;
  const path = places.find(({ what }) => what === "the daemon's state directory")?.path ?? "/";
  const secret = places.find(({ isSecret }) => isSecret)?.path ?? "/";
  const folder = `${path}-of-another`;
  const elsewhere = `${folder}/notes.txt`;
  return Object.freeze([
    of("block", "fs.unlink", { path: socket }),
    of("block", "fs.writeFile", { path: `${path}/ledger.db`, data: "" }),
    of("block", "fs.writeFile", { path: "notes.txt", resolved_path: `${path}/ledger.db`, data: "" }),
    of("block", "fs.appendFile", { path: `${path}/../${path.slice(path.lastIndexOf("/") + 1)}/a`, data: "" }),
    of("block", "fs.rm", { path: path.slice(0, path.lastIndexOf("/")) || "/", options: { recursive: true } }),
    of("block", "fs.rename", { path: elsewhere, dest: socket }),
    of("block", "fs.copyFile", { path: elsewhere, dest: `${path}/ledger.db` }),
    of("block", "fs.link", { path: `${path}/ledger.db`, dest: elsewhere }),
    of("block", "fs.symlink", { target: elsewhere, path: `${socket}.restarting` }),
    of("block", "fs.open", { path: `${path}/ledger.db`, flags: "r+" }),
    of("block", "fs.open", { path: `${path}/ledger.db`, flags: 1 }),
    of("block", "fs.readFile", { path: `${path}/ledger.db`, options: { flag: "w+" } }),
    of("block", "sqlite.DatabaseSync", { path: `${path}/ledger.db` }),
    of("block", "sqlite.backup", { path: `${path}/ledger.db` }),
    of("block", "wasi.WASI", { path: path.slice(0, path.lastIndexOf("/")) || "/", guest: "/" }),
    of("block", "v8.writeHeapSnapshot", { path: `${path}/ledger.db` }),
    of("block", "module.enableCompileCache", { path }),
    of("block", "net.listen", { path: `${socket}.restarting` }),
    of("block", "fs.readFile", { path: secret }),
    of("block", "fs.copyFile", { path: secret, dest: elsewhere }),
    of("block", "fs.writeFile", { path: elsewhere, own_path: "inside", data: "" }),
    of("block", "fs.rm", { path: `${folder}/node_modules`, own_path: "above" }),
    of("silent", "fs.readFile", { path: `${path}/ledger.db` }),
    of("silent", "fs.open", { path: `${path}/ledger.db`, flags: "r" }),
    of("silent", "sqlite.DatabaseSync", { path: `${path}/ledger.db`, options: { readOnly: true } }),
    of("silent", "wasi.WASI", { path: folder, guest: "/" }),
    of("silent", "net.listen", { port: 80 }),
    of("silent", "fs.writeFile", { path: elsewhere, data: "" }),
    of("silent", "fs.rm", { path: folder, options: { recursive: true } }),
    of("silent", "fs.readFile", { path: elsewhere, own_path: "inside" }),
    of("silent", "fs.copyFile", { path: elsewhere, own_path: "inside", dest: `${folder}/copy` }),
  ]);
};
