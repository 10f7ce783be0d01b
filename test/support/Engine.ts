// The whole engine, as `npm start` runs it, on the database and in the folder of a test.
import { ConfigProvider, Context, Effect, Layer, Logger, Redacted } from "effect"
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Engine } from "../../src/app/Engine.ts"
import type { Demo } from "../../src/layers/postgres/seed/SeedFile.ts"
import { Settings } from "../../src/app/Settings.ts"
import * as TestDatabase from "./TestDatabase.ts"

/** The seeded workspaces and their keys. */
export class DemoFile extends Context.Service<DemoFile, Demo>()("test/DemoFile") {}

export const folder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "trunkline-test-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true, maxRetries: 5 }))
)

const programIn = (data_dir: string, environment: Readonly<Record<string, string>>) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const { url } = yield* TestDatabase.TestDatabase
      const settings = Settings.layer.pipe(
        Layer.provide(
          ConfigProvider.layer(
            ConfigProvider.fromUnknown({
              DATABASE_URL: Redacted.value(url),
              DATA_DIR: data_dir,
              PORT: "0",
              // A busy machine makes waits look long. What is refused then has tests of its own.
              MAX_EVENT_LOOP_DELAY_MS: "10000",
              MAX_REQUESTS: "10000",
              ...environment
            })
          )
        )
      )
      return Layer.provideMerge(Engine, settings)
    })
  )

/** On the test's database, in a folder that another engine may have used before. */
export const engineIn = (data_dir: string, environment: Readonly<Record<string, string>>) =>
  Layer.provideMerge(
    Layer.effect(
      DemoFile,
      Effect.promise(async () => JSON.parse(await readFile(join(data_dir, "demo.json"), "utf8")) as Demo)
    ),
    programIn(data_dir, environment)
  )

/** With further environment variables. It logs nothing unless a logger is given. */
export const layerWith = (environment: Readonly<Record<string, string>>, logs: Layer.Layer<never> = Logger.layer([])) =>
  Layer.unwrap(Effect.map(folder, (data_dir) => engineIn(data_dir, environment))).pipe(
    Layer.provideMerge(Layer.fresh(TestDatabase.layer)),
    Layer.provide(logs)
  )

export const layer = layerWith({})

/** In production, with what a start there requires, and no demo. It sends its mail to this port. */
export const productionWith = (mail_port: number) =>
  Layer.unwrap(
    Effect.map(folder, (data_dir) =>
      programIn(data_dir, {
        ENVIRONMENT: "production",
        MASTER_KEY: Buffer.alloc(32, 7).toString("base64"),
        PBX_INGEST_SECRET: "0123456789abcdef",
        BASE_URL: "https://api.example.com",
        MAIL_URL: `smtp://127.0.0.1:${mail_port}`,
        RATE_LIMITS: "off"
      })
    )
  ).pipe(Layer.provideMerge(Layer.fresh(TestDatabase.layer)), Layer.provide(Logger.layer([])))
