// One secret for all gateways of an engine: it is borne in the Authorization header and signs bodies.
import { createHmac, createSecretKey, timingSafeEqual } from "node:crypto"
import { Layer, Redacted } from "effect"
import { PbxAuth } from "../../domain/ports/PbxAuth.ts"

const tolerance_s = 300
const bearerPattern = /^Bearer +(\S{1,512})$/i
const signaturePattern = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/

/** Digests are compared and not the texts, so that neither content nor length shows in the time taken. */
export const layer = (options: {
  readonly secret: Redacted.Redacted<string>
  readonly signature_required: boolean
}): Layer.Layer<PbxAuth> => {
  const key = createSecretKey(Buffer.from(Redacted.value(options.secret), "utf8"))
  const digest = (text: string) => createHmac("sha256", key).update(text).digest()
  const expected = digest(Redacted.value(options.secret))
  return Layer.succeed(PbxAuth)({
    bears: (authorization) => {
      const borne = authorization === undefined ? null : bearerPattern.exec(authorization)
      return borne !== null && timingSafeEqual(digest(borne[1]!), expected)
    },
    signed: (signature, body, now) => {
      if (signature === undefined) return !options.signature_required
      const match = signaturePattern.exec(signature)
      if (match === null || Math.abs(now / 1000 - Number(match[1])) > tolerance_s) return false
      const mac = createHmac("sha256", key).update(body).update(`.${match[1]}`).digest()
      return timingSafeEqual(mac, Buffer.from(match[2]!, "hex"))
    }
  })
}
