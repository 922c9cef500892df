import type { Effect } from "../effect.ts";

export type ForeignShell = "powershell" | "cmd";

/** What a line for a shell of Windows does, as far as is told: nothing, harm that is known, or not known. */
export type ForeignMeaning = "only_reads" | "harms" | "not_known";

/**
 * Commands that read and change nothing, by their names and aliases. The line must consist of them alone, without anything that PowerShell
 * evaluates: `$(...)`, script blocks, `&`, `.`, redirections.
 */
const reading: ReadonlySet<string> = new Set([
  ...["get-childitem", "gci", "dir", "ls", "get-location", "gl", "pwd", "get-date", "get-help", "get-command", "gcm"],
  ...[
    "get-process",
    "gps",
    "ps",
    "get-service",
    "gsv",
    "test-path",
    "select-string",
    "sls",
    "measure-object",
    "measure",
  ],
  ...["select-object", "select", "sort-object", "sort", "format-table", "ft", "format-list", "fl", "where-object"],
  ...["write-output", "write-host", "echo", "get-host", "get-culture", "resolve-path", "get-item", "gi", "get-module"],
  ...[
    "type",
    "get-content",
    "gc",
    "cat",
    "ver",
    "cd",
    "set-location",
    "sl",
    "findstr",
    "more",
    "tree",
    "where",
    "whoami",
    "hostname",
  ],
  ...["git", "npm", "node", "dotnet", "cargo", "go", "python", "tsc"],
]);

/** Known ways to run what nobody read, and to destroy: https://attack.mitre.org/techniques/T1059/001/. */
const harms: readonly RegExp[] = [
  // -EncodedCommand may be cut short to -e, -ec, -enc.
  /(?:^|\s)[-/]e(?:c|nc?|nco?d?e?d?c?o?m?m?a?n?d?)?\s+[A-Za-z0-9+/=]{8,}/i,
  /\b(?:invoke-expression|iex)\b/i,
  /\b(?:downloadstring|downloadfile|downloaddata|frombase64string)\b/i,
  /\b(?:invoke-webrequest|iwr|invoke-restmethod|irm|start-bitstransfer|curl|wget)\b[^|;]{0,400}[|;]\s*(?:iex|invoke-expression|powershell|pwsh|cmd)\b/i,
  /\b(?:remove-item|ri|rm|rmdir|rd|del|erase)\b[^|;&]{0,200}(?:\s|["'])(?:[a-z]:[\\/]?(?:\*|["'\s]|$)|[a-z]:[\\/](?:windows|users|program files)|[\\/](?:\*|["'\s]|$)|\$env:(?:systemroot|systemdrive|userprofile|windir)|%(?:systemroot|systemdrive|userprofile|windir)%)/i,
  /\b(?:format-volume|clear-disk|initialize-disk|remove-partition|stop-computer|restart-computer)\b/i,
  /(?:^|[\s&|/"'])format(?:\.com)?\s+[a-z]:/i,
  /\bdiskpart\b|\bvssadmin\b[^|]{0,80}\bdelete\b|\bwbadmin\b[^|]{0,80}\bdelete\b|\bbcdedit\b[^|]{0,80}\/set|\bcipher\b\s+\/w/i,
  /(?:^|[\s&|])shutdown(?:\.exe)?\s+[/-]/i,
  /\bset-mppreference\b|\badd-mppreference\b|\bdisable-windowsdefender\b|\bnetsh\b[^|]{0,80}\bfirewall\b[^|]{0,80}\b(?:off|disable)/i,
  /\breg(?:\.exe)?\s+(?:delete|add)\b|\bnew-itemproperty\b[^|]{0,200}\\run\b|\bschtasks\b[^|]{0,80}\/create|\bregister-scheduledtask\b/i,
  /\bnet(?:\.exe)?\s+(?:user|localgroup)\b[^|]{0,120}\/add|\bnew-localuser\b|\badd-localgroupmember\b/i,
  /\b(?:mshta|regsvr32|rundll32|certutil|bitsadmin|wmic|cscript|wscript|installutil|msbuild)(?:\.exe)?\b[^|]{0,200}(?:https?:|javascript:|-urlcache|-decode|\/transfer|process\s+call)/i,
  /\bnew-object\b[^|]{0,80}(?:net\.sockets\.tcpclient|net\.webclient)/i,
  /\[(?:system\.)?(?:convert|reflection\.assembly|runtime\.interopservices)/i,
  /\bset-executionpolicy\b|-exec(?:utionpolicy)?\s+(?:bypass|unrestricted)\b/i,
];

/** Longer than people write; what is longer is not read. */
const maxCharacters = 8_192;

const foreignMeaning = (line: string): ForeignMeaning => {
  const text = line.slice(0, maxCharacters).replace(/[`^]/g, "");
  if (harms.some((pattern) => pattern.test(text))) return "harms";
  if (line.length > maxCharacters || /[$({}&><%@]/.test(text)) return "not_known";
  const commands = text.split(/[|;\n]/).map(
    (part) =>
      part
        .trim()
        .split(/\s+/, 1)[0]
        ?.replace(/^["']|["']$/g, "")
        .toLowerCase() ?? "",
  );
  return commands.every((name) => name === "" || reading.has(name)) ? "only_reads" : "not_known";
};

/** Options of the shell itself before its line: `-NoProfile -Command`, `/c`. */
const withoutOptions = (shell: ForeignShell, text: string): string =>
  shell === "cmd"
    ? text.replace(/^(?:\s*\/[a-z](?::\w+)?(?=\s|$))+\s*/i, "")
    : text.replace(/^(?:\s*-(?:noprofile|nop|noninteractive|nologo|noexit|sta|mta|command|c)(?=\s|$))+\s*/i, "");

export const ofForeign = (shell: ForeignShell, text: string | null): readonly Effect[] => {
  if (text === null) return [{ program: shell, kind: "unknown", why: "other_shell" }];
  const line = withoutOptions(shell, text);
  if (/^\s*-(?:version|v|help|h|\?)\s*$/i.test(line)) return [];
  const meaning = foreignMeaning(line.trim() === "" ? text : text.includes("-e") ? `${text} ${line}` : line);
  if (meaning === "only_reads") return [];
  if (meaning === "harms") return [{ program: shell, kind: "system", what: "harms_windows" }];
  return [{ program: shell, kind: "unknown", why: "other_shell" }];
};
