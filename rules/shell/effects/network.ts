import type { Effect } from "../effect.ts";
import type { Word } from "../word.ts";
import type { Grammar } from "./options.ts";
import {
  type Call,
  has,
  here,
  onAddress,
  onFiles,
  type Program,
  type Programs,
  runsCode,
  valuesOf,
} from "./program.ts";

export const isUrl = ({ text }: Word): boolean => /^[A-Za-z][A-Za-z0-9+.-]*:\/\//.test(text);
const isFileUrl = ({ text }: Word): boolean => /^file:/i.test(text);

/** `host:path` and `user@host:path`; a colon behind a slash belongs to a name. */
export const isRemote = ({ text }: Word): boolean => /^[^/:]+:/.test(text) && !/^[A-Za-z]:[\\/]/.test(text);

/** URLs, told by what they do: a `file:` URL is a file. */
const onUrls = (call: Call, urls: readonly Word[], direction: "sends" | "fetches"): readonly Effect[] => [
  ...onAddress(
    call,
    urls.filter((url) => !isFileUrl(url)),
    direction,
  ),
  ...onFiles(
    "reads",
    call,
    urls.filter(isFileUrl).map((url) => ({ ...url, text: url.text.replace(/^file:(?:\/\/(?:localhost)?)?/i, "") })),
  ),
];

const curlGrammar: Grammar = {
  short: "AbcCdDeEFHhKmoPQrTtuUwxXyYz",
  long: [
    ...["user-agent", "cookie", "cookie-jar", "continue-at", "data", "data-ascii", "data-binary", "data-raw", "json"],
    ...["data-urlencode", "dump-header", "referer", "cert", "form", "form-string", "header", "config", "max-time"],
    ...[
      "output",
      "output-dir",
      "ftp-port",
      "quote",
      "range",
      "upload-file",
      "user",
      "proxy-user",
      "write-out",
      "proxy",
    ],
    ...["request", "url", "connect-timeout", "retry", "retry-delay", "retry-max-time", "cacert", "capath", "key"],
    ...["resolve", "connect-to", "interface", "limit-rate", "max-redirs", "unix-socket", "abstract-unix-socket"],
    ...["netrc-file", "oauth2-bearer", "trace", "trace-ascii", "stderr", "socks5", "socks5-hostname", "socks4"],
    ...["socks4a", "preproxy", "dns-servers", "doh-url", "local-port", "ciphers", "tls-max", "proto", "proto-redir"],
    ...["proto-default", "aws-sigv4", "hostpubmd5", "pubkey", "cert-type", "key-type", "time-cond", "speed-limit"],
    ...["speed-time", "max-filesize", "keepalive-time", "url-query", "rate", "variable", "expand-url", "noproxy"],
  ],
};

/** `@FILE`, `name@FILE`, `name=@FILE`, `name=<FILE`: what a body takes from a file. */
const bodyFiles = (values: readonly Word[]): readonly Word[] =>
  values.flatMap((value) => {
    const at = /^[^=@<]*=?[@<]/.exec(value.text);
    return at === null ? [] : [{ ...value, text: value.text.slice(at[0].length).replace(/;.*$/s, "") }];
  });

