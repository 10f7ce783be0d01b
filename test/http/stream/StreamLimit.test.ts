import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Scope } from "effect"
import type { ApiKeyHolder } from "../../../src/domain/access/Principal.ts"
import { RateLimited } from "../../../src/domain/errors/GeneralErrors.ts"
import { budgets } from "../../../src/domain/limits/Budgets.ts"
import { StreamLimit } from "../../../src/http/stream/StreamLimit.ts"
import { apiKeyId, workspaceId } from "../../support/Ids.ts"

const key = (name: string, account: string): ApiKeyHolder => ({
  kind: "api_key",
  key_id: apiKeyId(name),
  workspace_id: workspaceId(`${account} or its sandbox`),
  account_id: workspaceId(account),
  scopes: [],
  env: "live",
  unlimited: false
})

const each = budgets.live_streams.limit
const all = budgets.workspace_live_streams.limit

describe("open live streams", () => {
  it.effect("are limited for a key, and for a workspace with many keys, and are given back", () =>
    Effect.gen(function* () {
      const { take } = yield* StreamLimit
      const scope = yield* Scope.make()
      const open = (name: string, account: string) => Scope.provide(take(key(name, account)), scope)
      for (let n = 0; n < each; n++) yield* open("first", "w1")
      assert.instanceOf(yield* Effect.flip(open("first", "w1")), RateLimited)
      // What is refused to the key does not count for its workspace.
      for (let n = 0; n < all; n++) yield* Effect.flip(open("first", "w1"))
      for (let n = each; n < all; n++) yield* open(`key ${Math.floor(n / each)}`, "w1")
      const { message } = yield* Effect.flip(open("one more", "w1"))
      assert.strictEqual(message, `The workspace already has ${all} open streams.`)
      yield* open("first of another", "w2")
      yield* Scope.close(scope, Exit.void)
      yield* Effect.scoped(take(key("first", "w1")))
    }).pipe(Effect.provide(StreamLimit.layer))
  )
})
