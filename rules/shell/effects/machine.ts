import type { Effect } from "../effect.ts";
import { type Call, has, onFiles, onSystem, type Program, type Programs } from "./program.ts";

type What = Parameters<typeof onSystem>[1];

export const always = (what: What): Program => ({ does: (call) => onSystem(call, what) });
export const when = (
  what: What,
  is: (call: Call) => boolean,
  grammar: NonNullable<Program["grammar"]> = {},
): Program => ({
  grammar,
  does: (call) => (is(call) ? onSystem(call, what) : []),
});
export const first = (call: Call): string => call.operands[0]?.text ?? "";
export const second = (call: Call): string => call.operands[1]?.text ?? "";

const stops: Program = when("stops_machine", (call) => !has(call, "c", "help", "version", "show"));

/** Formats what it is given, where that is a device; an image in a file is a file. */
const formats: Program = {
  grammar: { short: "tLNbIiOEUmFq" },
  does: (call) => {
    const device = call.operands.find(({ text }) => !/^\d+[kKmMgG]?$/.test(text));
    if (device === undefined) return [];
    return /^\/dev\/|\0/.test(device.text) ? onSystem(call, "formats_disk") : onFiles("writes", call, [device]);
  },
};

const partitions = when(
  "formats_disk",
  (call) =>
    !has(call, "l", "list", "p", "print", "d", "dump", "s") &&
    call.operands.some(({ text }) => text.startsWith("/dev/")),
  { short: "bu" },
);

/** `kill -9 -1` is everybody; `kill -1 1234` sends a signal. */
const kill = ({ program, args }: Call): readonly Effect[] => {
  const rest =
    args[0] !== undefined && /^-[A-Za-z0-9]+$/.test(args[0].text) && args.length > 1
      ? args.slice(args[0].text === "-s" || args[0].text === "-n" ? 2 : 1)
      : args;
  return rest.some(({ text }) => text === "-1" || text === "1" || text === "0")
    ? onSystem({ program }, "ends_processes")
    : [];
};

const killer: Program = {
  grammar: { short: "uUgGsPt", long: ["user", "signal"] },
  does: (call) => {
    const everybody =
      call.operands.some(({ text }) => /^(?:\.\*?|\.\+|\*|init|systemd|sshd)$/.test(text)) ||
      (has(call, "u", "user") && call.operands.length === 0);
    return everybody ? onSystem(call, "ends_processes") : [];
  },
};

const stopping =
  /^(?:poweroff|reboot|halt|kexec|emergency|rescue|suspend|hibernate|hybrid-sleep|soft-reboot)(?:\.target)?$/;

const systemctl: Program = {
  grammar: { short: "tpoMHs", long: ["type", "property", "state", "output", "root", "machine", "host"] },
  does: (call) => {
    const what = first(call);
    if (call.operands.some(({ text }) => stopping.test(text))) return onSystem(call, "stops_machine");
    if (
      /^(?:enable|reenable|link|preset|edit|set-property|revert|import-environment|set-environment|set-default)$/.test(
        what,
      )
    )
      return onSystem(call, "runs_later");
    if (/^(?:disable|mask|stop|kill)$/.test(what))
      return /(?:firewalld|ufw|apparmor|auditd|fail2ban|falcon|clamav|rsyslog|sshd?|docker)/.test(second(call))
        ? onSystem(call, "weakens_guard")
        : [];
    return [];
  },
};

const crontab: Program = {
  grammar: { short: "u" },
  does: (call) =>
    has(call, "l") || (call.operands.length === 0 && !has(call, "r", "e") && call.fedBy.length === 0)
      ? []
      : [...onSystem(call, "runs_later"), ...onFiles("reads", call, call.operands)],
};

/** `env` and `printenv` print every variable; with a command behind it `env` prints none. */
const env: Program = {
  grammar: { short: "uCSa", long: ["unset", "chdir", "split-string", "argv0"], leading: true },
  does: (call) =>
    call.operands.every(({ text }) => /^[A-Za-z_]\w*=/.test(text)) &&
    !has(call, "S", "split-string", "i", "ignore-environment", "help", "version", "")
      ? onSystem(call, "shows_environment")
      : [],
};