const curl = (call: Call): readonly Effect[] => {
  const bodies = valuesOf(call, "d", "data", "data-ascii", "data-binary", "data-urlencode", "json", "F", "form");
  const uploads = valuesOf(call, "T", "upload-file");
  const sends =
    bodies.length + uploads.length > 0 ||
    has(call, "data-raw", "form-string") ||
    valuesOf(call, "X", "request").some(({ text }) => /^(?:POST|PUT|PATCH)$/i.test(text));
  const urls = [...call.operands, ...valuesOf(call, "url", "expand-url")];
  const unixes = valuesOf(call, "unix-socket").map((word) => ({ ...word, text: `unix:${word.text}` }));
  const via = valuesOf(call, "x", "proxy", "preproxy", "socks4", "socks4a", "socks5", "socks5-hostname", "doh-url");
  const to = valuesOf(call, "connect-to", "resolve").map((word) => ({
    ...word,
    text: word.text.split(":").slice(2).join(":"),
  }));
  return [
    ...onUrls(call, urls, sends ? "sends" : "fetches"),
    ...onAddress(
      call,
      [...unixes, ...via, ...to.filter(({ text }) => text !== "" && text !== ":")],
      sends ? "sends" : "fetches",
    ),
    ...onFiles("reads", call, [
      ...bodyFiles([...bodies, ...valuesOf(call, "H", "header")]),
      ...uploads,
      ...valuesOf(call, "K", "config", "E", "cert", "key", "netrc-file", "cacert"),
      ...valuesOf(call, "b", "cookie").filter(({ text }) => !text.includes("=")),
    ]),
    ...onFiles(
      "writes",
      call,
      valuesOf(
        call,
        "o",
        "output",
        "c",
        "cookie-jar",
        "D",
        "dump-header",
        "trace",
        "trace-ascii",
        "stderr",
        "output-dir",
      ),
    ),
    ...(has(call, "O", "remote-name", "remote-name-all", "J", "remote-header-name")
      ? onFiles("writes", call, [here])
      : []),
  ];
};

const wget = (call: Call): readonly Effect[] => {
  const files = valuesOf(call, "post-file", "body-file");
  const sends = files.length > 0 || has(call, "post-data", "body-data");
  const output = valuesOf(call, "O", "output-document");
  return [
    ...onUrls(call, call.operands, sends ? "sends" : "fetches"),
    ...onFiles("reads", call, [
      ...files,
      ...valuesOf(call, "i", "input-file", "load-cookies", "certificate", "private-key"),
    ]),
    ...onFiles("writes", call, [
      ...output,
      ...valuesOf(call, "P", "directory-prefix", "o", "output-file", "a", "append-output"),
    ]),
    ...(output.length === 0 && !has(call, "P", "directory-prefix", "spider") ? onFiles("writes", call, [here]) : []),
    ...(has(call, "use-askpass") ? runsCode(call) : []),
  ];
};

/** Copies between places of which one may be another machine. */
const copies = (call: Call, isBelow: boolean): readonly Effect[] => {
  const to = call.operands.slice(-1);
  const from = call.operands.slice(0, -1);
  const extent = isBelow ? "below" : "alone";
  const addresses = (words: readonly Word[]): readonly Word[] => words.filter((word) => isRemote(word) || isUrl(word));
  const files = (words: readonly Word[]): readonly Word[] => words.filter((word) => !isRemote(word) && !isUrl(word));
  return [
    ...onAddress(call, addresses(from), "fetches"),
    ...onAddress(call, addresses(to), "sends"),
    ...onFiles("reads", call, files(from), extent),
    ...onFiles("writes", call, files(to), extent),
  ];
};

const scp: Program = {
  grammar: { short: "cFiJlPSoX" },
  does: (call) => [
    ...copies(call, has(call, "r")),
    ...onFiles("reads", call, valuesOf(call, "i", "F")),
    ...(has(call, "S") ? runsCode(call) : []),
  ],
};

/** The cloud's own copiers name buckets by a scheme: `s3://bucket/key`. */
const buckets = (call: Call): readonly Effect[] => {
  const places = call.operands.slice(
    call.operands.findIndex(({ text }) => /^(?:cp|mv|sync|rsync|copy|move|rm|ls|cat|copyto)$/.test(text)) + 1,
  );
  const isBucket = (word: Word): boolean => isUrl(word) || isRemote(word);
  const what = call.operands.find(({ text }) => /^(?:cp|mv|sync|rsync|copy|move|copyto)$/.test(text));
  if (what === undefined) return onAddress(call, places.filter(isBucket), "fetches");
  return copies({ ...call, operands: places }, true);
};

