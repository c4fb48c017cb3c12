/**
 * The authority of one match: S(n) = f(S(n-1), C(n)), once per tick, never back. What it ran is definitive for ever.
 *
 * A socket's callback only leaves its message in a member's inbox; `run` and `tell` do everything else, in one order.
 */
import { CodeWriter, hashOfSnapshot, WireError } from "../../shared/netcode/wire/range_coder.ts";
import type { Game, Simulation, Tick } from "../../shared/netcode/game.ts";
import type { Link } from "../../shared/netcode/link.ts";
import { type Announcement, CloseCode, type Hello } from "../../shared/netcode/wire/messages.ts";
import { encodeWelcome } from "../../shared/netcode/wire/server_messages.ts";
import { UpDecoder } from "../../shared/netcode/wire/client_messages.ts";
import { Timeline } from "../../shared/netcode/timeline.ts";
import { Snapshot } from "../../shared/snapshot.ts";
import type { Arrival } from "./clients/received_commands.ts";
import { BodyFeed } from "./broadcast/body_broadcaster.ts";
import { Director, queueTicksFor } from "./seats/npc_controller.ts";
import { Feed, type Telling } from "./broadcast/tick_broadcaster.ts";
import { handoverAt } from "./seats/join_state.ts";
import { COUNT_OF_VERDICT, type MatchCounts, newMatchCounts } from "./match_stats.ts";
import type { Joining, MatchOptions } from "./match_options.ts";
import { Member } from "./clients/client.ts";
import { PingAnswers } from "./clients/ping_responder.ts";
import type { Player } from "./seats/player.ts";
import { Presence } from "./seats/presence.ts";
import { Seats } from "./seats/seats.ts";

/** Eyes cost as much to feed as players: twice as many are welcome. */
const WATCHERS_MAX = 32;

/**
 * The closes after which a seat is not held: of who says that he leaves (1000, RFC 6455 §7.4.1), and of who said what no
 * honest client says: sixteen strangers could fill a room with it.
 */
const FINAL_CLOSES: ReadonlySet<number> = new Set([1000, CloseCode.protocol, CloseCode.flood]);

/** One match: its simulation, who is connected, and what they are told. */
export class Match<Command> {
  readonly #game: Game<Command>;
  readonly #options: MatchOptions;
  readonly #simulation: Simulation<Command>;
  readonly #timeline: Timeline<Command>;
  readonly #presence: Presence<Command>;
  readonly #director: Director<Command>;
  readonly #seats: Seats<Command>;
  readonly #feed: Feed<Command>;
  readonly #snapshot = new Snapshot();
  readonly #answers: PingAnswers;
  readonly #answer = new CodeWriter();
  /** Who is connected, in the order they came. */
  readonly #members = new Set<Member<Command>>();
  /** News since the last tick message. */
  #newAnnouncements: Announcement<Command>[] = [];
  #dueMs: number;

  readonly counts: MatchCounts = newMatchCounts();

  constructor(game: Game<Command>, options: MatchOptions) {
    this.#game = game;
    this.#options = options;
    this.#dueMs = options.dueMs ?? options.clock.now();
    const simulation = game.start({ npcs: options.npcs }, options.seed);
    const timeline = new Timeline(game);
    timeline.begin(simulation.tick, []);
    const presence = new Presence(timeline);
    const director = new Director({
      game,
      simulation,
      timeline,
      presence,
      onCommand: (seat, tick, command) => this.#newAnnouncements.push({ seat, tick, command }),
    });
    this.#simulation = simulation;
    this.#timeline = timeline;
    this.#presence = presence;
    this.#director = director;
    this.#answers = new PingAnswers(this, { clock: options.clock, tickHz: game.tickHz });
    this.#seats = new Seats({ tickHz: game.tickHz, timeline, presence, director, drawToken: options.drawToken });
    this.#feed = new Feed(game.command, { bodies: BodyFeed.of(game, simulation), deflate: options.deflate });
    director.direct(0);
  }

  /** The newest definitive tick. */
  get tick(): Tick {
    return this.#simulation.tick;
  }

  /** When it was due, ms. */
  get dueMs(): number {
    return this.#dueMs;
  }