/** Names of variables that hold what nobody else may know. */
export const secretVariable =
  /(?:^|_)(?:SECRETS?|TOKENS?|PASSWORDS?|PASSWD|PWD|PASS|PASSPHRASE|CREDENTIALS?|APIKEY|API_?KEYS?|ACCESS_?KEYS?|PRIVATE_?KEYS?|SECRET_?KEYS?|AUTH|DSN)(?:_|$)|(?:^|_)(?:KEY|PAT)$|^(?:DATABASE|DB|REDIS|MONGO(?:DB)?|POSTGRES(?:QL)?|MYSQL|AMQP)_(?:URL|URI)$/i;

const printenv: Program = {
  does: (call) =>
    call.operands.length === 0 ||
    call.operands.some(({ text, known }) => !known || (secretVariable.test(text) && text !== "PWD"))
      ? onSystem(call, "shows_environment")
      : [],
};

/** The shell's own: with no variable named they print all of them, with `-p` their values. */
const declares: Program = {
  does: (call) =>
    call.operands.length === 0 && !has(call, "f", "F", "a", "A", "i") ? onSystem(call, "shows_environment") : [],
};

/** Programs that act on the machine: its disks, processes, accounts, services and logs. */
export const machinePrograms: Programs = {
  mkfs: formats,
  mke2fs: formats,
  mkswap: formats,
  newfs: formats,
  wipefs: when("formats_disk", (call) => has(call, "a", "all", "o", "f")),
  blkdiscard: always("formats_disk"),
  fdisk: partitions,
  sfdisk: partitions,
  gdisk: partitions,
  sgdisk: partitions,
  parted: partitions,
  cryptsetup: when("formats_disk", (call) => /^(?:luksFormat|erase|luksErase|format)$/.test(first(call))),
  lvremove: always("formats_disk"),
  vgremove: always("formats_disk"),
  pvremove: always("formats_disk"),
  mdadm: when("formats_disk", (call) => has(call, "zero-superblock", "create", "stop", "S")),
  zpool: when("formats_disk", (call) => /^(?:destroy|labelclear|create)$/.test(first(call))),
  zfs: when("formats_disk", (call) => first(call) === "destroy"),
  hdparm: when("formats_disk", (call) =>
    call.args.some(({ text }) => text.includes("security-erase") || text.includes("trim")),
  ),
  nvme: when("formats_disk", (call) => /^(?:format|sanitize)$/.test(first(call))),
  diskutil: when("formats_disk", (call) => /^(?:erase\w*|partitionDisk|zeroDisk|secureErase|apfs)$/i.test(first(call))),
  format: when("formats_disk", (call) => call.args.some(({ text }) => /^[a-z]:/i.test(text))),
  badblocks: when("formats_disk", (call) => has(call, "w")),
  swapoff: always("weakens_guard"),
  shutdown: stops,
  reboot: stops,
  poweroff: stops,
  halt: stops,
  init: when("stops_machine", (call) => /^[0-6sS]$/.test(first(call))),
  telinit: when("stops_machine", (call) => /^[0-6sS]$/.test(first(call))),
  kexec: stops,
  loginctl: when("stops_machine", (call) => stopping.test(first(call))),
  systemctl,
  launchctl: when("runs_later", (call) => /^(?:load|bootstrap|enable|submit|kickstart)$/.test(first(call))),
  kill: { does: kill },
  killall: killer,
  pkill: killer,
  killall5: always("ends_processes"),
  crontab,
  at: when("runs_later", (call) => !has(call, "l", "c", "V"), { short: "qft" }),
  batch: always("runs_later"),
  defaults: when("runs_later", ({ operands }) =>
    operands.some(({ text }) => /loginwindow|LoginHook|LogoutHook|LaunchAgents/i.test(text)),
  ),
  reg: when("runs_later", ({ operands }) =>
    operands.some(({ text }) =>
      /\\(?:Run|RunOnce|RunServices|Winlogon|Image File Execution Options)(?:\\|$)/i.test(text),
    ),
  ),
  schtasks: when("runs_later", ({ args }) => args.some(({ text }) => /^[/-](?:create|change)$/i.test(text))),
  sc: when("runs_later", (call) => /^(?:create|config)$/i.test(first(call))),
  "systemd-run": when("runs_later", (call) => call.options.some(({ name }) => name.startsWith("on-")), {
    leading: true,
    short: "pMEu",
    long: ["unit", "property"],
  }),
  "update-rc.d": always("runs_later"),
  chkconfig: when("runs_later", (call) => call.operands.length > 1),
  "rc-update": when("runs_later", (call) => /^(?:add|-a)$/.test(first(call))),
  su: always("changes_privileges"),
  sudo: when("changes_privileges", (call) => !(call.operands.length === 0 && has(call, "l", "v", "k", "K", "V", "h")), {
    short: "ughpCrtTUDR",
    leading: true,
  }),
  doas: always("changes_privileges"),
  pkexec: always("changes_privileges"),
  run0: always("changes_privileges"),
  gosu: always("changes_privileges"),
  runuser: always("changes_privileges"),
  useradd: always("changes_privileges"),
  adduser: always("changes_privileges"),
  userdel: always("changes_privileges"),
  deluser: always("changes_privileges"),
  usermod: always("changes_privileges"),
  groupadd: always("changes_privileges"),
  groupmod: always("changes_privileges"),
  groupdel: always("changes_privileges"),
  gpasswd: always("changes_privileges"),
  passwd: when("changes_privileges", (call) => !has(call, "S", "status")),
  chpasswd: always("changes_privileges"),
  chsh: always("changes_privileges"),
  chage: when("changes_privileges", (call) => !has(call, "l")),
  visudo: when("changes_privileges", (call) => !has(call, "c", "check")),
  vipw: always("changes_privileges"),
  dscl: when("changes_privileges", (call) =>
    call.args.some(({ text }) => /^-?(?:create|append|passwd|delete)$/.test(text)),
  ),
  setcap: when("changes_privileges", (call) => !has(call, "v")),
  nsenter: always("changes_privileges"),
  chroot: always("changes_privileges"),
  insmod: always("changes_privileges"),
  modprobe: when("changes_privileges", (call) => !has(call, "n", "dry-run", "c", "showconfig")),
  rmmod: always("changes_privileges"),
  kldload: always("changes_privileges"),
  mount: {
    grammar: { short: "toLU" },
    does: (call) => (call.operands.length === 0 ? [] : onSystem(call, "changes_privileges")),
  },
  umount: always("changes_privileges"),
  sysctl: when(
    "changes_privileges",
    (call) => has(call, "w", "write", "p", "load") || call.operands.some(({ text }) => text.includes("=")),
  ),
  iptables: when("weakens_guard", (call) => !has(call, "L", "list", "S")),
  ip6tables: when("weakens_guard", (call) => !has(call, "L", "list", "S")),
  nft: when("weakens_guard", (call) => first(call) !== "list"),
  ufw: when("weakens_guard", (call) => !/^(?:status|show|version)$/.test(first(call))),
  "firewall-cmd": when(
    "weakens_guard",
    (call) => !call.options.every(({ name }) => /^(?:list|get|query|state)/.test(name)),
  ),
  setenforce: always("weakens_guard"),
  auditctl: when("weakens_guard", (call) => !has(call, "l", "s")),
  spctl: when("weakens_guard", (call) => call.args.some(({ text }) => /disable/.test(text))),
  csrutil: when("weakens_guard", (call) => first(call) === "disable"),
  "aa-disable": always("weakens_guard"),
  "aa-teardown": always("weakens_guard"),
  history: when("hides_traces", (call) => has(call, "c", "d")),
  unset: when("hides_traces", ({ operands }) => operands.some(({ text }) => /^HIST(?:FILE|SIZE)$/.test(text))),
  journalctl: when("hides_traces", (call) => call.options.some(({ name }) => /^(?:vacuum|rotate)/.test(name)), {
    short: "unpotSUb",
  }),
  wevtutil: when("hides_traces", (call) => /^(?:cl|clear-log)$/i.test(first(call))),
  auditpol: always("weakens_guard"),
  env,
  printenv,
  set: when("shows_environment", (call) => call.args.length === 0),
  export: declares,
  declare: declares,
  typeset: declares,
  compgen: when("shows_environment", (call) => has(call, "e", "v")),
};
