/**
 * What a match presenter needs of a kit game: which events wait, and what a frame contains. It
 * neither draws nor sounds, so it serves a view and a page of one's own alike.
 */
import type { PresentedView } from "../presentation/match_presenter.ts";
import type { ViewWords } from "../presentation/view.ts";
import { guarded } from "./guarded.ts";
import { type ComposerOptions, KitComposer, type KitFrame } from "./kit_frame.ts";
import type { KitStatusReader } from "./kit_status.ts";
import type { LooseCommand, LooseGame, LooseSimulation } from "./loose_types.ts";

export function kitPresentation(
  { declaration: { events: timings = {} } }: LooseGame,
  { composing, status }: {
    readonly composing: ComposerOptions;
    readonly status: Pick<KitStatusReader, "read">;
  },
): Required<PresentedView<LooseCommand, LooseSimulation, KitFrame>> {
  return {
    isConfirmedOnly: (kind) => timings[kind] === "certain",
    answersKey: (kind) => timings[kind] === "at once",
    reach: (simulation) => guarded("reach", () => simulation.reach, () => undefined),
    composer: (simulation) => new KitComposer(simulation, composing),
    status: (simulation, options) => status.read(simulation, options),
    touchingIds: ({ stage, world }, id) => {
      const entity = world.get(id) === undefined ? undefined : stage.get(id);
      // A projectile touches nothing: it hits.
      if (entity?.archetype.body === undefined) return [];
      return stage.touchingNow(entity).map((other) => other.id);
    },
  };
}

/** @param player the name of the thing that seats drive */
export function defaultWords(player: string): ViewWords {
  const thing = player.replaceAll("_", " ");
  return {
    players: "players",
    arriving: `Your ${thing} is on its way…`,
    takenOver: `A bot plays your ${thing}`,
    readyHint: "",
  };
}
