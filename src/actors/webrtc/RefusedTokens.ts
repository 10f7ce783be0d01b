// Counts wrong tokens at the WebRTC gate, logs the addresses that they come from, and alerts the workspace whose
// credential they name (docs/webrtc.md).
import { Clock, Effect, Metric, Option, Redacted, Schema } from "effect"
import { clientNetwork } from "../../domain/access/ClientAddress.ts"
import { CredentialId, WorkspaceId } from "../../domain/BrandedIds.ts"
import { CredentialsCommands } from "../../domain/credentials/CredentialCommand.ts"
import { type Attack, PasswordGuesses } from "../../domain/pbx/PasswordGuesses.ts"
import type { ActorSystem } from "../runtime/ActorSystem.ts"

const refusals = Metric.counter("trunkline_webrtc_tokens_refused_total", {
  description: "Wrong tokens at the WebRTC gate. Expired ones are not counted.",
  incremental: true
})

const Named = Schema.Struct({
  workspace_id: WorkspaceId.check(Schema.isUUID()),
  credential_id: CredentialId.check(Schema.isUUID())
})
type Named = typeof Named.Type
const namedIn = Schema.decodeUnknownOption(Schema.fromJsonString(Named))

/** The credential that a JWT names, whether or not its signature is right. */
const namedBy = (token: string): Named | undefined => {
  const [, payload = ""] = token.split(".", 2)
  return Option.getOrUndefined(namedIn(Buffer.from(payload, "base64url").toString("utf8")))
}

/** Returns what to do with a wrong token that came from an address. It never fails. */
export const makeRefusedTokens = Effect.fnUntraced(function* ({ ask }: ActorSystem["Service"]) {
  // Prometheus sees no increase in what begins with 1.
  yield* Metric.value(refusals)
  /** Wrong tokens by the credential that they name, and all of them by network. */
  const byCredential = new PasswordGuesses()
  const byNetwork = new PasswordGuesses()

  const report = ({ credential_id, workspace_id }: Named, { credential: _, ...attack }: Attack, at: number) =>
    ask(CredentialsCommands.ReportAttack, workspace_id, { id: credential_id, ...attack, at }).pipe(
      Effect.catchCause((cause) => Effect.logWarning("An alert of wrong SIP tokens could not be stored", cause))
    )

  return Effect.fnUntraced(function* (token: Redacted.Redacted, address: string) {
    const now = yield* Clock.currentTimeMillis
    yield* Metric.update(refusals, 1)
    const network = clientNetwork(address)
    for (const { attempts } of byNetwork.add({ credential: network, address }, now))
      yield* Effect.annotateLogs(Effect.logWarning("An address sends wrong SIP tokens"), { network, attempts })
    const named = namedBy(Redacted.value(token))
    if (named === undefined) return
    const credential = `${named.workspace_id} ${named.credential_id}`
    for (const attack of byCredential.add({ credential, address }, now)) {
      const [workspace_id, credential_id] = attack.credential.split(" ") as [WorkspaceId, CredentialId]
      yield* report({ workspace_id, credential_id }, attack, now)
    }
  })
})
