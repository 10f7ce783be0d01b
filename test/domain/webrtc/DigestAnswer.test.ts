import { assert, describe, it } from "@effect/vitest"
import { createHash } from "node:crypto"
import { digestAnswer } from "../../../src/domain/webrtc/DigestAnswer.ts"

const hash = (algorithm: "MD5" | "SHA-256", text: string) =>
  createHash(algorithm === "MD5" ? "md5" : "sha256")
    .update(text)
    .digest("hex")

describe("an answer to a challenge", () => {
  it("is that of RFC 2617, section 3.5", () => {
    const answer = digestAnswer(
      'Digest realm="testrealm@host.com", qop="auth,auth-int", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", opaque="5ccc069c403ebaf9f0171e9517f40e41"',
      { method: "GET", uri: "/dir/index.html" },
      { username: "Mufasa", password: "Circle Of Life" },
      "0a4f113b",
      hash
    )!
    assert.include(answer, 'response="6629fae49393a05397450978507c4ef1"')
    assert.include(answer, 'opaque="5ccc069c403ebaf9f0171e9517f40e41"')
  })
  it("is that of RFC 7616, section 3.9.1", () => {
    const answer = digestAnswer(
      'Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=SHA-256, nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v"',
      { method: "GET", uri: "/dir/index.html" },
      { username: "Mufasa", password: "Circle of Life" },
      "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ",
      hash
    )!
    assert.include(answer, 'response="753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"')
  })
  it("knows the oldest form, and none that it cannot compute", () => {
    const of = (challenge: string) =>
      digestAnswer(challenge, { method: "REGISTER", uri: "sip:pbx" }, { username: "u", password: "p" }, "c", hash)
    assert.notInclude(of('Digest realm="r", nonce="n"')!, "qop")
    for (const challenge of [
      'Basic realm="r"',
      'Digest nonce="n"',
      'Digest realm="r", nonce="n", algorithm=MD5-sess',
      'Digest realm="r", nonce="n", qop="auth-int"'
    ]) {
      assert.isUndefined(of(challenge), challenge)
    }
  })
})
