// Encrypts secrets at rest with AES-256-GCM (NIST SP 800-38D). The sealed text starts with the key's id; the row it
// belongs to is bound as additional data.
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createSecretKey,
  type KeyObject,
  randomBytes,
  randomInt
} from "node:crypto"
import { Layer } from "effect"
import { Vault } from "../../domain/ports/engine/Vault.ts"

const algorithm = "aes-256-gcm"
const iv_bytes = 12
const tag_bytes = 16
const alphanumeric = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

/** The id of a master key. Every text that it sealed starts with it. */
export const vaultKeyId = (master: Uint8Array): string =>
  createHash("sha256").update("vault:").update(master).digest("hex").slice(0, 8)

/**
 * `masters`: keys of 32 bytes. The first seals, all of them open, so that the master key can be replaced while texts
 * that the old key sealed remain.
 */
export const makeVault = (masters: readonly [Uint8Array, ...ReadonlyArray<Uint8Array>]): Vault["Service"] => {
  const keys = new Map<string, KeyObject>(masters.map((master) => [vaultKeyId(master), createSecretKey(master)]))
  const current = vaultKeyId(masters[0])
  const sealing = createSecretKey(masters[0])
  return {
    newSecret: () => `whsec_${randomBytes(32).toString("base64")}`,
    newPassword: () => Array.from({ length: 24 }, () => alphanumeric[randomInt(alphanumeric.length)]).join(""),
    seal: (text, bound) => {
      const iv = randomBytes(iv_bytes)
      const cipher = createCipheriv(algorithm, sealing, iv).setAAD(Buffer.from(bound))
      const bytes = Buffer.concat([iv, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()])
      return `${current}.${bytes.toString("base64url")}`
    },
    open: (sealed, bound) => {
      const [id = "", text = ""] = sealed.split(".")
      const key = keys.get(id)
      const bytes = Buffer.from(text, "base64url")
      if (key === undefined || bytes.length < iv_bytes + tag_bytes) return undefined
      const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, iv_bytes), { authTagLength: tag_bytes })
      decipher.setAAD(Buffer.from(bound)).setAuthTag(bytes.subarray(-tag_bytes))
      try {
        return decipher.update(bytes.subarray(iv_bytes, -tag_bytes), undefined, "utf8") + decipher.final("utf8")
      } catch {
        return undefined
      }
    }
  }
}

export const AesVault = (...masters: readonly [Uint8Array, ...ReadonlyArray<Uint8Array>]): Layer.Layer<Vault> =>
  Layer.succeed(Vault)(makeVault(masters))
