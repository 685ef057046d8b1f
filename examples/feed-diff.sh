#!/bin/sh
# feed-diff.sh [MOUNT [AGENT [SECONDS]]]: feeds an agent (session/S/agent/A) what is not committed here, again and again, until it is stopped.
# An agent with the profile observer, or feed=prompt in its cfg, has a turn whenever it is something new. Without a mount through ollie-9p.
agent=${2:-session/myproj/agent/obs}
seconds=${3:-5}

if [ -n "$1" ]; then
  while :; do
    git diff HEAD -- > "$1/$agent/feed" || exit 1
    sleep "$seconds"
  done
else
  while :; do
    git diff HEAD -- || exit 1
    sleep "$seconds"
  done | ollie-9p write "$agent/feed"
fi
