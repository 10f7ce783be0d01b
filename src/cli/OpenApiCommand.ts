// `trunkline openapi`: the description of the API of this package, without an engine.
import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { existsSync } from "node:fs"
import { isDeepStrictEqual } from "node:util"
import { CommandFailure, FaultFound } from "./CommandFailure.ts"
import { Connection } from "./Connection.ts"
import { Output } from "./Output.ts"
import { writeText } from "./OutputFile.ts"

/** The documents are made by the engine, so its parts are loaded only here. */
const documentOf = (kind: "asyncapi" | "openapi") =>
  Effect.promise(async (): Promise<unknown> => (await import("../app/ApiDocuments.ts")).apiDocuments[kind]())

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The JSON pointers at which the documents differ: the deepest for objects, the whole for lists. */
export const differences = (one: unknown, other: unknown, at = ""): ReadonlyArray<string> => {
  if (isDeepStrictEqual(one, other)) return []
  if (!isObject(one) || !isObject(other)) return [at === "" ? "/" : at]
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])].sort()
  return names.flatMap((name) =>
    differences(one[name], other[name], `${at}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`)
  )
}

const fetched = (baseUrl: string, path: string) =>
  Effect.tryPromise({
    try: async (signal): Promise<unknown> => {
      const answer = await fetch(new URL(path, baseUrl), { signal })
      if (!answer.ok) throw new Error(`answered ${answer.status}`)
      return answer.json()
    },
    catch: () =>
      new CommandFailure({
        exit: "unavailable",
        message: `No document from ${baseUrl}${path}.`,
        help: "trunkline doctor"
      })
  }).pipe(
    Effect.timeoutOrElse({
      duration: "30 seconds",
      orElse: () => new CommandFailure({ exit: "unavailable", message: `${baseUrl} did not answer within 30 s.` })
    })
  )

const shown_max = 20

export const openapi = Command.make(
  "openapi",
  {
    asyncapi: Flag.Boolean("asyncapi").pipe(
      Flag.withDescription("What the engine sends as messages, instead of its requests"),
      Flag.withDefault(false)
    ),
    out: Flag.String("out").pipe(Flag.withDescription("Write a file instead of stdout"), Flag.optional),
    yes: Flag.Boolean("yes").pipe(Flag.withDescription("Replace the file"), Flag.withDefault(false)),
    diff: Flag.Boolean("diff").pipe(
      Flag.withDescription("Compare with the running engine, and say where they differ"),
      Flag.withDefault(false)
    )
  },
  ({ asyncapi, diff, out, yes }) =>
    Effect.gen(function* () {
      const { line, note } = yield* Output
      const document = yield* documentOf(asyncapi ? "asyncapi" : "openapi")
      if (diff) {
        const connection = yield* Connection
        const baseUrl = yield* Effect.try({ try: connection.baseUrl, catch: (error) => error as CommandFailure })
        const all = differences(document, yield* fetched(baseUrl, asyncapi ? "/asyncapi.json" : "/openapi.json"))
        if (all.length === 0) return note("✓ The engine has the document of this package")
        for (const pointer of all.slice(0, shown_max)) line(pointer)
        note(`✗ The engine differs from this package in ${all.length} places`)
        return yield* new FaultFound()
      }
      const text = JSON.stringify(document, undefined, 2)
      if (Option.isNone(out)) return line(text)
      if (existsSync(out.value) && !yes)
        return yield* new CommandFailure({ exit: "usage", message: `${out.value} exists; add --yes to replace it.` })
      yield* Effect.try({
        try: () => writeText(out.value, `${text}\n`),
        catch: (error) => error as CommandFailure
      })
      note(`✓ ${out.value}`)
    })
).pipe(Command.withDescription("Prints the OpenAPI document of this package"))
