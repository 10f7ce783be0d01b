import { Context } from "effect"

/**
 * Encrypts secrets for storage. Synchronous: each takes microseconds.
 * `bound` names the place of the secret (table, column, row, workspace). A sealed text opens only with the same
 * `bound`, so a copy in another row is worthless.
 */
export class Vault extends Context.Service<
  Vault,
  {
    readonly seal: (text: string, bound: string) => string
    /** The secret. Undefined if the key is not configured, `bound` differs, or the text is damaged. */
    readonly open: (sealed: string, bound: string) => string | undefined
    /** A new signing secret: `whsec_` and 32 random bytes in base64. */
    readonly newSecret: () => string
    /** A new password for a device: 24 letters and digits, 142 bits. */
    readonly newPassword: () => string
  }
>()("trunkline/domain/ports/Vault") {}
