#!/bin/sh
# costs.sh [MOUNT]: tokens and cost of every agent.
set -e
here=$(cd "$(dirname "$0")" && pwd)

if [ -n "$1" ]; then
  cd "$1"
  cat session/*/agent/*/stats
else
  for a in $(sh "$here/agents.sh"); do ollie-9p read "$a/stats"; done
fi
