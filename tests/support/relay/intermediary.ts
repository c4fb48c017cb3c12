/**
 * A TCP relay that does to connections what intermediaries do: it forgets them without a word,
 * hangs, delays, closes one side, or answers in place of the server. Connections that it does not
 * touch pass.
 */
import { LOOPBACK } from "./line.ts";

const READ_BYTES = 65_536;

/**
 * What an intermediary can do to an open connection. "hang" reads no more, and "delay" goes on
 * after three seconds.
 */
export const DAMAGES = [
  ...["swallow up", "swallow down", "swallow both", "delay", "hang"] as const,
  ...["answer", "close to the client", "close to the server"] as const,
] as const;

export type Damage = typeof DAMAGES[number];

/**
 * What becomes of a connection: a text is the answer to its first request, and "hang" is none. A
 * damage is done before the server sees the request, or `onceOpen`: when the server's first answer
 * has passed.
 */
export type Verdict = "pass" | "hang" | { readonly answer: string } | {
  readonly damage: Damage;
  readonly onceOpen: boolean;
};

export type Direction = "up" | "down" | "both";

const DELAY_MS = 3_000;
/** A close frame of a WebSocket with the code 1001, as a proxy sends it that goes away. */
const CLOSE_FRAME = new Uint8Array([0x88, 2, 1001 >> 8, 1001 & 0xff]);

interface Pair {
  readonly near: Deno.TcpConn;
  far: Deno.TcpConn | undefined;
  readonly firstLine: string;
  readonly swallowed: Set<"up" | "down">;
  /** Bytes go on when it resolves. */
  whenFlowing: Promise<void>;
  /** Done when the server has answered for the first time. */
  onceOpen: Damage | undefined;
  isOpen: boolean;
}

