#!/bin/sh
# approve.sh ADDRESS [NAME] [SECRET-FILE]: shows what wants to leave the sandbox of a toolsrv, and what a rule asks about, and asks on the terminal.
# y: this once; s: whenever the session makes that very call again; else no. NAME is yours, for the log of toolsrv. Ends when toolsrv does.
address=$1 name=${2:-$(id -un)} secret=$3
observe() { ollie-9p -a "$address" -A "$name" -u observer ${secret:+--secret-file "$secret"} "$@"; }

while request=$(observe read bypass/pending) && [ -n "$request" ]; do
  id=$(printf '%s' "$request" | sed 's/^{"id":"\([^"]*\)".*/\1/')
  printf '%s\n' "$request"
  printf 'May it run? [y/s/N] ' >&2
  read -r reply || reply=n
  case $reply in
    y | yes) answer='"approved":true' ;;
    s | session) answer='"approved":true,"scope":"session"' ;;
    *) answer='"error":"not approved"' ;;
  esac
  printf '{"id":"%s",%s}\n' "$id" "$answer" | observe write bypass/resolve
done
