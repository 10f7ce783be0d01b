// Traces, metrics and logs by OTLP, where OTLP_URL says so; without it nothing is traced at all.
import { Effect, Layer, References, Tracer } from "effect"
import { HttpClient } from "effect/http"
import { OtlpExporter, OtlpLogger, OtlpMetrics, OtlpSerialization, OtlpTracer } from "effect/observability"
import { readFileSync } from "node:fs"
import { redacting } from "./RedactingTracer.ts"
import * as BoundedExportClient from "./BoundedExportClient.ts"

/** Of each kind, once the engine has stopped. */
const shutdownTimeout = "2 seconds"

const versionOf = (file: URL): string =>
  (JSON.parse(readFileSync(file, "utf8")) as { readonly version: string }).version

/** A name and a password in the URL go as Basic authentication; the rest is where the three kinds are below. */
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
    OtlpLogger.layer({ url: at("logs"), ...common }),
    OtlpMetrics.layer({ url: at("metrics"), ...common }),
    Layer.effect(Tracer.Tracer, Effect.map(OtlpTracer.make({ url: at("traces"), ...common }), redacting))
  ).pipe(Layer.provide([OtlpExporter.layerFlusher, OtlpSerialization.layerJson, BoundedExportClient.layer]))
}

/** Built upon the loggers, which it adds to, and closed after all that may have something to tell. */
export const layer = ({ otlp_url }: { readonly otlp_url: string | undefined }) =>
  Layer.merge(
    // The engine's spans are its operator's: whom it asks is not told of them.
    Layer.succeed(HttpClient.TracerPropagationEnabled)(false),
    otlp_url === undefined ? Layer.succeed(References.TracerEnabled)(false) : exporters(otlp_url)
  )
