import { describe, expect, it } from "vitest";
import { grantsMachine } from "./socket-path.ts";

describe("a socket that grants the machine", () => {
  it.each([
    "/var/run/docker.sock",
    "/run/docker.sock",
    "/var//run/./x/../docker.sock",
    `/proc/self/${"root"}/var/run/docker.sock`,
    "/VAR/RUN/DOCKER.SOCK",
    "/run/containerd/containerd.sock",
    "/run/user/1000/podman/podman.sock",
    "/run/user/1000/bus",
    "/run/dbus/system_bus_socket",
    "/run/user/1000/keyring/ssh",
    "/run/user/1000/gnupg/S.gpg-agent.ssh",
    "/home/jane/.gnupg/S.gpg-agent",
    "/tmp/ssh-XXabc/agent.123",
    "/tmp/.X11-unix/X0",
    "/Users/jane/.docker/run/docker.sock",
    "/home/jane/.colima/default/docker.sock",
    "/mnt/host/docker.sock",
    "/run/snapd.socket",
    "/var/lib/lxd/unix.socket",
    "\\\\.\\pipe\\docker_engine",
    "//./pipe/openssh-ssh-agent",
  ])("is told: %s", (path) => expect(grantsMachine(path)).toBe(true));

  it.each([
    "/var/run/postgresql/.s.PGSQL.5432",
    "/srv/app/app.sock",
    "/home/jane/project/src/docker.sock.ts",
    "/home/jane/project/run/server.ts",
    "docker.sock",
    "/run/nginx.pid",
    `/run/docker.sock${"/".repeat(2_000)}`,
  ])("is not %.60s", (path) => expect(grantsMachine(path)).toBe(false));
});
