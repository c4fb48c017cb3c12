/** Joins a match from a page of one's own, and waits until it plays. */
import type { GameTypes, KitGame } from "../../shared/game_kit/game_kit.ts";
import { PLAYER_SEATS, playersOf, SEATS } from "../../shared/netcode/game.ts";
import { bestRoom, fetchRooms, type HostedGame } from "../net/rooms.ts";
import type { LooseGame } from "../game_kit/loose_types.ts";
import type { Entry } from "../ui/lobby.ts";
import { gameNameOf, newRoomCode } from "../ui/page_url.ts";
import { sanitizeName } from "../ui/player_name.ts";
import type {
  JoinOptions,
  Match,
  MatchStatus,
  PageRoomOptions,
  PracticeMatch,
  PractiseOptions,
} from "./match_types.ts";
import { PlayedMatch, type PlayedMatchOptions } from "./played_match.ts";
import type { LooseMatchInput } from "./set_input.ts";

/** How long a match may take until it plays, ms. */
const JOIN_MS_MAX = 30_000;
const NPCS_MAX = SEATS - PLAYER_SEATS;

/** Why a match could not be joined: a sentence for the player. */
export class JoinError extends Error {
  override readonly name = "JoinError";
  /** The close code of the last connection (WIRE 12); 0 if none ended. */
  readonly code: number;

  /** @param message a sentence for the player */
  constructor(message: string, code: number, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** A room that is open. */
export interface Room {
  /** Four letters A–Z. */
  readonly code: string;
  readonly players: number;
  /** How many players fit. */
  readonly seats: number;
  readonly watchers: number;
  /** The room's options in words, by their names. */
  readonly options?: Readonly<Record<string, string>>;
}

/** What a runtime other than a browser brings. */
export interface Runtime {
  /** Opens a socket; by default `new WebSocket(url)`. */
  readonly newSocket?: (url: string) => WebSocket;
  /** How long a match may take until it plays, ms; by default `JOIN_MS_MAX`. */
  readonly joinMsMax?: number;
}

/**
 * Lists the open rooms of a game, as the server does.
 * @param server as for `joinMatch`
 * @throws TypeError for what is no address of a server, or Error if it does not answer in 2 s
 */
export async function listRooms(
  server: string | URL,
  { signal }: { readonly signal?: AbortSignal } = {},
): Promise<readonly Room[]> {
  return (await fetchRooms(hostedGameOf(server), { signal })).rooms;
}

/** As the public `joinMatch`, in a runtime. */
export async function joinMatchIn<G extends GameTypes>(
  { newSocket, joinMsMax = JOIN_MS_MAX }: Runtime,
  options: JoinOptions<G>,
): Promise<Match<G>> {
  const { signal } = options;
  signal?.throwIfAborted();
  const hosted = hostedGameOf(options.server);
  const entry = await entryOf(hosted, options);
  signal?.throwIfAborted();
  return await played<G>({
    ...presentedBy(options),
    server: hosted.origin,
    entry,
    seatToken: options.seatToken,
    credentials: options.credentials,
    takesDatagrams: options.transport !== "websocket" && "WebTransport" in globalThis,
    newSocket,
    practice: undefined,
  }, { signal, joinMsMax });
}

/** As the public `practise`. */
export async function practiseIn<G extends GameTypes>(
  options: PractiseOptions<G>,
): Promise<PracticeMatch<G>> {
  const { signal, game, name = "", roomOptions, worker } = options;
  const npcs = options.npcs ?? playersOf(game).npcs;
  if (!(Number.isInteger(npcs) && npcs >= 0 && npcs <= NPCS_MAX)) {
    throw new TypeError(
      `practise: npcs is ${npcs}; whole numbers from 0 to ${NPCS_MAX} are allowed`,
    );
  }
  signal?.throwIfAborted();
  return await played<G>({
    ...presentedBy(options),
    server: "",
    entry: {
      name: sanitizeName(name),
      room: "",
      spectate: false,
      choices: choicesOf(game, roomOptions ?? {}),
      isSolo: true,
    },
    seatToken: undefined,
    credentials: undefined,
    takesDatagrams: false,
    newSocket: undefined,
    practice: { worker, npcs },
  }, { signal });
}

/** What all matches take alike. */
export function presentedBy<G extends GameTypes>(
  { game, input, appear, inputDelay = 0, network = {}, onStatus }:
    | PractiseOptions<G>
    | PageRoomOptions<G>
    | JoinOptions<G>,
): Pick<
  PlayedMatchOptions,
  "game" | "firstInput" | "appear" | "inputDelay" | "network" | "onStatus"
> {
  return {
    game: game as unknown as LooseGame,
    firstInput: (input ?? {}) as LooseMatchInput,
    appear: (appear ?? {}) as PlayedMatchOptions["appear"],
    inputDelay,
    network,
    onStatus,
  };
}

/**
 * Begins a match, and waits until it plays.
 * @param options.onMatch called with the match before it plays
 */
export async function played<G extends GameTypes>(
  options: PlayedMatchOptions,
  { signal, joinMsMax = JOIN_MS_MAX, onMatch }: {
    readonly signal: AbortSignal | undefined;
    readonly joinMsMax?: number;
    readonly onMatch?: (match: PlayedMatch) => void;
  },
): Promise<PracticeMatch<G>> {
  let settle: (status: MatchStatus) => void = () => {};
  const match = new PlayedMatch({
    ...options,
    onStatus: (status) => {
      settle(status);
      options.onStatus?.(status);
    },
  });

  onMatch?.(match);

  // It plays, it is refused, it takes too long, or the caller changed their mind
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => match.giveUp(), joinMsMax);
    signal?.addEventListener("abort", () => {
      reject(signal.reason);
      match.leave();
    });
    settle = ({ phase, text, code, error }) => {
      if (phase !== "playing" && phase !== "ended") return;
      settle = () => {};
      clearTimeout(timer);
      if (phase === "playing") return resolve();
      reject(new JoinError(text || "The match was left.", code, { cause: error }));
    };
    settle(match.status);
  });
  return match as unknown as PracticeMatch<G>;
}

