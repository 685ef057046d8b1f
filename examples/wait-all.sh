#!/bin/sh
# wait-all.sh [MOUNT]: ends when every agent that was given a task has finished, however fast it was.
set -e
here=$(cd "$(dirname "$0")" && pwd)

if [ -n "$1" ]; then
  cd "$1"
  for s in session/*/agent/*/statewait; do cat "$s" > /dev/null; done
else
  for a in $(sh "$here/agents.sh"); do ollie-9p read "$a/statewait" > /dev/null; done
fi
