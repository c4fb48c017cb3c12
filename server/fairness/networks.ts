/**
 * The networks around an address. Limits and fairness consider them, because one customer may have
 * many addresses:
 *
 *     IPv6   /48 → /56 → /64     a provider gives a customer any of the three (RFC 6177)
 *     IPv4   /24 → address       a hoster rents out whole /24s, but mostly its addresses are different customers
 *
 * So a rate or a cap counts for each IPv6 network and for each IPv4 address, and neighbours in a
 * /24 are not slowed down. In a full server the /24 counts as well, because there a large holder
 * only gives back what others lack.
 */

/** How many blocks' networks are remembered: more than a server has sockets. */
const REMEMBERED_MAX = 8_192;

const remembered = new Map<string, readonly string[]>();

/**
 * The networks among which a full server's places are shared out, the widest first.
 * @param addressBlock as `addressBlockOf` returns it; the last network is the block itself
 */
export function holdersOf(addressBlock: string): readonly string[] {
  const known = remembered.get(addressBlock);
  if (known !== undefined) return known;
  if (remembered.size >= REMEMBERED_MAX) remembered.clear();

  const bytes = addressBlock.split(".");
  const holders = bytes.length === 4
    ? [`${bytes.slice(0, 3).join(".")}.0/24`, addressBlock]
    : customersOf(addressBlock);
  remembered.set(addressBlock, holders);
  return holders;
}

/**
 * The networks that may each be one customer, the widest first. Rates and caps count for each of
 * them.
 * @param addressBlock as for `holdersOf`
 */
export function customersOf(addressBlock: string): readonly string[] {
  const groups = addressBlock.split(":");
  if (groups.length !== 4) return [addressBlock];
  const site = groups.slice(0, 3).join(":");
  const upperByte = parseInt(groups[3]!, 16) >> 8;
  return [`${site}/48`, `${site}:${upperByte.toString(16)}00/56`, addressBlock];
}
