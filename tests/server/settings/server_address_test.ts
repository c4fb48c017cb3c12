import { assertEquals } from "@std/assert";
import { credentialsOf, withoutCredentials } from "../../../server/settings/server_address.ts";

Deno.test("credentialsOf: a user and a password, or a token, for all servers (SPEC 17.113)", () => {
  const cases: readonly (readonly [string[], unknown])[] = [
    [["nats://n1:4222", "nats://n2"], {}],
    [["nats://wyvern:pass%40word%2C@n1:4222", "nats://n2"], { user: "wyvern", pass: "pass@word," }],
    [["nats://a:b@n1", "nats://a:b@n2", "nats://a:b@n3"], { user: "a", pass: "b" }],
    [["nats://s3cr3t%2Ftoken@[::1]:4222"], { token: "s3cr3t/token" }],
    [["nats://a:b@n1", "nats://a:c@n2"], undefined],
    [["nats://a:%ff@n1"], undefined],
  ];
  for (const [urls, credentials] of cases) {
    assertEquals(credentialsOf(urls), credentials, urls.join());
  }
});

Deno.test("withoutCredentials: an address that may be shown (SPEC 17.113)", () => {
  for (const url of ["nats://n1:4222", "nats://a:b@n1:4222", "nats://token@n1:4222"]) {
    assertEquals(withoutCredentials(url), "nats://n1:4222");
  }
});
