import { getDomain, parse } from "tldts";
import { addressKind } from "../../../../rules/network/address.ts";
import { saysSo, serviceOf } from "../../../../rules/network/collectors.ts";
import { destinationOf } from "../../../../rules/network/destination.ts";
import { nameWords, wordSet } from "../names/words.ts";
import type { Token } from "./token.ts";

/** An address that a text names, by what is known of its host. */
export interface Address {
  /** What is compared: the host, or the domain of a mailbox. */
  readonly host: string;
  /** `own`: the server's own domain, or one that was approved. `reference`: examples and places where standards and sources are read. */
  readonly is: "collector" | "foreign" | "local" | "own" | "reference";
  readonly isMail: boolean;
}

/** Reserved for examples (RFC 2606, 6761), and where specifications and sources are published: nobody receives what is sent there. */
const references = wordSet(
  `example.com example.org example.net example.edu w3.org json-schema.org ietf.org rfc-editor.org iana.org iso.org unicode.org wikipedia.org mozilla.org whatwg.org
  schema.org spec.openapis.org swagger.io semver.org modelcontextprotocol.io github.com npmjs.com pypi.org readthedocs.io readthedocs.org crates.io microsoft.com google.com apple.com
  python.org nodejs.org kubernetes.io docker.com postgresql.org typescriptlang.org ecma-international.org opensource.org spdx.org tc39.es caniuse.com yourdomain.com your-domain.com yoursite.com mysite.com`,
);
/** Anybody writes there: the same owner as the page's reader is never sure. */
const anybodys = wordSet(
  "gist.github.com raw.githubusercontent.com docs.google.com forms.gle script.google.com sites.google.com storage.googleapis.com",
);

/** Endings that files have as well. */
/** Endings that members of objects, files and words have as well. */
const fileEndings = wordSet(
  "id is in it to at no me my as by name tools tool web page style link info data date video map media email zone space host run call code type value list live events event state status text number next target key keys style styles fun foundation works work support help report build engineering properties property day today now watch stream show open plus best group team network systems software digital services solutions directory guide gallery photo pictures graphics design center place world global city land house school games play movie music sale shop store market money cash fund loan tax press social chat md sh py rs pl zip mov ps cc so tv ml mm ts ai app properties js json yaml yml txt csv html xml log ini cfg toml lock go java rb php c h cpp css",
);
/** Endings that are an address even where nothing says so. */
const hostEndings = wordSet(
  "com net org io dev ai co me info biz xyz top club shop click icu cc tk ml ga cf gq pw ru cn su de uk fr es nl eu ch at be pl br jp kr au ca us se fi dk cz hu tr ua ir hk tw sg vn ro gr pt ie il za mx ar cl arpa onion edu gov mil int pro tech store cloud fund site online website space live link vip win bid loan work trade stream download",
);
const privateEndings = wordSet("local localhost internal test invalid example lan home corp");

export const addressOf = (token: Token, ownWords: () => ReadonlySet<string>, isSentTo: boolean): Address | null => {
  const { kind, text } = token;
  if (kind === "word" || kind === "path" || (kind === "url" && isInline(text) && !text.startsWith("mailto:")))
    return null;
  const isMail = kind === "mail" || text.startsWith("mailto:");
  if (/^[a-z0-9+.-]{0,20}:?\/\/[^a-z0-9]*$/.test(text)) return null;
  const host = hostOf(token);
  if (host === null) return kind === "url" ? { host: text.slice(0, 64), is: "foreign", isMail } : null;
  if (kind === "host" && !isHostBeyondDoubt(host, isSentTo)) return null;
  return { host, is: kindOf(host, text, ownWords), isMail };
};

/** Schemes by which something is reached elsewhere; a server may have schemes of its own for what it holds. */
const reaching =
  /^(?:(?:https?|wss?|ftps?|sftp|ssh|scp|rsync|git|svn|smtps?|ldaps?|gopher|dict|tcp|udp|tls|telnet|ircs?|mqtts?|amqps?|nats|rediss?|postgres(?:ql)?|mysql|mongodb(?:\+srv)?|s3|gs|gcs|azure|abfss?|smb|nfs|dns|stun|turn|git\+\w{3,5}):)?\/\//;
const isInline = (text: string): boolean => !reaching.test(text);

const hostOf = ({ kind, text }: Token): string | null => {
  if (kind === "mail") return text.slice(text.lastIndexOf("@") + 1);
  if (text.startsWith("mailto:")) return /@([^@?]+)/.exec(text)?.[1] ?? null;
  const destination = destinationOf(kind === "host" ? text.replace(/^\[|\]$/g, "") : text);
  if (destination.kind === "mail") return destination.domain;
  return destination.kind === "network" ? destination.host : null;
};

const isHostBeyondDoubt = (host: string, isSentTo: boolean): boolean => {
  if (addressKind(host) !== null) return host.split(".").every((part) => Number(part) > 0) || isSentTo;
  const { isIcann, isPrivate, publicSuffix, domain } = parse(host, { allowPrivateDomains: false });
  if (domain === null || (isIcann !== true && isPrivate !== true)) return false;
  return (
    isSentTo || (!fileEndings.has(publicSuffix ?? "") && hostEndings.has((publicSuffix ?? "").split(".").at(-1) ?? ""))
  );
};

const kindOf = (host: string, written: string, ownWords: () => ReadonlySet<string>): Address["is"] => {
  const bare = host.replace(/\.$/, "");
  if (serviceOf(bare) !== null || saysSo(bare)) return "collector";
  const address = addressKind(bare.replace(/^\[|\]$/g, ""));
  if (address !== null)
    return address === "public" ||
      address === "metadata" ||
      (address === "reserved" && !/^(?:0|255|::)/.test(bare.replace(/^\[/, "")))
      ? "foreign"
      : "local";
  const ending = bare.slice(bare.lastIndexOf(".") + 1);
  if (!bare.includes(".") || privateEndings.has(ending))
    return written.includes("://") && !bare.includes(".") && !/^local/.test(bare) && !/^[a-z]+$/.test(bare)
      ? "foreign"
      : "local";
  if (anybodys.has(bare)) return "foreign";
  const domain = getDomain(bare) ?? bare;
  if (references.has(domain) || references.has(bare)) return "reference";
  const label = domain.split(".")[0] ?? "";
  const own = ownWords();
  const isOwn = own.has(domain) || (label.length > 3 && nameWords(label).every((word) => own.has(word)));
  return isOwn || (label.length > 3 && own.has(label)) ? "own" : "foreign";
};
