import { assert, describe, it } from "@effect/vitest"
import { isCrossSite, type Provenance } from "../../../src/domain/access/CrossSite.ts"

const post: Provenance = { method: "POST", host: "voice.example", origin: undefined, fetch_site: undefined }

/** [request, whether another site sends it] */
const requests: ReadonlyArray<[string, Partial<Provenance>, boolean]> = [
  ["no browser's", {}, false],
  ["its own page's", { fetch_site: "same-origin", origin: "https://voice.example" }, false],
  ["a person's, who typed the address", { fetch_site: "none" }, false],
  ["another site's", { fetch_site: "cross-site", origin: "https://evil.example" }, true],
  ["a sister's below the same domain", { fetch_site: "same-site", origin: "https://blog.voice.example" }, true],
  ["another site's that only reads", { method: "GET", fetch_site: "cross-site" }, false],
  ["an old browser's on its own page", { origin: "https://voice.example" }, false],
  ["an old browser's on its own page at a port", { host: "127.0.0.1:8080", origin: "http://127.0.0.1:8080" }, false],
  ["an old browser's on another port", { host: "127.0.0.1:8080", origin: "http://127.0.0.1:9090" }, true],
  ["an old browser's on another site", { origin: "https://evil.example" }, true],
  ["an old browser's in a sandbox", { origin: "null" }, true],
  ["one without a host", { host: undefined, origin: "https://voice.example" }, true],
  ["one without a host, in a sandbox", { host: undefined, origin: "null" }, true]
]

describe("a request", () => {
  for (const [name, given, expected] of requests) {
    it(`that is ${name} is ${expected ? "" : "not "}another site's`, () =>
      assert.strictEqual(isCrossSite({ ...post, ...given }), expected))
  }
})
