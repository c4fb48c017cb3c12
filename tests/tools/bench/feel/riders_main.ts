/**
 * The other people of `bench feel`: riders on a real server, each with a session and a modelled
 * line, in one process. Once all of them play, it prints the mean of their leads in ms, once a
 * second. It ends when its parent ends it.
 *
 *     deno run --allow-net --allow-env=WS_NO_BUFFER_UTIL,WS_NO_UTF_8_VALIDATE tests/tools/bench/feel/riders_main.ts \
 *       ws://127.0.0.1:8080 ROOM LINE COUNT
 */
import type {
  DragonCommand,
  DragonSimulation,
} from "../../../../shared/games/dragons/declaration.ts";
import { dragonGame } from "../../../../shared/games/dragons/game.ts";
import { openNodeWebSocketLink } from "../../../../client/net/node_websocket_link.ts";
import { bodyStreamSupport } from "../../../../client/session/body_stream_client.ts";
import { Session } from "../../../../client/session/session.ts";
import { SimulatedLink } from "../../../../shared/netcode/simulated_network/simulated_link.ts";
import { RiderControls } from "../../../../client/lab/people/dragons/rider_controls.ts";
import { FITTED, styleAt } from "../../../../client/lab/people/dragons/styles.ts";
import { type LineName, lineOf } from "./lines.ts";

/** Sixty frames a second. */
const FRAME_MS = 16;

const clock = { now: () => performance.now() };

/** One rider, their connection, and the timer that drives it. */
class RiderClient {
  readonly #link: SimulatedLink;
  readonly #session: Session<DragonCommand, DragonSimulation>;

  constructor(url: string, { room, line, index }: { room: string; line: LineName; index: number }) {
    const socket = openNodeWebSocketLink(`${url}/socket`);
    this.#link = new SimulatedLink(socket, { model: lineOf(line), seed: index, clock });
    // The page's person uses the first style.
    const controls = new RiderControls(styleAt(FITTED, index + 1), index);
    this.#session = new Session({
      game: dragonGame,
      bodyStream: bodyStreamSupport(dragonGame),
      link: this.#link,
      clock,
      room,
      name: `${controls.rider.style.name} ${index + 1}`,
      commandSource: controls,
    });
    controls.attach(this.#session);
    this.#drive();
  }

  get isPlaying(): boolean {
    const { phase, simulation, seat } = this.#session;
    return phase === "playing" && simulation?.world.player(seat) !== undefined;
  }

  get leadMs(): number {
    return this.#session.leadMs;
  }

  /** @throws Error if the connection is lost; it is not caught, so the process ends with code 1 */
  #drive(): void {
    this.#link.advance(clock.now());
    this.#session.advance();
    const { phase, closeCode, closeReason, nextDueMs } = this.#session;
    if (phase === "closed") {
      throw new Error(`a rider was disconnected: ${closeCode} ${closeReason}`);
    }
    const waitMs = Math.min(this.#link.nextDueMs, nextDueMs) - clock.now();
    setTimeout(() => this.#drive(), Math.min(FRAME_MS, Math.max(0, Math.ceil(waitMs))));
  }
}

const [url, room, line, count] = Deno.args as [string, string, LineName, string];
const riders = Array.from(
  { length: Number(count) },
  (_, index) => new RiderClient(url, { room, line, index }),
);
setInterval(() => {
  if (!riders.every(({ isPlaying }) => isPlaying)) return;
  console.log(riders.reduce((sum, { leadMs }) => sum + leadMs, 0) / riders.length);
}, 1000);
