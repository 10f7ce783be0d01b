// The JSON Schema (draft 2020-12) of what a voice callback may answer, made from the schema that the engine reads by.
import { Schema } from "effect"
import { VoiceActions } from "./VoiceAction.ts"

const { definitions, schema } = Schema.toJsonSchemaDocument(VoiceActions, { onExcessProperty: "error" })

export const voiceActionSchema: Readonly<Record<string, unknown>> = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "VoiceActions",
  description: "What a voice callback answers with.",
  ...schema,
  ...(Object.keys(definitions).length > 0 && { $defs: definitions })
}
