/** All presenters in the order of drawing, from the back to the front. */
import { cratePresenter } from "./crate.ts";
import { dragonPresenter } from "./dragon/dragon.ts";
import { eggPresenter } from "./egg.ts";
import { fireballPresenter } from "./fireball.ts";
import type { DragonFrame, Painter, Presenter, Sprite } from "./presenter.ts";

/** A dragon that stands on an egg hides it, and takes it. */
const PRESENTERS = {
  crates: cratePresenter,
  eggs: eggPresenter,
  dragons: dragonPresenter,
  fireballs: fireballPresenter,
} as const;

export type SpriteName = keyof typeof PRESENTERS;

type SpriteOf<Any> = Any extends Presenter<infer Drawn> ? Drawn : never;

/** The sprites of one frame by kind. */
export type Sprites = { [Name in SpriteName]: SpriteOf<typeof PRESENTERS[Name]>[] };

const NAMES = Object.keys(PRESENTERS) as readonly SpriteName[];

/** The picture of a frame as plain values. */
export function spritesOf(frame: DragonFrame): Sprites {
  const sprites = NAMES.map((name) => [name, PRESENTERS[name].sprites(frame)]);
  return Object.fromEntries(sprites) as Sprites;
}

/** One kind of thing with a renderer's own painter of it. */
export interface NamedPainter {
  readonly name: SpriteName;
  readonly painter: Painter<Sprite>;
}

export function newPainters(): readonly NamedPainter[] {
  return NAMES.map((name) => ({ name, painter: PRESENTERS[name].painter() as Painter<Sprite> }));
}
