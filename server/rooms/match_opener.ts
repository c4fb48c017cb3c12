/**
 * Makes the matches of one game: new ones, and those that another process began. If matches are
 * logged, each writes its log.
 */
import { builtRulesOf } from "../../shared/netcode/built_rules.ts";
import { roomChoicesOf } from "../../shared/netcode/choices.ts";
import type { Authority, Game } from "../../shared/netcode/game.ts";
import type { Clock } from "../../shared/netcode/link.ts";
import type { ResumeToken } from "../../shared/netcode/wire/messages.ts";
import type { Deflate } from "../../shared/netcode/wire/packed_snapshot.ts";
import type { Log } from "../ground/log.ts";
import type { ClientObserver } from "../match/clients/client_list.ts";
import type { HashToken } from "../match/seats/player.ts";
import { RecordWriter } from "../../shared/netcode/match_log/record_coder.ts";
import type { Referee } from "../referee/referee.ts";
import { RefereedLog } from "../referee/refereed_log.ts";
import type { MatchLogs } from "../match_log/match_logs.ts";
import type { HeldBack } from "../match/limit_watch.ts";
import type { ContractFault } from "../../shared/netcode/twin_check.ts";
import { Match } from "../match/match.ts";
import type { MatchState } from "../match/match_options.ts";
import { type MatchHeader, type MatchLog, MatchRecorder } from "../match/match_recorder.ts";
import type { ResumedMatch } from "../match_log/resume_match.ts";
import type { RoundOver } from "../match/round_watch.ts";
import type { GameResults } from "../match/result_sink.ts";
import { nameForms } from "../names/name_forms.ts";
import { randomHex, type RoomSecret } from "../ground/server_secret.ts";

/** 128 random bits. */
const TOKEN_BYTES = 16;

export interface MatchOpenerOptions<Command> {
  readonly game: Game<Command>;
  readonly clock: Clock;
  /** NPC seats per room, 0 … 16. */
  readonly npcs: number;
  /** Where rooms' seeds and NPCs' random numbers come from. */
  readonly secret: RoomSecret;
  readonly stream: "commands" | "state";
  readonly log: Log;
  /** @returns a token that cannot be guessed; by default 128 random bits */
  readonly newToken?: () => ResumeToken;
  /** Compresses states; without it they are sent uncompressed. */
  readonly deflate?: Deflate | undefined;
  /** As `MatchOptions.idleSeconds`. */
  readonly idleSeconds?: number;
  /** Whether a twin checks each tick of each match (SPEC 1.20). */
  readonly checkTwin?: boolean;
  /** Whether players may tune the game's constants (SPEC 13.120): only in development. */
  readonly isTunable?: boolean;
  /** Keeps the matches' logs; without it a match ends with its process. */
  readonly logs?: MatchLogs | undefined;
  /** Milliseconds since 1970; needed with `logs`. */
  readonly unixClock?: Clock | undefined;
  /** Receives the rounds' results. Only matches with a log report any. */
  readonly results?: GameResults | undefined;
  /** Hears of each client that comes and goes. */
  readonly observer?: ClientObserver | undefined;
  /** Hashes seat tokens; by default tokens are kept as they are. */
  readonly hashToken?: HashToken | undefined;
  /** Judges matches whose commands the server only orders; without it all matches are simulated. */
  readonly referee?: Referee | undefined;
  /** Who computes new matches; by default as the game says. Needs a referee to be "order". */
  readonly authority?: Authority | undefined;
  /** What the referee judges; by default a sample. */
  readonly verify?: Verify | undefined;
}

/**
 * What the referee judges of the matches that the server orders: everything, everything in some
 * matches, or only what clients disagree on.
 */
export type Verify = "all" | "sample" | "differences";

/** One of so many matches is judged with "sample". */
const SAMPLED = 8;

/** What a match needs besides its log's header. */
interface MatchParts<Command> {
  readonly recorder: MatchRecorder<Command> | undefined;
  /** The log to which records go that the referee is to judge; undefined if there is none. */
  readonly refereed: RefereedLog<Command> | undefined;
  /** Where another process left it; undefined for a new match. */
  readonly from?: MatchState<Command>;
  readonly dueMs: number;
  readonly onRoundOver: ((round: RoundOver) => void) | undefined;
}

export interface NewRoom {
  readonly choices: readonly number[];
  /** The digest of the room's key; undefined for a public room. */
  readonly key: string | undefined;
  /** Due time of the tick before the match's first, ms on the clock. */
  readonly dueMs: number;
}

export class MatchOpener<Command> {
  readonly #options: MatchOpenerOptions<Command>;
  /** Matches made so far, so that a code that is used again begins a different match. */
  #opened = 0;

  constructor(options: MatchOpenerOptions<Command>) {
    this.#options = options;
  }

