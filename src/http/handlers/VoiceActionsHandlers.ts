import { Effect, Result } from "effect"
import { readVoiceActions, maxVoiceActions_bytes } from "../../domain/calls/ParseVoiceActions.ts"
import { voiceActionSchema } from "../../domain/calls/VoiceActionSchema.ts"
import { PayloadTooLarge } from "../../domain/errors/GeneralErrors.ts"
import { Api } from "../api/Api.ts"
import { group } from "../server/RequestServices.ts"

const sizeOf = (document: unknown): number => new TextEncoder().encode(JSON.stringify(document)).byteLength

export const VoiceActionsHandlers = group(Api, "voiceActions", (handlers) =>
  handlers.handleAll({
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
)
