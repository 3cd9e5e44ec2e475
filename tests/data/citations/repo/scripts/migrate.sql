-- Move the old tracking table into the new parcel table.
BEGIN;

CREATE TABLE IF NOT EXISTS parcel (
    serial TEXT PRIMARY KEY,
    carrier TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT 'announced',
    updated_at REAL NOT NULL
);

INSERT INTO parcel (serial, carrier, state, updated_at)
SELECT code, shipper, coalesce(status, 'announced'), seen_at
FROM tracking
WHERE code IS NOT NULL;

DROP TABLE tracking;

COMMIT;
