module check

go 1.24

require (
	github.com/compose-spec/compose-go/v2 v2.16.2
	github.com/moby/buildkit v0.34.2
	k8s.io/apimachinery v0.37.0
	k8s.io/client-go v0.37.0
)
