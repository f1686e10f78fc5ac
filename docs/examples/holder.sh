#!/bin/sh
# A bot in plain shell: every unit holds. `daide bot --exec "sh holder.sh"`
while read -r line; do
    set -- $line
    case $1 in
        HLO) power=$3 ;;
        NOW) case $3 in
            SPR | FAL)
                orders=$(printf '%s\n' "$line" | grep -oE "\( $power (AMY|FLT) ([A-Z]{3}|\( [A-Z]{3} [A-Z]{3} \)) \)" \
                    | sed 's/.*/( & HLD )/' | tr '\n' ' ')
                [ -n "$orders" ] && printf 'SUB %s\n' "$orders"
                ;;
            *) echo GOF ;; # retreats and builds: whatever is harmless
        esac ;;
    esac
done
