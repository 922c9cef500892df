import { always, first, second, when } from "./machine.ts";
import { has, onAddress, onFiles, onSystem, type Program, type Programs, valuesOf } from "./program.ts";

const kubernetes: Program = {
  grammar: {
    short: "nfkloc",
    long: [
      "namespace",
      "filename",
      "kustomize",
      "selector",
      "context",
      "kubeconfig",
      "output",
      "container",
      "image",
      "replicas",
      "grace-period",
    ],
  },
  does: (call) => {
    const what = first(call);
    const rest = call.operands.slice(1).map(({ text }) => text);
    const isWide =
      has(call, "all", "A", "all-namespaces") ||
      rest.some((text) =>
        /^(?:ns|namespaces?|nodes?|pvc?|persistentvolume\w*|crds?|customresourcedefinitions?)(?:\/|$)/.test(text),
      ) ||
      has(call, "raw");
    return [
      ...onFiles(
        "reads",
        call,
        valuesOf(call, "f", "filename", "kubeconfig").filter(({ text }) => !/^https?:/.test(text)),
        "below",
      ),
      ...onAddress(
        call,
        valuesOf(call, "f", "filename").filter(({ text }) => /^https?:/.test(text)),
        "fetches",
      ),
      ...(what === "scale" && has(call, "all") && valuesOf(call, "replicas").some(({ text }) => text === "0")
        ? onSystem(call, "removes_resources")
        : []),
      ...(has(call, "privileged") ? onSystem(call, "changes_privileges") : []),
      ...((what === "delete" && isWide) || what === "drain" || (what === "delete" && has(call, "force"))
        ? onSystem(call, "removes_resources")
        : []),
      ...(/^(?:get|describe)$/.test(what) &&
      rest.some((text) => /^secrets?(?:\/|$)/.test(text)) &&
      has(call, "o", "output")
        ? onSystem(call, "shows_environment")
        : []),
      ...(what === "create" && /^(?:clusterrolebinding|rolebinding)$/.test(rest[0] ?? "")
        ? onSystem(call, "changes_privileges")
        : []),
      ...(what === "cp"
        ? onFiles(
            "reads",
            call,
            call.operands.slice(1).filter(({ text }) => !text.includes(":")),
            "below",
          )
        : []),
    ];
  },
};

const cloudRemoval = when(
  "removes_resources",
  (call) =>
    call.args.some(({ text }) =>
      /^(?:(?:[\w-]+:)?(?:delete|destroy)|terminate|purge|rb|delete-[\w-]+|terminate-[\w-]+|remove-[\w-]+)$/.test(text),
    ) ||
    (call.args.some(({ text }) => text === "rm" || text === "sync") &&
      call.args.some(({ text }) => text === "--recursive" || text === "--delete" || text === "-r")),
);

/** More rights for somebody: https://attack.mitre.org/techniques/T1098/. */
const grants = when("changes_privileges", (call) =>
  call.args.some(({ text }) =>
    /^(?:public-read(?:-write)?|allUsers|allAuthenticatedUsers|delete-public-access-block|create-access-key|create-login-profile|create-user|create-role|attach-(?:user|role|group)-policy|put-(?:user|role|group|bucket)-policy|add-user-to-group|update-assume-role-policy|add-iam-policy-binding|set-iam-policy)$/.test(
      text,
    ),
  ),
);

const both = (one: Program, other: Program): Program => ({
  does: (call) => [...one.does(call), ...other.does(call)],
});

const removing = (pattern: RegExp): Program => when("removes_resources", (call) => pattern.test(first(call)));

/** Frameworks empty or drop the database that they are configured for, whichever that is. */
const rails = removing(/^db:(?:drop|reset|purge|schema:load|migrate:reset|truncate_all|seed:replant)(?::all)?$/);
const scripts: readonly (readonly [RegExp, RegExp])[] = [
  [/(?:^|\/)manage\.py$/, /^(?:flush|reset_db|sqlflush)$/],
  [/(?:^|\/)artisan$/, /^(?:migrate:(?:fresh|reset|refresh)|db:wipe)$/],
  [/(?:^|\/)bin\/rails$/, /^db:(?:drop|reset|purge)/],
  [/(?:^|\/)bin\/console$/, /^doctrine:(?:database|schema):drop$/],
];
const frameworkScript: Program = {
  grammar: { short: "cmWX", leading: true },
  does: (call) => {
    const [script, command] = call.operands.map(({ text }) => text);
    return scripts.some(([name, what]) => name.test(script ?? "") && what.test(command ?? ""))
      ? onSystem(call, "removes_resources")
      : [];
  },
};
const prisma = when(
  "removes_resources",
  (call) =>
    (first(call) === "migrate" && second(call) === "reset") ||
    (first(call) === "db" && second(call) === "push" && has(call, "force-reset", "accept-data-loss")),
);

