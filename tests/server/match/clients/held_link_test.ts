/**
 * The link of a player who comes in while the log has records that another machine may have to do
 * without (SPEC 17.114).
 */
import { assertEquals } from "@std/assert";
import { HeldLink } from "../../../../server/match/clients/held_link.ts";
import { LocalLink } from "../../../../shared/netcode/simulated_network/local_link.ts";

/** A log of records: each `confirm` confirms the oldest that is not yet. */
function newHeldLink() {
  const [clientEnd, serverEnd] = LocalLink.pair({ ordered: false });
  const got: string[] = [];
  const waiting: (() => void)[] = [];
  clientEnd.onMessage(([byte], reliably) => got.push(`${byte}${reliably ? " reliably" : ""}`));
  const link = new HeldLink(serverEnd, () => (
    waiting.length === 0 ? undefined : new Promise((resolve) => {
      const last = waiting.at(-1)!;
      waiting[waiting.length - 1] = () => {
        last();
        resolve();
      };
    })
  ));
  const confirm = async () => {
    waiting.shift()!();
    await Promise.resolve();
    await Promise.resolve();
  };
  return { link, clientEnd, got, record: () => void waiting.push(() => {}), confirm };
}

Deno.test("HeldLink: a message waits for the records before it, and nothing waits once all are confirmed (SPEC 17.114)", async () => {
  const { link, got, record, confirm } = newHeldLink();
  const buffer = new Uint8Array(1);
  const bytes = (byte: number) => {
    buffer[0] = byte;
    return buffer;
  };
  record();
  link.sendReliably(bytes(1));
  link.send(bytes(2));
  record();
  link.send(bytes(3));
  assertEquals(got, []);
  await confirm();
  assertEquals(got, ["1 reliably", "2"], "the caller has reused its bytes since");
  link.send(bytes(4));
  assertEquals(got.length, 2, "no message overtakes one that waits");
  await confirm();
  assertEquals(got, ["1 reliably", "2", "3", "4"]);
  record();
  link.send(bytes(5));
  assertEquals(got.at(-1), "5");
});

Deno.test("HeldLink: the link of a player who would wait for longer than 48 messages is closed (SPEC 17.114)", () => {
  const { link, clientEnd, got, record } = newHeldLink();
  record();
  for (let i = 0; i < 48; i++) link.send(new Uint8Array(1));
  assertEquals(clientEnd.closeCode, 0);
  link.send(new Uint8Array(1));
  assertEquals([clientEnd.closeCode, clientEnd.closeReason, got], [
    1001,
    "the match has moved",
    [],
  ]);
});
