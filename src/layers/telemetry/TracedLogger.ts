// Adds the trace and the span to lines of the log, under OpenTelemetry's names, so that a line leads to its trace.
import { Logger, References } from "effect"
import { annotatedFiber } from "./AnnotatedFiber.ts"

/** The logger, with `trace_id` and `span_id` where a trace is recorded. Without OTLP_URL none is. */
export const traced = <A>(logger: Logger.Logger<unknown, A>): Logger.Logger<unknown, A> =>
  Logger.make((line) => {
    const { fiber } = line
    const { span } = fiber.cache
    if (span?.sampled !== true) return logger.log(line)
    const annotations = fiber.getRef(References.CurrentLogAnnotations)
    const ids = { trace_id: span.traceId, span_id: span.spanId }
    return logger.log({ ...line, fiber: annotatedFiber(fiber, { ...annotations, ...ids }) })
  })
