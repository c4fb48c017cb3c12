/**
 * The link of a player who cheats: it delays commands, sends them in bursts, or attaches false
 * claims.
 */
import type { Codec } from "../../../../shared/netcode/game.ts";
import type { Clock } from "../../../../shared/netcode/link.ts";
import type { NetworkModel } from "../../../../shared/netcode/simulated_network/network_model.ts";
import { SimulatedLink } from "../../../../shared/netcode/simulated_network/simulated_link.ts";
import type { CommandMessage, CommandsMessage } from "../../../../shared/netcode/wire/messages.ts";
import {
  ClientMessageDecoder,
  ClientMessageEncoder,
} from "../../../../shared/netcode/wire/client_messages.ts";
import type { LocalLink } from "../../../../shared/netcode/simulated_network/local_link.ts";

/** What a cheat knows when it decides about a command. */
export interface CheatContext {
  readonly nowMs: number;
  /** Metres to the other dragon. */
  readonly distance: number;
}

type WithCommands<Command> = CommandMessage<Command> | CommandsMessage<Command>;
/** What a command message claims besides its commands. */
type Claims = Pick<WithCommands<unknown>, "leadMs" | "received">;

/** A way to cheat: it changes when commands are sent, what they claim, or both. */
export interface Cheat {
  readonly name: string;
  /** When a command that is ready now is sent, ms. */
  readonly releasesAtMs?: (context: CheatContext) => number;
  readonly claims?: (claims: Claims, context: CheatContext) => Claims;
}

const DELAY_MS = 150;
const BURST_EVERY_MS = 400;
/** The lag switch is on while the other dragon is nearer than this … */
const SWITCH_METRES = 4;
/** … for the first part of each period, ms. */
const SWITCH_MS = 500;
const SWITCH_EVERY_MS = 1000;
/** A short lag switch, only as long as assumed commands repeat held controls. */
const SHORT_SWITCH_METRES = 3;
const SHORT_SWITCH_MS = 150;
const SHORT_SWITCH_EVERY_MS = 500;
/** The largest lead that a message can claim. */
const LEAD_MS_MAX = 4095;

/** Every cheat of `deno task lab cheats`. */
export const CHEATS: readonly Cheat[] = [
  { name: "delay", releasesAtMs: ({ nowMs }) => nowMs + DELAY_MS },
  {
    name: "burst",
    releasesAtMs: ({ nowMs }) => Math.ceil(nowMs / BURST_EVERY_MS) * BURST_EVERY_MS,
  },
  {
    name: "withhold",
    releasesAtMs: lagSwitch({ metres: SWITCH_METRES, ms: SWITCH_MS, everyMs: SWITCH_EVERY_MS }),
  },
  {
    name: "withhold briefly",
    releasesAtMs: lagSwitch({
      metres: SHORT_SWITCH_METRES,
      ms: SHORT_SWITCH_MS,
      everyMs: SHORT_SWITCH_EVERY_MS,
    }),
  },
  { name: "clock liar: lead 0", claims: (claims) => ({ ...claims, leadMs: 0 }) },
  {
    name: "clock liar: lead too long",
    claims: (claims) => ({ ...claims, leadMs: Math.min(LEAD_MS_MAX, claims.leadMs + 400) }),
  },
  {
    name: "clock liar: lead up and down, ticks not received",
    claims: ({ leadMs, received }, { nowMs }) => ({
      leadMs: nowMs % 4000 < 2000 ? leadMs + 1000 : 0,
      received: Math.max(0, received - 20),
    }),
  },
];

/**
 * Delays commands during the first `ms` of each period while the other dragon is nearer than
 * `metres`.
 */
function lagSwitch({ metres, ms, everyMs }: { metres: number; ms: number; everyMs: number }) {
  return ({ nowMs, distance }: CheatContext): number => {
    const sinceMs = nowMs % everyMs;
    return distance < metres && sinceMs < ms ? nowMs - sinceMs + ms : nowMs;
  };
}

interface DelayedMessage {
  readonly message: Uint8Array;
  readonly atMs: number;
}

export class CheatingLink<Command> extends SimulatedLink {
  readonly #options: {
    readonly cheat: Cheat | undefined;
    readonly codec: Codec<Command>;
    readonly clock: Clock;
    readonly distance: () => number;
  };
  readonly #delayed: DelayedMessage[] = [];
  readonly #decoder: ClientMessageDecoder<Command>;
  readonly #encoder: ClientMessageEncoder<Command>;

  constructor(
    inner: LocalLink,
    options: {
      readonly model: NetworkModel;
      readonly seed: number;
      readonly clock: Clock;
      readonly cheat: Cheat | undefined;
      readonly codec: Codec<Command>;
      readonly distance: () => number;
    },
  ) {
    super(inner, options);
    this.#options = options;
    this.#decoder = new ClientMessageDecoder(options.codec, this);
    this.#encoder = new ClientMessageEncoder(options.codec, this);
  }

  override send(bytes: Uint8Array): void {
    const { cheat, clock, distance } = this.#options;
    const message = this.#decoder.decode(bytes);
    if (cheat === undefined || (message.type !== "command" && message.type !== "commands")) {
      return super.send(bytes);
    }
    const context = { nowMs: clock.now(), distance: distance() };
    const forged = cheat.claims === undefined
      ? bytes
      : this.#encoder.encode({ ...message, ...cheat.claims(message, context) });
    const atMs = Math.max(
      cheat.releasesAtMs?.(context) ?? context.nowMs,
      this.#delayed.at(-1)?.atMs ?? 0,
    );
    if (atMs <= context.nowMs) super.send(forged);
    else this.#delayed.push({ message: forged.slice(), atMs });
  }

  override get nextDueMs(): number {
    return Math.min(super.nextDueMs, this.#delayed[0]?.atMs ?? Infinity);
  }

  override advance(nowMs: number): void {
    while (this.#delayed.length > 0 && this.#delayed[0]!.atMs <= nowMs) {
      super.send(this.#delayed.shift()!.message);
    }
    super.advance(nowMs);
  }
}
