/**
 * Vectors of the server's messages: recorded matches of dragons, scripts of two other games, and
 * refused messages.
 */
import type { ConnectionCase } from "../check/connection.ts";
import { dragons } from "../games/dragons.ts";
import { marbles } from "../games/marbles.ts";
import { rovers } from "../games/rovers.ts";
import type { ServerMeaning } from "../meanings/server_message.ts";
import { recordedServerConnection, serverConnection } from "./connections.ts";
import type { MatchRecordings } from "./recorded/dragon_match.ts";
import { marbleStream } from "./scripted/marble_bodies.ts";
import { roverMessages } from "./scripted/rover_messages.ts";
import { marbleDatagrams, marbleTicks } from "./scripted/marble_ticks.ts";
import { refusedBodies, refusedStates } from "./refused/states.ts";
import { refusedDatagrams, refusedTicks } from "./refused/ticks.ts";

type ServerCase = ConnectionCase<ServerMeaning>;

/** The messages of each recording that become vectors: enough for all that happens in it. */
const STREAMING = 220;
const SIMULATING = 110;
const LATE = 50;
const SPECTATOR = 40;
const PROBING = 52;
const DATAGRAMS = 58;
/**
 * So many datagrams with bodies before the first one that lacks its base, and so many messages from
 * there on.
 */
const BEFORE_LOSS = 8;
const AFTER_LOSS = 8;

/** All cases of `server_messages.json`. */
export function serverMessageCases(
  { streaming, simulating, late, spectator, probing, datagrams }: MatchRecordings,
): ServerCase[] {
  const recorded = (
    about: string,
    messages: readonly Uint8Array[],
    link: ServerCase["link"] = "reliable",
  ) => recordedServerConnection(about, { game: dragons, link, messages });
  return [
    recorded(
      "a player on the body stream from a fresh room's first tick on",
      streaming.fromServer.slice(0, STREAMING),
    ),
    recorded("a player who gets a snapshot", simulating.fromServer.slice(0, SIMULATING)),
    recorded("a player who joins after another has left", late.fromServer.slice(0, LATE)),
    recorded("a spectator", spectator.fromServer.slice(0, SPECTATOR)),
    recorded("snapshots in the middle of a body stream", probing.fromServer.slice(0, PROBING)),
    recorded(
      "datagrams: lost, repeated and overtaken",
      datagrams.fromServer.slice(0, DATAGRAMS),
      "datagram",
    ),
    recorded("datagrams whose base is lost", withoutBase(datagrams.fromServer), "datagram"),
    recordedServerConnection("every branch of the coding of bodies", {
      game: marbles,
      messages: marbleStream(),
    }),
    recordedServerConnection("every branch of ticks and states", {
      game: marbles,
      messages: marbleTicks(),
    }),
    recordedServerConnection("commands with whole numbers, and a room's options", {
      game: rovers,
      messages: roverMessages(),
    }),
    serverConnection("datagrams without bodies", {
      game: marbles,
      link: "datagram",
      messages: marbleDatagrams(),
    }),
    ...refusedTicks(),
    ...refusedStates(),
    ...refusedBodies(),
    ...refusedDatagrams(),
  ];
}

/** The begin of a recording without the datagram that a later one's bodies are coded against. */
function withoutBase(messages: readonly Uint8Array[]): Uint8Array[] {
  const { messages: vectors } = recordedServerConnection("", {
    game: dragons,
    link: "datagram",
    messages,
  });
  const based = vectors.flatMap(({ message }, i) =>
    message?.type === "ticks" && message.base !== null ? [{ i, message }] : []
  );
  const { i, message: { base } } = based[BEFORE_LOSS]!;
  return messages.slice(0, i + AFTER_LOSS).filter((_, i) => {
    const { message } = vectors[i]!;
    return !(message?.type === "ticks" && message.newest === base);
  });
}
