// The codes that the interface does not name have a reason each, in one table of docs/errors.md.
import { assert, describe, it } from "@effect/vitest"
import { codesWithoutAnswer, reasonsOfAddedCodes } from "../../../scripts/docs/AddedCodes.ts"
import { render } from "../../../scripts/docs/errors.ts"
import { Catalog } from "../../../src/domain/errors/Catalog.ts"

/** The codes of the interface's tables of errors, written out a second time. */
const ofInterface = `
  account.suspended accounts.admin_required accounts.last_owner accounts.remove_denied
  accounts.role_change_denied accounts.write_denied api_key.already_revoked api_key.expired api_key.invalid
  api_key.name_required api_key.not_found api_key.revoked api_key.scope_denied api_key.scope_invalid
  audit.invalid_action_kind auth.admin_required auth.cannot_unlink_only_auth auth.email_taken
  auth.idp_exchange_failed auth.idp_not_configured auth.idp_state_mismatch auth.invite_email_mismatch
  auth.no_workspace auth.session_invalid auth.token_expired auth.token_invalid auth.token_used
  auth.workspace_forbidden calls.events_failed calls.get_failed calls.list_failed calls.not_found
  calls.recording_expired calls.recording_failed calls.recording_not_found calls.stats_failed
  cardprovider.unavailable currency.unsupported idempotency.conflict internal_error invitations.not_found
  invite_requires_login method_not_allowed mobilemoney.unavailable not_found numbers.already_claimed
  numbers.byo_requires_trunk numbers.credential_limit_reached numbers.e164_taken numbers.extension_invalid
  numbers.extension_taken numbers.invalid_routing_url numbers.not_assigned numbers.not_found
  numbers.price_missing numbers.retired numbers.series_invalid numbers.series_not_active
  numbers.sip_config_unavailable numbers.sip_credentials.already_revoked numbers.sip_credentials.not_found
  numbers.sip_provisioning_failed numbers.sip_token_unavailable numbers.suffix_collision
  numbers.wallet_unavailable pbx.body_read_failed pbx.ingest_failed pbx.payload_decode_failed pbx.resolve_failed
  pbx.unknown_workspace provider.has_active_series provider.invalid_credentials sip_trunk.already_exists
  sip_trunk.in_use sip_trunk.invalid sip_trunk.not_found sip_trunk.provisioning_failed storage.tier_invalid
  storage.tier_switch_failed topup.not_found validation.bad_request validation.invalid_cursor
  wallet.adjustment_invalid_kind wallet.currency_mismatch wallet.insufficient_funds wallet.invalid_amount
  wallet.not_found wallet.topup_below_minimum webhooks.create_failed webhooks.delete_failed
  webhooks.deliver.secret_unset webhooks.delivery_not_retryable webhooks.dispatcher_unavailable
  webhooks.event_unsupported webhooks.list_failed webhooks.not_found webhooks.patch_failed
  webhooks.rotate_secret_failed workspace.locked_to_byoc workspace.locked_to_platform_numbers
`
  .trim()
  .split(/\s+/)

describe("the codes beyond the interface", () => {
  it("are those of the catalogue that the interface does not name, each once", () => {
    assert.strictEqual(new Set(ofInterface).size, 100)
    const added = [...Catalog.keys()].filter((code) => !ofInterface.includes(code))
    const explained = reasonsOfAddedCodes.flatMap(([, codes]) => codes)
    assert.deepStrictEqual(explained.toSorted(), added.toSorted())
  })

  it("leave no code of the interface out", () => {
    assert.deepStrictEqual(
      ofInterface.filter((code) => !Catalog.has(code)),
      []
    )
  })

  it("stand in one table of docs/errors.md, with their reasons in whole sentences", () => {
    const [, table = ""] =
      /## Codes that the interface does not name\n([^#]+(?:#[^\n]+\n)*[\s\S]*)/.exec(render()) ?? []
    for (const [reason, codes] of reasonsOfAddedCodes) {
      assert.match(reason, /^[A-Z].+\.$/)
      assert.include(table, reason)
      for (const code of codes) assert.include(table, `\`${code}\``)
    }
    for (const [code, reason] of codesWithoutAnswer) {
      assert.include(ofInterface, code)
      assert.include(table, `| \`${code}\` | ${reason} |`)
    }
  })
})
