/** `wyvern new`, and what a game of a project needs no setting for. */
import { assertEquals, assertMatch } from "@std/assert";
import { programTest } from "../../../support/programs.ts";
import { withProject } from "./installed_package.ts";
import { addGame } from "./own_server.ts";

const COMMAND = "node_modules/wyvern/dist/command.js";

programTest(
  "pack: `wyvern new` writes over no file and refuses wrong names in words, with exit code 2 (SPEC 19.20)",
  {
    programs: ["node", "npm"],
    run: () =>
      withProject(async (project) => {
        assertMatch(await addGame(project, "hop"), /^games\/hop has \d+ lines in game.ts and view/);
        const before = await Deno.readTextFile(`${project.folder}/games/hop/game.ts`);
        await Deno.mkdir(`${project.folder}/games/skip`);
        await Deno.writeTextFile(`${project.folder}/games/skip/view.ts`, "");
        for (
          const [args, words] of [
            [["hop"], /^wyvern new: there is a game hop already, in games\/hop\n$/],
            [["skip"], /^wyvern new: games\/skip\/view\.ts is in the way/],
            [["api"], /^wyvern new: "api" is a path of the server/],
            [["Hop"], /^wyvern new: "Hop" is no name for a game: 1 to 16/],
            [["run", "--template", "chess"], /there is no template "chess"; there are blank,/],
            [["run", "--tempo", "x"], /^wyvern new: Unknown option '--tempo'\n/],
            [[], /^wyvern new: one name is needed\n/],
          ] as const
        ) {
          const { code, stderr } = await new Deno.Command("node", {
            args: [COMMAND, "new", ...args],
            cwd: project.folder,
            stdin: "null",
          }).output();
          assertEquals(code, 2, args.join(" "));
          assertMatch(new TextDecoder().decode(stderr), words);
        }
        assertEquals(await Deno.readTextFile(`${project.folder}/games/hop/game.ts`), before);
      }),
  },
);

programTest("pack: a view's image has a type in a project of one's own (SPEC 19.21)", {
  programs: ["npm"],
  run: () =>
    withProject(async (project) => {
      const view = (type: string) =>
        `import { type ImageFile } from "wyvern/view";
import ship from "./ship.png";

export const image: ${type} = ship;
`;
      const check = async (type: string) => {
        await Deno.writeTextFile(`${project.folder}/view.ts`, view(type));
        const { code, stderr } = await new Deno.Command(Deno.execPath(), {
          args: ["check", "view.ts"],
          cwd: project.folder,
          env: { NO_COLOR: "1" },
        }).output();
        return [code, new TextDecoder().decode(stderr)] as const;
      };
      await Deno.writeFile(`${project.folder}/ship.png`, new Uint8Array(8));
      const [code, said] = await check("ImageFile");
      assertEquals(code, 0, said);
      const [, fault] = await check("number");
      assertMatch(fault, /Type 'ImageFile' is not assignable to type 'number'/);
    }),
});
