/**
 * Our page's lobby as a part of another author's page. It joins the matches that the player chooses,
 * and hands them over.
 *
 *     lobby → joinMatch → onMatch … the match ends → lobby, which says why
 */
import type { Chosen, GameTypes } from "../../shared/game_kit/game_kit.ts";
import { hasChoices, kitChoices } from "../game_kit/kit_choices.ts";
import type { LooseDeclaration } from "../game_kit/loose_types.ts";
import { refusalOf } from "../ui/connection_messages.ts";
import { findElement } from "../ui/dom.ts";
import { type Entry, Lobby, type LobbySettings } from "../ui/lobby.ts";
import { BestList } from "../ui/lobby/best_list.ts";
import lobbyMarkup from "../ui/lobby/lobby.html" with { type: "text" };
import { NO_ROOMS } from "../ui/lobby/lobby_texts.ts";
import { RoomList } from "../ui/lobby/room_list.ts";
import { sanitizeRoomCode } from "../ui/page_url.ts";
import { loadSeatToken, saveSeatToken } from "../ui/seat_token_store.ts";
import lobbyStyle from "./css/mounted_lobby.css" with { type: "text" };
import { hostedGameOf, JoinError, joinMatchIn, practiseIn } from "./join_match.ts";
import type { JoinOptions, Match, MatchInput, MatchStatus } from "./match_types.ts";
import { addShadow } from "./shadow.ts";

/** How often the lobby looks whether its lists are due, ms. */
const LOOK_EVERY_MS = 250;
/** Where the browser keeps the player's name. */
const NAME_KEY = "wyvern.name";

/** Which game's lobby, and how its matches are joined: the rest is as for `joinMatch`. */
export interface MountLobbyOptions<G extends GameTypes> extends
  Pick<
    JoinOptions<G>,
    | "server"
    | "game"
    | "input"
    | "appear"
    | "inputDelay"
    | "credentials"
    | "transport"
    | "network"
    | "onStatus"
  > {
  /**
   * Called with each match that the player joined, once it plays. The lobby is hidden until the
   * match has ended; then it shows why, and the player can join again.
   * @param invitation what another player's lobby needs to come into the same room
   */
  readonly onMatch: (match: Match<G>, invitation: RoomInvitation) => void;
  /**
   * The room that the player was invited to, mostly from your page's address. If this tab had a
   * seat there before a reload, the lobby joins at once.
   */
  readonly invitation?: RoomInvitation | undefined;
  /**
   * Makes the worker of a practice match (`practise`). With it the lobby offers "Practise alone".
   */
  readonly practice?: (() => Worker) | undefined;
  /** The name in the form, unless the player entered another one on an earlier visit. */
  readonly name?: string | undefined;
}

/** A room, for another player. */
export interface RoomInvitation {
  /** Four letters A–Z. */
  readonly room: string;
  /** A private room's key. */
  readonly key?: string | undefined;
}

/** A lobby in a page. */
export interface MountedLobby {
  /**
   * Removes the lobby, and ends an attempt to join. A match that was handed over goes on; it is
   * yours.
   */
  unmount(): void;
}

