/**
 * The authority of one match. It computes each S(n) = f( S(n−1), C(n) ) once and never rolls back:
 * the result is definitive (DESIGN 1).
 *
 * A link's callback decodes a message and puts its commands into the client's inbox. `run` and
 * `broadcast` then process all clients in one order (DESIGN 5). The callback itself handles only
 * pings, sync reports and protocol violations.
 */
import { CodeWriter, hashOfSnapshot } from "../../shared/netcode/wire/range_coder.ts";
import { roomChoicesOf } from "../../shared/netcode/choices.ts";
import { checkCodecOnce } from "../../shared/netcode/codec_check.ts";
import { type Game, playersOf, type Simulation, type Tick } from "../../shared/netcode/game.ts";
import type { HostLink } from "../../shared/netcode/link.ts";
import type { LoggedPlayer, LogState } from "../../shared/netcode/match_log/records.ts";
import { rulesOf } from "../../shared/netcode/own_npcs.ts";
import {
  type Announcement,
  CloseCode,
  type ResumeToken,
} from "../../shared/netcode/wire/messages.ts";
import {
  encodeNotice,
  encodeOffer,
  encodeWelcome,
} from "../../shared/netcode/wire/server_messages.ts";
import { ClientMessageDecoder } from "../../shared/netcode/wire/client_messages.ts";
import { Timeline } from "../../shared/netcode/timeline.ts";
import { Snapshot } from "../../shared/snapshot.ts";
import {
  getsEarlyAnnouncements,
  sendEarly,
  urgentCommands,
} from "./broadcast/early_announcements.ts";
import { BodyBroadcaster } from "./broadcast/body_broadcaster.ts";
import { NpcController, queueTicksFor } from "./seats/npc_controller.ts";
import { type TickBroadcast, TickBroadcaster } from "./broadcast/tick_broadcaster.ts";
import { announcedBeyond, joinStateAt } from "../../shared/netcode/join_state.ts";
import { type MatchStats, newMatchStats } from "./match_stats.ts";
import { LOCAL_PEER } from "./clients/peer.ts";
import type { JoinRequest, MatchOptions, MatchState } from "./match_options.ts";
import type { RecordedState, RecordedTick } from "./match_recorder.ts";
import { ContractWatch } from "./contract_watch.ts";
import { Client } from "./clients/client.ts";
import { ClientList, type ClientQueries, type SeenClient } from "./clients/client_list.ts";
import { CommandIntake } from "./clients/command_intake.ts";
import { HeldLink } from "./clients/held_link.ts";
import { MessageReader } from "./clients/message_reader.ts";
import { PingResponder } from "./clients/ping_responder.ts";
import { type Player, RESTORED_TEXT } from "./seats/player.ts";
import { npcNamesOf } from "./seats/player_names.ts";
import { isSameChange, Presence } from "../../shared/netcode/presence.ts";
import { FINAL_CLOSE_CODES, type SeatQueries, Seats } from "./seats/seats.ts";
import { LimitWatch } from "./limit_watch.ts";
import { OrderedSimulation } from "./order/ordered_simulation.ts";
import { Ordering } from "./order/ordering.ts";
import { type RoundOver, RoundWatch } from "./round_watch.ts";
import { TickTimes } from "./tick_times.ts";

/**
 * How many spectators may watch: twice as many as players, although each costs as much to serve.
 */
const SPECTATORS_MAX = 32;

/** One match: its simulation, its clients, and the messages to them. */
export class Match<Command> {
  readonly #game: Game<Command>;
  readonly #options: MatchOptions<Command>;
  readonly #simulation: Simulation<Command>;
  readonly #timeline: Timeline<Command>;
  readonly #presence: Presence<Command>;
  readonly #npcController: NpcController<Command>;
  readonly #seats: Seats<Command>;
  readonly #broadcaster: TickBroadcaster<Command>;
  readonly #snapshot = new Snapshot();
  readonly #pingResponder: PingResponder;
  readonly #messageWriter = new CodeWriter();
  /** The newest tick, as the log and clients get it. */
  #definitiveTick: TickBroadcast<Command> & RecordedTick<Command>;
  /** Connected clients, in the order in which they joined. */
  readonly #clients: ClientList<Command>;
  readonly #intake: CommandIntake<Command>;
  readonly #messageReader: MessageReader<Command>;
  /** Commands announced since the last tick message. */
  #newAnnouncements: Announcement<Command>[] = [];
  readonly #announce = (announcement: Announcement<Command>) =>
    void this.#newAnnouncements.push(announcement);
  readonly #tickTimes: TickTimes;
  readonly #rounds: RoundWatch<Simulation<Command>>;
  readonly #limits: LimitWatch;
  /** The newest tick whose state was known although nothing is simulated here. */
  #stateTick: Tick;
  /** Undefined if this server simulates the match from its beginning. */
  readonly #ordering: Ordering<Command> | undefined;

