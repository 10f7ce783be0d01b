// Defects that tests plant in a simulated cluster, to see that its judges find them.
import { Effect, Layer } from "effect"
import { ActorSystem, type Ask, type AskTied } from "../../src/actors/runtime/ActorSystem.ts"
import type { Erased, ErasedPerform } from "../../src/actors/runtime/Erased.ts"
import { systemOrigin } from "../../src/domain/access/Origin.ts"
import type { Call } from "../../src/domain/calls/state/Call.ts"
import type { FinishedAttempt } from "../../src/domain/webhooks/DeliveryRecord.ts"
import { NotCommitted } from "../../src/domain/errors/NotCommitted.ts"
import { WalletInsufficientFunds } from "../../src/domain/errors/WalletErrors.ts"
import { toNumberId } from "../../src/domain/BrandedIds.ts"
import { NumberCommands } from "../../src/domain/numbers/NumberCommand.ts"
import { Journal } from "../../src/domain/ports/engine/Journal.ts"
import { WalletCommands } from "../../src/domain/wallet/WalletCommand.ts"
import { workspace_id } from "./Customer.ts"
import type { MakeSystem } from "./Engines.ts"
import { layer as leaseSystem, type Place } from "./LeaseSystem.ts"
import type { SimulateOptions } from "./Simulate.ts"
import type { World } from "./World.ts"

type Answer = Effect.Effect<unknown, unknown>
type Message = Readonly<Record<string, unknown>> & { readonly _tag: string }

/** A command on its way to an actor. */
interface Sent {
  readonly tag: string
  readonly id: string
  readonly payload: Readonly<Record<string, unknown>>
  readonly send: (payload?: Sent["payload"]) => Answer
  readonly system: ActorSystem["Service"]
}

interface Changes {
  readonly ask?: (sent: Sent) => Answer
  /** Changes the commands that the actors of a kind decide. */
  readonly decide?: { readonly [type: string]: (command: Message) => Message }
  /** Changes the state that the actors of a kind decide on. */
  readonly state?: { readonly [type: string]: (state: unknown, command: Message) => unknown }
  /** Replaces the work of the actors of a kind. */
  readonly perform?: { readonly [type: string]: (perform: ErasedPerform, place: Place) => ErasedPerform }
}

const changed =
  ({ ask: changedAsk, decide = {}, perform = {}, state: states = {} }: Changes): MakeSystem =>
  (place, node) =>
    Layer.effect(
      ActorSystem,
      Effect.map(ActorSystem, (system) => {
        const ask = (to: { readonly tag?: string }, id: string, payload: Sent["payload"]): Answer => {
          const send = (given = payload) => system.ask(to as never, id as never, given as never) as Answer
          const { tag } = to
          return tag === undefined || changedAsk === undefined ? send() : changedAsk({ tag, id, payload, send, system })
        }
        const register = (definition: Erased, work: ErasedPerform) => {
          const { [definition.type]: change = (command: Message) => command } = decide
          const { [definition.type]: replace = (same: ErasedPerform) => same } = perform
          const { [definition.type]: believe = (same: unknown) => same } = states
          const planted: Erased = {
            ...definition,
            decide: (state, command, now) =>
              definition.decide(believe(state, command as Message), change(command as Message), now)
          }
          return system.register(planted as never, replace(work, place) as never)
        }
        // What a plant changes about a question can only be changed if the question is asked by itself.
        const inSteps: AskTied = ({ command, id, payload }) =>
          Effect.map(ask(command, id, payload), (first) => ({ first })) as never
        return ActorSystem.of({
          ...system,
          ask: ask as unknown as Ask,
          askTied: changedAsk === undefined ? system.askTied : inSteps,
          register: register as typeof system.register
        })
      })
    ).pipe(Layer.provide(leaseSystem(place, node)))

/** The journal does not look at what these constraints protect. */
export const unprotected =
  (...names: ReadonlyArray<string>) =>
  ({ database: { rows } }: World): void => {
    for (const name of names)
      if (!rows.constraints.delete(name)) throw new Error(`The journal has no constraint "${name}"`)
  }

let entries = 0
/** The id of an entry that does not follow from what the entry is for. */
const freshEntryId = (): string => `00000000-0000-4000-a000-${(++entries).toString(16).padStart(12, "0")}`

const isDuplicate = (error: unknown) => error instanceof NotCommitted && error.reason === "duplicate"

const releaseRepeated = changed({
  ask: ({ id, send, system, tag }) => {
    const release = Effect.ignore(system.ask(WalletCommands.ReleaseHold, workspace_id, { hold_id: id }))
    return tag === "Originate"
      ? Effect.tapError(send(), (error) => (isDuplicate(error) ? release : Effect.void))
      : send()
  }
})

const freshCredits = changed({
  decide: {
    Wallet: (command) =>
      command._tag === "Credit" && command["kind"] === "topup" ? { ...command, entry_id: freshEntryId() } : command
  }
})

const freshRents = changed({
  decide: {
    Wallet: (command) =>
      command._tag === "Debit" && command["kind"] === "number_rental"
        ? { ...command, entry_id: freshEntryId() }
        : command
  }
})

