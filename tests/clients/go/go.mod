module portlight.test/clients

go 1.24.3

require github.com/jokelyo/go-librenms v0.3.0
