#!/bin/sh
# agents.sh: the paths of all agents of all sessions, one a line, through ollie-9p.
for session in $(ollie-9p ls session | grep -vx -e new -e idx); do
  for agent in $(ollie-9p ls "session/$session/agent" | grep -vx -e new -e idx); do
    echo "session/$session/agent/$agent"
  done
done
