package main

import "sync"

// Event is one access-log line on its way to the collector.
type Event struct {
	Payload string
	Dropped int
}

// Queue is a ring that drops the oldest event when it is full.
type Queue struct {
	mu      sync.Mutex
	ring    []Event
	head    int
	size    int
	dropped int
}

func NewQueue(depth int) *Queue {
	return &Queue{ring: make([]Event, depth)}
}

func (q *Queue) Push(e Event) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.size == len(q.ring) {
		q.head = (q.head + 1) % len(q.ring)
		q.size--
		q.dropped++
	}
	q.ring[(q.head+q.size)%len(q.ring)] = e
	q.size++
}

func (q *Queue) Pop() (Event, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.size == 0 {
		return Event{}, false
	}
	e := q.ring[q.head]
	e.Dropped = q.dropped
	q.head = (q.head + 1) % len(q.ring)
	q.size--
	return e, true
}
