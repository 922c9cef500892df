import { beforeAll, expect, it } from "vitest";
import { client, programOf, runProgram, saidBy, secretRules } from "../../test/intercept/programs.ts";
import { startDaemon } from "../../test/kit/daemon.ts";
import { makePlace, type Place } from "../../test/kit/place.ts";

let place: Place;
beforeAll(async () => {
  place = await makePlace(secretRules);
  await startDaemon(place);
});

it("guards named imports that were linked before it was called, says so, and gives them back", async () => {
  const program = programOf(`
    import { statSync } from "node:fs";
    import { esmLoaderRegistered, registerEsmInterceptors, RemoteEngine } from ${JSON.stringify(client)};
    const tried = () => { try { return statSync("/tmp/secret", { throwIfNoEntry: false }) ?? "ran"; } catch (error) { return error.name; } };
    const said = [esmLoaderRegistered(), tried()];
    const { uninstall } = registerEsmInterceptors({ engine: new RemoteEngine(process.env.INTERLOCK_SOCKET) });
    said.push(esmLoaderRegistered(), tried());
    uninstall();
    said.push(esmLoaderRegistered(), tried());
    console.log(JSON.stringify(said));
  `);
  const said = saidBy(await runProgram([], program, { INTERLOCK_SOCKET: place.socket }));
  expect(said).toEqual([false, "ran", true, "BlockedError", false, "ran"]);
});
