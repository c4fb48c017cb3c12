/**
 * Turns an author's definition into a whole view: a kit game's picture, sound, controls, HUD and
 * words.
 */
import type {
  DeclaredSimulation,
  GameCommand,
  GameTypes,
  KitGame,
} from "../../shared/game_kit/game_kit.ts";
import { GameError } from "../../shared/game_kit/game_error.ts";
import { playersOf } from "../../shared/netcode/game.ts";
import type { PresentedEvent } from "../presentation/event_reconciler.ts";
import type { Caption, View, ViewWords } from "../presentation/view.ts";
import { LobbyChoices } from "../ui/lobby/lobby_choices.ts";
import { recipesOf, strengthOf } from "./event_looks.ts";
import { gameFiles } from "./files/game_files.ts";
import { guarded } from "./guarded.ts";
import { type JoinChoices, KitInput } from "./kit_controls.ts";
import { type ComposerOptions, KitComposer, type KitFrame } from "./kit_frame.ts";
import { KitPalette } from "./kit_palette.ts";
import { KitSound } from "./kit_sound.ts";
import { KitStatusReader, teamVerdict } from "./kit_status.ts";
import type { LooseDefinition } from "./loose_definition.ts";
import type { LooseCommand, LooseDeclaration, LooseGame, LooseSimulation } from "./loose_types.ts";
import { KitRenderer } from "./picture/kit_renderer.ts";
import { TitleMatch } from "./title_match.ts";
import type { EventLook, ViewDefinition } from "./view_definition.ts";
import { WatchBar } from "./watch_bar.ts";
import { Watcher } from "./watcher.ts";

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
  // Inside, the kit works by names: the exact types are the author's.
  const view = looseView(game as unknown as LooseGame, definition as unknown as LooseDefinition);
  return view as unknown as KitView<G>;
}

function looseView(
  game: LooseGame,
  definition: LooseDefinition,
): View<LooseCommand, LooseSimulation, KitFrame> {
  const { declaration, tickHz } = game;
  const { events: timings = {}, player } = declaration;
  checkNames(definition);
  const { events: looks = {}, words = {}, view: visible } = definition;

  // Read what never changes
  const palette = new KitPalette(declaration, definition.colours);
  const status = new KitStatusReader(definition, {
    palette,
    playersMin: playersOf(game).min,
    npcs: declaration.npcs,
  });
  const recipes = recipesOf(looks);
  const input = new KitInput<LooseCommand>(game);
  const watcher = new Watcher({ hasCamera: definition.camera !== undefined });
  const composing: ComposerOptions = {
    declaration,
    tickHz,
    palette,
    npcWord: status.npcWord,
    watcher,
  };

  // Leave room for what the page sets later
  let title: TitleMatch | undefined;
  let join: JoinChoices = {};

  return {
    actions: input.actions,
    storedAs: declaration.id.replace(/-\d+$/, ""),
    devices: (root) => input.devices(root),
    controls: (device) => input.controls(device, join),
    helpText: (keys) => words.help ?? input.helpText(keys),
    isConfirmedOnly: (kind) => timings[kind] === "certain",
    answersKey: (kind) => timings[kind] === "at once",
    caption: (event) => captionOf(event, looks[event.kind]?.caption),
    rumble: (event) => {
      const look = looks[event.kind] ?? {};
      return (look.rumble ?? look.shake ?? 0) * strengthOf(look, event);
    },
    composer: (simulation) => new KitComposer(simulation, composing),
    titleFrame: (nowMs) => (title ??= new TitleMatch(game, composing)).frame(nowMs),
    renderer: (canvas) =>
      new KitRenderer(canvas, {
        definition,
        declaration,
        recipes,
        onOwnDrawn: (place) => input.aimFrom(place),
      }),
    sound: (createContext) =>
      new KitSound(createContext, { recipes, width: visible[0], music: definition.music }),
    status: (simulation, options) => status.read(simulation, options),
    touchingIds: ({ stage, world }, id) => {
      const entity = world.get(id) === undefined ? undefined : stage.get(id);
      // A projectile touches nothing: it hits.
      if (entity?.archetype.body === undefined) return [];
      return stage.touchingNow(entity).map((other) => other.id);
    },
    preload: gameFiles.preload,
    colours: palette.choice,
    chip: (score) => palette.chip(score, status.teamOf(score.seat)),
    hudPart: (root) => new WatchBar(root, watcher),
    verdict: teamVerdict,
    ...hasChoices(declaration) && {
      lobbyPart: (root: ParentNode) => lobbyPart(root, declaration, (chosen) => join = chosen),
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
  for (const [kind, look] of Object.entries(definition.events ?? {})) {
    if (!("deed" in look)) continue;
    throw new GameError(`defineView: \`deed\` of the event "${kind}" is called \`caption\``);
  }
}

function hasChoices({ join = {}, options = {} }: LooseDeclaration): boolean {
  return Object.keys(join).length + Object.keys(options).length > 0;
}

function lobbyPart(
  root: ParentNode,
  { id, join = {}, options = {} }: LooseDeclaration,
  onJoinChoice: (chosen: JoinChoices) => void,
): LobbyChoices {
  const listed = (choices: typeof join) =>
    Object.entries(choices).map(([name, { words }]) => ({ name, words }));
  return new LobbyChoices(root, {
    storedAs: id,
    join: listed(join),
    room: listed(options),
    onJoinChoice,
  });
}

/** @param player the name of the thing that seats drive */
function defaultWords(player: string): ViewWords {
  const thing = player.replaceAll("_", " ");
  return {
    players: "players",
    arriving: `Your ${thing} is on its way…`,
    takenOver: `A bot plays your ${thing}`,
    readyHint: "",
  };
}
