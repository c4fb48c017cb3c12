/** Introductions that people carry. */
import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import {
  HandTextError,
  readHandText,
  writtenHandText,
} from "../../../client/page_rooms/hand_text.ts";

const TEXT = JSON.stringify({ kind: "offer", sdp: "v=0\r\na=candidate:1 1 udp\r\n".repeat(40) });

Deno.test("page room: a text by hand is one line that no messenger changes, and comes back whole (SPEC 23.11)", async () => {
  const line = await writtenHandText({ room: "ABCD", text: TEXT });
  assertMatch(line, /^wyvern-[\w-]+$/);
  assert(line.length < TEXT.length);
  assertEquals(await readHandText(line), { room: "ABCD", text: TEXT });
  const quoted = `> Here it is:\n> ${line.slice(0, 30)}\r\n${line.slice(30, 55)} ${
    line.slice(55)
  }\n`;
  assertEquals(await readHandText(quoted), { room: "ABCD", text: TEXT });
});

/** Packs any value as a text by hand is packed. */
async function packed(value: unknown): Promise<string> {
  const stream = new Blob([JSON.stringify(value)]).stream();
  const bytes = await new Response(stream.pipeThrough(new CompressionStream("deflate-raw")))
    .bytes();
  return `wyvern-${bytes.toBase64({ alphabet: "base64url", omitPadding: true })}`;
}

Deno.test("page room: any other text by hand is refused with a sentence, however long it becomes (SPEC 23.11)", async () => {
  const line = await writtenHandText({ room: "", text: TEXT });
  const cases: [text: string, sentence: string][] = [
    ["", "This is not a text of such a page."],
    ["https://example.org/", "This is not a text of such a page."],
    [line.slice(0, -9), "A part of this text is missing. Please copy all of it."],
    ["wyvern-AAAA", "A part of this text is missing. Please copy all of it."],
    [await packed(7), "This is not a text of such a page."],
    [await packed({ room: "abcd", text: "" }), "This is not a text of such a page."],
    [await packed({ room: "ABCD", text: 1 }), "This is not a text of such a page."],
    ["wyvern-" + "A".repeat(20_000), "This text is too long."],
    // A few bytes that become a megabyte
    [
      await packed({ room: "", text: "a".repeat(1_000_000) }),
      "A part of this text is missing. Please copy all of it.",
    ],
  ];
  for (const [text, sentence] of cases) {
    await assertRejects(() => readHandText(text), HandTextError, sentence);
  }
});
