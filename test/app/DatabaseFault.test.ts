import { assert, describe, it } from "@effect/vitest"
import { databaseFault } from "../../src/app/DatabaseFault.ts"

const said = (code: string, message: string) =>
  new Error("Failed to connect", {
    cause: new Error("PgConnection", { cause: Object.assign(new Error(message), { code }) })
  })
const url = "postgres://trunk:canary@db.internal/voice"

describe("databaseFault", () => {
  const rows = [
    [
      "a wrong password",
      said("28P01", 'password authentication failed for user "trunk"'),
      'PostgreSQL at db.internal:5432 refused user "trunk" on database "voice": password authentication failed for user "trunk". Check the password in DATABASE_URL.'
    ],
    [
      "a missing right",
      said("42501", "permission denied for schema public"),
      'PostgreSQL at db.internal:5432 refused user "trunk" on database "voice": permission denied for schema public. Give the user this right: docs/database.md.'
    ],
    [
      "a port at which nothing listens",
      said("ECONNREFUSED", "connect ECONNREFUSED 10.0.0.1:5432"),
      "PostgreSQL at db.internal:5432 does not answer: connect ECONNREFUSED 10.0.0.1:5432. Nothing listens there: start PostgreSQL, or correct DATABASE_URL."
    ],
    [
      "a code without advice",
      said("57P03", "the database system is starting up"),
      'PostgreSQL at db.internal:5432 refused user "trunk" on database "voice": the database system is starting up.'
    ]
  ] as const
  for (const [what, error, expected] of rows)
    it(`tells ${what} with host, user and the server's reason, and without the password`, () => {
      assert.strictEqual(databaseFault(error, url), expected)
    })

  it("leaves an error without a code to others", () => {
    assert.isUndefined(databaseFault(new Error("Failed to connect"), url))
  })
})
