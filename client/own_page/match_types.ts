/** What a page of one's own gives to a match and gets from it. */
import type {
  Chosen,
  CommandPart,
  GameTypes,
  HoldPart,
  KitGame,
  PressPart,
} from "../../shared/game_kit/game_kit.ts";
import type { SeatId } from "../../shared/netcode/game.ts";
import type { Appearances, LayerEvent, LayerFrame } from "../game_kit/view_definition.ts";
import type { InputDelayChoice } from "../session/input_delay.ts";

/**
 * What a player does, by the parts of the command: an axis −1 … 1, an aim in radians, a dial as a
 * whole number, a hold and a press as whether the button is down, a choice of `join` as its word.
 * What you leave out stays as it was.
 */
export type MatchInput<G extends GameTypes> =
  & { readonly [Part in keyof G["command"]]?: SetValue<G["command"][Part]> }
  & Partial<Chosen<G["join"]>>;

/** A part's value as a page sets it. */
export type SetValue<Part extends CommandPart> = Part extends PressPart | HoldPart ? boolean
  : number;

/** Which match to join, and as whom. */
export interface JoinOptions<G extends GameTypes> {
  /**
   * The address of the game's page at your server, such as "https://play.example.org/", or
   * "https://play.example.org/NAME/" if the server hosts several games.
   */
  readonly server: string | URL;
  /** The game, with the same rules as at the server. */
  readonly game: KitGame<G>;
  /**
   * Four letters A–Z. Default: the room with most players that still has space, or a new one.
   */
  readonly room?: string | undefined;
  /** At most 12 characters; by default the server draws one. */
  readonly name?: string | undefined;
  /** Whether to watch, without a seat. */
  readonly spectate?: boolean | undefined;
  /** A private room's key. */
  readonly key?: string | undefined;
  /** Whether `room` must be a new one. If the code is in use, another one is drawn. */
  readonly isNew?: boolean | undefined;
  /** The room's options, if this player opens it: a word for each; the first word by default. */
  readonly roomOptions?: Partial<Chosen<G["options"]>> | undefined;
  /** The first input, with the choices of `join`. */
  readonly input?: MatchInput<G> | undefined;
  /** When things show, as in a view. */
  readonly appear?: Appearances<G> | undefined;
  /** Text for the operator's hook. */
  readonly credentials?: string | undefined;
  /** `Match.seatToken` from before a reload, to get the seat back. */
  readonly seatToken?: string | undefined;
  /** Ticks by which keys act later, so that fewer ticks of others are guessed; default 0. */
  readonly inputDelay?: InputDelayChoice | undefined;
  /**
   * What carries the messages. By default a WebSocket, and datagrams beside it where the server
   * offers them and the browser has WebTransport.
   */
  readonly transport?: "auto" | "websocket" | undefined;
  /** Makes the network worse, for tests. Times in ms, for both ways together. */
  readonly network?: Partial<AddedDelay> | undefined;
  /** As `Match.onStatus`, from the first attempt on. */
  readonly onStatus?: ((status: MatchStatus) => void) | undefined;
  /** Ends the attempt to join, and afterwards the match. */
  readonly signal?: AbortSignal | undefined;
}

/** The options that say how a match is played, wherever it runs. */
type Played =
  | "game"
  | "name"
  | "roomOptions"
  | "input"
  | "appear"
  | "inputDelay"
  | "network"
  | "onStatus"
  | "signal";

/** What a practice match is. */
export interface PractiseOptions<G extends GameTypes> extends Pick<JoinOptions<G>, Played> {
  /**
   * A new worker whose script calls `runPractice` with the same game. The match runs in it, and it
   * ends with the match.
   */
  readonly worker: Worker;
  /** How many NPCs play, 0 … 16; by default as many as the game declares. */
  readonly npcs?: number | undefined;
}

/** Which room to play in that a player's page hosts, and as whom. */
export interface PageRoomOptions<G extends GameTypes>
  extends Pick<JoinOptions<G>, Played | "server"> {
  /** Four letters A–Z: the room to join. Without it this page hosts a new one. */
  readonly room?: string | undefined;
  /**
   * Without `room`: plays with anybody. The server leads the page to a room that somebody has opened
   * so and that has a seat; if there is none, this page hosts one, and others are led there.
   */
  readonly playNow?: boolean | undefined;
  /**
   * Makes a worker whose script calls `runPractice` with the same game. It is called when this page
   * hosts the room: at once, or when the host before has left.
   */
  readonly newWorker: () => Worker;
}

