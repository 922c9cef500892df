import { posix } from "node:path";
import { domainAbove } from "./suffix.ts";

/**
 * Sockets by which whoever may speak to them has the machine, or a person's keys: container engines, the session and system bus,
 * agents of ssh and gpg, the display. https://docs.docker.com/engine/security/#docker-daemon-attack-surface
 */
const grantingPaths: readonly RegExp[] = [
  /^\/(?:var\/)?run\/(?:user\/\d{1,10}\/)?(?:docker|podman|containerd|crio|cri-dockerd|k3s|buildkit|libvirt|incus|lxd|systemd|dbus|keyring|gnupg|ssh)(?:\/|$|\.sock$)/,
  /^\/(?:var\/)?run\/(?:docker|containerd|podman|crio|cri-dockerd|dockershim|snapd|snapd-snap|fail2ban\/fail2ban)\.(?:sock|socket)$/,
  /^\/(?:var\/)?run\/user\/\d{1,10}\/(?:bus|docker\.sock|at-spi\/.{1,64}|pipewire-\d{1,3}|wayland-\d{1,3}|gcr\/ssh|openssh_agent|ssh-agent\.socket)$/,
  /^\/var\/(?:lib|snap)\/(?:lxd|incus|docker)\/.{0,200}(?:unix\.socket|\.sock)$/,
  /^\/tmp\/\.x11-unix\/x\d{1,4}$/,
  /^\/tmp\/ssh-[^/]{1,64}\/agent\.\d{1,10}$/,
  /^\/tmp\/dbus-[^/]{1,64}$/,
  /\/\.(?:docker|colima|orbstack|rd|lima|1password|gnupg)\/.{0,200}(?:\.sock|s\.gpg-agent(?:\.[a-z]{1,16})?)$/,
  /\/s\.gpg-agent(?:\.[a-z]{1,16})?$/,
  /\/(?:docker|containerd|podman|crio|buildkitd)\.sock$/,
  /\/\.bitwarden-ssh-agent\.sock$/,
];

/** What every pattern above has in it: nearly every path has none. */
const telling = /sock|\/run\/|[\\/]pipe[\\/]|x11-unix|\/ssh-|dbus|gpg-agent/i;

/** Longer than any path that a socket can have (108 bytes), dot segments included. */
const maxSocketCharacters = 1_024;

/** Does this path name a socket that grants the machine? Dot segments, doubled slashes, case and `/proc/self/root` change nothing. */
export const grantsMachine = (path: string): boolean => {
  if (path.length > maxSocketCharacters || !telling.test(path)) return false;
  if (isPipe(path)) return isEnginePipe(path);
  const plain = posix
    .normalize(path.replaceAll("\0", ""))
    .replace(/^\/\/+/, "/")
    .toLowerCase();
  const real = plain
    .replace(/^\/proc\/(?:self|thread-self|\d{1,10})\/root\//, "/")
    .replace(/^\/(?:private\/)?var\/run\//, "/run/");
  return grantingPaths.some((pattern) => pattern.test(real));
};

/** Pipes of Windows: `\\.\pipe\docker_engine`, `//./pipe/docker_engine`. */
export const isPipe = (text: string): boolean => /^[\\/]{2}[.?][\\/]pipe[\\/]/i.test(text);

const enginePipes: ReadonlySet<string> = new Set([
  "docker_engine",
  "podman-machine-default",
  "openssh-ssh-agent",
  "containerd-containerd",
]);

const isEnginePipe = (path: string): boolean => domainAbove(path.slice(9).toLowerCase(), enginePipes) !== null;

/** The path in what follows `unix:`, `http+unix:` or `npipe:`: percent-encoded, with a request behind it, or as D-Bus writes it. */
export const socketAt = (rest: string): string => {
  const bus = /^(?:path|abstract)=([^,;]{1,1024})/.exec(rest);
  if (bus !== null) return bus[1] ?? "";
  const authority = /^\/\/([^/?#]+)/.exec(rest)?.[1];
  if (authority?.includes("%") === true) return decoded(authority);
  const path = rest.startsWith("//") && !isPipe(rest) ? rest.slice(2) : rest;
  // `unix:/run/docker.sock:/containers/json`, as got and axios take it.
  return decoded(path.startsWith("//./") ? path : (path.split(":", 1)[0] ?? path));
};

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};
