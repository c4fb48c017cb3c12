/**
 * The tables behind the results, in one SQLite file. A round is stored once: its match and its
 * number together are unique, so writing a round again that another process has written changes
 * nothing.
 */
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { PLAYER_SEATS } from "../../shared/netcode/game.ts";
import { outcomeOf } from "../../shared/netcode/round_outcome.ts";
import type { NamedScore, RoundOver } from "../match/round_watch.ts";
import type { ResultMessage, SharedEnd, SharedRules } from "./result_message.ts";
import type { ResultMatch } from "../match/result_sink.ts";

/** Grows when a table changes, but not for a new table, which earlier programs ignore. */
const VERSION = 1;
/**
 * How long a write waits while another program reads the file, ms: less than a tick. It is tried
 * again later.
 */
const BUSY_MS = 20;
/**
 * How many pages of 4 kB SQLite's own log takes before they go to the file. Only then does a write
 * wait for the disk, 10 to 60 ms on a busy one; all other writes take 0.1 ms. Forty rooms fill the
 * log in a quarter of an hour.
 */
const LOG_PAGES_MAX = 4_000;
/** How many rounds are kept, the newest ones, about a kilobyte each. */
const ROUNDS_MAX = 50_000;
/** How many matches and log entries are kept, the newest ones. */
const MATCHES_MAX = 20_000;
/**
 * How many names are kept. Those with the fewest wins go first, because new names cost a player
 * nothing.
 */
const PLAYERS_MAX = 20_000;

const LOG_COLUMNS =
  "id, game, room, started_at AS startedAt, ticks, players, hash, game_id AS gameId";
const TABLES = `
  CREATE TABLE IF NOT EXISTS matches (
    number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, game TEXT NOT NULL, room TEXT NOT NULL,
    rounds INTEGER NOT NULL, wins TEXT NOT NULL, last_at INTEGER NOT NULL, ended_at INTEGER, end_reason TEXT
  ) STRICT;
  CREATE TABLE IF NOT EXISTS rounds (
    number INTEGER PRIMARY KEY, match TEXT NOT NULL, game TEXT NOT NULL, room TEXT NOT NULL, round INTEGER NOT NULL,
    tick INTEGER NOT NULL, ended_at INTEGER NOT NULL, winners TEXT NOT NULL, scores TEXT NOT NULL, UNIQUE (match, round)
  ) STRICT;
  CREATE INDEX IF NOT EXISTS rounds_of_game ON rounds (game, number);
  CREATE TABLE IF NOT EXISTS ranked (
    game TEXT NOT NULL, account TEXT NOT NULL, name TEXT NOT NULL, wins INTEGER NOT NULL, rounds INTEGER NOT NULL,
    best INTEGER NOT NULL, last_at INTEGER NOT NULL, PRIMARY KEY (game, account, name)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS ranked_by_wins ON ranked (game, wins DESC, best DESC);
  CREATE INDEX IF NOT EXISTS ranked_by_worth ON ranked (wins, last_at);
  CREATE TABLE IF NOT EXISTS logs (
    number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, game TEXT NOT NULL, room TEXT NOT NULL,
    started_at INTEGER NOT NULL, ticks INTEGER NOT NULL, players INTEGER NOT NULL, hash TEXT,
    game_id TEXT
  ) STRICT;
  CREATE INDEX IF NOT EXISTS logs_of_game ON logs (game, id);
  CREATE TABLE IF NOT EXISTS places (stream TEXT PRIMARY KEY, sequence INTEGER NOT NULL) STRICT;
`;

/** A round, as queries return it. */
export interface StoredRound {
  readonly match: string;
  readonly game: string;
  readonly room: string;
  readonly round: number;
  /** s since 1970. */
  readonly endedAt: number;
  /** Names as pages show them, NPCs' as well: the one winner, or all of the best team. */
  readonly winners: readonly string[];
  /** The names that share the best score, if nobody has won. */
  readonly drew: readonly string[];
  readonly scores: readonly Omit<NamedScore, "player">[];
}