/** A whole answer of HTTP, as an intermediary sends it. @param status such as "404 Not Found" */
export function answerOf(
  status: string,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): string {
  const all = { "Content-Length": String(body.length), "Connection": "close", ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status}\r\n${lines.join("")}\r\n${body}`;
}

export class Intermediary implements AsyncDisposable {
  readonly #targetPort: number;
  readonly #listener: Deno.TcpListener;
  readonly #pairs = new Set<Pair>();
  readonly port: number;
  /**
   * Called with the first line of each connection, which has "upgrade" before it if it asks for a
   * WebSocket.
   */
  judge: (firstLine: string) => Verdict = () => "pass";
  /** The first lines so far, the oldest first. */
  readonly seen: string[] = [];

  /** @param targetPort of the server on this machine */
  constructor(targetPort: number) {
    this.#targetPort = targetPort;
    this.#listener = Deno.listen({ hostname: LOOPBACK, port: 0 });
    this.port = (this.#listener.addr as Deno.NetAddr).port;
    void this.#accept();
  }

  get url(): string {
    return `http://${LOOPBACK}:${this.port}/`;
  }

  /**
   * The connections that are open now carry nothing more in a direction. Neither end is told, and
   * new ones pass.
   */
  swallow(direction: Direction): void {
    for (const { swallowed } of this.#pairs) {
      if (direction !== "down") swallowed.add("up");
      if (direction !== "up") swallowed.add("down");
    }
  }

  /**
   * Ends the connections that are open now at one side alone: the other one hears nothing more, and
   * is not told.
   */
  closeOneSide(side: "client" | "server"): void {
    for (const { near, far, swallowed } of this.#pairs) {
      swallowed.add("up").add("down");
      close(side === "client" ? near : far);
    }
  }

  /** Does it to the connections that are open now. New ones pass. */
  do(damage: Damage): void {
    for (const pair of this.#pairs) void doTo(pair, damage);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#listener.close();
    for (const { near, far } of this.#pairs) [near, far].forEach(close);
    await Promise.resolve();
  }

  async #accept(): Promise<void> {
    try {
      for await (const near of this.#listener) void this.#relay(near).catch(() => {});
    } catch {
      // It is closed.
    }
  }

  async #relay(near: Deno.TcpConn): Promise<void> {
    const bytes = new Uint8Array(READ_BYTES);
    const count = await near.read(bytes).catch(() => null);
    if (count === null) return close(near);
    const head = new TextDecoder("latin1").decode(bytes.subarray(0, count));
    const [line = ""] = head.split("\r\n", 1);
    const firstLine = /^upgrade: *websocket/im.test(head) ? `upgrade ${line}` : line;
    const verdict = this.judge(firstLine);
    this.seen.push(firstLine);
    const pair: Pair = {
      near,
      far: undefined,
      firstLine,
      swallowed: new Set(),
      whenFlowing: Promise.resolve(),
      onceOpen: undefined,
      isOpen: false,
    };
    this.#pairs.add(pair);

    try {
      if (verdict === "hang") {
        while (await near.read(bytes) !== null);
      } else if (verdict !== "pass" && "answer" in verdict) {
        await near.write(new TextEncoder().encode(verdict.answer));
        near.closeWrite();
      } else {
        const far = pair.far = await Deno.connect({ hostname: LOOPBACK, port: this.#targetPort });
        for (const end of [near, far]) end.setNoDelay();
        if (verdict !== "pass") {
          if (verdict.onceOpen) pair.onceOpen = verdict.damage;
          else await doTo(pair, verdict.damage);
        }
        await pair.whenFlowing;
        if (!pair.swallowed.has("up")) await writeAll(far, bytes.slice(0, count));
        await Promise.all([forward(pair, "up"), forward(pair, "down")]);
      }
    } catch {
      // One end is gone, or the server does not listen.
    }

    this.#pairs.delete(pair);
    [near, pair.far].forEach(close);
  }
}

/**
 * Passes bytes on until the end of the connection. What is swallowed has no end that the other side
 * sees.
 */
async function forward(pair: Pair, direction: "up" | "down"): Promise<void> {
  const { near, far, swallowed } = pair;
  const [from, to] = direction === "up" ? [near, far!] : [far!, near];
  const bytes = new Uint8Array(READ_BYTES);
  for (let count = await from.read(bytes); count !== null; count = await from.read(bytes)) {
    await pair.whenFlowing;
    if (!swallowed.has(direction)) await writeAll(to, bytes.slice(0, count));
    if (direction === "down") await open(pair);
  }
  await pair.whenFlowing;
  if (!swallowed.has(direction)) await to.closeWrite();
}

/** The server has answered. */
async function open(pair: Pair): Promise<void> {
  if (!pair.isOpen && pair.onceOpen !== undefined) await doTo(pair, pair.onceOpen);
  pair.isOpen = true;
}

async function doTo(pair: Pair, damage: Damage): Promise<void> {
  const { near, far, swallowed, firstLine } = pair;
  if (damage === "swallow up" || damage === "swallow both") swallowed.add("up");
  if (damage === "swallow down" || damage === "swallow both") swallowed.add("down");
  if (damage === "hang") pair.whenFlowing = new Promise(() => {});
  if (damage === "delay") {
    pair.whenFlowing = new Promise((resolve) => setTimeout(resolve, DELAY_MS));
  }
  if (!damage.startsWith("close") && damage !== "answer") return;
  swallowed.add("up").add("down");
  if (damage === "close to the server") return close(far);
  if (damage === "answer") {
    const isSocket = firstLine.startsWith("upgrade") &&
      (pair.isOpen || pair.onceOpen !== undefined);
    const answer = isSocket
      ? CLOSE_FRAME
      : new TextEncoder().encode(answerOf("502 Bad Gateway", "bad gateway\n"));
    await writeAll(near, answer).catch(() => {});
  }
  close(near);
}

async function writeAll(to: Deno.TcpConn, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.length;) done += await to.write(bytes.subarray(done));
}

function close(end: Deno.TcpConn | undefined): void {
  try {
    end?.close();
  } catch {
    // It is already closed.
  }
}
