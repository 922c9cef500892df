import { domainAbove } from "./suffix.ts";

/** `collector` shows its owner whatever comes, `tunnel` leads to somebody's own machine, `drop` keeps what is sent for anybody with the link. */
export type Service = "collector" | "tunnel" | "drop";

const of = (service: Service, names: string): readonly (readonly [string, Service])[] =>
  names.split(/\s+/).map((name) => [name, service] as const);

const services: ReadonlyMap<string, Service> = new Map([
  ...of(
    "collector",
    `webhook.site webhook.cool webhookinbox.com typedwebhook.tools requestbin.com requestbin.net requestbin.io pipedream.net
    requestcatcher.com requestinspector.com requestrepo.com hookbin.com hookb.in postb.in ptsv2.com ptsv3.com beeceptor.com mockbin.org
    mockbin.io burpcollaborator.net oastify.com oast.pro oast.live oast.site oast.online oast.fun oast.me interact.sh interactsh.com
    dnslog.cn dnslog.pw ceye.io dnsbin.net zhack.ca pingb.in bxss.me bxss.in xss.ht xss.report ez.pe xsshunter.com canarytokens.com
    canarytokens.org canarytokens.net webhook-test.com hookdeck.app hooks.upstash.dev eyes.sh toxicdump.com
    collaborator.portswigger.net`,
  ),
  ...of(
    "tunnel",
    `ngrok.io ngrok.app ngrok.dev ngrok-free.app ngrok-free.dev ngrok.pizza loca.lt localtunnel.me localtunnel.site serveo.net
    serveousercontent.com trycloudflare.com localhost.run lhr.life lhr.rocks lhrtunnel.link pagekite.me bore.pub telebit.io
    tunnelmole.net pinggy.link pinggy.online pinggy-free.link zrok.io loclx.io packetriot.net packetriot.io sharedwithexpose.com
    expose.dev btunnel.co.in playit.gg ply.gg portmap.io portmap.host devtunnels.ms tunnelto.dev sish.top srv.us`,
  ),
  ...of(
    "drop",
    `pastebin.com paste.ee pastebin.pl pastebin.fr hastebin.com dpaste.com dpaste.org dpaste.de ix.io
    0x0.st file.io termbin.com sprunge.us clbin.com rentry.co rentry.org ghostbin.com ghostbin.co controlc.com justpaste.it
    privatebin.net paste.rs paste.c-net.org p.ip.fi pasteboard.co paste.mozilla.org bpa.st pastes.io friendpaste.com transfer.sh
    bashupload.com temp.sh tmpfiles.org oshi.at uguu.se catbox.moe gofile.io anonfiles.com anonfile.com bayfiles.com pixeldrain.com
    filebin.net fileditch.com keep.sh x0.at ttm.sh envs.sh qu.ax pomf.lain.la litterbox.catbox.moe send.cm
    upload.ee`,
  ),
]);

const domains: ReadonlySet<string> = new Set(services.keys());

/** The service whose domain, or a name below it, this host is. */
export const serviceOf = (host: string): Service | null => {
  const domain = domainAbove(host, domains);
  return domain === null ? null : (services.get(domain) ?? null);
};

/** Places of hosts that many use for much else, where whoever has the address reads what is sent. */
const inboxes: readonly (readonly [string, RegExp])[] = [
  ["discord.com", /^\/api\/(?:v\d{1,2}\/)?webhooks\//],
  ["discordapp.com", /^\/api\/(?:v\d{1,2}\/)?webhooks\//],
  ["api.telegram.org", /^\/bot[^/]{1,128}\/(?:send|copy|forward)/i],
  ["hooks.zapier.com", /^\/hooks\//],
  ["maker.ifttt.com", /^\/trigger\//],
];

/** Is this address an inbox of a chat or an automation? What is sent there leaves for whoever made it. */
export const isInbox = ({ hostname, pathname }: URL): boolean =>
  inboxes.some(([host, path]) => hostname === host && path.test(pathname));

/** Words that only an attacker's machine, or a test of one, has for a name. */
const telling: ReadonlySet<string> = new Set([
  "exfil",
  "exfiltrate",
  "exfiltration",
  "evil",
  "attacker",
  "malicious",
  "stealer",
  "keylogger",
  "c2server",
  "dataleak",
]);
/** Documentation of programs of that name: https://evil.readthedocs.io is an editor's. Nothing sent there reaches its author. */
const documentation: ReadonlySet<string> = new Set(["readthedocs.io", "readthedocs.org"]);

/** Does a label of the host say, as a word of its own, that it collects what is not its? `exfil-collector.example.net`. */
export const saysSo = (host: string): boolean =>
  /exfil|evil|attack|malic|steal|keylog|c2serv|dataleak/.test(host) &&
  domainAbove(host, documentation) === null &&
  host.split(/[.-]/).some((word) => telling.has(word));
