// Reads the files of deploy with the libraries of the programs that they are for:
//
//	check dockerfile FILE | check compose FILE PROFILE... | check k8s FILE...
package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/compose-spec/compose-go/v2/cli"
	"github.com/moby/buildkit/frontend/dockerfile/instructions"
	"github.com/moby/buildkit/frontend/dockerfile/linter"
	"github.com/moby/buildkit/frontend/dockerfile/parser"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/client-go/kubernetes/scheme"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) < 2 {
		return errors.New("usage: check dockerfile|compose|k8s FILE...")
	}
	switch args[0] {
	case "dockerfile":
		return dockerfile(args[1])
	case "compose":
		return compose(args[1], args[2:])
	case "k8s":
		return manifests(args[1:])
	}
	return fmt.Errorf("unknown kind %s", args[0])
}

// The parser, and the rules of `docker build --check` that need no image.
func dockerfile(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	parsed, err := parser.Parse(bytes.NewReader(text))
	if err != nil {
		return err
	}
	var found []error
	for _, warning := range parsed.Warnings {
		found = append(found, errors.New(warning.Short))
	}
	lint := linter.New(&linter.Config{Warn: func(rule, _, _, message string, _ []parser.Range) {
		found = append(found, fmt.Errorf("%s: %s", rule, message))
	}})
	if _, _, err = instructions.Parse(parsed.AST, lint); err != nil {
		return err
	}
	return errors.Join(found...)
}

func compose(path string, profiles []string) error {
	options, err := cli.NewProjectOptions([]string{path}, cli.WithProfiles(profiles))
	if err != nil {
		return err
	}
	project, err := options.LoadProject(context.Background())
	if err != nil {
		return err
	}
	fmt.Println(project.ServiceNames())
	return nil
}

// Every document as the type that it names; unknown members are errors.
func manifests(paths []string) error {
	decoder := serializer.NewCodecFactory(scheme.Scheme, serializer.EnableStrict).UniversalDeserializer()
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, document := range bytes.Split(text, []byte("---\n")) {
			if len(bytes.TrimSpace(document)) == 0 {
				continue
			}
			if _, kind, err := decoder.Decode(document, nil, nil); err != nil {
				return fmt.Errorf("%s: %v: %w", path, kind, err)
			}
		}
	}
	return nil
}
