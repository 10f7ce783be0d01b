import { AccountErrors } from "./AccountErrors.ts"
import { ApiKeyErrors } from "./ApiKeyErrors.ts"
import { AuthErrors } from "./AuthErrors.ts"
import { CallerIdErrors } from "./CallerIdErrors.ts"
import { CallErrors } from "./CallErrors.ts"
import { ChatAppErrors } from "./ChatAppErrors.ts"
import type { FailureClass } from "./Failure.ts"
import { GeneralErrors } from "./GeneralErrors.ts"
import { NumberErrors } from "./NumberErrors.ts"
import { PbxErrors } from "./PbxErrors.ts"
import { SipCredentialErrors } from "./SipCredentialErrors.ts"
import { StorageErrors } from "./StorageErrors.ts"
import { TopUpErrors } from "./TopUpErrors.ts"
import { ConferenceErrors } from "./ConferenceErrors.ts"
import { TrunkErrors } from "./TrunkErrors.ts"
import { WalletErrors } from "./WalletErrors.ts"
import { WebhookErrors } from "./WebhookErrors.ts"

/** Every error code of the platform by family, in the order of the error reference. */
export const Families = [
  ["General", GeneralErrors],
  ["Calls and recordings", CallErrors],
  ["Wallet", WalletErrors],
  ["Top-ups", TopUpErrors],
  ["Numbers", NumberErrors],
  ["Caller ids", CallerIdErrors],
  ["SIP credentials", SipCredentialErrors],
  ["Conferences", ConferenceErrors],
  ["SIP trunk", TrunkErrors],
  ["Webhooks", WebhookErrors],
  ["Storage", StorageErrors],
  ["Chat-app calling", ChatAppErrors],
  ["API keys and audit", ApiKeyErrors],
  ["Accounts, members and invitations", AccountErrors],
  ["Sign-in", AuthErrors],
  ["PBX ingest", PbxErrors]
] as const

/** Code to class. */
export const Catalog: ReadonlyMap<string, FailureClass> = new Map(
  Families.flatMap(([, classes]) => classes.map((declared): [string, FailureClass] => [declared.code, declared]))
)
