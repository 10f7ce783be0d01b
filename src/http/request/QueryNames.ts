// Refuses query parameters that an endpoint does not know: a misspelt filter would silently select everything.
import { Effect, SchemaAST } from "effect"
import { HttpServerRequest } from "effect/http"
import type { HttpApiEndpoint } from "effect/http-api"
import { BadRequest } from "../../domain/errors/GeneralErrors.ts"
import { pointer } from "../../domain/json/JsonPointer.ts"
import { didYouMean } from "../../domain/text/Nearest.ts"

/** More are not named. */
const maxNamed = 20

/** The names of the query parameters of an endpoint. */
export const namesOf = ({ query }: HttpApiEndpoint.Top): ReadonlyArray<string> => {
  if (query === undefined) return []
  const ast = SchemaAST.toEncoded(query.ast)
  return SchemaAST.isObjects(ast) ? ast.propertySignatures.map(({ name }) => String(name)) : []
}

const unknownIn = (url: string, known: ReadonlyArray<string>): ReadonlyArray<string> => {
  const [, query = ""] = url.split("?", 2)
  return [...new Set(new URLSearchParams(query).keys())].filter((name) => !known.includes(name))
}

/** Fails with BadRequest if the query of the request has other parameters than the endpoint. */
export const refuseUnknownQuery = (endpoint: HttpApiEndpoint.Top) =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ url }) => {
    if (!url.includes("?")) return Effect.void
    const known = namesOf(endpoint)
    const unknown = unknownIn(url, known)
    if (unknown.length === 0) return Effect.void
    const details = unknown.slice(0, maxNamed).map((name) => ({
      field: pointer([name.slice(0, 100)]),
      code: "unknown_parameter",
      message: `There is no such query parameter here.${didYouMean(name, known)}`
    }))
    const resolution = known.length === 0 ? "Send no query." : `Known parameters: ${known.join(", ")}.`
    return Effect.fail(new BadRequest({ message: "The query has an unknown parameter.", details, resolution }))
  })
