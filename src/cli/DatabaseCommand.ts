// `trunkline db check`: verifies the books of a database (docs/operations.md#verify-the-books).
import { Effect } from "effect"
import { Command } from "effect/cli"
import { CommandFailure, FaultFound } from "./CommandFailure.ts"
import { Output } from "./Output.ts"

interface Finding {
  readonly name: string
  readonly count: number
  readonly rows: ReadonlyArray<string>
}

const report = ({ count, name, rows }: Finding): string =>
  count === 0
    ? `ok      ${name}`
    : [
        `BROKEN  ${name} (${count})`,
        ...rows.map((row) => `        ${row}`),
        ...(count > rows.length ? [`        and ${count - rows.length} more`] : [])
      ].join("\n")

const check = Command.make("check", {}, () =>
  Effect.gen(function* () {
    const { json, line } = yield* Output
    const findings = yield* Effect.tryPromise({
      // Loaded only here, because it is a part of the engine.
      try: async (signal) => await (await import("../app/CheckDatabase.ts")).checkDatabase(signal),
      catch: (error) => {
        const { message } = error as Error
        return new CommandFailure({
          exit: "unavailable",
          message: `Cannot check: ${message}`,
          body: { error: { message } }
        })
      }
    })
    for (const finding of findings) line(json ? JSON.stringify(finding) : report(finding))
    if (findings.some(({ count }) => count > 0)) return yield* new FaultFound()
  })
).pipe(
  Command.withDescription(
    "Verifies money and calls in the database of DATABASE_URL or DATA_DIR. It reads one snapshot and writes nothing"
  )
)

export const db = Command.make("db").pipe(
  Command.withDescription("The database of the engine"),
  Command.withSubcommands([check])
)
