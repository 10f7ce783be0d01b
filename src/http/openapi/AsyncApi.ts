// The AsyncAPI 3.0 document: what the engine sends and takes as messages, made from the tables and schemas that the
// code itself uses. https://www.asyncapi.com/docs/reference/specification/v3.0.0
import type { Schema } from "effect"
import { withPlainPatterns } from "../../domain/kit/PlainPatterns.ts"
import { StreamedEvent } from "../../domain/calls/views/CallNotice.ts"
import { TranscriptDelta, TranscriptTurn } from "../../domain/calls/state/Transcript.ts"
import { DownFrame, UpFrame } from "../../domain/pbx/Frame.ts"
import { eventTable } from "../../domain/events/EventTable.ts"
import { describedSchemas } from "./DescribedMembers.ts"
import { contact } from "./DocumentInfo.ts"
import { eventExample } from "./EngineRoutes.ts"
import { isObject, type Json, type JsonObject, listAt, mapMembers, objectAt } from "./Json.ts"
import { sample } from "./members/Members.ts"
import { openApiSchema } from "./OpenApiSchema.ts"
import { makeSamples } from "./SampleBody.ts"
import { eventExampleOf, eventSchemas } from "./WebhookDocument.ts"

const schemaReference = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` })

interface Message {
  /** The name of the component. */
  readonly id: string
  readonly title: string
  readonly summary: string
  readonly payload: Json
  readonly example: Json
}

const messageOf = ({ example, payload, summary, title }: Message): JsonObject => ({
  name: title,
  title,
  summary,
  contentType: "application/json",
  payload,
  examples: [{ name: title, payload: example }]
})

/** The members of a union of frames, by their `type`. */
const framesOf = (
  union: Schema.Top
): { readonly frames: ReadonlyMap<string, JsonObject>; readonly named: JsonObject } => {
  const { definitions, schema } = openApiSchema(union)
  const choices = listAt(schema, "anyOf").filter(isObject)
  const frames = choices.map((frame): readonly [string, JsonObject] => {
    const type = objectAt(objectAt(frame, "properties"), "type")
    const [only] = listAt(type, "enum")
    return [String(type["const"] ?? only), frame]
  })
  return { frames: new Map(frames), named: definitions }
}

const summaries: Readonly<Record<string, string>> = {
  hello: "The first frame of a connection.",
  events: "Events of the PBX, those of one session in order.",
  "ack up": "Commands that the gateway has received.",
  refuse: "A command about a tenant that the gateway cannot carry out.",
  pong: "The answer to a ping.",
  welcome: "The engine has accepted the connection.",
  commands: "Commands to carry out.",
  "ack down": "Events that are stored: the gateway may forget them.",
  refused: "An event that is not valid: the gateway must not repeat it.",
  ping: "Asks for a pong."
}

const stated: Readonly<Record<string, Json>> = {
  events: { type: "events", events: [eventExample] },
  commands: {
    type: "commands",
    commands: [
      {
        id: `${sample.call}:1:hangup`,
        session_id: sample.session,
        tenant_pbx_id: "demo",
        seq: 2,
        action: { kind: "hangup", cause: "normal_clearing" }
      }
    ]
  }
}

const feedMessages = (union: Schema.Top, direction: "up" | "down") => {
  const { frames, named } = framesOf(union)
  const schemas = describedSchemas({
    ...named,
    ...Object.fromEntries([...frames].map(([type, frame]) => [`Frame.${direction}.${type}`, frame]))
  })
  const sampleOf = makeSamples(schemas)
  const messages = [...frames.keys()].map((type): Message => {
    const schema = `Frame.${direction}.${type}`
    return {
      id: `feed.${direction}.${type}`,
      title: type,
      summary: summaries[type] ?? summaries[`${type} ${direction}`] ?? type,
      payload: schemaReference(schema),
      example: stated[type] ?? sampleOf(schemaReference(schema), [schema])
    }
  })
  return { schemas, messages }
}

const streamMessages = () => {
  const rows = [
    ["event", "StreamedCallEvent", StreamedEvent, "An event of the call; `event` names its kind."],
    ["transcript.turn", "TranscriptTurn", TranscriptTurn, "What a party has said."],
    ["transcript.delta", "TranscriptDelta", TranscriptDelta, "A part of what a party is saying."]
  ] as const
  const named: Record<string, Json> = {}
  for (const [, name, schema] of rows) {
    const { definitions, schema: own } = openApiSchema(schema)
    const { $ref } = own
    Object.assign(named, definitions, $ref === undefined ? { [name]: own } : {})
  }
  const controls: ReadonlyArray<readonly [string, string, JsonObject, Json]> = [
    ["end", "The stream is over and closes.", { type: "object", properties: {} }, {}],
    [
      "closing",
      "The engine stops: connect again with `Last-Event-ID`.",
      { type: "object", properties: { reason: { type: "string", description: "Why it closes." } } },
      { reason: "shutdown" }
    ],
    [
      "stream.reset",
      "Events are missing before the next one.",
      {
        type: "object",
        properties: {
          reason: { type: "string", description: "`log_starts_later` or `unknown_event_id`." },
          events_url: { type: "string", description: "Where all events can be read." }
        }
      },
      { reason: "log_starts_later", events_url: `/v1/calls/${sample.call}/events?transcript=1` }
    ]
  ]
  const schemas = describedSchemas(named)
  const sampleOf = makeSamples(schemas)
  const messages = [
    ...rows.map(([id, name, , summary]): Message => ({
      id: `stream.${id}`,
      title: id,
      summary,
      payload: schemaReference(name),
      example: sampleOf(schemaReference(name), [name])
    })),
    ...controls.map(([id, summary, payload, example]): Message => ({
      id: `stream.${id}`,
      title: id,
      summary,
      payload,
      example
    }))
  ]
  return { schemas, messages }
}

const webhookMessages = (): ReadonlyArray<Message> =>
  eventTable.map((row) => ({
    id: `webhook.${row.kind}`,
    title: row.kind,
    summary: `The event \`${row.kind}\`.`,
    payload: schemaReference(`Event.${row.kind}`),
    example: eventExampleOf(row)
  }))

