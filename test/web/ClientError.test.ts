import { assert, describe, it } from "@effect/vitest"
import { ClientError, errorMessages, microphoneError } from "../../src/web/ClientError.ts"

const named = (name: string) => Object.assign(new Error("x"), { name })

describe("the errors of a browser client", () => {
  it("tell what getUserMedia refused, with the browser's error as the cause", () => {
    const codes = {
      NotAllowedError: "microphone_denied",
      SecurityError: "microphone_denied",
      NotFoundError: "microphone_missing",
      OverconstrainedError: "microphone_missing",
      NotReadableError: "microphone_in_use",
      AbortError: "microphone_in_use",
      SomethingElse: "microphone_in_use"
    }
    for (const [name, code] of Object.entries(codes)) {
      const cause = named(name)
      const error = microphoneError(cause)
      assert.deepStrictEqual([error.code, error.cause], [code, cause])
    }
  })

  it("are errors with a sentence that says what to do", () => {
    for (const [code, message] of Object.entries(errorMessages)) {
      assert.match(message, /^[A-Z].*\. .*\.$|^[A-Z].*: .*\.$/, code)
    }
    const error = new ClientError("busy")
    assert.instanceOf(error, Error)
    assert.deepStrictEqual([error.name, error.message], ["ClientError", errorMessages.busy])
  })
})
