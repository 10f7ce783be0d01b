// The simulated providers of sandboxes. They exist beside those of live workspaces, in production too.
import { Context, Layer, Stream } from "effect"
import type { CardProvider, MobileMoneyProvider } from "./PaymentProvider.ts"
import type { PaymentNotice } from "../../topups/PaymentNotice.ts"

export class SandboxPayments extends Context.Service<
  SandboxPayments,
  {
    readonly mobileMoney: MobileMoneyProvider | undefined
    readonly card: CardProvider | undefined
    /** What the simulated mobile money announces. */
    readonly notices: Stream.Stream<PaymentNotice>
  }
>()("trunkline/domain/ports/SandboxPayments") {
  /** For an engine without sandboxes. */
  static readonly none = Layer.succeed(SandboxPayments)({
    mobileMoney: undefined,
    card: undefined,
    notices: Stream.never
  })
}
