/**
 * Composes scenes: places are predicted, outcomes are definitive. Every sprite is placed between
 * two ticks and eased. Sprites are reused.
 */
import type { DragonSimulation } from "../../../shared/games/dragons/simulation.ts";
import type { Arena } from "../../../shared/games/dragons/arena.ts";
import type { Body, Solid } from "../../presentation/solids.ts";
import type { FrameComposer } from "../../presentation/view.ts";
import type { Placed, SceneParts, Sprite } from "./presenters/presenter.ts";
import {
  ALL_PRESENTERS,
  emptySprites,
  type NamedPresenter,
  type SpriteName,
} from "./presenters/presenters.ts";
import { emptyScene, type RenderScene } from "./scene.ts";

export class SceneBuilder implements FrameComposer<DragonSimulation, RenderScene> {
  readonly #scene: RenderScene;
  readonly #bodies: ReadonlyMap<SpriteName, Body>;
  /** As many sprites as any scene has shown at once. */
  readonly #pools: Readonly<Record<SpriteName, Sprite[]>> = emptySprites();

  constructor({ arena }: DragonSimulation) {
    this.#scene = emptyScene(arena);
    const solids = solidsOf(arena);
    this.#bodies = new Map(
      ALL_PRESENTERS.map(({ name, presenter: { radius } }) => [name, { radius, solids }]),
    );
  }

  /** @returns the same object every time */
  compose(parts: SceneParts): RenderScene {
    const scene = this.#scene;
    scene.atMs = parts.atMs;
    scene.events = parts.events.begun;
    scene.retractedEvents = parts.events.retracted;
    for (const named of ALL_PRESENTERS) this.#fill(named, parts);
    return scene;
  }

  #fill({ name, presenter }: NamedPresenter, parts: SceneParts): void {
    const pool = this.#pools[name];
    const shown: Sprite[] = this.#scene[name];
    const body = this.#bodies.get(name);
    shown.length = 0;
    for (const entity of presenter.entities(parts)) {
      const sprite = pool[shown.length] ??= { id: 0, x: 0, y: 0, angle: 0 };
      placeSprite(sprite, entity, parts, body);
      presenter.write(entity, sprite, parts);
      shown.push(sprite);
    }
  }
}

function placeSprite(
  sprite: Sprite,
  { id, x, y, angle }: Placed,
  { poses, smoother, fraction }: SceneParts,
  body: Body | undefined,
): void {
  const pose = poses.head.find(id);
  if (pose !== undefined) smoother.place(poses, pose, { fraction, out: sprite, body });
  // An egg that is taken in the prediction only stays where it was drawn last.
  else if (sprite.id !== id) Object.assign(sprite, { x, y, angle });
  sprite.id = id;
  sprite.fade = smoother.fadeOf(id);
}

/** Metres: a wall has no other side. */
const WALL = 10;

/** The platforms and the walls of an arena. */
function solidsOf({ width, height, platforms }: Arena): Solid[] {
  const wall = (x: number) => ({ x, y: height / 2, width: WALL, height: height + WALL });
  const ceiling = { x: width / 2, y: height + WALL / 2, width, height: WALL };
  return [...platforms, wall(-WALL / 2), wall(width + WALL / 2), ceiling];
}
