/**
 * Players by WebTransport in a process that can be killed: ten from each address. It prints a line
 * when all of them are in.
 *
 *     deno run -A tests/tools/attack/session_crowd.ts URL HASH ADDRESSES
 */
import { RawSession } from "../../support/datagrams/raw_session.ts";

const PLAYERS_PER_ADDRESS = 10;

const [url, hash, addresses] = Deno.args as [string, string, string];
const where = { url, certificateHash: Uint8Array.fromHex(hash) };

const sessions = await Promise.all(
  addresses.split(",").map(async (from, i) => {
    const own: RawSession[] = [];
    for (let n = 0; n < PLAYERS_PER_ADDRESS; n++) {
      const session = await RawSession.open(where, { from });
      session.hello({ room: `GON${String.fromCharCode(65 + i)}` });
      await session.receive();
      own.push(session);
    }
    return own;
  }),
);
console.log(`${sessions.flat().length} are in`);
await new Promise((resolve) => setTimeout(resolve, 60_000));
