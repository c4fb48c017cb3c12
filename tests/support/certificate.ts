/** A certificate for this machine, made for one test by openssl. No browser trusts it. */
import { runProgram } from "./programs.ts";

export class Certificate implements AsyncDisposable {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** @throws Error if openssl is missing or fails */
  static async make(): Promise<Certificate> {
    const certificate = new Certificate(await Deno.makeTempDir());
    const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
    const names = [
      "-subj",
      "/CN=localhost",
      "-addext",
      "subjectAltName=DNS:localhost,IP:127.0.0.1",
    ];
    const ends = ["-addext", "basicConstraints=critical,CA:FALSE"];
    const files = ["-keyout", certificate.keyPath, "-out", certificate.certPath];
    await runProgram(
      "openssl",
      "req",
      "-x509",
      ...curve,
      "-days",
      "2",
      ...names,
      ...ends,
      ...files,
    );
    return certificate;
  }

  get certPath(): string {
    return `${this.#folder}/cert.pem`;
  }

  get keyPath(): string {
    return `${this.#folder}/key.pem`;
  }

  /**
   * The SHA-256 of its public key, in base64: browsers trust it if their command line names this.
   */
  async keyHash(): Promise<string> {
    const pem = await runProgram("openssl", "x509", "-pubkey", "-noout", "-in", this.certPath);
    const key = Uint8Array.fromBase64(pem.replaceAll(/-----.*-----/g, ""));
    return new Uint8Array(await crypto.subtle.digest("SHA-256", key)).toBase64();
  }

  /** The flags with which the server uses it. */
  get flags(): string[] {
    return ["--tls-cert", this.certPath, "--tls-key", this.keyPath];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Deno.remove(this.#folder, { recursive: true });
  }
}
