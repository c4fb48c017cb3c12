/**
 * Takes the commands that wait in clients' inboxes, offers each to its seat's queue, and measures
 * it. Links fill the inboxes between ticks; a tick empties them here.
 */
import type { Announcement } from "../../../shared/netcode/wire/messages.ts";
import type { Tick } from "../../../shared/netcode/game.ts";
import { type MatchStats, STAT_OF_OUTCOME } from "../match_stats.ts";
import type { TickTimes } from "../tick_times.ts";
import type { Client } from "./client.ts";
import type { ReceivedCommands } from "./received_commands.ts";

export interface CommandIntakeOptions<Command> {
  /** Counts each command by its outcome. */
  readonly stats: MatchStats;
  readonly tickTimes: TickTimes;
  /** Compares two of the game's commands. */
  readonly same: (left: Command, right: Command) => boolean;
  /** Takes out of each command what this server does not obey; undefined if it obeys everything. */
  readonly admitted: ((command: Command) => Command) | undefined;
  /** Called with each command that a queue takes. */
  readonly onTaken: (announcement: Announcement<Command>) => void;
}

/** Takes the commands of one match. */
export class CommandIntake<Command> {
  readonly #options: CommandIntakeOptions<Command>;

  constructor(options: CommandIntakeOptions<Command>) {
    this.#options = options;
  }

  /** Takes all commands that wait. @param nextTick the tick that the server runs next */
  takeInbox(client: Client<Command>, nextTick: Tick): void {
    for (let i = 0; i < client.inbox.count; i++) {
      this.#takeEntry(client, client.inbox.at(i), nextTick);
    }
    client.inbox.clear();
  }

  #takeEntry(client: Client<Command>, entry: ReceivedCommands<Command>, nextTick: Tick): void {
    const { tick, command, commands, ping } = entry;

    // What the message reports beside its commands
    if (client.onStatus(entry)) this.#options.stats.desyncs++;
    // A lost link confirms nothing, because its commands may be taken after a newer link got
    // another token.
    if (client.player?.link === client.link) client.player.confirmWelcome();
    // A datagram path cannot carry the pong, and the ping has been answered already.
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
    { tick, command: sent, entry, nextTick }: {
      tick: Tick;
      command: Command;
      entry: ReceivedCommands<Command>;
      nextTick: Tick;
    },
  ): void {
    const { stats, tickTimes, same, admitted, onTaken } = this.#options;
    const command = admitted === undefined ? sent : admitted(sent);
    const player = client.player!;
    const { queue, seat } = player;
    const outcome = queue.offer(command, { tick, nextTick });
    if (outcome === "taken") onTaken({ seat, tick, command });

    // Datagrams repeat commands on purpose, so that none is lost, and these duplicates do not count
    // as refused. Nor do those of a player who takes the seat back from an NPC, because the NPC has
    // announced commands for their ticks.
    const mayRepeat = entry.commands !== undefined || !client.link.ordered ||
      player.isBotControlled;
    if (outcome !== "duplicate" || !mayRepeat) stats[STAT_OF_OUTCOME[outcome]]++;
    if (outcome === "late" && tickTimes.isLateByServer(tick, entry.atMs)) {
      stats.commandsLateByServer++;
    }

    if (outcome === "tooFarAhead") return;
    player.observeCommand(tick, command, same);

    // A command that comes while an NPC plays cannot count, but it measures the network all the
    // same.
    const isSign = player.isBotControlled && tick === entry.tick;
    if (outcome === "duplicate" && !isSign) return;

    // Skipped after a stall of the server, when times of arrival reflect the stall's end.
    if (!tickTimes.isInStall(entry.atMs)) {
      client.observe(entry, { tick, dueMs: tickTimes.dueMsOf(tick) });
    }
  }
}
