/**
 * A newcomer's way: `create-wyvern` from its archive in an empty folder, two commands, two pages.
 */
import { assertEquals, assertGreater, assertMatch, assertStringIncludes } from "@std/assert";
import { linesOf } from "../../../../server/ground/lines.ts";
import { launchChromium } from "../../../browser/chromium.ts";
import { programTest } from "../../../support/programs.ts";
import { createArgs, createProject, playingPage, withArchives } from "./created_project.ts";
import { runIn } from "./installed_package.ts";

/** The game's server, started by `npm start`. */
async function started(folder: string): Promise<{ url: string; stop(): Promise<void> }> {
  const server = new Deno.Command("npm", {
    args: ["start", "--", "--port", "0", "--grace", "0"],
    cwd: folder,
    env: { NO_COLOR: "1" },
    stdin: "null",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  for await (const line of linesOf(server.stdout, 1 << 16)) {
    const url = /Wyvern listens on (http:\S+\/)/.exec(line)?.[1];
    if (url === undefined) continue;
    return {
      url,
      async stop() {
        server.kill("SIGTERM");
        await server.status;
      },
    };
  }
  throw new Error(`npm start ended with ${(await server.status).code}`);
}

programTest(
  "create-wyvern: three commands lead to two pages and bots without a desync, with tests and replays (SPEC 19.22, 19.23, 19.24)",
  {
    programs: ["node", "npm", "chromium"],
    run: () =>
      withArchives(async (folder) => {
        const way: string[] = [];
        const timed = async <T>(what: string, run: () => Promise<T>): Promise<T> => {
          const begin = performance.now();
          const result = await run();
          way.push(`${what} ${((performance.now() - begin) / 1000).toFixed(1)} s`);
          return result;
        };

        const { project, said } = await timed(
          "create and install",
          () => createProject(folder, "my-hop"),
        );
        assertStringIncludes(said, "npm run dev");
        const { url, stop } = await timed("start", () => started(project));
        try {
          // Two pages in one room
          const browser = await launchChromium();
          try {
            const first = await timed("a page", () => playingPage(browser, url, "Play now"));
            assertEquals(await first.title(), "My hop");
            const [code] = /[A-Z]{4}$/.exec(first.url())!;
            await timed("another", () => playingPage(browser, first.url(), `Play in room ${code}`));
            // For people to read: how long it takes depends on the machine and npm's cache.
            console.log(`from an empty folder: ${way.join(", ")}`);
          } finally {
            await browser.close();
          }

          // And bots over a slow connection
          const bots = ["run", "bots", "--silent", "--", "--url", url.replace("http", "ws")];
          const flags = ["--clients", "4", "--seconds", "3", "--latency-ms", "100", "--json"];
          const printed = await runIn(project, "npm", [...bots, ...flags]);
          const report = JSON.parse(printed.split("\n").at(-1)!);
          assertEquals([report.desyncs, report.errors], [0, 0]);
          assertGreater(report.rollbacks, 0);
        } finally {
          await stop();
        }
        assertMatch(await runIn(project, "npm", ["test"]), /\b2 passed\b/);

        // The matches' logs are in the folder `data`
        const logs = [...Deno.readDirSync(`${project}/data`)].map(({ name }) => name)
          .filter((name) => name.endsWith(".log"));
        assertGreater(logs.length, 0);
        for (const log of logs) {
          const printed = await runIn(project, "npx", [
            "wyvern",
            "replay",
            `data/${log}`,
            "--json",
          ]);
          const { game, error, lastTick } = JSON.parse(printed);
          assertEquals([game, error], ["my_hop-1", ""]);
          assertGreater(lastTick, 20);
        }
      }),
  },
);

programTest(
  "create-wyvern: in a script without a template it is blank; what it cannot do is said in words, with exit code 2 (SPEC 19.23)",
  {
    programs: ["node", "npm"],
    run: () =>
      withArchives(async (folder) => {
        await runIn(folder, "npm", createArgs(folder, "dot"));
        const rules = await Deno.readTextFile(`${folder}/dot/games/dot/game.ts`);
        assertStringIncludes(rules, 'title: "Dot"');
        assertStringIncludes(rules, "disc: { body");
        const { dependencies } = JSON.parse(await Deno.readTextFile(`${folder}/dot/package.json`));
        assertMatch(dependencies.wyvern, /^\d+\.\d+\.\d+$/);

        for (
          const [args, words] of [
            [["dot"], /^create-wyvern: "dot" is not empty: it has /],
            [["create.tgz"], /^create-wyvern: "create.tgz" is no name for a game: 1 to 16/],
            [["Spiel!"], /^create-wyvern: "spiel!" is no name for a game: 1 to 16/],
            [["hop", "--template", "chess"], /^create-wyvern: there is no template "chess"; /],
            [["hop", "skip"], /^create-wyvern: one name is needed\n/],
          ] as const
        ) {
          const { code, stderr } = await new Deno.Command("npm", {
            args: createArgs(folder, ...args),
            cwd: folder,
            stdin: "null",
          }).output();
          assertEquals(code, 2, args.join(" "));
          assertMatch(new TextDecoder().decode(stderr), words);
        }
        const names = [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
        assertEquals(names, ["create.tgz", "dot", "wyvern.tgz"]);
      }),
  },
);