/** A name on one device, in the table of the best. */
export interface BestPlayer {
  readonly name: string;
  readonly wins: number;
  readonly rounds: number;
  /** The best score in any round. */
  readonly best: number;
}

/** A match with stored rounds. */
export interface StoredMatch {
  readonly match: string;
  readonly game: string;
  readonly room: string;
  readonly rounds: number;
  /** Rounds won, by player name. */
  readonly wins: Readonly<Record<string, number>>;
  /** s since 1970; null while the match goes on. */
  readonly endedAt: number | null;
  readonly endReason: string | null;
}

/** A finished match's log, on any machine. */
export interface StoredLog {
  readonly id: string;
  readonly game: string;
  readonly room: string;
  /** s since 1970. */
  readonly startedAt: number;
  readonly ticks: number;
  readonly players: number;
  /** The archived log's SHA-256; null if there is none. */
  readonly hash: string | null;
  /** The id of the rules that played it; null if an earlier version of this program ended it. */
  readonly gameId: string | null;
}

/** How far a stream of results has been read. */
export interface StreamPlace {
  /** A name that changes if the stream is made anew. */
  readonly stream: string;
  /** The sequence of the last message; 0 for none. */
  readonly sequence: number;
}

type Row = Record<string, string | number | null>;

export class ResultsFile {
  readonly #database: DatabaseSync;
  readonly #insertRound: StatementSync;
  readonly #countMatch: StatementSync;
  readonly #countPlayer: StatementSync;
  readonly #endMatch: StatementSync;

