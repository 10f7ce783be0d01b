// What happens to the page: its network comes and goes, it is left, restored, or woken.

export interface PageListener {
  readonly online: () => void
  readonly offline: () => void
  readonly leaving: () => void
}

/** Returns what stops listening. */
export const watchPage = ({ leaving, offline, online }: PageListener): (() => void) => {
  const watched = new AbortController()
  const on = (target: EventTarget | undefined, name: string, then: () => void) =>
    target?.addEventListener(name, then, { signal: watched.signal })
  const maybeOnline = () => {
    if (navigator.onLine) online()
  }
  on(window, "online", online)
  on(window, "offline", offline)
  on(window, "pagehide", leaving)
  // A page that comes back from the browser's cache, or after sleep, may have a connection that is gone.
  on(window, "pageshow", maybeOnline)
  on(document, "visibilitychange", () => {
    if (document.visibilityState === "visible") maybeOnline()
  })
  // Another network: not in all browsers.
  on((navigator as { readonly connection?: EventTarget }).connection, "change", maybeOnline)
  return () => watched.abort()
}
