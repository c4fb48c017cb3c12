/** Vectors of the clock: a session's `TickClock` over networks of chosen delays. */
import { TickClock } from "../../../../client/session/tick_clock.ts";
import { dequantizeLead } from "../../../../shared/netcode/wire/messages.ts";
import { Random } from "../../../../shared/random.ts";
import type { ClockEvent, ClockEventKind, TimedCase } from "../check/clock.ts";

/** The server's clock is in 1/1024 of a tick. */
const UNITS_PER_TICK = 1024;
const FRAME_MS = 15.625;
/** A frame with its own row is one of so many. */
const FRAMES_PER_ROW = 8;

/** A network, a server's clock and its advice. Times are the client's, in ms. */
interface Scenario {
  readonly about: string;
  readonly tickHz?: number;
  readonly seconds: number;
  /** The ways of one ping, ms. Infinity: the ping is lost. */
  delays(ping: number, at: number, random: Random): { up: number; down: number };
  /** How far the server's clock is ahead of 0 at this time, ms. */
  serverAhead?(at: number): number;
  /** Advised leads in quarters of a ms, by the time of their arrival. */
  readonly advice?: readonly (readonly [at: number, lead: number])[];
  /** Whether the client sleeps. */
  isAsleep?(at: number): boolean;
}

const jitter = (random: Random, oneWay: number, most: number) => ({
  up: oneWay + random.below(8 * most) / 8,
  down: oneWay + random.below(8 * most) / 8,
});

