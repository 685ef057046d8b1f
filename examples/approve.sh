#!/bin/sh
# approve.sh ADDRESS [NAME] [SECRET-FILE]: shows what asks to run outside the sandbox of a toolsrv, and asks on the terminal.
# NAME is yours, for the log of toolsrv. Ends when toolsrv does.
address=$1 name=${2:-$(id -un)} secret=$3
observe() { ollie-9p -a "$address" -A "$name" -u observer ${secret:+--secret-file "$secret"} "$@"; }

while request=$(observe read bypass/pending) && [ -n "$request" ]; do
  id=$(printf '%s' "$request" | sed 's/^{"id":"\([^"]*\)".*/\1/')
  printf '%s\n' "$request"
  printf 'May it run? [y/N] ' >&2
  read -r reply || reply=n
  case $reply in
    y | yes) answer='"approved":true' ;;
    *) answer='"error":"not approved"' ;;
  esac
  printf '{"id":"%s",%s}\n' "$id" "$answer" | observe write bypass/resolve
done
