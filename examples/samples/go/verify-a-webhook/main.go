// Receives webhooks and verifies who sent them.
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"math"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

func verify(body []byte, header, secret string) bool {
	t, candidates := "", []string{}
	for _, member := range strings.Split(header, ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(member), "=")
		if name == "t" {
			t = value
		} else if name == "v1" {
			candidates = append(candidates, value)
		}
	}
	seconds, err := strconv.ParseInt(t, 10, 64)
	if err != nil || math.Abs(float64(time.Now().Unix()-seconds)) > 300 {
		return false
	}
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(body)
	mac.Write([]byte("." + t))
	expected, matches := []byte(hex.EncodeToString(mac.Sum(nil))), false
	for _, candidate := range candidates {
		matches = hmac.Equal(expected, []byte(candidate)) || matches
	}
	return matches
}

func main() {
	port := os.Getenv("PORT")
	if port == "" {
		port = "9091"
	}
	http.HandleFunc("/", func(response http.ResponseWriter, request *http.Request) {
		var event struct {
			ID   string `json:"id"`
			Kind string `json:"event_kind"`
		}
		// The signature covers the bytes as they came: verify before you parse.
		body, err := io.ReadAll(http.MaxBytesReader(response, request.Body, 1<<20))
		if err != nil || !verify(body, request.Header.Get("X-Service-Signature"), os.Getenv("WEBHOOK_SECRET")) ||
			json.Unmarshal(body, &event) != nil {
			response.WriteHeader(http.StatusBadRequest)
			return
		}
		// Store the id together with what you do for the event: the same event may come again.
		fmt.Println(event.Kind, event.ID)
		response.WriteHeader(http.StatusNoContent)
	})
	fmt.Println("Listening at http://127.0.0.1:" + port + "/")
	log.Fatal(http.ListenAndServe("127.0.0.1:"+port, nil))
}
