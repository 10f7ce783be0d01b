// The clock of the engine: that of its machine, or, in a cluster, that of the database.
import { Layer } from "effect"
import { join } from "node:path"
import { keptClock } from "../layers/clock/KeptClock.ts"
import * as SteadyClock from "../layers/clock/SteadyClock.ts"
import * as DatabaseTime from "../layers/postgres/cache/DatabaseTime.ts"
import type { Settings } from "./Settings.ts"

type ClockSettings = Pick<Settings["Service"], "cluster" | "data_dir">

export const engineClock = ({ cluster, data_dir }: ClockSettings) =>
  SteadyClock.layer(undefined, cluster ? undefined : keptClock(join(data_dir, "clock.json")))

export const commonTime = ({ cluster }: ClockSettings) => (cluster ? DatabaseTime.layer : Layer.empty)
