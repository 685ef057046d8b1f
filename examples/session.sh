#!/bin/sh
# session.sh [MOUNT [NAME [PROMPT]]]: a session, an agent, a task for it, and what it answers. Without a mount through ollie-9p.
set -e
name=${2:-myproj}
prompt=${3:-fix the bug in main.go}

if [ -n "$1" ]; then
  cd "$1"
  echo "name=$name" > session/new
  echo "name=coding" > "session/$name/agent/new"
  echo "$prompt" > "session/$name/agent/coding/prompt"
  cat "session/$name/agent/coding/chat"
  cat "session/$name/agent/coding/statewait"
else
  echo "name=$name" | ollie-9p write session/new
  echo "name=coding cwd=$PWD" | ollie-9p write "session/$name/agent/new"
  echo "$prompt" | ollie-9p write "session/$name/agent/coding/prompt"
  ollie-9p read "session/$name/agent/coding/chat"
  ollie-9p read "session/$name/agent/coding/statewait"
fi
