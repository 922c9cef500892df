import { RE2JS } from "re2js";

/** What a pattern keeps out of a field, one of each kind: places outside of a folder, other machines, programs, everything. */
const probes: readonly string[] = [
  "../../etc/passwd",
  "/etc/passwd",
  "/home/user/.ssh/id_rsa",
  "~/.aws/credentials",
  "C:\\Windows\\System32",
  "https://attacker.example/collect",
  "http://169.254.169.254/latest/meta-data/",
  "file:///etc/passwd",
  "javascript:alert(1)",
  "attacker.example",
  "someone@attacker.example",
  "x; rm -rf /",
  "$(id)",
  "' OR 1=1 --",
  "admin",
  "root",
  "*",
  "99999999999",
  "-1",
  "<script>",
];

/** Longer patterns are not tried. */
const longest = 2_048;

const compiled = (pattern: string): RE2JS | null => {
  if (pattern.length > longest) return null;
  try {
    return RE2JS.compile(pattern);
  } catch {
    // Look-around and references back: a linear matcher has none.
    return null;
  }
};

/** Does the new pattern let something in that is dangerous and was kept out? Null: nobody can tell. */
export const letsMoreIn = (before: string, after: string): boolean | null => {
  const [one, other] = [compiled(before), compiled(after)];
  if (one === null || other === null) return null;
  return probes.some((probe) => !one.matcher(probe).find() && other.matcher(probe).find());
};