/** Programs that carry files and bodies to other machines and back. */
export const networkPrograms: Programs = {
  curl: { grammar: curlGrammar, does: curl },
  "curl.exe": { grammar: curlGrammar, does: curl },
  wget: {
    grammar: {
      short: "OoaiPUtTwQeBADRIXl",
      long: [
        ...["output-document", "output-file", "append-output", "input-file", "directory-prefix", "user-agent", "tries"],
        ...[
          "timeout",
          "wait",
          "header",
          "post-data",
          "post-file",
          "body-data",
          "body-file",
          "method",
          "user",
          "password",
        ],
        ...[
          "load-cookies",
          "save-cookies",
          "certificate",
          "private-key",
          "accept",
          "reject",
          "level",
          "domains",
          "use-askpass",
        ],
      ],
    },
    does: wget,
  },
  wget2: { grammar: { short: "OoaiP", long: ["output-document", "input-file", "post-data", "post-file"] }, does: wget },
  aria2c: {
    grammar: { short: "doisx", long: ["dir", "out", "input-file"] },
    does: (call) => [
      ...onUrls(call, call.operands, "fetches"),
      ...onFiles("reads", call, valuesOf(call, "i", "input-file")),
      ...onFiles("writes", call, [...valuesOf(call, "o", "out", "d", "dir"), here]),
    ],
  },
  http: {
    grammar: { short: "aojpsv", long: ["auth", "output", "session", "timeout"] },
    does: (call) =>
      onUrls(
        call,
        call.operands.filter(({ text }) => /[./:]/.test(text) && !text.includes("=")).slice(0, 1),
        call.operands.some(({ text }) => text.includes("=")) ? "sends" : "fetches",
      ),
  },
  xh: {
    grammar: { short: "ao" },
    does: (call) =>
      onUrls(
        call,
        call.operands.filter(({ text }) => /[./:]/.test(text) && !text.includes("=")).slice(0, 1),
        call.operands.some(({ text }) => text.includes("=")) ? "sends" : "fetches",
      ),
  },
  lynx: { does: (call) => onUrls(call, call.operands, "fetches") },
  w3m: { does: (call) => onUrls(call, call.operands, "fetches") },
  scp,
  sftp: {
    grammar: { short: "bBcDFiJlPRSso" },
    does: (call) => [
      ...onAddress(call, call.operands.slice(0, 1), "sends"),
      ...onFiles("reads", call, valuesOf(call, "b", "i")),
    ],
  },
  rsync: {
    grammar: {
      short: "efBMT",
      long: [
        "rsh",
        "exclude",
        "include",
        "exclude-from",
        "include-from",
        "files-from",
        "backup-dir",
        "log-file",
        "filter",
        "rsync-path",
        "chmod",
        "bwlimit",
        "max-size",
        "password-file",
      ],
    },
    does: (call) => [
      ...copies(call, true),
      ...onFiles("reads", call, valuesOf(call, "exclude-from", "include-from", "files-from", "password-file")),
      ...(has(call, "delete", "delete-after", "delete-before", "delete-excluded")
        ? onFiles(
            "deletes",
            call,
            call.operands.slice(-1).filter((word) => !isRemote(word)),
            "below",
          )
        : []),
      ...(has(call, "remove-source-files")
        ? onFiles(
            "deletes",
            call,
            call.operands.slice(0, -1).filter((word) => !isRemote(word)),
            "below",
          )
        : []),
    ],
  },
  rclone: { does: (call) => buckets(call) },
  aws: {
    grammar: { leading: true },
    does: (call) => buckets({ ...call, operands: call.args.filter(({ text }) => !text.startsWith("-")) }),
  },
  gsutil: { does: buckets },
  gcloud: { does: buckets },
  az: { grammar: { short: "f", long: ["file"] }, does: (call) => onFiles("reads", call, valuesOf(call, "f", "file")) },
  s3cmd: { does: buckets },
  mc: { does: (call) => onAddress(call, call.operands.filter(isUrl), "fetches") },
};
