/**
 * The protocol's trained constants: how likely each flag in a message is set. A probability p is a
 * share of `P_ONE`, so
 *
 *     cost in bits = −log2( p / 4096 ) if the flag is set,   −log2( 1 − p / 4096 ) if it is not
 *
 * A wrong constant costs only bytes, but both ends must use the same ones, so a change needs a new
 * `PROTOCOL_VERSION`. WIRE.md gives each constant where it is used, and a test compares the two.
 *
 * Every figure was trained on workload W (DESIGN 11) and on the lab's matrix; those for bodies only
 * on workload W. A game's command codec holds the constants for its commands.
 */

// ── Messages from the client ──

/** The message carries commands; otherwise it is a ping, a report or `back`. */
export const P_COMMAND = 4060;
/** A message without commands is a ping. */
export const P_PING = 3900;
/** A message without commands that is not a ping is a proof. */
export const P_PROOF = 2048;
/** One that is no proof either says that the client left its datagram path. */
export const P_BACK = 64;
/** A command is for the tick after the last command's tick. */
export const P_COMMAND_NEXT_TICK = 4070;
/** Exactly one definitive tick arrived since the last command. */
export const P_RECEIVED_NEXT_TICK = 3300;
/** The lead equals the last command's lead. */
export const P_LEAD_UNCHANGED = 1600;
/**
 * The client is desynced or on the body stream: after a command that was neither, and after one
 * that was either.
 */
export const P_STATUS = 8;
export const P_STATUS_AGAIN = 4040;
/** A body-stream client also requests the full state. */
export const P_STATE_REQUEST = 64;
/** A client's newest tick with bodies is its newest tick. */
export const P_BODIES_ACK_IS_RECEIVED = 3000;
/** A ping goes with a command, or its answer with a tick: one a second, at 20 messages a second. */
export const P_PIGGYBACKED = 205;
/**
 * A player's command equals their previous one. A human-like player changes it 3.9 times a second
 * (DESIGN 11).
 */
export const P_PLAYER_UNCHANGED = 3350;

// ── Datagrams from the client ──

/** A datagram with commands is short: coded against earlier ones. */
export const P_SHORT = 4050;
/** It is coded against the nearer of two references. */
export const P_NEAR_REFERENCE = 4050;
/** As many ticks are in transit as with its reference. */
export const P_REFERENCE_OFFSET = 3900;
/** Its lead equals its reference's lead. */
export const P_REFERENCE_LEAD = 3300;
/** It carries as many commands as its reference. */
export const P_REFERENCE_COUNT = 3800;
/**
 * A command equals the one before. A lower figure makes changes shorter, and one byte still has
 * room for two others.
 */
export const P_SHORT_UNCHANGED = 2700;

// ── Messages from the server ──

/** The message is a tick. */
export const P_TICK = 3900;
/** One more presence change follows. */
export const P_PRESENCE_CHANGE = 16;
/**
 * Something is announced for a seat: a player's, an NPC's, and one without a recent announced
 * command.
 */
export const P_PLAYER_ANNOUNCES = 3800;
export const P_NPC_ANNOUNCES = 4040;
export const P_SILENT_SEAT_ANNOUNCES = 12;
/**
 * A seat's announcement is followed by another one: in a tick, and in a full state, which repeats
 * all that are ahead.
 */
export const P_ANNOUNCES_MORE = 120;
export const P_ANNOUNCES_MORE_WITH_STATE = 3900;
/** A player's command is announced between two ticks. */
export const P_ANNOUNCES_EARLY = 300;
/** A command is announced for the tick after the seat's newest announced one. */
export const P_ANNOUNCED_NEXT_TICK = 4030;
/** An NPC's command equals its previous one. */
export const P_NPC_UNCHANGED = 3750;
/** After a full state, a seat's announcement baseline differs from what follows from the state. */
export const P_BASELINE_DIFFERS = 64;
/** Slack or advised lead differ from those sent last. */
export const P_ADVICE_CHANGED = 700;
/** A full state starts the body stream. */
export const P_BODY_STREAM_STARTS = 256;
/**
 * Bodies follow: if the previous tick on a reliable link carried some, if it carried none, and in a
 * datagram.
 */
export const P_BODIES_AGAIN = 4088;
export const P_BODIES_START = 8;
export const P_BODIES_IN_DATAGRAM = 256;

// ── Datagrams from the server ──

/** The client's arrivals follow. */
export const P_ARRIVALS = 4000;
/** Their newest tick is the one after the message's. */
export const P_ARRIVALS_NEXT_TICK = 2500;
/** For each tick, one datagram arrived and could be read. */
export const P_ALL_ARRIVED_ONCE = 3600;
/** A datagram for the tick arrived; only one did; its commands could be read. */
export const P_ARRIVED = 3600;
export const P_ARRIVED_ONCE = 2600;
export const P_COMMANDS_READ = 4000;

// ── Bodies ──

/** A body is sent, by ticks since it was last sent. From age 10 on it must be (SPEC 12.8). */
export const P_BODY_SENT_AT_AGE = [0, 740, 590, 590, 590, 590, 590, 410, 410, 500, 4090];
/** A body that was sent in all recent ticks is sent again. */
export const P_BODY_SENT_AGAIN = 3600;
/** A joint that was not sent in all recent ticks is sent. */
export const P_JOINT_SENT = 24;
/** A body that is sent is gone. */
export const P_BODY_REMOVED = 200;
/** One more new body follows. */
export const P_NEW_BODY = 2050;
/**
 * The next id is not the one after the greatest that was sent, because an entity or joint came and
 * went at once.
 */
export const P_NEXT_ID_DIFFERS = 10;
/** A sent body moves as predicted: one that was due for its age, and a younger one. */
export const P_BODY_AS_PREDICTED_OLD = 3800;
export const P_BODY_AS_PREDICTED = 8;
/** A body was teleported. */
export const P_TELEPORTED = 16;
/** All of a body's fields are as predicted; one field is, if not all are. */
export const P_FIELDS_AS_PREDICTED = 3700;
export const P_FIELD_AS_PREDICTED = 2050;

/**
 * Residuals are coded by their length in bits. Entry n is the probability that a residual with at
 * least n bits takes exactly n. The last entry counts for all longer ones.
 */
export const P_SPEED_LENGTHS = [1340, 70, 64, 150, 430, 850, 2080, 890, 1300, 2400];
/** Positions when the velocity is as predicted, and when it is not. */
export const P_POSITION_LENGTHS_STEADY = [2500, 3000, 2600, 2400, 2200, 2000];
export const P_POSITION_LENGTHS_DEFLECTED = [1960, 1650, 820, 820, 890, 960, 1550];
/** A new body's velocity and position, which are coded against 0. */
export const P_SPEED_LENGTHS_NEW = [300, 60, 60, 100, 150, 300, 500, 800, 1400, 1600, 2600, 2600];
// deno-fmt-ignore
export const P_POSITION_LENGTHS_NEW = [
  40, 20, 20, 20, 20, 20, 20, 20, 40, 80, 200, 500, 1200, 2600, 3000,
];