const channelOf = (
  address: string | undefined,
  description: string,
  messages: ReadonlyArray<Message>,
  more: JsonObject = {}
) => ({
  ...(address !== undefined && { address }),
  description,
  messages: Object.fromEntries(messages.map(({ id }) => [id, { $ref: `#/components/messages/${id}` }])),
  ...more
})

interface Operation {
  readonly action: "send" | "receive"
  readonly channel: string
  readonly summary: string
  readonly description: string
  readonly security: keyof typeof securitySchemes
}

const operationOf = (
  { action, channel, description, security, summary }: Operation,
  messages: ReadonlyArray<Message>
) => ({
  action,
  channel: { $ref: `#/channels/${channel}` },
  summary,
  description,
  security: [{ $ref: `#/components/securitySchemes/${security}` }],
  messages: messages.map(({ id }) => ({ $ref: `#/channels/${channel}/messages/${id}` }))
})

const securitySchemes = {
  api_key: {
    type: "http",
    scheme: "bearer",
    bearerFormat: "JWT",
    description: "An API key. It acts for one workspace."
  },
  pbx_secret: { type: "http", scheme: "bearer", description: "The secret of a PBX gateway." },
  signature: {
    type: "httpApiKey",
    name: "X-Service-Signature",
    in: "header",
    description: "The receiver verifies the body by it, under the subscription's secret (docs/webhooks.md)."
  }
} as const

/** The same address by HTTP and by WebSocket. Every engine has one of its own. */
const serverOf = (protocol: "https" | "wss", description: string): JsonObject => ({
  host: "{host}",
  protocol,
  description,
  variables: { host: { description: "The host of the engine, with its port if it has one." } }
})

const onServer = (name: "engine" | "feed"): JsonObject => ({ servers: [{ $ref: `#/servers/${name}` }] })

/** AsyncAPI allows nothing beside a reference. */
const withSingleReferences = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(withSingleReferences)
  if (!isObject(value)) return value
  const { $ref, ...others } = mapMembers(value, withSingleReferences)
  if ($ref === undefined) return others
  return Object.keys(others).length === 0 ? { $ref } : { ...others, allOf: [{ $ref }] }
}

