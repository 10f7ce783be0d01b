// Prints what happens to a call while it happens, until it is over: go run main.go CALL_ID
package main

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"
)

// Reads one connection. Returns the id of the last event, and whether the call is over.
func read(url, lastID string) (string, bool) {
	request, err := http.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		panic(err)
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("TRUNKLINE_API_KEY"))
	if lastID != "" {
		request.Header.Set("Last-Event-ID", lastID)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return lastID, false
	}
	defer response.Body.Close()
	if response.StatusCode == http.StatusTooManyRequests || response.StatusCode == http.StatusServiceUnavailable {
		return lastID, false
	}
	if response.StatusCode != http.StatusOK {
		message, _ := io.ReadAll(response.Body)
		fmt.Fprintln(os.Stderr, string(message))
		os.Exit(1)
	}
	// The engine sends a comment every 15 seconds, so 40 seconds of silence are a dead connection.
	silence := time.AfterFunc(40*time.Second, func() { response.Body.Close() })
	defer silence.Stop()
	lines := bufio.NewScanner(response.Body)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		silence.Reset(40 * time.Second)
		field, value, _ := strings.Cut(lines.Text(), ": ")
		switch {
		case field == "id":
			lastID = value
		case field == "event" && value == "end":
			return lastID, true
		case field == "event":
			fmt.Println(value)
		}
	}
	return lastID, false
}

func main() {
	url := os.Getenv("TRUNKLINE_URL")
	if url == "" {
		url = "http://127.0.0.1:8080"
	}
	// Reconnects where it was, so that nothing is missed.
	lastID, isOver := "", false
	for {
		lastID, isOver = read(url+"/v1/calls/"+os.Args[1]+"/stream", lastID)
		if isOver {
			fmt.Println("end")
			return
		}
		time.Sleep(2 * time.Second)
	}
}
