// The JSON Schema (draft 2020-12) of a voice callback's answer, derived from the table of verbs.
import { Schema } from "effect"
import { withPlainPatterns } from "../../kit/PlainPatterns.ts"
import { VoiceActions } from "./VoiceAction.ts"

const { definitions, schema } = Schema.toJsonSchemaDocument(VoiceActions, { onExcessProperty: "error" })

export const voiceActionSchema: Readonly<Record<string, unknown>> = withPlainPatterns({
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "VoiceActions",
  description: "What a voice callback answers with.",
  ...schema,
  ...(Object.keys(definitions).length > 0 && { $defs: definitions })
})
