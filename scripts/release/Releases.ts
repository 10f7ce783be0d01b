// The digests of the API of each release. They are compressed, because the tag of a release has the document itself.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync, gzipSync } from "node:zlib"
import { type ApiDigest, digestOf } from "./ApiDigest.ts"

const root = join(import.meta.dirname, "../..")
const folder = join(root, "test/fixtures/releases")
const ending = ".json.gz"

export const digestFile = (version: string): string => join(folder, `${version}${ending}`)

export const releasedVersions = (): ReadonlyArray<string> =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => name.endsWith(ending))
        .map((name) => name.slice(0, -ending.length))
    : []

export const readDigest = (version: string): ApiDigest =>
  JSON.parse(gunzipSync(readFileSync(digestFile(version))).toString()) as ApiDigest

/** The API as docs/openapi.json describes it now. */
export const currentDigest = (): ApiDigest =>
  digestOf(JSON.parse(readFileSync(join(root, "docs/openapi.json"), "utf8")) as unknown)

export const writeDigest = (version: string, digest: ApiDigest): void => {
  mkdirSync(folder, { recursive: true })
  writeFileSync(digestFile(version), gzipSync(JSON.stringify(digest), { level: 9 }))
}
