// The URL of a subscription that was made for the `events_url` of calls: it is looked up for every call that names one.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const statements = [
  "ALTER TABLE webhook_subscriptions ADD COLUMN call_url text",
  "UPDATE webhook_subscriptions SET call_url = state->>'url' WHERE state->>'source' = 'call'",
  // By the hash, because an entry of an index may not be as long as a URL may be.
  `CREATE INDEX webhook_subscriptions_of_calls ON webhook_subscriptions (workspace_id, md5(call_url))
    WHERE call_url IS NOT NULL AND status <> 'deleted'`,

  `CREATE FUNCTION call_urls_changed() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM trunkline_changed('call_url ' || OLD.workspace_id || ' ' || md5(OLD.call_url));
    PERFORM trunkline_changed('call_url ' || NEW.workspace_id || ' ' || md5(NEW.call_url));
    RETURN NULL;
  END $$`,
  `CREATE TRIGGER call_urls_made AFTER INSERT ON webhook_subscriptions FOR EACH ROW
    WHEN (NEW.call_url IS NOT NULL) EXECUTE FUNCTION call_urls_changed()`,
  // A subscription is also written whenever its deliveries end.
  `CREATE TRIGGER call_urls_changed AFTER UPDATE ON webhook_subscriptions FOR EACH ROW
    WHEN ((OLD.workspace_id, OLD.call_url, OLD.status) IS DISTINCT FROM (NEW.workspace_id, NEW.call_url, NEW.status))
    EXECUTE FUNCTION call_urls_changed()`,
  `CREATE TRIGGER call_urls_removed AFTER DELETE ON webhook_subscriptions FOR EACH ROW
    WHEN (OLD.call_url IS NOT NULL) EXECUTE FUNCTION call_urls_changed()`
]

export const callUrls = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const statement of statements) yield* sql.unsafe(statement)
})
