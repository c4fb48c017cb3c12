/**
 * The dragon game: its rules around each tick of physics. `declaration.ts` has what there is,
 * `tuning.ts` the figures, `arenas/` the arenas.
 */
import { defineGame, type KitGame } from "../../game_kit/game_kit.ts";
import { ARENAS, type Arenas } from "./arenas/arenas.ts";
import { tickBridge } from "./bridge.ts";
import { control } from "./control.ts";
import { crush, dropCrate, removeCrates } from "./crates.ts";
import { declareDragons, type DragonTypes, type DragonWorld, type Egg } from "./declaration.ts";
import { hatchEggs, returnLostEggs, takeEgg } from "./eggs.ts";
import { enterArena, hasEntered, tickRespawn } from "./entering.ts";
import { burnCrate, hitDragon, removeLostFireballs, tickRecharge } from "./fire.ts";
import { isLanding } from "./flight.ts";
import { joust } from "./joust.ts";
import { tickLava } from "./lava.ts";
import { tickLift } from "./lift.ts";
import { hasLoot, landChest, ramChest, shootChest, takeLoot, tickLoot } from "./loot.ts";
import { takeRelic } from "./modes/capture.ts";
import { tickMode } from "./modes/modes.ts";
import { PLANS } from "./npc/plans.ts";
import { reactionTicks, thinkIn } from "./npc/policy.ts";
import { DEED_REACH, LOOT_REACH } from "./tuning.ts";
import { advanceRound, isDecisive, isPlaying, roundOf, startFirstRound } from "./rounds.ts";
import { arenaIn, beginRound } from "./setting.ts";
import { wrapAround } from "./wrap.ts";
import { meetWyrm, tickWyrm } from "./wyrm.ts";

/** The dragons in these arenas. @returns a game as netcode runs it */
export function dragonsIn(arenas: Arenas): KitGame<DragonTypes> {
  const land = (_world: DragonWorld, { fields }: Egg) => void (fields.landed = true);

  return defineGame(declareDragons(arenas), {
    start(world) {
      startFirstRound(world);
      beginRound(world, arenas);
    },

    enter: (world, seat) => enterArena(world, arenaIn(world, arenas), seat),
    entered: hasEntered,

    drive(world, dragon, input) {
      tickRecharge(dragon);
      control(world, arenaIn(world, arenas), dragon, input);
    },

    /** Before the jousts, which depend on who stands. */
    afterPhysics(world) {
      for (const dragon of world.all("dragon")) {
        if (!world.isSupported(dragon)) continue;
        if (isLanding(dragon.fields)) world.emit("land", dragon);
        dragon.fields.airborne = 0;
      }
    },

    touch: {
      crate: { dragon: whilePlaying(crush) },
      fireball: {
        dragon: whilePlaying(hitDragon),
        crate: whilePlaying(burnCrate),
        chest: whilePlaying(shootChest),
      },
      arrow: { dragon: whilePlaying(hitDragon), chest: whilePlaying(shootChest) },
      pellet: { dragon: whilePlaying(hitDragon), chest: whilePlaying(shootChest) },
      egg: {
        ledges: land,
        foundry: land,
        sky_wells: land,
        cavern: land,
        bridge: land,
        lift: land,
        crate: land,
      },
    },

    touching: {
      wyrm: { dragon: whilePlaying(meetWyrm) },
      dragon: {
        dragon: whilePlaying(joust),
        egg: whilePlaying(takeEgg),
        relic: whilePlaying(takeRelic),
        loot: whilePlaying(takeLoot),
      },
      // A chest may lie on something already when its rope is cut
      chest: {
        dragon: whilePlaying(ramChest),
        ledges: landChest,
        foundry: landChest,
        sky_wells: landChest,
        cavern: landChest,
        bridge: landChest,
        lift: landChest,
        crate: landChest,
      },
    },

    tick(world) {
      const arena = arenaIn(world, arenas);
      wrapAround(world, arena);
      tickLift(world);
      tickLava(world, arena, isPlaying(world));
      if (isPlaying(world)) {
        tickMode(world, arena);
        tickWyrm(world, arena);
        hatchEggs(world);
        tickLoot(world, arena);
        tickBridge(world);
      }
      for (const dragon of world.all("dragon")) tickRespawn(world, arena, dragon);
      removeLostFireballs(world, arena);
      returnLostEggs(world, arena);
      removeCrates(world, arena);
      dropCrate(world, arena);
      advanceRound(world, arenas);
    },

    round: roundOf,

    // Where edges are one, no distance is what it seems.
    reach(world) {
      if (arenaIn(world, arenas).wraps || isDecisive(world)) return undefined;
      return hasLoot(world) ? LOOT_REACH : DEED_REACH;
    },

    think: thinkIn(arenas),
    plans: PLANS,
    reactionTicks,
  });
}

/** The game that servers host. */
export const dragonGame = dragonsIn(ARENAS);

export { dragonGame as game };

/** No hit counts while the result is shown. */
function whilePlaying<Args extends readonly unknown[]>(
  rule: (world: DragonWorld, ...args: Args) => void,
): (world: DragonWorld, ...args: Args) => void {
  return (world, ...args) => {
    if (isPlaying(world)) rule(world, ...args);
  };
}