/** Delays that are added to the real network. */
export interface AddedDelay {
  /** ms, 0 … 1,000. */
  readonly rttMs: number;
  /** Standard deviation in each direction, ms, 0 … 200. */
  readonly jitterMs: number;
  /** Lost messages in a hundred, 0 … 20. */
  readonly lossPercent: number;
}

/** What a match does now. */
export interface MatchStatus {
  /**
   * "joining" until the first state is there, "reconnecting" while the connection is lost, "ended"
   * for good.
   */
  readonly phase: "joining" | "playing" | "reconnecting" | "ended";
  /** One sentence for the player; empty while all is well, and after `leave`. */
  readonly text: string;
  /** Once it ended: the code with which the server closed the connection; 0 if this page did. */
  readonly code: number;
  /** What the game's rules threw, if that ended the match. */
  readonly error?: unknown;
}

/** Somebody in the match. */
export interface MatchPlayer {
  readonly seat: SeatId;
  readonly name: string;
  readonly npc: boolean;
  /** Whether this page plays it. */
  readonly own: boolean;
}

/** Counts since the match was joined, over all connections, and the newest measurements. */
export interface MatchStats {
  /** Round trip, ms. */
  readonly pingMs: number;
  /** How far this page's clock runs ahead of the server's, ms. */
  readonly leadMs: number;
  /** Definitive ticks from the server. */
  readonly ticks: number;
  /** How often a prediction was replaced, and how many ticks were stepped again for it. */
  readonly rollbacks: number;
  readonly resimulatedTicks: number;
  /** Own commands that came too late to the server. */
  readonly lateCommands: number;
  /** Definitive ticks at which this page's state differed from the server's. */
  readonly desyncs: number;
  /** Whether this page's newest definitive state agrees with the server's. */
  readonly isInSync: boolean;
  /** Bytes of messages, without headers. */
  readonly bytesDown: number;
  readonly bytesUp: number;
  /** How often a lost connection came back. */
  readonly reconnects: number;
}

/** What to draw, as renderers of a view get it (`LayerFrame`), and more. Valid until the next one. */
export interface MatchFrame<G extends GameTypes> extends LayerFrame<G> {
  /**
   * Ids of things that the last frame had and that are gone, or are another thing now. Remove their
   * pictures before you go through `things`.
   */
  readonly gone: readonly number[];
  /** The events of ticks that became definitive: no correction takes them back. */
  readonly definitiveEvents: readonly LayerEvent<G>[];
}

/** A match that a page of one's own plays. It keeps itself going until it ends. */
export interface Match<G extends GameTypes> {
  /** Four letters A–Z; empty for a practice match. */
  readonly room: string;
  /** −1 for a spectator. */
  readonly seat: SeatId;
  readonly status: MatchStatus;
  /**
   * Calls a function whenever the status changes.
   * @returns a function that ends these calls
   */
  onStatus(listener: (status: MatchStatus) => void): () => void;
  /**
   * Sets what the player does. Call it as often as you like: levels stay, and a press counts when
   * it goes down.
   * @throws GameError for a name that is no part of the command, or a value that it cannot take
   */
  setInput(input: MatchInput<G>): void;
  /**
   * Composes the frame for this moment. Call it once for each picture, because each event is in one
   * frame only. While the connection is lost, and after the end, it is the last one, without events.
   */
  frame(): MatchFrame<G>;
  /** Players before NPCs. */
  readonly players: readonly MatchPlayer[];
  readonly stats: MatchStats;
  /**
   * A secret that gets the seat back within 30 s. Keep it in `sessionStorage` for a reload.
   * Undefined for a spectator.
   */
  readonly seatToken: string | undefined;
  /** Leaves the match and frees the seat. */
  leave(): void;
}

/** A match in a room that a player's page hosts: this page, or another one. */
export interface PageRoomMatch<G extends GameTypes> extends Match<G> {
  /** Whether the match runs on this page now. */
  readonly isHost: boolean;
  /**
   * The match's log, which the page of replays plays, from the tick on with which this page began to
   * host; undefined while another one does, or if the match here has failed.
   */
  log(): Promise<Uint8Array<ArrayBuffer> | undefined>;
}

/** A match within the page, against NPCs alone. */
export interface PracticeMatch<G extends GameTypes> extends Match<G> {
  /**
   * How much of the real time passes, for the match and for what the page shows of it: 0 stands
   * still, 1 is real time. Setting it throws RangeError beyond 0 … 1.
   */
  pace: number;
}
