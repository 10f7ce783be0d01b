// Tells an answered call what to do: the server behind a "voice_callback_url".
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

type object = map[string]any

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

type question struct {
	Reason string `json:"reason"`
	Result struct {
		Digits string `json:"digits"`
	} `json:"result"`
}

func actionsFor(asked question, publicURL string) []object {
	if asked.Reason == "gather_completed" && asked.Result.Digits == "1" {
		return []object{
			{"say": object{"text": "I connect you."}},
			{"dial": object{"number": "+254711000001", "timeout": 20}},
			{"say": object{"text": "Nobody is there."}},
			{"hangup": object{}},
		}
	}
	prompt := object{"say": object{"text": "To speak to somebody, press 1."}}
	return []object{
		{"gather": object{"prompt": prompt, "num_digits": 1, "action_url": publicURL}},
		{"say": object{"text": "Goodbye."}},
		{"hangup": object{}},
	}
}

func main() {
	port := os.Getenv("PORT")
	if port == "" {
		port = "9090"
	}
	publicURL := os.Getenv("PUBLIC_URL")
	if publicURL == "" {
		publicURL = "http://127.0.0.1:" + port + "/"
	}
	http.HandleFunc("/", func(response http.ResponseWriter, request *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(response, request.Body, 1<<20))
		var asked question
		if err != nil || !verify(body, request.Header.Get("X-Service-Signature"), os.Getenv("VOICE_SECRET")) ||
			json.Unmarshal(body, &asked) != nil {
			response.WriteHeader(http.StatusBadRequest)
			return
		}
		fmt.Println(asked.Reason)
		response.Header().Set("Content-Type", "application/json")
		json.NewEncoder(response).Encode(object{"actions": actionsFor(asked, publicURL)})
	})
	fmt.Println("Listening at http://127.0.0.1:" + port + "/")
	log.Fatal(http.ListenAndServe("127.0.0.1:"+port, nil))
}
