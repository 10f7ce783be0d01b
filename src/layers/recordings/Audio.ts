// Recorded audio: where the PBX leaves it, and where it is kept.
import { join } from "node:path"
import { Effect, Layer, Redacted } from "effect"
import { type MasterKeys, plainKeys } from "../keyring/Secrets.ts"
import { makeAudioCipher } from "./AudioCipher.ts"
import { EncryptedStore } from "./EncryptedStore.ts"
import { fileObjects } from "./FileObjects.ts"
import { s3Place } from "./S3Place.ts"
import { SpoolFolder } from "./SpoolFolder.ts"

export interface AudioOptions {
  readonly data_dir: string
  /** An object store; files in `data_dir` when absent. */
  readonly recordings_url: Redacted.Redacted | undefined
  readonly master_keys: MasterKeys
}

const objects = ({ data_dir, recordings_url }: AudioOptions) =>
  recordings_url === undefined
    ? Effect.succeed(fileObjects(join(data_dir, "recordings")))
    : Effect.acquireRelease(
        // Read only here: it is a large library.
        Effect.map(
          Effect.promise(() => import("./S3Objects.ts")),
          ({ s3Objects }) => s3Objects(s3Place(Redacted.value(recordings_url)))
        ),
        ({ close }) => Effect.sync(close)
      )

export const layer = (options: AudioOptions) =>
  Layer.merge(
    SpoolFolder(join(options.data_dir, "spool")),
    Layer.unwrap(
      Effect.map(objects(options), (place) => EncryptedStore(place, makeAudioCipher(plainKeys(options.master_keys))))
    )
  )
