// Examples of bodies that cannot be composed from the table of members: their members depend on each other.
import type { Json } from "./Json.ts"
import { sample } from "./members/Members.ts"

/** By method, path, `request` or `response`, and the media type unless it is JSON. */
export const written: Readonly<Record<string, Json>> = {
  "POST /v1/calls/originate request": {
    to: sample.to,
    from: sample.from,
    actions: [{ say: { text: "Your order is ready." } }, { hangup: {} }],
    timeout_seconds: 30,
    metadata: { order: "4711" }
  },
  "POST /v1/calls/{id}/update request": { actions: [{ say: { text: "One moment, please." } }], hold: false },
  "POST /v1/calls/{id}/terminate request": { reason: "The customer cancelled the order." },
  "POST {$request.body#/voice_callback_url} response": {
    actions: [
      { gather: { prompt: { say: { text: "For sales, press 1." } }, num_digits: 1 } },
      { dial: { number: sample.to, timeout: 20 } },
      { say: { text: "Nobody is there. Goodbye." } },
      { hangup: {} }
    ]
  },
  "POST /v1/conferences/{id}/announce request": {
    say: { text: "Your order is ready.", voice: "female", language: "en-KE", loop: 1 },
    call_id: sample.call
  },
  "POST /v1/voice-actions/validate request": { actions: [{ say: { text: "Your order is ready." } }, { hangup: {} }] },
  "POST /v1/voice-actions/validate response": { valid: true, errors: [] },
  "POST /v1/voice-actions/simulate request": {
    from: sample.from,
    to: sample.to,
    actions: [
      { gather: { prompt: { say: { text: "For sales, press 1." } }, num_digits: 1 } },
      { say: { text: "Goodbye." } },
      { hangup: {} }
    ],
    phone: { after_seconds: 3, keys: ["1"] }
  },
  "GET /v1/voice-actions/schema response": {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "VoiceActions",
    type: "object"
  },
  "GET /v1/calls/{id}/stream response text/event-stream": {
    id: "1",
    event: "call.ringing",
    data: JSON.stringify({ id: sample.call, kind: "call.ringing", status: "ringing", sequence: 1 })
  },
  "POST /v1/admin/rates request text/csv":
    "prefix,description,currency,per_min_minor,class\n254,Kenya mobile,KES,300,normal\n"
}
