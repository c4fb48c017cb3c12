/**
 * What a program may set when it hosts games. `deno task chore docs` writes this file from the
 * tables of the server's settings (`server/settings`), which have the same names as flags.
 */

/** How often something may happen: so many at one instant, and so many per second for ever. */
export interface HostRate {
  readonly burst: number;
  readonly perSecond: number;
}

/** The server's settings by their names; each has a default. */
export interface ServerSettings {
  /**
   * NPCs in each room, of all games or by a game's name [as each game says]: a whole number 0 to
   * 16.
   */
  readonly npcs?: number | Readonly<Record<string, number>>;
  /**
   * Who computes matches: the server in full, or the players while it orders their commands [as
   * each game says]: full, order, or such as hop=order.
   */
  readonly authority?: string;
  /**
   * Seed of all randomness in the matches; with --public there is none [drawn at start]: a whole
   * number 0 to 4294967295.
   */
  readonly seed?: number;
  /**
   * What clients receive each tick: commands and a hash, or the body stream (SPEC 12) [commands]:
   * commands or state.
   */
  readonly stream?: "commands" | "state";
  /**
   * What the referee judges of matches that the server orders: all, one match in eight, or what
   * pages disagree on [sample]: all, sample or differences.
   */
  readonly verify?: "all" | "sample" | "differences";
  /**
   * Seconds without any input after which a player loses the seat; an NPC plays after 20; 0 for
   * never [180]: a whole number 0 to 86400.
   */
  readonly idle?: number;
  /**
   * For development: repeat each tick after a rollback, and log the first field that differs.
   */
  readonly "check-twin"?: boolean;
  /**
   * Where to listen; other than loopback needs --public [127.0.0.1]: a name or address of this
   * machine, 0.0.0.0 for all of them.
   */
  readonly host?: string;
  /**
   * Where to listen [8080]: a whole number 0 to 65535, 0 takes any free one.
   */
  readonly port?: number;
  /**
   * WebTransport beside WebSocket, by UDP on the same port: for players who gain, or for all
   * [auto]: off, auto or on.
   */
  readonly datagrams?: "off" | "auto" | "on";
  /**
   * Where UDP listens, for a server behind a proxy, which forwards no UDP [--host]: an address of
   * this machine, 0.0.0.0 for all of them.
   */
  readonly "datagrams-host"?: string;
  /**
   * The UDP port, which players have to reach under the same number [that of HTTP]: a whole
   * number 0 to 65535, 0 takes any free one.
   */
  readonly "datagrams-port"?: number;
  /**
   * Introduce pages to each other that host rooms themselves; no match runs here for them.
   */
  readonly signalling?: boolean;
  /**
   * STUN and TURN servers that --signalling names to pages: stun:HOST:PORT,
   * turn:USER:PASSWORD@HOST:PORT [none]: a list of such addresses.
   */
  readonly ice?: string;
  /**
   * Pages connect through the TURN servers of --ice alone, so no player learns an address.
   */
  readonly "ice-relay-only"?: boolean;
  /**
   * For an address that strangers reach: checked names and origins, metrics on the operators'
   * port only.
   */
  readonly public?: boolean;
  /**
   * A certificate chain, for HTTPS; with --tls-key: the path of a PEM file.
   */
  readonly "tls-cert"?: string;
  /**
   * The certificate's private key: the path of a PEM file.
   */
  readonly "tls-key"?: string;
  /**
   * Proxies whose X-Forwarded-For is believed [none]: addresses or networks, such as
   * 127.0.0.1,10.0.0.0/8.
   */
  readonly "trust-proxy"?: readonly string[];
  /**
   * Origins whose pages may play here [the page's own]: origins, such as
   * https://play.example.org.
   */
  readonly origin?: readonly string[];
  /**
   * Sites that may show the pages in a frame [none]: origins, such as https://www.example.org or
   * https://*.example.org; at most 1,024 characters.
   */
  readonly "embed-in"?: readonly string[];
  /**
   * Names under which this server is reached [with --public those of --origin; otherwise loopback
   * names]: host names.
   */
  readonly "allow-host"?: readonly string[];
  /**
   * Log one JSON object a line.
   */
  readonly "log-json"?: boolean;
  /**
   * Log lines that may wait for their reader; further ones are dropped and counted [1000]: a
   * whole number 1 to 1000000.
   */
  readonly "log-lines"?: number;
  /**
   * Where the logs of matches are, from which a server goes on after a restart or a crash [data]:
   * a folder, or off.
   */
  readonly data?: string;
  /**
   * The page /same-bits shows which hashes visitors' devices got; no addresses are kept [none].
   */
  readonly "collect-hashes"?: boolean;
  /**
   * Seconds that rounds have to end after a signal to stop [60]: a whole number 0 to 3600.
   */
  readonly grace?: number;
  /**
   * How often the logs of matches have to be on the disk: what a loss of power may cost [200ms]:
   * tick, 200ms or off.
   */
  readonly "journal-sync"?: "tick" | "200ms" | "off";
  /**
   * A file with the secret behind seeds and tickets, 32 characters or more; --public needs it
   * [WYVERN_SECRET, or drawn]: a path.
   */
  readonly "secret-file"?: string;
  /**
   * Where operators find /ops, /metrics and the API [nowhere]: a whole number 0 to 65535, 0 takes
   * any free one.
   */
  readonly "ops-port"?: number;
  /**
   * Where to listen for operators [127.0.0.1]: a name or address of this machine.
   */
  readonly "ops-host"?: string;
  /**
   * A file with the operators' token, at least 32 characters [WYVERN_OPS_TOKEN, or drawn at start
   * and printed]: a path.
   */
  readonly "ops-token-file"?: string;
  /**
   * Nats-servers that several machines keep their matches on: when one machine dies, another
   * plays on [none]: one, three or more addresses such as
   * nats://user:password@n1:4222,nats://n2:4222,nats://n3:4222; all of them nats://, tls:// with
   * host names, ws:// or wss://.
   */
  readonly cluster?: readonly string[];
  /**
   * With --cluster: where players reach this machine, and no other one [its own address]: an
   * origin such as https://eu1.play.example.org.
   */
  readonly "node-url"?: string;
  /**
   * With --cluster: while nodes of a version before signed messages still run: believe their
   * messages, too.
   */
  readonly "cluster-unsigned"?: boolean;
  /**
   * With --cluster: where this machine is; "Play now" prefers machines near a player [default]: 1
   * to 32 of a to z, 0 to 9 and inner hyphens, such as eu-west.
   */
  readonly region?: string;
  /**
   * With --cluster: a folder that all machines share, for the logs of matches that are over
   * [none]: the path of a folder, which may be on a shared disk.
   */
  readonly archive?: string;
  /**
   * How much the logs in that folder may take together, GiB; the oldest ones go [16]: a whole
   * number 1 to 1048576.
   */
  readonly "archive-gib"?: number;
  /**
   * Connections of all, sockets and pages [2500]: a whole number 1 to 65000.
   */
  readonly connections?: number;
  /**
   * Connections of one address [320]: a whole number 1 to 65000.
   */
  readonly "connections-per-address"?: number;
  /**
   * Requests before a connection is closed [100]: a whole number 1 to 1000000.
   */
  readonly "requests-per-connection"?: number;
  /**
   * Requests of one address; 4 times as many of a /56, 16 times of a /48 [{ burst: 600,
   * perSecond: 100 }]: each a whole number 1 to 9999999.
   */
  readonly "requests-per-address"?: HostRate;
  /**
   * Sockets of all [2000]: a whole number 1 to 65000.
   */
  readonly sockets?: number;
  /**
   * Sockets of one address [256]: a whole number 1 to 65000.
   */
  readonly "sockets-per-address"?: number;
  /**
   * New sockets of one address; 4 times as many of a /56, 16 times of a /48 [{ burst: 100,
   * perSecond: 40 }]: each a whole number 1 to 9999999.
   */
  readonly "upgrades-per-address"?: HostRate;
  /**
   * Messages of one link [{ burst: 300, perSecond: 60 }]: each a whole number 1 to 9999999.
   */
  readonly "messages-per-link"?: HostRate;
  /**
   * Messages of one address [{ burst: 12000, perSecond: 6000 }]: each a whole number 1 to
   * 9999999.
   */
  readonly "messages-per-address"?: HostRate;
  /**
   * Rooms of all [200]: a whole number 1 to 10000.
   */
  readonly rooms?: number;
  /**
   * Rooms that one address has opened [20]: a whole number 1 to 10000.
   */
  readonly "rooms-per-address"?: number;
  /**
   * Seats of one address [256]: a whole number 1 to 65000.
   */
  readonly "seats-per-address"?: number;
  /**
   * Spectators of one address [64]: a whole number 1 to 65000.
   */
  readonly "watchers-per-address"?: number;
  /**
   * No new room or seat while the p95 of the ticks takes more than so many percent of a tick
   * [60]: a whole number 1 to 100.
   */
  readonly "tick-load"?: number;
}
