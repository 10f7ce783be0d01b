// The layers of people's accounts: ports, actors and facades.
import { Layer } from "effect"
import { join } from "node:path"
import * as MailboxActor from "../actors/mail/MailboxActor.ts"
import * as ApiKeyActor from "../actors/access/ApiKeyActor.ts"
import { NotifyAdmins } from "../actors/mail/NotifyAdmins.ts"
import { IdpSignIn } from "../actors/access/IdpSignIn.ts"
import { Members } from "../actors/workspace/Members.ts"
import { SignIn } from "../actors/access/SignIn.ts"
import { Sandboxes } from "../actors/workspace/Sandboxes.ts"
import { Workspaces } from "../actors/workspace/Workspaces.ts"
import * as PerformWorkspace from "../actors/workspace/PerformWorkspace.ts"
import { HmacTokens } from "../layers/keyring/HmacTokens.ts"
import { deriveKeys, type MasterKeys } from "../layers/keyring/Secrets.ts"
import * as Mailers from "../layers/mail/Mailers.ts"
import * as OpenIdProvider from "../layers/oidc/OpenIdProvider.ts"
import * as PgSessions from "../layers/postgres/people/PgSessions.ts"
import * as PgSignIns from "../layers/postgres/people/PgSignIns.ts"
import * as SharedCounts from "../layers/postgres/cache/SharedCounts.ts"
import { demoOperator } from "../layers/postgres/seed/SeedPeople.ts"
import * as WorkspaceReads from "../layers/postgres/reads/WorkspaceReads.ts"
import type { Settings } from "./Settings.ts"
import { toGatewayId } from "../domain/BrandedIds.ts"

type SettingsShape = Settings["Service"]

export const accountTokens = (master_keys: MasterKeys) => HmacTokens(deriveKeys(master_keys, "tokens"))

/** The e-mail addresses of operators. In development, the seeded operator is one of them. */
const operatorsOf = ({ environment, operator_emails }: SettingsShape): ReadonlySet<string> =>
  new Set(environment === "development" ? [...operator_emails, demoOperator.email] : operator_emails)

const identityProvider = ({ oidc_client_id, oidc_client_secret, oidc_issuer }: SettingsShape) =>
  oidc_issuer === undefined || oidc_client_id === undefined || oidc_client_secret === undefined
    ? OpenIdProvider.unconfigured
    : OpenIdProvider.layer({ issuer: oidc_issuer, client_id: oidc_client_id, client_secret: oidc_client_secret })

export const accountPorts = (settings: SettingsShape) => {
  const { data_dir, mail_from: from, mail_url } = settings
  const mailer =
    mail_url === undefined ? Mailers.files(join(data_dir, "mail"), { from }) : Mailers.smtp(mail_url, { from })
  return Layer.mergeAll(
    identityProvider(settings),
    PgSessions.layer(operatorsOf(settings)),
    PgSignIns.layer,
    SharedCounts.layer,
    WorkspaceReads.layer,
    mailer
  )
}

export const accountActors = ({ base_url }: SettingsShape) =>
  Layer.mergeAll(
    PerformWorkspace.layer({ base_url }),
    MailboxActor.layer,
    ApiKeyActor.layer.pipe(Layer.provide(NotifyAdmins.layer))
  )

export const accountFacades = (settings: SettingsShape) => {
  const { base_url, daily_spend_minor, default_gateway, max_daily_spend_minor, new_workspace_ceilings, sign_up } =
    settings
  const accounts = { sign_up, operators: operatorsOf(settings) }
  return Layer.mergeAll(
    Workspaces.layer({
      daily_spend_minor,
      default_gateway: toGatewayId(default_gateway),
      max_daily_spend_minor,
      new_workspace_ceilings
    }),
    Members.layer,
    Sandboxes.layer,
    IdpSignIn.layer({ base_url, accounts }).pipe(Layer.provideMerge(SignIn.layer({ base_url, accounts })))
  )
}