/** Programs that manage what runs elsewhere: clusters, clouds, databases, containers. */
export const resourcePrograms: Programs = {
  kubectl: kubernetes,
  oc: kubernetes,
  helm: when("removes_resources", (call) => /^(?:uninstall|delete|del|un)$/.test(first(call))),
  terraform: when(
    "removes_resources",
    (call) => first(call) === "destroy" || (first(call) === "apply" && has(call, "destroy", "auto-approve")),
    { single: true, long: ["var", "var-file", "target", "chdir"] },
  ),
  tofu: when(
    "removes_resources",
    (call) => first(call) === "destroy" || (first(call) === "apply" && has(call, "destroy", "auto-approve")),
    { single: true, long: ["var", "var-file", "target", "chdir"] },
  ),
  pulumi: when("removes_resources", (call) => first(call) === "destroy"),
  gcloud: both(cloudRemoval, grants),
  aws: both(cloudRemoval, grants),
  az: cloudRemoval,
  doctl: cloudRemoval,
  fly: cloudRemoval,
  flyctl: cloudRemoval,
  eksctl: cloudRemoval,
  linode: cloudRemoval,
  hcloud: cloudRemoval,
  netlify: cloudRemoval,
  firebase: cloudRemoval,
  wrangler: cloudRemoval,
  vercel: removing(/^(?:remove|rm)$/),
  stripe: cloudRemoval,
  virsh: removing(/^(?:destroy|undefine|vol-delete|pool-destroy|pool-delete)$/),
  lxc: removing(/^delete$/),
  incus: removing(/^delete$/),
  influx: removing(/^delete$/),
  etcdctl: when("removes_resources", (call) => first(call) === "del" && has(call, "prefix", "from-key")),
  consul: when("removes_resources", (call) => second(call) === "delete" && has(call, "recurse"), { single: true }),
  railway: removing(/^(?:down|delete)$/),
  rails,
  rake: rails,
  prisma,
  python: frameworkScript,
  php: frameworkScript,
  mix: removing(/^ecto\.(?:drop|reset)$/),
  dotnet: when("removes_resources", ({ operands }) =>
    /^ef database drop$/.test(
      operands
        .slice(0, 3)
        .map(({ text }) => text)
        .join(" "),
    ),
  ),
  supabase: when(
    "removes_resources",
    (call) => first(call) === "db" && second(call) === "reset" && has(call, "linked", "db-url"),
  ),
  heroku: when("removes_resources", (call) => /^(?:apps:destroy|pg:reset|addons:destroy)$/.test(first(call))),
  gsutil: cloudRemoval,
  rclone: when("removes_resources", (call) => /^(?:purge|delete|sync)$/.test(first(call))),
  "redis-cli": when(
    "removes_resources",
    (call) => call.operands.some(({ text }) => /^(?:flushall|flushdb|shutdown)$/i.test(text)),
    { short: "hpanu" },
  ),
  dropdb: always("removes_resources"),
  mysqladmin: when("removes_resources", (call) => call.operands.some(({ text }) => /^(?:drop|shutdown)$/i.test(text))),
  "docker-compose": when("removes_resources", (call) => first(call) === "down" && has(call, "v", "volumes")),
  docker: when("removes_resources", (call) => {
    const [what, sub] = [first(call), second(call)];
    return (
      (/^(?:system|volume)$/.test(what) && sub === "prune" && has(call, "f", "force", "a", "all", "volumes")) ||
      (what === "volume" && sub === "rm") ||
      (what === "compose" && sub === "down" && has(call, "v", "volumes"))
    );
  }),
};
