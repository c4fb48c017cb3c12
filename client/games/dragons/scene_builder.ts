/** Composes scenes from the predicted state: every sprite is placed between two ticks and eased. Sprites are reused. */
import type { DragonSimulation } from "../../../shared/games/dragons/simulation.ts";
import type { FrameComposer } from "../../presentation/view.ts";
import type { Placed, SceneParts, Sprite } from "./presenters/presenter.ts";
import { ALL_PRESENTERS, emptySprites, type NamedPresenter, type SpriteName } from "./presenters/presenters.ts";
import { emptyScene, type RenderScene } from "./scene.ts";

export class SceneBuilder implements FrameComposer<DragonSimulation, RenderScene> {
  readonly #scene: RenderScene;
  /** As many sprites as any scene has shown at once. */
  readonly #pools: Readonly<Record<SpriteName, Sprite[]>> = emptySprites();

  constructor({ arena }: DragonSimulation) {
    this.#scene = emptyScene(arena);
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
    const pool = this.#pools[name], shown: Sprite[] = this.#scene[name];
    shown.length = 0;
    for (const entity of presenter.entities(parts)) {
      const sprite = pool[shown.length] ??= { id: 0, x: 0, y: 0, angle: 0 };
      placeSprite(sprite, entity, parts);
      presenter.write(entity, sprite, parts);
      shown.push(sprite);
    }
  }
}

function placeSprite(sprite: Sprite, { id, x, y, angle }: Placed, { poses, smoother, fraction }: SceneParts): void {
  sprite.id = id;
  const pose = poses.head.find(id);
  if (pose === undefined) Object.assign(sprite, { x, y, angle });
  else smoother.place(poses, pose, { fraction, out: sprite });
}
