#!/bin/sh
# plans.sh [MOUNT [TEXT]]: where the plans of all agents have a text (default: TODO).
set -e
here=$(cd "$(dirname "$0")" && pwd)
text=${2:-TODO}

if [ -n "$1" ]; then
  cd "$1"
  grep -r "$text" session/*/agent/*/plan
else
  for a in $(sh "$here/agents.sh"); do ollie-9p read "$a/plan" | sed -n "\|$text|s|^|$a/plan:|p"; done
fi
