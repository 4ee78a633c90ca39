module clients

go 1.19

require github.com/flink-go/api v0.0.1
