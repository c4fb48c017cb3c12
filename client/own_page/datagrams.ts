/** The code for datagrams, which a match fetches when a server first offers them. */
export { openPathSession, openWholeSession } from "../net/datagram_session.ts";
export { SessionDatagrams } from "../session/datagrams/session_datagrams.ts";
