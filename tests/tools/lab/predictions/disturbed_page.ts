/**
 * A page as a browser runs it: one thread that can be busy or throttled, and a network that can be
 * cut. The session is the real one. Its work costs virtual time, and none of the page's code runs
 * while the thread is busy.
 */
import {
  type CommandSource,
  Session,
  type SessionOptions,
} from "../../../../client/session/session.ts";
import { SessionDatagrams } from "../../../../client/session/datagrams/session_datagrams.ts";
import type { Game, Simulation } from "../../../../shared/netcode/game.ts";
import type { Clock, MessageHandler } from "../../../../shared/netcode/link.ts";
import type { NetworkModel } from "../../../../shared/netcode/simulated_network/network_model.ts";
import { SimulatedLink } from "../../../../shared/netcode/simulated_network/simulated_link.ts";
import type { Lab, Player } from "../lab.ts";
import { LocalLink } from "../../../../shared/netcode/simulated_network/local_link.ts";

/** A hidden tab's timers fire once a second. */
const HIDDEN_TIMER_MS = 1000;

/** The page's thread. All times are on the lab's clock, ms. */
export class PageThread {
  readonly #lab: Clock;
  /** What the running code has cost so far. */
  #spentMs = 0;
  #busyFromMs = -Infinity;
  #busyUntilMs = -Infinity;
  #hiddenUntilMs = -Infinity;
  /** Until then nothing passes the network. */
  cutUntilMs = -Infinity;
  /** What simulating one tick costs, ms. */
  stepMs = 0;

  /**
   * The time that the page's own code reads, and how long events may have waited for the thread.
   */
  readonly clock = {
    now: () => this.#lab.now() + this.#spentMs,
    lagMs: () => this.#lab.now() <= this.#busyUntilMs ? this.#lab.now() - this.#busyFromMs : 0,
  };

  constructor(lab: Clock) {
    this.#lab = lab;
  }

