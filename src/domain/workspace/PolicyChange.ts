import { Schema, Struct } from "effect"
import { CallingPolicy } from "../calls/CallingPolicy.ts"

/** What of a calling policy is to be other than it is. */
export const PolicyChange = CallingPolicy.mapFields(Struct.map(Schema.optionalKey))
export type PolicyChange = typeof PolicyChange.Type
