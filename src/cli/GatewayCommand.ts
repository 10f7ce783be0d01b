// `trunkline gateway check`: judges a PBX gateway by the protocol (docs/pbx-protocol.md). It needs no engine: it
// listens as one.
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { CommandFailure, FaultFound } from "./CommandFailure.ts"
import { Output } from "./Output.ts"
import { neededSecret } from "./SecretFile.ts"

/** The address of `ws://HOST:PORT`. Throws CommandFailure. */
const addressOf = (text: string): { readonly host: string; readonly port: number } => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol !== "ws:" || url.port === "")
    throw new CommandFailure({
      exit: "usage",
      message: `${text} is no address to listen on.`,
      help: "trunkline gateway check ws://127.0.0.1:9090"
    })
  return { host: url.hostname.replaceAll(/[[\]]/g, ""), port: Number(url.port) }
}

/** Known to everybody: it protects nothing but a check. */
const checkSecret = "gateway-check-secret"

const text = (name: string, fallback: string, description: string) =>
  Flag.String(name).pipe(Flag.withDescription(`${description}; default ${fallback}`), Flag.withDefault(fallback))

const check = Command.make(
  "check",
  {
    address: Argument.String("address").pipe(Argument.withDescription("Where to listen: ws://HOST:PORT")),
    secretFile: Flag.String("secret-file").pipe(
      Flag.withDescription("A file with the ingest secret that the gateway must send"),
      Flag.optional
    ),
    secret: text("secret", checkSecret, "The secret itself, if it protects nothing but this check"),
    tenant: text("tenant", "gateway-check", "The tenant_pbx_id of all commands"),
    answers: text("answers", "+99900000001", "A phone that rings and answers within 5 s"),
    busy: text("busy", "+99900000002", "A phone that is busy"),
    silent: text("silent", "+99900000003", "A phone that rings for ever"),
    from: text("from", "+99900000000", "The number that calls show"),
    noRecording: Flag.Boolean("no-recording").pipe(
      Flag.withDescription("Leave out the check of recordings"),
      Flag.withDefault(false)
    ),
    quick: Flag.Boolean("quick").pipe(
      Flag.withDescription("Leave out the check that takes more than a minute: heartbeats"),
      Flag.withDefault(false)
    )
  },
  ({ address, answers, busy, from, noRecording, quick, secret, secretFile, silent, tenant }) =>
    Effect.gen(function* () {
      const { json, line, note } = yield* Output
      const { secretText, where } = yield* Effect.try({
        try: () => ({
          where: addressOf(address),
          secretText: Option.match(secretFile, { onNone: () => secret, onSome: neededSecret })
        }),
        catch: (error) => error as CommandFailure
      })
      // Loaded only here, because it is a part of the engine.
      const { gatewayCheck } = yield* Effect.promise(() => import("../app/gateway-check/GatewayCheck.ts"))
      const run = yield* Effect.acquireRelease(
        Effect.tryPromise({
          try: () => gatewayCheck({ ...where, secret: secretText, tenant_pbx_id: tenant }),
          catch: (error) =>
            new CommandFailure({
              exit: "unavailable",
              message: `Cannot listen on ${address}: ${(error as Error).message}`
            })
        }),
        ({ close }) => Effect.sync(close)
      )
      note(`Waiting for a gateway at ${run.url}${secretText === checkSecret ? `, with the secret ${checkSecret}` : ""}`)
      const began = performance.now()
      const verdicts = yield* Effect.promise(() =>
        run.judge(
          { phones: { answers, busy, silent, from }, slow: !quick, recording: !noRecording },
          ({ fault, name }) => {
            if (json) line(JSON.stringify({ name, ok: fault === undefined, fault: fault ?? null }))
            else line(fault === undefined ? `✓ ${name}` : `✗ ${name}: ${fault}`)
          }
        )
      )
      if (!run.hasConnected())
        return yield* new CommandFailure({
          exit: run.wasRefused() ? "denied" : "unavailable",
          message: run.wasRefused()
            ? "A gateway connected with another secret and got 401."
            : `No gateway connected to ${run.url} within 60 s.`
        })
      const failed = verdicts.filter(({ fault }) => fault !== undefined).length
      const seconds = Math.round((performance.now() - began) / 1_000)
      if (!json) line(`${verdicts.length - failed} passed, ${failed} failed in ${seconds} s; see docs/pbx-protocol.md`)
      if (failed > 0) return yield* new FaultFound()
    }).pipe(Effect.scoped)
).pipe(Command.withDescription("Listen as an engine does, and judge the gateway that connects"))

export const gateway = Command.make("gateway").pipe(
  Command.withDescription("PBX gateways"),
  Command.withSubcommands([check])
)
