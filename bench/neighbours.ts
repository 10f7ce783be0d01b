// What fifty tenants notice of an abusive one and of a stranger without a key, who do all they may as fast as they can.
import { Effect, Layer, type Redacted } from "effect"
import * as Database from "../src/layers/postgres/database/Database.ts"
import { attacker, settle, tenantsFor, underAttack } from "./NeighbourTenants.ts"
import { folder, program } from "./Program.ts"
import type { BenchRow } from "./Row.ts"
import { readFileSync } from "node:fs"

const port = 18_083

const residentMiB = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1_024

export const neighboursBench = (options: {
  readonly url: Redacted.Redacted
  /** How long the tenants are measured alone, and again beside the two. */
  readonly duration_ms: number
}) =>
  Effect.scoped(
    Effect.gen(function* () {
      const data_dir = yield* folder
      const { pid } = yield* program(options.url, data_dir, port, { settings: { RATE_LIMITS: "on" } })
      const town = yield* settle(data_dir)
      const tenants = (ms: number) => tenantsFor(port, town.keys, ms)
      yield* Effect.promise(() => tenants(options.duration_ms / 4))
      const alone = yield* Effect.promise(() => tenants(options.duration_ms))
      const child = yield* attacker
      const before = residentMiB(pid)
      const { attack, result: beside } = yield* Effect.promise(() =>
        underAttack(child, { port, connections: 16, ...town.attack }, () => tenants(options.duration_ms))
      )
      const grown = residentMiB(pid) - before
      yield* Effect.logInfo("What the two were answered", attack)
      const faults = Object.entries(beside.refused).reduce((sum, [, count]) => sum + count, 0)
      const rows: ReadonlyArray<BenchRow> = [
        { name: "50 tenants alone, p50", value: alone.p50_ms, unit: "ms" },
        { name: "… p99", value: alone.p99_ms, unit: "ms" },
        { name: "beside an abusive tenant and a stranger, p50", value: beside.p50_ms, unit: "ms" },
        { name: "… p99", value: beside.p99_ms, unit: "ms" },
        { name: "… p99 to the p99 alone", value: beside.p99_ms / alone.p99_ms, unit: "x", goal: { most: 2 } },
        { name: "… requests that were not served", value: faults, unit: "", goal: { most: 0 } },
        { name: "… memory of the process more", value: grown, unit: "MiB", goal: { most: 300 } }
      ]
      return rows
    })
  ).pipe(Effect.provide(Layer.fresh(Database.layer({ url: options.url }))))
