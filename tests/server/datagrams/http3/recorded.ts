/**
 * The bytes with which real clients open a session, as Chromium 156, Firefox 153 and Deno 2.9.6
 * sent them to `/socket?ticket=abc.def`: what their control stream begins with, and the request.
 */
export interface RecordedClient {
  readonly name: string;
  /**
   * The control stream: its type, the frame of settings, and others that the browser has made up.
   */
  readonly control: Uint8Array<ArrayBuffer>;
  /** The stream of the request, up to the payload of its first frame's end and beyond. */
  readonly request: Uint8Array<ArrayBuffer>;
  readonly authority: string;
  readonly origin: string | undefined;
}

export const RECORDED: readonly RecordedClient[] = [
  {
    name: "Chromium",
    control: Uint8Array.fromHex(
      "00042901800100000680004000074064330180ffd27701ab60374201c000000fb9d01177c0000000821ee9c5c000001ee3caa7b702b106",
    ),
    request: Uint8Array.fromHex(
      "0140620000d7cf508b089d5c0b8170dc6dc75a6f519061072752a7fc4989d4a9807191790b2f2f00b95d8749c87a3f89f058d360ea4567b1" +
        "3f2f0e4148b782c69b07522b3d895a74a6b65692c1ca900b01315f4b909d29aee30c044eae05c0b86e32cba0770020c59445a021e1363817" +
        "47bee2fbb93e97fbd5e1214c66d74e5c70318750eeaa8a",
    ),
    authority: "127.0.0.1:56745",
    origin: "http://127.0.0.1:33707",
  },
  {
    name: "Firefox",
    control: Uint8Array.fromHex(
      "00041501800100000714ab6037420180ffd2770133010801c011487a7688cef101db",
    ),
    request: Uint8Array.fromHex(
      "0141120000cfd7508b089d5c0b8170dc6df03e0f519061072752a7fc4989d4a9807191790b2f2f00b95d8749c87a3f89f058d360ea4567b1" +
        "3f5f50b5d07f66a281b0dae053fafc087ed4ce6aadf2a7979c89c6bed4b3bdc0b6cae0fed4c452753b02004000802a61358594fe580b6cae" +
        "0fdd5f398b2d4b70ddf45abefb4005df5f10929bd9abfa5242cb40d25fa523b3e94f684c9f2f0e4148b782c69b07522b3d895a74a6b65692" +
        "c1ca900b810f5f4b909d29aee30c044eae05c0b86e340659772f034148b4a549275a42a13f89f058d360ea4567b13f2f034148b4a549275a" +
        "93c85f85a8eb10f6232f034148b4a549275906497f8640e92ac8324b2eaec31ec327d783b606bf2daec1cd48ff86a8eb10649cbfe7",
    ),
    authority: "127.0.0.1:59090",
    origin: "http://127.0.0.1:40337",
  },
  {
    name: "Deno",
    control: Uint8Array.fromHex("00041cc0000000c671706a01330180ffd27701ab603742010801ab60374301"),
    request: Uint8Array.fromHex(
      "0140450000500f3132372e302e302e313a3439373934d751162f736f636b65743f7469636b65743d6162632e64656627023a70726f746f63" +
        "6f6c0c7765627472616e73706f7274cf",
    ),
    authority: "127.0.0.1:49794",
    origin: undefined,
  },
];

/** The path of every recorded request. */
export const RECORDED_PATH = "/socket?ticket=abc.def";
