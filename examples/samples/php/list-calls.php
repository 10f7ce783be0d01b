<?php
// Prints all calls, newest first, page by page: php list-calls.php PAGE_SIZE

$url = getenv('TRUNKLINE_URL') ?: 'http://127.0.0.1:8080';
$key = getenv('TRUNKLINE_API_KEY');

function calls(string $url, string $key, int $page_size): Generator
{
    $context = stream_context_create(['http' => ['header' => ["Authorization: Bearer $key"], 'timeout' => 30]]);
    $query = ['limit' => $page_size];
    do {
        $page = json_decode(file_get_contents("$url/v1/calls?" . http_build_query($query), false, $context), true);
        yield from array_values($page);
        $next = preg_grep('/^X-Next-Cursor:/i', $http_response_header);
        $query['cursor'] = $next === [] ? null : trim(explode(':', reset($next), 2)[1]);
    } while ($query['cursor'] !== null);
}

foreach (calls($url, $key, (int) $argv[1]) as $call) {
    echo "{$call['id']} {$call['status']} {$call['to']}\n";
}
