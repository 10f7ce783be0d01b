// Divides the sockets of webhook deliveries. A receiver that hangs keeps a socket until the time limit, and which one
// hangs is known only then. So nobody may take the last sockets who has not shown that it answers. Pure; WebhookSockets
// runs attempts by it.

export interface SocketLimits {
  /** Sockets of all workspaces. */
  readonly total: number
  /** Sockets of one workspace. */
  readonly each: number
}

/** An attempt that needs a socket. */
export interface SocketUser {
  readonly workspace_id: string
  readonly receiver: string
  /** Whether the receiver accepted the last delivery. */
  readonly proven: boolean
}

/**
 * What is known of a receiver. Unproven: it has not accepted anything yet, or failed last. Fresh: it is proven, and has
 * accepted a delivery since the oldest attempt began that is still under way to a proven receiver of its workspace.
 * Stale: it is proven, but not fresh. If many proven receivers begin to hang at once, only those that work are fresh.
 */
type Standing = "unproven" | "stale" | "fresh"

/** The sockets of the process, or of one workspace. */
interface Level {
  readonly capacity: number
  using: number
  unproven: number
}

interface Receiver<T> {
  using: number
  readonly queue: Array<T>
}

interface Workspace<T> extends Level {
  readonly receivers: Map<string, Receiver<T>>
  /** The receivers with a queue, in the order in which they began to wait. */
  readonly waiting: Map<string, Receiver<T>>
  /** Attempts of proven receivers that are under way, oldest first, with their turns. */
  readonly underway: Map<T, number>
  /** The turn at which each receiver last accepted a delivery, oldest first. Turns before `underway` are forgotten. */
  readonly accepted: Map<string, number>
}

/** What the receivers of a standing may have. */
interface Share {
  /** The part of all sockets up to which they may take one. */
  readonly of_all: number
  /** How many a receiver may have, for each socket that is then left. */
  readonly of_left: number
}

/**
 * `of_left` bounds a receiver that hangs: the fewer sockets are left, the fewer more it gets. Switches that share a
 * buffer do the same (a dynamic threshold). With a quarter, fifty receivers that begin to hang at once leave sockets
 * for fifty others. With a half, some of the others waited for the time limit. A fresh receiver may use its whole
 * window. The last tenth is for fresh receivers. If more were kept for them, a stale receiver that works might not be
 * asked, and would never become fresh.
 */
const shares: Readonly<Record<Standing, Share>> = {
  unproven: { of_all: 0.9, of_left: 0.25 },
  stale: { of_all: 0.9, of_left: 0.25 },
  fresh: { of_all: 1, of_left: 1 }
}

/** The unproven together have at most this part. */
const ofUnproven = 0.5

/** Whether a user with this standing, who `has` so many sockets of the level, may take one more. */
const mayTake = ({ capacity, unproven, using }: Level, standing: Standing, has: number): boolean => {
  const { of_all, of_left } = shares[standing]
  const left = Math.floor(capacity * of_all) - using
  const room = standing === "unproven" ? Math.min(left, Math.floor(capacity * ofUnproven) - unproven) : left
  return has < room * of_left
}

export class SocketShares<T extends SocketUser> {
  private readonly limits: SocketLimits
  private readonly all: Level
  private readonly workspaces = new Map<string, Workspace<T>>()
  /** The workspaces with a queue, in the order in which they began to wait. */
  private readonly waiting = new Set<Workspace<T>>()
  private turns = 0

  constructor(limits: SocketLimits) {
    this.limits = limits
    this.all = { capacity: limits.total, using: 0, unproven: 0 }
  }

  get inUse(): number {
    return this.all.using
  }

  /** How many workspaces, receivers and acceptances are kept. */
  get kept(): number {
    let kept = this.workspaces.size
    for (const { accepted, receivers } of this.workspaces.values()) kept += accepted.size + receivers.size
    return kept
  }

  /** Whether the attempt may begin. If not, it waits: `leave` of another returns it when it is its turn. */
  enter(item: T): boolean {
    const workspace = this.workspaceOf(item.workspace_id)
    const receiver = workspace.receivers.get(item.receiver) ?? { using: 0, queue: [] }
    workspace.receivers.set(item.receiver, receiver)
    if (receiver.queue.length === 0 && this.mayEnter(workspace, receiver, item)) {
      this.admit(workspace, receiver, item)
      return true
    }
    receiver.queue.push(item)
    workspace.waiting.set(item.receiver, receiver)
    this.waiting.add(workspace)
    return false
  }

