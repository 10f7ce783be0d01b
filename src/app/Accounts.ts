// How people sign in, and how mail is sent to them.
import { Layer } from "effect"
import { join } from "node:path"
import { HmacTokens } from "../layers/keyring/HmacTokens.ts"
import { deriveKeys, type MasterKeys } from "../layers/keyring/Secrets.ts"
import * as Mailers from "../layers/mail/Mailers.ts"
import * as OpenIdProvider from "../layers/oidc/OpenIdProvider.ts"
import type { Settings } from "./Settings.ts"

type SettingsShape = Settings["Service"]

export const accountTokens = (master_keys: MasterKeys) => HmacTokens(deriveKeys(master_keys, "tokens"))

const identityProvider = ({ oidc_client_id, oidc_client_secret, oidc_issuer }: SettingsShape) =>
  oidc_issuer === undefined || oidc_client_id === undefined || oidc_client_secret === undefined
    ? OpenIdProvider.unconfigured
    : OpenIdProvider.layer({ issuer: oidc_issuer, client_id: oidc_client_id, client_secret: oidc_client_secret })

export const accountPorts = (settings: SettingsShape) => {
  const { data_dir, mail_from: from, mail_url } = settings
  const mailer =
    mail_url === undefined ? Mailers.files(join(data_dir, "mail"), { from }) : Mailers.smtp(mail_url, { from })
  return Layer.merge(identityProvider(settings), mailer)
}
