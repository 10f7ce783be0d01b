// The routes of the document that are not part of the customer API: health, the metrics, and the entry points of PBX
// gateways (docs/pbx-protocol.md).
import { ApiKeyInvalid, ApiKeyMissing } from "../../domain/errors/ApiKeyErrors.ts"
import type { FailureClass } from "../../domain/errors/Failure.ts"
import { BadRequest, InternalError, RateLimited, ServiceUnavailable } from "../../domain/errors/GeneralErrors.ts"
import { PbxBodyReadFailed, PbxErrors } from "../../domain/errors/PbxErrors.ts"
import { eventsMax } from "../../domain/pbx/Frame.ts"
import { PbxEvent } from "../../domain/pbx/PbxEvent.ts"
import type { JsonObject } from "./Json.ts"
import { openApiSchema } from "./OpenApiSchema.ts"

const error = (description: string): JsonObject => ({
  description,
  content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } }
})

/** An error response with these codes, as the customer API declares its own. */
const refusal = (classes: ReadonlyArray<FailureClass>): JsonObject => ({
  content: {
    "application/json": {
      schema: {
        properties: { error: { properties: { code: { type: "string", enum: classes.map(({ code }) => code) } } } }
      }
    }
  }
})

/** The error responses of a route, by their status. */
const refusals = (classes: ReadonlyArray<FailureClass>): JsonObject =>
  Object.fromEntries(
    Object.entries(Object.groupBy(classes, ({ status }) => String(status))).map(([status, ofStatus = []]) => [
      status,
      refusal(ofStatus)
    ])
  )

const notAdmitted = [ApiKeyMissing, ApiKeyInvalid] as const
const general = [RateLimited, InternalError, ServiceUnavailable] as const

const said = (status: string, description: string, details: JsonObject = {}): JsonObject => ({
  description,
  content: {
    "application/json": {
      schema: {
        type: "object",
        required: ["status"],
        properties: { status: { type: "string", const: status, description: "The state of the process." }, ...details }
      },
      example: { status }
    }
  }
})

/** `clock` of `/readyz`. */
const clockDetails: JsonObject = {
  type: "object",
  description: "What happened to the system clock since the process started.",
  required: ["leaps", "last_leap"],
  properties: {
    leaps: { type: "integer", description: "How often it was set, or the machine stood still." },
    last_leap: {
      type: ["object", "null"],
      description: "The last time; null if there was none.",
      required: ["kind", "by_seconds", "at"],
      properties: {
        kind: { enum: ["set", "stood_still"], description: "Whether the clock was set or the machine stood still." },
        by_seconds: { type: "number", description: "How far; negative if the clock was set back." },
        at: { type: "string", format: "date-time", description: "When it was noticed, by the clock after it." }
      }
    }
  }
}

const health = (operationId: string, summary: string, description: string, answers: JsonObject): JsonObject => ({
  get: { tags: ["Engine"], operationId, summary, description, security: [], responses: answers }
})

const document = (operationId: string, summary: string, description: string): JsonObject => ({
  get: {
    tags: ["Engine"],
    operationId,
    summary,
    description,
    security: [],
    responses: {
      "200": { description: "The document.", content: { "application/json": { schema: { type: "object" } } } }
    }
  }
})

const engineRoutes: JsonObject = {
  "/healthz": health("engine.alive", "Liveness", "Answers as long as the process serves requests.", {
    "200": said("ok", "Alive.")
  }),
  "/readyz": health(
    "engine.ready",
    "Readiness",
    "For load balancers: 503 while the engine starts, cannot reach its database, or stops.",
    {
      "200": said("ready", "Ready.", { clock: clockDetails }),
      "503": error("Starting, stopping or without its database.")
    }
  ),
  "/metrics": {
    get: {
      tags: ["Engine"],
      operationId: "engine.metrics",
      summary: "Read the metrics",
      description:
        "In the text format of Prometheus. Do not publish this route. If the operator has set `METRICS_TOKEN`, it needs " +
        "that token as `Authorization: Bearer`.",
      security: [],
      responses: {
        "200": {
          description: "The metrics.",
          content: { "text/plain": { schema: { type: "string" }, example: "trunkline_live_calls 12\n" } }
        },
        ...refusals(notAdmitted)
      }
    }
  },
  "/openapi.json": document("engine.openapi", "Read this document", "OpenAPI 3.1."),
  "/asyncapi.json": document(
    "engine.asyncapi",
    "Read the document of streams",
    "AsyncAPI 3.0: the live stream of a call, webhooks, and the feed of PBX gateways."
  )
}

