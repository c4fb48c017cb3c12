/** What pages show of loot. */
import { assertEquals } from "@std/assert";
import { dragonView } from "../../../../client/games/dragons/view.ts";
import { Rig } from "../../../shared/games/dragons/rig.ts";
import { LEDGES } from "../../../../shared/games/dragons/arenas/ledges.ts";

Deno.test("dragonView: a line says what the own dragon holds, and how often it can use that (SPEC 26.27)", () => {
  const rig = new Rig(LEDGES, 2);
  rig.run(1);
  const noteOf = (ownSeat: number) =>
    dragonView.status(rig.simulation, { names: new Map(), ownSeat }).note;
  assertEquals(noteOf(0), undefined);
  rig.hold(0, "bow", 3);
  assertEquals([noteOf(0), noteOf(1), noteOf(-1)], ["Bow × 3", undefined, undefined]);
  rig.hold(0, "shield", 0);
  assertEquals(noteOf(0), "Shield");
  rig.poke(`entity ${rig.dragon(0).id} dragon.dead`, 20);
  assertEquals(noteOf(0), undefined, "whoever has no rider holds nothing");
});
