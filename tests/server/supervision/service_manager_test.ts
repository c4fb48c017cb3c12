/**
 * What a server says to the service manager of its machine, which a socket of this test plays
 * (sd_notify(3)).
 */
import { assertEquals } from "@std/assert";
import { ServerProcess } from "../../support/servers/server_process.ts";

/** A socket of datagrams in a folder. Deno's types leave it out: it is unstable. */
interface DatagramSocket {
  receive(): Promise<[Uint8Array, unknown]>;
  close(): void;
}
const { listenDatagram } = Deno as unknown as {
  listenDatagram: (address: { transport: "unixpacket"; path: string }) => DatagramSocket;
};

for (const flags of [[], ["--workers", "2"]]) {
  Deno.test(`serve ${flags.join(" ")}: a service manager hears that it is ready, lives and stops (SPEC 17.18)`, async () => {
    const folder = await Deno.makeTempDir();
    const socket = listenDatagram({ transport: "unixpacket", path: `${folder}/notify` });

    try {
      const env = {
        NOTIFY_SOCKET: `${folder}/notify`,
        WATCHDOG_USEC: "200000",
        RUNTIME_DIRECTORY: folder,
      };
      await using server = await ServerProcess.startManaged(folder, env, ...flags);
      const next = async () => new TextDecoder().decode((await socket.receive())[0]);

      assertEquals([await next(), await next(), await next()], [
        "READY=1",
        "WATCHDOG=1",
        "WATCHDOG=1",
      ]);
      server.signal("SIGTERM");
      let said = await next();
      while (said === "WATCHDOG=1") said = await next();
      assertEquals(said, "STOPPING=1");
      assertEquals((await server.ended()).code, 0);
    } finally {
      socket.close();
      await Deno.remove(folder, { recursive: true });
    }
  });
}