  get seed(): number {
    return this.#options.seed;
  }

  /** How many ticks ahead NPCs' commands are announced for the clients' sake; their minds' reaction may ask for more. */
  get npcQueueTicks(): number {
    return queueTicksFor(this.#members);
  }

  /** Connected clients, watchers among them. */
  get memberCount(): number {
    return this.#members.size;
  }

  /**
   * Takes over a link: of a player who comes back to his seat, of a watcher, or of a newcomer, who gets a free seat and is in
   * the game a little after his first command.
   * @returns false where every place is taken
   */
  join(link: Link, { name, watch, streams, resume }: Joining): boolean {
    const owner = resume === undefined ? undefined : this.#seats.ownerOf(resume);
    if (owner !== undefined) this.#bringBack(owner);
    const player = owner ?? (watch ? undefined : this.#seats.sit(name, this.tick));
    if (player === undefined && (!watch || this.watcherCount >= WATCHERS_MAX)) return false;
    const member = new Member(link, player, this.#streamOf(streams));
    if (player !== undefined) player.link = link;
    this.#members.add(member);
    const decoder = new UpDecoder(this.#game.command, link);
    link.onMessage((bytes) => this.#receive(member, { bytes, decoder }));
    link.onClose((code) => this.#lose(member, code));
    const { npcs, seed, drawToken } = this.#options;
    link.sendReliably(encodeWelcome(
      { kind: "welcome", seat: player?.seat, resume: player?.resume ?? drawToken(), npcs, seed },
      this.#answer,
    ));
    return true;
  }

  /** Runs the next tick and tells it. @param dueMs its absolute deadline on the clock; commands' slack is measured against it */
  tickOnce(dueMs: number): void {
    this.run(dueMs);
    this.tell();
  }

  /** Runs the next tick; `tell` must follow before another one. @param dueMs as for `tickOnce` */
  run(dueMs: number): void {
    const tick = this.tick + 1;
    this.#dueMs = dueMs;
    this.#takeCommands(tick);
    this.#timeline.resolve(tick);
    this.#simulation.step(this.#timeline.commands(tick));
    this.#simulation.save(this.#snapshot);
    const neededTicks = this.npcQueueTicks;
    this.#seats.updateReservations(tick, neededTicks);
    this.#director.direct(neededTicks);
    this.counts.ticks++;
  }

  /** Tells everybody of the tick that has just run. */
  tell(): void {
    const tick = this.tick;
    this.#presence.applyDue(tick);
    const telling: Telling<Command> = {
      tick,
      hash: hashOfSnapshot(this.#snapshot),
      presence: this.#presence.news,
      announcements: this.#newAnnouncements,
      isRetold: this.#hasDatagrams,
      handover: () =>
        handoverAt(tick, { timeline: this.#timeline, presence: this.#presence, snapshot: this.#snapshot }),
      pongTo: (member) => this.#answers.heldPong(member),
    };
    this.#feed.begin(telling);
    for (const member of this.#members) this.#tellMember(telling, member);
    this.#newAnnouncements = [];
    this.#presence.told();
  }

  /** Ends the match for everybody. */
  close(code: number, reason: string): void {
    for (const member of [...this.#members]) member.link.close(code, reason);
  }

  #streamOf(streams: Hello["streams"] = "no"): Hello["streams"] | "always" {
    if (!this.#feed.hasStream || streams === "no") return "no";
    return this.#options.stream === "state" ? "always" : streams;
  }

  /** The newest line of a player is his line. */
  #bringBack(player: Player<Command>): void {
    player.link?.close(CloseCode.replaced, "you came in elsewhere");
    this.#seats.welcomeBack(player);
  }

  /** Whether somebody's link is of datagrams. */
  get #hasDatagrams(): boolean {
    for (const { link } of this.#members) if (!link.ordered) return true;
    return false;
  }

  /** Who is connected and has no seat. */
  get watcherCount(): number {
    let count = 0;
    for (const { player } of this.#members) if (player === undefined) count++;
    return count;
  }

  #receive(member: Member<Command>, { bytes, decoder }: { bytes: Uint8Array; decoder: UpDecoder<Command> }): void {
    this.counts.bytesUp += bytes.length;
    try {
      this.#sort(member, decoder.decode(bytes));
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      member.link.close(CloseCode.protocol, error.message);
    }
  }

  #sort(member: Member<Command>, message: ReturnType<UpDecoder<Command>["decode"]>): void {
    if (message.kind === "ping") return member.link.send(this.#answers.pong(message.id));
    if (message.received > this.tick) throw new WireError("has received a tick that has not been run");
    if (message.kind === "report") return member.report(message);
    const isEmpty = message.kind === "commands" && message.commands.length === 0;
    if (member.player === undefined && !isEmpty) throw new WireError("a command without a seat");
    // Datagrams are doubled by the net, too: one too many is as good as lost.
    if (member.receive(message, this.#options.clock.now()) || !member.link.ordered) return;
    member.link.close(CloseCode.flood, "too many messages");
  }

  #lose(member: Member<Command>, code: number): void {
    this.#members.delete(member);
    member.link.onMessage(() => {}); // whatever may still come by it
    const { player } = member;
    // A line that another one has replaced takes nothing with it.
    if (player?.link !== member.link) return;
    // What had arrived counts, wherever its sender is now.
    this.#takeArrivals(member, this.tick + 1);
    player.link = undefined;
    player.lostAt = this.tick;
    player.hasLeft = FINAL_CLOSES.has(code);
  }

  #takeCommands(tick: Tick): void {
    for (const member of this.#members) {
      this.#takeArrivals(member, tick);
      member.endTick(tick);
    }
  }

  #takeArrivals(member: Member<Command>, nextTick: Tick): void {
    for (let i = 0; i < member.arrived; i++) this.#takeArrival(member, member.inbox[i]!, nextTick);
    member.arrived = 0;
  }

  #takeArrival(member: Member<Command>, arrival: Arrival<Command>, nextTick: Tick): void {
    const { tick, command, commands, ping } = arrival;
    member.confirm(arrival);
    member.heed(arrival);
    if (ping !== undefined) member.ping = { id: ping, atMs: arrival.atMs };
    if (commands === undefined) return this.#takeCommand(member, { tick, command: command!, arrival, nextTick });
    for (let i = commands.length - 1; i >= 0; i--) {
      this.#takeCommand(member, { tick: tick - i, command: commands[i]!, arrival, nextTick });
    }
  }

  #takeCommand(
    member: Member<Command>,
    { tick, command, arrival, nextTick }: { tick: Tick; command: Command; arrival: Arrival<Command>; nextTick: Tick },
  ): void {
    const { queue, seat } = member.player!;
    const verdict = queue.offer(command, { tick, nextTick });
    // What a datagram says once more is no offence: it is how nothing gets lost.
    if (verdict !== "duplicate" || member.link.ordered) this.counts[COUNT_OF_VERDICT[verdict]]++;
    if (verdict === "taken") this.#newAnnouncements.push({ seat, tick, command });
    if (verdict === "tooFarAhead" || verdict === "duplicate") return;
    member.observe(arrival, { tick, dueMs: this.#dueMs + (tick - nextTick) * 1000 / this.#game.tickHz });
  }

  #tellMember(telling: Telling<Command>, member: Member<Command>): void {
    if (this.#isTooSlow(member)) return;
    if (this.#options.stream === "state" && member.bodies === undefined) member.needsState = true;
    else if (!this.#feed.reaches(member, telling.tick)) member.fallBehind();
    if (member.needsState) this.counts.statesSent++;
    const bytes = this.#feed.send(telling, member);
    member.backlog.told(telling.tick, bytes);
    this.counts.bytesDown += bytes;
  }

  /** A reader that does not keep up costs nobody else a tick: it is skipped, resynchronised by state, and at last closed. */
  #isTooSlow(member: Member<Command>): boolean {
    const verdict = member.backlog.judge(member.link.bufferedBytes);
    if (verdict === "tell") return false;
    if (verdict === "close") member.link.close(CloseCode.tooSlow, "reads too slowly");
    // A datagram tells again what was skipped before it.
    if (member.link.ordered) member.beginAnew();
    this.counts.skipped++;
    return true;
  }
}
