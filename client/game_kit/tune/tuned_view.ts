/**
 * Adds sliders for the constants of `Declaration.tune` to a view. Only pages of `deno task dev`
 * contain this module.
 */
import type { TunedConstants } from "../../../shared/game_kit/game_kit.ts";
import type { Game, Simulation } from "../../../shared/netcode/game.ts";
import type { View } from "../../presentation/view.ts";
import { TunePanel } from "./tune_panel.ts";
import { type TuneCommand, type TunedValues, Tuner } from "./tuner.ts";

/** What a `KitGame` has beyond a `Game`; a game below the kit has none of it. */
interface TunedGame<Command> {
  readonly declaration?: { readonly tune?: TunedConstants };
  readonly tuneCommand?: TuneCommand<Command>;
}

/** What a kit game's simulation has beyond a `Simulation`. */
interface TunedSimulation {
  readonly world: { readonly tune: TunedValues };
}

/** @returns the view as it is, if the game has no such constants */
export function tunedView<Command, Sim extends Simulation<Command>, Frame>(
  game: Game<Command, Sim>,
  view: View<Command, Sim, Frame>,
): View<Command, Sim, Frame> {
  const { declaration, tuneCommand } = game as TunedGame<Command>;
  if (declaration?.tune === undefined || tuneCommand === undefined) return view;
  const tuner = new Tuner(tuneCommand);
  const panel = new TunePanel(declaration.tune, tuner);

  return {
    ...view,
    controls: (device) => tuner.sourceOver(view.controls(device)),
    composer(simulation) {
      const composer = view.composer(simulation);
      return {
        compose(parts) {
          const { tick, world: { tune } } = parts.definitive as Sim & TunedSimulation;
          tuner.see(tune, tick);
          panel.show(tune, { canTune: parts.ownSeat >= 0 });
          return composer.compose(parts);
        },
      };
    },
  };
}
