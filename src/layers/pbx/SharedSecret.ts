// The secrets of PBX gateways: bearer tokens, and keys of the signatures of request bodies.
import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from "node:crypto"
import { Layer, Redacted } from "effect"
import type { GatewayIdentity } from "../../domain/pbx/GatewayIdentity.ts"
import { sandboxGatewayId } from "../../domain/kit/Sandbox.ts"
import { type PbxBearer, PbxAuth } from "../../domain/ports/pbx/PbxAuth.ts"

const tolerance_s = 300
const bearerPattern = /^Bearer +(\S{1,512})$/i
const signaturePattern = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/

const signedWith =
  (key: KeyObject, required: boolean): PbxBearer["signed"] =>
  (signature, body, now) => {
    if (signature === undefined) return !required
    const [, t, hex] = signaturePattern.exec(signature) ?? []
    if (hex === undefined || Math.abs(now / 1000 - Number(t)) > tolerance_s) return false
    const mac = createHmac("sha256", key).update(body).update(`.${t}`).digest()
    return timingSafeEqual(mac, Buffer.from(hex, "hex"))
  }

export const layer = (options: {
  /** The shared secret, for all gateways without a secret of their own. */
  readonly secret: Redacted.Redacted<string>
  /** Secrets by gateway id. */
  readonly gateways?: ReadonlyMap<string, Redacted.Redacted<string>>
  readonly signature_required: boolean
}): Layer.Layer<PbxAuth> => {
  const { secret, signature_required } = options
  // The simulated network runs within the engine: no gateway outside may carry its calls.
  const gateways = new Map(options.gateways)
  gateways.delete(sandboxGatewayId)
  const keyOf = (text: Redacted.Redacted<string>) => createSecretKey(Buffer.from(Redacted.value(text), "utf8"))
  const common = keyOf(secret)
  // Compares digests, not texts, so that timing reveals neither content nor length.
  const digest = (text: string) => createHmac("sha256", common).update(text).digest()
  const known = (identity: GatewayIdentity, text: Redacted.Redacted<string>) => ({
    expected: digest(Redacted.value(text)),
    bearer: { identity, signed: signedWith(keyOf(text), signature_required) }
  })
  const all = [
    known({ except: new Set([...gateways.keys(), sandboxGatewayId]) }, secret),
    ...[...gateways].map(([gateway_id, text]) => known(gateway_id, text))
  ]
  return Layer.succeed(PbxAuth)({
    admit: (authorization) => {
      const [, borne] = bearerPattern.exec(authorization ?? "") ?? []
      if (borne === undefined) return undefined
      const given = digest(borne)
      // Compares all of them, so that timing does not reveal which one matches.
      return all.filter(({ expected }) => timingSafeEqual(expected, given)).at(-1)?.bearer
    }
  })
}
