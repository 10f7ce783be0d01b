// The documents of the API, which take a second to make.
import { Effect, Layer } from "effect"
import { type DocumentName, DocumentTexts } from "../http/openapi/DocumentTexts.ts"
import { madeInThread, madeOnce, threadBeside } from "./ThreadResult.ts"

type Made = Readonly<Record<DocumentName, string>>

const entry = threadBeside(import.meta.url, "DocumentWorker")

export const layer = Layer.effect(
  DocumentTexts,
  Effect.map(madeOnce(madeInThread<Made>(entry, "The document")), (both) =>
    DocumentTexts.of({ text: (name) => Effect.map(both, (texts) => texts[name]) })
  )
)
