#!/bin/sh
# fan-out.sh [MOUNT [PROMPT]]: gives every agent the same task. Without a mount (or with '') through ollie-9p.
set -e
here=$(cd "$(dirname "$0")" && pwd)
prompt=${2:-run tests}

if [ -n "$1" ]; then
  cd "$1"
  for s in session/*/agent/*/prompt; do echo "$prompt" > "$s"; done
else
  for a in $(sh "$here/agents.sh"); do echo "$prompt" | ollie-9p write "$a/prompt"; done
fi