  /** Keeps the thread busy for `ms`. */
  stall(ms: number): void {
    if (this.#lab.now() >= this.#busyUntilMs) this.#busyFromMs = this.#lab.now();
    this.#busyUntilMs = Math.max(this.#busyUntilMs, this.#lab.now() + ms);
  }

  /** Hides the tab for `ms`: messages are handled, but timers fire once a second. */
  hide(ms: number): void {
    this.#hiddenUntilMs = this.#lab.now() + ms;
  }

  cut(ms: number): void {
    this.cutUntilMs = this.#lab.now() + ms;
  }

  get busyUntilMs(): number {
    return this.#busyUntilMs;
  }

  get isBusy(): boolean {
    return this.#lab.now() < this.#busyUntilMs;
  }

  get isCut(): boolean {
    return this.#lab.now() < this.cutUntilMs;
  }

  /** When code that is due at `dueMs` runs. */
  runsAtMs(dueMs: number): number {
    const freeMs = Math.max(dueMs, this.#busyUntilMs);
    if (freeMs >= this.#hiddenUntilMs) return freeMs;
    return Math.min(this.#hiddenUntilMs, Math.ceil(freeMs / HIDDEN_TIMER_MS) * HIDDEN_TIMER_MS);
  }

  /** The same game, except that its steps cost this thread time. */
  chargeSteps<Command, Sim extends Simulation<Command>>(
    game: Game<Command, Sim>,
  ): Game<Command, Sim> {
    return {
      ...game,
      start: (options, seed) => {
        const simulation = game.start(options, seed);
        const step = simulation.step.bind(simulation);
        simulation.step = (commands) => {
          this.#spentMs += this.stepMs;
          step(commands);
        };
        return simulation;
      },
    };
  }

  /** Runs code; afterwards the thread is busy for as long as the code cost. */
  run(code: () => void): void {
    code();
    this.stall(this.#spentMs);
    this.#spentMs = 0;
  }
}

/** The simulated link of a page with a thread that may be busy and a network that may be cut. */
export class PageLink extends SimulatedLink {
  readonly #thread: PageThread;
  /** Messages that arrived while the thread was busy or the network was cut. */
  #undelivered: { message: Uint8Array; reliably: boolean; isTapped: boolean }[] = [];
  /** Receives each message that has passed the network, before a busy thread holds it back. */
  tap: ((message: Uint8Array) => void) | undefined;
  /** Messages that a reliable link sent while the network was cut. */
  #unsent: Uint8Array[] = [];
  #onMessage: MessageHandler = () => {};

  constructor(
    inner: LocalLink,
    { thread, ...options }: { thread: PageThread; model: NetworkModel; seed: number },
  ) {
    super(inner, { ...options, clock: thread.clock });
    this.#thread = thread;
    super.onMessage((message, reliably) => this.#arrive(message, reliably));
  }

  override onMessage(handler: MessageHandler): void {
    this.#onMessage = handler;
  }

  override send(message: Uint8Array): void {
    if (!this.#thread.isCut) super.send(message);
    else if (this.ordered) this.#unsent.push(message.slice());
  }

  override get nextDueMs(): number {
    const unsentDueMs = this.#unsent.length > 0 ? this.#thread.cutUntilMs : Infinity;
    const undeliveredDueMs = this.#undelivered.length > 0 ? this.#deliversAtMs() : Infinity;
    return Math.min(super.nextDueMs, unsentDueMs, undeliveredDueMs);
  }

  override advance(nowMs: number): void {
    if (!this.#thread.isCut) { for (const message of this.#unsent.splice(0)) super.send(message); }
    super.advance(nowMs);
    if (nowMs < this.#deliversAtMs()) return;
    this.#tapUndelivered();
    for (const { message, reliably } of this.#undelivered.splice(0)) {
      this.#onMessage(message, reliably);
    }
  }

  /** Taps the messages that a cut held back, because they have now passed the network. */
  #tapUndelivered(): void {
    for (const held of this.#undelivered) {
      if (!held.isTapped) this.tap?.(held.message);
      held.isTapped = true;
    }
  }

  /** Handlers also run in hidden tabs. */
  #deliversAtMs(): number {
    return Math.max(this.#thread.cutUntilMs, this.#thread.busyUntilMs);
  }

  #arrive(message: Uint8Array, reliably: boolean): void {
    if (this.#thread.isCut && !reliably) return;
    const isTapped = !this.#thread.isCut;
    if (isTapped) {
      this.#tapUndelivered();
      this.tap?.(message);
    }
    if (this.#thread.isCut || this.#thread.isBusy) {
      this.#undelivered.push({ message, reliably, isTapped });
    } else this.#onMessage(message, reliably);
  }
}

/** A session that runs its code when the page's thread is free. */
class PageSession<Command, Sim extends Simulation<Command>> extends Session<Command, Sim> {
  readonly #thread: PageThread;
  readonly #lab: Clock;

  constructor(
    options: SessionOptions<Command, Sim>,
    { thread, lab }: { thread: PageThread; lab: Clock },
  ) {
    super(options);
    this.#thread = thread;
    this.#lab = lab;
  }

  override get nextDueMs(): number {
    return this.#thread.runsAtMs(super.nextDueMs);
  }

  override advance(): void {
    if (this.#thread.runsAtMs(this.#lab.now()) > this.#lab.now()) return;
    this.#thread.run(() => super.advance());
  }
}

/** Lets a player join with a page that can be disturbed. */
export function joinPage<Command, Sim extends Simulation<Command>>(
  lab: Lab<Command, Sim>,
  { game, controls, network, ordered }: {
    game: Game<Command, Sim>;
    controls: CommandSource<Command>;
    network: NetworkModel;
    ordered: boolean;
  },
): Player<Command, Sim> & { readonly thread: PageThread } {
  const thread = new PageThread(lab.clock);
  const [clientEnd, serverEnd] = LocalLink.pair({ ordered });
  const link = new PageLink(clientEnd, { thread, model: network, seed: lab.random.bits() });
  lab.rooms.admit(serverEnd);
  const { clock } = thread;
  const session = new PageSession(
    {
      game: thread.chargeSteps(game),
      link,
      clock,
      room: "LABS",
      name: "disturbed",
      commandSource: controls,
      datagramSupport: (use) => use(SessionDatagrams),
    },
    { thread, lab: lab.clock },
  );
  const player = { session, link, serverEnd, clockRate: 1, thread };
  lab.players.push(player);
  return player;
}
