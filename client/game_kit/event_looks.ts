/**
 * Turns the looks and sounds of a kit game's events into what the page's effects and sounds take.
 */
import type { Voice } from "../presentation/audio/voices.ts";
import { AROUND, type Burst, RING } from "../presentation/picture/bursts.ts";
import type { EffectRecipe } from "../presentation/picture/effects.ts";
import type { PresentedEvent } from "../presentation/event_reconciler.ts";
import type { SoundFile } from "./files/game_files.ts";
import { guarded } from "./guarded.ts";
import type { EventLook, ShortBurst } from "./view_definition.ts";

export interface EventRecipe extends EffectRecipe {
  readonly sound?: readonly Voice[] | SoundFile;
  /** Whether the sound is equally loud everywhere, and all cameras shake. */
  readonly everywhere?: boolean;
  /** As `EventLook.strength`. */
  strength?(amount: number): number;
}

/** By kind of event. A kind without a recipe is neither seen nor heard. */
export type Recipes = Readonly<Record<string, EventRecipe>>;

export function recipesOf(looks: Readonly<Record<string, EventLook>>): Recipes {
  return Object.fromEntries(Object.entries(looks).map(([kind, look]) => [kind, recipeOf(look)]));
}

/**
 * How strong an event is, 0 … 1.
 * @param kind for the error, if the author's function throws
 */
export function strengthOf(
  { strength }: Pick<EventLook, "strength">,
  { kind, amount }: Pick<PresentedEvent, "kind" | "amount">,
): number {
  if (strength === undefined || amount === undefined) return 1;
  const share = guarded(`events.${kind}.strength`, () => strength(amount), () => 1);
  return Math.max(0, Math.min(1, share));
}

function recipeOf({ sound, burst, shake, everywhere, strength }: EventLook): EventRecipe {
  return {
    ...sound && { sound },
    ...burst && { bursts: "colour" in burst ? burstsOf(burst) : burst },
    ...shake !== undefined && { shake },
    ...everywhere && { everywhere },
    ...strength && { strength },
  };
}

/** A ring, and sparks that fly apart; many sparks fly farther. */
function burstsOf({ colour, count }: ShortBurst): readonly Burst[] {
  const size = Math.min(1, count / 32);
  return [
    { ...RING, colour, lifeMs: 240 + 260 * size, growth: 3 + 6 * size },
    {
      shape: "spark",
      colour,
      count,
      speed: [2, 5 + 8 * size],
      turns: AROUND,
      lifeMs: 300 + 300 * size,
      size: 0.2 + 0.15 * size,
      drag: 3,
    },
    {
      shape: "puff",
      colour,
      count: Math.ceil(count / 3),
      speed: [0.5, 3],
      turns: AROUND,
      lifeMs: 500,
      size: 0.12,
      growth: 0.6,
      drag: 2,
    },
  ];
}
