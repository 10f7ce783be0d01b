import { Effect, Layer } from "effect"
import { CurrentPrincipal } from "../request/CurrentPrincipal.ts"
import { makeIdempotentWrite, replayedResponse } from "../request/IdempotentWrite.ts"
import { JsonWrite } from "../request/JsonWrite.ts"

export const JsonWriteLive = Layer.effect(
  JsonWrite,
  Effect.map(makeIdempotentWrite, (write) =>
    JsonWrite.of((httpEffect, { endpoint }) =>
      Effect.flatMap(CurrentPrincipal, ({ workspace_id }) =>
        write(endpoint, workspace_id, httpEffect, (stored) => Effect.succeed(replayedResponse(stored)))
      )
    )
  )
)