const SCENARIOS: readonly Scenario[] = [
  {
    about: "a steady network: one advice after another",
    seconds: 4,
    delays: () => ({ up: 20, down: 20 }),
    advice: [[600, 240], [700, 242], [1500, 300], [2500, 200], [3000, 0], [3100, 201]],
  },
  {
    about: "jitter: late pongs of the join replace the newest sample, if they are faster",
    seconds: 5,
    delays: (_, __, random) => jitter(random, 60, 80),
    advice: [[1200, 500], [2200, 700], [3200, 650]],
  },
  {
    about: "round trips that are equal: the oldest sample counts, although the others are nearer",
    seconds: 3,
    delays: (ping) => ping > 19 ? { up: 40, down: 40 } : { up: 24 - ping % 5, down: 16 + ping % 5 },
    advice: [[900, 400]],
  },
  {
    about: "more than eight samples: the fastest one is dropped",
    seconds: 13,
    delays: (ping, _, random) => ping === 2 ? { up: 9, down: 12 } : jitter(random, 40, 10),
    advice: [[900, 400]],
  },
  {
    about: "thirty ticks per second, and clocks that differ by 400 ppm",
    tickHz: 30,
    seconds: 12,
    delays: (_, __, random) => jitter(random, 30, 4),
    serverAhead: (at) => 5000 + at * 0.0004,
    advice: [[1000, 360], [6000, 330]],
  },
  {
    about: "sixty ticks per second, far from the server",
    tickHz: 60,
    seconds: 4,
    delays: () => ({ up: 140, down: 155 }),
    serverAhead: () => -700,
    advice: [[1800, 900], [2300, 1000]],
  },
  {
    about: "one pong until the join's time is over",
    seconds: 3,
    delays: (ping) => ping === 4 ? { up: 80, down: 90 } : { up: Infinity, down: 0 },
    advice: [[2000, 700]],
  },
  {
    about: "three pongs until the join's time is over",
    seconds: 3,
    delays: (ping) => ping % 8 === 1 ? { up: 50 + ping * 5, down: 30 } : { up: Infinity, down: 0 },
  },
  {
    about: "a join during a stall: a fourth round trip that is more than 300 ms longer",
    seconds: 3,
    delays: (ping) => ({ up: 30, down: ping < 2 ? 20 : 520 - ping * 20 }),
    advice: [[1900, 480]],
  },
  {
    about:
      "a join of one round trip of 7 s: its lead is longer than the server takes, and the next pong replaces it",
    seconds: 11,
    delays: (ping, at) =>
      ping === 0 ? { up: 3500, down: 3500 } : { up: at < 6900 ? Infinity : 30, down: 30 },
    advice: [[10_000, 480]],
  },
  {
    about: "an advised lead that is more than 500 ms away: the head jumps",
    seconds: 4,
    delays: () => ({ up: 400, down: 380 }),
    advice: [[1500, 1700], [2000, 4000], [2500, 2400], [3000, 250]],
  },
  {
    about:
      "an advised lead that is more than 250 ms longer than the slowest of the round trips: less is taken",
    seconds: 9,
    delays: (ping) => ({ up: 70, down: ping % 8 === 3 ? 140 : 90 }),
    advice: [[1000, 1700], [6500, 2000]],
  },
  {
    about:
      "the server's clock is suddenly 300 ms ahead: a second pong confirms it, and the head moves along",
    seconds: 6,
    delays: (_, at) => at < 3000 ? { up: 30, down: 30 } : { up: 26, down: 24 },
    serverAhead: (at) => at < 3000 ? 0 : 300,
    advice: [[1000, 400]],
  },
  {
    about:
      "the server's clock is suddenly 700 ms behind, and later pongs are slower: they replace the earlier ones",
    seconds: 6,
    delays: (_, at) => at < 3000 ? { up: 30, down: 30 } : { up: 34, down: 36 },
    serverAhead: (at) => at < 3000 ? 10_000 : 9300,
    advice: [[1000, 400]],
  },
  {
    about:
      "the server's clock is suddenly 63 ms ahead, which contradicts nothing: each pong corrects 0.3 ms",
    seconds: 7,
    delays: (_, at) => at < 3000 ? { up: 30, down: 30 } : { up: 26, down: 24 },
    serverAhead: (at) => at < 3000 ? 0 : 63,
    advice: [[1000, 400]],
  },
  {
    about: "the same with 66 ms: one contradiction, and the head moves along",
    seconds: 7,
    delays: (_, at) => at < 3000 ? { up: 30, down: 30 } : { up: 26, down: 24 },
    serverAhead: (at) => at < 3000 ? 0 : 66,
    advice: [[1000, 400]],
  },
  {
    about: "far from the server, and its clock is suddenly 103 ms ahead, which contradicts nothing",
    seconds: 7,
    delays: (_, at) => at < 4000 ? { up: 150, down: 150 } : { up: 144, down: 146 },
    serverAhead: (at) => at < 4000 ? 0 : 103,
    advice: [[1500, 900]],
  },
  {
    about: "the same with 107 ms: one contradiction, and the head moves along",
    seconds: 7,
    delays: (_, at) => at < 4000 ? { up: 150, down: 150 } : { up: 144, down: 146 },
    serverAhead: (at) => at < 4000 ? 0 : 107,
    advice: [[1500, 900]],
  },
  {
    about:
      "the way up is 560 ms longer: when the last earlier pong is dropped, more than 250 ms are corrected at once",
    seconds: 13,
    delays: (_, at) => ({ up: at < 3000 ? 30 : 590, down: 30 }),
    advice: [[1000, 1200]],
  },
  {
    about: "the same with 400 ms: each pong corrects 0.3 ms of 200, because the lead is longer",
    seconds: 13,
    delays: (_, at) => ({ up: at < 3000 ? 30 : 430, down: 30 }),
    advice: [[1000, 840]],
  },
  {
    about:
      "the same with a lead of 190 ms: the head would be behind the server, so it moves along at once",
    seconds: 13,
    delays: (_, at) => ({ up: at < 3000 ? 30 : 430, down: 30 }),
    advice: [[1000, 760]],
  },
  {
    about:
      "two pings that wait, and are answered with a wrong clock; later another one: no pong confirms it",
    seconds: 10,
    delays: (_, at) => at > 2900 && at < 4500 ? { up: 4950 - at, down: 5 } : { up: 20, down: 20 },
    serverAhead: (at) => (at > 4940 && at < 5000) || (at > 6600 && at < 6700) ? 5000 : 0,
    advice: [[1000, 400]],
  },
  {
    about: "the client sleeps for three seconds",
    seconds: 7,
    delays: () => ({ up: 35, down: 45 }),
    isAsleep: (at) => at > 2000 && at < 5000,
    advice: [[1000, 480], [5100, 430]],
  },
];

/** All cases of `clock.json`. */
export function clockCases(): TimedCase[] {
  return SCENARIOS.map((scenario, i) => new Player(scenario, new Random(1340 + i)).play());
}

