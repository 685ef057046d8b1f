#!/bin/sh
# plain-chat.sh MOUNT AGENT: what was said to and by an agent (session/S/agent/A), without the markers of its blocks.
# With '' for MOUNT through ollie-9p.
set -e
agent=${2:?usage: plain-chat.sh MOUNT AGENT}

if [ -n "$1" ]; then
  cd "$1"
  cat "$agent/chat.raw" | grep -vE '^\[\[\[.*'
else
  ollie-9p read "$agent/chat.raw" | grep -vE '^\[\[\[.*'
fi
