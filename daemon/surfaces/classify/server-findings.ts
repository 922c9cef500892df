import type { Finding, Severity } from "../finding.ts";
import type { PackageIdentity, ServerIdentity, Surface } from "../surface.ts";

/** What became of the server as a whole. */
export const serverFindings = (approved: Surface, observed: Surface): readonly Finding[] => [
  ...emptied(approved, observed),
  ...identityFindings(approved.identity, observed.identity),
];

const emptied = (approved: Surface, observed: Surface): readonly Finding[] =>
  approved.items.some(({ kind }) => kind === "tool") &&
  observed.listed.includes("tool") &&
  !observed.items.some(({ kind }) => kind === "tool")
    ? [
        {
          type: "server_emptied",
          severity: "high",
          path: null,
          reason: "it offers none of its tools any more",
          relation: null,
        },
      ]
    : [];

const changed = (severity: Severity, path: string, reason: string): Finding => ({
  type: "identity_changed",
  severity,
  path: `identity.${path}`,
  reason,
  relation: null,
});

/** Another version of the same package is churn; other bytes of the same version, another source or another key are not. */
const identityFindings = (before: ServerIdentity | null, after: ServerIdentity | null): readonly Finding[] => {
  if (before === null) return [];
  if (after === null) return [changed("high", "kind", "nobody could tell what runs")];
  if (before.kind === "http" && after.kind === "http") {
    const findings: Finding[] = [];
    if (before.url !== after.url) findings.push(changed("critical", "url", "another address answers"));
    if (before.tls_key !== after.tls_key) {
      const reason = after.tls_key === null ? "it is reached without TLS" : "another key answers";
      findings.push(changed(after.tls_key === null ? "critical" : "high", "tls_key", reason));
    }
    return findings;
  }
  if (before.kind !== "stdio" || after.kind !== "stdio")
    return [changed("critical", "kind", "it is reached another way")];
  const { findings, hasMoved } = packageFindings(before.package, after.package);
  const all = [...findings];
  if (before.command !== after.command) all.push(changed("critical", "command", "another program is started"));
  // The version often stands in the arguments.
  if (before.args !== after.args)
    all.push(changed(hasMoved ? "minor" : "high", "args", "it is started with other arguments"));
  if (before.executable !== after.executable && !hasMoved) {
    const isUnread = after.executable === null;
    const severity = isUnread || before.executable === null ? "high" : "critical";
    all.push(
      changed(
        severity,
        "executable",
        isUnread ? "its bytes could not be read" : "its bytes are others, and its version is the same",
      ),
    );
  }
  return all;
};

const packageFindings = (
  before: PackageIdentity | null,
  after: PackageIdentity | null,
): { readonly findings: readonly Finding[]; readonly hasMoved: boolean } => {
  if (before === null || after === null) {
    const isLost = before !== null && after === null;
    return {
      findings: isLost ? [changed("high", "package", "nobody could tell which package runs")] : [],
      hasMoved: false,
    };
  }
  if (before.registry !== after.registry || before.name !== after.name)
    return {
      findings: [changed("critical", "package", "it is another package, or from another registry")],
      hasMoved: false,
    };
  if (before.version !== after.version)
    return {
      findings: [changed("minor", "package.version", "it is another version of the same package")],
      hasMoved: true,
    };
  const isOther = before.integrity !== null && before.integrity !== after.integrity;
  return {
    findings: isOther
      ? [
          changed(
            after.integrity === null ? "high" : "critical",
            "package.integrity",
            "the same version has other bytes",
          ),
        ]
      : [],
    hasMoved: false,
  };
};
