/** The list of bans: what holds, how lists are merged, and the file that outlives a process. */
import { assert, assertEquals } from "@std/assert";
import { keepBans } from "../../../server/bans/ban_file.ts";
import { type Ban, Bans, BANS_MAX, KICK_SECONDS } from "../../../server/bans/bans.ts";
import { fetchBans, shareBans } from "../../../server/nodes/shared_bans.ts";
import { TemporaryData } from "../../support/logs/temporary_data.ts";

const CROW = { gameId: "jousts-1", room: "CROW" };
const START_MS = 1.8e12;

/** Lists on one clock of the test. */
function newLists() {
  const time = { nowMs: START_MS, now: () => time.nowMs };
  const newList = () => new Bans(time);
  return { time, lists: [newList(), newList(), newList(), newList()] as const };
}

Deno.test("Bans: an address is banned from all, or barred from one room, and a player by name, until it ends (SPEC 14.15)", () => {
  const { time, lists: [bans] } = newLists();
  bans.add("192.0.2.1", 60);
  bans.bar({ addressBlock: "192.0.2.2", account: "", ...CROW }, KICK_SECONDS);
  bans.bar({ addressBlock: "", account: "ada", ...CROW }, KICK_SECONDS);
  assertEquals(["192.0.2.1", "192.0.2.2"].map((address) => bans.has(address)), [true, false]);
  const barred = (room: string, addressBlock: string, account?: string) =>
    bans.isBarred(CROW.gameId, room, { addressBlock, account });
  assert(barred("CROW", "192.0.2.2") && !barred("WREN", "192.0.2.2"));
  assert(barred("CROW", "192.0.2.9", "ada") && !barred("CROW", "192.0.2.9", "bob"));
  assert(!bans.isBarred("puck-1", "CROW", { addressBlock: "192.0.2.2" }));
  assert(!barred("CROW", "192.0.2.9"), "an unknown player is not the one without a name");

  time.nowMs += 59_999;
  assertEquals(bans.list().map(({ seconds }) => seconds), [1, 241, 241]);
  time.nowMs++;
  assertEquals([bans.has("192.0.2.1"), bans.list().length], [false, 2]);
  time.nowMs += 240_000;
  assert(!barred("CROW", "192.0.2.2"));
  assertEquals([bans.lift({ addressBlock: "192.0.2.1" }), bans.list()], [false, []]);
});

Deno.test("Bans: lists that heard the same entries in any order are the same, and a lifted ban stays lifted (SPEC 17.23)", () => {
  const { time, lists: [one, two, late] } = newLists();
  const told: Ban[] = [];
  one.onChange((ban) => told.push(ban));
  one.add("a", 60);
  time.nowMs += 1_000;
  one.add("b", 60);
  assertEquals([one.lift({ addressBlock: "a" }), one.lift({ addressBlock: "a" })], [true, false]);
  for (const ban of told.toReversed()) two.take(ban);
  for (const ban of told) late.take(ban);
  const holding = (bans: Bans) => ["a", "b"].filter((each) => bans.has(each));
  assertEquals([one, two, late].map(holding), [["b"], ["b"], ["b"]]);
  assert(!two.take(told[0]!), "the older entry is no news");

  // A ban again, within the same ms, and entries that cannot be.
  one.add("a", 60);
  assert(two.take(told.at(-1)!) && two.has("a"));
  const ban = told.at(-1)!;
  const ahead = { ...ban, addressBlock: "c", changedMs: time.nowMs + 60_001 };
  const long = { ...ban, addressBlock: "c", untilMs: ban.changedMs + 86_400_001 };
  assertEquals([two.take(ahead), two.take(long), two.has("c")], [false, false, false]);
  for (let i = 0; i < BANS_MAX + 5; i++) one.add(`address ${i}`, 60);
  assertEquals([one.entries().length, one.has("b"), one.has(`address ${BANS_MAX}`)], [
    BANS_MAX,
    false,
    true,
  ]);
});

Deno.test("shareBans: a change reaches all, and a list that was away is fetched (SPEC 17.23)", async () => {
  const { lists: [one, two, late] } = newLists();
  const listeners: [string, (bytes: Uint8Array) => Promise<string> | void][] = [];
  const bus = {
    publish: (subject: string, text: string) => {
      for (const [wanted, listen] of listeners) {
        if (wanted === "ban.*" && subject.startsWith("ban.")) {
          void listen(new TextEncoder().encode(text));
        }
      }
    },
    subscribe: (subject: string, listen: (bytes: Uint8Array) => Promise<string> | void) =>
      void listeners.push([subject, listen]),
    request: async (subject: string) =>
      await listeners.find(([wanted]) => wanted === subject)?.[1](new Uint8Array()) as
        | string
        | undefined,
  };
  const news: string[] = [];
  const onNews = ({ addressBlock }: Ban) => void news.push(addressBlock);
  shareBans(one, { bus, node: "1", onNews });
  shareBans(two, { bus, node: "2", onNews });
  one.add("a", 60);
  assertEquals([two.has("a"), news], [true, ["a"]], "its own change is no news to the first");
  bus.publish("ban.3", '{"addressBlock":7}');
  await fetchBans(late, { bus, nodes: ["3", "2"], onNews });
  assertEquals([late.has("a"), news], [true, ["a", "a"]]);
  await fetchBans(late, { bus, nodes: ["2"], onNews });
  assertEquals(news.length, 2, "what is known is no news");
});

Deno.test("keepBans: bans outlive the process, and a file that is no list costs no start (SPEC 14.15)", async () => {
  using data = await TemporaryData.make();
  const failed: unknown[] = [];
  const log = (_event: string, fields: Record<string, unknown> = {}) => void failed.push(fields);
  const { time, lists: [first, second, third, fourth] } = newLists();
  const { folder } = data;
  keepBans(first, { folder, log });
  first.add("192.0.2.1", 60);
  first.add("192.0.2.2", 60);
  first.lift({ addressBlock: "192.0.2.2" });
  time.nowMs += 10_000;
  keepBans(second, { folder, log });
  assertEquals(second.list().map(({ addressBlock, seconds }) => [addressBlock, seconds]), [
    ["192.0.2.1", 50],
  ]);
  assertEquals(failed, []);

  data.write("bans.json", new TextEncoder().encode('[{"addressBlock":"192.0.2.1"}]'));
  keepBans(third, { folder, log });
  assertEquals([third.list(), failed], [[], [{ what: "read", error: "it is no list of bans" }]]);
  keepBans(fourth, { folder: `${folder}/absent`, log }).write([]);
  assertEquals(failed.length, 2, "a disk that refuses costs the file alone");
});
