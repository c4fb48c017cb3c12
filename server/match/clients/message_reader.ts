/**
 * Reads clients' messages when they arrive: commands wait in the inbox for their tick, everything
 * else is handled at once.
 */
import { WireError } from "../../../shared/netcode/wire/range_coder.ts";
import type { Tick } from "../../../shared/netcode/game.ts";
import type { Clock } from "../../../shared/netcode/link.ts";
import type { TickProof } from "../../../shared/netcode/proof.ts";
import { CloseCode } from "../../../shared/netcode/wire/messages.ts";
import type { ClientMessageDecoder } from "../../../shared/netcode/wire/client_messages.ts";
import { StaleDatagramError } from "../../../shared/netcode/wire/uplink/client_datagram.ts";
import type { MatchStats } from "../match_stats.ts";
import type { Client } from "./client.ts";
import type { PingResponder } from "./ping_responder.ts";

export interface MessageReaderOptions<Command> {
  readonly game: { readonly tickHz: number };
  /** Counts bytes and desyncs. */
  readonly stats: MatchStats;
  readonly clock: Clock;
  readonly pingResponder: PingResponder;
  readonly stream: "commands" | "state";
  /** Its newest definitive tick is read for each message. */
  readonly match: {
    readonly tick: Tick;
    /** Undefined in a match that the server simulates. */
    readonly proofs: { onProof(client: Client<Command>, proof: TickProof): void } | undefined;
  };
}

/** Reads the messages of one match's clients. */
export class MessageReader<Command> {
  readonly #options: MessageReaderOptions<Command>;

  constructor(options: MessageReaderOptions<Command>) {
    this.#options = options;
  }

  /**
   * Reads all of a client's messages from now on. A message that breaks the protocol closes the
   * link.
   */
  attach(client: Client<Command>): void {
    const { stats } = this.#options;
    const { link, decoder } = client;
    link.onMessage((bytes, reliably) => {
      stats.bytesUp += bytes.length;
      try {
        this.#read(client, { message: decoder.decode(bytes, reliably), reliably });
      } catch (error) {
        if (error instanceof StaleDatagramError) return;
        if (!(error instanceof WireError)) throw error;
        link.close(CloseCode.protocol, error.message);
      }
    });
  }

  #read(
    client: Client<Command>,
    { message, reliably }: {
      message: ReturnType<ClientMessageDecoder<Command>["decode"]>;
      reliably: boolean;
    },
  ): void {
    const { match, stats, stream, clock, game } = this.#options;
    if (message.type === "ping") return this.#answerPing(client, { id: message.id, reliably });
    if (message.type === "proof") return this.#takeProof(client, message);
    if (message.received > match.tick) {
      throw new WireError("has received a tick that has not been run");
    }
    if (message.type === "back") return client.onBack(message.received, game.tickHz);
    if (message.type === "report") return void (stats.desyncs += Number(client.onReport(message)));

    // Commands
    const isEmpty = message.type === "commands" && message.commands.length === 0;
    if (client.player === undefined && !isEmpty) throw new WireError("a command without a seat");
    if (!reliably) client.path.onDatagram(message.tick);
    const getsStates = stream === "state" && !client.deltaState.isOnBodyStream;
    // The pong that a tick would carry fits neither into a state nor into a datagram.
    if ("ping" in message && message.ping !== undefined && (getsStates || !client.link.ordered)) {
      this.#answerPing(client, { id: message.ping, reliably });
    }
    client.inbox.push(message, clock.now());
  }

  #takeProof(client: Client<Command>, proof: TickProof): void {
    const { match } = this.#options;
    if (match.proofs === undefined) {
      throw new WireError("a proof of a match that the server simulates");
    }
    if (proof.tick > match.tick) throw new WireError("has proven a tick that has not been run");
    match.proofs.onProof(client, proof);
  }

  /** Answers on the channel that the ping came by. */
  #answerPing(client: Client<Command>, { id, reliably }: { id: number; reliably: boolean }): void {
    if (!client.takePong()) return;
    const { link } = client;
    const pong = this.#options.pingResponder.pong(id);
    if (!reliably && link.path !== undefined) link.path.send(pong);
    else if (reliably) link.sendReliably(pong);
    else link.send(pong);
  }
}
