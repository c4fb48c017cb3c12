/**
 * Opens sockets to a server, and discards what they get: the clients of a benchmark that measures a
 * server alone.
 *
 *     deno run --allow-net tests/tools/bench/match/socket_sink.ts URL SOCKETS
 */
const [url, sockets] = Deno.args;
for (let i = 0; i < Number(sockets); i++) {
  const socket = new WebSocket(`${url!.replace("http", "ws")}socket`);
  socket.binaryType = "arraybuffer";
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = () => reject(new Error("the server refused a socket"));
  });
}
