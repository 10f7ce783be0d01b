// What an Asterisk must have so that addresses can be blocked.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { missingForBlocks } from "../../../../../src/layers/pbx/asterisk/checks/CheckGuard.ts"
import { makeWorld } from "../../../../support/AsteriskRegistry.ts"

const running = { status: 200, body: { name: "res_pjsip_acl.so", status: "Running" } }

const checked = (
  module: { readonly status: number; readonly body: unknown },
  list: number,
  reads: { readonly security: boolean | undefined } = { security: true }
) =>
  Effect.gen(function* () {
    const { ari, asked } = yield* makeWorld((path) =>
      path.startsWith("/asterisk/modules/") ? module : { status: list, body: {} }
    )
    return {
      missing: yield* missingForBlocks(ari, { readsSecurity: Effect.succeed(reads.security) }),
      asked: asked.map(({ what }) => what)
    }
  })

describe("the check for blocks", () => {
  it.effect("finds nothing where a list can be made, and leaves no list", () =>
    Effect.gen(function* () {
      const { asked, missing } = yield* checked(running, 500)
      assert.deepStrictEqual(missing, [])
      const list = "acl/trunkline-guard-probe"
      assert.deepStrictEqual(asked, [
        "GET /asterisk/modules/res_pjsip_acl.so",
        `DELETE ${list}`,
        `PUT ${list}`,
        `GET ${list}`,
        `DELETE ${list}`
      ])
    })
  )

  it.effect.each([
    { status: 404, body: { message: "Module not found" } },
    { status: 200, body: { name: "res_pjsip_acl.so", status: "Not Running" } }
  ])("names a module that does not run: %j", (module) =>
    Effect.map(checked(module, 500), ({ missing }) => {
      assert.lengthOf(missing, 1)
      assert.match(missing[0] ?? "", /res_pjsip_acl does not run/)
    })
  )

  it.effect.each([404, 400])("names a section [acl] that is missing: %s", (status) =>
    Effect.map(checked(running, status), ({ missing }) => {
      assert.lengthOf(missing, 1)
      assert.match(missing[0] ?? "", /acl = memory in the section \[acl\] of sorcery\.conf/)
    })
  )

  it.effect.each([
    [false, /read = security in manager\.conf/],
    [undefined, /does not accept ARI_USERNAME/]
  ] as const)("names a manager interface without security events: %s", ([reads, fault]) =>
    Effect.map(checked(running, 500, { security: reads }), ({ missing }) => {
      assert.lengthOf(missing, 1)
      assert.match(missing[0] ?? "", fault)
    })
  )
})
