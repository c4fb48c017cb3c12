import { assertEquals } from "@std/assert";
import { MessageCopies } from "../../../../shared/netcode/simulated_network/message_copies.ts";

Deno.test("MessageCopies: a copy stays equal when the message and other copies change", () => {
  const copies = new MessageCopies();
  const message = new Uint8Array(3000);
  const kept: { copy: Uint8Array; value: number; length: number }[] = [];
  for (let i = 0; i < 2000; i++) {
    const length = [0, 1, 30, 1024, 1025, 3000][i % 6]!;
    message.fill(i);
    kept.push({ copy: copies.of(message.subarray(0, length)), value: i & 255, length });
  }
  // A receiver may change its own copy.
  kept[2]!.copy.fill(kept[2]!.value = 7);
  message.fill(255);
  for (const { copy, value, length } of kept) {
    assertEquals(copy, new Uint8Array(length).fill(value));
  }
});
