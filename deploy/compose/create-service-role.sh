#!/bin/sh
# Run by the PostgreSQL image when the database is created: the role of the processes, which owns nothing.
set -eu
psql -v ON_ERROR_STOP=1 -v password="$SERVICE_PASSWORD" -U "$POSTGRES_USER" -d "$POSTGRES_DB" <<'SQL'
create role continuity_service login password :'password';
SQL
