// A private certificate authority, which only those trust who are given its file.
import { Effect } from "effect"
import { execFile } from "node:child_process"
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"

const run = promisify(execFile)
const ecKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]

export interface Certificate {
  /** The paths of both files (PEM). */
  readonly certificate: string
  readonly key: string
}

export interface Authority {
  /** Its own certificate (PEM), for those who trust it. */
  readonly file: string
  /** Issues a certificate for these names, such as `DNS:localhost,IP:127.0.0.1`. */
  readonly certifies: (name: string, subjects: string) => Effect.Effect<Certificate>
}

/** Keeps its files in `folder`. */
export const makeAuthority = (folder: string, name = "ca"): Effect.Effect<Authority> =>
  Effect.promise(async () => {
    await mkdir(folder, { recursive: true })
    const [file, key] = [join(folder, `${name}.pem`), join(folder, `${name}.key`)]
    await run("openssl", [
      "req",
      "-x509",
      ...ecKey,
      "-days",
      "30",
      "-subj",
      `/CN=${name}`,
      "-keyout",
      key,
      "-out",
      file
    ])
    return {
      file,
      certifies: (of, subjects) =>
        Effect.promise(async () => {
          const [certificate, own, request, extensions] = ["pem", "key", "csr", "ext"].map((end) =>
            join(folder, `${name}-${of}.${end}`)
          ) as [string, string, string, string]
          await writeFile(extensions, `subjectAltName=${subjects}\n`)
          await run("openssl", ["req", "-new", ...ecKey, "-subj", `/CN=${of}`, "-keyout", own, "-out", request])
          const signed = ["-CA", file, "-CAkey", key, "-CAcreateserial", "-days", "30", "-extfile", extensions]
          await run("openssl", ["x509", "-req", "-in", request, ...signed, "-out", certificate])
          return { certificate, key: own }
        })
    }
  })
