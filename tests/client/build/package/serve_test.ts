/** Games in a project of one's own, hosted by the installed package. */
import {
  assert,
  assertEquals,
  assertGreater,
  assertMatch,
  assertStringIncludes,
} from "@std/assert";
import { programPath, programTest } from "../../../support/programs.ts";
import { withProject } from "./installed_package.ts";
import { addGame, denoCommand, OwnServer, playBots, withBuildingProject } from "./own_server.ts";

const COMMAND = "node_modules/wyvern/dist/command.js";

async function textAt(url: string): Promise<string> {
  return await (await fetch(url)).text();
}

programTest(
  "pack: `wyvern serve` hosts a game of one's own folder, and bots play it without a desync (SPEC 19.7)",
  {
    programs: ["npm"],
    run: () =>
      withBuildingProject(async (project) => {
        await addGame(project, "hop");
        await using server = await OwnServer.start(
          project,
          ...["serve", "--data", "off", "--grace", "0", "--tick-load", "100"],
        );
        assertMatch(await textAt(server.url), /<title>Hop/);
        const { ticks, rollbacks, desyncs, errors } = await playBots(project, server.url);
        assertEquals([desyncs, errors], [0, 0]);
        assertGreater(ticks, 40);
        assertGreater(rollbacks, 0);
      }),
  },
);

programTest(
  "pack: `wyvern serve --games all --workers 2` hosts a project's games in match processes, with a page for each that has a view (SPEC 19.30, 19.31)",
  {
    programs: ["npm"],
    run: () =>
      withBuildingProject(async (project) => {
        await addGame(project, "hop");
        await addGame(project, "ring", { template: "top" });
        await addGame(project, "bare", { template: "blank", hasView: false });
        await using server = await OwnServer.start(
          project,
          ...["serve", "--games", "all", "--workers", "2", "--data", "off"],
          ...["--grace", "0", "--tick-load", "100"],
        );

        // The list, and a page for each
        const list = await textAt(server.url);
        assertEquals([...list.matchAll(/<a href="\/(\w+)\/">/g)].map(([, name]) => name), [
          "hop",
          "ring",
        ]);
        for (const [name, title] of [["hop", "Hop"], ["ring", "Ring"]]) {
          assertStringIncludes(await textAt(`${server.url}${name}/`), `<title>${title}`);
        }
        assertMatch(
          await textAt(`${server.url}bare/`),
          /^This server hosts bare for pages on other sites/,
        );

        for (const name of ["ring", "bare"]) {
          const { ticks, desyncs, errors } = await playBots(project, server.url, {
            flags: ["--game", name],
          });
          assertEquals([name, desyncs, errors], [name, 0, 0]);
          assertGreater(ticks, 40);
        }
        assertMatch(server.output, /match_processes workers=2/);
      }),
  },
);

programTest(
  "pack: a project's match goes on after its process is killed, tried in a thread before (SPEC 19.32)",
  {
    programs: ["npm"],
    run: () =>
      withBuildingProject(async (project) => {
        await addGame(project, "ring", { template: "top" });
        await using server = await OwnServer.start(
          project,
          ...["serve", "--grace", "0", "--tick-load", "100"],
        );
        let isKilled = false;
        const { desyncs, errors, returns } = await playBots(project, server.url, {
          flags: ["--seconds", "15"],
          onPlaying(count) {
            if (isKilled || count < 4) return;
            isKilled = true;
            server.killMatches();
          },
        });
        assertEquals([desyncs, errors], [0, 0]);
        assertGreater(returns, 3);
        assertMatch(server.output, /match_resumed id=\S+ room=BOTS/);
        assert(!server.output.includes("trial_thread_failed"), server.output);
      }),
  },
);

programTest(
  "pack: `wyvern build` of a game that is not here is one line and exit code 2 (SPEC 19.7)",
  {
    programs: ["npm"],
    run: () =>
      withProject(async (project) => {
        await addGame(project, "hop");
        const { code, stderr } = await denoCommand(project, "build", "chess").output();
        const said = new TextDecoder().decode(stderr);
        assertEquals([code, said], [2, 'wyvern: there is no game "chess" here: there are hop\n']);
      }),
  },
);

programTest("pack: on a machine without Deno, `wyvern serve` says so in one line (SPEC 19.8)", {
  programs: ["node", "npm"],
  run: () =>
    withProject(async (project) => {
      await addGame(project, "hop");
      const node = programPath("node")!;
      for (
        const [args, words] of [[["serve"], /^wyvern: serve needs Deno/], [[], /^Usage: /]] as const
      ) {
        const { code, stdout, stderr } = await new Deno.Command(node, {
          args: [COMMAND, ...args],
          cwd: project.folder,
          env: { PATH: "/nowhere" },
        }).output();
        const text = new TextDecoder();
        assertEquals([code, text.decode(stdout)], [2, ""]);
        assertMatch(text.decode(stderr), words);
        if (args.length > 0) assertEquals(text.decode(stderr).trim().split("\n").length, 1);
      }
    }),
});
