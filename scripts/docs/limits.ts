// Writes docs/limits.md from the table of budgets: `node scripts/docs/limits.ts`.
import { writeFile } from "node:fs/promises"
import { type Quota, quotas } from "../../src/domain/access/Quota.ts"
import { type Backlog, callsFrom, fullFrom, readsFrom, sandboxesFrom } from "../../src/domain/journal/Shedding.ts"
import { busyFrom, limitsOf, usualLimits } from "../../src/domain/overload/Pressure.ts"
import { fileShares } from "../../src/actors/recordings/PerformRecording.ts"
import { waitingMax } from "../../src/actors/runtime/Listeners.ts"
import { waiting_max } from "../../src/layers/http-server/OneAtATime.ts"
import { deliveryShares } from "../../src/layers/pbx/asterisk/media/Recorders.ts"
import { engineWaits, workspaceWaits } from "../../src/layers/postgres/database/Database.ts"
import { type Budget, budgets } from "../../src/domain/limits/Budgets.ts"
import { leaseLife_ms, leaseOf, renewalAt } from "../../src/domain/limits/Leases.ts"

const intro = `# Limits

What a workspace, an account or a person may use of what all share, and what happens to what exceeds it. A workspace and its
[sandbox](test-mode.md) are one account. Nobody can lift these limits, unless the table says who can. The
[calling policy](calling-policy.md) has the limits that a workspace sets itself, and every page says how long its texts may be.

<!-- Written by scripts/docs/limits.ts from src/domain/limits/Budgets.ts. -->
`

const number = new Intl.NumberFormat("en-GB", { maximumFractionDigits: 2 })
const sizes = [
  ["MiB", 1_024 * 1_024],
  ["KiB", 1_024]
] as const

const amount = (value: number, unit: Budget["unit"]): string => {
  if (unit !== "bytes") return unit === undefined ? number.format(value) : `${number.format(value)} ${unit}`
  const [name, bytes] = sizes.find(([, size]) => value >= size) ?? ["bytes", 1]
  return `${number.format(value / bytes)} ${name}`
}

/** A rate is shown by the shortest of these in which it is a whole number. */
const spans = [
  ["a second", 1],
  ["a minute", 60],
  ["an hour", 3_600],
  ["a day", 86_400]
] as const

const rate = ({ burst, per_second }: Quota, unit: Budget["unit"]): string => {
  const isWhole = (value: number) => Math.abs(value - Math.round(value)) < 1e-6
  const [name, seconds] = spans.find(([, span]) => isWhole(per_second * span)) ?? ["a second", 1]
  return `${amount(per_second * seconds, unit)} ${name}, at once up to ${amount(burst, unit)}`
}

const figure = ({ limit, unit }: Budget): string =>
  typeof limit === "number" ? amount(limit, unit) : rate(limit, unit)

const row = (budget: Budget): string => `| ${budget.name} | ${budget.each} | ${figure(budget)} | ${budget.beyond} |`

const waiting = ({ characters, entries }: Backlog): string =>
  `${number.format(entries)} decisions, or ${number.format(characters / 1_024 / 1_024)} Mi characters of them, wait`

const signalLimits = limitsOf(usualLimits.event_loop_ms, usualLimits.max_requests)

const behind = `## When the engine is behind

The engine stores every decision before anyone sees its result. While more wait than it can store, it refuses some requests with 503
\`service_unavailable\` and \`Retry-After\`, and begins with those who cause it. A workspace causes it if at least an equal share of
what waits is its own, by number or by size. Reports of the PBX, hang-ups and money are never refused.

| From | Refused |
|---|---|
| ${waiting(readsFrom)} | lists and statistics of the workspaces that cause it |
| ${waiting(sandboxesFrom)} | lists and statistics of all, and new calls of sandboxes |
| ${waiting(callsFrom)} | new calls of the workspaces that cause it |
| twice as many | new calls of all |
| ${waiting(fullFrom)} | everything but what ends work |

It refuses requests, too, while one of these lasts. Each is looked at every 50 ms:

| Signal | Limit |
|---|---|
| how late the event loop is at most, with ${number.format(busyFrom.per_second)} requests a second or more and hardly any idle time | \`MAX_EVENT_LOOP_DELAY_MS\`: ${number.format(signalLimits.event_loop_ms)} ms |
| how long decisions wait until they are sent to the database | twenty times as long: ${number.format(signalLimits.journal_wait_ms)} ms |
| how long those who got a database connection had waited, if their own share was not used up | the same: ${number.format(signalLimits.pool_wait_ms)} ms |
| requests in work | a quarter of \`MAX_REQUESTS\`: ${number.format(signalLimits.requests)} |

After two looks above a limit, lists and statistics are refused in part; after two more also sandboxes; after two more some new calls,
and at once if it is twice the limit. New calls are then admitted at the rate that keeps the signals at a third of their limits, in
equal shares of each workspace. Below half of the limits, and once nobody has been refused, one step is taken back every half second.

Two limits hold at once. Beyond a quarter of \`MAX_REQUESTS\` new calls in work, or as many lists and statistics, more of them are refused
to the workspaces that have at least an equal share of these, and to all at twice as many. Beyond \`MAX_REQUESTS\` in work everything is
refused but what ends work.
`

