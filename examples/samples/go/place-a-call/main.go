// Places a call that speaks and hangs up: go run main.go FROM TO
package main

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"time"
)

type object = map[string]any

type answer struct {
	ID     string `json:"id"`
	Status string `json:"status"`
	Error  struct {
		Code    string `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

func post(url, idempotencyKey string, body []byte) (int, answer, error) {
	request, err := http.NewRequest(http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return 0, answer{}, err
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("TRUNKLINE_API_KEY"))
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Idempotency-Key", idempotencyKey)
	client := http.Client{Timeout: 30 * time.Second}
	response, err := client.Do(request)
	if err != nil {
		return 0, answer{}, err
	}
	defer response.Body.Close()
	var decoded answer
	err = json.NewDecoder(response.Body).Decode(&decoded)
	return response.StatusCode, decoded, err
}

func main() {
	url := os.Getenv("TRUNKLINE_URL")
	if url == "" {
		url = "http://127.0.0.1:8080"
	}
	body, _ := json.Marshal(object{
		"from":    os.Args[1],
		"to":      os.Args[2],
		"actions": []object{{"say": object{"text": "Your order is ready."}}, {"hangup": object{}}},
	})
	// One key for all attempts: the call is placed once, however often the request is sent.
	key := make([]byte, 16)
	rand.Read(key)
	for attempt := 0; ; attempt++ {
		status, call, err := post(url+"/v1/calls/originate", fmt.Sprintf("%x", key), body)
		if err == nil && status == http.StatusCreated {
			fmt.Println(call.ID, call.Status)
			return
		}
		isTemporary := err != nil || status == http.StatusTooManyRequests || status >= 500
		if !isTemporary || attempt == 2 {
			fmt.Fprintf(os.Stderr, "%s: %s %v\n", call.Error.Code, call.Error.Message, err)
			os.Exit(1)
		}
		time.Sleep(time.Second << attempt)
	}
}
