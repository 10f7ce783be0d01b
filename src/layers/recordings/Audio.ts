// The spool that the PBX writes recordings to, and the encrypted store that keeps them.
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
  /** The URL of an object store. Absent: files in `data_dir`. */
  readonly recordings_url: Redacted.Redacted | undefined
  readonly master_keys: MasterKeys
}

const objects = ({ data_dir, recordings_url }: AudioOptions) =>
  recordings_url === undefined
    ? Effect.succeed(fileObjects(join(data_dir, "recordings")))
    : Effect.acquireRelease(
        // Imported only if needed, because the S3 client is a large library.
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
