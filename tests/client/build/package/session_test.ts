/** `wyvern/session` of the installed package, without a document. */
import * as esbuild from "esbuild";
import { assertEquals, assertGreater, assertMatch } from "@std/assert";
import { programTest } from "../../../support/programs.ts";
import { addBun, withProject } from "./installed_package.ts";
import { addGame, type BotsReport, COMMAND, OwnServer } from "./own_server.ts";

programTest(
  "pack: `wyvern/session` plays under Node and Bun, and bots do under Bun, with rollbacks and without a desync (SPEC 19.16)",
  {
    programs: ["node", "npm"],
    run: () =>
      withProject(async (project) => {
        await addGame(project, "hop", { hasView: false });
        await using server = await OwnServer.start(
          project,
          "serve",
          "--data",
          "off",
          "--grace",
          "0",
        );

        // Node reads JavaScript
        const source = await Deno.readTextFile(`${project.folder}/games/hop/game.ts`);
        const { code } = await esbuild.transform(source, { loader: "ts", target: "es2022" });
        await Deno.writeTextFile(`${project.folder}/game.js`, code);

        const play = await project.add("session_play.ts");
        const bun = await addBun(project);
        // Each rolls back when the other one turns
        const runtimes = ["node", bun];
        const lines = await Promise.all(
          runtimes.map((runtime) => project.run(runtime, play, server.url, "./game.js")),
        );
        for (const [i, said] of lines.entries()) {
          const { desyncs, rollbacks, moved, players, version } = JSON.parse(lastLineOf(said));
          assertEquals([runtimes[i], desyncs], [runtimes[i], 0]);
          assertGreater(rollbacks, 0);
          assertGreater(moved, 20);
          assertGreater(players, 1);
          assertMatch(version, runtimes[i] === bun ? /^Bun 1\./ : /^Node v\d+/);
        }

        // Without Deno on the path, so that the command does not fall back to it
        const bots = await project.run(
          "env",
          ...["PATH=", bun, COMMAND, "bots", "--url", server.url.replace(/^http(.*)\/$/, "ws$1")],
          ...["--clients", "4", "--seconds", "3", "--latency-ms", "100", "--json"],
        );
        const { desyncs, rollbacks, errors } = JSON.parse(lastLineOf(bots)) as BotsReport;
        assertEquals([desyncs, errors], [0, 0]);
        assertGreater(rollbacks, 0);
      }),
  },
);

function lastLineOf(text: string): string {
  return text.trim().split("\n").at(-1)!;
}
