#!/bin/sh
# Copy the database while the service runs.
set -eu

target="${1:?usage: backup.sh TARGET}"
source_db="${PARCEL_DB:-parcel.db}"

if [ ! -f "$source_db" ]; then
    echo "backup: no database at $source_db" >&2
    exit 1
fi

sqlite3 "$source_db" ".backup '$target'"
echo "backup: wrote $target"
