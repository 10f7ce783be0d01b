// What is read of the attempts of a delivery `d`.

/**
 * The attempts without the receiver's responses, so that a page of them is not read for nothing. PostgreSQL cannot take
 * JSON with a NUL character apart, and only responses have any.
 */
export const listedAttempts = `coalesce((
  SELECT json_agg(json_build_object('at', a -> 'at', 'duration_ms', a -> 'duration_ms',
    'http_status', a -> 'http_status', 'error', a -> 'error') ORDER BY n)
  FROM json_array_elements(replace(d.attempt_log::text, '\\u0000', '\\ufffd')::json) WITH ORDINALITY AS attempt (a, n)
), '[]'::json) AS attempt_log`
