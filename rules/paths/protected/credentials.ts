import type { Folded } from "../folded.ts";
import { below, holdsRun, inSystemEtc, isRooted, lastOf, type Member, member, type SetOf } from "./member.ts";

const file = member("credentials", ["read", "write", "delete"], "block", "a file of keys, passwords or tokens");
/** To list it says which keys there are; to make it or to close it (`mkdir`, `chmod 700`) says nothing. */
const folder = member("credentials", ["read", "list", "delete"], "escalate", "a folder of keys");
const history = member("credentials", ["read"], "block", "a history of commands, which holds what was typed");

const names: ReadonlySet<string> = new Set([
  ".env",
  ".envrc",
  ".npmrc",
  ".netrc",
  "_netrc",
  ".pypirc",
  ".pgpass",
  "pgpass.conf",
  ".my.cnf",
  ".mylogin.cnf",
  ".git-credentials",
  ".dockercfg",
  ".htpasswd",
  ".s3cfg",
  ".boto",
  ".msmtprc",
  ".fetchmailrc",
  ".vault-token",
  ".vault_pass",
  ".vault-pass",
  ".terraformrc",
  "application_default_credentials.json",
  "client_secret.json",
  "wp-config.php",
  "client_secrets.json",
  "service-account.json",
  "service_account.json",
  "serviceaccount.json",
  "service-account-key.json",
  "credentials.json",
  "credentials.yml",
  "credentials.yaml",
  "credentials.db",
  "secrets.json",
  "secrets.yml",
  "secrets.yaml",
  "secrets.toml",
  "secrets.env",
  "master.key",
  "rclone.conf",
  "terraform.tfstate",
  "terraform.tfstate.backup",
  "kubeconfig",
  "wallet.dat",
  "key4.db",
  "signons.sqlite",
  "cookies.sqlite",
  "login data",
  "login data for account",
  "login.keychain",
  "login.keychain-db",
  "system.keychain",
  "ntds.dit",
]);

const histories: ReadonlySet<string> = new Set([
  ".bash_history",
  ".zsh_history",
  ".zhistory",
  ".sh_history",
  ".history",
  ".psql_history",
  ".mysql_history",
  ".sqlite_history",
  ".rediscli_history",
  ".python_history",
  ".node_repl_history",
  "fish_history",
  "consolehost_history.txt",
]);

/** Samples that are made to be read. */
const samples: ReadonlySet<string> = new Set([
  "example",
  "examples",
  "sample",
  "template",
  "tpl",
  "dist",
  "defaults",
  "test",
  "schema",
  "md",
  "d",
  "vault",
]);

const keyFile = /^id_(?:rsa|dsa|ecdsa|ecdsa_sk|ed25519|ed25519_sk|xmss)(?:[._-](?!pub$).{0,64})?$/;
/** A program that reads keys is named after them. */
const programText = /\.(?:[cm]?[jt]sx?|py|go|rs|java|kt|rb|php|cs|c|cc|cpp|h|hpp|swift|md|mdx|rst|html)$/;
const secretExtensions: ReadonlySet<string> = new Set([
  "key",
  "p12",
  "pfx",
  "keystore",
  "jks",
  "kdb",
  "kdbx",
  "ppk",
  "tfstate",
  "ovpn",
  "gpg-key",
  "keytab",
  "agekey",
]);

/** Words in the name of a `.pem` that say that it holds no private key. */
const publicWords: ReadonlySet<string> = new Set([
  "cert",
  "certs",
  "certificate",
  "certificates",
  "ca",
  "cacert",
  "cacerts",
  "chain",
  "fullchain",
  "bundle",
  "public",
  "pub",
  "pubkey",
  "root",
  "crt",
  "dhparam",
  "dhparams",
  "dh",
]);
const privateWords: ReadonlySet<string> = new Set(["key", "keys", "private", "priv", "privkey", "secret", "rsa"]);

/** A folder, and what of the rest of the path is secret in it. */
const folders: readonly (readonly [string, (rest: readonly string[]) => boolean])[] = [
  [".ssh", ([name = ""]) => !name.endsWith(".pub") && !/^known_hosts(?:\.old)?$/.test(name)],
  [".gnupg", () => true],
  [".aws", ([name]) => name === "credentials" || name === "config" || name === "sso" || name === "cli"],
  [".azure", (rest) => /\.(?:json|bin|cache)$/.test(rest.at(-1) ?? "")],
  [".docker", ([name]) => name === "config.json"],
  [".kube", ([name = ""]) => name !== "cache" && name !== "kubectx"],
  [".oci", () => true],
  [".password-store", () => true],
  [".terraform.d", ([name]) => name === "credentials.tfrc.json"],
  [".cargo", ([name]) => name === "credentials" || name === "credentials.toml"],
  [".gem", ([name]) => name === "credentials"],
  [".m2", ([name = ""]) => /^settings(?:-security)?\.xml$/.test(name)],
  [".gradle", ([name]) => name === "gradle.properties"],
  [".composer", ([name]) => name === "auth.json"],
  [".codex", ([name]) => name === "auth.json"],
  [".claude", ([name]) => name === ".credentials.json"],
  [".gemini", ([name]) => name === "oauth_creds.json"],
  [".nuget", (rest) => rest.at(-1) === "nuget.config"],
  ["keychains", (rest) => rest.length > 0],
  ["keyrings", (rest) => rest.length > 0],
  ["profiles", (rest) => /^(?:key\d\.db|logins\.json|cookies\.sqlite)$/.test(rest.at(-1) ?? "")],
  [".mozilla", (rest) => /^(?:key\d\.db|logins\.json|cookies\.sqlite)$/.test(rest.at(-1) ?? "")],
];

