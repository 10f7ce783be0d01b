// The entry of the thread that makes the documents of the API. DocumentThread.ts starts it.
import { parentPort } from "node:worker_threads"
import { makeDocument } from "../http/openapi/DocumentTexts.ts"

parentPort?.postMessage({ openapi: makeDocument.openapi(), asyncapi: makeDocument.asyncapi() }, [])
