package main

import (
	"context"
	"flag"
	"log"
	"net"
	"os/signal"
	"syscall"
)

func main() {
	listen := flag.String("listen", "127.0.0.1:9400", "address to listen on")
	depth := flag.Int("depth", 1024, "how many events to hold")
	flag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()

	queue := NewQueue(*depth)
	socket, err := net.Listen("tcp", *listen)
	if err != nil {
		log.Fatalf("relay: cannot listen: %v", err)
	}
	go func() {
		<-ctx.Done()
		socket.Close()
	}()
	for {
		conn, err := socket.Accept()
		if err != nil {
			log.Printf("relay: stopped accepting: %v", err)
			return
		}
		go handleConn(conn, queue)
	}
}

func handleConn(conn net.Conn, queue *Queue) {
	defer conn.Close()
	buffer := make([]byte, 4096)
	n, err := conn.Read(buffer)
	if err != nil {
		return
	}
	queue.Push(Event{Payload: string(buffer[:n])})
}
