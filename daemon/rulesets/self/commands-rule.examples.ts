import type { RuleExample } from "../../../rules/types.ts";
import type { Protected } from "./places.ts";

type Example = Omit<RuleExample, "given">;

/** With the places of the daemon that runs them. */
export const commandExamples = ({ places, pid }: Protected): readonly Example[] => {
  const pathOf = (what: string): string => places.find((place) => place.what === what)?.path ?? "/";
  const state = pathOf("the daemon's state directory");
  const file = pathOf("the daemon's configuration");
  const parent = file.slice(0, file.lastIndexOf("/")) || "/";
  const name = file.slice(file.lastIndexOf("/") + 1);
  const resolved_cwd = `${state}-of-another`;
  const exec = (expect: Example["expect"], command: string, cwd = resolved_cwd): Example => ({
    event: { action: "child_process.exec", args: { command, resolved_cwd: cwd } },
    expect,
  });
  const start = (expect: Example["expect"], command: string, ...args: readonly string[]): Example => ({
    event: { action: "child_process.spawn", args: { command, args, resolved_cwd } },
    expect,
  });
  return Object.freeze([
    exec("block", `cat ${state}/ledger.db`),
    exec("block", `python3 -c "open('${state}/ledger.db', 'w')"`),
    exec("block", "echo x > ledger.db", state),
    exec("block", `cd ${state} && rm ledger.db`),
    exec("block", `rm -rf ${parent}`),
    exec("block", `echo 'unknown: allow' >> ${file}`),
    exec("block", `sh -c "sed -i s/block/allow/ ${file}"`),
    exec("block", `rm ${name}`, parent),
    exec("block", `mv ${parent} ${parent}.old`),
    exec("block", `kill -9 ${pid}`),
    exec("block", "interlock approvals grant ap_1"),
    start("block", "tee", file),
    start("block", "cp", "notes.txt", file),
    start("block", "cp", `/srv/${name}`, parent),
    start("block", "find", parent, "-delete"),
    start("block", "kill", "-s", "TERM", String(pid)),
    exec("silent", `cat ${file}`),
    exec("silent", `cp ${file} /srv/copy`),
    exec("silent", "npm run build && rm -rf build/*"),
    exec("silent", "sed -i s/a/b/ notes.txt"),
    exec("silent", `kill -0 ${pid}`),
    start("silent", "git", "status"),
    start("silent", "rm", "-rf", "build"),
  ]);
};
