// Why a command fails: what is wrong, the command that helps, and the exit code.
import { Data, Runtime } from "effect"
import { ApiError, AuthenticationError, ConnectionError, PermissionError } from "../client/Client.ts"

/** The exit codes of the command (docs/command.md). 130 is Ctrl-C, 70 a defect. */
export const exitCodes = { fault: 1, usage: 2, unavailable: 3, refused: 4, denied: 5 } as const
type Exit = keyof typeof exitCodes

export class CommandFailure extends Data.TaggedError("CommandFailure")<{
  readonly exit: Exit
  readonly message: string
  /** The command that helps. */
  readonly help?: string | undefined
  /** What `--json` prints. */
  readonly body?: object
}> {
  override readonly [Runtime.errorExitCode] = exitCodes[this.exit]
}

/** Ctrl-C at a question. */
export class Interrupted extends Data.TaggedError("Interrupted") {}

/** Says that the command did its work, and found a fault. Everything is printed already. */
export class FaultFound extends Data.TaggedError("FaultFound") {
  override readonly [Runtime.errorExitCode] = exitCodes.fault
  override readonly message = "A fault was found."
}

const bodyOf = (error: ApiError): object => ({
  error: {
    code: error.code,
    message: error.message,
    request_id: error.requestId,
    doc_url: error.docUrl,
    details: error.details
  }
})

const helpFor = (error: ApiError): string | undefined =>
  error.code === "wallet.insufficient_funds"
    ? "trunkline wallet topup 100 --phone NUMBER, or --card"
    : error.suggestedE164 !== undefined
      ? `trunkline call ${error.suggestedE164}`
      : error.resolution

/** What a command makes of an error of the client. */
export const failureOf = (cause: unknown): CommandFailure => {
  if (cause instanceof CommandFailure) return cause
  if (cause instanceof ApiError) {
    const exit =
      cause instanceof AuthenticationError || cause instanceof PermissionError
        ? "denied"
        : cause.status >= 500
          ? "unavailable"
          : "refused"
    const [detail] = cause.details
    const message = detail === undefined ? cause.message : `${cause.message} ${detail.field}: ${detail.message}`
    return new CommandFailure({ exit, message, help: helpFor(cause), body: bodyOf(cause) })
  }
  if (cause instanceof ConnectionError)
    return new CommandFailure({ exit: "unavailable", message: cause.message, help: "trunkline doctor" })
  throw cause
}
