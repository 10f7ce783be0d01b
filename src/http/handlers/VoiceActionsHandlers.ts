import { Effect, Result } from "effect"
import { readVoiceActions, maxVoiceActions_bytes } from "../../domain/calls/verbs/ParseVoiceActions.ts"
import { voiceActionSchema } from "../../domain/calls/verbs/VoiceActionSchema.ts"
import { PayloadTooLarge } from "../../domain/errors/GeneralErrors.ts"
import { CallSimulator } from "../../domain/ports/calls/CallSimulator.ts"
import { CurrentPrincipal } from "../request/CurrentPrincipal.ts"
import { Api } from "../api/Api.ts"
import { group } from "../request/RequestServices.ts"

const sizeOf = (document: unknown): number => new TextEncoder().encode(JSON.stringify(document)).byteLength

export const VoiceActionsHandlers = group(
  Api,
  "voiceActions",
  Effect.fnUntraced(function* (handlers) {
    const simulator = yield* CallSimulator
    return handlers.handleAll({
      simulate: Effect.fnUntraced(function* ({ payload }) {
        const { workspace_id } = yield* CurrentPrincipal
        return yield* simulator.run(workspace_id, payload)
      }),
      schema: () => Effect.succeed(voiceActionSchema),
      validate: Effect.fnUntraced(function* ({ payload }) {
        if (payload !== undefined && sizeOf(payload) > maxVoiceActions_bytes) return yield* new PayloadTooLarge()
        const read = readVoiceActions(payload)
        const faults = Result.isFailure(read) ? read.failure : []
        return {
          valid: faults.length === 0,
          errors: faults.map(({ detail: message, pointer }) => ({ pointer, message }))
        }
      })
    })
  })
)
