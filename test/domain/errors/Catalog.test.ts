import { readdir, readFile } from "node:fs/promises"
import { assert, describe, it } from "@effect/vitest"
import { Catalog } from "../../../src/domain/errors/Catalog.ts"
import { Failure } from "../../../src/domain/errors/Failure.ts"
import { render } from "../../../scripts/docs/errors.ts"

/** The published codes, written out a second time: neither a code nor its status changes unnoticed. */
const published: Readonly<Record<string, string>> = {
  400: `validation.bad_request validation.invalid_cursor auth.idp_state_mismatch pbx.body_read_failed
    pbx.payload_decode_failed idempotency.key_invalid`,
  401: `api_key.expired api_key.invalid api_key.missing api_key.revoked auth.session_invalid auth.token_expired
    auth.token_invalid auth.token_used invite_requires_login`,
  402: "wallet.insufficient_funds calls.spend_limit_reached",
  403: `auth.sign_up_closed account.suspended accounts.admin_required accounts.remove_denied accounts.role_change_denied
    accounts.write_denied api_key.scope_denied api_key.test_mode_required caller_ids.revoked auth.admin_required auth.invite_email_mismatch auth.no_workspace
    auth.workspace_forbidden`,
  404: `invitations.not_found api_key.not_found calls.not_found calls.recording_not_found not_found topup.not_found receipt.not_found invoice.not_found
    wallet.not_found numbers.not_found numbers.sip_credentials.not_found sip_trunk.not_found webhooks.not_found
    pbx.unknown_workspace members.not_found caller_ids.not_found chatapp.not_provisioned conferences.not_found
    conferences.participant_not_found`,
  405: "method_not_allowed",
  409: `accounts.last_owner api_key.already_revoked api_key.limit_reached auth.cannot_unlink_only_auth auth.email_taken
    idempotency.conflict numbers.already_claimed numbers.byo_requires_trunk
    numbers.proof_required numbers.limit_reached caller_ids.number_of_platform caller_ids.limit_reached caller_ids.code_expired numbers.credential_limit_reached
    numbers.e164_taken numbers.extension_taken numbers.not_assigned numbers.retired numbers.series_not_active
    numbers.sip_credentials.already_revoked numbers.suffix_collision provider.has_active_series
    sip_trunk.already_exists sip_trunk.in_use workspace.locked_to_byoc workspace.locked_to_platform_numbers
    webhooks.delivery_not_retryable calls.not_in_progress calls.recording_processing numbers.not_active
    idempotency.in_progress topup.push_in_progress invitations.already_member chatapp.not_eligible
    chatapp.trunk_not_retryable webhooks.limit_reached wallet.card_missing
    conferences.ended`,
  410: "calls.recording_expired",
  413: "validation.payload_too_large",
  416: "validation.range_not_satisfiable",
  408: "validation.request_timeout",
  414: "validation.uri_too_long",
  417: "validation.expectation_failed",
  431: "validation.headers_too_large",
  415: "validation.unsupported_media_type",
  422: `api_key.name_required api_key.scope_invalid audit.invalid_action_kind currency.unsupported
    mobilemoney.unavailable cardprovider.unavailable wallet.adjustment_invalid_kind wallet.currency_mismatch
    wallet.invalid_amount wallet.topup_below_minimum numbers.extension_invalid numbers.invalid_routing_url
    numbers.price_missing numbers.series_invalid provider.invalid_credentials sip_trunk.invalid storage.tier_invalid
    webhooks.event_unsupported calls.invalid_destination calls.destination_refused calls.invalid_callback_url
    calls.action_unsupported caller_ids.code_wrong topup.limit_exceeded storage.price_missing chatapp.settings_invalid`,
  429: "caller_ids.too_many_calls calls.concurrency_limit_reached calls.rate_limited rate_limited",
  500: `conferences.read_failed calls.events_failed calls.get_failed calls.list_failed calls.recording_failed calls.stats_failed
    internal_error pbx.resolve_failed storage.tier_switch_failed webhooks.create_failed webhooks.delete_failed
    webhooks.list_failed webhooks.patch_failed webhooks.rotate_secret_failed`,
  502: `auth.idp_exchange_failed numbers.sip_provisioning_failed sip_trunk.provisioning_failed
    topup.provider_failed chatapp.provider_rejected`,
  503: `auth.idp_not_configured numbers.sip_config_unavailable numbers.sip_token_unavailable
    numbers.wallet_unavailable pbx.ingest_failed webhooks.dispatcher_unavailable chatapp.provider_unavailable
    calls.gateway_unavailable caller_ids.calls_unavailable service_unavailable`,
  null: "webhooks.deliver.secret_unset"
}

const folder = new URL("../../../src/domain/errors/", import.meta.url)

describe("Catalog", () => {
  it("answers the failures of single operations with 503 while the database is away", () => {
    const named = Array.from(Catalog.values()).filter(({ status }) => status === 500)
    const general = named.filter(({ status_while_away }) => status_while_away === undefined)
    assert.deepStrictEqual(
      general.map(({ code }) => code),
      ["internal_error", "conferences.read_failed"]
    )
    for (const { status_while_away } of named) assert.include([undefined, 503], status_while_away)
  })

  it("has each published code with its status, and no other codes", () => {
    const expected = Object.entries(published).flatMap(([status, codes]) =>
      codes.split(/\s+/).map((code) => `${code} ${status}`)
    )
    const actual = Array.from(Catalog.values(), ({ code, status }) => `${code} ${status}`)
    assert.deepStrictEqual(actual.toSorted(), expected.toSorted())
    assert.strictEqual(actual.length, 156)
  })

  it("lists every class that a family file exports", async () => {
    for (const file of (await readdir(folder)).filter((name) => name.endsWith("Errors.ts"))) {
      const exported: Record<string, unknown> = await import(new URL(file, folder).href)
      for (const [name, value] of Object.entries(exported)) {
        if (Array.isArray(value)) continue
        const failure = new (value as new () => Failure)()
        assert.instanceOf(failure, Failure)
        assert.strictEqual(Catalog.get(failure._tag), value, `${file} declares ${name}`)
      }
    }
  })

  it("has whole sentences as messages", () => {
    for (const { code, summary, resolution } of Catalog.values()) {
      assert.match(summary, /^[A-Z].+\.$/, code)
      if (resolution !== undefined) assert.match(resolution, /^[A-Z].+\.$/, code)
    }
  })

  it("has an anchor on the page of errors for every code", () => {
    const page = render()
    for (const code of Catalog.keys()) assert.include(page, `<a id="${code}"></a>`)
  })

  it("matches docs/errors.md", async () => {
    const page = await readFile(new URL("../../../docs/errors.md", import.meta.url), "utf8")
    assert.strictEqual(page, render(), "run `node scripts/docs/errors.ts`")
  })
})
