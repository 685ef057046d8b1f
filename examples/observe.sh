#!/bin/sh
# observe.sh [MOUNT [AGENT [OBSERVER]]]: whenever an agent begins or ends a turn, another is fed what is not committed here, until it is stopped.
# Both are paths like session/S/agent/A. Without a mount through ollie-9p.
agent=${2:-session/myproj/agent/coder}
observer=${3:-session/myproj/agent/obs}

if [ -n "$1" ]; then
  while cat "$1/$agent/statewait" > /dev/null; do
    git diff HEAD -- > "$1/$observer/feed" || exit 1
  done
else
  while ollie-9p read "$agent/statewait" > /dev/null; do
    git diff HEAD -- || exit 1
  done | ollie-9p write "$observer/feed"
fi
