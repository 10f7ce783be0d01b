<?php
// Places a call that speaks and hangs up: php place-a-call.php FROM TO

$url = getenv('TRUNKLINE_URL') ?: 'http://127.0.0.1:8080';
$key = getenv('TRUNKLINE_API_KEY');

/** The status, 0 if no answer came, and the decoded body. */
function post(string $url, array $headers, array $body): array
{
    $context = stream_context_create(['http' => [
        'method' => 'POST',
        'header' => $headers,
        'content' => json_encode($body),
        'ignore_errors' => true,
        'timeout' => 30,
    ]]);
    $answer = @file_get_contents($url, false, $context);
    if ($answer === false) {
        return [0, null];
    }
    return [(int) explode(' ', $http_response_header[0])[1], json_decode($answer, true)];
}

// One key for all attempts: the call is placed once, however often the request is sent.
$headers = [
    "Authorization: Bearer $key",
    'Content-Type: application/json',
    'Idempotency-Key: ' . bin2hex(random_bytes(16)),
];
$body = [
    'from' => $argv[1],
    'to' => $argv[2],
    'actions' => [['say' => ['text' => 'Your order is ready.']], ['hangup' => new stdClass()]],
];
for ($attempt = 0; $attempt < 3; $attempt++) {
    [$status, $answer] = post("$url/v1/calls/originate", $headers, $body);
    if (!in_array($status, [0, 429, 500, 502, 503, 504], true)) {
        break;
    }
    sleep(2 ** $attempt);
}

if ($status !== 201) {
    $error = $answer['error'] ?? ['code' => 'no_answer', 'message' => "$url did not answer."];
    fwrite(STDERR, "{$error['code']}: {$error['message']}\n");
    exit(1);
}
echo "{$answer['id']} {$answer['status']}\n";