  /** Undefined except in development. */
  readonly watch: ContractWatch<Command> | undefined;
  /** The room's options, one number for each of the game's options. */
  readonly choices: readonly number[];
  readonly stats: MatchStats = newMatchStats();

  /** @throws CodecError for a game with a codec and an equality that contradict each other */
  constructor(game: Game<Command>, options: MatchOptions<Command>) {
    checkCodecOnce(game.command);
    const { tickHz } = game;
    const { clock, seed, stream } = options;
    const { stats } = this;
    this.#game = game;
    this.#options = options;
    this.choices = roomChoicesOf(game, options.choices);

    // The simulation, at its first tick or where another process left it. A server that only orders
    // commands makes one, too, but only for the match's first state.
    const { npcs, npcRandom, referee } = options;
    const gameOptions = { npcs, choices: this.choices, ...npcRandom && { npcRandom } };
    const rules = rulesOf(game, { isOrdered: referee !== undefined });
    const start = () => rules.start(gameOptions, seed);
    const started = start();
    const { from, dueMs = clock.now() } = options;
    if (from !== undefined) started.load(Snapshot.of(from.snapshot));
    const ordered = referee && new OrderedSimulation<Command>(started.tick);
    const simulation = ordered ?? started;
    this.#simulation = simulation;
    this.#stateTick = simulation.tick;

    // Its ticks: their commands, who is present, and when each tick is due
    const timeline = new Timeline(game);
    timeline.begin(simulation.tick, from?.seats ?? []);
    const presence = new Presence(timeline);
    const tickTimes = new TickTimes(simulation.tick, { tickHz, dueMs });
    this.#timeline = timeline;
    this.#presence = presence;
    this.#tickTimes = tickTimes;

    // Who plays: NPCs and the players' seats
    const npcController = new NpcController({
      game,
      simulation,
      timeline,
      presence,
      onCommand: (seat, tick, command) => this.#newAnnouncements.push({ seat, tick, command }),
    });
    this.#npcController = npcController;
    this.#seats = new Seats({
      timeline,
      presence,
      npcController: referee === undefined ? npcController : undefined,
      seats: playersOf(game).max,
      tickHz,
      seed,
      nameForms: options.nameForms,
      npcNames: npcNamesOf(game.description ?? {}),
      newToken: options.newToken,
      hashToken: options.hashToken ?? ((token) => token),
      keepsSeats: options.keepsSeats ?? false,
      idleSeconds: options.idleSeconds ?? 0,
    });

    // What reads clients' messages: commands wait for their tick
    this.#clients = new ClientList(options.observer);
    const pingResponder = new PingResponder(this, { clock, tickHz });
    this.#pingResponder = pingResponder;
    this.#messageReader = new MessageReader({
      game,
      stats,
      clock,
      pingResponder,
      stream,
      match: this,
    });
    this.#intake = new CommandIntake({
      stats,
      tickTimes,
      same: (left, right) => game.command.same(left, right),
      admitted: options.isTunable ? undefined : game.withoutTuning,
      onTaken: this.#announce,
    });

    // What broadcasts ticks
    this.#broadcaster = new TickBroadcaster(game.command, {
      bodies: ordered === undefined ? BodyBroadcaster.forGame(game, started) : undefined,
      stream,
      deflate: options.deflate,
    });

    // What watches rounds, limits and the rules' contract
    this.#rounds = new RoundWatch(
      game.rounds,
      (round, since) => options.onRoundOver?.(this.#withPlayers(round, since)),
    );
    this.#rounds.begin(started);
    this.#limits = new LimitWatch(options.onHeldBack);
    const { onFault } = options;
    this.watch = onFault && ordered === undefined
      ? new ContractWatch(game, { simulation: started, options: gameOptions, seed, onFault })
      : undefined;

    // The first definitive tick, so that clients can join at once
    if (from !== undefined) this.#restore(from);
    npcController.fillQueues(0);
    started.save(this.#snapshot);
    this.#definitiveTick = this.#describeTick();
    this.recordState();

    // What judges the match if nothing simulates it
    this.#ordering = ordered && new Ordering({
      referee: referee!,
      simulation: ordered,
      timeline,
      clock,
      tickHz,
      first: this.#firstState(),
      start,
      sendState: (client, state) => this.#sendJudgedState(client, state),
      tell: ({ link }, text) => link.sendReliably(this.#encodeNotice(text)),
      onVerdict: ({ rounds, heldBack }) => {
        rounds.forEach((round) => options.onRoundOver?.(this.#withPlayers(round)));
        heldBack.forEach((each) => options.onHeldBack?.(each));
      },
      onDifference: options.onDifference,
      onState: (known) => {
        known.save(this.#snapshot);
        this.#stateTick = known.tick;
        this.recordState();
      },
      onSimulated: (simulated) => {
        this.#rounds.begin(simulated);
        options.onSimulated?.(simulated.tick);
      },
    });
  }

  /** The state with which the match begins here, as a record of its log. */
  #firstState(): LogState<Command> {
    const { state, hash, presence, announcements, players } = this.recordedState;
    return {
      type: "state",
      tick: this.tick,
      hash,
      seats: state.seats,
      presence: [...presence],
      announcements,
      players: [...players],
      snapshot: state.snapshot.slice(),
    };
  }

  /** Sends a client a judged state, and the ticks since then. */
  #sendJudgedState(client: Client<Command>, judged: LogState<Command>): void {
    // With all that was announced since: a player who comes back continues after their newest
    // command, from the tick in which they entered.
    const { tick } = judged;
    const since = this.#timeline.changesBeyond(tick).filter((change) =>
      !judged.presence.some((each) => isSameChange(each, change))
    );
    const named = since.map((change) => ({
      ...change,
      name: change.present ? this.#presence.newestNameOf(change.seat) : "",
    }));
    const state = {
      ...judged,
      presence: [...judged.presence, ...named],
      announcements: announcedBeyond(tick, this.#timeline),
    };
    const bytes = this.#broadcaster.sendPastState(state, { client, newest: this.tick });
    this.stats.statesSent++;
    this.stats.bytesDown += bytes;
    client.onStateSent(bytes);
    client.backlog.recordSent(this.tick, client.link.ordered ? bytes : 0);
  }

  #encodeNotice(text: string): Uint8Array {
    return encodeNotice({ type: "notice", text }, this.#messageWriter);
  }

  /**
   * Writes the newest tick's state to the log, so that another process can continue from it at
   * once.
   */
  recordState(): void {
    this.#options.recorder?.state(this.#definitiveTick);
  }

  #restore(from: MatchState<Command>): void {
    for (const { seat, tick, command } of from.announcements) {
      this.#timeline.announce(tick, seat, command);
    }
    this.#presence.begin(from.seats, from.presence);
    this.#npcController.restore(from);
    this.#seats.restore(from);
  }

  /** Whether the newest tick's state is known here, so that clients can get it at once. */
  get #hasState(): boolean {
    return this.isSimulated || this.tick === this.#stateTick;
  }

  /** The newest tick's state, valid until the next tick. */
  get recordedState(): RecordedState<Command> {
    const options = {
      timeline: this.#timeline,
      presence: this.#presence,
      snapshot: this.#snapshot,
    };
    return {
      ...joinStateAt(this.tick, options),
      hash: hashOfSnapshot(this.#snapshot),
      players: this.#seats.logged,
    };
  }

  /** The players who hold a seat, as a log records them. */
  get loggedPlayers(): readonly LoggedPlayer[] {
    return this.#seats.logged;
  }

  /** The newest definitive tick. */
  get tick(): Tick {
    return this.#simulation.tick;
  }

  /** When the newest tick was due, ms. */
  get dueMs(): number {
    return this.#tickTimes.dueMs;
  }

  get seed(): number {
    return this.#options.seed;
  }

  /**
   * How many ticks ahead clients need NPCs' commands. An NPC's reaction time can make its own queue
   * longer.
   */
  get npcQueueTicks(): number {
    return queueTicksFor(this.#clients);
  }

  /** What a client that wants to play may ask before it joins. */
  get seats(): SeatQueries {
    return this.#seats;
  }

  /**
   * Counts how much of this match an address uses: seats, including reserved ones, and spectators.
   */
  placesOf(addressBlock: string): { seats: number; watchers: number } {
    return {
      seats: this.#seats.countOf(addressBlock),
      watchers: this.#clients.spectatorsOf(addressBlock),
    };
  }

  /** Who is connected. */
  get clients(): ClientQueries {
    return this.#clients;
  }

  /**
   * Sends a sentence to every client.
   * @param text at most `NOTICE_BYTES_MAX` in UTF-8
   * @returns how many clients
   */
  announce(text: string): number {
    const message = this.#encodeNotice(text);
    for (const { link } of this.#clients) link.sendReliably(message);
    this.stats.bytesDown += message.length * this.#clients.size;
    return this.#clients.size;
  }

  /** The name of the match's log; undefined without a log. */
  get matchId(): string | undefined {
    return this.#options.recorder?.matchId || undefined;
  }

  /** Whether the log holds the whole match; false without a log. */
  get isLogged(): boolean {
    return this.#options.recorder?.isOpen ?? false;
  }

  /** Whether the newest tick is between two rounds; undefined for a game without rounds. */
  get isBetweenRounds(): boolean | undefined {
    const simulation = this.#simulated;
    return simulation && this.#game.rounds?.isOver(simulation);
  }

  /** Seats reserved for players who lost their connection. */
  get reservedSeats(): number {
    return this.#seats.reservedCount;
  }

  /** Connected clients, including spectators. */
  get clientCount(): number {
    return this.#clients.size;
  }

  /**
   * Adds a client: a player who returns to their seat, a spectator, or a new player. A new player
   * gets a free seat and enters the game shortly after their first command.
   * @returns false if there is no free place
   */
  join(
    newLink: HostLink,
    { name, spectate, bodyStreamMode, resume, peer = LOCAL_PEER }: JoinRequest,
  ): boolean {
    const { ticket } = peer;

    // A seat: the player's own, or else a free one. Spectators need a spectator's place instead.
    const owner = spectate ? undefined : this.#seats.ownerOf({ resume, ticket });
    if (owner !== undefined) this.#reclaimSeat(owner, resume);
    const player = owner ??
      (spectate ? undefined : this.#seats.assign(name, { tick: this.tick, peer }));
    const isFull = ticket?.role !== "operator" && this.#clients.spectatorCount >= SPECTATORS_MAX;
    if (player === undefined && (!spectate || isFull)) return false;
    if (player !== undefined) this.#seats.identify(player, { name, account: ticket?.account });

    // The client, which gets each tick from now on
    const link = player === undefined ? newLink : this.#recordSeat(player, newLink);
    const client = new Client(link, {
      peer,
      decoder: new ClientMessageDecoder(this.#game.command, link),
      player,
      deltaState: this.#broadcaster.newDeltaState(bodyStreamMode),
      tickHz: this.#game.tickHz,
      idleSeconds: this.#options.idleSeconds ?? 0,
    });
    if (player !== undefined) player.link = link;
    this.#clients.add(client);
    this.#messageReader.attach(client);
    link.onClose((code) => this.#onLinkClosed(client, code));

    // Its welcome. A spectator gets a token too, although it does not return any seat.
    const { npcs, seed, newToken } = this.#options;
    const seated = {
      seat: player?.seat,
      isResumed: owner !== undefined,
      resume: player?.resume ?? newToken(),
    };
    const isOrdered = this.#ordering !== undefined;
    const { choices } = this;
    const welcome = { type: "welcome", ...seated, npcs, seed, choices, isOrdered } as const;
    link.sendReliably(encodeWelcome(welcome, this.#messageWriter));
    // Again over each link until a command has come, because a link may end before its client is
    // in the match.
    if (player?.isRestored) {
      const { restoredText: text = RESTORED_TEXT } = this.#options;
      link.sendReliably(this.#encodeNotice(text));
    }
    return true;
  }

  /**
   * @returns the player's link; if several machines share the log, its messages wait until the log
   * has recorded the seat (SPEC 17.114)
   */
  #recordSeat(player: Player<Command>, link: HostLink): HostLink {
    const { recorder } = this.#options;
    recorder?.seat(player);
    return recorder?.durable === undefined ? link : new HeldLink(link, () => recorder.durable);
  }

  /**
   * Ends the match's log.
   * @param reason one or two words
   * @param onReported called once its last rounds are reported: at once if this server simulates it
   */
  end(reason: string, onReported: () => void = () => {}): void {
    this.#options.recorder?.end(this.tick, reason);
    if (this.#ordering === undefined) onReported();
    else this.#ordering.end(onReported);
  }

  /** What the clients of a match prove whose server only orders; undefined in any other match. */
  get proofs(): Pick<Ordering<Command>, "onProof" | "verifiedTick"> | undefined {
    return this.#ordering;
  }

  /** Whether this server steps the game itself. */
  get isSimulated(): boolean {
    return this.#simulated !== undefined;
  }

  /** What this server steps; undefined while it only orders commands. */
  get #simulated(): Simulation<Command> | undefined {
    const simulation = this.#simulation;
    return simulation instanceof OrderedSimulation ? simulation.simulated : simulation;
  }

  /**
   * Runs the next tick. `record` and `broadcast` must follow before the next call.
   * @param dueMs due time of the tick on the clock; slack is measured against it
   * @param beganMs when the server began this tick for all its matches; by default now
   */
  run(dueMs: number, beganMs?: number): void {
    const tick = this.tick + 1;
    const nowMs = this.#options.clock.now();
    this.#tickTimes.beginTick(tick, { dueMs, nowMs, beganMs: beganMs ?? nowMs });

    // C(n): the commands that have arrived, and assumed commands for everyone else
    this.#takeInboxes(tick);
    this.#seats.completeEntries(tick, this.#announce);
    this.#timeline.resolve(tick);

    // S(n)
    this.watch?.beforeStep();
    this.#simulation.step(this.#timeline.commands(tick));
    this.#simulation.save(this.#snapshot);
    this.watch?.afterStep(this.#timeline.commands(tick), this.#snapshot);
    this.#limits.observe(this.#simulation);

    // Who plays from now on, and NPCs' commands for the ticks ahead
    const horizonTicks = this.npcQueueTicks;
    this.#seats.updateReservations(tick, horizonTicks);
    this.#npcController.fillQueues(horizonTicks);
    this.#presence.applyDue(tick);
    this.stats.ticks++;
  }

  /**
   * Encodes the tick that has just run, and writes it to the log.
   * @returns when it may be broadcast; undefined if at once
   */
  record(): Promise<void> | undefined {
    const tick = this.#definitiveTick = this.#describeTick();
    const keepsTicks = this.#ordering !== undefined || this.#clients.needsTicks;
    const delta = { presence: this.#presence.unsentChanges, announcements: this.#newAnnouncements };
    this.#broadcaster.encodeTick({ ...tick, ...delta, keepsTicks });
    this.#newAnnouncements = [];
    this.#presence.markSent();
    return this.#options.recorder?.tick(tick);
  }

  #describeTick(): TickBroadcast<Command> & RecordedTick<Command> {
    return {
      tick: this.tick,
      // 0 says nothing about a state: without one, or where clients were told so when they came.
      hash: this.#ordering === undefined ? hashOfSnapshot(this.#snapshot) : 0,
      start: this.#broadcaster.tickStart,
      joinState: () => this.#hasState ? this.recordedState : undefined,
      piggybackedPongFor: (client) => this.#pingResponder.piggybackedPong(client),
    };
  }

  /**
   * Lets a tick's time pass without running a tick, because no client is connected or the match
   * stands still.
   * @param dueMs as for `run`
   */
  pause(dueMs: number): void {
    this.#tickTimes.pause(dueMs);
    for (const client of this.#clients) client.endPausedTick();
  }

  /**
   * Adds to a round's scores for whom it counts in the table of the best: players who were there
   * when half of it was over, and who play now. Of a round that the referee reports it is not known
   * when it began.
   */
  #withPlayers(round: RoundOver, since = round.tick): RoundOver {
    const enteredBy = since + Math.floor((round.tick - since) / 2);
    const scores = round.scores.map((score) => {
      const player = this.#seats.rankedPlayer(score.seat, enteredBy);
      return player === undefined ? score : { ...score, player };
    });
    return { ...round, scores };
  }

  /** Sends every client the tick that `record` encoded. */
  broadcast(): void {
    const tick = this.#definitiveTick;
    const simulation = this.#simulated;
    const presence = this.#presence;
    if (simulation !== undefined) {
      this.#rounds.observe({ tick: tick.tick, simulation, presence });
    }
    for (const client of this.#clients) this.#sendTick(tick, client);
    this.#ordering?.endTick(this.#clients, this.#snapshot);
  }

  /**
   * Announces players' urgent commands that have arrived since the last tick, to clients on slow
   * connections. The next tick message repeats them. Call it halfway between two ticks.
   */
  announceEarly(): void {
    const { isUrgent } = this.#game;
    const receivers = isUrgent === undefined
      ? []
      : [...this.#clients].filter(getsEarlyAnnouncements);
    if (isUrgent === undefined || receivers.length === 0) return;

    // The urgent commands among those that have arrived for the next tick
    const nextTick = this.tick + 1;
    for (const client of this.#clients) this.#intake.takeInbox(client, nextTick);
    const early = urgentCommands(this.#newAnnouncements, this.#timeline, isUrgent);
    if (early.length === 0) return;

    // Written to the log first, as a tick is
    const start = this.#broadcaster.tickStart;
    const written = this.#options.recorder?.early(early, { tick: nextTick, start });
    const message = this.#broadcaster.encodeEarly(early, nextTick);
    const isDue = () => this.tick < nextTick;
    const onSent = (bytes: number) => void (this.stats.bytesDown += bytes);
    sendEarly(message, { early, receivers, written, isDue, onSent });
  }

  /**
   * Closes every client's link. The match's log stays open, because another process may continue
   * the match.
   */
  close(code: number, reason: string): void {
    this.#clients.closeLinks(() => true, code, reason);
  }

  /**
   * Closes a client's link so that another client gets its place. The client leaves the match at
   * once, because its peer may never answer the close.
   */
  displace(link: SeenClient["link"], reason: string): void {
    const client = [...this.#clients].find((each) => each.link === link);
    if (client === undefined) return;
    link.close(CloseCode.displaced, reason);
    this.#onLinkClosed(client, CloseCode.displaced);
  }

  /** Makes way for the player's newest link: closes the older one and ends a bot takeover. */
  #reclaimSeat(player: Player<Command>, shown: ResumeToken | undefined): void {
    player.link?.close(CloseCode.replaced, "you came in elsewhere");
    // Otherwise the older link's last commands would arrive after the newer link got its state, and
    // press for it (SPEC 3.12).
    this.#clients.forgetLost(player);
    player.renewToken(this.#options.newToken(), shown);
    this.#seats.reconnect(player);
  }

  #onLinkClosed(client: Client<Command>, code: number): void {
    this.#clients.delete(client);
    this.#ordering?.onLeft(client);
    client.link.onMessage(() => {}); // later messages are ignored
    const { player } = client;
    // If a newer link has reclaimed the seat, the older link's end changes nothing.
    if (player?.link !== client.link) return;
    // Commands that came before the close count in the next tick, because the tick that has run may
    // already be on its way to the log.
    this.#clients.keepLost(player, client);
    player.link = undefined;
    player.disconnectedAt = this.tick;
    player.hasLeft = FINAL_CLOSE_CODES.has(code);
  }

  #takeInboxes(tick: Tick): void {
    for (const client of this.#clients.takeLost()) this.#intake.takeInbox(client, tick);
    for (const client of this.#clients) {
      this.#intake.takeInbox(client, tick);
      client.endTick(tick);
      const offer = client.path.endTick(this.#game.tickHz);
      if (offer !== undefined) client.link.sendReliably(encodeOffer(offer, this.#messageWriter));
      if (client.isIdle) client.link.close(CloseCode.idle, "this seat was not played");
    }
  }

  #sendTick(broadcast: TickBroadcast<Command>, client: Client<Command>): void {
    if (this.#skipIfTooSlow(client)) return;
    const bytes = this.#broadcaster.send(broadcast, client);
    if (client.deltaState.stateTick === broadcast.tick) {
      this.stats.statesSent++;
      client.onStateSent(bytes);
    }
    // Datagrams are lost or read, so none waits for the client.
    client.backlog.recordSent(broadcast.tick, client.link.ordered ? bytes : 0);
    this.stats.bytesDown += bytes;
  }

  /**
   * Skips a client that reads too slowly, so that it delays no other client's tick. Later it gets a
   * full state, or a close.
   */
  #skipIfTooSlow(client: Client<Command>): boolean {
    const decision = client.backlog.decide(client.link.bufferedBytes);
    if (decision === "send") return false;
    if (decision === "close") client.link.close(CloseCode.tooSlow, "reads too slowly");
    // Datagrams repeat the skipped ticks by themselves.
    if (client.link.ordered) client.deltaState.restartDelta();
    this.stats.skipped++;
    return true;
  }
}