const leased = (quota: Quota): string => number.format(leaseOf(quota))
const held = (quota: Quota): string => number.format(leaseOf(quota) + renewalAt(quota))

const cluster = `## In a cluster

The processes of a cluster share the reads and changes of a workspace. A process takes ${leased(quotas.workspace_read)} reads or ${leased(quotas.workspace_write)} changes at a time from a count in the
database, or more if more requests wait, and serves requests from these without asking. So it may have up to ${held(quotas.workspace_read)} reads and
${held(quotas.workspace_write)} changes left while nobody asks, and a workspace that then asks all processes at once may exceed its limit by what each has
left. What is left lapses after ${leaseLife_ms / 1_000} seconds. What a process had when it was killed is lost, and made up for within a third of a second,
since the limit refills.

A request waits for the database for one second at most. Without an answer in that time the process counts alone for five seconds:
until the database answers again, each process admits as much as one may. Top-ups, invitations, sign-in links and the calls of
sandboxes are counted in the database one by one. Whatever is limited in each process can be had once in each.

An engine that runs alone (\`CLUSTER=off\`) counts reads and changes in memory.
`

const seconds = (ms: number): string => `${number.format(ms / 1_000)} s`

/** What waits, how much of it, and what becomes of more. */
const queues: ReadonlyArray<readonly [what: string, most: string, beyond: string]> = [
  ["Requests in work", number.format(usualLimits.max_requests), "503 `service_unavailable`, but for what ends work"],
  [
    "New calls in work, and lists and statistics in work",
    `${number.format(signalLimits.requests)} each`,
    "503 `service_unavailable`, to the workspaces that have their share of them first"
  ],
  ["Pipelined requests of a connection", number.format(waiting_max), "the connection is closed"],
  [
    "Decisions that wait for the journal",
    `${number.format(fullFrom.entries)}, or ${number.format(fullFrom.characters / 1_024 / 1_024)} Mi characters`,
    "503 `service_unavailable`. What ends work is always taken"
  ],
  [
    "Reads of a workspace that wait for a database connection",
    `${number.format(workspaceWaits.waiting)}, of all ${number.format(workspaceWaits.waiting_total)}, each ${seconds(workspaceWaits.wait_ms)}`,
    "503 `service_unavailable`"
  ],
  [
    "The engine's own work that waits for a database connection",
    `${number.format(engineWaits.waiting)}, each ${seconds(engineWaits.wait_ms)}`,
    "it fails as in an outage"
  ],
  [
    "Recordings that wait to be copied to the storage",
    `${number.format(fileShares.waiting)} of a workspace, of all ${number.format(fileShares.waiting_total)}, each ${seconds(fileShares.wait_ms)}`,
    "they are tried again later"
  ],
  [
    "Recordings that wait to be fetched from an Asterisk",
    `${number.format(deliveryShares.waiting)} of a workspace, of all ${number.format(deliveryShares.waiting_total)}, each ${seconds(deliveryShares.wait_ms)}`,
    "the recording is given up"
  ],
  ["Events that wait for a live stream", number.format(waitingMax), "the stream ends; its reader begins again"]
]

const waits = `## What waits in a process

With the settings that nobody has changed:

| What waits | At most | Beyond it |
|---|---|---|
${queues.map((row) => `| ${row.join(" | ")} |`).join("\n")}
`

const all: ReadonlyArray<Budget> = Object.values(budgets)

const section = (subject: string): string =>
  [
    `## ${subject}`,
    "",
    "| What is counted | For each | Limit | Beyond it |",
    "|---|---|---|---|",
    ...all.filter((budget) => budget.subject === subject).map(row),
    ""
  ].join("\n")

/** The whole page. */
export const render = (): string =>
  [intro, ...[...new Set(all.map(({ subject }) => subject))].map(section), cluster, behind, waits].join("\n")

if (import.meta.main) await writeFile(new URL("../../docs/limits.md", import.meta.url), render())
