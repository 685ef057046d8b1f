#!/bin/sh
# recipes.sh NAME: what one types in a shell, line by line, with a session myproj and its agents coding, coder and obs.
# Lines with bare paths are for the root of a mount (cd ~/mnt/ollie); those that pipe git diff are for a repository.
# $OLLIE is the mount there. The other examples are the same with names, paths and a way without a mount.
set -e
case $1 in
  fan-out) for s in session/*/agent/*/prompt; do echo "run tests" > "$s"; done ;;
  wait-all) for s in session/*/agent/*/statewait; do cat "$s" > /dev/null; done ;;
  plans) grep -r "TODO" session/*/agent/*/plan ;;
  costs) cat session/*/agent/*/stats ;;
  plain-chat) cat session/myproj/agent/coding/chat | grep -vE '^\[\[\[.*' ;;
  plain-chat-raw) cat session/myproj/agent/coding/chat.raw | grep -vE '^\[\[\[.*' ;;
  feed) while :; do git diff HEAD --; sleep 5; done | ollie-9p write session/myproj/agent/obs/feed ;;
  feed-mount) while :; do git diff HEAD --; sleep 5; done > "$OLLIE/session/myproj/agent/obs/feed" ;;
  observe)
    while :; do ollie-9p read session/myproj/agent/coder/statewait >/dev/null; git diff HEAD --; done \
      | ollie-9p write session/myproj/agent/obs/feed
    ;;
  observe-mount)
    while :; do cat "$OLLIE/session/myproj/agent/coder/statewait" >/dev/null; git diff HEAD --; done \
      > "$OLLIE/session/myproj/agent/obs/feed"
    ;;
  ls) ollie-9p ls session/ ;;
  session)
    echo "name=myproj" | ollie-9p write session/new
    echo "name=coding cwd=$PWD" | ollie-9p write session/myproj/agent/new
    echo "fix the bug in main.go" | ollie-9p write session/myproj/agent/coding/prompt
    ollie-9p read session/myproj/agent/coding/chat
    ollie-9p read session/myproj/agent/coding/statewait
    ;;
  session-mount)
    echo "name=myproj" > session/new
    echo "name=coding cwd=$PWD" > session/myproj/agent/new
    echo "fix the bug in main.go" > session/myproj/agent/coding/prompt
    cat session/myproj/agent/coding/chat
    cat session/myproj/agent/coding/statewait
    ;;
  sub-agent)
    printf 'cwd=%s\nprompt=fix the failing tests\n' "$PWD" \
      | ollie-9p rdwr session/myproj/agent/new
    ;;
  generate)
    echo 'summarize this repo' | ollie-9p rdwr generate
    echo '{"prompt":"explain recursion"}' | ollie-9p rdwr generate
    ;;
  *) sed -n 's/^  \([a-z-]*\)).*/\1/p' "$0" ; exit 2 ;;
esac
