/**
 * The authority of one match: S(n) = f(S(n-1), C(n)), once per tick, never back. What it ran is definitive for ever.
 *
 * A socket's callback only leaves its message in a member's inbox; `tick` does everything else, in one order.
 */
import { BitWriter, hashOfSnapshot, WireError } from "../../shared/netcode/bytes.ts";
import { type Game, PLAYER_SEATS, SEATS, type Simulation, type Tick } from "../../shared/netcode/game.ts";
import type { Clock, Link } from "../../shared/netcode/link.ts";
import { type Announcement, CloseCode, type Ping, type StateHandover } from "../../shared/netcode/protocol.ts";
import { encodePong, encodeWelcome } from "../../shared/netcode/protocol_down.ts";
import { decodeUp } from "../../shared/netcode/protocol_up.ts";
import { COMMANDS_AHEAD_TICKS_MAX, Timeline } from "../../shared/netcode/timeline.ts";
import { Snapshot } from "../../shared/snapshot.ts";
import { Director, NPC_QUEUE_TICKS_MAX } from "./director.ts";
import { Feed, type Telling } from "./feed.ts";
import { Presence } from "./presence.ts";
import { type Arrival, INBOX_MESSAGES_MAX, Member } from "./member.ts";

export interface MatchOptions {
  /** NPC seats from the start, 0 … 16. */
  readonly npcs: number;
  /** Unsigned, 32 bits. */
  readonly seed: number;
  /** "state" sends the whole state to everyone each tick instead of only when it is needed. */
  readonly stream: "commands" | "state";
  readonly clock: Clock;
}

/** Unsent bytes from which a reader is too slow for ticks and waits for a fresh state: some 1,500 ticks' worth. */
const SKIP_BYTES = 64 * 1024;
/** Unsent bytes, and for how many ticks, that end a link: five seconds at 20 Hz. */
const CLOSE_BYTES = 256 * 1024;
const CLOSE_TICKS = 100;

/** Counts since the match began. */
export interface MatchCounts {
  commandsTaken: number;
  commandsLate: number;
  commandsRefused: number;
  statesSent: number;
  skipped: number;
}

export class Match<Command> {
  readonly #game: Game<Command>;
  readonly #options: MatchOptions;
  readonly #simulation: Simulation<Command>;
  readonly #timeline: Timeline<Command>;
  readonly #director: Director<Command>;
  readonly #feed: Feed<Command>;
  readonly #snapshot = new Snapshot();
  readonly #pong = new BitWriter();

  /** By seat; who is connected. */
  readonly #members: (Member<Command> | undefined)[] = new Array(PLAYER_SEATS).fill(undefined);
  /** By seat: the tick from which nobody sits there any more. */
  readonly #freeFrom: Tick[] = new Array(PLAYER_SEATS).fill(0);
  readonly #presence: Presence<Command>;
  /** Those gone since the last tick. */
  readonly #leavers: Member<Command>[] = [];

  /** News since the last tick message. */
  #newAnnouncements: Announcement<Command>[] = [];
  /** When the newest tick was due, ms. */
  #dueMs: number;

  readonly counts: MatchCounts = { commandsTaken: 0, commandsLate: 0, commandsRefused: 0, statesSent: 0, skipped: 0 };

