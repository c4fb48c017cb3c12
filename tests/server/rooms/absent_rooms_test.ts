import { assertEquals } from "@std/assert";
import { AbsentRooms } from "../../../server/rooms/absent_rooms.ts";
import { CloseCode } from "../../../shared/netcode/wire/messages.ts";

Deno.test("AbsentRooms: a token of a match that was set aside is refused for 5 minutes, and until the room has a match again (SPEC 15.38)", () => {
  const clock = { nowMs: 0, now: () => clock.nowMs };
  const absent = new AbsentRooms(clock);
  const codeFor = (room: string, resume?: string) => absent.refusalOf({ room, resume })?.code;
  absent.setAside("CROW");
  absent.setAside("WREN");
  assertEquals([codeFor("CROW", "token"), codeFor("CROW"), codeFor("ROOK", "token")], [
    CloseCode.roomFailed,
    undefined,
    undefined,
  ]);

  // The next match has tokens of its own
  absent.opened("CROW");
  assertEquals([codeFor("CROW", "token"), codeFor("WREN", "token")], [
    undefined,
    CloseCode.roomFailed,
  ]);
  clock.nowMs = 300_000;
  assertEquals(codeFor("WREN", "token"), undefined);
});
