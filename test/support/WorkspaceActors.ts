// Workspace actors for test engines that send no mail.
import { Effect, Layer } from "effect"
import * as MailboxActor from "../../src/actors/mail/MailboxActor.ts"
import * as PerformWorkspace from "../../src/actors/workspace/PerformWorkspace.ts"
import { PublicUrl } from "../../src/actors/shared/PublicUrl.ts"
import { ApiKeyReads } from "../../src/domain/ports/access/ApiKeyReads.ts"
import { Mailer } from "../../src/domain/ports/access/Mailer.ts"
import { WalletReads } from "../../src/domain/ports/money/WalletReads.ts"
import { NumberReads } from "../../src/domain/ports/numbers/NumberReads.ts"
import { AesVault } from "../../src/layers/keyring/AesVault.ts"
import { HmacTokens } from "../../src/layers/keyring/HmacTokens.ts"
import { gatewayId, userId } from "./Ids.ts"

const noMail = Layer.succeed(Mailer)({ send: () => Effect.void })

const noKeys = Layer.mock(ApiKeyReads)({ list: () => Effect.succeed([]) })
const noNumbers = Layer.mock(NumberReads)({ available: () => Effect.succeed([]), held: () => Effect.succeed([]) })
const noEntries = Layer.mock(WalletReads)({ entry: () => Effect.undefined })

/** Needs the actor system, and in it the actors of wallets and of these numbers. */
export const layerWith = (numbers: Layer.Layer<NumberReads>, wallets: Layer.Layer<WalletReads>) =>
  Layer.merge(PerformWorkspace.layer, MailboxActor.layer).pipe(
    Layer.provide([
      Layer.succeed(PublicUrl)({ base_url: "https://voice.example" }),
      noMail,
      noKeys,
      numbers,
      wallets,
      AesVault(new Uint8Array(32).fill(1)),
      HmacTokens([new Uint8Array(32).fill(2)])
    ])
  )

/** With no numbers at all. */
export const layer = layerWith(noNumbers, noEntries)

/** With what a workspace is onboarded. */
export const onboarding = {
  name: "Acme",
  currency: "UGX",
  tenant_pbx_id: "acme",
  gateway_id: gatewayId("default"),
  voice_secret: "sealed",
  owner: { user_id: userId("u1"), email: "ann@example.com" }
} as const
