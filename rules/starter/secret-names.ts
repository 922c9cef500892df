/** Files that hold what opens other doors. Judged by name, in any case; `path` has forward slashes. */

const files: ReadonlySet<string> = new Set([
  ".env",
  ".npmrc",
  ".netrc",
  "_netrc",
  ".pypirc",
  ".pgpass",
  ".my.cnf",
  ".git-credentials",
  ".dockercfg",
  ".htpasswd",
  "application_default_credentials.json",
]);

/** Samples that are made to be read. */
const samples: ReadonlySet<string> = new Set(["example", "sample", "template", "dist", "defaults", "test", "schema"]);
const keyFile = /^id_(?:rsa|dsa|ecdsa|ecdsa_sk|ed25519|ed25519_sk|xmss)(?:\.(?!pub$)[^/]*)?$/;
const keyExtensions = [".pem", ".p12", ".pfx", ".keystore", ".jks", ".kdbx", ".ppk"];

/** A folder, and the files in it that are secret. */
const inFolder: readonly (readonly [string, (name: string) => boolean])[] = [
  [".ssh", (name) => !name.endsWith(".pub") && name !== "known_hosts"],
  [".gnupg", () => true],
  [".aws", (name) => name === "credentials" || name === "config"],
  [".docker", (name) => name === "config.json"],
  [".kube", (name) => name === "config"],
  [".azure", (name) => name.endsWith(".json")],
  ["etc", (name) => ["shadow", "gshadow", "shadow-", "gshadow-", "sudoers"].includes(name)],
];

/** What a process keeps to itself: `/proc/PID/environ`, under any PID. */
const ofProcess: ReadonlySet<string> = new Set(["environ", "mem", "maps", "root", "cwd", "fd", "auxv"]);

/** A folder that is secret as a whole: to copy or search it is to read its files. */
export const isSecretFolder = (path: string): boolean => /(?:^|\/)\.(?:ssh|gnupg|aws|kube|azure)\/?$/i.test(path);

export const isSecretPath = (path: string): boolean => {
  const parts = path
    .toLowerCase()
    // What some file systems do not tell apart.
    .normalize("NFKC")
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, "")
    .split("/")
    // Windows drops these from the end of a name, and `::$DATA` names the same bytes.
    .map((part) => part.replace(/::\$data$/, "").replace(/(?<=[^. ])[. ]+$/, ""))
    .filter((part) => part !== "" && part !== ".");
  const name = parts.at(-1) ?? "";
  const folder = parts.at(-2) ?? "";
  if (files.has(name) || keyFile.test(name) || keyExtensions.some((end) => name.endsWith(end) && name !== end))
    return true;
  if (name.startsWith(".env.")) return !samples.has(name.slice(name.lastIndexOf(".") + 1));
  const at = parts.lastIndexOf("proc");
  if (at >= 0 && ofProcess.has(parts[at + 2] ?? parts[at + 1] ?? "") && parts.length > at + 2) return true;
  return inFolder.some(([of, secret]) => (of === folder && secret(name)) || (of === ".gnupg" && parts.includes(of)));
};
