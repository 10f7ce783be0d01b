// The documents that describe the API, as texts. Making them takes longer than a request may hold up all others.
import { Context, Effect, Layer } from "effect"
import { OpenApi } from "effect/http-api"
import type { ServiceUnavailable } from "../../domain/errors/GeneralErrors.ts"
import { asyncApiText } from "./AsyncApi.ts"
import { DocumentedApi } from "./DocumentedApi.ts"

/** Each takes some hundred milliseconds the first time. */
export const makeDocument = {
  openapi: (): string => JSON.stringify(OpenApi.fromApi(DocumentedApi)),
  asyncapi: asyncApiText
}
export type DocumentName = keyof typeof makeDocument

export class DocumentTexts extends Context.Service<
  DocumentTexts,
  { readonly text: (name: DocumentName) => Effect.Effect<string, ServiceUnavailable> }
>()("trunkline/http/DocumentTexts") {
  /** Makes them in the thread that serves requests: for engines in memory, which have one user. */
  static readonly inThisThread = Layer.succeed(DocumentTexts)({ text: (name) => Effect.sync(makeDocument[name]) })
}
