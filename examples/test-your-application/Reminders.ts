// An application that reminds people of their appointments by phone, and bills its own customers for the calls. It
// knows nothing of tests: it uses `fetch`, and answers requests.
import { createHmac, timingSafeEqual } from "node:crypto"

export interface Service {
  /** Where the engine is. In production `fetch` itself. */
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>
  readonly apiKey: string
  /** The number that we call from. */
  readonly number: string
  readonly voiceSecret: string
  readonly webhookSecret: string
  /** Epoch milliseconds. */
  readonly now: () => number
}

export interface Invoice {
  readonly call_id: string
  readonly minutes: number
  readonly minor: number
}

const base = "https://voice.example.com"
const office = "+254711000001"

/** docs/webhooks.md: `t=…,v1=…`, an HMAC of the body and the time. */
const isGenuine = (body: string, header: string, secret: string, now: number): boolean => {
  const t = /(?:^|,)t=(\d+)/.exec(header)?.[1]
  if (t === undefined || Math.abs(now / 1_000 - Number(t)) > 300) return false
  const expected = createHmac("sha256", secret).update(`${body}.${t}`).digest()
  return [...header.matchAll(/v1=([0-9a-f]{64})/g)].some(([, hex = ""]) =>
    timingSafeEqual(Buffer.from(hex, "hex"), expected)
  )
}

export class Reminders {
  readonly invoices = new Map<string, Invoice>()
  readonly confirmed = new Set<string>()
  private readonly service: Service

  constructor(service: Service) {
    this.service = service
  }

  /** Returns the id of the call, or the code of the refusal. */
  async remind(phone: string): Promise<string> {
    const { apiKey, fetch, number } = this.service
    const response = await fetch(`${base}/v1/calls/originate`, {
      method: "POST",
      headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
      body: JSON.stringify({
        to: phone,
        from: number,
        voice_callback_url: "https://app.test/voice",
        machine_detection: "detect"
      })
    })
    const answer = (await response.json()) as { readonly id: string; readonly error?: { readonly code: string } }
    return answer.error?.code ?? answer.id
  }

  /** Voice callbacks and webhooks. */
  readonly handle = async (request: Request): Promise<Response> => {
    const { now, voiceSecret, webhookSecret } = this.service
    const body = await request.text()
    const isVoice = new URL(request.url).pathname === "/voice"
    const secret = isVoice ? voiceSecret : webhookSecret
    if (!isGenuine(body, request.headers.get("x-service-signature") ?? "", secret, now()))
      return new Response("The signature is wrong", { status: 401 })
    if (isVoice) return Response.json({ actions: this.actionsFor(JSON.parse(body)) })
    this.take(JSON.parse(body))
    return new Response(null, { status: 204 })
  }

  private actionsFor({ answered_by, call_id, reason, result }: Question): ReadonlyArray<object> {
    if (reason === "incoming") return [{ dial: { number: office, timeout: 20 } }]
    if (answered_by === "machine") return [{ say: { text: "You have an appointment tomorrow." } }, { hangup: {} }]
    if (reason === "answered")
      return [
        {
          gather: {
            prompt: { say: { text: "Press 1 to confirm." } },
            num_digits: 1,
            action_url: "https://app.test/voice"
          }
        }
      ]
    if (result?.digits === "1") this.confirmed.add(call_id)
    return [{ say: { text: result?.digits === "1" ? "Thank you." : "Goodbye." } }, { hangup: {} }]
  }

  /** A webhook may come twice, so a call has one invoice under its own id. */
  private take({ event_kind, payload }: Event): void {
    if (event_kind !== "call.completed" || payload.direction !== "outbound") return
    const { billed_seconds, cost_minor, id } = payload
    this.invoices.set(id, { call_id: id, minutes: Math.ceil(billed_seconds / 60), minor: cost_minor * 2 })
  }
}

interface Question {
  readonly reason: string
  readonly call_id: string
  readonly answered_by?: string | null
  readonly result: { readonly digits?: string } | null
}

interface Event {
  readonly event_kind: string
  readonly payload: {
    readonly id: string
    readonly direction: string
    readonly billed_seconds: number
    readonly cost_minor: number
  }
}
