<?php
// Prints what happens to a call while it happens, until it is over: php follow-a-call.php CALL_ID

$url = getenv('TRUNKLINE_URL') ?: 'http://127.0.0.1:8080';
$key = getenv('TRUNKLINE_API_KEY');

/** Reconnects where it was, so that nothing is missed, and returns after the end of the call. */
function events(string $url, string $key): Generator
{
    $last_id = null;
    while (true) {
        $headers = ["Authorization: Bearer $key"];
        if ($last_id !== null) {
            $headers[] = "Last-Event-ID: $last_id";
        }
        // The engine sends a comment every 15 seconds, so 40 seconds of silence are a dead connection.
        $context = stream_context_create(['http' => ['header' => $headers, 'timeout' => 40, 'ignore_errors' => true]]);
        $stream = @fopen($url, 'r', false, $context);
        $status = $stream === false ? 0 : (int) explode(' ', $http_response_header[0])[1];
        if (!in_array($status, [0, 200, 429, 503], true)) {
            throw new RuntimeException(stream_get_contents($stream));
        }
        while ($status === 200 && ($line = fgets($stream)) !== false) {
            [$field, $value] = array_pad(explode(': ', rtrim($line, "\n"), 2), 2, '');
            if ($field === 'id') {
                $last_id = $value;
            } elseif ($field === 'event' && $value === 'end') {
                return;
            } elseif ($field === 'event') {
                yield $value;
            }
        }
        sleep(2);
    }
}

foreach (events("$url/v1/calls/{$argv[1]}/stream", $key) as $kind) {
    echo "$kind\n";
}
echo "end\n";
