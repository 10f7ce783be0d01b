// A stand-in for an object store, over real HTTP: the operations of the S3 protocol that the engine uses, by path.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { Effect } from "effect"

export interface ObjectStore {
  readonly url: string
  /** Objects by path: the bucket and the key. */
  readonly objects: Map<string, Buffer>
  /** Method, path and range of each request. */
  readonly requests: Array<string>
  /** If set, every request is answered with this status. */
  broken: number | undefined
}

const bodyOf = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

const fault = (response: ServerResponse, status: number, code: string) =>
  response
    .writeHead(status, { "content-type": "application/xml" })
    .end(`<?xml version="1.0"?><Error><Code>${code}</Code></Error>`)

const answer = async (store: ObjectStore, request: IncomingMessage, response: ServerResponse) => {
  const path = decodeURIComponent(new URL(request.url!, "http://s3").pathname)
  store.requests.push([request.method, path, request.headers.range].filter((part) => part !== undefined).join(" "))
  if (
    !/^AWS4-HMAC-SHA256 Credential=key\/\d{8}\/us-east-1\/s3\/aws4_request/.test(request.headers.authorization ?? "")
  ) {
    return fault(response, 403, "AccessDenied")
  }
  if (store.broken !== undefined) return fault(response, store.broken, "InternalError")
  if (request.method === "PUT") {
    const body = await bodyOf(request)
    if (body.length !== Number(request.headers["content-length"])) return fault(response, 400, "IncompleteBody")
    store.objects.set(path, body)
    return response.writeHead(200, { etag: '"x"' }).end()
  }
  if (request.method === "DELETE") {
    store.objects.delete(path)
    return response.writeHead(204).end()
  }
  const object = store.objects.get(path)
  if (object === undefined) return fault(response, 404, "NoSuchKey")
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "") ?? []
  const part = object.subarray(Number(first ?? 0), Number(last ?? object.length) + 1)
  response.writeHead(first === undefined ? 200 : 206, { "content-length": part.length }).end(part)
}

export const objectStore = Effect.acquireRelease(
  Effect.callback<ObjectStore & { readonly close: () => void }>((resume) => {
    const server = createServer((request, response) => {
      // The client disconnected during its request.
      answer(store, request, response).catch(() => response.destroy())
    })
    const store: ObjectStore & { close: () => void; url: string } = {
      url: "",
      objects: new Map(),
      requests: [],
      broken: undefined,
      close: () => {
        server.closeAllConnections()
        server.close()
      }
    }
    server.listen(0, "127.0.0.1", () => {
      store.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      resume(Effect.succeed(store))
    })
  }),
  ({ close }) => Effect.sync(close)
)
