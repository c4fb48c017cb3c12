/** Every plant: a mistake in a copy of the sources, which the hunt must find. */
import type { Mistake } from "../../../support/project_copy.ts";
import type { HuntedHost } from "../schedule.ts";

export interface HuntPlant extends Mistake {
  /** The mistake, in a few words. */
  readonly name: string;
  /** Who hosts the match in which it is hunted; by default a server. */
  readonly host?: HuntedHost;
}

const MATCH = "server/match/match.ts";
const RECORDER = "server/match/match_recorder.ts";
const TICKETS = "server/tickets/tickets.ts";
const CLUSTER_LOG = "server/match_log/nats/cluster_log.ts";
const CLUSTER_LOGS = "server/nodes/cluster_logs.ts";
const TICKER = "server/ground/ticker.ts";
const TAKE_OVERS = "server/nodes/take_overs.ts";
const SEATS = "server/match/seats/seats.ts";
const PAGE_ROOM = "client/page_rooms/page_room.ts";
const ORDERING = "server/match/order/ordering.ts";
const QUEUE = "server/match/clients/command_queue.ts";

export const PLANTS: readonly HuntPlant[] = [
  {
    name: "a tick is sent before it is in the log",
    file: MATCH,
    text: "    return this.#options.recorder?.tick(tick);\n",
    replacement: "    this.broadcast();\n    return this.#options.recorder?.tick(tick);\n",
  },
  {
    name: "a tick is sent while its record is on its way",
    file: "server/rooms/game_rooms.ts",
    text: "if (written === undefined) return room.match.broadcast();",
    replacement: "if (written !== null) return room.match.broadcast();",
  },
  {
    name: "one tick in fifty has no record",
    file: RECORDER,
    text: "const written = this.#log.append(",
    replacement: "const written = recorded.tick % 50 === 0 ? undefined : this.#log.append(",
  },
  {
    name: "an early announcement is sent before it is in the log",
    file: MATCH,
    text: "written = this.#options.recorder?.early(early, { tick: nextTick, start });",
    replacement: "written: Promise<void> | undefined = start && undefined;",
  },
  {
    name: "a state lacks the changes of presence to come",
    file: RECORDER,
    text: "seats: state.seats, presence, players,",
    replacement: "seats: state.seats, presence: [], players,",
  },
  {
    name: "a resumed match forgets the changes of presence to come",
    file: MATCH,
    text: "this.#presence.begin(from.seats, from.presence);",
    replacement: "this.#presence.begin(from.seats, []);",
  },
  {
    name: "a resumed match forgets the players' tokens",
    file: SEATS,
    text:
      "const player = new Player({ seat, name, peer: NOBODY, identity, timeline, hashToken, tokenHashes });",
    replacement:
      "const player = new Player({ seat, name, peer: NOBODY, identity, timeline, hashToken, tokenHashes: [] });",
  },
  {
    name: "an NPC thinks anew what it has announced",
    file: "server/match/seats/npc_controller.ts",
    text: "if (tick < firstTick || timeline.isAnnounced(tick, seat)) {",
    replacement: "if (tick < firstTick) {",
  },
  {
    name: "a command that is too late is taken",
    file: QUEUE,
    text: '    if (tick < nextTick) return "late";\n',
    replacement: "",
  },
  {
    name: "a command that a datagram repeats is taken again",
    file: QUEUE,
    text: "if (this.#markSeen(tick) || this.#timeline.isAnnounced(tick, this.seat)) return",
    replacement: "if (!this.#markSeen(tick) && this.#timeline.isAnnounced(tick, this.seat)) return",
  },
  {
    name: "a kept seat is given to a stranger",
    file: SEATS,
    text: "      player === undefined && this.#freeFrom[seat]! <= tick",
    replacement:
      "      (player === undefined || player.disconnectedAt !== undefined) && this.#freeFrom[seat]! <= tick",
  },
  {
    name: "a torn record stays in the log",
    file: "server/match_log/resume_match.ts",
    text: "state: replay.state, bytes: end, epoch,",
    replacement: "state: replay.state, bytes: log.length, epoch,",
  },
  {
    name: "a resumed match assumes that players hold their keys",
    file: MATCH,
    text: "timeline.begin(simulation.tick, from?.seats ?? []);",
    replacement:
      "timeline.begin(simulation.tick, (from?.seats ?? []).map((each) => ({ ...each, ticksMissing: Math.min(1, each.ticksMissing) })));",
  },
  {
    name: "a longer length passes for a torn record",
    file: "shared/netcode/match_log/frames.ts",
    text: "if (head !== checkedLength(length) || length === 0",
    replacement: "if (length === 0",
  },
  {
    name: "a tick that datagrams repeat gets later changes of presence",
    file: "shared/netcode/presence.ts",
    text: "this.#unsentChanges = [...this.#unsentChanges, change];",
    replacement: "(this.#unsentChanges as PresenceChange[]).push(change);",
  },
  {
    name: "a returned player's first commands seem to press",
    file: "client/session/command_sender.ts",
    text: "tick <= received || tick < firstOwnTick || predictor",
    replacement: "tick <= received || predictor",
  },
  {
    name: "a press is lost while three are on their way",
    file: "client/input/press_counter.ts",
    text: "this.#sent < this.#pressed && outstanding < OUTSTANDING_MAX",
    replacement: "this.#sent < this.#pressed",
  },
  {
    name: "a ticket that was used is taken again",
    file: TICKETS,
    text: "this.#usedAtMs.set(nonce, this.#steadyClock.now());",
    replacement: "",
  },
  {
    name: "a ticket that is too old is taken",
    file: TICKETS,
    text: "issuedMs < this.#startMs || nowMs >= issuedMs + this.#lateMs",
    replacement: "issuedMs < this.#startMs",
  },
  {
    name: "a new server takes the used tickets of the one before",
    file: TICKETS,
    text: "issuedMs < this.#startMs || nowMs",
    replacement: "nowMs",
  },
  {
    name: "a player with a ticket does not return to their seat",
    file: "server/rooms/rooms.ts",
    text: "const isIn = this.#byGameId.get(hello.gameId)!.join(link, hello, peer);",
    replacement:
      "const first = peer.ticket === undefined ? hello : { ...hello, resume: undefined };" +
      "const isIn = this.#byGameId.get(hello.gameId)!.join(link, first, peer);",
  },
  {
    name: "late ticks run before the sockets are read",
    file: TICKER,
    text:
      "this.#cancel = this.#scheduler.after(0, () => turns > 1 ? this.#readFirst(turns - 1) : this.#endReading());",
    replacement: "if (turns > 0) this.#endReading();",
  },
  {
    name: "a tick that is a little late after a pause runs before the sockets are read",
    file: TICKER,
    text: "else if (this.#readMs < dueMs) this.#readFirst(READING_TURNS_MAX);",
    replacement: "",
  },
  {
    name: "after a pause of a node, late ticks run before the sockets are read",
    host: "cluster",
    file: TICKER,
    text:
      "this.#cancel = this.#scheduler.after(0, () => turns > 1 ? this.#readFirst(turns - 1) : this.#endReading());",
    replacement: "if (turns > 0) this.#endReading();",
  },
  {
    name: "a tick is sent before the log's servers have it",
    host: "cluster",
    file: CLUSTER_LOG,
    text: "const sendable = isLate ? undefined : this.#wait(nowMs);",
    replacement: "const sendable = isLate || nowMs >= 0 ? undefined : this.#wait(nowMs);",
  },
  {
    name: "a node says that its log is in time while later ticks are out",
    host: "cluster",
    file: CLUSTER_LOG,
    text: "if (this.#sentNotDurable > 0 && this.#sentNotDurable <= upTo) {",
    replacement: "if (this.#sentNotDurable > 0) {",
  },
  {
    name: "a node that has stalled counts an acknowledgement from when it reads it",
    host: "cluster",
    file: CLUSTER_LOG,
    text: "this.#rule.acknowledged(sentMs);\n    onAcknowledged",
    replacement: "this.#rule.acknowledged(scheduler.now());\n    onAcknowledged",
  },
  {
    name: "a room is open to players while the end of its match is on its way",
    host: "cluster",
    file: CLUSTER_LOGS,
    text: "return this.#owned.get(subjectOf(gameId, room))?.log.isOpen === true;",
    replacement: "return this.#owned.has(subjectOf(gameId, room));",
  },
  {
    name: "an append names no record that it expects",
    host: "cluster",
    file: "server/match_log/nats/stream_requests.ts",
    text: 'return { "Nats-Expected-Last-Subject-Sequence": String(expected) };',
    replacement: 'return { "Wyvern-Expected": String(expected) };',
  },
  {
    name: "a take-over reads the log before it fences the match",
    host: "cluster",
    file: TAKE_OVERS,
    text:
      `    const sequence = await this.#append({ kind: "take", subject, epoch, stateAt, attempts: attempted, expected: seen });
    if (sequence === undefined) return false;

    // An earlier log of the match may still be open here, if nobody has played in it since another
    // node took it. With it this node would count as playing the match, and never try it again.
    logs.leave(gameId, room);

    // Read it.
    const fencedMs = clock.now() - begunMs;
    const messages = await this.#read(subject, { from: stateAt, to: sequence });
`,
    replacement: `    const messages = await this.#read(subject, { from: stateAt, to: seen });
    const newest = await this.#options.store.lastOnce(subject);
    const expected = typeof newest === "object" ? newest.sequence : seen;
    const sequence = await this.#append({ kind: "take", subject, epoch, stateAt, attempts: attempted, expected });
    if (sequence === undefined) return false;
    logs.leave(gameId, room);
    const fencedMs = clock.now() - begunMs;
`,
  },
  {
    name: "a node that takes a match counts no failure of those before it",
    host: "cluster",
    file: TAKE_OVERS,
    text: "const failures = Math.max(before.failures + 1, faults.failuresOf(id, tickHz));",
    replacement: "const failures = Math.min(before.failures, faults.failuresOf(id, tickHz), 1);",
  },
  {
    name: "a player is welcomed before the log's servers know their seat",
    host: "cluster",
    file: MATCH,
    text:
      "return recorder?.durable === undefined ? link : new HeldLink(link, () => recorder.durable);",
    replacement: "return HeldLink && link;",
  },
  {
    name: "ticks go on while there is no leader, after a cut of any length",
    host: "cluster",
    file: "server/match_log/nats/send_rule.ts",
    text: "if (this.#isAlive(nowMs)) this.#aliveMs = nowMs;",
    replacement: "this.#aliveMs = nowMs;",
  },
  {
    name: "silence proves nothing",
    file: "client/session/session.ts",
    text: '    if (verdict === "dead") this.giveUp("no answer");\n    return verdict !== "dead";\n',
    replacement: "    return true;\n",
  },
  {
    name: "a page takes over from what it predicts",
    host: "pages",
    file: "client/session/session.ts",
    text: "const tick = Math.min(reconciler.received, predictor.head);",
    replacement: "const tick = predictor.head;",
  },
  {
    name: "a host does not follow a higher term",
    host: "pages",
    file: PAGE_ROOM,
    text: "if (term !== this.#term) return term > this.#term;",
    replacement: "if (term !== this.#term) return term > this.#term && !this.isHost;",
  },
  {
    name: "a page that takes over forgets whose seats are taken",
    host: "pages",
    file: PAGE_ROOM,
    text: "from: { ...known, players }",
    replacement: "from: { ...known, players: players.slice(0, 0) }",
  },
  {
    name: "the page with the oldest state takes over",
    host: "pages",
    file: PAGE_ROOM,
    text: "return b.tick - a.tick ||",
    replacement: "return a.tick - b.tick ||",
  },
  {
    name: "a state is sent while a tick is on its way to the log",
    host: "order",
    file: ORDERING,
    text: "if (tick !== this.#sentTick) return;",
    replacement: "",
  },
  {
    name: "a state lacks what was announced since",
    host: "order",
    file: MATCH,
    text: "announcements: announcedBeyond(tick, this.#timeline),",
    replacement: "announcements: judged.announcements ?? announcedBeyond(tick, this.#timeline),",
  },
  {
    name: "two clients that come at different ticks get one state",
    host: "order",
    file: "server/match/broadcast/tick_broadcaster.ts",
    text: "if (this.#stateNewest !== newest) this.#stateTick = -1;",
    replacement: "",
  },
  {
    name: "a newcomer begins with a state of the player before",
    host: "order",
    file: ORDERING,
    text: "return ![...seats, ...presence].some(({ seat }) => seat === player.seat);",
    replacement: "return ![...seats, ...presence].some(({ seat }) => seat < 0);",
  },
  {
    name: "a rollback forgets what NPCs have decided",
    host: "order",
    file: "shared/netcode/own_npcs.ts",
    text: "      npcs.read(splitOff(from, own));\n",
    replacement: "      splitOff(from, own);\n",
  },
  {
    name: "the referee misses the records before a state",
    host: "order",
    file: "server/referee/refereed_log.ts",
    text: "if (this.#generation !== 0 && this.#sent < this.#stateAt) return;",
    replacement: "",
  },
];
