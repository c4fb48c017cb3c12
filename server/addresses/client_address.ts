/** Finds a client's address, and the customer for whom limits count. */
import { BlockList, isIP } from "node:net";

/**
 * The customer behind an address: an IPv4 address itself, or the first 64 bits of an IPv6 address.
 * One customer holds a whole IPv6 network of 2^64 addresses (RFC 6177).
 */
export function addressBlockOf(address: string): string {
  if (!address.includes(":") || address.includes(".")) return plainAddress(address);
  const [left = "", right] = address.split("%", 1)[0]!.split("::");
  const before = left === "" ? [] : left.split(":");
  const after = right === undefined || right === "" ? [] : right.split(":");
  const zeros = right === undefined ? 0 : Math.max(0, 8 - before.length - after.length);
  return [...before, ...new Array<string>(zeros).fill("0"), ...after].slice(0, 4).join(":");
}

/** How long a header may be to be read. Each proxy on the way adds an address to it. */
const FORWARDED_CHARACTERS_MAX = 1_024;

/** Finds a client's address behind proxies that the operator trusts. */
export class ProxyTrust {
  readonly #trusted = new BlockList();

  /** @param networks addresses and networks of proxies, such as `10.0.0.0/8` */
  constructor(networks: readonly string[]) {
    for (const network of networks) {
      const [address = "", prefix] = network.split("/");
      const family = familyOf(address);
      if (prefix === undefined) this.#trusted.addAddress(address, family);
      else this.#trusted.addSubnet(address, Number(prefix), family);
    }
  }

  /** Whether the address belongs to a trusted proxy. */
  trusts(address: string): boolean {
    const plain = plainAddress(address);
    return isIP(plain) !== 0 && this.#trusted.check(plain, familyOf(plain));
  }

  /**
   * Finds the client's address: the last one in `X-Forwarded-For` that does not belong to a trusted
   * proxy. Everything before it could be the client's own invention.
   * @param address the connection's other end
   * @param forwardedFor the header's text
   */
  clientAddress(address: string, forwardedFor: string | undefined): string {
    if (forwardedFor === undefined || forwardedFor.length > FORWARDED_CHARACTERS_MAX) {
      return address;
    }
    let client = address;
    for (const hop of forwardedFor.split(",").map((part) => part.trim()).reverse()) {
      if (!this.trusts(client) || isIP(hop) === 0) return client;
      client = hop;
    }
    return client;
  }
}

function familyOf(address: string): "ipv4" | "ipv6" {
  return address.includes(":") ? "ipv6" : "ipv4";
}

/** Restores an IPv4 address that a dual-stack socket reports as IPv6, such as ::ffff:192.0.2.1. */
function plainAddress(address: string): string {
  return address.startsWith("::ffff:") && address.includes(".")
    ? address.slice("::ffff:".length)
    : address;
}
