import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { commonFeatures, featureSet } from "../../wire/features.ts";
import { healthAnswerFrame, helloAnswerFrame } from "../../wire/response.ts";
import { defaultRuntime, type Settings } from "../config/settings.ts";
import { anyOrigin } from "../surfaces/provenance/policy.ts";

/** For tests: a directory of ours alone that goes with the test, with a name that is short enough for a socket. */
export const shortDirectory = (): string => {
  const directory = mkdtempSync(join(tmpdir().length <= 40 ? tmpdir() : "/tmp", "il-cmd-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
};

export const settingsIn = (home: string): Settings => ({
  socket: join(home, "g.sock"),
  state: home,
  store: "sqlite",
  operator_socket: join(home, "operator.sock"),
  rules: [join(home, "rules.json")],
  trust: [join(home, "key.pub")],
  keyring: { path: join(home, "keyring.json"), whenMissing: "none" },
  unknown: "block",
  scope_document: null,
  durability: "process",
  capture_days: 0,
  receipts_days: 0,
  checkpoint_receipts: 4_096,
  checkpoint_ms: 1_000,
  surfaces: { baseline: "first_use", max_age_s: 300, provenance: anyOrigin, runtime: defaultRuntime },
  coordination: "local",
  deployment_key: join(home, "deployment.key"),
  principals: "claimed",
  principal: null,
  claims: "any",
  audience: null,
  clock_skew_s: 30,
  tokenKey: join(home, "tokens.key"),
  self_protection: "on",
  file: null,
  configuration: join(home, "interlock.yaml"),
  signingKey: join(home, "rules.key"),
  fallback_policy: null,
  fallback_key: join(home, "keys", "fallback.key"),
  offlineSpool: join(home, "offline"),
  operatorTokens: join(home, "operators"),
});

type Health = Parameters<typeof healthAnswerFrame>[1];

export const serving: Health = {
  status: "serving",
  rules: "sha256:abc",
  rules_version: 3,
  receipts: 5,
  uptime_s: 7,
  reload: { count: 0, ok: true, message: "" },
};

/** Answers hello and health as a daemon does, or every line with a text of the test's own. */
export const answeringPeer = async (path: string, answer: (() => Health) | string): Promise<void> => {
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.on("data", (chunk) => {
      for (const line of chunk.toString().trimEnd().split("\n")) {
        if (typeof answer === "string") {
          socket.write(answer);
          continue;
        }
        const request = JSON.parse(line) as { id: string; hello?: { features: string[] } };
        if (request.hello === undefined) socket.write(healthAnswerFrame(request.id, answer()));
        else {
          const features = commonFeatures(featureSet(["details"]), featureSet(request.hello.features));
          const hello = { daemon: "interlock/1.0.0", features, max_frame: 8_388_608, rules: "sha256:abc" };
          socket.write(helloAnswerFrame(request.id, { ...hello, rules_version: 3, mode: "enforce" }));
        }
      }
    });
  });
  server.listen(path);
  await new Promise((resolve) => server.once("listening", resolve));
  onTestFinished(() => void server.close());
};
