// Simulated phones that survive a crash of the engine, behind a separate gateway on the engine's clock.
import { Clock, Effect } from "effect"
import * as SystemIds from "../../src/layers/ids/SystemIds.ts"
import type { Phone } from "../../src/layers/pbx/simulator/Phones.ts"
import { fastClock } from "./FastTime.ts"
import type { Program } from "./Program.ts"
import { makeWebSocketGateway } from "./WebSocketGateway.ts"
import { gatewayId } from "./Ids.ts"

const secret = "a-secret-of-gateways"

/** Environment of a program that has no other phones. */
export const outside = { PBX_GATEWAY: "none", PBX_INGEST_SECRET: secret }

export const makeOutsidePhones = (program: Program, phones?: (to: string) => Phone) =>
  makeWebSocketGateway({
    url: `${program.base_url.replace("http", "ws")}/v1/pbx/feed`,
    secret,
    gateway_id: gatewayId("default"),
    ...(phones && { phones })
  }).pipe(
    Effect.map(({ connect, disconnect }) => ({ connect: Effect.orDie(connect), disconnect })),
    Effect.provideService(Clock.Clock, fastClock(program.pace)),
    Effect.provide(SystemIds.layer)
  )
export type OutsidePhones = Effect.Success<ReturnType<typeof makeOutsidePhones>>
