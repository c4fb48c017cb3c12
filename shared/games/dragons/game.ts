/**
 * The dragon game: its rules around each tick of physics. `declaration.ts` has what there is,
 * `tuning.ts` the figures, `arena.ts` the arena.
 */
import { defineGame, type KitGame } from "../../game_kit/game_kit.ts";
import { type Arena, LEDGES } from "./arena.ts";
import { control } from "./control.ts";
import { crush, dropCrate, removeCrates, spawnCrateStack } from "./crates.ts";
import { declareDragons, type DragonTypes, type DragonWorld } from "./declaration.ts";
import { hatchEggs, returnLostEggs, takeEgg } from "./eggs.ts";
import { enterArena, hasEntered, tickRespawn } from "./entering.ts";
import { burnCrate, burnDragon, removeLostFireballs, tickRecharge } from "./fire.ts";
import { isLanding } from "./flight.ts";
import { joust } from "./joust.ts";
import { reactionTicks, thinkIn } from "./npc/policy.ts";
import { advanceRound, isPlaying, roundOf, startFirstRound } from "./rounds.ts";

/** The dragons in one arena. @returns a game as netcode runs it */
export function dragonsIn(arena: Arena): KitGame<DragonTypes> {
  return defineGame(declareDragons(arena), {
    start(world) {
      startFirstRound(world);
      spawnCrateStack(world, arena);
    },

    enter: (world, seat) => enterArena(world, arena, seat),
    entered: hasEntered,

    drive(world, dragon, input) {
      tickRecharge(dragon);
      control(world, dragon, input);
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
      fireball: { dragon: whilePlaying(burnDragon), crate: whilePlaying(burnCrate) },
      egg: {
        ground: (_world, { fields }) => fields.landed = true,
        crate: (_world, { fields }) => fields.landed = true,
      },
    },

    touching: {
      dragon: { dragon: whilePlaying(joust), egg: whilePlaying(takeEgg) },
    },

    tick(world) {
      if (isPlaying(world)) hatchEggs(world);
      for (const dragon of world.all("dragon")) tickRespawn(world, arena, dragon);
      removeLostFireballs(world, arena);
      returnLostEggs(world, arena);
      removeCrates(world, arena);
      dropCrate(world, arena);
      advanceRound(world, arena);
    },

    round: roundOf,

    think: thinkIn(arena),
    reactionTicks,
  });
}

/** The game that servers host. */
export const dragonGame = dragonsIn(LEDGES);

export { dragonGame as game };

/** No hit counts while the result is shown. */
function whilePlaying<Args extends readonly unknown[]>(
  rule: (world: DragonWorld, ...args: Args) => void,
): (world: DragonWorld, ...args: Args) => void {
  return (world, ...args) => {
    if (isPlaying(world)) rule(world, ...args);
  };
}
