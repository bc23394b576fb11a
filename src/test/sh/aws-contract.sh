#!/bin/sh
# Asks a real AWS account what the tests ask of the stand-in. It reads one secret and one parameter and opens sessions of one role; it changes
# nothing. What must be there: a secret with a text, a SecureString, and a role of at least an hour that the profile may take on and that may
# read the secret.
set -eu
if [ $# -ne 5 ]; then
  echo "usage: $0 PROFILE REGION SECRET PARAMETER ROLE-ARN" >&2
  exit 2
fi
cd "$(dirname "$0")/../../.."
pair=$(aws configure export-credentials --profile "$1" --format env-no-export)
get() { printf '%s\n' "$pair" | sed -n "s/^$1=//p"; }
key="$(get AWS_ACCESS_KEY_ID):$(get AWS_SECRET_ACCESS_KEY)"
token=$(get AWS_SESSION_TOKEN)
[ -z "$token" ] || key="$key:$token"
SALLYPORT_CONTRACT_AWS_KEY=$key
SALLYPORT_CONTRACT_AWS_REGION=$2
SALLYPORT_CONTRACT_AWS_SECRET=$3
SALLYPORT_CONTRACT_AWS_PARAMETER=$4
SALLYPORT_CONTRACT_AWS_ROLE=$5
export SALLYPORT_CONTRACT_AWS_KEY SALLYPORT_CONTRACT_AWS_REGION SALLYPORT_CONTRACT_AWS_SECRET \
  SALLYPORT_CONTRACT_AWS_PARAMETER SALLYPORT_CONTRACT_AWS_ROLE
exec .mvn/mvn25 -B -Dtest=AwsAccountContractTest test