  /** Opens the file, or makes it. @throws Error for an invalid file, or one of another version */
  constructor(path: string) {
    // The file, with its tables
    this.#database = new DatabaseSync(path, { timeout: BUSY_MS });
    try {
      this.#database.exec(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = " +
          LOG_PAGES_MAX,
      );
      const version = Number(this.#database.prepare("PRAGMA user_version").get()!["user_version"]);
      if (version !== 0 && version !== VERSION) {
        throw new Error(`results of version ${version}; this is ${VERSION}`);
      }
      this.#database.exec(`${TABLES} PRAGMA user_version = ${VERSION}`);
      this.#addColumnOfRules();
    } catch (error) {
      this.#database.close();
      throw error;
    }

    // What is written for each round, and at a match's end
    this.#insertRound = this.#database.prepare(
      "INSERT OR IGNORE INTO rounds (match, game, room, round, tick, ended_at, winners, scores) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
    );
    // `wins` is an object by name; the parameter holds this round's wins in the same form.
    this.#countMatch = this.#database.prepare(`
      INSERT INTO matches (id, game, room, rounds, wins, last_at) VALUES (?, ?, ?, 1, ?, ?)
      ON CONFLICT (id) DO UPDATE SET rounds = rounds + 1, last_at = excluded.last_at, wins = (
        SELECT json_group_object(name, won) FROM (
          SELECT key AS name, sum(value) AS won FROM (
            SELECT key, value FROM json_each(matches.wins) UNION ALL SELECT key, value FROM json_each(excluded.wins)
          ) GROUP BY key
        )
      )`);
    this.#countPlayer = this.#database.prepare(`
      INSERT INTO ranked (game, account, name, wins, rounds, best, last_at) VALUES (?, ?, ?, ?, 1, ?, ?)
      ON CONFLICT (game, account, name) DO UPDATE SET
        wins = wins + excluded.wins, rounds = rounds + 1, best = max(best, excluded.best), last_at = excluded.last_at`);
    this.#endMatch = this.#database.prepare(
      "UPDATE matches SET ended_at = ?, end_reason = ? WHERE id = ? AND ended_at IS NULL",
    );
  }

  /** Runs several writes together: either all of them are in the file, or none. */
  transact(write: () => void): void {
    this.#database.exec("BEGIN IMMEDIATE");
    try {
      write();
      this.#prune();
      this.#database.exec("COMMIT");
    } catch (error) {
      // A full disk may have ended the transaction already.
      if (this.#database.isTransaction) this.#database.exec("ROLLBACK");
      throw error;
    }
  }

  /** Writes a round, unless it is stored already. @param at s since 1970 */
  addRound(
    { id, game, room }: ResultMatch & { readonly game: string },
    round: RoundOver,
    at: number,
  ): void {
    const { winners } = outcomeOf(round.scores);
    const winnerNames = winners.map(({ name }) => name);
    const { changes } = this.#insertRound.run(
      id,
      game,
      room,
      round.round,
      round.tick,
      at,
      JSON.stringify(winnerNames),
      // Rows are public, and accounts are not.
      JSON.stringify(round.scores.map(({ player: _, ...score }) => score)),
    );
    if (Number(changes) === 0) return;

    // A new round counts for its match, and for its players if there were two of them: nobody is
    // listed for what they did alone.
    const wins = Object.fromEntries(
      winnerNames.filter((name) => name !== "").map((name) => [name, 1]),
    );
    this.#countMatch.run(id, game, room, JSON.stringify(wins), at);
    const people = round.scores.filter(({ seat }) => seat < PLAYER_SEATS);
    if (people.length < 2) return;
    for (const score of people) {
      if (score.player === undefined) continue;
      const { account, name } = score.player;
      const hasWon = winners.includes(score) ? 1 : 0;
      this.#countPlayer.run(game, account, name, hasWon, score.score, at);
    }
  }

  endMatch(id: string, reason: string, at: number): void {
    this.#endMatch.run(at, reason, id);
  }

  /** Stores a result that machines share. A result that is stored already changes nothing. */
  addShared(message: ResultMessage): void {
    if (message.kind === "round") {
      return this.addRound({ ...message, id: message.match }, message.round, message.at);
    }
    if (message.kind === "rules") return this.#nameRules(message);
    this.endMatch(message.match, message.reason, message.at);
    this.#addLog(message);
  }

  /** The sequence up to which a stream has been read; 0 if it has not been. */
  placeIn(stream: string): number {
    const row = this.#database.prepare("SELECT sequence FROM places WHERE stream = ?").get(stream);
    return Number(row?.["sequence"] ?? 0);
  }

  setPlace({ stream, sequence }: StreamPlace): void {
    this.#database.exec("DELETE FROM places");
    const insert = this.#database.prepare("INSERT INTO places (stream, sequence) VALUES (?, ?)");
    insert.run(stream, sequence);
  }

  /** A finished match's log; undefined for any other match. */
  log(id: string): StoredLog | undefined {
    const query = this.#database.prepare(`SELECT ${LOG_COLUMNS} FROM logs WHERE id = ?`);
    return query.get(id) as unknown as StoredLog;
  }

  /** Lists finished matches, the newest first. @param game as for `rounds` */
  logs(game: string | undefined, limit: number): StoredLog[] {
    const ofGame = game === undefined ? "" : "WHERE game = ?";
    const given = game === undefined ? [] : [game];
    const query = `SELECT ${LOG_COLUMNS} FROM logs ${ofGame} ORDER BY id DESC LIMIT ?`;
    return this.#database.prepare(query).all(...given, limit) as unknown as StoredLog[];
  }

  /** Ends matches without an open log, because their process was killed after it had ended them. */
  endOthers(open: readonly string[]): void {
    const update = this.#database.prepare(`
      UPDATE matches SET ended_at = last_at, end_reason = 'unknown'
      WHERE ended_at IS NULL AND id NOT IN (SELECT value FROM json_each(?))`);
    update.run(JSON.stringify(open));
  }

  /** The newest rounds, the newest first. @param game the game's name; undefined for all */
  rounds(game: string | undefined, limit: number): StoredRound[] {
    const columns = "match, game, room, round, ended_at AS endedAt, winners, scores";
    const rows = this.#newest("rounds", columns, { game, limit });
    return rows.map((row) => {
      const round = parsed(row, "winners", "scores") as unknown as Omit<StoredRound, "drew">;
      return { ...round, drew: outcomeOf(round.scores).drew.map(({ name }) => name) };
    });
  }

  /** The newest matches, the newest first. @param game as for `rounds` */
  matches(game: string | undefined, limit: number): StoredMatch[] {
    const columns =
      "id AS match, game, room, rounds, wins, ended_at AS endedAt, end_reason AS endReason";
    const rows = this.#newest("matches", columns, { game, limit });
    return rows.map((row) => parsed(row, "wins")) as unknown as StoredMatch[];
  }

  /** The names with the most wins, then with the best score. */
  best(game: string, limit: number): BestPlayer[] {
    const query =
      "SELECT name, wins, rounds, best FROM ranked WHERE game = ? ORDER BY wins DESC, best DESC LIMIT ?";
    return this.#database.prepare(query).all(game, limit) as unknown as BestPlayer[];
  }

  close(): void {
    this.#database.close();
  }

  #newest(
    table: "rounds" | "matches",
    columns: string,
    { game, limit }: { game: string | undefined; limit: number },
  ) {
    const ofGame = game === undefined ? "" : "WHERE game = ?";
    const given = game === undefined ? [] : [game];
    const query = `SELECT ${columns} FROM ${table} ${ofGame} ORDER BY number DESC LIMIT ?`;
    return this.#database.prepare(query).all(...given, limit) as Row[];
  }

  /** Files of earlier versions have no such column, and those versions do not mind it. */
  #addColumnOfRules(): void {
    const columns = this.#database.prepare("PRAGMA table_info(logs)").all();
    if (columns.some(({ name }) => name === "game_id")) return;
    this.#database.exec("ALTER TABLE logs ADD COLUMN game_id TEXT");
  }

  #addLog({ match, game, room, log }: SharedEnd): void {
    if (log === null) return;
    this.#database.prepare(`
      INSERT OR IGNORE INTO logs (id, game, room, started_at, ticks, players, hash) VALUES (?, ?, ?, ?, ?, ?, ?)
    `).run(match, game, room, log.startedAt, log.ticks, log.players, log.hash);
  }

  #nameRules({ match, gameId }: SharedRules): void {
    this.#database.prepare("UPDATE logs SET game_id = ? WHERE id = ?").run(gameId, match);
  }

  #prune(): void {
    const database = this.#database;
    database.exec(
      `DELETE FROM logs WHERE number <= (SELECT max(number) FROM logs) - ${MATCHES_MAX}`,
    );
    database.exec(
      `DELETE FROM rounds WHERE number <= (SELECT max(number) FROM rounds) - ${ROUNDS_MAX}`,
    );
    database.exec(
      `DELETE FROM matches WHERE number <= (SELECT max(number) FROM matches) - ${MATCHES_MAX}`,
    );

    const { count } = database.prepare("SELECT count(*) AS count FROM ranked").get()!;
    const players = Number(count);
    if (players <= PLAYERS_MAX) return;
    database.prepare(`
      DELETE FROM ranked WHERE (game, account, name) IN (
        SELECT game, account, name FROM ranked ORDER BY wins, last_at LIMIT ?
      )
    `).run(players - PLAYERS_MAX);
  }
}

/**
 * SQLite's words for transient errors: locks, memory, disk and permissions. Deno reports an error's
 * words but not its number.
 */
const PASSING_ERRORS =
  /database or disk is full|disk I\/O error|is locked|unable to open|readonly database|out of memory|permission denied/i;

/**
 * @returns whether an error on opening the file means that it is not a database, is damaged, or has
 * another version
 */
export function isDamage(error: unknown): boolean {
  return !PASSING_ERRORS.test(String(error));
}

/** A row with its JSON columns parsed. */
function parsed(row: Row, ...columns: readonly string[]): Record<string, unknown> {
  return {
    ...row,
    ...Object.fromEntries(columns.map((column) => [column, JSON.parse(String(row[column]))])),
  };
}