const receipt: JsonObject = {
  type: "object",
  required: ["accepted", "duplicate", "ignored_late"],
  properties: {
    accepted: { type: "integer", description: "How many events were stored." },
    duplicate: { type: "integer", description: "How many events had been stored before." },
    ignored_late: {
      type: "integer",
      description: "How many events came after the end of their call and changed nothing."
    },
    refused: {
      type: "array",
      description: "The events that are not valid, and why. Absent if all are.",
      items: {
        type: "object",
        required: ["event_id", "code", "message"],
        properties: {
          event_id: { type: "string", description: "The id of the event." },
          code: { type: "string", description: "What is wrong, for programs." },
          message: { type: "string", description: "What is wrong, for people." }
        }
      }
    }
  }
}

/** A PBX event for examples: decoded by a test. */
export const eventExample: JsonObject = {
  event_id: "01981d5e-7a3c-7c2e-9f0a-6f1c2b3d4e5f",
  tenant_pbx_id: "demo",
  type: "leg.answered",
  session_id: "HD_01981d5e000070008000000000000003",
  seq: 2,
  occurred_at: "2026-10-01T11:59:05.000Z",
  data: { sip_code: 200 }
}

const Batch: JsonObject = {
  type: "object",
  required: ["events"],
  properties: {
    events: {
      type: "array",
      minItems: 1,
      maxItems: eventsMax,
      items: { $ref: "#/components/schemas/PbxEvent" },
      description: "The events. Those of one session in order."
    }
  }
}

const pbxRoutes: JsonObject = {
  "/v1/pbx/feed": {
    get: {
      tags: ["PBX gateways"],
      operationId: "pbx.feed",
      summary: "Connect a gateway",
      description:
        "Upgrades to a WebSocket that carries commands down and events up, as JSON text. `/asyncapi.json` describes the frames.",
      security: [{ pbx_secret: [] }],
      responses: {
        "101": { description: "The connection is a WebSocket now." },
        ...refusals([BadRequest, ...notAdmitted, ...general])
      }
    }
  },
  "/v1/webhooks/pbx/events": {
    post: {
      tags: ["PBX gateways"],
      operationId: "pbx.ingest",
      summary: "Report events of a PBX",
      description:
        "For gateways that have no feed. One event, or up to 100 in `events`. Repeat a request until it is answered with 202; events that were stored before are counted and not stored again.",
      security: [{ pbx_secret: [] }],
      parameters: [
        {
          name: "X-Pbx-Signature",
          in: "header",
          required: true,
          description:
            "`t=<Unix seconds>,v1=<hex>`: HMAC-SHA256 of the body, a dot and `t`, under the secret of the gateway.",
          schema: { type: "string" }
        }
      ],
      requestBody: {
        required: true,
        content: {
          "application/json": {
            schema: { anyOf: [Batch, { $ref: "#/components/schemas/PbxEvent" }] },
            example: { events: [eventExample] }
          }
        }
      },
      responses: {
        "202": {
          description: "The events are stored.",
          content: { "application/json": { schema: receipt, example: { accepted: 1, duplicate: 0, ignored_late: 0 } } }
        },
        ...refusals([BadRequest, ...PbxErrors, ...notAdmitted, ...general]),
        // The body is larger than 256 KiB.
        "413": refusal([PbxBodyReadFailed])
      }
    }
  }
}

const { definitions, schema } = openApiSchema(PbxEvent)
export const pbxEventSchemas: JsonObject = { PbxEvent: schema, ...definitions }

export const otherPaths: JsonObject = { ...engineRoutes, ...pbxRoutes }

export const otherTags: ReadonlyArray<JsonObject> = [
  { name: "PBX gateways", description: "The program that speaks the PBX protocol for a PBX." },
  { name: "Engine", description: "Health, metrics and documents of the engine." }
]

export const pbxSecret: JsonObject = {
  type: "http",
  scheme: "bearer",
  description: "The secret of a PBX gateway, `PBX_SECRET`."
}