interface Arrival {
  readonly at: number;
  deliver(): void;
}

/** Plays one scenario in frames, and writes down its events. */
class Player {
  readonly #scenario: Scenario;
  readonly #random: Random;
  readonly #tickMs: number;
  readonly #clock: TickClock;
  readonly #events: ClockEvent[] = [];
  readonly #arrivals: Arrival[] = [];
  #now = 0;
  #hasBegun = false;

  constructor(scenario: Scenario, random: Random) {
    const { tickHz = 20 } = scenario;
    this.#scenario = scenario;
    this.#random = random;
    this.#tickMs = 1000 / tickHz;
    this.#clock = new TickClock(tickHz, (id) => this.#onPing(id, 0));
  }

  play(): TimedCase {
    const { about, tickHz = 20, seconds, advice = [], isAsleep = () => false } = this.#scenario;
    for (const [at, lead] of advice) {
      this.#arrivals.push({
        at,
        deliver: () => this.#onAdvice(lead),
      });
    }
    for (let frame = 0; frame * FRAME_MS < seconds * 1000; frame++) {
      const at = frame * FRAME_MS;
      this.#deliverUntil(at);
      this.#now = at;
      if (!isAsleep(at)) this.#frame(frame);
    }
    return { about, tickHz, events: this.#events };
  }

  #frame(frame: number): void {
    const clock = this.#clock;
    const { timeDilation } = clock;
    clock.ping(this.#now);

    if (!this.#hasBegun) {
      this.#hasBegun = clock.begin(this.#now, { isSpectator: false });
      const { advisedMs: firstLead, headTicks: head } = timeDilation;
      if (this.#hasBegun) {
        this.#add({ start: { firstLead: rounded(firstLead), head: rounded(head) } });
      }
      return;
    }

    // As a command would take one along. The next tick takes the pong along.
    const id = clock.piggybackPing(this.#now);
    if (id !== undefined) this.#onPing(id, this.#tickMs * this.#random.fraction());
    if (frame % FRAMES_PER_ROW !== 0) return;
    timeDilation.advance(this.#now);
    this.#add({
      advance: { head: rounded(timeDilation.headTicks), lead: rounded(timeDilation.leadMs) },
    });
  }

  /** A ping leaves now. @param heldMs how long it waits on the server */
  #onPing(id: number, heldMs: number): void {
    const { delays, serverAhead = () => 0 } = this.#scenario;
    const at = this.#now;
    this.#add({ ping: id });
    const { up, down } = delays(id, at, this.#random);
    if (up === Infinity) return;
    const held = Math.round(heldMs / this.#tickMs * UNITS_PER_TICK);
    const sentAt = at + up + held * this.#tickMs / UNITS_PER_TICK;
    const clock = Math.floor(
      (sentAt + 20_000 + serverAhead(sentAt)) / this.#tickMs * UNITS_PER_TICK,
    );
    this.#arrivals.push({
      at: Math.round((sentAt + down) * 8) / 8,
      deliver: () => this.#onPong({ id, clock, held }),
    });
  }

  #onPong(pong: { id: number; clock: number; held: number }): void {
    const { id, clock, held } = pong;
    this.#add({ pong });
    this.#clock.pong(this.#now, {
      id,
      serverTicks: clock / UNITS_PER_TICK,
      waitedTicks: held / UNITS_PER_TICK,
    });
  }

  /** An advised lead of 0 is none. */
  #onAdvice(lead: number): void {
    this.#add({ advice: lead });
    if (lead > 0) this.#clock.advise(this.#now, dequantizeLead(lead));
  }

  #deliverUntil(at: number): void {
    this.#arrivals.sort((a, b) => a.at - b.at);
    while (this.#arrivals.length > 0 && this.#arrivals[0]!.at <= at) {
      const arrival = this.#arrivals.shift()!;
      this.#now = arrival.at;
      arrival.deliver();
    }
  }

  #add(kind: ClockEventKind): void {
    this.#events.push({ at: this.#now, ...kind });
  }
}

/** To a millionth: far less than the tolerance of the vectors. */
function rounded(value: number): number {
  return Number(value.toFixed(6));
}
