/** Who has a player's seat: his queue and his dragon stay his while his line is lost. */
import type { SeatId, Tick } from "../../../shared/netcode/game.ts";
import type { Link } from "../../../shared/netcode/link.ts";
import type { ResumeToken } from "../../../shared/netcode/wire/messages.ts";
import type { Timeline } from "../../../shared/netcode/timeline.ts";
import { CommandQueue } from "../clients/command_queue.ts";

/** One player, from his first hello until his seat is free again. */
export class Player<Command> {
  readonly seat: SeatId;
  readonly name: string;
  readonly resume: ResumeToken;
  readonly queue: CommandQueue<Command>;
  /** His line; undefined while it is lost. */
  link: Link | undefined;
  /** The tick from which he is in the game; undefined until his first command. */
  entersAt: Tick | undefined;
  /** The tick at which his line was lost; undefined while it is there. */
  disconnectedAt: Tick | undefined;
  /** He said that he leaves: nothing is held for him. */
  hasLeft = false;
  /** An NPC's mind flies for him. */
  isBotControlled = false;

  constructor(options: { seat: SeatId; name: string; resume: ResumeToken; timeline: Timeline<Command> }) {
    this.seat = options.seat;
    this.name = options.name;
    this.resume = options.resume;
    this.queue = new CommandQueue(options.seat, options.timeline);
  }
}
