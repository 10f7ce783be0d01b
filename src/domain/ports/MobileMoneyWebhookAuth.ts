import { Context } from "effect"

/** Who may announce payments: the provider signs nothing, so its address and a secret in the path have to do. */
export class MobileMoneyWebhookAuth extends Context.Service<
  MobileMoneyWebhookAuth,
  {
    readonly admits: (secret: string, address: string | null) => boolean
  }
>()("trunkline/domain/ports/MobileMoneyWebhookAuth") {}
