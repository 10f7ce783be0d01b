import { useState } from "react"
import { useRead } from "../../api/Hooks.ts"
import type { LinkedRecording, Recording } from "../../api/Types.ts"
import { IconButton } from "../../ui/Button.tsx"
import { Card } from "../../ui/Card.tsx"
import { bytesText } from "../../ui/Format.ts"
import { Loaded, State } from "../../ui/States.tsx"
import { Time } from "../../ui/Values.tsx"
import styles from "./Recordings.module.css"

/** A link to this engine under another name of the same machine is read from where the page came from. */
const onThisOrigin = (link: string): string => {
  const { hostname, pathname, search } = new URL(link)
  return ["localhost", "127.0.0.1", "[::1]", window.location.hostname].includes(hostname) ? pathname + search : link
}

/** Plays a recording. The link is made when it is opened, is valid for 15 minutes, and stands in the audit log. */
export const Listen = ({ onClose, recording }: { recording: Recording; onClose: () => void }) => {
  const [ready, setReady] = useState(false)
  const read = useRead<LinkedRecording>(`/v1/calls/${recording.call_id}/recording`, {
    query: { recording_id: recording.id }
  })
  return (
    <Card
      title="Listen"
      note={<Time at={recording.created_at} format="both" />}
      acts={<IconButton icon="cross" label="Close the player" kind="bare" small onClick={onClose} />}
    >
      <Loaded read={read} what="The recording" rows={1}>
        {({ channels, download_url, format, size_bytes }) =>
          download_url === null ? (
            <State icon="recording" title="There is no audio." />
          ) : (
            <div className="stack">
              {/* A call has no captions; its transcript is on its page. */}
              {/* oxlint-disable-next-line jsx-a11y/media-has-caption */}
              <audio
                controls
                autoPlay
                className={styles.player}
                data-ready={ready || undefined}
                onLoadedMetadata={() => setReady(true)}
                src={onThisOrigin(download_url)}
              />
              <p className="faint">
                {format.toUpperCase()}, {channels === 2 ? "each side in its own channel" : "both sides together"}
                {size_bytes !== null && `, ${bytesText(size_bytes)}`}
              </p>
            </div>
          )
        }
      </Loaded>
    </Card>
  )
}
