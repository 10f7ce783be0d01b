// Workspace actors for test engines that send no mail.
import { Effect, Layer } from "effect"
import * as MailboxActor from "../../src/actors/mail/MailboxActor.ts"
import * as PerformWorkspace from "../../src/actors/workspace/PerformWorkspace.ts"
import { PublicUrl } from "../../src/actors/shared/PublicUrl.ts"
import { ApiKeyReads } from "../../src/domain/ports/access/ApiKeyReads.ts"
import { Mailer } from "../../src/domain/ports/access/Mailer.ts"
import { NumberReads } from "../../src/domain/ports/numbers/NumberReads.ts"
import { AesVault } from "../../src/layers/keyring/AesVault.ts"
import { HmacTokens } from "../../src/layers/keyring/HmacTokens.ts"
import { gatewayId, userId } from "./Ids.ts"

const noMail = Layer.succeed(Mailer)({ send: () => Effect.void })

/** The resources that a closed workspace has to release. */
const nothing = Layer.merge(
  Layer.mock(ApiKeyReads)({ list: () => Effect.succeed([]) }),
  Layer.mock(NumberReads)({ held: () => Effect.succeed([]) })
)

/** Needs the actor system, and the actors of wallets in it. */
export const layer = Layer.merge(PerformWorkspace.layer, MailboxActor.layer).pipe(
  Layer.provide([
    Layer.succeed(PublicUrl)({ base_url: "https://voice.example" }),
    noMail,
    nothing,
    AesVault(new Uint8Array(32).fill(1)),
    HmacTokens([new Uint8Array(32).fill(2)])
  ])
)

/** With what a workspace is onboarded. */
export const onboarding = {
  name: "Acme",
  currency: "UGX",
  tenant_pbx_id: "acme",
  gateway_id: gatewayId("default"),
  voice_secret: "sealed",
  owner: { user_id: userId("u1"), email: "ann@example.com" }
} as const
