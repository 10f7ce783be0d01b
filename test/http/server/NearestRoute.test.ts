import { describe, expect, it } from "@effect/vitest"
import { makeNearestRoute } from "../../../src/http/server/NearestRoute.ts"

const nearestRoute = makeNearestRoute(
  (
    [
      "/v1/calls",
      "/v1/calls/originate",
      "/v1/calls/:id",
      "/v1/calls/:id/events",
      "/v1/wallet/balance",
      "/healthz"
    ] as const
  ).map((path) => ({ method: "GET", path }))
)

describe("the route that was probably meant", () => {
  it.each([
    ["/v1/call", "/v1/calls"],
    ["/calls", "/v1/calls"],
    ["/v1/calls/%zz", undefined],
    ["/v1/cals/17", "/v1/calls/{id}"],
    ["/v1/calls/17/event?limit=2", "/v1/calls/{id}/events"],
    ["/V1/calls", "/v1/calls"],
    ["/v1/calls/", "/v1/calls"],
    ["/wallet/ballance", "/v1/wallet/balance"],
    ["/health", "/healthz"],
    ["/v1/nothing/else", undefined],
    ["/", undefined],
    [`/${"a/".repeat(4_000)}`, undefined]
  ])("for %s is %s", (url, expected) => {
    expect(nearestRoute(url)).toBe(expected)
  })
})
