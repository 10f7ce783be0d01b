// The listeners of a client's events.
import type { ClientEvent, ClientEventName, ClientEvents } from "./ClientEvents.ts"

export type Listener<Name extends ClientEventName> = (payload: ClientEvents[Name]) => void

export class Listeners {
  readonly #all = new Map<ClientEventName, Set<(payload: never) => void>>()

  add<Name extends ClientEventName>(name: Name, listener: Listener<Name>): () => void {
    const listeners = this.#all.get(name) ?? new Set()
    this.#all.set(name, listeners.add(listener))
    return () => this.remove(name, listener)
  }

  remove<Name extends ClientEventName>(name: Name, listener: Listener<Name>): void {
    this.#all.get(name)?.delete(listener)
  }

  clear(): void {
    this.#all.clear()
  }

  tell({ name, payload }: ClientEvent): void {
    // A copy: a listener may remove itself.
    for (const listener of Array.from(this.#all.get(name) ?? [])) {
      try {
        listener(payload as never)
      } catch (error) {
        // A listener that throws must not break the call; the browser reports its error.
        queueMicrotask(() => {
          throw error
        })
      }
    }
  }
}
