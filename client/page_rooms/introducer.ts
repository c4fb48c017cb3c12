/**
 * A page's socket to the server that introduces it (`shared/introductions.ts`). A host keeps it open
 * for those who come later; a page that joins needs it for one text and its answer.
 */
import {
  ANOTHER_HOST,
  type FromServer,
  INTRODUCTION_BYTES_MAX,
  INTRODUCTIONS_PATH,
  type ToServer,
} from "../../shared/introductions.ts";

/** How long the answer of a host may take, ms. */
const ANSWER_MS_MAX = 10_000;
/** How long a host waits before it opens its socket again, ms. */
const AGAIN_MS = 2000;

/** How often a page calls a room that waits for its next host, and the pause between, ms. */
const CALLS_MAX = 6;
const CALL_AGAIN_MS = 1000;
/** How often a host says at most how many more people may come, ms. */
const SEATS_EVERY_MS = 1000;

export const NO_SERVER = "The server that introduces the pages does not answer.";
const NO_HOST = "No page hosts this room any more.";
const NO_HOST_ANSWERS = "The page that hosts this room does not answer.";

/** Why a page did not get into the room: a sentence for the player. */
export class IntroductionError extends Error {
  override readonly name = "IntroductionError";
}

/** A room at a server. */
export interface IntroducedRoom {
  /** http://… or https://…, without a path. */
  readonly origin: string;
  /** The game's id. */
  readonly game: string;
  /** Four letters A–Z. */
  readonly room: string;
}

/**
 * Sends a text to the host of a room. If the room waits for its next host, so does this.
 * @returns the host's answer
 * @throws IntroductionError without a host or an answer
 */
export async function called(room: IntroducedRoom, text: string): Promise<string> {
  const asked = { room, message: { type: "call", text }, silence: NO_HOST_ANSWERS } as const;
  for (let tries = 1;; tries++) {
    const answer = await answered(asked, (message) => {
      if (message.type === "nobody") return { isKept: message.isKept };
      return message.type === "answer" ? { text: message.text } : undefined;
    });
    if (answer.text !== undefined) return answer.text;
    if (!answer.isKept || tries === CALLS_MAX) throw new IntroductionError(NO_HOST);
    await new Promise((resolve) => setTimeout(resolve, CALL_AGAIN_MS));
  }
}

/**
 * Finds a room for a player who wants to play with anybody.
 * @param room the one that this page will host if it has to open one
 * @param asked.seats how many others may be led there then
 * @param asked.except the code of a room that this page could not get into; empty for none
 * @returns the code of the room to join, or that of `room`
 * @throws IntroductionError without an answer
 */
export async function openRoom(
  room: IntroducedRoom,
  asked: Omit<ToServer & { type: "play" }, "type">,
): Promise<string> {
  const message = { type: "play", ...asked } as const;
  return await answered(
    { room, message, silence: NO_SERVER },
    (message) => message.type === "room" ? message.room : undefined,
  );
}

/**
 * Sends one message to the server, and closes the socket after the answer.
 * @param answerIn returns undefined for a message that is no answer
 * @throws IntroductionError with `silence` if no answer comes
 */
async function answered<Answer>(
  { room, message, silence }: {
    readonly room: IntroducedRoom;
    readonly message: ToServer;
    readonly silence: string;
  },
  answerIn: (message: FromServer) => Answer | undefined,
): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const socket = new WebSocket(addressOf(room));
  const timer = setTimeout(() => reject(new IntroductionError(silence)), ANSWER_MS_MAX);
  socket.onopen = () => socket.send(JSON.stringify(message));
  socket.onmessage = ({ data }) => {
    const received = messageIn(data);
    const answer = received && answerIn(received);
    if (answer !== undefined) resolve(answer);
  };
  socket.onclose = () => reject(new IntroductionError(NO_SERVER));
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    socket.onclose = null;
    socket.close();
  }
}

export interface HostedRoomOptions {
  readonly room: IntroducedRoom;
  /** What all pages of the room know, 32 hexadecimal digits. */
  readonly claim: string;
  /** Returns the answer to another page's text; undefined for none. */
  readonly onCall: (text: string) => Promise<string | undefined>;
  /** Called when another page of the room has taken the place: the two have to find each other. */
  readonly onOther: () => void;
}

/** The place of a room's host at the server. It comes back after a lost connection. */
export class HostedRoom {
  readonly #options: HostedRoomOptions;
  #socket: WebSocket | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;
  /** Whether the server has said that the room is this page's, on the present socket. */
  #isHost = false;
  /** What the server was told last on that socket, and when, ms on the clock. */
  #seatsSaid: number | undefined;
  #seatsSaidMs = -Infinity;
  /** Settled with the first answer: whether the room is this page's; undefined without one. */
  readonly opened: Promise<boolean | undefined>;
  readonly #onOpened: (isHost: boolean | undefined) => void;

  constructor(options: HostedRoomOptions) {
    this.#options = options;
    const { promise, resolve } = Promise.withResolvers<boolean | undefined>();
    const timer = setTimeout(() => resolve(undefined), ANSWER_MS_MAX);
    this.opened = promise.finally(() => clearTimeout(timer));
    this.#onOpened = resolve;
    this.#open();
  }

  /** Says how many more people may be led here, if that has changed. Call it often. */
  tellSeats(seats: number, nowMs: number): void {
    const isDue = seats !== this.#seatsSaid && nowMs - this.#seatsSaidMs >= SEATS_EVERY_MS;
    if (!isDue || !this.#isHost || this.#socket?.readyState !== WebSocket.OPEN) return;
    this.#seatsSaid = seats;
    this.#seatsSaidMs = nowMs;
    this.#socket.send(JSON.stringify({ type: "seats", seats } satisfies ToServer));
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#onOpened(false);
    this.#socket?.close();
  }

  #open(): void {
    const { room, claim } = this.#options;
    this.#isHost = false;
    this.#seatsSaid = undefined;
    const socket = this.#socket = new WebSocket(addressOf(room));
    socket.onopen = () => socket.send(JSON.stringify({ type: "host", claim } satisfies ToServer));
    socket.onmessage = ({ data }) => void this.#receive(socket, messageIn(data));
    socket.onclose = ({ reason }) => {
      if (this.#isClosed) return;
      if (reason === ANOTHER_HOST) this.#options.onOther();
      this.#timer = setTimeout(() => this.#open(), AGAIN_MS);
    };
  }

  async #receive(socket: WebSocket, message: FromServer | undefined): Promise<void> {
    if (message?.type === "host") {
      this.#isHost = message.isHost;
      this.#onOpened(message.isHost);
    }
    if (message?.type !== "call") return;
    // A text that is no introduction gets no answer, and its page is told so by the time it waits
    const text = await this.#options.onCall(message.text).catch(() => undefined);
    if (text === undefined || socket.readyState !== WebSocket.OPEN) return;
    socket.send(JSON.stringify({ type: "answer", to: message.from, text } satisfies ToServer));
  }
}

function addressOf({ origin, game, room }: IntroducedRoom): string {
  const query = new URLSearchParams({ game, room });
  return `${origin.replace("http", "ws")}${INTRODUCTIONS_PATH}?${query}`;
}

/** @returns undefined for anything but a message of this server's */
function messageIn(data: unknown): FromServer | undefined {
  if (typeof data !== "string" || data.length > 2 * INTRODUCTION_BYTES_MAX) return undefined;
  try {
    const message = JSON.parse(data);
    return typeof message?.type === "string" ? message as FromServer : undefined;
  } catch {
    return undefined;
  }
}
