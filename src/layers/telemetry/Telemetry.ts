// Exports traces, metrics and logs by OTLP to OTLP_URL. Without OTLP_URL nothing is traced.
import { Effect, Layer, Logger, References, Tracer } from "effect"
import { HttpClient } from "effect/http"
import { OtlpExporter, OtlpLogger, OtlpMetrics, OtlpSerialization, OtlpTracer } from "effect/observability"
import { readFileSync } from "node:fs"
import { redacting as redactingLogger } from "./RedactingLogger.ts"
import { redacting } from "./RedactingTracer.ts"
import * as BoundedExportClient from "./BoundedExportClient.ts"

/** Time limit for the last export of each kind when the engine stops. */
const shutdownTimeout = "2 seconds"

const versionOf = (file: URL): string =>
  (JSON.parse(readFileSync(file, "utf8")) as { readonly version: string }).version

/** User and password of the URL become Basic authentication. The rest is the base of the three OTLP paths. */
const receiverOf = (otlp_url: string) => {
  const url = new URL(otlp_url)
  const { password, username } = url
  const at = (kind: string) => `${url.origin}${url.pathname.replace(/\/+$/, "")}/v1/${kind}`
  if (username === "") return { at, headers: {} }
  const credentials = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString("base64")
  return { at, headers: { authorization: `Basic ${credentials}` } }
}

const exporters = (otlp_url: string) => {
  const { at, headers } = receiverOf(otlp_url)
  const resource = {
    serviceName: "trunkline",
    serviceVersion: versionOf(new URL("../../../package.json", import.meta.url))
  }
  const common = { headers, resource, shutdownTimeout } as const
  return Layer.mergeAll(
    Logger.layer([Effect.map(OtlpLogger.make({ url: at("logs"), ...common }), redactingLogger)], {
      mergeWithExisting: true
    }),
    OtlpMetrics.layer({ url: at("metrics"), ...common }),
    Layer.effect(Tracer.Tracer, Effect.map(OtlpTracer.make({ url: at("traces"), ...common }), redacting))
  ).pipe(Layer.provide([OtlpExporter.layerFlusher, OtlpSerialization.layerJson, BoundedExportClient.layer]))
}

/**
 * Adds to the existing loggers. Built first and closed last, so that it exports what other layers log while closing.
 */
export const layer = ({ otlp_url }: { readonly otlp_url: string | undefined }) =>
  Layer.merge(
    // No trace headers go to customers' servers: the spans belong to the operator.
    Layer.succeed(HttpClient.TracerPropagationEnabled)(false),
    otlp_url === undefined ? Layer.succeed(References.TracerEnabled)(false) : exporters(otlp_url)
  )
