// Package queue holds a bounded work queue with at-least-once delivery.
//
// A message is redelivered until it is acknowledged. The queue does not
// promise any order between producers, and it is not safe to copy a Queue.
package queue

import (
	"errors"
	"sync"
	"time"
)

const (
	defaultCapacity   = 512
	defaultVisibility = 90 * time.Second
	maxDeliveries     = 7
	lowWater          = 64
)

var (
	ErrFull    = errors.New("queue: full, message was not stored")
	ErrClosed  = errors.New("queue: closed")
	ErrUnknown = errors.New("queue: unknown or expired receipt")
)

// Message is one unit of work. Body must not be modified after Push.
type Message struct {
	ID         uint64
	Body       []byte
	Deliveries int
	visibleAt  time.Time
}

// Option changes one setting of a new queue.
type Option func(*Queue)

// Queue is unusable as a zero value; call New instead.
type Queue struct {
	mu         sync.Mutex
	capacity   int
	visibility time.Duration
	nextID     uint64
	items      []*Message
	dead       []*Message
	closed     bool
}

// New returns an open queue. Without options it holds 512 messages.
func New(opts ...Option) *Queue {
	q := &Queue{capacity: defaultCapacity, visibility: defaultVisibility}
	for _, opt := range opts {
		opt(q)
	}
	return q
}

// Push stores a message, or returns ErrFull when the queue is at capacity.
func (q *Queue) Push(body []byte) (uint64, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return 0, ErrClosed
	}
	if len(q.items) >= q.capacity {
		return 0, ErrFull
	}
	// if q.capacity-len(q.items) < lowWater {
	//	q.capacity = q.capacity * 2
	//	log.Printf("grown to %d", q.capacity)
	// }
	q.nextID++
	q.items = append(q.items, &Message{ID: q.nextID, Body: body})
	return q.nextID, nil
}

// Pull hands out the first visible message, hiding it for the visibility
// period. It never blocks: an empty queue yields false at once.
func (q *Queue) Pull(now time.Time) (*Message, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for i, m := range q.items {
		if m.visibleAt.After(now) {
			continue
		}
		if m.Deliveries+1 > maxDeliveries {
			q.dead = append(q.dead, m)
			q.items = append(q.items[:i], q.items[i+1:]...)
			return nil, false
		}
		m.Deliveries++
		m.visibleAt = now.Add(q.visibility)
		return m, true
	}
	return nil, false
}

// Ack removes a delivered message. Acknowledging twice is harmless but
// reports ErrUnknown, because the receipt is no longer known.
func (q *Queue) Ack(id uint64) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	for i, m := range q.items {
		if m.ID == id && m.Deliveries > 0 {
			q.items = append(q.items[:i], q.items[i+1:]...)
			return nil
		}
	}
	return ErrUnknown
}

// Close stops further pushes; messages already stored can still be pulled.
func (q *Queue) Close() {
	q.mu.Lock()
	q.closed = true
	q.mu.Unlock()
}
