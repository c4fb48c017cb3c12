/**
 * All presenters in the order of drawing, from the back to the front, and the recipes of all
 * events.
 */
import { cratePresenter } from "./crate.ts";
import { dragonPresenter } from "./dragon/dragon.ts";
import { eggPresenter } from "./egg.ts";
import { fireballPresenter } from "./fireball.ts";
import { MATCH_EVENTS } from "./match.ts";
import type { EventRecipes, Placed, Presenter, Sprite } from "./presenter.ts";

/**
 * By the name of their sprites in a scene. A dragon that stands on an egg hides it, and takes it.
 */
const PRESENTERS = {
  crates: cratePresenter,
  eggs: eggPresenter,
  dragons: dragonPresenter,
  fireballs: fireballPresenter,
} as const;

export type SpriteName = keyof typeof PRESENTERS;

type SpriteOf<Any> = Any extends Presenter<infer _, infer Shown> ? Shown : never;

/** The sprites of one frame by archetype. */
export type Sprites = { [Name in SpriteName]: SpriteOf<typeof PRESENTERS[Name]>[] };

export interface NamedPresenter {
  readonly name: SpriteName;
  readonly presenter: Presenter<Placed, Sprite>;
}

export const ALL_PRESENTERS: readonly NamedPresenter[] = Object.entries(PRESENTERS).map((
  [name, presenter],
) => (
  { name: name as SpriteName, presenter }
));

/** A list for each archetype, all of them empty. */
export function emptySprites(): Sprites {
  return Object.fromEntries(ALL_PRESENTERS.map(({ name }) => [name, []])) as unknown as Sprites;
}

/** By kind of event. A kind without a recipe is neither visible nor audible. */
export const EVENT_RECIPES: EventRecipes = Object.assign(
  {},
  MATCH_EVENTS,
  ...ALL_PRESENTERS.map(({ presenter }) => presenter.events),
);
