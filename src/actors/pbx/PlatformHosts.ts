// The hosts of the platform: its carriers, its PBX, its providers. No workspace may make the PBX call them by naming
// them.
import { Context, Effect, Layer } from "effect"

export class PlatformHosts extends Context.Service<
  PlatformHosts,
  {
    /** Replaces what `source` has reported before. Names, addresses and ranges. */
    readonly report: (source: string, hosts: ReadonlyArray<string>) => Effect.Effect<void>
    readonly all: Effect.Effect<ReadonlyArray<string>>
  }
>()("trunkline/actors/PlatformHosts") {
  /** `configured`: hosts that the operator names. */
  static readonly layer = (configured: ReadonlyArray<string>) =>
    Layer.sync(PlatformHosts, () => {
      const reported = new Map<string, ReadonlyArray<string>>()
      return PlatformHosts.of({
        report: (source, hosts) => Effect.sync(() => void reported.set(source, hosts)),
        all: Effect.sync(() => [...configured, ...[...reported.values()].flat()])
      })
    })
}
