/** `wyvern/server`: games hosted by a program of one's own, with the installed package. */
import { assert, assertEquals, assertGreater, assertMatch } from "@std/assert";
import { checkSettings, partSettings } from "../../../../server/settings/settings.ts";
import { UsageError } from "../../../../shared/flags.ts";
import { programTest } from "../../../support/programs.ts";
import { withProject } from "./installed_package.ts";
import { addGame, denoProgram, OwnServer, playBots } from "./own_server.ts";

/** Tries settings that cannot be used, hosts two games, and ends when a page asks it to. */
const PROGRAM = `
import { host, HostError, type HostSettings } from "wyvern/server";
import { game as hop } from "./games/hop/game.ts";
import { game as ring } from "./games/ring/game.ts";

async function refusal(settings: HostSettings, games: Parameters<typeof host>[0] = { hop }) {
  try {
    await host(games, { data: "off", port: 0, ...settings });
    return "none";
  } catch (error) {
    return error instanceof HostError ? error.message : "another error: " + error;
  }
}

// @ts-expect-error: no setting has this name
const settings: HostSettings = { prot: 8080 };
for (const each of [settings, { port: 70_000 }, { "tls-cert": "chain.pem" }]) {
  console.log("refused: " + await refusal(each));
}
console.log("refused: " + await refusal({}, { play: hop }));
console.log("refused: " + await refusal({}, {}));

const server = await host({ hop, ring }, {
  port: 0,
  data: "off",
  grace: 0,
  "tick-load": 100, // for a busy machine
  npcs: { hop: 1 },
  "messages-per-link": { burst: 300, perSecond: 60 },
  authorise: ({ name }) => name === "Mallory" ? { refusal: "no" } : { name, role: "player" },
});
console.log("refused: " + await refusal({ port: Number(new URL(server.url).port) }));
const control = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: ({ port }) => {
  console.log("control at " + port);
} }, () => new Response(String(void server.stop())));
await server.stopped;
console.log("all is closed");
await control.shutdown();
`;

/** The page that explains `host`, whose program names a project's own game. */
const PAGE = new URL("../../../../docs/first_server.md", import.meta.url);

programTest(
  "pack: a program hosts two games, what it cannot use is a HostError of one line, and after stop the program ends by itself (SPEC 19.33, 19.34)",
  {
    programs: ["npm"],
    run: () =>
      withProject(async (project) => {
        await addGame(project, "hop");
        await addGame(project, "ring", { template: "top" });
        const [, explained] = /```ts ignore\n([\s\S]*?)```/.exec(await Deno.readTextFile(PAGE))!;
        await Deno.writeTextFile(`${project.folder}/page.ts`, explained!);
        await project.run(Deno.execPath(), "check", "page.ts");

        await Deno.writeTextFile(`${project.folder}/main.ts`, PROGRAM);
        await using server = await OwnServer.run(denoProgram(project, "--check", "main.ts"));
        const [, control] = await server.waitFor(/control at (\d+)/);

        const refused = [...server.output.matchAll(/^refused: (.*)$/gm)].map(([, text]) => text);
        const { port } = new URL(server.url);
        assertEquals(refused, [
          "prot is no setting",
          'port cannot be "70000"; allowed: a whole number 0 to 65535, 0 takes any free one',
          "--tls-cert and --tls-key belong together",
          '"play" is a path of the server; choose another name',
          "there is no game to host",
          `--port ${port} is in use on 127.0.0.1; choose another, or 0 for any free one`,
        ]);

        for (const name of ["hop", "ring"]) {
          const { ticks, desyncs, errors } = await playBots(project, server.url, {
            flags: ["--game", name],
          });
          assertEquals([name, desyncs, errors], [name, 0, 0]);
          assertGreater(ticks, 40);
        }
        for (const [path, games] of [["", "hop, ring"], ["ring/", "ring"]] as const) {
          const said = await (await fetch(server.url + path)).text();
          assertMatch(said, new RegExp(`^This server hosts ${games} for pages on other sites`));
        }

        await (await fetch(`http://127.0.0.1:${control}/`)).body?.cancel();
        await server.waitFor(/all is closed/);
        assertEquals(await server.ended(), 0);
      }),
  },
);

programTest(
  "pack: SIGTERM ends a program's server as its stop does, and the next one goes on with its matches (SPEC 19.35)",
  {
    programs: ["npm"],
    run: () =>
      withProject(async (project) => {
        await addGame(project, "ring", { template: "top" });
        await Deno.writeTextFile(
          `${project.folder}/main.ts`,
          `import { host } from "wyvern/server";
import { game as ring } from "./games/ring/game.ts";
const server = await host({ ring }, { port: 0, grace: 0, "tick-load": 100 });
await server.stopped;
console.log("all is closed");
`,
        );
        await using first = await OwnServer.run(denoProgram(project, "main.ts"));
        let stopped: Promise<number> | undefined;
        await playBots(project, first.url, {
          flags: ["--seconds", "4"],
          onPlaying(count) {
            if (count > 0) stopped ??= first.stop();
          },
        }).catch(() => {}); // they look for the first server's port
        assert(stopped !== undefined, "the bots have not played");
        assertEquals(await stopped, 0);
        assertMatch(first.output, /all is closed/);

        await using second = await OwnServer.run(denoProgram(project, "main.ts"));
        assertMatch(second.output, /match_resumed id=\S+ room=BOTS/);
      }),
  },
);

programTest("pack: under Node, `host` says in one line that it needs Deno (SPEC 19.34)", {
  programs: ["node", "npm"],
  run: () =>
    withProject(async ({ folder }) => {
      const script = `import { host } from "wyvern/server"; await host({});`;
      await Deno.writeTextFile(`${folder}/main.js`, script);
      const { code, stdout, stderr } = await new Deno.Command("node", {
        args: ["main.js"],
        cwd: folder,
      }).output();
      const text = new TextDecoder();
      assertEquals([code, text.decode(stdout)], [2, ""]);
      assertEquals(text.decode(stderr), "wyvern: host needs Deno: deno run -A FILE\n");
    }),
});

Deno.test("checkSettings: values are checked as flags are, and their defaults are the same (SPEC 19.33)", () => {
  const names = ["hop", "ring"];
  const { origin, npcs, games, ...others } = checkSettings({
    origin: ["https://a.example", "https://b.example"],
    npcs: { hop: 2 },
    "log-json": true,
    public: false,
    "messages-per-link": { burst: 3, perSecond: 2 },
    port: undefined,
  }, names);
  assertEquals(origin, ["https://a.example", "https://b.example"]);
  assertEquals([npcs, games], [{ hop: 2 }, names]);
  assertEquals([others.port, others["log-json"], others.public], [8080, true, false]);
  assertEquals(others["messages-per-link"], { burst: 3, perSecond: 2 });

  for (const name of ["games", "config", "workers", "dev", "authorise", "toString"]) {
    assert(!Object.hasOwn(partSettings(names), name));
    try {
      checkSettings({ [name]: 1 }, names);
    } catch (error) {
      assert(error instanceof UsageError);
      assertEquals(error.message, `${name} is no setting`);
      continue;
    }
    throw new Error(`${name} is taken`);
  }
});
