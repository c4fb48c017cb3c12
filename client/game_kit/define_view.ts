/** What an author calls to define a view: for the kit's picture, or for a renderer of their own. */
import type {
  DeclaredSimulation,
  GameCommand,
  GameTypes,
  KitGame,
} from "../../shared/game_kit/game_kit.ts";
import type { View } from "../presentation/view.ts";
import type { KitFrame } from "./kit_frame.ts";
import type { LooseDefinition } from "./loose_definition.ts";
import type { LooseGame } from "./loose_types.ts";
import { looseView, type OpenRenderer } from "./loose_view.ts";
import { KitRenderer } from "./picture/kit_renderer.ts";
import { OwnRenderer } from "./picture/own_renderer.ts";
import type { RenderedViewDefinition, ViewDefinition } from "./view_definition.ts";

/** A game's view: what a page shows and plays. */
export type KitView<G extends GameTypes> = View<GameCommand<G>, DeclaredSimulation<G>, KitFrame>;

/**
 * Defines a game's view. What you leave out of the definition follows from the game's declaration.
 * @param game the game that `defineGame` made
 */
export function defineView<const G extends GameTypes>(
  game: KitGame<G>,
  definition: ViewDefinition<NoInfer<G>>,
): KitView<G> {
  return typedView(game, definition, (canvas, options) => new KitRenderer(canvas, options));
}

/**
 * Defines a view whose whole picture you draw, such as one in three dimensions. The kit still places
 * the things, moves the camera, and makes sound, controls and the page around the match.
 * @param game the game that `defineGame` made
 */
export function defineRenderedView<const G extends GameTypes>(
  game: KitGame<G>,
  definition: RenderedViewDefinition<NoInfer<G>>,
): KitView<G> {
  const { renderer } = definition as unknown as Required<LooseDefinition>;
  return typedView(
    game,
    definition,
    (canvas, options) => new OwnRenderer(canvas, options, renderer),
  );
}

/** Inside, the kit works by names: the exact types are the author's. */
function typedView<G extends GameTypes>(
  game: KitGame<G>,
  definition: unknown,
  openRenderer: OpenRenderer,
): KitView<G> {
  const view = looseView(game as unknown as LooseGame, definition as LooseDefinition, openRenderer);
  return view as unknown as KitView<G>;
}
