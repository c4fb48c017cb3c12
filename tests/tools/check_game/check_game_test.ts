import { assertEquals, assertStringIncludes } from "@std/assert";
import { GAMES } from "../../../shared/games/registry.ts";
import { runTask } from "../../support/task.ts";

Deno.test("prove game: without the name of one game it exits with 2, and names the games", async () => {
  for (const args of [[], ["hopp"], ["toString"], ["dragons", "dragons"]]) {
    const { code, stderr } = await runTask("prove", "game", ...args);
    assertEquals(code, 2, args.join(" "));
    assertStringIncludes(stderr, `prove game needs one game: ${Object.keys(GAMES).join(" or ")}`);
  }
});
