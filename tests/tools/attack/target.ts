/**
 * The server as attackers see it: its ports, and their connections from addresses that were not
 * used before.
 */
import { dragonGame } from "../../../shared/games/dragons/game.ts";
import type { DatagramAddress } from "../../../client/net/datagram_address.ts";
import { type Hello, PROTOCOL_VERSION } from "../../../shared/netcode/wire/messages.ts";
import { RawSession, type RawSessionOptions } from "../../support/datagrams/raw_session.ts";
import { SOCKET_PATH } from "../../../shared/netcode/link.ts";
import { Stranger, type StrangerOptions } from "../../support/sockets/stranger.ts";
import type { Figures } from "./figures.ts";
import type { LiveCluster } from "./live_cluster.ts";
import type { LiveServer } from "./live_server.ts";
import type { Players } from "./players.ts";

/** An HTTP/1.1 request as an attacker writes it. */
export interface RequestOptions extends StrangerOptions {
  readonly path?: string;
  readonly method?: string;
  /** Further header lines; one that begins with "Host:" replaces the true one. */
  readonly headers?: readonly string[];
  readonly body?: string;
  /** By default the players' port. */
  readonly port?: number;
}

export interface Answer {
  /** 0 if the connection ended without one. */
  readonly status: number;
  /** The whole answer with its header. */
  readonly text: string;
}

/** The next address in 127.0.0.0/8 for an attacker; 127.0.0.1 belongs to the honest players. */
let addresses = 1;

export class Target {
  readonly server: LiveServer;
  readonly players: Players;
  /** Whether an attack may not judge its own times, because the machine does other work. */
  readonly isUntimed: boolean;
  readonly #cluster: LiveCluster | undefined;
  readonly #strangers = new Set<Stranger>();
  readonly #sessions = new Set<RawSession>();
  #certificateHash: Promise<string> | undefined;

  /**
   * @param options.cluster the nodes, `server` being the first; undefined for a server by itself
   */
  constructor(
    server: LiveServer,
    { players, isUntimed, cluster }: {
      players: Players;
      isUntimed: boolean;
      cluster?: LiveCluster | undefined;
    },
  ) {
    this.server = server;
    this.players = players;
    this.isUntimed = isUntimed;
    this.#cluster = cluster;
  }

  /** @throws Error for a server by itself */
  get cluster(): LiveCluster {
    if (this.#cluster === undefined) throw new Error("this server is no node of a cluster");
    return this.#cluster;
  }

  get port(): number {
    return this.server.port;
  }

  /** An address that has used up none of its limits. */
  newAddress(): string {
    const n = ++addresses;
    return `127.${n >> 16 & 255}.${n >> 8 & 255}.${n & 255}`;
  }

  /** A connection on which nothing has been sent. */
  async connect(address: string, port = this.port): Promise<Stranger> {
    return this.#keep(await Stranger.connect(port, { address }));
  }

  /** @returns after the answer to the upgrade request */
  async upgrade(
    address: string,
    options: { path?: string; headers?: readonly string[] } = {},
  ): Promise<Stranger> {
    return this.#keep(await Stranger.upgrade(this.port, { address, ...options }));
  }

  /** @returns after a welcome and a tick, or after a close */
  async join(address: string, hello: Partial<Hello> = {}): Promise<Stranger> {
    return this.#keep(await Stranger.join(this.port, hello, { address }));
  }

  /**
   * Opens rooms for players from another address, who play in each until the attack is over,
   * because spectators do not open rooms.
   */
  async openRooms(...codes: readonly string[]): Promise<void> {
    const address = this.newAddress();
    await Promise.all(codes.map(async (room) => {
      const player = await this.join(address, { room });
      void player.playUntil(() => false);
    }));
  }

  /** Asks for a ticket. @param request fields of the request's body, and the room */
  async ask(
    address: string,
    { room = "TICK", ...request }: Record<string, unknown> = {},
  ): Promise<Answer> {
    const body = JSON.stringify({ game: dragonGame.id, protocol: PROTOCOL_VERSION, ...request });
    return await this.request(address, { method: "POST", path: `/api/rooms/${room}/join`, body });
  }

  /** Where WebTransport sessions are opened. @param query of the path, such as "?ticket=…" */
  async datagramAddress(query = ""): Promise<DatagramAddress> {
    const certificateHash = Uint8Array.fromHex(
      await (this.#certificateHash ??= this.#askForHash()),
    );
    return { url: `https://127.0.0.1:${this.port}${SOCKET_PATH}${query}`, certificateHash };
  }

  /** A ticket contains it. At first a machine that is busy with other work gives none. */
  async #askForHash(): Promise<string> {
    for (;;) {
      const { status, text } = await this.ask(this.newAddress());
      if (status === 200) return text.match(/"certificateHash":"(\w+)"/)![1]!;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }

  /**
   * Opens a session, or whatever the server makes of the request.
   * @throws Error if the connection is refused
   */
  async session(address: DatagramAddress, options: RawSessionOptions): Promise<RawSession> {
    const session = await RawSession.open(address, options);
    this.#sessions.add(session);
    return session;
  }

  /** Makes one request on a connection of its own. @returns when the connection has ended */
  async request(address: string, options: RequestOptions = {}): Promise<Answer> {
    const stranger = await this.connect(address, options.port);
    stranger.write(requestText(options.port ?? this.port, { close: true, ...options }));
    await stranger.ended();
    return { status: stranger.status || 0, text: stranger.http };
  }

  figures(): Promise<Figures> {
    return this.server.figures();
  }

  /** Performs an operator's action. If tokens were guessed before, it must wait for a second. */
  async operate(name: string, values: unknown): Promise<{ status: number; text: string }> {
    for (;;) {
      const answer = await this.server.ask(`api/ops/${name}`, {
        method: "POST",
        body: JSON.stringify(values),
      });
      const text = await answer.text();
      if (answer.status !== 429) return { status: answer.status, text };
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }

  /** The path of the page's largest file. */
  async scriptPath(): Promise<string> {
    const page = await (await fetch(this.server.url)).text();
    return page.match(/src="\.?\/?([^"]+\.js)"/)![1]!.replace(/^\/?/, "/");
  }

  /** Ends all of the attackers' connections. */
  release(): void {
    for (const stranger of this.#strangers) stranger.cut();
    this.#strangers.clear();
    for (const session of this.#sessions) session.close();
    this.#sessions.clear();
  }

  #keep(stranger: Stranger): Stranger {
    this.#strangers.add(stranger);
    return stranger;
  }
}

/** The bytes of a request. */
export function requestText(
  port: number,
  { path = "/", method = "GET", headers = [], body = "", close = false }: RequestOptions & {
    close?: boolean;
  } = {},
): string {
  const host = headers.some((line) => line.startsWith("Host:")) ? [] : [`Host: 127.0.0.1:${port}`];
  const last = close ? ["Connection: close"] : [];
  const length = body === "" ? [] : [`Content-Length: ${body.length}`];
  return [`${method} ${path} HTTP/1.1`, ...host, ...headers, ...length, ...last, "", body].join(
    "\r\n",
  );
}