const info: JsonObject = {
  title: "trunkline: streams, webhooks and the feed of PBX gateways",
  version: "2026-10-01",
  description: "What the engine sends and takes as messages. `/openapi.json` describes its requests.",
  license: { name: "Apache-2.0", url: "https://www.apache.org/licenses/LICENSE-2.0" },
  contact,
  tags: [
    { name: "calls", description: "What happens to a call, live." },
    { name: "webhooks", description: "What happened in a workspace." },
    { name: "PBX gateways", description: "Commands and events of a PBX." }
  ]
}

/** `send`: the engine sends it. `receive`: the engine takes it. */
const operations = {
  sendCallEvents: {
    action: "send",
    channel: "callStream",
    security: "api_key",
    summary: "What happens to the call.",
    description: "The current call first, then each change. After the last one the stream closes."
  },
  sendWorkspaceEvents: {
    action: "send",
    channel: "workspaceStream",
    security: "api_key",
    summary: "What happens in the workspace.",
    description: "Every event whose resource the key may read, in order, up to seven days back."
  },
  sendWebhooks: {
    action: "send",
    channel: "webhooks",
    security: "signature",
    summary: "What happened in the workspace.",
    description: "Each event goes to every subscription that selects it, again until the receiver answers with 2xx."
  },
  sendFrames: {
    action: "send",
    channel: "pbxFeed",
    security: "pbx_secret",
    summary: "What the engine sends to a gateway.",
    description: "Commands are repeated until the gateway acknowledges them."
  },
  receiveFrames: {
    action: "receive",
    channel: "pbxFeed",
    security: "pbx_secret",
    summary: "What a gateway sends to the engine.",
    description: "Events are repeated until the engine acknowledges that they are stored."
  }
} as const satisfies Readonly<Record<string, Operation>>

const build = (): JsonObject => {
  const up = feedMessages(UpFrame, "up")
  const down = feedMessages(DownFrame, "down")
  const stream = streamMessages()
  const webhooks = webhookMessages()
  const controls = new Set(["stream.closing", "stream.stream.reset"])
  const ofWorkspace = [...webhooks, ...stream.messages.filter(({ id }) => controls.has(id))]
  const all = [...up.messages, ...down.messages, ...stream.messages, ...webhooks]
  return {
    asyncapi: "3.0.0",
    info,
    servers: {
      engine: serverOf("https", "The streams of server-sent events, and the sender of webhooks."),
      feed: serverOf("wss", "The feed of PBX gateways.")
    },
    defaultContentType: "application/json",
    channels: {
      callStream: channelOf(
        "/v1/calls/{id}/stream",
        "Server-sent events of one call (GET). `id` is the call's sequence; `Last-Event-ID` goes on after it.",
        stream.messages,
        { ...onServer("engine"), parameters: { id: { description: "The id of the call, or of its session." } } }
      ),
      workspaceStream: channelOf(
        "/v1/events/stream",
        "Server-sent events of the whole workspace (GET). Each is the body of a webhook; `Last-Event-ID` goes on after it.",
        ofWorkspace,
        onServer("engine")
      ),
      webhooks: channelOf(undefined, "POST requests to the URLs of webhook subscriptions, signed.", webhooks),
      pbxFeed: channelOf(
        "/v1/pbx/feed",
        "The WebSocket of a PBX gateway (docs/pbx-protocol.md). Each message is one frame.",
        [...up.messages, ...down.messages],
        { ...onServer("feed"), bindings: { ws: { method: "GET", bindingVersion: "0.1.0" } } }
      )
    },
    operations: {
      sendCallEvents: operationOf(operations.sendCallEvents, stream.messages),
      sendWorkspaceEvents: operationOf(operations.sendWorkspaceEvents, ofWorkspace),
      sendWebhooks: operationOf(operations.sendWebhooks, webhooks),
      sendFrames: operationOf(operations.sendFrames, down.messages),
      receiveFrames: operationOf(operations.receiveFrames, up.messages)
    },
    components: {
      messages: Object.fromEntries(all.map((message) => [message.id, messageOf(message)])),
      schemas: {
        ...describedSchemas(eventSchemas()),
        ...stream.schemas,
        ...up.schemas,
        ...down.schemas
      },
      securitySchemes
    }
  }
}

/** The JSON text of the document, made once. */
export const asyncApiText: () => string = (() => {
  let text: string | undefined
  return () => (text ??= JSON.stringify(withPlainPatterns(withSingleReferences(build()))))
})()
