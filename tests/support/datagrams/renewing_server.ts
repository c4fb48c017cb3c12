/**
 * The real server with one addition: it renews its certificate when it gets SIGUSR2, and says so.
 * Otherwise a test would have to wait for days.
 */
import { DatagramEndpoint } from "../../../server/datagrams/datagram_endpoint.ts";
import { runServer } from "../../../server/run_server.ts";
import { GAMES } from "../../../shared/games/registry.ts";

const { open } = DatagramEndpoint;
DatagramEndpoint.open = async function (options) {
  const endpoint = await open.call(DatagramEndpoint, options);
  Deno.addSignalListener("SIGUSR2", async () => {
    await endpoint.renew();
    console.log(`The certificate is ${endpoint.offer.certificateHash}`);
  });
  return endpoint;
};

if (import.meta.main) Deno.exit(await runServer(GAMES, Deno.args));
