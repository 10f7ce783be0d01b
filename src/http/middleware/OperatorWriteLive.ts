import { Effect, Layer } from "effect"
import type { HttpServerRequest } from "effect/http"
import { CurrentOperator } from "../request/CurrentOperator.ts"
import { makeIdempotentWrite, replayedResponse } from "../request/IdempotentWrite.ts"
import { isCsv, readDocument, readTable } from "../request/RequestDocument.ts"
import { OperatorWrite } from "./OperatorWrite.ts"

const readEither = (request: HttpServerRequest.HttpServerRequest) =>
  isCsv(request) ? readTable(request) : readDocument(request)

export const OperatorWriteLive = Layer.effect(
  OperatorWrite,
  Effect.map(makeIdempotentWrite, (write) =>
    OperatorWrite.of((httpEffect, { endpoint }) => {
      const read = endpoint.payload.has("text/csv") ? readEither : readDocument
      return Effect.flatMap(CurrentOperator, ({ user_id }) =>
        write(endpoint, user_id, httpEffect, (stored) => Effect.succeed(replayedResponse(stored)), read)
      )
    })
  )
)
