import { Effect, Schema } from "effect"
import type { Ari, AriAway } from "./Ari.ts"

const isVariable = Schema.is(Schema.Struct({ value: Schema.String }))

/** A variable or function of a channel, empty if Asterisk cannot read it. */
export const variableOf = (ari: Ari, channel_id: string, variable: string): Effect.Effect<string, AriAway> =>
  Effect.map(ari.request("GET", `/channels/${channel_id}/variable`, { variable }), ({ body }) =>
    isVariable(body) ? body.value : ""
  )
