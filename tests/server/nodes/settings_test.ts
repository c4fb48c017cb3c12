import { assertEquals, assertStringIncludes } from "@std/assert";
import { SiteRules } from "../../../server/http/site_rules.ts";
import { contentPolicy } from "../../../server/http/static_files.ts";
import { isFencingVersion } from "../../../server/match_log/nats/server_version.ts";
import { TemporaryData } from "../../support/logs/temporary_data.ts";
import { runServer } from "../../support/servers/server_process.ts";

Deno.test("isFencingVersion: 2.11 and later (SPEC 17.101)", () => {
  const versions = [
    "2.9.10",
    "2.10.27",
    "2.11.0",
    "2.12.0-RC.1",
    "2.15.1",
    "3.0.0",
    "1.4.1",
    "",
    "dev",
  ];
  assertEquals(versions.filter(isFencingVersion), ["2.11.0", "2.12.0-RC.1", "2.15.1", "3.0.0"]);
});

Deno.test("serve --cluster: what cannot be is refused in one line with exit code 2 (SPEC 17.101, 17.161, 17.182, 17.189, 17.190, 17.192)", async () => {
  using data = await TemporaryData.make();
  const servers = ["--cluster", "nats://127.0.0.1:1"];
  const secret = "--secret-file";
  data.write("secret", new TextEncoder().encode("of this test alone, and thirty-two characters"));
  const withSecret = [...servers, secret, `${data.folder}/secret`];
  const wrong: readonly (readonly [string[], string])[] = [
    [["--data", data.folder, ...servers], "--cluster needs one secret"],
    [["--data", "off", ...withSecret], "--cluster needs --data"],
    [["--node-url", "https://n1.example"], "needs --cluster"],
    [["--region", "eu"], "needs --cluster"],
    [["--data", data.folder, ...withSecret, "--region", "EU west"], "--region"],
    [
      ["--archive", "data/archive"],
      "--archive keeps the logs of several machines; it needs --cluster",
    ],
    [[...withSecret, "--archive", "https://bucket.example"], "--archive"],
    [
      ["--workers", "2", "--archive", "data/archive"],
      "--archive keeps the logs of several machines; it needs --cluster",
    ],
    [["--workers", "2", ...withSecret, "--node-url", "https://n1.example"], "needs --worker-url"],
    [["--workers", "2", "--data", data.folder, ...withSecret], "does not answer"],
    [["--cluster", "nats://a,nats://b"], "--cluster"],
    [["--cluster", "http://a"], "--cluster"],
    // A certificate is compared with a name, and all servers are reached the same way.
    [["--cluster", "tls://10.0.0.1:4222"], "--cluster"],
    [["--cluster", "tls://[::1]:4222"], "--cluster"],
    [["--cluster", "tls://a,nats://b,nats://c"], "--cluster"],
    [["--cluster-unsigned"], "needs --cluster"],
    [["--data", data.folder, ...withSecret, "--node-url", "http://a;sandbox"], "--node-url"],
    [["--data", data.folder, ...withSecret], "does not answer"],
  ];
  for (const [args, words] of wrong) {
    const { code, stderr } = await runServer("--port", "0", ...args);
    assertStringIncludes(stderr, words);
    assertEquals([code, stderr.trim().split("\n").length], [2, 1], args.join(" "));
  }
});

Deno.test("a page of one node may play at another, and a stranger's page may not (SPEC 17.111)", () => {
  const nodes = ["http://127.0.0.1:8081", "http://127.0.0.1:8082"];
  const rules = (isPublic: boolean, origins: string[] = []) =>
    new SiteRules({ origins, hosts: [], host: "127.0.0.1", isPublic, nodeOrigins: () => nodes });
  for (const site of [rules(false), rules(true, ["https://play.example"])]) {
    assertEquals(
      site.allowsOrigin({ host: "127.0.0.1:8081", origin: "http://127.0.0.1:8082" }),
      true,
    );
    assertEquals(
      site.allowsOrigin({ host: "127.0.0.1:8081", origin: "http://127.0.0.1:8083" }),
      false,
    );
  }
  const policy = contentPolicy([["http://n1", "ws://n1"]]);
  assertStringIncludes(policy.text, "connect-src 'self' http://n1 ws://n1;");
});
