package com.acme.parcel;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Polls the service and tells listeners when a parcel moves. */
public final class Tracker {
    public interface Listener {
        void onMoved(String serial, String state);
    }

    private final Duration interval;
    private final List<Listener> listeners = new ArrayList<>();
    private Instant lastPoll = Instant.EPOCH;
    private String lastState;

    public Tracker(Duration interval) {
        this.interval = Objects.requireNonNull(interval, "interval");
    }

    public void addListener(Listener listener) {
        listeners.add(listener);
    }

    public boolean isDue(Instant now) {
        return !now.isBefore(lastPoll.plus(interval));
    }

    public void poll(String serial, Source source, Instant now) {
        if (!isDue(now)) {
            return;
        }
        lastPoll = now;
        String state = source.stateOf(serial);
        if (state == null) {
            throw new IllegalStateException("source lost parcel " + serial);
        }
        if (!state.equals(lastState)) {
            lastState = state;
            for (Listener listener : listeners) {
                listener.onMoved(serial, state);
            }
        }
    }

    public interface Source {
        String stateOf(String serial);
    }
}
