/** The view of the dragon game: graphics, sound, controls and words. */
import type { DragonCommand } from "../../../shared/games/dragons/command.ts";
import type { DragonSimulation } from "../../../shared/games/dragons/simulation.ts";
import { PLAYER_SEATS, type SeatId } from "../../../shared/netcode/game.ts";
import type { View } from "../../presentation/view.ts";
import { DragonSound } from "./audio/sound.ts";
import { DRAGON_ACTIONS, DragonControls } from "./controls.ts";
import { helpText } from "./help.ts";
import { OneButton } from "./one_button.ts";
import { nameOf } from "./presenters/dragon/sprite.ts";
import { EVENT_RECIPES } from "./presenters/presenters.ts";
import { isOwnColour, lookOf, OWN_COLOURS, ownFill, setOwnColour } from "./render/palette.ts";
import { DragonRenderer } from "./render/renderer.ts";
import { titleScene } from "./render/title_scene.ts";
import type { RenderScene } from "./scene.ts";
import { SceneBuilder } from "./scene_builder.ts";

/** A death waits, whatever caused it. Fire also burns crates, which have no seat. */
function isConfirmedOnly(kind: string, seat: SeatId): boolean {
  const recipe = EVENT_RECIPES[kind];
  return recipe?.isConfirmedOnly === true || (recipe?.unseats === true && seat >= 0);
}

export const dragonView: View<DragonCommand, DragonSimulation, RenderScene> = {
  actions: DRAGON_ACTIONS,
  controls: (device) => new DragonControls(device),
  oneButton: (device) => new OneButton(device),
  helpText,
  isConfirmedOnly,
  answersKey: (kind) => EVENT_RECIPES[kind]?.answersKey === true,
  // A burning crate has no seat.
  caption: ({ kind, seat, otherSeat }) => {
    const verb = kind === "joust"
      ? "unseated"
      : kind === "burn" && seat >= 0
      ? "burned"
      : undefined;
    return verb && { doer: otherSeat, verb, victim: seat };
  },
  // Those who breathed the fire are not where it burns.
  rumble: ({ kind, seat }, own) =>
    kind === "burn" && seat !== own ? 0 : EVENT_RECIPES[kind]?.shake ?? 0,
  composer: (simulation) => new SceneBuilder(simulation),
  titleFrame: titleScene,
  renderer: (canvas) => new DragonRenderer(canvas),
  sound: (createContext) => new DragonSound(createContext),
  status: (simulation, { names, ownSeat }) => ({
    scores: simulation.dragons.map(({ fields: { seat, score } }) => (
      { seat, score, name: nameOf(seat, { names, simulation }), npc: seat >= PLAYER_SEATS }
    )),
    round: {
      number: simulation.round,
      phase: simulation.phase,
      secondsLeft: simulation.secondsLeft,
    },
    ready: simulation.isReady(ownSeat),
  }),
  touchingIds: (simulation, entity) => simulation.touching(entity),
  colours: {
    names: OWN_COLOURS,
    fill: (name) => ownFill(isOwnColour(name) ? name : OWN_COLOURS[0]),
    select: (name) => setOwnColour(isOwnColour(name) ? name : OWN_COLOURS[0]),
  },
  chip: lookOf,
  words: {
    players: "dragons",
    arriving: "Your dragon is on its way…",
    takenOver: "Your dragon flies on",
    readyHint: "flap when you are ready",
  },
};

export { dragonView as view };
