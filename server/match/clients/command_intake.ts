/**
 * Takes the commands that wait in clients' inboxes: each is offered to its seat's queue, and
 * measured. Links fill the inboxes between ticks; this empties them in a tick.
 */
import type { Announcement } from "../../../shared/netcode/wire/messages.ts";
import type { Tick } from "../../../shared/netcode/game.ts";
import { type MatchStats, STAT_OF_OUTCOME } from "../match_stats.ts";
import type { TickTimes } from "../tick_times.ts";
import type { Client } from "./client.ts";
import type { ReceivedCommands } from "./received_commands.ts";

export interface CommandIntakeOptions<Command> {
  /** It counts each command by its outcome. */
  readonly stats: MatchStats;
  readonly tickTimes: TickTimes;
  /** The equality of the game's commands. */
  readonly same: (left: Command, right: Command) => boolean;
  /** Called with each command that a queue has taken. */
  readonly onTaken: (announcement: Announcement<Command>) => void;
}

/** The intake of one match. */
export class CommandIntake<Command> {
  readonly #options: CommandIntakeOptions<Command>;

  constructor(options: CommandIntakeOptions<Command>) {
    this.#options = options;
  }

  /** Takes all that waits. @param nextTick the tick that the server runs next */
  takeInbox(client: Client<Command>, nextTick: Tick): void {
    for (let i = 0; i < client.inbox.count; i++) {
      this.#takeEntry(client, client.inbox.at(i), nextTick);
    }
    client.inbox.clear();
  }

  #takeEntry(client: Client<Command>, entry: ReceivedCommands<Command>, nextTick: Tick): void {
    const { tick, command, commands, ping } = entry;

    // What the message says beside its commands
    if (client.onStatus(entry)) this.#options.stats.desyncs++;
    // The commands of a lost link are taken when a newer one may have got another token.
    if (client.player?.link === client.link) client.player.confirmToken();
    // A datagram path has no place for the pong, and the ping has been answered.
    if (ping !== undefined && client.link.ordered) client.ping = { id: ping, atMs: entry.atMs };

    if (commands === undefined) {
      return this.#takeCommand(client, { tick, command: command!, entry, nextTick });
    }
    for (let i = commands.length - 1; i >= 0; i--) {
      this.#takeCommand(client, { tick: tick - i, command: commands[i]!, entry, nextTick });
    }
  }

  #takeCommand(
    client: Client<Command>,
    { tick, command, entry, nextTick }: {
      tick: Tick;
      command: Command;
      entry: ReceivedCommands<Command>;
      nextTick: Tick;
    },
  ): void {
    const { stats, tickTimes, same, onTaken } = this.#options;
    const player = client.player!;
    const { queue, seat } = player;
    const outcome = queue.offer(command, { tick, nextTick });
    if (outcome === "taken") onTaken({ seat, tick, command });

    // Datagrams repeat commands on purpose, so that none is lost. Such duplicates are not counted
    // as refused. Nor are those of a player who takes the seat back from an NPC, which has
    // announced commands for their ticks.
    const mayRepeat = entry.commands !== undefined || !client.link.ordered ||
      player.isBotControlled;
    if (outcome !== "duplicate" || !mayRepeat) stats[STAT_OF_OUTCOME[outcome]]++;
    if (outcome === "late" && tickTimes.isLateByServer(tick, entry.atMs)) {
      stats.commandsLateByServer++;
    }

    if (outcome === "tooFarAhead") return;
    player.observeCommand(tick, command, same);

    // What comes while an NPC plays cannot count, but it measures the network all the same.
    const isSign = player.isBotControlled && tick === entry.tick;
    if (outcome === "duplicate" && !isSign) return;

    // After a stall of the server the times of arrival are those of its end.
    if (!tickTimes.isInStall(entry.atMs)) {
      client.observe(entry, { tick, dueMs: tickTimes.dueMsOf(tick) });
    }
  }
}