const runs: readonly (readonly string[])[] = [
  [".config", "gcloud"],
  [".config", "gh", "hosts.yml"],
  [".config", "hub"],
  [".config", "git", "credentials"],
  [".config", "op"],
  [".config", "doctl"],
  [".config", "composer", "auth.json"],
  [".config", "solana", "id.json"],
  ["roaming", "gcloud"],
  [".ethereum", "keystore"],
  [".local", "share", "keyrings"],
  ["microsoft", "credentials"],
  ["microsoft", "protect"],
  ["system32", "config", "sam"],
  ["system32", "config", "security"],
  ["system32", "config", "system"],
];

const inEtc: ReadonlySet<string> = new Set([
  "shadow",
  "shadow-",
  "gshadow",
  "gshadow-",
  "sudoers",
  "sudoers.d",
  "krb5.keytab",
  "master.passwd",
]);

/** Folders that hold nothing but what is secret; `list` and recursive reading of them is held. */
const wholeFolders: ReadonlySet<string> = new Set([
  ".ssh",
  ".gnupg",
  ".aws",
  ".kube",
  ".azure",
  ".oci",
  ".password-store",
  "keychains",
  "keyrings",
]);

/**
 * Files that hold what opens other doors. By name wherever they lie: `.env` and its stages, `.ssh`, `.aws`, `.npmrc`, key files,
 * browser profiles, key chains, `/etc/shadow`. Samples (`.env.example`) and public halves (`id_rsa.pub`) are none.
 */
export const credentials: SetOf = (path): Member | null => {
  const name = lastOf(path);
  if (name === "") return null;
  if (wholeFolders.has(name)) return folder;
  // A chart's template of secrets holds places for them.
  if (path.parts.at(-2) === "templates" && name.startsWith("secret")) return null;
  if (names.has(name) || (keyFile.test(name) && !programText.test(name)) || isStage(name) || isKey(path, name))
    return file;
  if (histories.has(name)) return history;
  for (const [of, isSecret] of folders) {
    const rest = below(path, of);
    if (rest !== null && rest.length > 0 && isSecret(rest)) return file;
  }
  if (runs.some((run) => holdsRun(path, run))) return file;
  if (isBrowserProfile(path, name)) return file;
  return isSystemSecret(path) ? file : null;
};

/** `.env.production`, `prod.env`, `.env-local`; not `.env.example`, `example.env`. */
const isStage = (name: string): boolean => {
  if (name.startsWith(".env.") || name.startsWith(".env-") || name.startsWith(".env_"))
    return !name
      .slice(5)
      .split(/[._-]/)
      .some((word) => samples.has(word));
  if (!name.endsWith(".env")) return false;
  return !name
    .slice(0, -4)
    .split(/[._-]/)
    .some((word) => samples.has(word));
};

const isKey = ({ parts }: Folded, name: string): boolean => {
  const dot = name.lastIndexOf(".");
  if (dot <= 0) return false;
  const extension = name.slice(dot + 1);
  const words = name.slice(0, dot).split(/[._-]/);
  if (secretExtensions.has(extension)) return !words.some((word) => word === "public" || word === "pub");
  if (extension !== "pem") return false;
  if (words.some((word) => privateWords.has(word))) return true;
  return !words.some((word) => publicWords.has(word)) && !parts.includes("certs");
};

const profiles: readonly (readonly string[])[] = [
  ["google", "chrome"],
  [".config", "google-chrome"],
  [".config", "chromium"],
  ["bravesoftware"],
  ["microsoft", "edge"],
];
const profileFiles: ReadonlySet<string> = new Set(["cookies", "web data", "login data", "local state", "history"]);

const isBrowserProfile = (path: Folded, name: string): boolean =>
  profileFiles.has(name) && profiles.some((run) => holdsRun(path, run));

const isSystemSecret = (path: Folded): boolean => {
  // `etc/shadow` is one wherever it lies: a copy of a machine's root holds the same hashes.
  const anywhere = below(path, "etc");
  if (anywhere !== null && path.anchor !== "relative" && inEtc.has(anywhere[0] ?? "")) return true;
  const inside = inSystemEtc(path);
  if (inside !== null) {
    if (inside[0] === "ssh" && /^ssh_host_.{1,32}_key$/.test(inside[1] ?? "")) return true;
    if (inside[0] === "ssl" && inside[1] === "private") return true;
    if (inside[0] === "kubernetes" && inside.length > 1) return true;
  }
  const secretsOf = below(path, "secrets");
  return secretsOf !== null && (isRooted(path, "run", "secrets") || isRooted(path, "var", "run", "secrets"));
};
