import { Context, Effect, Layer } from "effect"
import type { ReadFailed } from "../../errors/ReadFailed.ts"
import type { Carrier } from "../../numbers/NumberDescription.ts"

/** Says which carrier serves a number. An engine has no source for this unless one is provided. */
export class CarrierData extends Context.Service<
  CarrierData,
  {
    /** E.164. Undefined: the source does not know the number. */
    readonly find: (number: string) => Effect.Effect<Carrier | undefined, ReadFailed>
  }
>()("trunkline/domain/ports/CarrierData") {
  static readonly none = Layer.succeed(CarrierData)({ find: () => Effect.succeed(undefined) })
}
