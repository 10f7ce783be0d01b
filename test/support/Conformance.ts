// Compares answers with the OpenAPI document.
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js"
import type { Document } from "./Fuzz.ts"

export interface Answered {
  /** The path as written in the document. */
  readonly template: string
  readonly method: string
  readonly status: number
  /** The media type without parameters; undefined if there is none. */
  readonly content_type: string | undefined
  readonly text: string
}

interface Answer {
  readonly $ref?: string
  readonly content?: Readonly<Record<string, { readonly schema: object }>>
}

/** The answer of an operation for this status; shared ones are looked up. Undefined if the document has none. */
export const answerOf = (
  document: Pick<Document, "components">,
  { responses }: { readonly responses: Readonly<Record<string, unknown>> },
  status: number
): Answer | undefined => {
  const answer = responses[String(status)] as Answer | undefined
  return answer?.$ref === undefined
    ? answer
    : (document.components.responses?.[answer.$ref.split("/").at(-1)!] as Answer | undefined)
}

/** Returns what is wrong with an answer, or undefined. The text of a stream is not checked. */
export const makeConformance = (document: Document) => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  const compiled = new Map<object, ValidateFunction>()
  const validator = (schema: object): ValidateFunction => {
    const known = compiled.get(schema)
    if (known !== undefined) return known
    const made = ajv.compile({ ...schema, components: document.components })
    compiled.set(schema, made)
    return made
  }
  return ({ content_type, method, status, template, text }: Answered): string | undefined => {
    const operation = document.paths[template]?.[method.toLowerCase()]
    const answer = operation && answerOf(document, operation, status)
    if (answer === undefined) return "a status that is not in the document"
    if (answer.content === undefined) return text === "" ? undefined : "a body where the document has none"
    const media = answer.content[content_type ?? ""]
    if (media === undefined) return `${content_type}, not one of ${Object.keys(answer.content).join(", ")}`
    if (content_type !== "application/json") return undefined
    const fits = validator(media.schema)
    return fits(JSON.parse(text)) ? undefined : ajv.errorsText(fits.errors)
  }
}
