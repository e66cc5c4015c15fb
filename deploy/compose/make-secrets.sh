#!/bin/sh
# Makes .env with random passwords, once. As root, for the keys belong to the user of the containers.
# Usage: ./make-secrets.sh continuity.example
set -eu
cd "$(dirname "$0")"
host=${1:?usage: make-secrets.sh HOST}
[ ! -e .env ] || { echo '.env exists already' >&2; exit 1; }
umask 077
mkdir -p keys public-keys tls
{
  echo "CONTINUITY_HOST=$host"
  # NATS reads a value that begins with a digit as a number.
  for name in OWNER_PASSWORD SERVICE_PASSWORD VIEWING_KEY NATS_PASSWORD_OWNER NATS_PASSWORD_API NATS_PASSWORD_WORKER \
    NATS_PASSWORD_PLAYOUT_1 NATS_PASSWORD_PLAYOUT_2 NATS_PASSWORD_RECEIVER_1; do
    echo "$name=p$(openssl rand -hex 24)"
  done
} > .env
openssl rand -base64 32 > keys/secret-keys
chown -R 10001:10001 keys public-keys
chmod 755 public-keys
