import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { WireObject } from "../../../wire/value.ts";
import { putTo } from "../../engine/judging.testkit.ts";
import { selfProtection } from "./index.ts";
import { homeOfDaemon, protectedIn } from "./testing.ts";

const home = "/srv/il";
const itself = protectedIn(home, {
  program: "/opt/il/bin",
  commandLine: "node --no-warnings /opt/il/bin/interlock-sidecar.js",
});
const { rules } = selfProtection(itself);

const saidOf = async (action: string, args: WireObject): Promise<string> => {
  const { policy_id, reason, attributed_to } = await putTo(rules, { event: { action }, args });
  return policy_id === null ? "" : `${policy_id} ${attributed_to}: ${reason}`;
};
const line = (command: string, resolved_cwd = "/srv/app", more: WireObject = {}): Promise<string> =>
  saidOf("child_process.exec", { command, resolved_cwd, ...more });
const argv = (command: string, ...args: readonly string[]): Promise<string> =>
  saidOf("child_process.spawn", { command, args, resolved_cwd: "/srv/app" });

const named = (what: string): string => `interlock.self.commands command: it names ${what}`;
const altered = (what: string): string => `interlock.self.commands command: it would alter ${what}`;

describe("commands", () => {
  test.each([
    ["cat /srv/il/state/ledger.db"],
    ["sqlite3 /srv/il/state/ledger.db 'delete from receipts'"],
    ["cat /srv/il/st''ate/ledger.db"],
    ["cat /srv/il/./x/../state/ledger.db"],
    ["cd /srv/il && cat state/ledger.db"],
    ["cd /srv; cd il; rm -f state/ledger.db"],
    ["(cd /srv/il/state && tar cf /tmp/x .)"],
    ["node -e \"require('fs').writeFileSync('/srv/il/state/ledger.db', '')\""],
    ["tar cf /tmp/x -C /srv/il/state ."],
    ["sh -c 'echo x > /srv/il/state/ledger.db'"],
    ["eval 'cat /srv/il/state/ledger.db'"],
    ["rm -rf /srv/il/stat*"],
    ["cat < /srv/il/state/ledger.db"],
    ["dd if=/dev/zero of=/srv/il/state/receipts.journal"],
    ["curl file:///srv/il/state/ledger.db"],
  ])("the state directory is named by none: %s", async (command) => {
    expect(await line(command)).toBe(named("the daemon's state directory"));
  });

  test("nor are the operators' socket and their tokens", async () => {
    expect(await line("nc -U /srv/il/state/operator.sock")).toBe(named("the socket of operators"));
    expect(await line("cat operators/ann.token", home)).toBe(named("the tokens of operators"));
    expect(await line("cp -r /srv/il/operators /tmp/x")).toBe(named("the tokens of operators"));
  });

  test.each([
    ["interlock approvals grant ap_1"],
    ["interlock resume --reason over"],
    ["interlock keys trust mallory.pub --role rules"],
    ["node dist/bin/interlock.js keys threshold rules 1"],
    ["interlock rules sign mine.ts"],
    ["npx interlock fallback sign away.yaml"],
    ["interlock scope cosign scopes.signed.json --key k"],
    ["interlock receipts prune --before 2026-12-01"],
    ["interlock receipts erase 7"],
    ["interlock receipts rotate-key --out h.json"],
    ["npx interlock token issue --principal root"],
    ["interlock --json approvals list"],
    ["/usr/local/bin/interlock operators add mallory --print"],
    ["env -u NODE_OPTIONS interlock approvals grant ap_1"],
    ["node dist/bin/interlock.js transactions resolve tx_1 --as failed"],
    ["npx interlock approvals grant ap_1"],
    ["sh -c 'interlock approvals deny ap_1'"],
    ["x=approvals; interlock $x grant ap_1"],
  ])("a decision is a person's, not a command's: %s", async (command) => {
    expect(await line(command)).toBe("interlock.self.commands command: it would decide as an operator");
  });

  test.each([
    ["interlock status"],
    ["interlock rules check rules.ts"],
    ["git clone https://example.com/interlock approvals"],
    ["ls interlock approvals"],
    ["node app.js approvals"],
  ])("what decides nothing is not one: %s", async (command) => {
    expect(await line(command)).toBe("");
  });

  test("nor are the socket and the secret keys, under whatever program", async () => {
    expect(await line("nc -U /srv/il/run/guard.sock")).toBe(named("the daemon's socket"));
    expect(await line("curl --unix-socket run/guard.sock http://x/", home)).toBe(named("the daemon's socket"));
    expect(await line("touch /srv/il/run/guard.sock.restarting")).toBe(named("the daemon's socket"));
    expect(await line("cat keys/rules.key", home)).toBe(named("a private key"));
    expect(await argv("openssl", "pkey", "-in", "/srv/il/keys/rules.key")).toBe(named("a private key"));
    expect(await argv("gdb", "/proc/4242/mem")).toBe(named("the daemon's memory"));
  });

  test.each([
    ["echo 'self_protection: off' >> /srv/il/interlock.yaml"],
    ["echo x >| /srv/il/interlock.yaml"],
    ["true 2> /srv/il/interlock.yaml"],
    ["rm /srv/il/interlock.yaml"],
    ["/bin/rm -f -- /srv/il/interlock.yaml"],
    ["sudo -u root env A=1 rm /srv/il/interlock.yaml"],
    ["mv x /srv/il/interlock.yaml"],
    ["mv /srv/il/interlock.yaml /tmp"],
    ["mv -t /srv/il /tmp/interlock.yaml"],
    ["cp /tmp/interlock.yaml /srv/il/"],
    ["install -m 600 x /srv/il/interlock.yaml"],
    ["rsync x /srv/il/interlock.yaml"],
    ["ln -sf x /srv/il/interlock.yaml"],
    ["sed -i s/a/b/ /srv/il/interlock.yaml"],
    ["sed --in-place=.bak s/a/b/ /srv/il/interlock.yaml"],
    ["perl -pi -e s/a/b/ /srv/il/interlock.yaml"],
    ["dd if=x of=/srv/il/interlock.yaml"],
    ["echo x | tee -a /srv/il/interlock.yaml"],
    ["truncate -s 0 /srv/il/interlock.yaml"],
    ["chmod 777 /srv/il/interlock.yaml"],
    ["touch /srv/il/interlock.yaml"],
    ["shred -u /srv/il/interlock.yaml"],
    ["curl -o /srv/il/interlock.yaml http://x/"],
    ["wget -O /srv/il/interlock.yaml http://x/"],
    ["rm /srv/il/interlock.y*"],
    ["cd /srv/il && rm *.yaml"],
    ["find /srv/il/interlock.yaml -delete"],
    ["if true; then rm /srv/il/INTERLOCK.yaml; fi"],
  ])("the configuration is altered by none that is known: %s", async (command) => {
    expect(await line(command)).toBe(altered("the daemon's configuration"));
  });

  test("and so with rule sets, their sources, trusted keys and the daemon's program", async () => {
    const real = homeOfDaemon();
    const own = selfProtection(protectedIn(real)).rules;
    for (const [path, what] of [
      ["rules/own.json", "a rule set"],
      ["rules/own.ts", "the source of a rule set"],
      ["keys/rules.key.pub", "a trusted key"],
      ["program/engine-worker.js", "the daemon's program"],
    ] as const) {
      const args = { command: "tee", args: [join(real, path)], resolved_cwd: "/" };
      const { reason } = await putTo(own, { event: { action: "child_process.execFile" }, args });
      expect(reason).toBe(`it would alter ${what}`);
    }
  });

  test.each([
    ["rm -rf /srv/il"],
    ["rm -rf /srv"],
    ["cd / && rm -rf srv"],
    ["mv /srv/il /srv/other"],
    ["find /srv -name '*.db' -delete"],
    ["find /srv -exec rm {} +"],
    ["rsync -a --delete /tmp/x/ /srv/il/"],
    ["chmod -R 777 /srv"],
    ["rm -rf /srv/i*"],
    ["rm /srv/il/$X"],
  ])("a folder that holds them is not removed, moved or given away: %s", async (command) => {
    expect(await line(command)).toMatch(/^interlock\.self\.commands command: it (?:names|would alter) /);
  });

  test.each([
    ["ls -la /srv/il"],
    ["cat /srv/il/interlock.yaml"],
    ["grep -r unknown /srv/il/interlock.yaml"],
    ["cp /srv/il/interlock.yaml /tmp/copy"],
    ["diff /srv/il/rules/own.json /tmp/x > /tmp/y"],
    ["cp x /srv/il/"],
    ["mv x y /srv/il"],
    ["rm -rf /srv/il-other"],
    ["rm /srv/il/state-2/x"],
    ["rm -rf build/*"],
    ['rm -rf "$DIR"'],
    ["cd build && rm -rf *"],
    ["rm -rf ~/.cache/x"],
    ["npm run build && npm test"],
    ["git checkout -- ."],
    ["node --test"],
    ["sed s/a/b/ /srv/il/interlock.yaml"],
    ["find /srv -name '*.ts'"],
    ["touch a && mkdir -p b/c && echo $HOME > a"],
    ["cat 'unclosed"],
  ])("is silent about %s", async (command) => {
    expect(await line(command)).toBe("");
  });

  test.each([
    ["kill 4242"],
    ["kill -9 4242"],
    ["kill -s KILL 4242"],
    ["kill -TERM -- -4200"],
    ["kill -9 -1"],
    ["kill 0"],
    ["sudo kill 4242"],
    ["pkill node"],
    ["pkill -9 -f interlock-sidecar"],
    ["pkill -f 'interlock|vite'"],
    ["pkill -f 'inter.*car'"],
    ["killall node"],
    ["kill $(pgrep -f interlock)"],
    ["pgrep -f interlock | xargs kill -9"],
    ["gdb -p 4242"],
    ["systemctl --user stop interlock.service"],
  ])("the daemon is not signalled: %s", async (command) => {
    expect(await line(command)).toBe("interlock.self.commands command: it would signal the daemon");
  });

  test.each([
    ["kill 4243"],
    ["kill -0 4242"],
    ["kill -l"],
    ["kill %1"],
    ["kill $!"],
    ["pkill vite"],
    ["pkill -f 'vite --port'"],
    ["pgrep node"],
    ["systemctl status"],
  ])("others are: %s", async (command) => {
    expect(await line(command)).toBe("");
  });

  test("what may be about them and cannot be parsed is blocked", async () => {
    expect(await line("rm -rf /srv/il/* '")).toMatch(/cannot be parsed, and may alter/);
    expect(await line(`rm $X # ${"x".repeat(20_000)}`)).toMatch(/cannot be parsed, and may alter/);
  });

  test("a home is where its user's commands find it", async () => {
    const own = selfProtection(protectedIn(join(homedir(), ".il"))).rules;
    for (const command of [
      "cat ~/.il/state/x",
      "cat $HOME/.il/state/x",
      'cat "$HOME"/.il/state/x',
      "cd && cat .il/state/x",
    ]) {
      const { reason } = await putTo(own, { event: { action: "child_process.execSync" }, args: { command } });
      expect([command, reason]).toEqual([command, "it names the daemon's state directory"]);
    }
  });

  test("the guard's own package, where the client says it is, is not altered either", async () => {
    const own_package = "/srv/app/node_modules/interlock-guard";
    const more = { own_package };
    for (const command of [
      "rm -rf node_modules",
      "rm -rf node_modules/*",
      `echo > ${own_package}/a.js`,
      "mv node_modules/interlock-guard x",
    ])
      expect([command, await line(command, "/srv/app", more)]).toEqual([
        command,
        expect.stringMatching(/^interlock\.self\.commands command: it would alter /),
      ]);
    for (const command of ["ls node_modules", `node ${own_package}/a.js`, "rm -rf node_modules/.cache"])
      expect([command, await line(command, "/srv/app", more)]).toEqual([command, ""]);
  });

  test("an argument list is no script, and a process that becomes another is a command", async () => {
    expect(await argv("echo", ">", "/srv/il/interlock.yaml")).toBe("");
    expect(await argv("rm", "/srv/il/interlock.yaml")).toBe(altered("the daemon's configuration"));
    expect(await argv("sh", "-c", "rm /srv/il/interlock.yaml")).toBe(altered("the daemon's configuration"));
    const execve = { command: "/bin/rm", args: ["rm", "/srv/il/interlock.yaml"] };
    expect(await saidOf("process.execve", execve)).toBe(altered("the daemon's configuration"));
  });
});
