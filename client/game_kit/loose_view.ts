/**
 * Makes a kit game's view from its definition: sound, controls, numbers and words. Who draws the
 * picture is an argument, so that a page with a renderer of its own has none of the kit's drawing.
 */
import { withoutVersion } from "../../shared/game_names.ts";
import { GameError } from "../../shared/game_kit/game_error.ts";
import { playersOf } from "../../shared/netcode/game.ts";
import type { PresentedEvent } from "../presentation/event_reconciler.ts";
import type { InputDevice } from "../input/input_device.ts";
import type { Camera, Caption, Renderer, View } from "../presentation/view.ts";
import { hasChoices, kitChoices } from "./kit_choices.ts";
import { type Recipes, recipesOf, strengthOf } from "./event_looks.ts";
import { gameFiles } from "./files/game_files.ts";
import { guarded } from "./guarded.ts";
import { hasTouchScreen, type JoinChoices, KitInput } from "./kit_controls.ts";
import type { ComposerOptions, KitFrame } from "./kit_frame.ts";
import { KitHud } from "./kit_hud.ts";
import { KitPalette } from "./kit_palette.ts";
import { defaultWords, kitPresentation } from "./kit_presentation.ts";
import { KitSound } from "./kit_sound.ts";
import { KitStatusReader, teamVerdict } from "./kit_status.ts";
import type { LooseDefinition } from "./loose_definition.ts";
import type { LooseCommand, LooseDeclaration, LooseGame, LooseSimulation } from "./loose_types.ts";
import { TitleMatch } from "./title_match.ts";
import type { EventLook } from "./view_definition.ts";
import { Watcher } from "./watcher.ts";

export interface RendererOptions {
  readonly definition: LooseDefinition;
  readonly declaration: LooseDeclaration;
  readonly recipes: Recipes;
  /** Called with every frame. @param place where the own thing is drawn, in canvas pixels */
  readonly onOwnDrawn: (place: { readonly x: number; readonly y: number } | undefined) => void;
}

/** @throws Error if the browser cannot draw on the canvas */
export type OpenRenderer = (
  canvas: HTMLCanvasElement,
  options: RendererOptions,
) => Renderer<KitFrame>;

export function looseView(
  game: LooseGame,
  definition: LooseDefinition,
  openRenderer: OpenRenderer,
): View<LooseCommand, LooseSimulation, KitFrame> {
  const { declaration, tickHz } = game;
  const { player } = declaration;
  checkNames(definition);
  const { events: looks = {}, words = {}, view: visible, oneButton } = definition;

  // Read what never changes
  const palette = new KitPalette(declaration, {
    own: definition.colours,
    npcs: definition.npcColours,
  });
  const status = new KitStatusReader(definition, {
    palette,
    playersMin: playersOf(game).min,
    npcs: declaration.npcs,
    npcNames: declaration.npcNames,
    rounds: game.rounds,
  });
  const recipes = recipesOf(looks);
  const input = new KitInput<LooseCommand>(game);
  const watcher = new Watcher({ hasCamera: definition.camera !== undefined });
  const composing: ComposerOptions = {
    declaration,
    tickHz,
    palette,
    appear: definition.appear ?? {},
    solid: definition.solid ?? [],
    npcName: status.npcName,
    watcher,
  };

  // Leave room for what the page sets later
  let camera: Camera | undefined;
  let title: TitleMatch | undefined;
  let join: JoinChoices = {};

  return {
    actions: input.actions,
    storedAs: withoutVersion(declaration.id),
    devices: (root) => input.devices(root),
    controls: (device) => input.controls(device, join),
    ...oneButton && {
      oneButton: (device: InputDevice) => oneButton.open(device, input.actions, tickHz),
    },
    helpText: (keys, options) =>
      options.oneButton && oneButton !== undefined
        ? oneButton.help(input.actions, keys, { fingers: hasTouchScreen() })
        : words.help ?? input.helpText(keys),
    ...kitPresentation(game, { composing, status }),
    caption: (event) => captionOf(event, looks[event.kind]?.caption),
    decides: (kind) => definition.decides?.includes(kind) ?? false,
    rumble: (event) => {
      const look = looks[event.kind] ?? {};
      return (look.rumble ?? look.shake ?? 0) * strengthOf(look, event);
    },
    titleFrame: (nowMs) => (title ??= new TitleMatch(game, composing)).frame(nowMs),
    renderer: (canvas) => {
      const renderer = openRenderer(canvas, {
        definition,
        declaration,
        recipes,
        onOwnDrawn: (place) => input.aimFrom(place),
      });
      camera = renderer.camera;
      return renderer;
    },
    sound: (createContext) =>
      new KitSound(createContext, {
        recipes,
        width: visible[0],
        music: definition.music,
        hums: definition.hums,
      }),
    preload: gameFiles.preload,
    colours: palette.choice,
    chip: (score) =>
      palette.chip(score, {
        team: status.teamOf(score.seat),
        kind: status.kindOf(score.seat),
      }),
    hudPart: (root) =>
      new KitHud(root, {
        watcher,
        camera: () => camera!,
        viewWidth: visible[0],
        interestOf: (player) => {
          const { interest } = definition;
          if (interest === undefined) return 0;
          return guarded("interest", () => interest(watcher.world!, player), () => 0);
        },
        scores: () => {
          const { status } = definition;
          if (status === undefined) return [];
          return guarded("status", () => status(watcher.world!).scores ?? [], () => []);
        },
      }),
    verdict: teamVerdict,
    ...hasChoices(declaration) && {
      lobbyPart: (root: ParentNode) => kitChoices(root, declaration, (chosen) => join = chosen),
    },
    words: {
      ...defaultWords(player),
      ...words.players && { players: words.players },
      readyHint: words.readyHint ?? "",
    },
  };
}

/**
 * Names the other thing as the one who did it, or the thing itself if there is no other. The one it
 * was done to is named if they sit on a seat.
 */
function captionOf(
  { kind, seat, otherSeat, amount = 0 }: PresentedEvent,
  words: EventLook["caption"],
): Caption | undefined {
  if (words === undefined || (seat < 0 && otherSeat < 0)) return undefined;
  const verb = typeof words === "string"
    ? words
    : guarded(`events.${kind}.caption`, () => words(amount), () => kind);
  if (otherSeat < 0) return { doer: seat, verb };
  return { doer: otherSeat, verb, victim: seat < 0 ? undefined : seat };
}

/** @throws GameError for a member that was renamed; the message gives the new name */
function checkNames(definition: LooseDefinition): void {
  if ("sees" in definition) throw new GameError("defineView: `sees` is called `view`");
  if ("npc" in (definition.words ?? {})) {
    throw new GameError('defineView: words for NPCs stand in the game: npcs: { robot: "Robot" }');
  }
  for (const [kind, look] of Object.entries(definition.events ?? {})) {
    if (!("deed" in look)) continue;
    throw new GameError(`defineView: \`deed\` of the event "${kind}" is called \`caption\``);
  }
}
