// The promises of the interface, played against the engine from outside.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { createServer, type Server } from "node:http"
import { layer as engine } from "../support/Engine.ts"
import { shell } from "../support/Shell.ts"

/** A deployment that does three things wrong. */
const brokenProxy = (target: string): Server =>
  createServer(async (request, response) => {
    const { host: _, "idempotency-key": __, ...headers } = request.headers
    const sent = Buffer.concat(await request.toArray())
    const answer = await fetch(new URL(request.url ?? "/", target), {
      method: request.method ?? "GET",
      headers: headers as Record<string, string>,
      ...(sent.length > 0 && { body: sent })
    })
    const text = (await answer.text()).replaceAll('"code":"calls.not_found"', '"code":"not_found"')
    const cost = text.replaceAll('"cost_minor":0', '"cost_minor":1')
    const { "content-length": ___, "content-encoding": ____, ...kept } = Object.fromEntries(answer.headers)
    response.writeHead(answer.status, kept).end(request.method === "GET" ? cost : text)
  })

layer(engine, { excludeTestServices: true, timeout: "60 seconds" })("the conformance of a deployment", (it) => {
  it.effect(
    "is whole for the engine, and lacks what a broken proxy breaks",
    () =>
      Effect.gen(function* () {
        const { base, run } = yield* shell
        const refused = yield* run("conformance")
        assert.strictEqual(refused.code, 2)
        assert.include(refused.stderr, "✗ This key is live, and the calls cost money. Use a test key, or --live.\n")
        const whole = yield* run("conformance", "--live")
        assert.strictEqual(whole.code, 0, `${whole.stdout}${whole.stderr}`)
        assert.match(whole.stdout, /^money 5\/5 {3}repeats 3\/3 .*\n(\d+) of \1 promises kept in \d+ s\n$/)
        yield* Effect.promise(async () => {
          const proxy = brokenProxy(base)
          await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve))
          const { port } = proxy.address() as { readonly port: number }
          const found = await Effect.runPromise(
            run("conformance", "--live", "--base-url", `http://127.0.0.1:${port}`, "--json")
          )
          assert.strictEqual(found.code, 1, found.stderr)
          const results = found.stdout
            .trimEnd()
            .split("\n")
            .map((line) => JSON.parse(line) as { readonly says: string; readonly fault: string | null })
          assert.sameMembers(
            results.filter(({ fault }) => fault !== null).map(({ says }) => says),
            [
              "a call that ends busy costs nothing",
              "a call that ends no_answer costs nothing",
              "the same request with the same Idempotency-Key places one call",
              "another request with the same Idempotency-Key is a conflict",
              "a call that does not exist is not found",
              "the end of a call that does not exist is not found"
            ]
          )
          await new Promise((resolve) => proxy.close(resolve))
        })
        assert.include(
          (yield* run("conformance", "--list")).stdout,
          "money.3      an answered call costs its started minutes"
        )
      }),
    240_000
  )
})