  /** Begins a match. @param code the room's code */
  open(code: string, { choices: chosen, key, dueMs }: NewRoom): Match<Command> {
    const { game, npcs, secret, logs, referee, authority = game.authority } = this.#options;

    // Its log
    const header = {
      gameId: game.id,
      rules: builtRulesOf(game.id),
      room: code,
      npcs,
      seed: secret.seedOf(game.id, code, this.#opened),
      choices: roomChoicesOf(game, chosen),
      key,
      startedAt: this.#unixSeconds,
      isOrdered: authority === "order" && referee !== undefined,
    };
    const log = logs?.create(code, game.id);
    const refereed = header.isOrdered ? this.#refereedLogOf(log, { code, key }) : undefined;
    const kept = refereed ?? log;
    const recorder = kept && this.#recorderOf(kept, header);
    recorder?.begin();
    const onRoundOver = this.#onRoundOver({ code, key, recorder: log && recorder });

    try {
      return this.#newMatch(header, { recorder, refereed, dueMs, onRoundOver });
    } catch (error) {
      // Otherwise its log, which holds no state, would pass for that of an unfinished match.
      recorder?.end(0, "failed");
      throw error;
    }
  }

  /**
   * Continues a match. It reports the rounds that ended before its log's end again, because the
   * previous process may not have done so.
   * @param log the log that the match was read from
   */
  reopen(
    { header, state, rounds }: Pick<ResumedMatch<Command>, "header" | "state" | "rounds">,
    { log, dueMs }: { log: MatchLog; dueMs: number },
  ): Match<Command> {
    const { room: code, key, isOrdered } = header;
    const { command } = this.#options.game;
    const refereed = isOrdered ? this.#refereedLogOf(log, { code, key }) : undefined;
    refereed?.keepHeader(new RecordWriter(command, log.epoch).header(header));
    const recorder = this.#recorderOf(refereed ?? log, header);

    recorder.takeOver(this.#unixSeconds);
    const onRoundOver = this.#onRoundOver({ code, key, recorder });
    rounds.forEach((round) => onRoundOver?.(round));

    return this.#newMatch(header, { recorder, refereed, from: state, dueMs, onRoundOver });
  }

  /** @param log undefined if the match ends with this process */
  #refereedLogOf(
    log: MatchLog | undefined,
    { code, key }: { code: string; key: string | undefined },
  ): RefereedLog<Command> {
    const { game, secret, referee, results, verify = "sample" } = this.#options;
    if (referee === undefined) throw new RangeError("a match without the referee that it needs");
    const draw = secret.npcRandomOf(game.id, code, this.#opened);
    const isSampled = verify === "sample" && draw(0, 0) % SAMPLED === 0;
    return new RefereedLog({
      referee,
      judgesAll: verify === "all" || isSampled,
      judgesEnd: results !== undefined && log !== undefined && key === undefined,
      log,
    });
  }

  #newMatch(
    { room: code, npcs, seed, choices }: MatchHeader,
    { refereed, ...parts }: MatchParts<Command>,
  ): Match<Command> {
    const { game, stream, clock, log, deflate, checkTwin, hashToken, observer, secret } =
      this.#options;
    const { newToken = () => randomHex(TOKEN_BYTES), idleSeconds = 0, isTunable = false } =
      this.#options;
    const npcRandom = secret.npcRandomOf(game.id, code, this.#opened++);
    const onFault = checkTwin
      ? ({ tick, field, text }: ContractFault) =>
        log("contract_broken", { room: code, tick, field, text })
      : undefined;
    const onHeldBack = ({ tick, text }: HeldBack) =>
      log("limit_reached", { game: game.id, room: code, tick, text });

    return new Match(game, {
      ...parts,
      referee: refereed,
      npcs,
      npcRandom,
      choices,
      seed,
      stream,
      clock,
      newToken,
      hashToken,
      nameForms,
      deflate,
      idleSeconds,
      isTunable,
      observer,
      onFault,
      onHeldBack,
      onDifference: ({ client: { player, peer }, tick, lies }) =>
        log("match_differs", {
          room: code,
          tick,
          name: player?.name ?? "",
          seat: player?.seat ?? -1,
          link: peer.link,
          address: peer.address,
          lies,
        }),
      onSimulated: (tick) => log("room_simulated", { room: code, tick }),
    });
  }

  /** Passes results on, except those from private rooms. */
  #onRoundOver(
    { code, key, recorder }: {
      code: string;
      key: string | undefined;
      recorder: MatchRecorder<Command> | undefined;
    },
  ): ((round: RoundOver) => void) | undefined {
    const { results } = this.#options;
    if (results === undefined || recorder === undefined || key !== undefined) return undefined;
    const add = (round: RoundOver) => results.addRound({ id: recorder.matchId, room: code }, round);
    return (round) => {
      const { durable } = recorder;
      if (durable === undefined) return add(round);
      // Only when the round is durable: if another node takes the match over before that, it
      // discards this node's last ticks and reports the round itself.
      void durable.then(() => add(round));
    };
  }

  #recorderOf(log: MatchLog, header: MatchHeader): MatchRecorder<Command> {
    const { game: { command, tickHz }, deflate } = this.#options;
    return new MatchRecorder(command, { log, header, tickHz, deflate });
  }

  get #unixSeconds(): number {
    return Math.floor((this.#options.unixClock?.now() ?? 0) / 1000);
  }
}
