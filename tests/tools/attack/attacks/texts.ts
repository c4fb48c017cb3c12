/**
 * Attacks by texts: names, close reasons and codes that others, the log or the metrics would show.
 */
import { assert, assertEquals, assertLessOrEqual, assertNotEquals } from "@std/assert";
import { OPCODE } from "../../../support/sockets/raw_socket.ts";
import type { Stranger } from "../../../support/sockets/stranger.ts";
import { type Attack, many, until, wait } from "../attack.ts";
import { WIDE_DOOR } from "./sockets.ts";
import type { Target } from "../target.ts";

/** Plays until the own name is announced. @returns the name as others see it */
async function shownName(
  target: Target,
  { name, room }: { name: string; room: string },
): Promise<{ stranger: Stranger; name: string }> {
  const stranger = await target.join(target.newAddress(), { name, room });
  await stranger.playUntil(() => stranger.entry !== undefined);
  return { stranger, name: stranger.entry!.name };
}

/** Names that look like "Wren", or like no name at all. */
const DISGUISES = [
  "WREN",
  "wren",
  "Wren ",
  " Wren",
  "Ｗｒｅｎ",
  "W\u200dren",
  "Wr\u00aden",
  "Wren\u3164",
  "W\u2060ren",
];
const INVISIBLE = ["\u3164", "\u2800", "\u200b\u200b", "\u00ad", " ", "\ufe0f"];
const FORGED = [
  "\u202eevil",
  "a\u0000b",
  "a\u0007\u001b[31mb",
  "a\nb",
  "\u2066x\u2069",
  "x".repeat(90),
];

const names: Attack = {
  name: "names",
  threat: "21",
  isQuick: true,
  async honest(target) {
    const { stranger, name } = await shownName(target, { name: "Wren", room: "NAMH" });
    await stranger.leave();
    assertEquals(name, "Wren");
    return 'a player is shown as "Wren"';
  },
  async commit(target) {
    await shownName(target, { name: "Wren", room: "NAME" });
    const shown: string[] = [];

    for (const wanted of [...DISGUISES, ...INVISIBLE, ...FORGED]) {
      const { stranger, name } = await shownName(target, { name: wanted, room: "NAME" });
      const plain = name.normalize("NFKC").replace(
        /[\p{C}\s]|\p{Default_Ignorable_Code_Point}/gu,
        "",
      ).toLowerCase();
      assertNotEquals(
        plain,
        "wren",
        `${JSON.stringify(wanted)} is shown as ${JSON.stringify(name)}`,
      );
      assertNotEquals(
        plain.replace(/\u2800/g, ""),
        "",
        `${JSON.stringify(wanted)} is shown as nothing`,
      );
      assert(!/[\p{C}\p{Zl}\p{Zp}]/u.test(name), JSON.stringify(name));
      assertLessOrEqual([...name].length, 24);
      shown.push(name);
      await stranger.leave();
    }

    return `${shown.length} disguises of "Wren": shown as ${
      [...new Set(shown)].slice(0, 6).join(", ")
    } …`;
  },
};

/** What the log has added since it was this many characters long. */
async function linesSince(target: Target, length: number): Promise<string[]> {
  await wait(200);
  return (await target.server.log()).slice(length).split("\n").filter((line) => line !== "");
}

/** Leaves with a code and a reason that the log shows. */
async function leaveWith(
  stranger: Stranger,
  { code, reason }: { code: number; reason: string },
): Promise<void> {
  const bytes = new TextEncoder().encode(reason).slice(0, 123);
  stranger.frame(new Uint8Array([code >> 8, code & 255, ...bytes]), { opcode: OPCODE.close });
  await stranger.ended();
}

const logInjection: Attack = {
  name: "log_injection",
  threat: "21",
  isQuick: true,
  async honest(target) {
    const { length } = await target.server.log();
    const stranger = await target.join(target.newAddress(), { name: "Wren", room: "LOGS" });
    await stranger.leave();
    assert(
      (await linesSince(target, length)).some((line) =>
        line.includes("joined") && line.includes("Wren")
      ),
    );
    return "the log has a line for a player";
  },
  async commit(target) {
    const { length } = await target.server.log();
    const address = target.newAddress();
    const forged = [
      "\n2026-01-01T00:00:00.000Z info operator_banned x=1",
      'a" code=1000 by=server reason="',
      "\u001b[2J\u001b[31m",
      "\r\nlink=1",
      "\u2028x",
    ];
    for (const text of forged) {
      const stranger = await target.join(address, { name: text, room: "LOGS" });
      await leaveWith(stranger, { code: 4999, reason: text });
    }
    const lines = await linesSince(target, length);
    assert(lines.length >= 3 * forged.length, `${lines.length} lines`);

    for (const line of lines) {
      // Time, level, event, and fields whose values are plain or quoted.
      assert(
        /^\S+Z \w+ \w+( \w+=([\w.:\/@+-]*|"([^"\\]|\\.)*"))*$/.test(line),
        JSON.stringify(line),
      );
      assertNotEquals(line.split(" ")[2], "operator_banned", line);
    }

    return `${forged.length} forged names and reasons: ${lines.length} lines, all of them whole`;
  },
};

const reasonFlood: Attack = {
  name: "close_reasons",
  threat: "21",
  server: WIDE_DOOR,
  async honest(target) {
    const { length } = await target.server.log();
    await leaveWith(await target.upgrade(target.newAddress()), { code: 4999, reason: "tea" });
    assert((await linesSince(target, length)).some((line) => line.includes("reason=tea")));
    return "the log has the reason of a close";
  },
  async commit(target) {
    const { length } = await target.server.log();
    const address = target.newAddress();
    const beganMs = performance.now();
    for (let wave = 0; wave < 6; wave++) {
      const strangers = await many(100, () => target.upgrade(address));
      await Promise.all(
        strangers.map((stranger) => leaveWith(stranger, { code: 4999, reason: "x".repeat(123) })),
      );
    }
    const lines = (await linesSince(target, length)).filter((line) =>
      line.includes(`address=${address} `)
    );
    const most = 2 * (100 + 5 * (performance.now() - beganMs) / 1000 + 1);
    assertLessOrEqual(lines.length, most, "lines of the log");
    return `600 closes with long reasons by one address: ${lines.length} lines of the log`;
  },
};

const metricLabels: Attack = {
  name: "metric_labels",
  threat: "21",
  async honest(target) {
    await leaveWith(await target.upgrade(target.newAddress()), { code: 1000, reason: "" });
    await until(
      "counted",
      async () => (await target.figures()).of("wyvern_closes_total", 'code="1000"') > 0,
      {
        seconds: 2,
      },
    );
    return "a close with 1000 is counted under its code";
  },
  async commit(target) {
    const before = (await target.figures()).samplesOf("wyvern_closes_total");
    const address = target.newAddress();
    const codes = Array.from({ length: 80 }, (_, i) => i % 2 === 0 ? 3000 + i * 7 : 4100 + i * 9);
    await many(
      80,
      async (i) => await leaveWith(await target.upgrade(address), { code: codes[i]!, reason: "" }),
    );
    await wait(300);
    const after = (await target.figures()).samplesOf("wyvern_closes_total");
    assertLessOrEqual(after, before + 5, "lines of the metrics");
    return `closes with 80 invented codes: ${after - before} more lines of the metrics`;
  },
};

export const TEXT_ATTACKS: readonly Attack[] = [names, logInjection, metricLabels, reasonFlood];
