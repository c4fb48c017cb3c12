/**
 * One match before the referee: its records are played as they come, and each tick's hash goes into
 * a proof. The replay itself is the checkpoint from which the next verdict goes on.
 */
import type { Game, Simulation } from "../../shared/netcode/game.ts";
import { FrameReader } from "../../shared/netcode/match_log/frames.ts";
import { RecordReader } from "../../shared/netcode/match_log/record_coder.ts";
import { LogError, type LogRecord } from "../../shared/netcode/match_log/records.ts";
import { headerOf } from "../../shared/netcode/match_log/replayed_log.ts";
import { MatchReplay } from "../../shared/netcode/match_log/replay.ts";
import { ProofMaker, type TickProof } from "../../shared/netcode/proof.ts";
import { hashOfSnapshot } from "../../shared/netcode/wire/range_coder.ts";
import { type HeldBack, LimitWatch } from "../match/limit_watch.ts";
import type { Verdict } from "../match/order/match_referee.ts";
import { type RoundOver, RoundWatch } from "../match/round_watch.ts";

export class RefereeCase<Command> {
  readonly #gameOf: (id: string) => Game<Command> | undefined;
  /** Undefined before the header. */
  #replay: MatchReplay<Command> | undefined;
  #reader: RecordReader<Command> | undefined;
  #rounds: RoundWatch<Simulation<Command>> | undefined;
  readonly #limits = new LimitWatch((heldBack) => this.#heldBack.push(heldBack));
  readonly #maker = new ProofMaker();
  /** Whole records that are not played yet. */
  readonly #fed: FrameReader[] = [];

  // What the next verdict says
  #ticks = 0;
  #playedMs = 0;
  #proofs: TickProof[] = [];
  #ended: RoundOver[] = [];
  #heldBack: HeldBack[] = [];

  constructor(gameOf: (id: string) => Game<Command> | undefined) {
    this.#gameOf = gameOf;
  }

  /** Adds records; the first begin with a header and a state. */
  feed(frames: Uint8Array): void {
    if (this.#replay === undefined) {
      const header = headerOf(frames);
      const game = this.#gameOf(header.gameId);
      if (game === undefined) {
        throw new LogError(`a match of ${header.gameId}, which is no game here`);
      }
      this.#replay = new MatchReplay(game, header);
      this.#reader = new RecordReader(game.command);
      this.#rounds = new RoundWatch(game.rounds, (round) => this.#ended.push(round));
    }
    this.#fed.push(new FrameReader(frames));
  }

  /**
   * Plays the next record.
   * @returns whether there was one
   * @throws LogError for a match that cannot be replayed
   */
  playNext(): boolean {
    const payload = this.#fed[0]?.next();
    if (payload === undefined) {
      if (this.#fed[0]?.fault !== undefined) throw new LogError("a record that was changed");
      this.#fed.shift();
      return this.#fed.length > 0 && this.playNext();
    }
    this.#play(this.#reader!.read(payload));
    return true;
  }

  #play(record: LogRecord<Command>): void {
    const replay = this.#replay!;
    if (record.type === "header") return;
    const hadBegun = replay.tick >= 0;
    replay.play(record);
    if (!hadBegun && replay.tick >= 0) this.#rounds!.begin(replay.simulation);
    if (record.type !== "tick") return;

    this.#ticks++;
    const proof = this.#maker.add(record.tick, hashOfSnapshot(replay.snapshot));
    if (proof !== undefined) this.#proofs.push(proof);
    this.#rounds!.observe(replay);
    this.#limits.observe(replay.simulation);
  }

  /** Notes how long records took to play, ms. */
  addTime(ms: number): void {
    this.#playedMs += ms;
  }

  /** @returns what was found since the last verdict, when everything fed is played */
  takeVerdict(): Verdict<Command> {
    const verdict: Verdict<Command> = {
      state: this.#replay!.state,
      proofs: this.#proofs,
      rounds: this.#ended,
      heldBack: this.#heldBack,
      msPerTick: this.#ticks === 0 ? 0 : this.#playedMs / this.#ticks,
    };
    this.#ticks = this.#playedMs = 0;
    this.#proofs = [];
    this.#ended = [];
    this.#heldBack = [];
    return verdict;
  }
}
