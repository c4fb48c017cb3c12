/** A real server with several match processes, and what its log says of them. */
import { dragonGame } from "../../../shared/games/dragons/game.ts";
import { joinedSocketUrl } from "../../../client/net/join.ts";
import { openNodeWebSocketLink } from "../../../client/net/node_websocket_link.ts";
import { CloseCode, PROTOCOL_VERSION } from "../../../shared/netcode/wire/messages.ts";
import { HonestBot } from "../honest_bot.ts";
import { ServerProcess } from "./server_process.ts";

/** The answer to a request for a ticket. */
export interface JoinedAnswer {
  readonly status: number;
  readonly ticket: string;
  /** The address of the room's process. */
  readonly server: string;
  readonly code: number;
  readonly error: string;
}

export class WorkerServer implements AsyncDisposable {
  readonly server: ServerProcess;

  private constructor(server: ServerProcess) {
    this.server = server;
  }

  /** @param flags besides `--workers 2` */
  static async start(...flags: string[]): Promise<WorkerServer> {
    return new WorkerServer(await ServerProcess.start("--workers", "2", "--npcs", "0", ...flags));
  }

  get origin(): string {
    return new URL(this.server.url).origin;
  }

  /** The port of a match process. @param worker its number */
  portOf(worker: number): number {
    return this.server.port + worker;
  }

  /** The process id of a match process as it runs now. */
  pidOf(worker: number): number {
    const started = [
      ...this.server.stdout.matchAll(new RegExp(`worker_started worker=${worker} pid=(\\d+)`, "g")),
    ];
    return Number(started.at(-1)![1]);
  }

  /** Which process has a room. @returns its number, when the log has it */
  async workerOf(room: string): Promise<number> {
    return Number(
      (await this.server.waitForOutput(new RegExp(`room_opened worker=(\\d+) room=${room}`)))![1],
    );
  }

  /** Asks for a ticket. */
  async join(room: string, request: object = {}): Promise<JoinedAnswer> {
    const answer = await fetch(`${this.origin}/api/rooms/${room}/join`, {
      method: "POST",
      body: JSON.stringify({ game: dragonGame.id, protocol: PROTOCOL_VERSION, ...request }),
    });
    return { status: answer.status, ...await answer.json() };
  }

  /** A player who comes in as a page does. @returns the bot when it plays */
  async play(room: string, { name = "Wren", seed = 1 } = {}): Promise<HonestBot> {
    const request = { gameId: dragonGame.id, room, name, spectate: false };
    for (;;) {
      const open = () => openNodeWebSocketLink(joinedSocketUrl(this.origin, request));
      const bot = new HonestBot(this.server.url, { name, seed, room, open });
      await bot.until(() => bot.isPlaying);
      // A busy machine lets nobody in for a while; other tests run beside this one.
      if (bot.isPlaying || bot.session.closeCode !== CloseCode.busy) return bot;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // The match processes end with the gateway.
    await this.server.stop("SIGKILL");
  }
}
