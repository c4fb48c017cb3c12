/**
 * Which games a server will host, for programs that build pages before they start it. They read
 * only the settings that decide this; the server checks all.
 */

/**
 * @param flags of the server
 * @param readVariable as for `parseSettings`
 * @returns the setting `games`, and "all" for a config file, which may name any; undefined for the
 * default, which is the first game
 */
export function gamesSetting(
  flags: readonly string[],
  readVariable: (name: string) => string | undefined,
): string | undefined {
  const textOf = (setting: string) => {
    const isGiven = (flag: string) => flag === `--${setting}` || flag.startsWith(`--${setting}=`);
    const at = flags.findLastIndex(isGiven);
    if (at < 0) return readVariable(`WYVERN_${setting.toUpperCase()}`);
    return flags[at]!.split("=")[1] ?? flags[at + 1];
  };
  return textOf("games") ?? (textOf("config") === undefined ? undefined : "all");
}
