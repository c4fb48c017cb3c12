/** `wyvern check` in a project of one's own: each planted mistake is named. */
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { programTest } from "../../../support/programs.ts";
import { withProject } from "./installed_package.ts";
import { addGame, denoCommand } from "./own_server.ts";

interface Report {
  readonly ok: boolean;
  readonly games: readonly string[];
  readonly problems: readonly {
    readonly check: string;
    readonly file: string;
    readonly line?: number;
    readonly message: string;
    readonly hint: string;
  }[];
}

/** Mistakes in the rules of the template `side`, and what has to be said of each. */
const MISTAKES = [
  {
    text: 'world.emit("coin", hero);',
    replacement: 'world.emit("coyn", hero);',
    check: "types",
    message: /'"coyn"' is not assignable/,
    hasLine: true,
  },
  {
    text: "hero.fields.score++;",
    replacement: "hero.fields.score += Math.random() < 0.5 ? 1 : 2;",
    check: "rollbacks",
    message: /^tick \d+: .*score is \d+/,
    hasLine: false,
  },
  {
    text: "hero.fields.score++;",
    replacement: 'throw new Error("out of coins");',
    check: "throws",
    message: /out of coins/,
    hasLine: true,
  },
  {
    text: 'id: "hop-1",',
    replacement: 'id: "",',
    check: "loads",
    message: /id/,
    hasLine: true,
  },
] as const;

programTest(
  "pack: `wyvern check --json` finds nothing in a template, and names each planted mistake with file, line, message and hint (SPEC 19.25)",
  {
    programs: ["node", "npm"],
    run: () =>
      withProject(async (project) => {
        await addGame(project, "hop");
        const check = async (): Promise<readonly [number, Report]> => {
          const { code, stdout, stderr } = await denoCommand(project, "check", "--json").output();
          const text = new TextDecoder();
          const last = text.decode(stdout).trim().split("\n").at(-1)!;
          if (last === "") throw new Error(text.decode(stderr));
          return [code, JSON.parse(last)];
        };
        assertEquals(await check(), [0, { ok: true, games: ["hop"], problems: [] }]);

        const file = `${project.folder}/games/hop/game.ts`;
        const rules = await Deno.readTextFile(file);
        for (const { text, replacement, check: name, message, hasLine } of MISTAKES) {
          const planted = rules.replace(text, replacement);
          await Deno.writeTextFile(file, planted);
          const [code, { ok, problems }] = await check();
          const problem = problems.find((problem) => problem.check === name);
          assertEquals([code, ok, problem?.file], [1, false, "games/hop/game.ts"], replacement);
          assertMatch(problem!.message, message);
          if (hasLine) {
            const named = planted.split("\n")[problem!.line! - 1]!;
            const words = name === "loads" ? "defineGame({" : replacement;
            assertStringIncludes(named, words);
          }
          assertMatch(problem!.hint, /\.$/);
        }

        // A wrong command line
        for (const args of [["chess"], ["--jsom"]]) {
          const { code, stderr } = await denoCommand(project, "check", ...args).output();
          assertEquals(code, 2);
          assertMatch(
            new TextDecoder().decode(stderr),
            /^wyvern check: (there is no game|"--jsom")/,
          );
        }
      }),
  },
);
