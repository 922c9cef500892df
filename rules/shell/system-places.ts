import { posix } from "node:path";

/** Directories a level deeper that a system or a user does not survive losing. */
const deeper: ReadonlySet<string> = new Set([
  "/usr/bin",
  "/usr/lib",
  "/usr/local",
  "/usr/sbin",
  "/usr/share",
  "/var/lib",
  "/var/log",
  "/system/library",
  "/library/application support",
]);
const systemTrees = ["/bin", "/boot", "/dev", "/etc", "/lib", "/lib64", "/proc", "/sbin", "/sys", "/usr"];
const homes = ["/home", "/users"];

/**
 * Is this the root, a directory right below it, a home, or one that a system needs? `path` may end in `/*`, which is
 * the same loss. Compared in lower case, because a file system may.
 */
export const isProtectedPlace = (path: string): boolean => {
  const place = withoutStars(path.toLowerCase());
  if (place === "/" || /^~[^/]*$/.test(place) || place === "." || place === "..") return true;
  if (place.startsWith("../") && place.replaceAll("../", "") === "..") return true;
  const parent = posix.dirname(place);
  return parent === "/" || homes.includes(parent) || deeper.has(place);
};

/** Is this a file of the system's own: writing it changes the machine, not the project? */
export const isSystemFile = (path: string): boolean => {
  const lower = path.toLowerCase();
  return systemTrees.some((tree) => lower === tree || lower.startsWith(`${tree}/`)) && !isHarmlessDevice(lower);
};

/** Is this a disk, a memory or another device that writing to destroys? */
export const isRawDevice = (path: string): boolean => {
  const lower = posix.normalize(path.toLowerCase());
  return lower.startsWith("/dev/") && !isHarmlessDevice(lower);
};

const harmless: ReadonlySet<string> = new Set(
  ["null", "zero", "full", "random", "urandom", "stdin", "stdout", "stderr", "tty", "ptmx"].map(
    (name) => `/dev/${name}`,
  ),
);
const isHarmlessDevice = (path: string): boolean =>
  harmless.has(path) ||
  ["/dev/fd/", "/dev/pts/", "/dev/shm/", "/dev/tcp/", "/dev/udp/"].some((tree) => path.startsWith(tree));

const withoutStars = (path: string): string => {
  const parts = path.split("/");
  while (parts.length > 1 && ["*", ".*", "."].includes(parts.at(-1) as string)) parts.pop();
  const place = parts.join("/") || "/";
  return place.length > 1 && place.endsWith("/") ? place.slice(0, -1) : place;
};
