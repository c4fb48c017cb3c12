/** In a browser: opens links to a UDP port, and reports what became of them. */
import { openWebTransportLink } from "../../../client/net/web_transport_link.ts";
import type { Link } from "../../../shared/netcode/link.ts";

/** Everything that a page has seen of one link. */
export interface LinkReport {
  /** The lengths of messages that came back, by the channel. */
  readonly reliable: number[];
  readonly datagrams: number[];
  end: [code: number, reason: string] | undefined;
}

/** Lengths of what the page sends by either channel. */
const LENGTHS: readonly number[] = [1, 60, 1_024];

/** Links stay open for as long as the page. */
const links: Link[] = [];

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}

/**
 * Opens a link, sends messages by both channels, and awaits their echoes. A datagram is sent until
 * it comes back.
 * @param serverMs the time of day that the server has, as the page knows it
 */
async function openLink(
  url: string,
  hash: readonly number[],
  serverMs?: number,
): Promise<LinkReport> {
  const link = openWebTransportLink({
    url,
    certificateHash: Uint8Array.from(hash),
    ...(serverMs && { serverDate: new Date(serverMs).toUTCString() }),
  });
  links.push(link);
  const report: LinkReport = { reliable: [], datagrams: [], end: undefined };
  link.onMessage(({ length }, reliably) =>
    void (reliably ? report.reliable : report.datagrams).push(length)
  );
  link.onClose((code, reason) => report.end = [code, reason]);
  return await exchange(link, report);
}

/**
 * Sends by an open link once more.
 * @param index of the link, in the order in which they were opened
 */
function echoAgain(index: number): Promise<LinkReport> {
  const link = links[index]!;
  const report: LinkReport = { reliable: [], datagrams: [], end: undefined };
  link.onMessage(({ length }, reliably) =>
    void (reliably ? report.reliable : report.datagrams).push(length)
  );
  return exchange(link, report);
}

async function exchange(link: Link, report: LinkReport): Promise<LinkReport> {
  for (const length of LENGTHS) link.sendReliably(new Uint8Array(length));
  await until(() => report.reliable.length === LENGTHS.length || report.end !== undefined);
  for (const length of LENGTHS) {
    while (!report.datagrams.includes(length) && report.end === undefined) {
      link.send(new Uint8Array(length));
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
  return report;
}

/** Asks the server to close the newest link, with an empty message. @returns how it ended */
async function askForClose(report: LinkReport): Promise<LinkReport> {
  links.at(-1)!.sendReliably(new Uint8Array());
  await until(() => report.end !== undefined);
  return report;
}

/**
 * All that a page without a driver does: it reports to its own server, and ends its second link
 * itself.
 */
async function runAlone({ url, hash }: { url: string; hash: readonly number[] }): Promise<void> {
  const report = await askForClose(await openLink(url, hash));
  await openLink(url, hash);
  links.at(-1)!.close(1000, "bye");
  await fetch("/report", { method: "POST", body: JSON.stringify(report) });
}

Object.assign(globalThis, {
  openLink,
  echoAgain,
  askForClose: (url: string, hash: readonly number[]) => openLink(url, hash).then(askForClose),
  closeLink: () => links.at(-1)!.close(1000, "bye"),
});

const given = document.querySelector("#given")?.textContent;
if (given) await runAlone(JSON.parse(given));