  /**
   * The attempt has ended: the receiver accepted it, or failed; undefined if it was given up. Returns those that may
   * begin now, and those of proven receivers that are not to be sent because their receiver failed.
   */
  leave(
    item: T,
    accepted: boolean | undefined
  ): { readonly begin: ReadonlyArray<T>; readonly refused: ReadonlyArray<T> } {
    const workspace = this.workspaces.get(item.workspace_id)
    const receiver = workspace?.receivers.get(item.receiver)
    if (workspace === undefined || receiver === undefined) return { begin: [], refused: [] }
    receiver.using--
    for (const level of [workspace, this.all]) {
      level.using--
      if (!item.proven) level.unproven--
    }
    workspace.underway.delete(item)
    if (accepted !== undefined) workspace.accepted.delete(item.receiver)
    if (accepted === true) workspace.accepted.set(item.receiver, ++this.turns)
    const refused = accepted === false ? receiver.queue.filter(({ proven }) => proven) : []
    for (const each of refused) receiver.queue.splice(receiver.queue.indexOf(each), 1)
    this.forget(item, workspace, receiver)
    return { begin: this.admitWaiting(), refused }
  }

  /** The attempt no longer waits. Returns false if it does not wait, for example because it may begin. */
  withdraw(item: T): boolean {
    const workspace = this.workspaces.get(item.workspace_id)
    const receiver = workspace?.receivers.get(item.receiver)
    const index = receiver?.queue.indexOf(item) ?? -1
    if (workspace === undefined || receiver === undefined || index < 0) return false
    receiver.queue.splice(index, 1)
    this.forget(item, workspace, receiver)
    return true
  }

  private workspaceOf(id: string): Workspace<T> {
    const known = this.workspaces.get(id)
    if (known !== undefined) return known
    const workspace: Workspace<T> = {
      capacity: this.limits.each,
      using: 0,
      unproven: 0,
      receivers: new Map(),
      waiting: new Map(),
      underway: new Map(),
      accepted: new Map()
    }
    this.workspaces.set(id, workspace)
    return workspace
  }

  private mayEnter(workspace: Workspace<T>, receiver: Receiver<T>, { proven, receiver: id }: T): boolean {
    if (!proven && receiver.using > 0) return false
    const isFresh = workspace.underway.size === 0 || workspace.accepted.has(id)
    const standing = proven ? (isFresh ? "fresh" : "stale") : "unproven"
    return mayTake(workspace, standing, receiver.using) && mayTake(this.all, standing, workspace.using)
  }

  private admit(workspace: Workspace<T>, receiver: Receiver<T>, item: T): void {
    receiver.using++
    for (const level of [workspace, this.all]) {
      level.using++
      if (!item.proven) level.unproven++
    }
    if (item.proven) workspace.underway.set(item, ++this.turns)
  }

  /** The next is of the waiting workspace that uses least, and in it of the receiver that uses least. */
  private admitWaiting(): ReadonlyArray<T> {
    const begin: Array<T> = []
    for (let next = this.next(); next !== undefined; next = this.next()) {
      const [workspace, receiver, item] = next
      receiver.queue.shift()
      this.admit(workspace, receiver, item)
      begin.push(item)
      // To the end of the order, if it goes on waiting.
      workspace.waiting.delete(item.receiver)
      if (receiver.queue.length > 0) workspace.waiting.set(item.receiver, receiver)
      this.waiting.delete(workspace)
      if (workspace.waiting.size > 0) this.waiting.add(workspace)
    }
    return begin
  }

  private next(): readonly [Workspace<T>, Receiver<T>, T] | undefined {
    let found: readonly [Workspace<T>, Receiver<T>, T] | undefined
    for (const workspace of this.waiting) {
      if (found !== undefined && workspace.using >= found[0].using) continue
      const first = this.nextOf(workspace)
      if (first !== undefined) found = [workspace, ...first]
    }
    return found
  }

  private nextOf(workspace: Workspace<T>): readonly [Receiver<T>, T] | undefined {
    let found: readonly [Receiver<T>, T] | undefined
    for (const receiver of workspace.waiting.values()) {
      const [item] = receiver.queue
      if (item === undefined || (found !== undefined && receiver.using >= found[0].using)) continue
      if (this.mayEnter(workspace, receiver, item)) found = [receiver, item]
      if (found?.[0].using === 0) break
    }
    return found
  }

  private forget(item: T, workspace: Workspace<T>, receiver: Receiver<T>): void {
    if (receiver.queue.length === 0) workspace.waiting.delete(item.receiver)
    if (receiver.queue.length === 0 && receiver.using === 0) workspace.receivers.delete(item.receiver)
    if (workspace.waiting.size === 0) this.waiting.delete(workspace)
    const [oldest = Number.POSITIVE_INFINITY] = workspace.underway.values()
    for (const [id, turn] of workspace.accepted) {
      if (turn > oldest) break
      workspace.accepted.delete(id)
    }
    if (workspace.using === 0 && workspace.waiting.size === 0) this.workspaces.delete(item.workspace_id)
  }
}
