// Planted holes: for a row of docs/security.md, the change of the source that removes what stops the threat, and the
// test of the row that must then fail. `npm run test:holes` plants one after another.

export interface Hole {
  /** The first cell of the row, as it is written. */
  readonly threat: string
  readonly file: string
  /** Occurs once in the file. */
  readonly guard: string
  readonly without: string
  readonly test: string
  readonly title: string
}

export const holes: ReadonlyArray<Hole> = [
  {
    threat: "To find an Asterisk that blocks nobody, because it was configured otherwise",
    file: "src/layers/pbx/asterisk/checks/CheckGuard.ts",
    guard: "    return reads\n      ? []",
    without: "    return reads || !reads\n      ? []",
    test: "test/layers/pbx/asterisk/checks/CheckGuard.test.ts",
    title: "names a manager interface without security events: %s"
  },
  {
    threat: "To fill the engine's memory from many addresses",
    file: "src/layers/pbx/asterisk/guard/AddressGuard.ts",
    guard: "if (map.size <= most) return",
    without: "if (map.size <= most || most > 0) return",
    test: "test/layers/pbx/asterisk/guard/AddressGuard.test.ts",
    title: "is bounded, whoever sends"
  },
  {
    threat: "To call another workspace with the chat-app password of one number, or after that number has moved",
    file: "src/layers/pbx/asterisk/calls/Incoming.ts",
    guard: 'if (!isSameNumber(channel.dialplan?.exten ?? "", to)) return undefined',
    without: "",
    test: "test/layers/pbx/asterisk/calls/IncomingChatApp.test.ts",
    title: "reaches nobody %s"
  },
  {
    threat:
      "To have a caller attest its own number: in a name, an escaped number, a second header, or over a carrier that is not trusted with it",
    file: "src/layers/pbx/asterisk/calls/CallerAttestation.ts",
    guard: "if (!(yield* isTrusted(invite))) return undefined",
    without: "",
    test: "test/layers/pbx/asterisk/calls/Incoming.test.ts",
    title: "has its attestation %s"
  },
  {
    threat: "To be the provider of the chat app with another certificate",
    file: "src/layers/pbx/asterisk/registry/ChatAppTrunks.ts",
    guard: 'if (!isOn(transport, "verify_server"))',
    without: 'if (transport.get("") === "")',
    test: "test/layers/pbx/asterisk/registry/ChatAppTrunks.test.ts",
    title: "is refused by an Asterisk with %s"
  },
  {
    threat: "To have the chat app's provider blocked, by refused calls of others whom it serves",
    file: "src/layers/pbx/asterisk/guard/AddressGuard.ts",
    guard: "if (!forgeable && now < (this.providers.get(network) ?? -Infinity) + known_ms) return undefined",
    without: "",
    test: "test/layers/pbx/asterisk/guard/AddressGuard.test.ts",
    title: "is not blocked over TLS for a day after a chat app's provider has authenticated there"
  },
  {
    threat: "To use an expired or revoked key",
    file: "src/http/middleware/AuthenticationLive.ts",
    guard: "if (denyList.isRevoked(claims.jti)) return yield* new ApiKeyRevoked()",
    without: "",
    test: "test/http/middleware/Authentication.test.ts",
    title: "an expired key and a revoked key are refused with their own codes"
  },
  {
    threat: "To have the engine check the signatures of endless wrong keys and tokens",
    file: "src/http/middleware/AuthenticationLive.ts",
    guard: "if (keyring.knows(token)) return keyring.verify(token)",
    without: "if (keyring.knows(token) || token !== undefined) return keyring.verify(token)",
    test: "test/http/middleware/Authentication.test.ts",
    title: "has no more of them verified if all of them come at once"
  },
  {
    threat: "To have the database asked for endless wrong session cookies",
    file: "src/http/request/FindSession.ts",
    guard: "known ? found : counted",
    without: "known || counted !== undefined ? found : counted",
    test: "test/http/middleware/Sessions.test.ts",
    title: "has no more of them looked up, on any route, while sessions that are known go on"
  },
  {
    threat: "To keep the calls of others waiting by voice callbacks that hang",
    file: "src/layers/http-client/HttpVoiceCallback.ts",
    guard: "makeFairShares(limits)",
    without: "makeFairShares({ ...limits, each: limits.total })",
    test: "test/layers/http-client/HttpVoiceCallback.test.ts",
    title: "of a workspace whose callbacks hang wait for each other, and hold up nobody else"
  },
  {
    threat: "To hold up the recordings of others by many recordings",
    file: "src/layers/pbx/asterisk/media/Recorders.ts",
    guard: "total: 4, each: 2,",
    without: "total: 4, each: 4,",
    test: "test/layers/pbx/asterisk/media/Recorders.test.ts",
    title: "of a tenant whose downloads hang leave half of the places to others, and are moved at last"
  },
  {
    threat: "To hold up the recordings of others by many recordings",
    file: "src/actors/recordings/PerformRecording.ts",
    guard: "total: 16, each: 8,",
    without: "total: 16, each: 16,",
    test: "test/scenarios/Recordings.test.ts",
    title: "is stored while at most eight of its workspace are, so that half of the places are left to others"
  },
  {
    threat: "To register for longer than the token lasts",
    file: "src/domain/webrtc/GateRegistration.ts",
    guard: "Math.min(registration.lifetime_seconds, remaining_seconds(state, now))",
    without: "registration.lifetime_seconds + 0 * remaining_seconds(state, now)",
    test: "test/domain/webrtc/GateAttacks.test.ts",
    title: "lasts no longer than its token, however it says so"
  },
  {
    threat: "To hide a second message in a frame",
    file: "src/domain/webrtc/SipMessage.ts",
    guard: "if (length !== undefined && length !== bytes)",
    without: "if (length !== undefined && length < bytes)",
    test: "test/domain/webrtc/GateAttacks.test.ts",
    title: "is refused if the length is larger than the body"
  },
  {
    threat: "To use a request within a dialog that does not exist",
    file: "src/domain/webrtc/GateState.ts",
    guard: "  dialog.call_id === call_id && dialog.local_tag === local.tag && dialog.remote_tag === remote.tag",
    without: "  dialog.call_id === call_id || dialog.local_tag === local.tag || dialog.remote_tag === remote.tag",
    test: "test/domain/webrtc/GateAttacks.test.ts",
    title: "is unknown with another Call-ID, another tag, or no tag"
  },
  {
    threat: "To see another workspace's calls",
    file: "src/http/stream/FollowedCall.ts",
    guard: "if (this.known === null) return toldNothing",
    without: "if (this.known === null) return Effect.succeed(this.text.unseen(notices))",
    test: "test/http/stream/CallStream.test.ts",
    title: "never reveals a call of another workspace"
  },
  {
    threat: "To follow events that the key may not read",
    file: "src/domain/webhooks/ReadableEvents.ts",
    guard: "Result.isSuccess(judgeFollowing(principal, kind))",
    without: "Result.isSuccess(judgeFollowing(principal, kind)) || true",
    test: "test/http/stream/WorkspaceStream.test.ts",
    title: "tells a key nothing of what it may not read"
  },
  {
    threat: "To call many numbers of a new country at once",
    file: "src/domain/wallet/NewDestinations.ts",
    guard: "if (!isNew(known, now) || known.calls + countOf(abroad, country) <= max) continue",
    without: "if (!isNew(known, now) || known.calls >= 0) continue",
    test: "test/scenarios/FraudLimits.test.ts",
    title: "refuses further calls for an hour, and never calls at home"
  },
  {
    threat: "To forward inbound calls to a new country",
    file: "src/domain/wallet/NewDestinations.ts",
    guard: "(perCountry === null ? undefined : checkCountries(known, abroad, perCountry, now)) ??",
    without:
      "(perCountry === null || abroad.length > 0 ? undefined : checkCountries(known, abroad, perCountry, now)) ??",
    test: "test/scenarios/FraudLimits.test.ts",
    title: "applies to an inbound call that is forwarded"
  },
  {
    threat: "To make so many alerts that nobody reads them",
    file: "src/domain/wallet/SecurityAlerts.ts",
    guard: "!isOver(alerted[kind] ?? -Infinity, hour_ms, now)",
    without: "!isOver(alerted[kind] ?? -Infinity, 0, now)",
    test: "test/scenarios/SecurityAlerts.test.ts",
    title: "is warned once of many refused calls, and the audit log says so"
  },
  {
    threat: "To call premium and satellite numbers",
    file: "src/domain/calls/policy/Authorisation.ts",
    guard: 'if (!allow_high_risk && high_risk) return "high_risk_blocked"',
    without: 'if (!allow_high_risk && high_risk && false) return "high_risk_blocked"',
    test: "test/scenarios/FraudLimits.test.ts",
    title: "are refused by default"
  },
  {
    threat: "To hold many high-risk calls at once",
    file: "src/domain/wallet/DialLimiter.ts",
    guard: "taken.high_risk + high_risk <= max) return undefined",
    without: "taken.high_risk + high_risk >= max) return undefined",
    test: "test/scenarios/FraudLimits.test.ts",
    title: "are limited in number, and free again once a call ends"
  },
  {
    threat: "To spend more in a day than the operator allows",
    file: "src/domain/calls/policy/SpendCeiling.ts",
    guard: "(asked_minor === null || asked_minor > ceiling_minor)",
    without: "asked_minor === null",
    test: "test/domain/workspace/DecideWorkspace.test.ts",
    title: "decides whether the daily spend may be %s of the operator"
  },
  {
    threat: "To call another tenant's provider by a name of one's own for it",
    file: "src/actors/pbx/SipTargets.ts",
    guard: "others: isSandbox(workspace_id) ? [] : places.othersNear(workspace_id, target),",
    without: "others: [],",
    test: "test/layers/postgres/reads/TrunkReads.db.test.ts",
    title: "are hosts of others for other workspaces, by name and by address, while the trunk serves"
  },
  {
    threat: "To take all turns of the PBX's audio tools",
    file: "src/layers/pbx/asterisk/sounds/FairTurns.ts",
    guard: "this.count.running < all && (this.running.get(owner) ?? 0) < workspace",
    without: "this.count.running < all && (this.running.get(owner) ?? 0) < workspace * all",
    test: "test/layers/pbx/asterisk/sounds/FairTurns.test.ts",
    title: "leave a place for another workspace, however many one has"
  },
  {
    threat: "To call somebody for a call that is over, as a gateway that ignores `not_after`",
    file: "src/domain/calls/decide/DecidePbxEvent.ts",
    guard: 'type === "session.created" && reception === null && at >= ringsUntil(facts)',
    without: 'type === "session.created" && reception === null && at >= ringsUntil(facts) * 2',
    test: "test/domain/calls/decide/DecidePbxEvent.test.ts",
    title: "is hung up and never charged, even if it is answered: a call %s"
  },
  {
    threat: "To open a sealed secret of another workspace",
    file: "src/layers/keyring/AesVault.ts",
    guard: "decipher.setAAD(Buffer.from(bound)).setAuthTag(bytes.subarray(-tag_bytes))",
    without:
      "decipher.setAAD(Buffer.from(bound)); return decipher.update(bytes.subarray(iv_bytes, -tag_bytes)).toString()",
    test: "test/layers/keyring/AesVault.test.ts",
    title: "opens what it sealed only for the same owner"
  },
  {
    threat: "To start in production without secrets",
    file: "src/app/Settings.ts",
    guard: '...missing(read, "ENVIRONMENT=production", ["database_url", "pbx_ingest_secret", "master_key"]),',
    without: "",
    test: "test/app/Settings.test.ts",
    title: "requires the database and all secrets in production, and refuses private targets there"
  },
  {
    threat: "To ship a package with a known serious fault",
    file: "scripts/security/Scan.ts",
    guard: 'severity === "high" || severity === "critical"',
    without: 'severity === "critical"',
    test: "test/scripts/SecurityScan.test.ts",
    title: "fails the check for high and critical advisories only"
  },
  {
    threat:
      "To be called at the carrier, a private host or another phone, by a second contact, `maddr`, a route, or a contact that ends",
    file: "src/domain/credentials/DeviceContact.ts",
    guard: 'if (address.transport !== "udp") return is_own_connection ? "called" : "refused"',
    without: 'if (address.transport !== "udp") return "called"',
    test: "test/layers/pbx/asterisk/registry/Registry.test.ts",
    title: "removes the contact %s, and never calls it"
  },
  {
    threat: "To charge the saved card without a limit, with a stolen key",
    file: "src/domain/wallet/DecideAutoTopUp.ts",
    guard: "if (isRaisedByKey(wallet, origin, settings.monthly_ceiling_minor))",
    without: "if (isRaisedByKey(wallet, origin, 0))",
    test: "test/domain/wallet/AutoTopUpCeiling.test.ts",
    title: "stays lowered for a key that lowered it"
  },
  {
    threat: "To turn a stolen card into premium calls before its owner disputes the payment",
    file: "src/domain/wallet/DecideWallet.ts",
    guard: "high_risk ? availableForHighRisk_minor(wallet, at) : available_minor(wallet)",
    without: "available_minor(wallet)",
    test: "test/domain/wallet/FreshCardMoney.test.ts",
    title: "do not go on with fresh card money once they have begun"
  },
  {
    threat: "To make the journal fall behind, so that all are refused",
    file: "src/domain/journal/Shedding.ts",
    guard: "return shedOf(counts ? level : levelOfOthers(all), sandbox)",
    without: "return shedOf(level, sandbox)",
    test: "test/http/request/Overload.test.ts",
    title: "refuses the workspace that causes it, and nobody else"
  },
  {
    threat: "To top up with Stripe's test cards in production",
    file: "src/layers/card/stripe/StripeClient.ts",
    guard: "!live_only || livemode === true",
    without: "!live_only || livemode !== undefined",
    test: "test/layers/card/stripe/LiveMode.test.ts",
    title: "credits no payment, although the page is shown as paid"
  },
  {
    threat: "To open a stream to an application with the signature of another stream, or an old one",
    file: "src/layers/http-client/SignedStreamHeaders.ts",
    guard: "[stream.url, stream.call_id, stream.stream_id]",
    without: "[stream.url]",
    test: "test/layers/http-client/SignedStreamHeaders.test.ts",
    title: "have a signature over the URL, the call, the stream and the present time"
  },
  {
    threat: "To take the carrier's or another tenant's incoming calls by the ranges of a trunk",
    file: "src/domain/targets/HostCheck.ts",
    guard: "meets(range, allowed) || ((is_known_by_address || allowed.length === 0) && meets(range, hosts))",
    without: "is_known_by_address && allowed.length === 0 && meets(range, hosts)",
    test: "test/domain/targets/HostCheck.test.ts",
    title: "meets no other trunk's, whatever its mode: the PBX tells calls apart by their addresses"
  },
  {
    threat: "To make the PBX register again and again by short registrations, 494 or 423",
    file: "src/domain/trunks/RegistrationRate.ts",
    guard: "surplus > surplusMax || hasty >= hastyMax",
    without: "surplus > surplusMax",
    test: "test/domain/trunks/RegistrationRate.test.ts",
    title: "that %s is noticed"
  }
]
