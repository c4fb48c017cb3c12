/** A line whose owner meddles with what goes up: he holds commands back, lets them go in bursts, or lies in them. */
import type { Codec } from "../../../shared/netcode/game.ts";
import type { Clock } from "../../../shared/netcode/link.ts";
import type { LineModel } from "../../../shared/netcode/simulated_network/network_model.ts";
import { ModelledLink } from "../../../shared/netcode/simulated_network/simulated_link.ts";
import type { CommandMessage, CommandsMessage } from "../../../shared/netcode/wire/messages.ts";
import { UpDecoder, UpEncoder } from "../../../shared/netcode/wire/client_messages.ts";
import type { LocalLink } from "./local_link.ts";

/** What a cheat knows when he sends a command. */
export interface Moment {
  readonly nowMs: number;
  /** Metres to the other dragon. */
  readonly distance: number;
}

type WithCommands<Command> = CommandMessage<Command> | CommandsMessage<Command>;
/** What a command message says beside commands. */
type Claims = Pick<WithCommands<unknown>, "leadMs" | "received">;

/** A way to cheat. */
export interface Cheat {
  readonly name: string;
  /** When a command that is ready now goes out, ms. */
  readonly releasesAtMs?: (moment: Moment) => number;
  readonly claims?: (claims: Claims, moment: Moment) => Claims;
}

const DELAY_MS = 150;
const BURST_EVERY_MS = 400;
/** The lag switch is pulled when the other one is near … */
const SWITCH_METRES = 4;
/** … for so long of every so long. */
const SWITCH_MS = 500, SWITCH_EVERY_MS = 1000;
/** The same with a twitch of the hand: as long as an assumed command still holds what was held. */
const TWITCH_METRES = 3, TWITCH_MS = 150, TWITCH_EVERY_MS = 500;
/** The largest lead that a message can claim. */
const LEAD_MS_MAX = 4095;

/** Those that the must-shows name. */
export const CHEATS: readonly Cheat[] = [
  { name: "delay", releasesAtMs: ({ nowMs }) => nowMs + DELAY_MS },
  { name: "burst", releasesAtMs: ({ nowMs }) => Math.ceil(nowMs / BURST_EVERY_MS) * BURST_EVERY_MS },
  { name: "withhold", releasesAtMs: switching({ metres: SWITCH_METRES, ms: SWITCH_MS, everyMs: SWITCH_EVERY_MS }) },
  {
    name: "withhold briefly",
    releasesAtMs: switching({ metres: TWITCH_METRES, ms: TWITCH_MS, everyMs: TWITCH_EVERY_MS }),
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

/** A lag switch. */
function switching({ metres, ms, everyMs }: { metres: number; ms: number; everyMs: number }) {
  return ({ nowMs, distance }: Moment): number => {
    const sinceMs = nowMs % everyMs;
    return distance < metres && sinceMs < ms ? nowMs - sinceMs + ms : nowMs;
  };
}

interface Held {
  readonly message: Uint8Array;
  readonly atMs: number;
}

export class CheatingLink<Command> extends ModelledLink {
  readonly #options: {
    readonly cheat: Cheat | undefined;
    readonly codec: Codec<Command>;
    readonly clock: Clock;
    readonly distance: () => number;
  };
  readonly #held: Held[] = [];
  readonly #decoder: UpDecoder<Command>;
  readonly #encoder: UpEncoder<Command>;

  constructor(
    inner: LocalLink,
    options: {
      readonly model: LineModel;
      readonly seed: number;
      readonly clock: Clock;
      readonly cheat: Cheat | undefined;
      readonly codec: Codec<Command>;
      readonly distance: () => number;
    },
  ) {
    super(inner, options);
    this.#options = options;
    this.#decoder = new UpDecoder(options.codec, this);
    this.#encoder = new UpEncoder(options.codec, this);
  }

  override send(bytes: Uint8Array): void {
    const { cheat, clock, distance } = this.#options;
    const message = this.#decoder.decode(bytes);
    if (cheat === undefined || (message.kind !== "command" && message.kind !== "commands")) return super.send(bytes);
    const moment = { nowMs: clock.now(), distance: distance() };
    const said = cheat.claims === undefined
      ? bytes
      : this.#encoder.encode({ ...message, ...cheat.claims(message, moment) });
    const atMs = Math.max(cheat.releasesAtMs?.(moment) ?? moment.nowMs, this.#held.at(-1)?.atMs ?? 0);
    if (atMs <= moment.nowMs) super.send(said);
    else this.#held.push({ message: said.slice(), atMs });
  }

  override get nextDueMs(): number {
    return Math.min(super.nextDueMs, this.#held[0]?.atMs ?? Infinity);
  }

  override advance(nowMs: number): void {
    while (this.#held.length > 0 && this.#held[0]!.atMs <= nowMs) super.send(this.#held.shift()!.message);
    super.advance(nowMs);
  }
}