/** A claim is given up as soon as its payment fails, which an earlier question or a late write may have made. */
const giveUpAtOnce = changed({
  ask: ({ payload, send, system, tag }) => {
    const number_id = toNumberId(String(payload["reference_id"]))
    const refused = { entry_id: String(payload["entry_id"]), failure: new WalletInsufficientFunds() }
    const giveUp = Effect.ignore(system.ask(NumberCommands.ClaimRefused, number_id, refused))
    return tag === "Debit" && payload["kind"] === "number_rental" ? Effect.tapError(send(), () => giveUp) : send()
  }
})

/** A number that is being claimed may be claimed again. */
const claimTwice = changed({
  state: {
    Number: (state, command) => {
      const { data, ...number } = state as { readonly data?: object }
      return command._tag === "Claim" ? { ...number, data: { ...data, status: "available", claim: null } } : state
    }
  }
})

const chargeAgain = changed({
  ask: ({ id, payload, send, system, tag }) => {
    if (tag !== "CaptureHold") return send()
    const debit = system.ask(WalletCommands.Debit, workspace_id, {
      entry_id: freshEntryId(),
      kind: "call_charge" as "manual_debit",
      amount_minor: Number(payload["amount_minor"]),
      may_overdraw: true,
      reference_type: "call",
      reference_id: String(payload["hold_id"]),
      description: "",
      origin: systemOrigin
    })
    return Effect.tap(send(), (captured) =>
      captured === null && id === workspace_id ? Effect.ignore(debit) : Effect.void
    )
  }
})

/** The audit of a wallet takes a call that rings for one that does not exist. */
const releaseRinging = changed({
  perform: {
    Wallet:
      (perform, { database }) =>
      (work, self) => {
        if ((work as Message)._tag !== "AuditHolds") return perform(work, self)
        const { holds } = database.tables
        const ringing = [...holds.values()].filter(({ call_id, status }) => {
          const call = database.tables.snapshot("Call", call_id)
          return status === "open" && call?.columns["status"] === "ringing"
        })
        const orphaned_hold_ids = ringing.map(({ id }) => id)
        const audited = { _tag: "Audited", orphaned_hold_ids, unused_hold_ids: [], placed_before: Infinity }
        return Effect.ignore(self.tell(audited))
      }
  }
})

/** A call that waits for the report of its hang-up, and gets none, is charged up to the end that the engine decided. */
const chargeToTheEnd = changed({
  state: {
    Call: (state) => {
      const call = state as Call
      return call.phase === "settling"
        ? { ...call, pbx: { ...call.pbx, proof_at: Math.max(call.pbx.proof_at, call.ended_at) } }
        : call
    }
  }
})

const followClock = changed({
  decide: { Call: (command) => (command._tag === "ClockSet" ? { ...command, by_ms: 0 } : command) }
})

const believeSilence = changed({
  decide: {
    Subscription: (command) =>
      command._tag === "AttemptsFinished"
        ? {
            ...command,
            attempts: (command["attempts"] as ReadonlyArray<FinishedAttempt>).map((ended) => ({
              ...ended,
              outcome: { ...ended.outcome, http_status: 200, error: null }
            }))
          }
        : command
  }
})

/** Whoever waits for a commit is told when it is sent. */
const tellEarly = ({ database }: World): void => {
  const journal = database.journal.bind(database)
  database.journal = (process) =>
    Layer.effect(
      Journal,
      Effect.map(Journal, (written) =>
        Journal.of({
          ...written,
          append: (entry, done, span) => {
            written.append(entry, () => {}, span)
            done({ ok: true })
          },
          appendTied: (unit) => {
            written.appendTied(unit.map((append) => ({ ...append, done: () => {} })))
            for (const { done } of unit) done({ ok: true })
          }
        })
      )
    ).pipe(Layer.provide(journal(process)))
}

/** Only the first event of a batch is fanned out. */
const fanOutOnce = ({ database: { rows } }: World): void => {
  const write = rows.write.bind(rows)
  rows.write = (id, at, batch) => write(id, at, { ...batch, fan_out: batch.fan_out.slice(0, 1) })
}

/** By what goes wrong. */
export const plants: Readonly<Record<string, SimulateOptions>> = {
  "a repeated originate releases the hold of its own call": {
    makeSystem: releaseRepeated
  },
  "a payment is credited under a new id each time": { makeSystem: freshCredits },
  "a call is charged again when its charge is repeated": {
    makeSystem: chargeAgain,
    plant: unprotected("charges")
  },
  "the engine's own clock decides how long somebody talked": { makeSystem: chargeToTheEnd },
  "the audit releases the holds of calls that ring": { makeSystem: releaseRinging },
  "a call under way follows a clock that is set": { makeSystem: followClock },
  "a number is claimed twice": { makeSystem: claimTwice },
  "a claim of a number is given up although its month may be paid": { makeSystem: giveUpAtOnce },
  "a month of a number is debited under a new id each time": { makeSystem: freshRents },
  "an answer is given before its commit": { plant: tellEarly },
  "a webhook event is lost": { plant: fanOutOnce },
  "a webhook that nobody heard counts as delivered": { makeSystem: believeSilence },
  "a process writes over any version": { plant: unprotected("versions", "holds in use", "unused holds") },
  "an Idempotency-Key is taken twice": { plant: unprotected("keys") },
  "a lost batch counts as written": { plant: ({ database }) => void (database.rows.claim = () => "written") }
}
