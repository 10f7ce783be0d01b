#!/usr/bin/env node
// The command `trunkline` (docs/command.md). It talks to an engine over HTTP. Only `db` and `openapi` load parts of the
// engine, when they run.
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Exit } from "effect"
import { run } from "./Program.ts"

// `trunkline calls | head` closes the pipe, which is no fault.
process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1))

NodeRuntime.runMain(run(process.argv.slice(2)), {
  disableErrorReporting: true,
  // Ctrl-C interrupts the program.
  teardown: (exit, onExit) => onExit(Exit.isSuccess(exit) ? Number(exit.value) : 130)
})