/** @throws TypeError for what is no address of a server */
export function hostedGameOf(server: string | URL, caller = "joinMatch"): HostedGame {
  const url = URL.canParse(server) ? new URL(server) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new TypeError(
      `${caller}: server is "${server}", but an address such as "https://play.example.org/" is needed`,
    );
  }
  return { origin: url.origin, name: gameNameOf(url) };
}

/** Decides which room to enter, and as whom. */
async function entryOf<G extends GameTypes>(
  hosted: HostedGame,
  { game, room, name = "", spectate = false, key, isNew, roomOptions, signal }: JoinOptions<G>,
): Promise<Entry> {
  const found = room === undefined ? await findRoom(hosted, signal) : { room, isNew };
  return {
    name: sanitizeName(name),
    room: found.room,
    spectate,
    choices: choicesOf(game, roomOptions ?? {}),
    ...key !== undefined && { key },
    ...found.isNew && { isNew: true },
  };
}

/**
 * "Play now": the room with most players that still has space, or a new one. Without an answer it
 * tries a new one, too, because attempts to join say best what is wrong.
 */
async function findRoom(
  hosted: HostedGame,
  signal: AbortSignal | undefined,
): Promise<{ readonly room: string; readonly isNew: boolean }> {
  const rooms = await fetchRooms(hosted, { signal }).then(
    (answer) => answer.rooms,
    () => [],
  );
  const room = bestRoom(rooms);
  return { room: room ?? newRoomCode(Math.random), isNew: room === undefined };
}

/** The room's options as numbers. @throws TypeError for a name or a word that is not declared */
export function choicesOf<G extends GameTypes>(
  { declaration }: KitGame<G>,
  chosen: Readonly<Record<string, unknown>>,
): readonly number[] {
  const options = Object.entries((declaration as LooseGame["declaration"]).options ?? {});
  const unknown = Object.keys(chosen).find((name) => !options.some(([each]) => each === name));
  if (unknown !== undefined) throw new TypeError(`roomOptions: the game has no "${unknown}"`);
  return options.map(([name, { words }]) => {
    const index = chosen[name] === undefined ? 0 : words.indexOf(chosen[name] as string);
    if (index < 0) throw new TypeError(`roomOptions: ${name} is one of ${words.join(", ")}`);
    return index;
  });
}
