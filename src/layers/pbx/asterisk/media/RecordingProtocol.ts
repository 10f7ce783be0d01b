// What the thread of the actors and the thread that combines recordings send each other. Both sides give a piece only
// when the other asks for one, so neither holds more than a few pieces of a file.

/** Which of the downloaded files. */
export type Side = 0 | 1

/** To the thread. */
export type CombineCommand =
  | { readonly kind: "open"; readonly job: number; readonly sizes: ReadonlyArray<number> }
  /** Asks for the next piece of the combined file. */
  | { readonly kind: "next"; readonly job: number }
  /** The next piece of a download, or undefined at its end. */
  | { readonly kind: "downloaded"; readonly job: number; readonly side: Side; readonly bytes: Uint8Array | undefined }
  | { readonly kind: "download_failed"; readonly job: number; readonly side: Side }
  /** Nobody reads the file any more. */
  | { readonly kind: "close"; readonly job: number }

/** From the thread. */
export type CombineReport =
  /** Asks for the next piece of a download. */
  | { readonly kind: "more"; readonly job: number; readonly side: Side }
  | { readonly kind: "piece"; readonly job: number; readonly bytes: Uint8Array }
  | { readonly kind: "done"; readonly job: number; readonly sha256: string }
  | { readonly kind: "failed"; readonly job: number; readonly message: string }
