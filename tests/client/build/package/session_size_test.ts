/** What a page of one's own loads for a match. */
import { assert, assertEquals, assertGreater } from "@std/assert";
import { packageOnce } from "./installed_package.ts";

/** Parts of our own page: what draws, sounds and asks, and what F3 shows. */
const OUR_PAGE =
  /^src\/client\/(debug|game_list|replay)\/|^src\/client\/ui\/(lobby|match)\/|\/audio\/|\/(brush|hud_brush|bursts|renderer)\.ts$/;

Deno.test("pack: a page that joins a match has no code of our own page (SPEC 19.51)", async () => {
  const { sessionWithKit, kit } = (await packageOnce()).sizes;
  assertEquals(sessionWithKit.modules.filter((module) => OUR_PAGE.test(module)), []);
  assert(sessionWithKit.modules.includes("src/client/session/reconciler.ts"));
  assertGreater(sessionWithKit.gzip, kit.gzip);
});

Deno.test("pack: a page that mounts a lobby has no code of the overlay (SPEC 19.63)", async () => {
  const { lobby } = (await packageOnce()).sizes;
  const ofOverlay = /^src\/client\/debug\/|uplot/i;
  assertEquals(lobby.modules.filter((module) => ofOverlay.test(module)), []);
  assert(lobby.modules.includes("src/client/ui/lobby/room_list.ts"));
  assert(!lobby.modules.includes("src/client/ui/page.ts"));
});
