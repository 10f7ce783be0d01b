// Prints all calls, newest first, page by page: go run main.go PAGE_SIZE
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"net/url"
	"os"
	"time"
)

type call struct {
	ID     string `json:"id"`
	Status string `json:"status"`
	To     string `json:"to"`
}

// Returns the calls of a page and the cursor of the next one, which is empty on the last page.
func page(address string) ([]call, string, error) {
	request, err := http.NewRequest(http.MethodGet, address, nil)
	if err != nil {
		return nil, "", err
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("TRUNKLINE_API_KEY"))
	client := http.Client{Timeout: 30 * time.Second}
	response, err := client.Do(request)
	if err != nil {
		return nil, "", err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, "", fmt.Errorf("the engine answered %s", response.Status)
	}
	var calls []call
	err = json.NewDecoder(response.Body).Decode(&calls)
	return calls, response.Header.Get("X-Next-Cursor"), err
}

func main() {
	base := os.Getenv("TRUNKLINE_URL")
	if base == "" {
		base = "http://127.0.0.1:8080"
	}
	query := url.Values{"limit": {os.Args[1]}}
	for {
		calls, cursor, err := page(base + "/v1/calls?" + query.Encode())
		if err != nil {
			log.Fatal(err)
		}
		for _, each := range calls {
			fmt.Println(each.ID, each.Status, each.To)
		}
		if cursor == "" {
			return
		}
		query.Set("cursor", cursor)
	}
}
