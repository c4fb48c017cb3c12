/** A game in a project of one's own, hosted by the installed package. */
import { assertEquals, assertGreater, assertMatch } from "@std/assert";
import { linesOf } from "../../../../server/workers/lines.ts";
import { programTest } from "../../../support/programs.ts";
import { type OwnProject, withProject } from "./installed_package.ts";

const COMMAND = "node_modules/wyvern/dist/command.js";
const TEMPLATES = new URL("../../../../", import.meta.url);

/** Copies a template, with the names by which a project imports the package. */
async function addGame({ folder }: OwnProject, name: string): Promise<void> {
  await Deno.mkdir(`${folder}/games/${name}`, { recursive: true });
  const files = [
    ["shared/game_kit/templates/side/game.ts", "game.ts"],
    ["client/game_kit/templates/side/view.ts", "view.ts"],
  ] as const;
  for (const [from, to] of files) {
    const text = await Deno.readTextFile(new URL(from, TEMPLATES));
    const own = text.replace(/"[./]+game_kit\.ts"/, '"wyvern"')
      .replace(/"[./]+client_kit\.ts"/, '"wyvern/view"')
      .replace(/"[./]+shared\/game_kit\/templates\/side\/game\.ts"/, '"./game.ts"');
    await Deno.writeTextFile(`${folder}/games/${name}/${to}`, own);
  }
}

function denoCommand(folder: string, ...args: string[]): Deno.Command {
  return new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", COMMAND, ...args],
    cwd: folder,
    env: { NO_COLOR: "1" },
    stdin: "null",
    stdout: "piped",
    stderr: "null",
  });
}

programTest(
  "pack: `wyvern serve` hosts a game of one's own folder, and bots play it without a desync (SPEC 19.7)",
  {
    programs: ["npm"],
    run: () =>
      withProject(async (project) => {
        const { folder, run } = project;
        await addGame(project, "hop");
        await run(
          "npm",
          "install",
          "--no-audit",
          "--no-fund",
          "--prefer-offline",
          "esbuild@0.28.2",
        );

        const server = denoCommand(folder, "serve", "--port", "0", "--data", "off", "--grace", "0")
          .spawn();
        let url: string | undefined;
        for await (const line of linesOf(server.stdout, 1 << 16)) {
          url = /Wyvern listens on (http:\S+\/)/.exec(line)?.[1];
          if (url !== undefined) break;
        }
        try {
          const page = await (await fetch(url!)).text();
          assertMatch(page, /<title>Template/);
          const bots = denoCommand(
            folder,
            ...["bots", "--url", url!.replace("http", "ws").slice(0, -1)],
            ...["--clients", "4", "--seconds", "3", "--latency-ms", "100", "--json"],
          );
          const { code, stdout } = await bots.output();
          const report = JSON.parse(new TextDecoder().decode(stdout).trim().split("\n").at(-1)!);
          assertEquals([code, report.desyncs, report.errors], [0, 0, 0]);
          assertGreater(report.ticks, 40);
          assertGreater(report.rollbacks, 0);
        } finally {
          server.kill("SIGTERM");
          await server.status;
        }
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
        const { code, stderr } = await new Deno.Command(Deno.execPath(), {
          args: ["run", "-A", COMMAND, "build", "chess"],
          cwd: project.folder,
          env: { NO_COLOR: "1" },
        }).output();
        const said = new TextDecoder().decode(stderr);
        assertEquals([code, said], [2, 'wyvern: there is no game "chess" here: there are hop\n']);
      }),
  },
);

programTest("pack: under Node, `wyvern serve` says in one line that it needs Deno (SPEC 19.8)", {
  programs: ["node", "npm"],
  run: () =>
    withProject(async ({ folder }) => {
      for (
        const [args, words] of [[["serve"], /^wyvern: serve needs Deno/], [[], /^Usage: /]] as const
      ) {
        const { code, stdout, stderr } = await new Deno.Command("node", {
          args: [COMMAND, ...args],
          cwd: folder,
        }).output();
        const text = new TextDecoder();
        assertEquals([code, text.decode(stdout)], [2, ""]);
        assertMatch(text.decode(stderr), words);
        if (args.length > 0) assertEquals(text.decode(stderr).trim().split("\n").length, 1);
      }
    }),
});