/** As the public `mountLobby`. */
export function mountLobbyIn<G extends GameTypes>(
  element: Element,
  options: MountLobbyOptions<G>,
): MountedLobby {
  const game = hostedGameOf(options.server, "mountLobby");
  const declaration = options.game.declaration as unknown as LooseDeclaration;
  const { host, root } = addShadow(element, lobbyStyle);

  // The same markup as in our page
  const screen = document.createElement("section");
  screen.id = "lobby";
  screen.className = "sheet";
  screen.ariaLabel = `Join ${declaration.title}`;
  screen.innerHTML = lobbyMarkup;
  findElement(screen, "#no-rooms").textContent = NO_ROOMS;
  root.append(screen);

  // Its parts
  let joinChoices: Readonly<Record<string, string>> = {};
  const clock = { now: () => performance.now() };
  const { room = "", key } = options.invitation ?? {};
  const invitation = { room: sanitizeRoomCode(room), ...key !== undefined && { key } };
  const lobby = new Lobby(root, {
    roomList: new RoomList(root, { clock, game, forgetsTimings: false }),
    bestList: new BestList(root, { clock, game }),
    settings: new KeptName(options.name ?? ""),
    part: hasChoices(declaration)
      ? kitChoices(root, declaration, (chosen) => joinChoices = chosen)
      : undefined,
    invitation: () => invitation,
    canPractise: options.practice !== undefined,
    reload: () => location.reload(),
  });

  // From an entry to a match, and back at its end
  const attempt = new AbortController();
  let match: Match<G> | undefined;

  const comeBack = ({ text, code }: Pick<MatchStatus, "text" | "code">) => {
    match = undefined;
    host.hidden = false;
    lobby.show(text, refusalOf(code)?.remedy);
  };

  const play = async (entry: Entry): Promise<void> => {
    const wanted: JoinOptions<G> = {
      ...joinOptionsOf(options, { entry, joinChoices }),
      signal: attempt.signal,
      onStatus: (status) => {
        if (status.phase === "joining") lobby.setNotice(status.text);
        options.onStatus?.(status);
      },
    };
    const joined = entry.isSolo
      ? await practiseIn({ ...wanted, worker: options.practice!() })
      : await joinMatchIn({}, wanted);

    match = joined;
    lobby.hide();
    host.hidden = true;
    const saveSeat = (token: string) => {
      if (!entry.isSolo) saveSeatToken(joined.room, token, declaration.id);
    };
    const keepSeat = () => saveSeat(joined.seatToken ?? "");
    keepSeat();
    joined.onStatus((status) => {
      // At once: with the first command of a connection its seat's former token is void (SPEC 3.16)
      if (status.phase === "playing") keepSeat();
      if (status.phase !== "ended") return;
      if (losesSeat(status)) saveSeat("");
      if (!attempt.signal.aborted) comeBack(status);
    });
    options.onMatch(joined, { room: joined.room, ...entry.key && { key: entry.key } });
  };

  lobby.onEnter((entry) => {
    play(entry).catch((error: unknown) => {
      if (attempt.signal.aborted) return;
      if (error instanceof JoinError) return comeBack({ text: error.message, code: error.code });
      comeBack({ text: "The game failed on this page.", code: 0 });
      throw error;
    });
  });

  if (invitation.room !== "" && loadSeatToken(invitation.room, declaration.id) !== undefined) {
    lobby.enter(invitation.room, { spectate: false });
  }

  const timer = setInterval(() => {
    if (!document.hidden) lobby.advance();
  }, LOOK_EVERY_MS);

  return {
    unmount() {
      clearInterval(timer);
      host.remove();
      if (match === undefined) attempt.abort();
    },
  };
}

/** Whether the match is over for the player. After a lost connection the seat waits for a while. */
function losesSeat({ code, error }: MatchStatus): boolean {
  const hasLeft = code === 0 && error === undefined;
  return hasLeft || refusalOf(code)?.endsMatch === true;
}

/** An entry as `joinMatch` takes it. */
function joinOptionsOf<G extends GameTypes>(
  options: MountLobbyOptions<G>,
  { entry, joinChoices }: {
    readonly entry: Entry;
    readonly joinChoices: Readonly<Record<string, string>>;
  },
): JoinOptions<G> {
  const { server, game, input, appear, inputDelay, credentials, transport, network } = options;
  const { room, name, spectate, key, isNew, choices } = entry;
  const declared = (game.declaration as unknown as LooseDeclaration).options ?? {};
  const roomOptions = Object.entries(declared).map(([option, { words }], i) =>
    [option, words[choices[i] ?? 0]] as const
  );
  return {
    server,
    game,
    appear,
    inputDelay,
    credentials,
    transport,
    network,
    room,
    name,
    spectate,
    key,
    isNew,
    seatToken: loadSeatToken(room, game.id),
    roomOptions: Object.fromEntries(roomOptions) as Partial<Chosen<G["options"]>>,
    input: { ...input, ...joinChoices } as MatchInput<G>,
  };
}

/** The player's name, kept from visit to visit. */
class KeptName implements LobbySettings {
  #name: string;

  /** @param byDefault the name for a first visit */
  constructor(byDefault: string) {
    this.#name = loadName() ?? byDefault;
  }

  get current(): LobbySettings["current"] {
    return { name: this.#name, colour: "" };
  }

  change(changes: { readonly name?: string }): void {
    if (changes.name === undefined || changes.name === this.#name) return;
    this.#name = changes.name;
    try {
      localStorage.setItem(NAME_KEY, changes.name);
    } catch {
      // Storage is switched off, so the name lasts for this visit.
    }
  }
}

function loadName(): string | undefined {
  try {
    return localStorage.getItem(NAME_KEY) ?? undefined;
  } catch {
    return undefined;
  }
}
