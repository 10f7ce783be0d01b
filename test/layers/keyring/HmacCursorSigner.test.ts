import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Result } from "effect"
import { decodeCursor, encodeCursor, type Query } from "../../../src/domain/paging/Cursor.ts"
import { CursorSigner } from "../../../src/domain/paging/CursorSigner.ts"
import { HmacCursorSigner } from "../../../src/layers/keyring/HmacCursorSigner.ts"

const query: Query = { list: "calls", workspace_id: "w1", status: "completed", to: undefined }
const last = { sort: 1_700_000_000_123, id: "01890a5d-ac96-774b-bcce-b302099a8057" }
const reason = (result: Result.Result<unknown, { readonly _tag: string }>) =>
  Result.isFailure(result) ? result.failure._tag : "accepted"

layer(HmacCursorSigner([Buffer.alloc(32, 1)]))("HmacCursorSigner", (it) => {
  it.effect("encodes the position as an opaque, URL-safe text", () =>
    Effect.gen(function* () {
      const signer = yield* CursorSigner
      for (const position of [last, { sort: "+254700000001", id: "é" }]) {
        const cursor = encodeCursor(signer, position, query)
        assert.match(cursor, /^[\w-]+$/)
        assert.deepStrictEqual(Result.getOrThrow(decodeCursor(signer, cursor, query)), position)
      }
    })
  )

  it.effect("accepts the same query in any order of its parts", () =>
    Effect.gen(function* () {
      const signer = yield* CursorSigner
      const cursor = encodeCursor(signer, last, query)
      const same: Query = { status: "completed", workspace_id: "w1", from: undefined, list: "calls" }
      assert.deepStrictEqual(Result.getOrThrow(decodeCursor(signer, cursor, same)), last)
    })
  )

  it.effect("refuses another filter, workspace or list", () =>
    Effect.gen(function* () {
      const signer = yield* CursorSigner
      const cursor = encodeCursor(signer, last, query)
      for (const other of [
        { ...query, status: "failed" },
        { ...query, workspace_id: "w2" },
        { ...query, list: "numbers" },
        { ...query, to: "+254700000001" },
        { ...query, status: undefined }
      ]) {
        assert.strictEqual(reason(decodeCursor(signer, cursor, other)), "validation.invalid_cursor")
      }
    })
  )

  it.effect("refuses every altered text", () =>
    Effect.gen(function* () {
      const signer = yield* CursorSigner
      const cursor = encodeCursor(signer, last, query)
      const altered = Array.from(
        cursor,
        (char, at) => cursor.slice(0, at) + (char === "A" ? "B" : "A") + cursor.slice(at + 1)
      )
      for (const text of [
        ...altered,
        `${cursor}=`,
        `${cursor}!`,
        ` ${cursor}`,
        cursor.slice(0, -1),
        "",
        "AAAA",
        "A".repeat(4096)
      ]) {
        assert.strictEqual(reason(decodeCursor(signer, text, query)), "validation.invalid_cursor", text)
      }
    })
  )

  it.effect("refuses a sealed text that holds no position", () =>
    Effect.gen(function* () {
      const signer = yield* CursorSigner
      const sealed = signer.seal(`{"sort":1}`, JSON.stringify([["list", "calls"]]))
      assert.strictEqual(reason(decodeCursor(signer, sealed, { list: "calls" })), "validation.invalid_cursor")
    })
  )
})

describe("the secret", () => {
  it.effect("decides which cursors are valid", () =>
    Effect.gen(function* () {
      const of = (byte: number) =>
        Effect.provide(Effect.service(CursorSigner), HmacCursorSigner([Buffer.alloc(32, byte)]))
      const [ours, theirs] = [yield* of(1), yield* of(2)]
      assert.strictEqual(
        reason(decodeCursor(ours, encodeCursor(theirs, last, query), query)),
        "validation.invalid_cursor"
      )
    })
  )

  it.effect("may be replaced: cursors of the former secret are valid while it is known", () =>
    Effect.gen(function* () {
      const of = (...bytes: [number, ...Array<number>]) =>
        Effect.provide(
          Effect.service(CursorSigner),
          HmacCursorSigner([Buffer.alloc(32, bytes[0]), ...bytes.slice(1).map((byte) => Buffer.alloc(32, byte))])
        )
      const [before, after, later] = [yield* of(1), yield* of(2, 1), yield* of(2)]
      const cursor = encodeCursor(before, last, query)
      assert.strictEqual(reason(decodeCursor(after, cursor, query)), "accepted")
      assert.strictEqual(reason(decodeCursor(later, cursor, query)), "validation.invalid_cursor")
      assert.strictEqual(reason(decodeCursor(later, encodeCursor(after, last, query), query)), "accepted")
    })
  )

  it.effect("separates the query from the payload", () =>
    Effect.gen(function* () {
      const signer = yield* Effect.provide(Effect.service(CursorSigner), HmacCursorSigner([Buffer.alloc(32, 1)]))
      const sealed = signer.seal("bc", "a")
      const moved = Buffer.concat([Buffer.from(sealed, "base64url").subarray(0, 16), Buffer.from("c")])
      assert.strictEqual(signer.open(moved.toString("base64url"), "ab"), undefined)
      assert.strictEqual(signer.open(sealed, "a"), "bc")
    })
  )
})
