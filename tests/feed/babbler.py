"""A process that says what it should not: a line of a log, and then what it was asked for."""

import sys

if __name__ == "__main__":
    greeting = sys.stdin.readline()
    sys.stdout.write(f'seat lost\n\x80\n[]\n{greeting}{{"last": true}}\n')
    sys.stdout.flush()
    sys.stdin.read()
