// Defects that simulations found. Each is mended; with the old defect planted again, its scenario still finds it.
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { vi } from "vitest"
import type * as Deadlines from "../../src/domain/calls/Deadlines.ts"
import { workspace_id } from "./Customer.ts"
import type { Ask } from "../../src/actors/runtime/ActorSystem.ts"
import type { MakeSystem } from "./Engines.ts"
import type { SimulateOptions } from "./Simulate.ts"
import { type KeptScenario, scenarioFrom } from "./Scenario.ts"
import seeds from "./seeds.json" with { type: "json" }

const old = vi.hoisted(() => ({ awaitsNoHangup: false, placesLate: false }))

vi.mock("../../src/domain/calls/Deadlines.ts", async (original) => {
  const deadlines = await original<typeof Deadlines>()
  return {
    ...deadlines,
    hangupAwaitedUntil: (...args: Parameters<typeof deadlines.hangupAwaitedUntil>) =>
      old.awaitsNoHangup ? undefined : deadlines.hangupAwaitedUntil(...args),
    isPlacedLate: (...args: Parameters<typeof deadlines.isPlacedLate>) =>
      !old.placesLate && deadlines.isPlacedLate(...args)
  }
})

// Test files may share modules, and those that were loaded before are not the planted ones.
vi.resetModules()
const { ActorSystem } = await import("../../src/actors/runtime/ActorSystem.ts")
const { NotCommitted } = await import("../../src/domain/errors/NotCommitted.ts")
const { WalletCommands } = await import("../../src/domain/wallet/WalletCommand.ts")
const { layer: leaseSystem } = await import("./LeaseSystem.ts")
const { simulate } = await import("./Simulate.ts")

/** Releases the hold of a call that is refused as a duplicate, although the call may be stored. */
const releasingDuplicates: MakeSystem = (place, node) =>
  Layer.effect(
    ActorSystem,
    Effect.map(ActorSystem, (system) => {
      const ask = (command: { readonly tag: string }, id: string, payload: object) => {
        const answer = system.ask(command as never, id as never, payload as never) as Effect.Effect<unknown, unknown>
        const release = Effect.ignore(system.ask(WalletCommands.ReleaseHold, workspace_id, { hold_id: id }))
        const isDuplicate = (error: unknown) => error instanceof NotCommitted && error.reason === "duplicate"
        return command.tag === "Originate"
          ? Effect.tapError(answer, (error) => (isDuplicate(error) ? release : Effect.void))
          : answer
      }
      return ActorSystem.of({ ...system, ask: ask as unknown as Ask })
    })
  ).pipe(Layer.provide(leaseSystem(place, node)))

/** The journal does not look at what these constraints protect. */
const without =
  (...names: ReadonlyArray<string>): NonNullable<SimulateOptions["plant"]> =>
  ({ database: { rows } }) =>
    names.forEach((name) => assert.isTrue(rows.constraints.delete(name), name))

interface Plant extends SimulateOptions {
  readonly old?: Partial<typeof old>
}

const plants: Readonly<Record<string, Plant>> = {
  "a repeated originate releases the hold of its own call": { makeSystem: releasingDuplicates },
  "a call is placed after its hold was released": {
    old: { placesLate: true },
    plant: without("holds in use", "unused holds")
  },
  "a call is charged before its hang-up is heard": { old: { awaitsNoHangup: true } },
  "a hold is placed again over a captured one": { plant: without("captured holds") }
}

interface Known extends KeptScenario {
  readonly defect: string
  readonly rule: string
}

const seedsTried = 40

const replay = ({ defect: _, rule: __, ...kept }: Known, { old: planted, ...options }: Plant = {}) => {
  const mended = { ...old }
  Object.assign(old, planted)
  try {
    return simulate(scenarioFrom(kept), options).breach
  } finally {
    Object.assign(old, mended)
  }
}

describe("A defect that a simulation found", () => {
  const known: ReadonlyArray<Known> = seeds

  it.each(known.map((each) => [each.defect, each] as const))("is mended: %s", (_defect, each) => {
    assert.isUndefined(replay(each))
  })

  // A change of the engine moves what happens when, so the seeds after the kept one are tried too.
  it.each(known.map((each) => [each.defect, each] as const))("is found if it comes back: %s", (defect, each) => {
    const found = Array.from({ length: seedsTried }, (_, index) => each.seed + index).some((seed) =>
      replay({ ...each, seed }, plants[defect]!)?.includes(each.rule)
    )
    assert.isTrue(found)
  })
}, 300_000)
