import { Context } from "effect"

/**
 * Keeps secrets at rest. Synchronous: a seal costs microseconds.
 *
 * `bound` says what the secret belongs to (table, column, row, workspace); a seal opens only with the same, so that a
 * sealed text copied to another row is worthless.
 */
export class Vault extends Context.Service<
  Vault,
  {
    readonly seal: (text: string, bound: string) => string
    /** Undefined: sealed with a key that is not here, for something else, or damaged. */
    readonly open: (sealed: string, bound: string) => string | undefined
    /** A new signing secret: `whsec_` and 32 random bytes in base64. */
    readonly newSecret: () => string
    /** A new password for a device: 24 letters and digits, 142 bits. */
    readonly newPassword: () => string
  }
>()("trunkline/domain/ports/Vault") {}
