// Who may create an account, by SIGN_UP.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { DemoFile, layerWith } from "../../support/Engine.ts"
import { ask } from "../../support/HttpTester.ts"
import { mailTo, tokenOf } from "../../support/Mails.ts"
import { signup, verify } from "../../support/People.ts"

const invite = (email: string) =>
  Effect.flatMap(DemoFile, ({ owner_session }) =>
    ask({ path: "/v1/invitations", body: { email, role: "member" }, headers: { cookie: `session=${owner_session}` } })
  )

layer(layerWith({ RATE_LIMITS: "off", SIGN_UP: "invited", OPERATOR_EMAILS: "boss@example.com" }), {
  excludeTestServices: true,
  timeout: 30_000
})("sign-up for invited people", (it) => {
  it.effect("refuses strangers, and lets an invited person in, once the invitation is there", () =>
    Effect.gen(function* () {
      const stranger = yield* signup("ann@example.com")
      assert.deepStrictEqual([stranger.status, stranger.code], [403, "auth.sign_up_closed"])
      assert.include(stranger.text, "not_invited")
      assert.strictEqual((yield* invite("ann@example.com")).status, 201)
      assert.strictEqual((yield* signup("Ann@Example.com")).status, 201)
      assert.strictEqual((yield* signup("bob@example.com")).status, 403)
    })
  )

  it.effect("lets operators in, who must be able to begin", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* signup("Boss@example.com")).status, 201)
      const answer = yield* verify(tokenOf(yield* mailTo("boss@example.com")))
      assert.deepInclude(answer.body, { operator: true })
    })
  )
})

layer(layerWith({ RATE_LIMITS: "off", SIGN_UP: "closed" }), { excludeTestServices: true, timeout: 30_000 })(
  "a closed sign-up",
  (it) => {
    it.effect("refuses invited people, too", () =>
      Effect.gen(function* () {
        assert.strictEqual((yield* invite("ann@example.com")).status, 201)
        const { code, status } = yield* signup("ann@example.com")
        assert.deepStrictEqual([status, code], [403, "auth.sign_up_closed"])
      })
    )
  }
)
