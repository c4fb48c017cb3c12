/**
 * Fetches the code of WebTransport. It is a script of its own, because players on good lines never need it: the page
 * fetches it when a server first offers datagrams, or when its address asks for them.
 */
type DatagramModule =
  & typeof import("../session/datagrams/session_datagrams.ts")
  & typeof import("../net/datagram_session.ts");

let loading: Promise<DatagramModule> | undefined;

/** Fetches the script once. @throws TypeError if it cannot be fetched; then the next call tries again */
export function loadDatagrams(): Promise<DatagramModule> {
  return loading ??= load().catch((error) => {
    loading = undefined;
    throw error;
  });
}

/** The build writes the script's name into a data attribute of index.html. */
async function load(): Promise<DatagramModule> {
  return await import(new URL(document.body.dataset.datagramScript!, import.meta.url).href);
}
