/**
 * A real Firefox, if the machine has one: Debian's firefox-esr unchanged, headless, in a temporary
 * profile, on a page of a local server. No driver controls it; the page requests its work. All its
 * processes are gone when `close` returns.
 */
import { firstFile } from "./places.ts";

const FIREFOX_PLACES = ["/usr/bin/firefox-esr", "/usr/bin/firefox"];

/** The path of this machine's Firefox; undefined if it has none. */
export const firefoxPath = firstFile(FIREFOX_PLACES);

/** The time from the polite signal to the forced one, ms. */
const FAREWELL_MS = 5_000;

/** No connections to the outside, no first-run pages, and no warning about slow scripts. */
const PREFERENCES: Readonly<Record<string, string | number | boolean>> = {
  "app.normandy.enabled": false,
  "app.update.enabled": false,
  "browser.aboutwelcome.enabled": false,
  "browser.newtabpage.enabled": false,
  "browser.safebrowsing.malware.enabled": false,
  "browser.safebrowsing.phishing.enabled": false,
  "browser.sessionstore.resume_from_crash": false,
  "browser.shell.checkDefaultBrowser": false,
  "datareporting.healthreport.uploadEnabled": false,
  "datareporting.policy.dataSubmissionEnabled": false,
  // A page may open another tab before it.
  "dom.disable_open_during_load": false,
  // A page whose server has died closes itself, and thereby the browser. A killed run then leaves
  // nothing behind.
  "dom.allow_scripts_to_close_windows": true,
  "dom.max_script_run_time": 0,
  "dom.push.connection.enabled": false,
  "extensions.getAddons.cache.enabled": false,
  "extensions.update.enabled": false,
  "media.gmp-manager.updateEnabled": false,
  // Pages that connect to each other on this machine name their addresses.
  "media.peerconnection.ice.loopback": true,
  "media.peerconnection.ice.obfuscate_host_addresses": false,
  "network.captive-portal-service.enabled": false,
  "network.connectivity-service.enabled": false,
  "network.dns.disablePrefetch": true,
  "network.prefetch-next": false,
  "services.settings.server": "data:,#nowhere",
  "toolkit.telemetry.enabled": false,
  "toolkit.telemetry.unified": false,
};

/** One Firefox with one page. */
export class Firefox {
  readonly #profile: string;
  readonly #process: Deno.ChildProcess;
  /** Resolves when the process has ended, for whatever reason. */
  readonly ended: Promise<Deno.CommandStatus>;

  private constructor(profile: string, process: Deno.ChildProcess) {
    this.#profile = profile;
    this.#process = process;
    this.ended = process.status;
  }

  /** @param url a page of this machine */
  static async open(url: string): Promise<Firefox> {
    const profile = await Deno.makeTempDir({ prefix: "wyvern-firefox-" });
    const lines = Object.entries(PREFERENCES).map(([name, value]) =>
      `user_pref("${name}", ${JSON.stringify(value)});`
    );
    await Deno.writeTextFile(`${profile}/user.js`, lines.join("\n"));
    const command = new Deno.Command(firefoxPath ?? FIREFOX_PLACES[0]!, {
      args: ["--headless", "--no-remote", "--profile", profile, url],
      env: { HOME: profile, MOZ_CRASHREPORTER_DISABLE: "1" },
      detached: true, // a process group of its own, so that its children can be ended with it
      stdin: "null",
      stdout: "null",
      stderr: "null",
    });

    try {
      return new Firefox(profile, command.spawn());
    } catch (error) {
      await Deno.remove(profile, { recursive: true });
      throw error;
    }
  }

  /** Ends Firefox with all its processes and deletes its profile. */
  async close(): Promise<void> {
    const { pid } = this.#process;
    signal(pid, "SIGTERM");
    const timer = setTimeout(() => signal(-pid, "SIGKILL"), FAREWELL_MS);
    await this.ended;
    clearTimeout(timer);
    signal(-pid, "SIGKILL"); // children that outlived it
    await Deno.remove(this.#profile, { recursive: true });
  }
}

/**
 * Signals a process, or with a negative number its group. A process that is already gone is no
 * error.
 */
function signal(pid: number, name: Deno.Signal): void {
  try {
    Deno.kill(pid, name);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}
