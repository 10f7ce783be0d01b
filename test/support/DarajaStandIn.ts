// Safaricom's API over real HTTP, as its documentation shows it: tokens, prompts, queries, the list of payments.
import { Effect } from "effect"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

export interface Asked {
  readonly path: string
  readonly authorization: string | undefined
  readonly body: Readonly<Record<string, unknown>>
}

export interface Said {
  readonly status: number
  readonly body: unknown
}

export const fault = (status: number, errorCode: string, errorMessage: string): Said => ({
  status,
  body: { requestId: "11728-2929992-1", errorCode, errorMessage }
})

const accepted = {
  MerchantRequestID: "29115-34620561-1",
  CheckoutRequestID: "ws_CO_191220191020363925",
  ResponseCode: "0",
  ResponseDescription: "Success. Request accepted for processing",
  CustomerMessage: "Success. Request accepted for processing"
}

/** The test may change its answers; "cut" closes the connection in the middle of one. */
export class DarajaStandIn {
  readonly asked: Array<Asked> = []
  tokens = 0
  expires_in = "3599"
  token: Said | undefined
  push: Said | "cut" = { status: 200, body: accepted }
  query: Said | "cut" = fault(500, "500.001.1001", "The transaction is being processed")
  /** Pages of the list of payments. */
  payments: ReadonlyArray<ReadonlyArray<unknown>> = []
  register: Said = {
    status: 200,
    body: { OriginatorCoversationID: "1", ResponseCode: "0", ResponseDescription: "success" }
  }

  of(path: string): ReadonlyArray<Asked> {
    return this.asked.filter((asked) => asked.path.startsWith(path))
  }

  /** Refuses the next requests with the present token. */
  expire(): void {
    this.valid = undefined
  }

  private valid: string | undefined

  answer({ authorization, body, path }: Asked): Said | "cut" {
    this.asked.push({ authorization, body, path })
    if (path.startsWith("/oauth/")) {
      this.valid = `token-${++this.tokens}`
      return this.token ?? { status: 200, body: { access_token: this.valid, expires_in: this.expires_in } }
    }
    if (authorization !== `Bearer ${this.valid}`) return fault(404, "404.001.03", "Invalid Access Token")
    if (path === "/mpesa/stkpush/v1/processrequest") return this.push
    if (path === "/mpesa/stkpushquery/v1/query") return this.query
    if (path === "/mpesa/c2b/v2/registerurl") return this.register
    const offset = Number(body["OffSetValue"])
    const rows = this.payments.flat()
    const page = rows.slice(offset, offset + (this.payments[0]?.length ?? 0))
    return {
      status: 200,
      body: { ResponseRefID: "1", ResponseCode: "1000", ResponseMessage: "Success", Response: [page] }
    }
  }
}

const read = async (request: IncomingMessage): Promise<Asked["body"]> => {
  let text = ""
  for await (const chunk of request) text += chunk
  return text === "" ? {} : (JSON.parse(text) as Asked["body"])
}

const serve = (standIn: DarajaStandIn) => async (request: IncomingMessage, response: ServerResponse) => {
  const said = standIn.answer({
    path: request.url ?? "",
    authorization: request.headers.authorization,
    body: await read(request)
  })
  if (said === "cut") return void response.destroy()
  response.writeHead(said.status, { "content-type": "application/json" }).end(JSON.stringify(said.body))
}

/** Serves until the scope closes. Returns the URL. */
export const darajaAt = (standIn: DarajaStandIn) =>
  Effect.acquireRelease(
    Effect.callback<ReturnType<typeof createServer>>((resume) => {
      const server = createServer((request, response) => void serve(standIn)(request, response))
      server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
    }),
    (server) =>
      Effect.callback<void>((resume) => {
        server.close(() => resume(Effect.void))
        server.closeAllConnections()
      })
  ).pipe(Effect.map((server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`))
