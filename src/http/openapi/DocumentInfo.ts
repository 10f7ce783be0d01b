// What the documents of the API say of themselves.
import type { JsonObject } from "./Json.ts"

/** Whom readers of a document ask. Each engine has an operator of its own. */
export const contact: JsonObject = { name: "The operator of this engine" }
