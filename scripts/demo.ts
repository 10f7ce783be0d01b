// `npm run demo`: a call to a simulated phone, live in the terminal. It uses the engine that runs on this data folder;
// if there is none, it starts one and stops it afterwards. Exit 0 only if every expected step was seen.
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Console, Effect } from "effect"
import { Settings } from "../src/app/Settings.ts"
import { findOrStart, needsSimulator } from "./demo/Engine.ts"
import { fact, heading, print } from "./demo/Screen.ts"
import { tell } from "./demo/Story.ts"

const program = Effect.gen(function* () {
  const { data_dir } = yield* Settings
  heading("trunkline demo")
  const { demo, started_here } = yield* findOrStart(data_dir)
  yield* needsSimulator(demo)
  fact("Engine", `${demo.base_url}, ${started_here ? "started for this demo" : "already running"}`)
  yield* tell(demo)
  if (started_here) print("  The engine has been stopped. `npm start` keeps one running.\n")
}).pipe(
  Effect.scoped,
  Effect.provide(Settings.layer),
  Effect.tapError((error) => Console.error(`\n  ${error.message}\n`))
)

NodeRuntime.runMain(program, { disableErrorReporting: true })
