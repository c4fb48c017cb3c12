/**
 * Generates the cases of every file. Equal sources give equal cases: all chance has seeds, and no
 * clock is read.
 */
import type { FileName } from "../files.ts";
import { GAMES } from "../games/games.ts";
import { dragons } from "../games/dragons.ts";
import { checksumCases } from "./checksums.ts";
import { clientMessageCases } from "./client_messages.ts";
import { clockCases } from "./clock.ts";
import { coderCases } from "./coder.ts";
import { recordedClientConnection } from "./connections.ts";
import { type MatchRecordings, recordDragonMatch } from "./recorded/dragon_match.ts";
import { predictionCases } from "./predictions.ts";
import { serverMessageCases } from "./server_messages.ts";
import { snapshotCases } from "./snapshots.ts";

/** A file's content. */
export interface GeneratedFile {
  readonly name: FileName;
  readonly about: string;
  readonly cases: readonly object[];
}

/** The recorded messages of a client that become vectors. */
const RECORDED = 60;

/** All files, in the order of WIRE 13. */
export function generateFiles(): GeneratedFile[] {
  const match = recordDragonMatch();
  return [
    {
      name: "games",
      about: "The games' schemas (WIRE 2).",
      cases: GAMES.map(({ schema }) => schema),
    },
    { name: "coder", about: "Elements of the range coder (WIRE 3 and 4).", cases: coderCases() },
    {
      name: "client_messages",
      about: "Connections of messages from the client (WIRE 5, 6 and 10).",
      cases: clientMessageCases(recordedClients(match)),
    },
    {
      name: "server_messages",
      about: "Connections of messages from the server (WIRE 7, 8 and 10).",
      cases: serverMessageCases(match),
    },
    {
      name: "predictions",
      about: "Bodies and fields, predicted (WIRE 8.2).",
      cases: predictionCases(),
    },
    {
      name: "checksums",
      about: "Hashes of words, and checksums of bodies (WIRE 8.4).",
      cases: checksumCases(match),
    },
    { name: "clock", about: "A client's clock and lead (WIRE 11).", cases: clockCases() },
    { name: "snapshots", about: "Snapshots with their content (WIRE 9).", cases: snapshotCases() },
  ];
}

function recordedClients({ streaming, simulating, spectator, datagrams }: MatchRecordings) {
  const recorded = (
    about: string,
    messages: readonly Uint8Array[],
    link: "reliable" | "datagram" = "reliable",
  ) =>
    recordedClientConnection(about, { game: dragons, link, messages: messages.slice(0, RECORDED) });
  return [
    recorded("a recorded player on the body stream", streaming.fromClient),
    recorded("a recorded player who simulates", simulating.fromClient),
    recorded("a recorded spectator", spectator.fromClient),
    recorded("a recorded player with datagrams", datagrams.fromClient, "datagram"),
  ];
}
