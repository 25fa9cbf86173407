// Calls every method of go-librenms against a live server and prints every unexpected result, one per line.
//
// Arguments: URL, token, UDP port of an agent on 127.0.0.3, id of an active alert, id of its rule.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"reflect"
	"strconv"

	librenms "github.com/jokelyo/go-librenms"
)

var failures int

// same records a failure if two values differ.
func same(what string, got, want any) {
	if !reflect.DeepEqual(got, want) {
		failures++
		fmt.Printf("%s: got %+v, want %+v\n", what, got, want)
	}
}

// must ends the program if a call failed, since the rest depends on it.
func must[T any](answer T, err error) T {
	if err != nil {
		fmt.Printf("call failed: %v\n", err)
		os.Exit(1)
	}
	return answer
}

// absent records a failure unless the call ended with 404 and a message.
func absent[T any](what string, _ T, err error) {
	var refused *librenms.ErrorResponse
	if !errors.As(err, &refused) || refused.Response.StatusCode != 404 || refused.Message == "" {
		failures++
		fmt.Printf("%s: got %v, want 404 with a message\n", what, err)
	}
}

func number(text string) int { return must(strconv.Atoi(text)) }

func text(value string) *string { return &value }

// parsed returns the value of a JSON text, for comparison regardless of formatting.
func parsed(text string) any {
	var value any
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		return err.Error()
	}
	return value
}

func main() {
	client := must(librenms.New(os.Args[1], os.Args[2]))
	device := devices(client, number(os.Args[3]))
	groups(client, device)
	locations(client)
	services(client, device)
	rules(client)
	alerts(client, number(os.Args[4]), number(os.Args[5]))
	must(client.DeleteDevice("127.0.0.3"))
	_, err := client.GetDevice("127.0.0.3")
	absent("device that was deleted", 0, err)

	stranger := must(librenms.New(os.Args[1], "wrong"))
	_, err = stranger.GetDevices(nil)
	var refused *librenms.ErrorResponse
	same("wrong token is refused", errors.As(err, &refused) && refused.Response.StatusCode == 401, true)
	if failures > 0 {
		os.Exit(1)
	}
	fmt.Println("as it must be")
}
