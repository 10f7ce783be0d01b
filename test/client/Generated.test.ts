import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { gzipSync } from "node:zlib"
import { HttpApi } from "effect/http-api"
import { bundleClient } from "../../scripts/bundles/ClientBundle.ts"
import { render } from "../../scripts/client/ClientTypes.ts"
import { Api } from "../../src/http/api/Api.ts"
import { routes } from "../../src/client/generated/Routes.ts"

/** Routes for browsers and for links: the client has no method for them. */
const without = new Set([
  "GET /v1/topups/{id}/receipt/page",
  "GET /v1/invoices/{month}/page",
  "GET /v1/recordings/{id}/audio",
  "GET /v1/auth/idp/start",
  "GET /v1/auth/idp/callback",
  "POST /v1/auth/idp/link"
])

describe("the client's types and routes", () => {
  it("are those of the contract, which scripts/build-client-types.ts writes", () => {
    for (const [name, text] of Object.entries(render()))
      assert.isTrue(readFileSync(`src/client/generated/${name}`, "utf8") === text, `${name} is not up to date`)
  })

  it("have a method for every route of the contract", () => {
    const known = new Set(
      Object.values(routes).flatMap((names) =>
        Object.values(names).map((route) => route.split(" ").slice(0, 2).join(" "))
      )
    )
    const missing: Array<string> = []
    HttpApi.reflect(Api, {
      onGroup: () => {},
      onEndpoint: ({ endpoint: { method, path } }) => {
        const route = `${method} ${path.replaceAll(/:(\w+)/g, "{$1}")}`
        if (!known.has(route) && !without.has(route)) missing.push(route)
      }
    })
    assert.deepStrictEqual(missing, [])
  })
})

describe("the bundle of the client", () => {
  it("is one module without imports, and small", async () => {
    const [module, script] = [await bundleClient("client", "es"), await bundleClient("client", "cjs")]
    for (const code of [module, script]) {
      assert.isAtMost(gzipSync(code, { level: 9 }).length, 10_000)
      assert.notMatch(code, /\brequire\(|^import\b|\bimport\s*["'{*]/m)
      assert.notInclude(code, import.meta.dirname)
    }
    const { Trunkline, ApiError } = (await import(`data:text/javascript,${encodeURIComponent(module)}`)) as {
      readonly Trunkline: new () => { readonly calls: object }
      readonly ApiError: { readonly name: string }
    }
    assert.containsAllKeys(new Trunkline().calls, ["originate", "list", "stream", "waitUntil"])
    assert.strictEqual(ApiError.name, "ApiError")
    const exported: { exports: Record<string, unknown> } = { exports: {} }
    new Function("module", "exports", script)(exported, exported.exports)
    assert.isFunction(exported.exports["Trunkline"])
  })

  it("of webhooks and of actions have no imports and at most 3 kB", async () => {
    for (const entry of ["webhooks", "actions"] as const) {
      const code = await bundleClient(entry, "es")
      assert.isAtMost(gzipSync(code, { level: 9 }).length, 3_000)
      assert.notMatch(code, /\brequire\(|^import\b|\bimport\s*["'{*]/m)
    }
  })
})
