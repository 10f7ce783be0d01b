// A logger reads the annotations of a line from its fiber.
import { type Fiber, References } from "effect"

export type Annotations = Readonly<Record<string, unknown>>

/** The same fiber to a logger, with these annotations. */
export const annotatedFiber = (
  fiber: Fiber.Fiber<unknown, unknown>,
  annotations: Annotations
): Fiber.Fiber<unknown, unknown> => {
  const getRef = (reference: Parameters<typeof fiber.getRef>[0]): unknown =>
    Object.is(reference, References.CurrentLogAnnotations) ? annotations : fiber.getRef(reference)
  return Object.create(fiber, { getRef: { value: getRef } })
}
