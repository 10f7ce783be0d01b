// What each active subscription waits for, so that an event finds the subscriptions that want it without reading the
// others of its workspace.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const statements = [
  // `topic`: the kind of events; the id of a number for a subscription that wants the events of certain numbers only;
  // or the id of the subscription itself, by which the events of a call name that of its `events_url`.
  `CREATE TABLE webhook_topics (
    workspace_id uuid NOT NULL,
    topic text NOT NULL,
    subscription_id uuid NOT NULL REFERENCES webhook_subscriptions ON DELETE CASCADE,
    PRIMARY KEY (workspace_id, topic, subscription_id)
  )`,
  "CREATE INDEX webhook_topics_of_subscription ON webhook_topics (subscription_id)",

  `CREATE FUNCTION webhook_topics_of(subscription webhook_subscriptions) RETURNS SETOF webhook_topics LANGUAGE sql
    AS $$
      SELECT DISTINCT subscription.workspace_id, topic, subscription.id
      FROM unnest(
        subscription.id::text || CASE subscription.number_ids WHEN '{}' THEN subscription.kinds ELSE subscription.number_ids END
      ) AS topic
      WHERE subscription.status = 'active'
    $$`,
  `CREATE FUNCTION webhook_topics_changed() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    DELETE FROM webhook_topics WHERE subscription_id = NEW.id;
    INSERT INTO webhook_topics SELECT t.* FROM webhook_topics_of(NEW) AS t;
    RETURN NULL;
  END $$`,
  `CREATE TRIGGER webhook_topics_made AFTER INSERT ON webhook_subscriptions
    FOR EACH ROW EXECUTE FUNCTION webhook_topics_changed()`,
  // A subscription is also written whenever its deliveries end. Its topics are not.
  `CREATE TRIGGER webhook_topics_changed AFTER UPDATE ON webhook_subscriptions FOR EACH ROW
    WHEN ((OLD.workspace_id, OLD.status, OLD.kinds, OLD.number_ids)
      IS DISTINCT FROM (NEW.workspace_id, NEW.status, NEW.kinds, NEW.number_ids))
    EXECUTE FUNCTION webhook_topics_changed()`,

  "INSERT INTO webhook_topics SELECT t.* FROM webhook_subscriptions AS s CROSS JOIN LATERAL webhook_topics_of(s) AS t",
  "DROP INDEX webhook_subscriptions_active"
]

export const webhookTopics = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const statement of statements) yield* sql.unsafe(statement)
})
