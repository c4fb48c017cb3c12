import { assertEquals, assertMatch, assertNotEquals, assertStringIncludes } from "@std/assert";
import { CERTIFICATE_MS, newCertificate } from "../../../server/datagrams/certificate.ts";
import { programTest, runProgram } from "../../support/programs.ts";

/** The most that browsers accept. */
const BROWSERS_MS_MAX = 14 * 86_400_000;

const NOON = Date.UTC(2026, 10, 25, 12);

/** The certificate in a file, as openssl reads it. */
async function withFile<T>(cert: string, read: (path: string) => Promise<T>): Promise<T> {
  const path = await Deno.makeTempFile({ suffix: ".pem" });
  try {
    await Deno.writeTextFile(path, cert);
    return await read(path);
  } finally {
    await Deno.remove(path);
  }
}

programTest(
  "newCertificate: openssl reads curve, names and times, and verifies the signature (SPEC 16.1)",
  {
    programs: ["openssl"],
    run: async () => {
      const { cert, endMs } = await newCertificate(NOON);
      const text = await withFile(
        cert,
        (path) => runProgram("openssl", "x509", "-noout", "-text", "-in", path),
      );
      assertStringIncludes(text, "ASN1 OID: prime256v1");
      assertStringIncludes(text, "Signature Algorithm: ecdsa-with-SHA256");
      assertStringIncludes(text, "Version: 3");
      assertStringIncludes(text, "DNS:localhost");
      assertMatch(text, /Not Before: Nov 25 11:00:00 2026 GMT/);
      assertMatch(text, /Not After : Dec {2}8 11:00:00 2026 GMT/);
      assertEquals(endMs, Date.UTC(2026, 11, 8, 11));
      assertEquals(CERTIFICATE_MS < BROWSERS_MS_MAX, true);
      const verified = await withFile(
        cert,
        (path) =>
          runProgram(
            "openssl",
            "verify",
            "-check_ss_sig",
            "-attime",
            String(NOON / 1000),
            "-CAfile",
            path,
            path,
          ),
      );
      assertStringIncludes(verified, ": OK");
    },
  },
);

programTest(
  "newCertificate: the hash is the SHA-256 that openssl computes, and each certificate has its own",
  {
    programs: ["openssl"],
    run: async () => {
      const certificates = await Promise.all([newCertificate(NOON), newCertificate(NOON)]);
      for (const { cert, hash } of certificates) {
        const printed = await withFile(
          cert,
          (path) => runProgram("openssl", "x509", "-noout", "-fingerprint", "-sha256", "-in", path),
        );
        assertEquals(printed.trim().split("=")[1]!.replaceAll(":", "").toLowerCase(), hash.toHex());
      }
      assertNotEquals(certificates[0]!.hash, certificates[1]!.hash);
    },
  },
);

programTest(
  "newCertificate: keys whose numbers are short or have the highest bit make valid ones, too",
  {
    programs: ["openssl"],
    run: async () => {
      const all = await Promise.all(Array.from({ length: 40 }, () => newCertificate(NOON)));
      const verify = ["verify", "-check_ss_sig", "-attime", String(NOON / 1000)];
      for (const { cert } of all) {
        const verified = await withFile(
          cert,
          (path) => runProgram("openssl", ...verify, "-CAfile", path, path),
        );
        assertStringIncludes(verified, ": OK");
      }
    },
  },
);
