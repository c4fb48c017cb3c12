/** `deno task new` in a copy of the project: the game that it makes is played like any other. */
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { copyProject } from "../support/project_copy.ts";
import { runTaskIn } from "../support/task.ts";

async function withCopy(test: (folder: string) => Promise<void>): Promise<void> {
  const folder = await copyProject();
  try {
    await test(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function run(folder: string, ...args: string[]): Promise<string> {
  const command = new Deno.Command(Deno.execPath(), { args, cwd: folder, env: { NO_COLOR: "1" } });
  const { code, stdout, stderr } = await command.output();
  const text = new TextDecoder();
  assertEquals(code, 0, text.decode(stderr) + text.decode(stdout));
  return text.decode(stdout);
}

/** The game that is made, and how its template is asked for. */
const GAMES: Readonly<Record<string, readonly string[]>> = {
  air_hockey: [],
  side_hockey: ["--template", "side"],
  top_hockey: ["--template=top"],
  duel_hockey: ["--template", "duel"],
};

Deno.test("new: a game copied from each template is formatted, compiles and runs, and one line registers it (SPEC 13.50)", () =>
  withCopy(async (folder) => {
    const files: string[] = [];
    for (const [name, args] of Object.entries(GAMES)) {
      files.push(...await newGame(folder, name, args));
    }
    await run(folder, "fmt", "--check", ...files, "shared/games/registry.ts");
    await run(folder, "check", ...files);
    const script = `
      import { GAMES } from "./shared/games/registry.ts";
      for (const name of ${JSON.stringify(Object.keys(GAMES))}) {
        const { game } = await GAMES[name]();
        const simulation = game.start({ npcs: 2, choices: [] }, 7);
        for (let i = 0; i < 40; i++) {
          simulation.step(Array.from({ length: 32 }, (_, seat) => seat < 16 ? undefined : simulation.npcSeats.includes(seat) ? simulation.npcCommand(seat, []) : undefined));
        }
        console.log(game.id, simulation.tick, simulation.npcSeats.length);
      }`;
    await Deno.writeTextFile(`${folder}/play.ts`, script);
    assertEquals(
      await run(folder, "run", "--no-check", "play.ts"),
      Object.keys(GAMES).map((name) => `${name}-1 40 2\n`).join(""),
    );
  }));

/** Makes a game. @returns its files */
async function newGame(folder: string, name: string, args: readonly string[]): Promise<string[]> {
  const { code, stdout, stderr } = await runTaskIn(folder, "new", [name, ...args]);
  assertEquals([code, stderr], [0, ""]);
  for (
    const step of [`1. deno task dev --games ${name}`, "2. ", `3. deno task prove game ${name}`]
  ) {
    assertStringIncludes(stdout, step);
  }

  const files = [`shared/games/${name}/game.ts`, `client/games/${name}/view.ts`];
  const texts = await Promise.all(files.map((file) => Deno.readTextFile(`${folder}/${file}`)));
  const lineCount = texts.join("").split("\n").length - 1;
  assertStringIncludes(stdout, `${name} has ${lineCount} lines in `);
  const registry = await Deno.readTextFile(`${folder}/shared/games/registry.ts`);
  assertMatch(
    registry,
    new RegExp(`\\n {2}${name}: \\(\\) => import\\("\\./${name}/game\\.ts"\\),\\n\\};\\n`),
  );
  for (const text of texts) assertEquals(text.match(/template/gi), null);
  return files;
}

Deno.test("new: a name that no game can have, or that one has, costs one clear line and writes nothing (SPEC 13.50)", async () => {
  await withCopy(async (folder) => {
    const registry = await Deno.readTextFile(`${folder}/shared/games/registry.ts`);
    await Deno.mkdir(`${folder}/client/games/taken`);
    await Deno.writeTextFile(`${folder}/client/games/taken/view.ts`, "");

    for (
      const [name, message] of [
        ["Puck", /^new: "Puck" is no name for a game: 1 to 16/],
        ["api", /^new: "api" is a path of the server; choose another name\n/],
        ["a".repeat(17), /is no name/],
        ["dragons", /^new: there is a game dragons already, in shared\/games\/dragons\n$/],
        ["taken", /^new: client\/games\/taken\/view\.ts is in the way/],
      ] as const
    ) {
      const { code, stdout, stderr } = await runTaskIn(folder, "new", [name]);
      assertEquals([code, stdout], [2, ""], name);
      assertMatch(stderr, message);
    }

    assertEquals(await Deno.readTextFile(`${folder}/shared/games/registry.ts`), registry);
    assertEquals(
      [...Deno.readDirSync(`${folder}/shared/games`)].some(({ name }) => name === "taken"),
      false,
    );
    for (
      const args of [[], ["hop", "skip"], ["hop", "--template"]]
    ) {
      assertEquals((await runTaskIn(folder, "new", args)).code, 2, args.join(" "));
    }
    const { code, stderr } = await runTaskIn(folder, "new", ["hop", "--template", "tetris"]);
    assertEquals(code, 2);
    assertEquals(stderr, 'new: there is no template "tetris"; there are blank, side, top, duel\n');
  });
});
