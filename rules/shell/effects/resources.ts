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
      /^(?:delete|destroy|terminate|purge|rb|delete-[\w-]+|terminate-[\w-]+|remove-[\w-]+)$/.test(text),
    ) ||
    (call.args.some(({ text }) => text === "rm" || text === "sync") &&
      call.args.some(({ text }) => text === "--recursive" || text === "--delete" || text === "-r")),
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
  gcloud: cloudRemoval,
  aws: cloudRemoval,
  az: cloudRemoval,
  doctl: cloudRemoval,
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
  docker: when("removes_resources", (call) => {
    const [what, sub] = [first(call), second(call)];
    return (
      (/^(?:system|volume)$/.test(what) && sub === "prune" && has(call, "f", "force", "a", "all", "volumes")) ||
      (what === "volume" && sub === "rm")
    );
  }),
};
