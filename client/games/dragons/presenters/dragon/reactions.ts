/** How a dragon itself reacts to events, besides what `events.ts` shows of them. */
import type { DragonTypes } from "../../../../../shared/games/dragons/declaration.ts";

interface Reaction {
  /** Strength that flattens the dragon; a negative one stretches it. */
  readonly squeeze: number;
  /** The event is a blow: everybody near it stands still for a moment (`hit_stop.ts`). */
  readonly stops?: true;
}

export const REACTIONS: { readonly [Kind in keyof DragonTypes["events"]]?: Reaction } = {
  flap: { squeeze: -0.25 },
  joust: { squeeze: 1, stops: true },
  clash: { squeeze: 1, stops: true },
  crush: { squeeze: 1, stops: true },
};
