/**
 * The operator's secrets: texts in files or in the environment, never on the command line, where
 * others see them.
 */
import { UsageError } from "../../shared/flags.ts";
import { messageOf } from "../ground/log.ts";
import type { Settings } from "./settings.ts";

/** So many random characters that no search can try them all. */
const SECRET_CHARACTERS_MIN = 32;

/** Where a secret may be. */
interface SecretPlaces {
  /** The setting with the file's path, such as "secret-file". */
  readonly flag: string;
  /** Its value. */
  readonly path: string | undefined;
  /** The variable that holds the secret itself. */
  readonly variable: string;
}

/**
 * @param readVariable returns an environment variable's text; by default this process's
 * @returns the secret; undefined if there is none
 * @throws UsageError for a file that cannot be read, or a secret that is too short
 */
function readSecret(
  { flag, path, variable }: SecretPlaces,
  readVariable: (name: string) => string | undefined = Deno.env.get,
): string | undefined {
  const text = path === undefined ? readVariable(variable) : textOf(flag, path);
  if (text === undefined) return undefined;
  const secret = text.trim();
  if (secret.length >= SECRET_CHARACTERS_MIN) return secret;
  const place = path === undefined ? variable : `--${flag} ${path}`;
  throw new UsageError(`${place} has to have at least ${SECRET_CHARACTERS_MIN} characters`);
}

function textOf(flag: string, path: string): string {
  try {
    return Deno.readTextFileSync(path);
  } catch (error) {
    throw new UsageError(`--${flag} ${path} cannot be read: ${messageOf(error)}`);
  }
}

/**
 * What operators keep from others.
 * @throws UsageError if one is needed and missing, or cannot be read
 */
export function secretsOf(
  settings: Settings,
): { secret: string | undefined; opsToken: string | undefined } {
  const { "secret-file": path, "ops-token-file": opsPath } = settings;
  const secret = readSecret({ flag: "secret-file", path, variable: "WYVERN_SECRET" });
  if (settings.public && secret === undefined) {
    throw new UsageError(
      "--public needs a secret: a file with --secret-file, or the variable WYVERN_SECRET",
    );
  }
  if (settings.cluster.length > 0 && secret === undefined) {
    throw new UsageError(
      "--cluster needs one secret for all machines: a file with --secret-file, or the variable WYVERN_SECRET",
    );
  }
  return {
    secret,
    opsToken: readSecret({ flag: "ops-token-file", path: opsPath, variable: "WYVERN_OPS_TOKEN" }),
  };
}