  constructor(game: Game<Command>, options: MatchOptions) {
    this.#game = game;
    this.#options = options;
    this.#dueMs = options.clock.now();
    this.#simulation = game.start({ npcs: options.npcs }, options.seed);
    this.#timeline = new Timeline(game);
    this.#timeline.begin(this.#simulation.tick, []);
    this.#presence = new Presence(this.#timeline);
    this.#feed = new Feed(game.command);
    this.#director = new Director({
      game,
      simulation: this.#simulation,
      timeline: this.#timeline,
      audience: {
        onEnter: (seat, tick) => this.#presence.enter(seat, tick),
        onCommand: (seat, tick, command) => this.#newAnnouncements.push({ seat, tick, command }),
      },
    });
    this.#director.direct(0);
  }

  /** The newest definitive tick. */
  get tick(): Tick {
    return this.#simulation.tick;
  }

  get seed(): number {
    return this.#options.seed;
  }

  /** Connected clients. */
  get memberCount(): number {
    return this.#members.filter((member) => member !== undefined).length;
  }

  /**
   * Gives a newcomer a seat and takes over its link. It is in the game a little after its first command.
   * @returns false where every seat is taken
   */
  join(link: Link, name: string): boolean {
    const seat = this.#members.findIndex((member, seat) => member === undefined && this.#freeFrom[seat]! <= this.tick);
    if (seat < 0) return false;
    const member = new Member<Command>({ seat, name, link, timeline: this.#timeline });
    this.#members[seat] = member;
    link.onMessage((bytes) => this.#receive(member, bytes));
    link.onClose(() => this.#leave(member));
    link.send(encodeWelcome(
      { kind: "welcome", seat, npcs: this.#options.npcs, seed: this.#options.seed },
      new BitWriter(),
    ));
    return true;
  }

  /** Runs the next tick. @param dueMs its absolute deadline on the clock; commands' slack is measured against it */
  tickOnce(dueMs: number): void {
    const tick = this.tick + 1;
    this.#dueMs = dueMs;
    this.#takeCommands(tick);
    this.#timeline.resolve(tick);
    this.#simulation.step(this.#timeline.commands(tick));
    this.#simulation.save(this.#snapshot);
    this.#leaveGone(tick);
    this.#enterNewcomers(tick);
    this.#director.direct(this.#neededTicks());
    this.#tell(tick);
  }

  /** Ends the match for everybody. */
  close(code: number, reason: string): void {
    for (const member of this.#members) member?.link.close(code, reason);
  }

  #receive(member: Member<Command>, bytes: Uint8Array): void {
    if (member.gone) return;
    try {
      const message = decodeUp(bytes, this.#game.command);
      if (message.kind === "ping") return this.#answer(member, message);
      if (message.kind === "hello") throw new WireError("a second hello");
      if (message.received > this.tick) throw new WireError("has received a tick that has not been run");
      if (member.inbox.length >= INBOX_MESSAGES_MAX) return member.link.close(CloseCode.flood, "too many messages");
      member.inbox.push({ message, atMs: this.#options.clock.now() });
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      member.link.close(CloseCode.protocol, error.message);
    }
  }

  /** At once, not in the tick: a pong that waited would measure the wait. */
  #answer(member: Member<Command>, ping: Ping): void {
    const sinceDueTicks = (this.#options.clock.now() - this.#dueMs) * this.#game.tickHz / 1000;
    // A room that was empty has not ticked for long: its next tick is at most one away all the same.
    const serverTicks = this.tick + Math.min(1, Math.max(0, sinceDueTicks));
    member.link.send(encodePong({ kind: "pong", id: ping.id, serverTicks }, this.#pong));
  }

  #leave(member: Member<Command>): void {
    member.gone = true;
    this.#leavers.push(member);
  }

  #takeCommands(tick: Tick): void {
    for (const member of this.#members) {
      if (member === undefined) continue;
      for (const arrival of member.inbox) this.#takeCommand(member, arrival, tick);
      member.inbox.length = 0;
      member.age();
    }
  }

  #takeCommand(member: Member<Command>, arrival: Arrival<Command>, nextTick: Tick): void {
    const { tick, command } = arrival.message;
    const dueMs = this.#dueMs + (tick - nextTick) * 1000 / this.#game.tickHz;
    const verdict = member.queue.offer(command, { tick, nextTick });
    switch (verdict) {
      case "taken":
        this.counts.commandsTaken++;
        this.#newAnnouncements.push({ seat: member.seat, tick, command });
        break;
      case "late":
        this.counts.commandsLate++;
        break;
      default:
        this.counts.commandsRefused++;
        return;
    }
    member.observe(arrival, dueMs);
  }

  /** Leaving is announced, too, and comes after everything that was promised. */
  #leaveGone(tick: Tick): void {
    for (const member of this.#leavers) {
      const { seat, entersAt } = member;
      this.#members[seat] = undefined;
      this.#freeFrom[seat] = tick;
      if (entersAt === undefined) continue;
      const from = Math.max(tick + 1 + this.#neededTicks(), member.queue.newestTick + 1, entersAt + 1);
      this.#presence.leave(seat, from);
      this.#freeFrom[seat] = from;
    }
    this.#leavers.length = 0;
  }

  #enterNewcomers(tick: Tick): void {
    for (const member of this.#members) {
      if (member === undefined || member.entersAt !== undefined || member.queue.newestTick < 0) continue;
      member.entersAt = tick + 1 + this.#neededTicks();
      this.#presence.enter(member.seat, member.entersAt, member.name);
    }
  }

  /** How far ahead the slowest client must be told of commands; one tick more than was ever needed lately. */
  #neededTicks(): number {
    let needed = 0;
    for (const member of this.#members) if (member !== undefined) needed = Math.max(needed, member.neededTicks);
    return Math.min(NPC_QUEUE_TICKS_MAX, needed + 1);
  }

  #tell(tick: Tick): void {
    this.#presence.settle(tick);
    const telling: Telling<Command> = {
      tick,
      hash: hashOfSnapshot(this.#snapshot),
      presence: this.#presence.news,
      announcements: this.#newAnnouncements,
      handover: () => ({
        state: this.#handover(tick),
        presence: this.#presence.pending,
        announcements: this.#announcedBeyond(tick),
      }),
    };
    this.#feed.begin(telling);
    for (const member of this.#members) if (member !== undefined && !member.gone) this.#tellMember(telling, member);
    this.#newAnnouncements = [];
    this.#presence.told();
  }

  #tellMember(telling: Telling<Command>, member: Member<Command>): void {
    if (this.#isTooSlow(member)) return;
    if (this.#options.stream === "state") member.needsState = true;
    if (member.needsState) this.counts.statesSent++;
    this.#feed.send(telling, member);
  }

  /** A reader that does not keep up costs nobody else a tick: it is skipped, resynchronised by state, and at last closed. */
  #isTooSlow(member: Member<Command>): boolean {
    const unsent = member.link.bufferedBytes;
    member.slowTicks = unsent > CLOSE_BYTES ? member.slowTicks + 1 : 0;
    if (member.slowTicks > CLOSE_TICKS) member.link.close(CloseCode.tooSlow, "reads too slowly");
    if (unsent <= SKIP_BYTES) return false;
    member.needsState = true;
    this.counts.skipped++;
    return true;
  }

  #handover(tick: Tick): StateHandover<Command> {
    const seats = this.#timeline.recordsAt(tick).map((record) => ({
      ...record,
      name: this.#presence.nameOf(record.seat),
    }));
    return { seats, snapshot: this.#snapshot.bytes() };
  }

  #announcedBeyond(tick: Tick): Announcement<Command>[] {
    const announcements: Announcement<Command>[] = [];
    for (let ahead = tick + 1; ahead <= tick + COMMANDS_AHEAD_TICKS_MAX; ahead++) {
      for (let seat = 0; seat < SEATS; seat++) {
        const command = this.#timeline.announcedAt(ahead, seat);
        if (command !== undefined) announcements.push({ seat, tick: ahead, command });
      }
    }
    return announcements;
  }
}
