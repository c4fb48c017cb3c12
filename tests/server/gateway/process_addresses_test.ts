import { assertEquals, assertThrows } from "@std/assert";
import { SiteRules } from "../../../server/http/site_rules.ts";
import { workersOf } from "../../../server/settings/workers.ts";
import { parseSettings } from "../../../server/settings/settings.ts";
import { ProcessAddresses } from "../../../server/gateway/process_addresses.ts";
import { ownHostName } from "../../../server/settings/workers.ts";
import { UsageError } from "../../../shared/flags.ts";

const PORTS = [8081, 8082];

Deno.test("ProcessAddresses: ports of the page's name, a path, or a name for each process (SPEC 17.3)", () => {
  const addresses = (pattern: string | undefined, isTls = false) =>
    new ProcessAddresses({ pattern, ports: PORTS, isTls });
  const plain = addresses(undefined);
  const secure = addresses(undefined, true);
  const path = addresses("/match/*");
  assertEquals(plain.addressOf(2, "Play.example.org:8080"), "http://play.example.org:8082");
  assertEquals(secure.addressOf(1, "[::1]:8080"), "https://[::1]:8081");
  assertEquals(path.addressOf(2, "play.example.org"), "/match/2");
  const named = addresses("https://m*.example.org");
  assertEquals(named.addressOf(2, "play.example.org"), "https://m2.example.org");
  assertEquals(plain.connectSources("play.example.org"), [
    "ws://play.example.org:8081",
    "ws://play.example.org:8082",
  ]);
  assertEquals(secure.connectSources("a:1"), ["wss://a:8081", "wss://a:8082"]);
  assertEquals(path.connectSources("a:1"), []);
  assertEquals(named.connectSources("a:1"), ["wss://m1.example.org", "wss://m2.example.org"]);
  const udpPorts = [8081, undefined];
  assertEquals(plain.connectSources("a:1", { udpPorts }).slice(2), ["https://a:8081"]);
  assertEquals(path.connectSources("a:1", { udpPorts }), ["https://a:8081"]);
  assertEquals(named.connectSources("a:1", { udpPorts }).slice(2), ["https://m1.example.org:8081"]);
  assertEquals([ownHostName("https://m*.example.org", 2), ownHostName("/match/*", 2)], [
    "m2.example.org",
    undefined,
  ]);
});

Deno.test("SiteRules: the page of this name at its own port may play, and no other port's (SPEC 17.3)", () => {
  const site = new SiteRules({
    origins: [],
    hosts: ["play.example.org"],
    host: "::1",
    isPublic: false,
    pagePort: 80,
  });
  const allows = (origin: string, host = "play.example.org:81") =>
    site.allowsOrigin({ origin, host });
  assertEquals(allows("http://play.example.org"), true);
  assertEquals(allows("http://play.example.org:81"), true);
  assertEquals(allows("http://play.example.org:82"), false);
  assertEquals(allows("http://example.org"), false);
  assertEquals(allows("https://play.example.org"), false);
  assertEquals(allows("http://[::1]:80", "[::1]:81"), true);
  assertEquals(allows("null"), false);
});

Deno.test("workersOf: a number, or one for each core; what does not fit together is refused (SPEC 17.1)", () => {
  const settings = (...args: string[]) => {
    const parsed = parseSettings(args, ["dragons"]);
    if (parsed === "help") throw new Error("help");
    return parsed;
  };
  assertEquals(workersOf(settings()), 1);
  assertEquals(workersOf(settings("--workers", "7")), 7);
  assertEquals(workersOf(settings("--workers", "auto")), navigator.hardwareConcurrency);
  for (const url of ["/match/*", "/a/b-*", "https://m*.example.org", "http://127.0.0.1:90*"]) {
    if (url.includes("90*")) assertThrows(() => settings("--worker-url", url), UsageError);
    else assertEquals(settings("--worker-url", url)["worker-url"], url);
  }

  for (
    const url of [
      "/match",
      "match/*",
      "//x/*",
      "https://*.example.org/a",
      "ftp://*.example.org",
      "/../*",
    ]
  ) {
    assertThrows(() => settings("--worker-url", url), UsageError, "--worker-url");
  }
});
