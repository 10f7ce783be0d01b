// How the work of a number is done: its claim, its rental, what ends when it leaves a workspace, and what the webhooks must know of it.
import { Effect, Layer } from "effect"
import { systemOrigin } from "../../domain/access/Origin.ts"
import { Failure } from "../../domain/errors/Failure.ts"
import type { NumberCommand, NumberReply } from "../../domain/numbers/NumberCommand.ts"
import type { Leaving, NumberClaim, PhoneNumber } from "../../domain/numbers/PhoneNumber.ts"
import type { NumberWork, OwedTelling } from "../../domain/numbers/PlanNumber.ts"
import { Directory } from "../../domain/ports/Directory.ts"
import { Idempotency } from "../../domain/ports/Idempotency.ts"
import { Ids } from "../../domain/ports/Ids.ts"
import type { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import type { ReadFailed } from "../../domain/errors/ReadFailed.ts"
import { WalletReads } from "../../domain/ports/WalletReads.ts"
import { ChatAppActor } from "../chatapp/ChatAppActor.ts"
import { CredentialsActor } from "../credentials/CredentialsActor.ts"
import type { Debit } from "../../domain/wallet/WalletCommand.ts"
import { NumberActor } from "./NumberActor.ts"
import { retryWithBackoff } from "../shared/Retry.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"
import type { Perform, Self } from "../runtime/Definition.ts"
import { Wallets } from "../wallet/Wallets.ts"
import { Webhooks } from "../webhooks/Webhooks.ts"
import { WorkspaceCommands } from "../../domain/workspace/WorkspaceCommand.ts"

type Actor = Self<PhoneNumber, NumberCommand, NumberReply>

/** What was refused for good; anything else is tried again. */
const refusalOf = <A>(
  effect: Effect.Effect<A, Failure | NotCommitted>
): Effect.Effect<Failure | undefined, NotCommitted> =>
  Effect.matchEffect(effect, {
    onSuccess: () => Effect.undefined,
    onFailure: (error) => (error instanceof Failure ? Effect.succeed(error) : Effect.fail(error))
  })

const makePay = Effect.map(Wallets, (wallets) => {
  /** A month of the number. An amount of nothing is no movement. */
  const pay = (
    self: Actor,
    workspace_id: string,
    month: Pick<Debit, "entry_id" | "amount_minor" | "may_overdraw" | "origin">
  ) =>
    month.amount_minor === 0
      ? Effect.void
      : wallets.debit(workspace_id, {
          ...month,
          kind: "number_rental",
          reference_type: "number",
          reference_id: self.id,
          description: `A month of ${self.state().kept!.number}`
        })
  return pay
})

const makeRental = Effect.gen(function* () {
  const directory = yield* Directory
  const ids = yield* Ids
  const walletReads = yield* WalletReads
  const pay = yield* makePay

  /**
   * While the number is past due, money that is only set aside for calls counts too: it may be taken down to nothing, and
   * what those calls then cost may leave less than that.
   */
  const payRental = (self: Actor) =>
    Effect.gen(function* () {
      const { workspace_id } = self.state().kept!
      const workspace = workspace_id === null ? undefined : yield* directory.workspace(workspace_id)
      // A closed workspace gives its numbers back. One that came to it at that very moment is found here, and not charged.
      if (workspace?.status === "closed")
        return yield* self.tell({ _tag: "Release", workspace_id: workspace.id, origin: systemOrigin })
      const named = yield* self.tell({ _tag: "NameCharge", entry_id: ids.uuid() })
      const kept = self.state().kept!
      if (named._tag !== "Charge" || kept.workspace_id === null) return
      const { entry_id } = named
      const amount_minor = kept.monthly_price_minor ?? 0
      const balance = kept.status === "active" ? undefined : yield* walletReads.balance(kept.workspace_id)
      const may_overdraw = balance !== undefined && balance.balance_minor >= amount_minor
      const refusal = yield* refusalOf(
        pay(self, kept.workspace_id, { entry_id, amount_minor, may_overdraw, origin: systemOrigin })
      )
      yield* self.tell({ _tag: refusal === undefined ? "Paid" : "Unpaid", entry_id })
    })
  return payRental
})

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const books = yield* WalletReads
    const idempotency = yield* Idempotency
    const system = yield* ActorSystem
    const webhooks = yield* Webhooks
    const pay = yield* makePay
    const payRental = yield* makeRental

    /** Each step can be done again: a workspace that has chosen grants the same, and an entry is in the books once. */
    const completeClaim = ({ entry_id, kept_under, origin, terms, workspace_id }: NumberClaim, self: Actor) =>
      Effect.gen(function* () {
        // What is paid for is had, also by a workspace that was closed since.
        const paid = (yield* books.entry(workspace_id, entry_id)) !== undefined
        const refusal = paid
          ? undefined
          : yield* refusalOf(
              Effect.andThen(
                system.ask(WorkspaceCommands.ChooseNumberMode, workspace_id, { mode: "platform" }),
                pay(self, workspace_id, {
                  entry_id,
                  amount_minor: terms.monthly_price_minor,
                  may_overdraw: false,
                  origin
                })
              )
            )
        if (refusal !== undefined) return yield* self.tell({ _tag: "ClaimRefused", entry_id, failure: refusal })
        // The key may have served another request meanwhile: its answer stays, and this claim ends all the same.
        const taken = kept_under !== null && (yield* idempotency.find(kept_under)) !== undefined
        return yield* self.tell({
          _tag: "ClaimPaid",
          entry_id,
          ...(kept_under !== null && !taken && { idempotency: kept_under })
        })
      })

    const tellEvents = ({ url, workspace_id }: OwedTelling, self: Actor) =>
      Effect.andThen(
        webhooks.setNumberEventsUrl(workspace_id, self.id, url),
        self.tell({ _tag: "EventsTold", told: url === null ? null : { workspace_id, url } })
      )

    const endCredentials = (left: Leaving, self: Actor) =>
      Effect.andThen(
        Effect.all([
          system.ask(CredentialsActor, left.workspace_id, {
            _tag: "RevokeNumber",
            number_id: self.id,
            left_at: left.at,
            origin: systemOrigin
          }),
          system.ask(ChatAppActor, self.id, { _tag: "Leave", workspace_id: left.workspace_id, left_at: left.at })
        ]),
        self.tell({ _tag: "CredentialsEnded", left })
      )

    const attempt = (work: NumberWork, self: Actor): Effect.Effect<unknown, Failure | NotCommitted | ReadFailed> => {
      switch (work._tag) {
        case "CompleteClaim":
          return completeClaim(work.claim, self)
        case "PayRental":
          return payRental(self)
        case "TellEvents":
          return tellEvents(work.owed, self)
        case "EndCredentials":
          return endCredentials(work.left, self)
      }
    }

    const perform: Perform<PhoneNumber, NumberCommand, NumberReply, NumberWork> = (work, self) =>
      Effect.asVoid(retryWithBackoff(attempt(work, self)))

    yield* system.register(NumberActor, perform)
  })
)
